#!/bin/sh
# Soak test: a live world with new names at full rate, and a NARS that is killed at random moments. The stream
# continues, all events are counted, memory stays bounded, and all processes end. STREAM_SOAK=3600 sets the seconds
# (default: 6), STREAM_SOAK_RATE the events per second (10,000), STREAM_SOAK_SEED the seed.
. "$(dirname "$0")/lib.sh"
cat >soak.py <<'PY'
import json, os, random, signal, subprocess, sys, threading, time
from watching import memory, processes_with

engram, source, seconds, rate, seed = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
rng = random.Random(seed)
least_kills = min(200, max(5, int(seconds / 2)))
tag = os.path.join(os.getcwd(), "null")  # a mark in the command line of this NARS only
os.symlink("/dev/null", tag)
stream = subprocess.Popen(
    [engram, "stream", "--live", "--memory", "64M", "--max-statements", "20000", "--episodes", "5000",
     "--max-kinds", "10000", "--operations", "^left,^right", "--back-off", "1", "--max-restarts", "100", "--patience", "5000",
     "--", sys.executable, source + "/tests/program/fake_actor.py", "--log", tag],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open("soak.err", "w"))
executed, told, gone = [], {}, threading.Event()


def listen():
    for line in stream.stdout:
        event = json.loads(line)
        if "stats" in event:
            told[event["id"]] = event["stats"]
        elif event["event"] == "executed":
            executed.append(event["term"])
    gone.set()


def resident():
    return memory(stream.pid)


def nars():
    """The process ids of the running NARS."""
    words = {pid: text.decode().split("\0") for pid, text in processes_with(tag.encode()).items()}
    return [pid for pid in words if words[pid][0] == sys.executable and tag in words[pid]]


threading.Thread(target=listen, daemon=True).start()
began, sent, goals, kills, worst, sizes, fresh = time.time(), 0, 0, 0, 0.0, [], 0
next_kill = began + rng.uniform(0.1, 2 * seconds / (least_kills * 2))
while time.time() - began < seconds or kills < least_kills:
    step = []
    for _ in range(100):
        fresh += 1
        step.append("n%d. :|:" % fresh if rng.random() < 0.5 else "e%d. :|:" % rng.randrange(1000))
    step += ["go_right. :|:", "G! :|:", "G. :|:", "1"]
    before = time.time()
    stream.stdin.write(("\n".join(step) + "\n").encode())
    stream.stdin.flush()
    worst = max(worst, time.time() - before)
    sent, goals = sent + 102, goals + 1
    if time.time() >= next_kill:
        next_kill = time.time() + rng.uniform(0, 2 * seconds / (least_kills * 1.5))
        try:
            lives = nars()
            for child in lives:
                os.kill(child, signal.SIGKILL)
            kills += bool(lives)
        except ProcessLookupError:
            pass
    if goals % 50 == 0:
        sizes.append(resident())
    ahead = sent / rate - (time.time() - began)
    if ahead > 0:
        time.sleep(ahead)
stream.stdin.write(b'{"ask":"stats","id":"end"}\n')
stream.stdin.close()
assert gone.wait(60), "the stream does not end"
assert stream.wait(timeout=10) == 0, (stream.returncode, open("soak.err").read()[-2000:])
stats, took = told["end"], time.time() - began
assert stats["events"] == sent and stats["goals"] == goals, (stats["events"], sent, stats["goals"], goals)
there = sum(stats[name] for name in ["passed", "not_passed", "dropped", "late", "far", "refused", "crowded_out"])
assert there >= sent * 0.999, (there, sent, stats)  # the last cycles may still be pending
assert stats["restarts"] >= kills * 0.8, (stats["restarts"], kills)  # two kills may have hit one process
assert len(executed) > goals / 4 and set(executed) <= {"^left", "^right"}, (len(executed), goals)
assert stats["memory"]["forgotten"]["statements"] > 0, stats["memory"]
half = len(sizes) // 2
if not os.environ.get("ENGRAM_SANITIZED"):
    assert max(sizes) <= 80e6, ("more memory than the sum of its limits", max(sizes))  # after an hour: 56 MB
    if seconds >= 60:  # in less time a busy machine may not have filled its buffers
        assert max(sizes[half:]) <= max(sizes[:half]) * 1.1 + (4 << 20), ("memory grows", max(sizes[:half]), max(sizes[half:]))
print("%d events in %.1f s (%.0f a second), %d kills, %d operations of %d goals, longest wait of the world %.3f s, %.0f MB: ok"
      % (sent, took, sent / took, kills, len(executed), goals, worst, max(sizes) / 1e6))
PY
expect 0 python3 soak.py "$engram" "$source" "${STREAM_SOAK:-6}" "${STREAM_SOAK_RATE:-10000}" "${STREAM_SOAK_SEED:-1}"
cat out
