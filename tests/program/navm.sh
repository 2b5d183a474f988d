#!/bin/sh
# Tests Engram as a NARS for tools that use NAVM: over standard input and output, and over a websocket.
. "$(dirname "$0")/lib.sh"
cat >navm.py <<'PY'
import json, subprocess, sys
import jsonschema
from websocket_client import Websocket

engram, source = sys.argv[1:3]
schema = json.load(open(source + "/bridge/schema/navm.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
valid = jsonschema.Draft202012Validator(schema)

def outputs(lines, *options):
    done = subprocess.run([engram, "serve", "--dialect", "navm", *options], input=lines.encode(), capture_output=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for output in found:
        valid.validate(output)
    return found

told = outputs("NSE <robin --> bird>. %1.0;0.9%\nNSE <swan --> bird>. %0.8;0.9%\nCYC 10\nVOL 0\n\nNSE <?1 --> bird>?\n"
               "NSE <bird --> ?1>?\nNSE <robin -->\nREM all\nREG left\nINF\nRES\nINF memory\nEXI bye\nNSE <a --> b>.\n")
assert [output["type"] for output in told] == ["IN", "IN", "INFO", "INFO", "IN", "ANSWER", "IN", "INFO", "ERROR", "COMMENT",
                                               "ERROR", "INFO", "INFO", "INFO", "TERMINATED"], told
assert told[5]["narsese"] == "<robin --> bird>. %1;0.9%" and "operation" not in told[5], told[5]
assert told[-2]["content"].startswith("0 concepts") and told[-1]["content"] == "bye", told
# Engram accepts its own output as input: an answer can be sent back unchanged.
again = outputs("NSE " + told[5]["narsese"] + "\nNSE <robin --> bird>?\n")
assert again[2]["narsese"] == told[5]["narsese"], again
assert outputs("x" * (17 << 20) + "\n7\n")[0]["type"] == "ERROR"

# The websocket of BabelNAR: several lines of a .nal file or commands per frame; each output frame is an array of one
# output.
server = subprocess.Popen([engram, "serve", "--dialect", "navm", "--websocket", "0"], stderr=subprocess.PIPE)
port = int(server.stderr.readline().decode().strip().rstrip("/").rsplit(":", 1)[1])
client = Websocket(port)
client.send(b"<robin --> bird>.\n'a comment\n5\n/<swan --> bird>.\n<?1 --> bird>?")
frames = [json.loads(client.receive()) for _ in range(6)]
for frame in frames:
    valid.validate(frame)
    assert len(frame) == 1
assert [frame[0]["type"] for frame in frames] == ["IN", "COMMENT", "INFO", "IN", "IN", "ANSWER"], frames
client.send(b"\n")
client.send(b"EXI")
assert json.loads(client.receive())[0]["type"] == "TERMINATED"
assert client.receive() is not None and client.opcode == 8 and client.code == 1000
server.terminate()
assert server.wait(20) == 0
print("ok")
PY
expect 0 python3 navm.py "$engram" "$source"
says out ok
