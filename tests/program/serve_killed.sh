#!/bin/sh
# Tests `engram serve --durable` under kill -9: at 200 random moments while it writes journals and snapshots, and at
# each system call that writes. All acknowledged input must survive, and the memory must equal byte for byte the
# memory of an undisturbed session. ENGRAM_KILLS=2000 ENGRAM_KILL_SEED=2 sets the number of kills and their seed.
. "$(dirname "$0")/lib.sh"
cat >killed.py <<'PY'
import json, os, random, re, shutil, signal, socket, subprocess, sys, threading, time

engram, kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)

class Server:
    """A session over standard input and output. Requests are sent ahead of their replies."""

    def __init__(self, *arguments, before=()):
        self.process = subprocess.Popen([*before, engram, "serve", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise BrokenPipeError
        reply = json.loads(line)
        assert reply["ok"], (request, reply)
        return reply["result"]

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

def name():
    return "n%d" % rng.randrange(200)

def some_input(lines):
    """Random lines, and the number of their cycles."""
    text, cycles = [], 0
    for _ in range(lines):
        kind = rng.randrange(12)
        if kind == 0:
            text.append("3")
            cycles += 3
            continue
        text.append(f"<{name()} --> {name()}>. %0.{rng.randrange(10)};0.{rng.randrange(1, 10)}%" if kind < 8 else
                    f"<(*,{name()},{name()}) --> r{rng.randrange(5)}>." if kind < 10 else
                    f"<<$x --> {name()}> ==> <$x --> {name()}>>." if kind < 11 else f"<{name()} --> ?x>?")
        cycles += 1
    return "\n".join(text), cycles

def memory_of(server, path, form="binary"):
    server.ask(op="snapshot", path=path, form=form)
    return open(path, "rb").read()

# --- at random times -------------------------------------------------------------------------------------

at_work = unacknowledged = came_through = 0  # kills during a snapshot, kills between sync and reply

for kill in range(kills):
    if kill % 25 == 0:  # start with a small memory, so that snapshots are frequent
        folder = f"kept-{kill}"
        never_killed = Server("--decay", "0.01")
        inputs = [some_input(rng.choice([1, 2, 30])) for _ in range(2500)]
        place, behind = {0: 0}, 0  # the number of inputs up to each cycle
        for number, (_, cycles) in enumerate(inputs):
            behind += cycles
            place[behind] = number + 1
        done = 0
    server = Server("--decay", "0.01", "--durable", folder, "--compact-at", rng.choice(["0", "1M"]) if kill % 2 == 0 else "0")
    acknowledged = done

    def talk():
        global acknowledged
        def send():
            try:
                for text, _ in inputs[done:]:
                    server.process.stdin.write(json.dumps({"op": "input", "narsese": text}).encode() + b"\n")
                    server.process.stdin.flush()
            except OSError:
                pass
        sender = threading.Thread(target=send)
        sender.start()
        for line in server.process.stdout:
            if line.endswith(b"\n"):
                assert json.loads(line)["ok"], line
                acknowledged += 1
        sender.join()

    client = threading.Thread(target=talk)
    client.start()
    time.sleep(rng.uniform(0, 0.06))
    until = time.time() + 0.2 * (kill % 2)  # every second kill waits until a snapshot is being written
    while time.time() < until and not (os.path.isdir(folder) and any(f.endswith(".part") for f in os.listdir(folder))):
        time.sleep(0.0002)  # a busy loop would use the server's processor
    server.process.kill()
    client.join()
    server.process.wait()
    left = os.listdir(folder) if os.path.isdir(folder) else []
    numbers = lambda kind: [f for f in left if re.fullmatch(kind + r"-\d+\.engram", f)]
    at_work += any(f.endswith(".part") for f in left) or len(numbers("memory")) != 1 or len(numbers("journal")) != 1

    again = Server("--decay", "0.01", "--durable", folder)  # it may have been killed before the folder existed
    cycles = again.ask(op="stats")["cycles"]
    assert cycles in place, f"kill {kill}: cycle {cycles} is within an input"
    there = place[cycles]
    assert there >= acknowledged, f"kill {kill}: {acknowledged} inputs were acknowledged, {there} are there"
    unacknowledged += there > acknowledged
    for text, _ in inputs[done:there]:
        never_killed.ask(op="input", narsese=text)
    came_through += there - done
    done = there
    assert memory_of(again, "again") == memory_of(never_killed, "whole"), f"kill {kill}: it is another memory"
    again.end()
    if kill % 25 == 24 or kill == kills - 1:
        never_killed.end()
assert came_through > kills, f"{came_through} inputs came through: the kills come too early for a test"
assert at_work > kills // 10, f"{at_work} kills found a snapshot at work"
print(f"{kills} kills, {came_through} inputs; {at_work} while a snapshot was written, {unacknowledged} between disk and reply")

# --- at each system call -----------------------------------------------------------------------------------

script = [dict(op="input", narsese="<a --> b>.\n<b --> c>. %0.4;0.5%"), dict(op="allocate", cue="a", capacity=3, of="concepts"),
          dict(op="input", narsese="<c --> d>.\n5"), dict(op="snapshot", path="some.engram", form="binary"),
          dict(op="reset"), dict(op="input", narsese="<e --> f>."), dict(op="restore", path="some.engram"),
          dict(op="allocate", cue="b", capacity=3, of="statements"), dict(op="input", narsese="<a --> b>.\n<a --> ?x>?")]
def script_of(server):
    states = [memory_of(server, "state")]
    for request in script:
        server.ask(**request)
        states.append(memory_of(server, "state"))
    return states
whole = Server()
states = script_of(whole)
whole.end()
traces = subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode == 0 if shutil.which("strace") else False
at_calls = 0
for call in ["write", "fsync", "fdatasync", "rename", "unlink", "ftruncate", "openat"] if traces else []:
    for number in range(1, 1000):  # strace counts the calls of each thread
        shutil.rmtree("calls", ignore_errors=True)
        server = Server("--durable", "calls", "--compact-at", "0",
                        before=["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}"])
        acknowledged = 0
        try:
            for request in script:
                server.ask(**request)
                acknowledged += 1
            server.end()
        except (OSError, AssertionError):
            pass
        if server.process.wait() == 0:
            break  # no more calls
        at_calls += 1
        again = Server("--durable", "calls")
        state = memory_of(again, "state")
        again.end()
        assert state in states[acknowledged:acknowledged + 2], f"{call} {number}: after {acknowledged} requests it is another memory"
assert not traces or at_calls > 60, at_calls
# Power failures: no reply may be sent before its data is synced.
if traces:
    shutil.rmtree("calls")
    server = Server("--durable", "calls", "--compact-at", "0", before=["strace", "-f", "-y", "-o", "calls.txt", "-e", "trace=write,fsync,fdatasync,rename"])
    for request in script:
        server.ask(**request)
    server.end()
    here, dirty, replies = os.getcwd(), set(), 0
    for line in open("calls.txt"):
        call = re.match(r"\d+ +(\w+)\((\d+)<([^>]*)>", line)
        if call and call[1] == "write" and call[3].startswith(here + "/calls/journal"):
            dirty.add(call[3])
        elif call and call[1] in ("fsync", "fdatasync"):
            dirty.discard(call[3])
        elif call and call[1] == "write" and call[2] == "1":
            replies += 1
            assert not dirty, (line, dirty)
    assert replies == len(script), replies
print(f"killed at {at_calls} calls" if traces else "strace is not there, or may not trace: not killed at calls")

# --- several clients of one memory -------------------------------------------------------------------------

said = set()
for kill in range(max(10, kills // 20)):
    server = Server("--durable", "shared", "--unix", "socket", "--shared", "--compact-at", "0")
    assert b"listening" in server.process.stderr.readline()

    def talk(client):
        talker = socket.socket(socket.AF_UNIX)
        try:
            talker.connect("socket")
            lines = talker.makefile("rb")
            for i in range(100000):
                text = f"<c{client} --> k{kill}x{i}>."
                talker.sendall(json.dumps({"op": "input", "narsese": text}).encode() + b"\n")
                line = lines.readline()
                if not line.endswith(b"\n"):
                    break
                assert json.loads(line)["ok"], line
                said.add(text)
        except OSError:
            pass
        talker.close()

    clients = [threading.Thread(target=talk, args=(client,)) for client in range(3)]
    for client in clients:
        client.start()
    time.sleep(rng.uniform(0.02, 0.1))
    server.process.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
    for client in clients:
        client.join()
    server.process.wait()
    again = Server("--durable", "shared")
    kept = {json.loads(line)["statement"] for line in memory_of(again, "shared.json", "json").splitlines()[1:] if line.startswith(b'{"statement"')}
    again.end()
    assert said <= kept, f"kill {kill}: lost {sorted(said - kept)[:5]}"
print(f"{len(said)} statements of clients at the same time")

# --- changed files -------------------------------------------------------------------------------------------

def refused(folder, *words, code=3):
    found = subprocess.run([engram, "serve", "--durable", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert found.returncode == code and all(word in found.stderr for word in words), (folder, found)

def changed(name, change):
    shutil.rmtree("changed", ignore_errors=True)
    shutil.copytree("kept-0", "changed")
    # The latest one, because a kill during a snapshot leaves several journals.
    file = max((f for f in os.listdir("changed") if f.startswith(name + "-")), key=lambda f: int(f.split("-")[1].split(".")[0]))
    data = bytearray(open("changed/" + file, "rb").read())
    open("changed/" + file, "wb").write(change(data))
    return "changed/" + file

end = Server("--durable", "kept-0")
end.ask(op="input", narsese="<last --> one>.")
end.ask(op="input", narsese="<very_last --> one>.")
end.end()
for _ in range(10):
    def flip(data):
        data[rng.randrange(1, len(data))] ^= 1 << rng.randrange(8)
        return data
    refused("changed", changed("memory", flip), "byte ")
    refused("changed", changed("journal", flip), "byte ")
refused("changed", changed("memory", lambda data: data[:-1]), "cut or lengthened")
refused("changed", changed("memory", lambda data: data[:8] + b"\2" + data[9:]), "another version (2), known is 1")
refused("changed", changed("journal", lambda data: data[:8] + b"\2" + data[9:]), "another version (2), known is 1")
refused("changed", changed("journal", lambda data: b"PK\3\4" + data[4:]), "no journal of Engram")
changed("journal", lambda data: data[:-1])
cut = Server("--durable", "changed")
text = memory_of(cut, "cut.json", "json")
assert b"<last --> one>" in text and b"very_last" not in text
cut.end()
os.mkdir("photos")
open("photos/cat.jpg", "w").close()
refused("photos", "found cat.jpg")
assert os.listdir("photos") == ["cat.jpg"]
first = Server("--durable", "kept-0")
first.ask(op="stats")
refused("kept-0", "another process")
first.end()
subprocess.run([engram, "serve", "--durable", "kept-0", "--unix", "s"], stderr=open("err", "w"))
assert "--shared" in open("err").read()
PY
expect 0 python3 killed.py "$engram" "${ENGRAM_KILLS:-200}" "${ENGRAM_KILL_SEED:-1}"
cat out
