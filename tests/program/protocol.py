# SPDX-License-Identifier: MIT
"""Checks bridge/PROTOCOL.md against the program: protocol.py ENGRAM SOURCE

Each example request must get the reply below it (where "..." matches anything), and an error must be among the examples.
Each default in the schema must have the effect of omitting the field. The client on the page must print what the page
shows. The C++ tests of bridge/operations check the tables, and that each operation has an example.
"""
import json
import os
import re
import subprocess
import sys

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


def forms(schema):
    """[(operation, form of its requests)]"""
    requests = schema["$defs"]["requests"].items()
    return [(op, form) for op, part in requests for form in (part["oneOf"] if "properties" not in part else [part])]


def fits(form, request):
    """Whether the request has this form: forms differ in the choice of one field."""
    return all(request.get(name) in form["properties"][name].get("enum", [request.get(name)])
               for name in ("of", "rule") if name in form["required"])


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


def check_examples(engram, text):
    pairs = examples(text)
    told = replies(engram, [request for request, _ in pairs])
    for (request, shown), reply in zip(pairs, told):
        pattern = ".*".join(re.escape(piece) for piece in shown.split("..."))
        assert re.fullmatch(pattern, reply), f"{request}\ngets\n{reply}\nbridge/PROTOCOL.md shows\n{shown}"
    assert any(not json.loads(reply)["ok"] for reply in told), "no example of an error"
    return pairs


def check_defaults(engram, schema, requests):
    """Checks that omitting a field has the effect of its default."""
    of_forms = [(op, form, {name for name, each in form["properties"].items() if "default" in each})
                for op, form in forms(schema)]
    to_try = {(op, form["description"], name) for op, form, names in of_forms for name in names}
    tried = set()
    for place, request in enumerate(requests):
        request = json.loads(request) if isinstance(request, str) else request
        for op, form, names in of_forms:
            if op != request["op"] or not fits(form, request):
                continue
            for name in names - request.keys():
                default = form["properties"][name]["default"]
                plain, said = (replies(engram, requests[:place] + [one])[-1] for one in (request, {**request, name: default}))
                if json.loads(said)["ok"]:  # otherwise the fields exclude each other
                    assert plain == said, f"{request} with {name} = {default}:\n{said}\nwithout:\n{plain}"
                    tried.add((op, form["description"], name))
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
    with open(os.path.join(source, "bridge/schema/protocol.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    with open(os.path.join(source, "bridge/PROTOCOL.md"), encoding="utf-8") as file:
        text = file.read()
    pairs = check_examples(engram, text)
    check_defaults(engram, schema, [request for request, _ in pairs if json.loads(request)["op"] != "quit"] + MORE)
    check_client(engram, text)


main()
