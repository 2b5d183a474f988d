# SPDX-License-Identifier: MIT
"""Sends each operation of the schema with expensive arguments and measures from outside: how long it takes under a
limit of 300 ms and after its client has left, how long another client waits, and how much memory the server uses.

The requests are generated from the schema, so new operations are included. The assertions allow seconds, because the
machine may be busy; the table has milliseconds."""
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import time
from watching import forget_peak, memory, processor_seconds

engram, schema_path = sys.argv[1:3]
large = "--large" in sys.argv  # for the table: the largest allowed requests
defs = json.load(open(schema_path))["$defs"]
sanitized = "ENGRAM_SANITIZED" in os.environ
most_seconds = 60 if sanitized else 12
limit = 400 << 20  # memory limit of the server
values = 1_500_000 if large else 60_000  # numbers in a request
counts = [1_000_000_000, 1_000_000, 10_000, 300, 20]  # most expensive first
draw = random.Random(7)


# --- requests -------------------------------------------------------------------------------------------------

def resolved(schema):
    while "$ref" in schema:
        place = defs
        for part in schema["$ref"].split("/")[2:]:
            place = place[part]
        schema = {**place, **{k: v for k, v in schema.items() if k != "$ref"}}
    return schema


def choices(schema):
    """The alternative schemas of a value."""
    schema = resolved(schema)
    for several in ("anyOf", "oneOf"):
        if several in schema and "properties" not in schema:
            return [one for each in schema[several] for one in choices(each)]
    if "enum" in schema:
        return [{"const": value} for value in schema["enum"]]
    return [schema]


def depth(schema):
    """The nesting of lists: 1 for a vector, 2 for a matrix."""
    schema = resolved(schema)
    return 1 + depth(schema.get("items", {})) if schema.get("type") == "array" else 0


# Lengths of arrays that the schema does not express.
rows = {"in_proj_weight": 3, "in_proj_bias": 3}


def value(name, schema, n, count):
    schema = resolved(schema)
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if name == "edges":
        return [[draw.randrange(n), draw.randrange(n), 1.0] for _ in range(4 * n)]
    if name == "order":
        return list(range(n))
    if name in ("sites", "indices"):
        return [draw.randrange(n) for _ in range(n)]
    if name in ("n", "num_heads") and kind == "integer":
        return n if name == "n" else 1
    if kind == "array":
        entry = resolved(schema["items"])
        levels = depth(schema)
        if levels == 2:
            inner = resolved(entry["items"])
            return [[number(name, inner) for _ in range(n)] for _ in range(n * rows.get(name, 1))]
        if entry.get("type") == "string":
            return methods if name == "methods" else ["tim"]
        return [number(name, entry) for _ in range(n * rows.get(name, 1))]
    if kind == "object":
        needed = schema.get("required", schema.get("properties", {}))
        return {key: value(key, schema["properties"][key], n, count) for key in needed}
    if kind == "integer":
        return count
    if kind == "boolean":
        return True
    if kind == "string" or kind is None:
        return texts.get(name, "tim")
    return number(name, schema)


def number(name, schema):
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if name in ("cue", "w0", "patterns", "activity"):
        return draw.choice([1.0, -1.0]) if name in ("cue", "patterns") else draw.uniform(-1, 1)
    most = schema.get("maximum", schema.get("exclusiveMaximum", 1))
    if name == "damping":
        return most
    least = max(schema.get("minimum", 0), 0.05)
    return round(draw.uniform(least, min(most, least + 0.8)), 3)


def alternatives(schema):
    """An operation's fields: one schema for each form of the request."""
    schema = resolved(schema)
    if "oneOf" not in schema:
        return [schema]
    if "properties" not in schema:
        return schema["oneOf"]
    return [{**schema, "required": schema["required"] + one.get("required", []),
             "properties": {**schema["properties"], **one.get("properties", {})}} for one in schema["oneOf"]]


def requests_of(schema):
    """Yields requests of each form: required fields with all counts large, each count at its minimum, and each choice
    of each field."""
    for form in alternatives(schema):
        known = {k: v for k, v in form["properties"].items() if k not in ("id", "limit")}
        needed = [k for k in known if k in form["required"] or k == "op"]
        counted = [k for k in known if resolved(known[k]).get("type") == "integer"]
        base = {k: choices(known[k])[0] for k in dict.fromkeys(needed + counted)}
        yield base
        for name in counted:  # the minimum of one, such as steps between repetitions, and the maximum of all others
            yield {**base, name: {"const": resolved(known[name]).get("minimum", 1)}}
        for name in known:
            for one in choices(known[name])[0 if name not in base else 1:]:
                yield {**base, name: one}


def cells(fields):
    return sum(rows.get(k, 1) for k, s in fields.items() if depth(s) == 2) or 0


def request_of(fields, count):
    squares = cells(fields)
    n = int((values / squares) ** 0.5) if squares else 20_000 if not large else 200_000
    if "edges" in fields:
        n = min(n, 700 if "steps" in fields and "damping" not in fields else 20_000)
    if "gaussian_basis" in fields and squares:
        n = min(n, 1000)
    return {name: value(name, schema, n, count) for name, schema in fields.items()}


# --- a server and its clients -----------------------------------------------------------------------------------

class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10 * most_seconds)
        self.socket.connect("s")
        self.file = self.socket.makefile("rb")

    def ask(self, line):
        """The reply, and the seconds since the whole request was sent."""
        self.socket.sendall(line)
        begin = time.monotonic()
        reply = self.file.readline()
        return json.loads(reply), time.monotonic() - begin

    def leave(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.file.close()
        self.socket.close()


class Second:
    """A client in its own process. It repeats one request and records the longest time that it waited for a reply."""

    def __init__(self, line, pause):
        self.longest, self.ended = multiprocessing.Value("d", 0.0), multiprocessing.Event()
        self.process = multiprocessing.Process(target=self.run, args=(line, pause), daemon=True)
        self.process.start()

    def run(self, line, pause):
        client = Client()
        while not self.ended.is_set():
            reply, seconds = client.ask(line)
            assert reply["ok"], reply
            self.longest.value = max(self.longest.value, seconds)
            time.sleep(pause)

    def taken(self):
        assert self.process.is_alive(), "the second client has failed"
        longest, self.longest.value = self.longest.value, 0.0
        return longest

    def end(self):
        self.ended.set()
        self.process.join()


def line_of(fields, **more):
    return json.dumps({**fields, **more}, separators=(",", ":")).encode() + b"\n"


def seconds_until_idle():
    """Waits until the server uses less than a tenth of a processor, apart from `hello` requests."""
    begin = quiet_since = time.monotonic()
    before = processor_seconds(server.pid)
    while time.monotonic() - quiet_since < 0.25:
        time.sleep(0.05)
        now = processor_seconds(server.pid)
        if now > before + 0.02:
            quiet_since = time.monotonic()
        before = now
        assert time.monotonic() - begin < 10 * most_seconds, "it still works for a client that has left"
    return quiet_since - begin


knowledge = "".join("<p%d --> q%d>.\n<q%d --> hub>.\n" % (i, i % 997, i % 997) for i in range(30_000 if large else 4_000))
texts = {
    "narsese": "".join("<n%d --> m%d>.\n" % (i, i % 997) for i in range(400_000 if large else 30_000)),
    "cue": "<p1 --> hub>", "question": "<p1 --> hub>?", "path": "kept", "term": "hub", "method": "proof_attention",
    "relation": "goes_with", "dialect": "auto", "eligibility": "20",
}
server = subprocess.Popen([engram, "serve", "--shared", "--files", "--unix", "s", "--memory", str(limit)],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
try:
    server.stderr.readline()
    client, second = Client(), Second(b'{"op":"hello"}\n', 0.02)
    hello = client.ask(b'{"op":"hello"}\n')[0]["result"]
    methods = hello["methods"]
    most_bytes = hello["limits"]["request_bytes"]

    def teach():
        assert client.ask(b'{"op":"reset"}\n')[0]["ok"]
        assert client.ask(line_of({"op": "input", "narsese": knowledge}))[0]["ok"]
        assert client.ask(b'{"op":"snapshot","path":"kept"}\n')[0]["ok"]

    teach()
    at_first, anonymous_at_first = memory(server.pid), memory(server.pid, "RssAnon")
    print("%-20s %8s %8s %8s %9s   %s" % ("op", "limited", "left", "hello", "peak MB", "longest by"))
    refused = {}
    for op, schema in defs["requests"].items():
        if op == "quit":
            continue  # runs in the client
        worst = {"limited": 0, "left": 0, "hello": 0, "peak": 0, "by": ""}
        answered = 0
        variants = list(requests_of(schema))
        if "method" in alternatives(schema)[0]["properties"]:
            some = methods if op == "recall" or large else draw.sample(methods, 6)
            variants += [{**variants[0], "method": {"const": name}} for name in some]
        for fields in variants:
            for count in counts:
                request = request_of(fields, count)
                line = line_of(request, limit={"milliseconds": 300})
                if len(line) > most_bytes:
                    break
                forget_peak(server.pid)
                reply, seconds = client.ask(line)
                if reply["ok"] or reply["error"]["code"] in ("work_exceeded", "bytes_exceeded"):
                    break
                refused[op] = (reply["error"], {k: str(v)[:40] for k, v in request.items()})
            else:
                continue
            if len(line) > most_bytes:
                continue
            answered += 1
            changed = op in ("reset", "restore", "input")
            if seconds >= worst["limited"]:
                worst["by"] = " ".join("%s=%s" % (k, str(v)[:24]) for k, v in request.items()
                                       if k != "op" and not isinstance(v, (list, dict)) and len(str(v)) < 60)
            worst["limited"] = max(worst["limited"], seconds)
            # A client sends the request without a limit and disconnects.
            if seconds > 0.2 or not reply["ok"]:
                leaving = Client()
                leaving.socket.sendall(line_of(request))
                time.sleep(0.3)
                leaving.leave()
                worst["left"] = max(worst["left"], seconds_until_idle())
            worst["hello"] = max(worst["hello"], second.taken())
            worst["peak"] = max(worst["peak"], memory(server.pid, "VmHWM"))
            if changed:
                teach()
        assert answered, "no request is taken of %s: %s" % (op, refused.get(op))
        print("%-20s %8.0f %8.0f %8.0f %9.0f   %s" % (op, 1000 * worst["limited"], 1000 * worst["left"],
              1000 * worst["hello"], (worst["peak"] - at_first) / 1e6, worst["by"]), flush=True)
        for what in ("limited", "left", "hello"):
            assert worst[what] < most_seconds, (op, what, worst)
        # Texts of requests and replies are copied by sockets, and freed memory may not be returned yet.
        if not sanitized:
            assert worst["peak"] < at_first + limit + (64 << 20), (op, worst)
    # Clients in all slots send endless requests and leave.
    places = [Client() for _ in range(14)]
    for one in places:
        one.socket.sendall(line_of({"op": "reason", "question": "<p1 --> hub>?", "steps": 1_000_000_000, "refresh": 1}))
    time.sleep(1)
    for one in places:
        one.leave()
    print("%-20s %8s %8.0f" % ("14 that leave", "", 1000 * seconds_until_idle()))
    begin = time.monotonic()
    for one in [Client() for _ in range(14)]:
        assert one.ask(b'{"op":"hello"}\n')[0]["ok"]
        one.leave()
    assert time.monotonic() - begin < most_seconds

    # An allocation that is stored, while another client keeps changing the memory: one time limit covers all retries.
    writer, longest = Second(b'{"op":"input","narsese":"<p1 --> q1>."}\n', 0), 0.0
    for cycles in (100, 1000, 3000, 10_000):
        reply, seconds = client.ask(line_of({"op": "allocate", "cue": "hub", "of": "concepts", "capacity": 5,
                                             "method": "ecan", "options": {"cycles": cycles}},
                                            limit={"milliseconds": 1500}))
        assert reply["ok"] or reply["error"]["code"] == "work_exceeded", reply
        longest = max(longest, seconds)
    waited = writer.taken()
    writer.end()
    print("%-20s %8.0f %8s %8.0f" % ("allocate, a writer", 1000 * longest, "", 1000 * waited))
    assert longest < most_seconds and waited < most_seconds
    time.sleep(0.5)
    last = memory(server.pid, "RssAnon")
    print("resident at first and last: %.0f MB, %.0f MB" % (anonymous_at_first / 1e6, last / 1e6))
    if not sanitized:
        assert last < anonymous_at_first + (60 << 20), (anonymous_at_first, last)
finally:
    second.end()
    server.terminate()
    server.wait()
