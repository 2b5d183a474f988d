# SPDX-License-Identifier: MIT
"""Checks bridge/PROTOCOL.md against the schema and the program.
Usage: protocol.py ENGRAM SOURCE        checks the page
       protocol.py --write SOURCE       rewrites the page's tables from the schema

The tables of operations must be those of the schema, and each operation must have an example. Each example request must
get the reply below it (where "..." matches anything). Each default in the schema must have the effect of omitting the
field. The client on the page must print what the page shows.
"""
import json
import os
import re
import subprocess
import sys

FIRST_KERNEL = "scores"  # the first operation that needs no memory
COMMON = ("op", "id", "limit")
# Requests that cover each default that the page's examples do not. They follow the page's requests.
PAIRS = [f"<x{i} --> x{j}>." for i in range(40) for j in range(i)]  # more links and names than `view` shows
MORE = [
    {"op": "input", "narsese": "\n".join(PAIRS + [f"<y{i} --> z{i}>." for i in range(120)])},
    {"op": "recall", "cue": "x1"}, {"op": "explain", "cue": "x1"}, {"op": "compare", "cue": "x1", "methods": ["cosine"]},
    {"op": "allocate", "cue": "x1", "of": "concepts", "capacity": 9}, {"op": "allocate", "cue": "tim", "of": "concepts", "capacity": 2, "prior": "previous"},
    {"op": "allocate", "cue": "tim", "of": "concepts", "capacity": 2, "prior": "previous", "prior_form": "alpha"},
    {"op": "dense", "units": "continuous", "patterns": [[1, -1, 1], [-1, 1, 1]], "cue": [0.5, -0.5, 0.1],
     "separation": "polynomial"},
    {"op": "scores", "queries": [[1, 0]], "keys": [[1, 2], [3, 4]], "score": "dot"},
    {"op": "links"}, {"op": "links", "as": "narsese"}, {"op": "view"},
]


def resolved(schema, part):
    """The resolved part of the schema. A reference may have further members beside it."""
    reference = part.get("$ref")
    if reference is None:
        return part
    target = schema
    for name in reference[2:].split("/"):
        target = target[name]
    return {**resolved(schema, target), **{k: v for k, v in part.items() if k != "$ref"}}


def operations(schema):
    """[(operation, its part of the schema)], in the order of the schema."""
    rows = []
    for reference in schema["$defs"]["request"]["oneOf"]:
        part = resolved(schema, reference)
        rows.append((part["properties"]["op"]["const"], part))
    return rows


def choices(schema, part):
    part = resolved(schema, part)
    return list(part.get("enum", [part["const"]] if "const" in part else []))


def field_text(schema, name, part):
    known = [str(value) for value in choices(schema, part)]
    if "default" in part:
        default = part["default"]
        known = [value for value in known if value != default]
        name = f"`{name}` = {default if isinstance(default, str) else json.dumps(default)}"
    else:
        name = f"`{name}`"
    return name + (f" ({', '.join(known)})" if known else "")


def row(schema, op, part):
    fields = {name: each for name, each in part["properties"].items() if name not in COMMON}
    needed = list(part["required"])
    required = [field_text(schema, name, fields[name]) for name in needed if name in fields]
    for alternative in [part.get("oneOf", [])]:
        texts = []
        for each in alternative:
            if "properties" in each:  # alternatives by the value of a field, each with its own fields
                (by,) = (name for name, value in each["properties"].items() if isinstance(value, dict) and
                         ("const" in value or "enum" in value))
                own = ", ".join(f"`{name}`" for name in each["required"])
                texts.append(f"{' or '.join(choices(schema, each['properties'][by]))}: {own}")
            else:
                texts.append(" and ".join(f"`{name}`" for name in each["required"]))
                needed += each["required"]
        if texts and "properties" in alternative[0]:
            required = ["`rule`, which is " + "; ".join(texts)]
        elif texts:
            required.append(" or ".join(texts))
    others = [field_text(schema, name, each) for name, each in fields.items()
              if name not in needed and not (part.get("oneOf") and name == "rule")]
    return f"| `{op}` | {', '.join(required)} | {', '.join(others)} | {part['description']} |"


def tables(schema):
    """The rows of both tables, as lines."""
    head = ["| operation | required fields | other fields, with their defaults | what it does |", "|---|---|---|---|"]
    groups = [[], []]
    for op, part in operations(schema):
        groups[1 if groups[1] or op == FIRST_KERNEL else 0].append(row(schema, op, part))
    return [head + group for group in groups]


def split_tables(text):
    """The page in parts: even ones are text, odd ones tables of operations."""
    return re.split(r"((?<=\n)\| operation \|.*?\n(?=\n))", text, flags=re.S)


def examples(text):
    """[(request, pattern of the reply)] of the page's jsonl blocks."""
    pairs = []
    for block in re.findall(r"```jsonl\n(.*?)```", text, re.S):
        lines = block.strip().split("\n")
        assert len(lines) % 2 == 0, block
        pairs += list(zip(lines[::2], lines[1::2]))
    return pairs


def replies(engram, requests):
    text = "".join((request if isinstance(request, str) else json.dumps(request)) + "\n" for request in requests)
    done = subprocess.run([engram, "serve"], input=text, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(requests), (len(lines), len(requests), lines[-1:])
    return lines


def check_examples(engram, schema, text):
    pairs = examples(text)
    told = replies(engram, [request for request, _ in pairs])
    for (request, shown), reply in zip(pairs, told):
        pattern = ".*".join(re.escape(piece) for piece in shown.split("..."))
        assert re.fullmatch(pattern, reply), f"{request}\ngets\n{reply}\nbridge/PROTOCOL.md shows\n{shown}"
    seen = {json.loads(request)["op"] for request, _ in pairs}
    missing = {op for op, _ in operations(schema)} - seen
    assert not missing, f"no example of {sorted(missing)}"
    assert any(not json.loads(reply)["ok"] for reply in told), "no example of an error"
    return pairs


def check_defaults(engram, schema, requests):
    """Checks that omitting a field has the effect of its default."""
    tried, to_try = set(), set()
    for op, part in operations(schema):
        to_try |= {(op, name, part["properties"].get("of", {}).get("const")) for name, each in part["properties"].items()
                   if "default" in each}
    for place, request in enumerate(requests):
        request = json.loads(request) if isinstance(request, str) else request
        for op, part in operations(schema):
            of = part["properties"].get("of", {}).get("const")
            if op != request["op"] or (op == "allocate" and (of == "operations") != (request.get("of") == "operations")):
                continue
            for name, each in part["properties"].items():
                if "default" not in each or name in request:
                    continue
                plain, said = (replies(engram, requests[:place] + [one])[-1]
                               for one in (request, {**request, name: each["default"]}))
                if json.loads(said)["ok"]:  # otherwise the fields exclude each other
                    assert plain == said, f"{request} with {name} = {each['default']}:\n{said}\nwithout:\n{plain}"
                    tried.add((op, name, of))
    assert tried == to_try, f"never tried: {sorted(to_try - tried, key=str)}"


def check_client(engram, text):
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (printed,) = re.findall(r"```python\n.*?```\n.*?```text\n(.*?)```", text, re.S)
    assert program.count("\n") <= 20, "the client has more than 20 lines"
    path = os.path.dirname(os.path.abspath(engram)) + ":" + os.environ["PATH"]
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == printed, done


def main():
    engram, source = sys.argv[1:]
    page = os.path.join(source, "bridge/PROTOCOL.md")
    with open(os.path.join(source, "bridge/schema/protocol.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    pieces = split_tables(text)
    expected = ["\n".join(lines) + "\n" for lines in tables(schema)]
    if engram == "--write":
        pieces[1::2] = expected
        with open(page, "w", encoding="utf-8") as file:
            file.write("".join(pieces))
        return
    assert pieces[1::2] == expected, "the tables are not the schema's: python3 tests/program/protocol.py --write ."
    pairs = check_examples(engram, schema, text)
    check_defaults(engram, schema, [request for request, _ in pairs if json.loads(request)["op"] != "quit"] + MORE)
    check_client(engram, text)


main()
