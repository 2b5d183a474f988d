#!/bin/sh
# Tests `engram stream` with a file, a pipe and a socket as world: the NARS's operations come back, wrong
# lines, worlds that leave or do not read, a missing NARS, and the worlds of the examples.
. "$(dirname "$0")/lib.sh"
actor="/usr/bin/python3 $source/tests/program/fake_actor.py"

cat >world.nal <<'NAL'
// a world
noise. :|:
go_right. :|:
G! :|:
G. :|:
<a --> b>.
<a --> b>?
5
{"narsese": "x. :|:", "time": 40}
{"narsese": "late. :|:", "time": 38}
{"did": "^left"}
this is wrong
{"cycles": -1}
{"ask": "episodes", "term": "go_right", "id": 1}
NAL
expect 1 "$engram" stream world.nal --policy first --pass 1 --log session.jsonl --summary stats.json --report page.html -- $actor --log told
says out '"term":"^left"'
says out '"event":"answer"'
says out '"term":"go_right","episodes":[{'
says err 'world.nal:12:6: error: '
says err 'world.nal:13:1: error: /cycles'
says err '1 events were too late for the NARS'
says stats.json '"executed":1'
says page.html 'operations executed'
cp out first.out
cp told first.told
grep -q '^late' told && fail "a late event was reported as a present one"
rm told
expect 1 "$engram" stream --policy first --pass 1 -- $actor --log told <world.nal
cmp out first.out || fail "the same lines from a pipe give another output"
cmp told first.told || fail "the same lines from a pipe give other output"
expect 0 "$engram" replay session.jsonl
says out "$(sed -n 's/^engram: memory: sha256 //p' err | head -c 8)"

# A stream works with the embedded reasoner.
expect 1 "$engram" stream world.nal --system engram --operations ^left,^right
# Arguments after -- belong to the NARS, even if they look like options.
printf 'G! :|:\n' >goal.nal
expect 0 "$engram" stream goal.nal -- env -u NOBODY $actor
says out '"term":"^left"'
expect 0 sh -c "\"\$0\" stream -- env -u NOBODY $actor <goal.nal" "$engram"
says out '"term":"^left"'
expect 2 "$engram" stream --gate 3 -- $actor
says err '--gate'
expect 2 "$engram" stream --operations left -- $actor
says err 'expected different names such as ^left'
expect 2 "$engram" stream goal.nal --unix world.sock -- $actor
says err '--unix: '
# An option before FILE does not take it, and the command may have empty words.
expect 0 "$engram" stream --operations ^left,^right goal.nal -- sh -c "exec $actor" ''
says out '"term":"^left"'
# The old spelling works for one version, and prints a note.
# shellcheck disable=SC2016 # Markdown
note='engram: note: `engram attach --stream` is now `engram stream`; the next version rejects the old spelling'
for options in "--stream goal.nal" "--system ona --stream=goal.nal" "--stream - --policy predictive" --stream; do
  # shellcheck disable=SC2086 # several words
  expect 0 "$engram" attach $options -- $actor <goal.nal
  says out '"term":"^left"'
  says err "$note"
done
expect 0 "$engram" stream goal.nal -- $actor
grep -q "note:" err && fail "a note about the new spelling"
# Learnt state outlasts the stream, and another stream continues with it. ^right reaches G after go_right only.
{ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    printf '%s\n' 'go_right. :|:' 'G! :|:' 'G. :|:' 30 'dark. :|:' 'G! :|:' '{"did":"^right"}' 30
  done; } >lives.nal
expect 0 "$engram" stream lives.nal --learnt learnt.json -- $actor
says err 'learnt: <(&/,go_right,^right) =/> G>'
printf '%s\n' 'go_right. :|:' 1 '{"ask":"operations","goal":"G"}' >asked.nal
expect 0 "$engram" stream asked.nal --operations ^left,^right --learnt learnt.json -- $actor
says err 'learnt: <(&/,go_right,^right) =/> G>'
says out '"operation":"^right","success":0.9'
expect 2 "$engram" stream asked.nal --policy random --learnt learnt.json -- $actor
says err 'found random'
echo '{}' >other.json
expect 2 "$engram" stream asked.nal --learnt other.json -- $actor
says err 'other.json is not a learning file of a stream'
grep -q '^{}$' other.json || fail "a foreign file was written over"
expect 3 "$engram" stream asked.nal --learnt /nowhere/learnt.json -- $actor
# Options set the number of selected events.
expect 1 "$engram" stream world.nal --policy novelty --map argmax --pass 3 --temperature 0.1 --linger 2 --fade 0.2 -- $actor
says err ' 3 events passed on'
expect 2 "$engram" stream world.nal --map best -- $actor
says err "sparsemax"
expect 2 "$engram" stream missing.nal -- $actor
expect 2 "$engram" stream /dev/zero -- $actor
expect 3 "$engram" stream world.nal -- ./no-such-nars

# Worlds connect to the socket one after another. Each disconnects within a line, and the learnt state stays.
cat >worlds.py <<'PY'
import json, os, signal, socket, subprocess, sys, time
engram, actor = sys.argv[1], sys.argv[2:]
server = subprocess.Popen([engram, "stream", "--unix", "world.sock", "--operations", "^left,^right", "--"] + actor, stderr=open("socket.err", "w"))
for _ in range(500):
    if os.path.exists("world.sock"):
        break
    time.sleep(0.02)
assert os.stat("world.sock").st_mode & 0o777 == 0o600


# Sends lines, reads the reply, and sends the outcome.
def world(lines, then=b""):
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(20)
        peer.connect("world.sock")
        peer.sendall(lines)
        reply = json.loads(peer.makefile().readline())
        peer.sendall(then)
        return reply


assert world(b"go_right. :|:\nG! :|:\nhalf a li")["term"] == "^right"
for _ in range(20):
    assert world(b"go_right. :|:\nG! :|:\n", b"G. :|:\n30\n")["term"] == "^right"
    assert world(b"dark. :|:\nG! :|:\n", b'{"did":"^right"}\n25\n')["term"] == "^left"
stats = world(b'{"ask":"stats"}\n')["stats"]
assert stats["goals"] == 41 and stats["executed"] == 41 and stats["restarts"] == 0 and stats["wrong_lines"] == 1, stats
assert any(link.startswith("<(&/,go_right,^right) =/> G>.") for link in stats["learnt"]), stats
server.send_signal(signal.SIGTERM)
assert server.wait(timeout=20) == 130
assert not os.path.exists("world.sock")
PY
expect 0 python3 worlds.py "$engram" $actor

# A live world that does not read blocks nothing: all of its input is accepted.
cat >unread.py <<'PY'
import json, signal, subprocess, sys

command = [sys.argv[1], "stream", "--live", "--summary", "unread.json", "--"] + sys.argv[2:]
asking = '{"ask":"stats"}\n'
signal.alarm(240)  # ends a program that waits for ever


def start():
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def say_all(engram):
    for block in range(200):
        engram.stdin.write("".join("e%d. :|:\n" % (i % 500) for i in range(1000)) + "G! :|:\n" + asking)
    engram.stdin.close()


# A world that reads only at the end gets all output.
engram = start()
say_all(engram)
said = [json.loads(line) for line in engram.stdout]
assert engram.wait() == 0, engram.stderr.read()
stats = json.load(open("unread.json"))
assert stats["events"] == 200000 and stats["goals"] == 200, stats
assert sum("stats" in line for line in said) == 200
assert sum(line.get("event") == "executed" for line in said) == stats["executed"] > 0, stats

# It never reads: the program waits a while at the end, and reports the unread output.
engram = start()
say_all(engram)
assert engram.wait() == 3
error = engram.stderr.read()
assert "a live world must read standard output, but has not read the last " in error, error
assert "200000 events, 200 goals" in error and "memory: sha256 " in error, error

# A world that never reads and never stops sending: the program ends all the same.
engram = start()
try:
    while engram.poll() is None:
        engram.stdin.write(asking * 100)
except BrokenPipeError:
    pass
assert engram.wait() == 3
assert "has not read the last " in engram.stderr.read()

# If the world closes its input, the stream ends with exit code 3.
engram = start()
engram.stdout.close()
engram.stdin.write(asking)
engram.stdin.flush()
assert engram.wait() == 3
assert "standard output: Broken pipe" in engram.stderr.read()
PY
expect 0 python3 unread.py "$engram" $actor
code=0
printf '{"ask":"stats"}\n' | "$engram" stream --live -- $actor >/dev/full 2>err || code=$?
[ "$code" = 3 ] || fail "exit code $code of a live world's full disk"
says err "engram: error: standard output: No space left on device"

# The examples learn in their own worlds.
PATH=$(dirname "$engram"):$PATH
expect 0 python3 "$source/bridge/examples/grid_world.py" 60
says out 'food eaten: '
expect 0 python3 "$source/bridge/examples/cart_pole.py" 200
says out 'by the NARS: '
