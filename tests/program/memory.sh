#!/bin/sh
# Tests --memory BYTES: work beyond the limit is refused, earlier knowledge stays, and the process uses no more memory.
. "$(dirname "$0")/lib.sh"
for command in "run" "recall" "serve" "attach"; do
  expect 0 "$engram" $command --help
  says out "--memory BYTES"
done
# Limits on the numbers of items, by the same names on the command line and in a spec.
printf '<a --> b>.\n<b --> c>.\n<c --> d>.\n<a --> d>?\n' >three.nal
for limit in concepts hebbian-links statements; do
  for command in recall serve attach; do
    expect 0 "$engram" $command --help
    says out "--max-$limit N"
  done
  expect 2 "$engram" recall three.nal --cue a --max-$limit 0
  expect 2 "$engram" recall three.nal --cue a --max-$limit 5000000000
  member=max_$(echo "$limit" | tr - _)
  expect 2 "$engram" run three.nal --set memory.$member=0
  says err "/memory/$member"
done
expect 1 "$engram" recall three.nal --cue a --max-statements 2
says err "three.nal:3:1: error: the memory is full: the limit is 2 statements"
expect 1 "$engram" recall three.nal --cue a --max-hebbian-links 1
says err "three.nal:2:1: error: the memory is full: the limit is 1 Hebbian links"
expect 1 "$engram" recall three.nal --cue a --max-concepts 4
says err "three.nal:2:1: error: the memory is full: the limit is 4 concepts"
expect 1 "$engram" run three.nal --set memory.max_statements=2 --out limited
says err "three.nal:3:1: error: the memory is full: the limit is 2 statements"
echo '{"id":1,"op":"hello"}' | "$engram" serve --max-statements 16000000 --max-concepts 7 >hello
grep -q '"statements":16000000' hello && grep -q '"concepts":7' hello || fail "serve has other limits: $(cat hello)"
# A server with forgetting accepts all input, and reports which items it forgot and why.
for policy in learnt recent frequent useful evidence random; do
  seq 100 | sed 's/.*/{"id":&,"op":"input","narsese":"<a& --> b>."}/' >said
  echo '{"id":101,"op":"stats"}' >>said
  "$engram" serve --max-statements 12 --forget $policy <said >told
  tail -n 1 told | grep -q "\"policy\":\"$policy\".*\"reason\":\"statements\"" ||
    fail "wrong statistics of a server that forgets by $policy: $(tail -n 1 told)"
  ! grep -q '"rejected":\[{' told || fail "a server that forgets refused: $(grep '"rejected":\[{' told | head -n 1)"
done
"$engram" serve --max-statements 12 <said | grep -q 'memory is full' || fail "a server forgot unasked"
expect 2 "$engram" serve --forget everything
expect 2 "$engram" recall x.nal --cue a --memory 12
expect 2 "$engram" recall x.nal --cue a --memory lots

python3 - <<'PY'
with open("many.nal", "w") as out:
    for i in range(60000):
        out.write(f"<subject{i} --> (*,thing{i},other{i % 997})>.\n")
PY
# Lines beyond the limit are refused with their places, and the others are learnt. A recall with enough memory works on
# them.
head -n 2000 many.nal >some.nal
expect 0 "$engram" recall some.nal --cue thing7 --memory 16M
says out "thing7"
expect 3 "$engram" recall many.nal --cue thing7 --memory 8M
says err "many.nal:"
says err "error: the memory is full"
expect 0 "$engram" recall many.nal --cue thing7 --memory 200M
# The file fits into the memory, but a recall on it would exceed the limit.
expect 3 "$engram" recall many.nal --cue thing7 --memory 46M
says err "the limit is"

cat >session.py <<'PY'
import json, os, subprocess, sys
from watching import memory

engram = sys.argv[1]
server = subprocess.Popen([engram, "serve", "--memory", "32M"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def ask(op, **fields):
    server.stdin.write(json.dumps({"id": 1, "op": op, **fields}).encode() + b"\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())

limit = 32 << 20
assert ask("hello")["result"]["limits"]["bytes"] == limit
assert ask("input", narsese="<tim --> cat>.")["result"]["accepted"] == 1
# Questions use no memory permanently, for any number of names.
for part in range(20):
    text = "\n".join(f"<never{part}x{i} --> heard{part}x{i}>?" for i in range(10000))
    assert ask("input", narsese=text)["result"]["accepted"] == 10000
stats = ask("stats")["result"]
assert stats["bytes"] < 300000, stats
# Statements use memory, up to the limit.
refused = 0
for part in range(12):
    text = "\n".join(f"<never{part}x{i} --> heard{part}x{i}>." for i in range(10000))
    refused += len(ask("input", narsese=text)["result"]["rejected"])
stats = ask("stats")["result"]
assert refused > 0 and limit / 3 < stats["bytes"] <= limit, (refused, stats)
peak = memory(server.pid, "VmHWM")
# The margin is for the program itself, and for texts of requests and replies.
assert "ENGRAM_SANITIZED" in os.environ or peak < limit + (80 << 20), peak
assert ask("reset")["ok"]
assert ask("input", narsese="<tim --> cat>.")["result"]["accepted"] == 1
assert ask("recall", cue="tim")["result"]["activations"], "tim is known"
server.stdin.close()
assert server.wait() == 0
PY
python3 session.py "$engram"

# A line above the limit is refused before memory is allocated, replies count, and freed memory is returned.
cat >resident.py <<'PY'
import json, os, subprocess, sys
from watching import forget_peak, memory

engram = sys.argv[1]
sanitized = "ENGRAM_SANITIZED" in os.environ
server = subprocess.Popen([engram, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def ask(code=None, **fields):
    """The peak memory of the server until its reply."""
    forget_peak(server.pid)
    before = memory(server.pid)
    server.stdin.write(json.dumps(fields).encode() + b"\n")
    server.stdin.flush()
    reply = json.loads(server.stdout.readline())
    assert (reply.get("error") or {}).get("code") == code, (fields["op"], code, str(reply)[:300])
    return 0 if sanitized else memory(server.pid, "VmHWM") - before

ask(op="input", narsese="<tim --> cat>.")
at_first = memory(server.pid, "RssAnon")
line = "<" + "a" * 16_000_000 + " --> b>."
nested = "<" + "(*," * 4_000_000 + " --> b>."
numbers = [[0.5] for _ in range(1000)]
for request in (
    dict(op="input", narsese=line), dict(op="recall", cue=line, code="parse_error"),
    dict(op="recall", cue=nested, code="parse_error"), dict(op="reason", question=line + "?", code="parse_error"),
    dict(op="recall", cue={line: 1}, code="parse_error"), dict(op="links", term=line, code="parse_error"),
    dict(op="allocate", of="operations", cue=line, capacity=1, code="parse_error"),
    dict(op="links", relation=line, code="parse_error")):
    most = ask(**request)
    assert most < 150 << 20, (request["op"], most)
# A million scores with a name and a number each; their text alone has 30 MB.
best = dict(op="scores", queries=numbers, keys=numbers, score="dot", precision="bf16", top=1000)
most = ask("bytes_exceeded", **best, limit={"bytes": 64 << 20})
assert most < 120 << 20, most
ask(**best)
if not sanitized:
    assert memory(server.pid, "RssAnon") < at_first + (40 << 20), (at_first, memory(server.pid, "RssAnon"))
server.stdin.close()
assert server.wait() == 0
PY
python3 resident.py "$engram"

# Incomplete lines and messages count too. A message that exceeds the limit is refused, and other
# clients continue.
cat >unfinished.py <<'PY'
import json, os, socket, subprocess, sys, time

from watching import memory
from websocket_client import Websocket

engram = sys.argv[1]
limit, places = 64 << 20, 16
half = b'{"op":"input","narsese":"' + b"x" * (limit // places - 4096)  # of the longest allowed message


class Lines:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect("s")
        self.file = self.socket.makefile("rb")

    def begin(self):
        self.socket.sendall(half)

    def end(self):
        self.socket.sendall(b'"}\n')
        return json.loads(self.file.readline())

    def ask(self, **fields):
        self.socket.sendall(json.dumps(fields).encode() + b"\n")
        return json.loads(self.file.readline())


class Messages:
    def __init__(self, port):
        self.websocket = Websocket(port)

    def begin(self):
        self.websocket.frame(1, half, last=False)

    def end(self):
        self.websocket.frame(0, b'"}')
        return json.loads(self.websocket.receive())

    def ask(self, **fields):
        self.websocket.send(json.dumps(fields).encode())
        return json.loads(self.websocket.receive())


def statements(begin, count):
    return "".join("<p%d --> q%d>.\n" % (i, i % 997) for i in range(begin, begin + count))


for shared in (True, False):
    server = subprocess.Popen([engram, "serve", "--unix", "s", "--websocket", "0", "--memory", str(limit)] + ["--shared"] * shared,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        server.stderr.readline()
        port = int(server.stderr.readline().split(b"127.0.0.1:")[1].split(b"/")[0])

        at_first = memory(server.pid)
        clients = [Lines() for _ in range(places // 2)] + [Messages(port) for _ in range(places // 2)]
        if shared:
            for begin in range(0, 10**6, 10_000):
                assert clients[0].ask(op="input", narsese=statements(begin, 10_000))["ok"]
                if clients[0].ask(op="stats")["result"]["bytes"] > limit * 5 // 8:
                    break
        else:
            for client in clients:
                assert client.ask(op="input", narsese=statements(0, 8_000))["ok"]
        known = clients[0].ask(op="stats")["result"]["statements"]
        for client in clients[1:]:
            client.begin()
        time.sleep(0.5)
        assert clients[0].ask(op="stats")["ok"]
        peak = memory(server.pid, "VmHWM")
        if "ENGRAM_SANITIZED" not in os.environ:
            assert peak < at_first + limit + (24 << 20), (shared, at_first, peak)
        replies = [client.end() for client in clients[1:]]
        refused = [reply for reply in replies if not reply["ok"]]
        assert refused and all(reply["error"]["code"] == "bytes_exceeded" for reply in refused), replies
        # Clients with a refused request can continue, and the bytes of incomplete requests are free again.
        for client in clients:
            assert client.ask(op="stats")["result"]["statements"] == known
        if shared:
            clients[1].begin()
            assert clients[1].end()["ok"]
    finally:
        server.terminate()
        server.wait()
    print("shared" if shared else "own", "%.1f MB above idle, %d of %d refused" % ((peak - at_first) / 1e6, len(refused), len(replies)))
PY
expect 0 python3 unfinished.py "$engram"
cat out

# Every kernel gets a request of almost 16 MB, mostly numbers. The matrices that the server builds from the numbers count
# against its limit.
cat >kernels.py <<'PY'
import json, os, subprocess, sys, time
from watching import forget_peak, memory

engram = sys.argv[1]
limit, most_bytes = 160 << 20, (16 << 20) - 64
server = subprocess.Popen([engram, "serve", "--memory", str(limit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def numbers(count, number="0.500000"):
    return "[" + ",".join([number] * count) + "]"


def matrix(rows, columns, number="0.500000"):
    return "[" + ",".join([numbers(columns, number)] * rows) + "]"


many, tall, spins = 1_700_000, matrix(800_000, 1), matrix(75_000, 20, "1")
half = matrix(400_000, 1)
requests = {
    "scores": dict(queries="[[1]]", keys=tall, score='"dot"'),
    "attend": dict(queries="[[1]]", keys=half, values=half),
    "multihead": dict(query=matrix(1, 600), key=matrix(1, 600), value=matrix(1, 600), num_heads="1",
                      in_proj_weight=matrix(1800, 600), in_proj_bias="[]", out_proj_weight=matrix(600, 600), out_proj_bias="[]"),
    "universal": dict(keys=half, values=half, query="[1]", similarity='"dot"', separation='"softmax"'),
    "pagerank": dict(n="1000", edges="[" + ",".join("[%d,%d,1]" % (i % 1000, i // 1000) for i in range(400_000)) + "]",
                     directed="true", damping="0.5", restart=numbers(1000, "0.001"), steps="2"),
    "continuous": dict(alpha="2", mu="0", sigma_sq="1", t=numbers(many)),
    "continuous_context": dict(values=matrix(1, many), scores="[0.5]", times="[0.5]", alpha="2",
                               ridge="0.1", gaussian_basis='{"mu":[0.5],"sigma":[1]}', min_sigma_sq="0.01"),
    "positional": dict(n="300", edges="[" + ",".join("[%d,%d,1]" % (i % 300, i // 300 % 300) for i in range(400_000)) + "]", steps="2"),
    "map": dict(scores=numbers(900_000, "0.50000000000000"), map='"softmax"'),
    "sample": dict(scores="[0.5,1]", temperature="1", uniforms=numbers(many)),
    "weights": dict(patterns=spins, rule='"hebb"'),
    "hebbian": dict(rule='"stdp_pair"', dt=numbers(many), a_plus="1", a_minus="1", tau_plus="1", tau_minus="1"),
    "hopfield": dict(patterns=spins, rule='"hebb"', cue=numbers(20, "1"), mode='"sync"'),
    "dense": dict(patterns=spins, cue=numbers(20, "1"), separation='"polynomial"'),
    "modern": dict(patterns=spins, cue=numbers(20), beta="1"),
}
known = json.load(open(sys.argv[2]))["$defs"]["requests"]
assert set(requests) <= set(known), set(requests) - set(known)
for op, fields in requests.items():
    text = "{" + ",".join('"%s":%s' % (name, value) for name, value in dict(fields, op='"%s"' % op).items()) + "}"
    assert len(text) <= most_bytes, (op, len(text))
    before = memory(server.pid)
    forget_peak(server.pid)
    server.stdin.write((" " * (most_bytes - len(text)) + text + "\n").encode())
    server.stdin.flush()
    reply = json.loads(server.stdout.readline())
    code = "ok" if reply["ok"] else reply["error"]["code"]
    assert code in ("ok", "bytes_exceeded", "limit_exceeded", "work_exceeded"), (op, reply["error"])
    peak = memory(server.pid, "VmHWM") - before
    print("%-20s %10d bytes, %6.1f MB above idle, %s" % (op, most_bytes, peak / 1e6, code), flush=True)
    assert "ENGRAM_SANITIZED" in os.environ or peak < limit + (32 << 20), (op, peak)
    time.sleep(0.05)
server.stdin.close()
assert server.wait() == 0
PY
expect 0 python3 kernels.py "$engram" "$source/bridge/schema/protocol.schema.json"
cat out
