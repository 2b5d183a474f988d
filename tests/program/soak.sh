#!/bin/sh
# Soak test of `engram attach` with many random faults. No accepted input may be lost or count twice. Every
# process, zombie and file descriptor must be gone at the end. SOAK=1000 sets the number of faults (default: 30), SOAK_SEED=N their seed.
. "$(dirname "$0")/lib.sh"
cat >soak.py <<'PY'
import collections, json, os, random, signal, subprocess, sys, threading, time
from watching import processes_with

engram, source, wanted, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
fake = [sys.executable, source + "/tests/program/fake_nars.py"]
patience = "3000" if os.environ.get("ENGRAM_SANITIZED") else "1500"

# Pairs of premises with one conclusion each, so that the derivations do not depend on the order of premises.
lines = ["// A session"]
for i in range(12):
    lines += ["<a%d --> b%d>." % (i, i), "<b%d --> c%d>." % (i, i)]
    if i % 3 == 2:
        lines += ["5", "<a%d --> ?1>?" % (i - 1),
                  "//expected: Answer: <a%d --> c%d>. Truth: frequency=1.0, confidence=0.81" % (i - 1, i - 1)]
lines += ["<a%d --> ?1>?" % i for i in range(0, 12, 2)] + ["3"]
with open("session.nal", "w") as file:
    file.write("\n".join(lines) + "\n")


def processes():
    """All processes in /proc: pid -> (parent, state)."""
    found = {}
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit():
                fields = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()
                found[int(entry)] = (int(fields[1]), fields[0])
        except OSError:
            pass
    return found


def left_over(tag):
    """Processes that a session has started, identified by a mark in the environment that they inherit."""
    return processes_with(tag, "environ")


class Watch(threading.Thread):
    """Watches a session: it must never have two children (zombies count), and the number of open files must stay
    bounded. Sends signals at random moments."""

    def __init__(self, pid, shots):
        super().__init__(daemon=True)  # a session that hangs must not keep the test from ending
        self.pid, self.shots, self.hits, self.most_children, self.most_files = pid, sorted(shots), [], 0, 0
        self.over = threading.Event()

    def run(self):
        begun = time.time()
        while not self.over.wait(0.01):
            children = [pid for pid, (parent, _) in processes().items() if parent == self.pid]
            self.most_children = max(self.most_children, len(children))
            try:
                self.most_files = max(self.most_files, len(os.listdir("/proc/%d/fd" % self.pid)))
            except OSError:
                return
            if children and self.shots and time.time() - begun >= self.shots[0][0]:
                _, what = self.shots.pop(0)
                try:
                    os.kill(children[0], what)
                    self.hits.append(what)
                except ProcessLookupError:
                    pass


def session(name, options, faults=0, shots=(), suicide=None):
    """Runs a session. Returns its output, its watch, and the faults that occurred."""
    for file in [name + ".log", name + ".faults"]:
        if os.path.exists(file):
            os.remove(file)
    tag = "ENGRAM_SOAK=%d.%s.%d" % (os.getpid(), name, rng.randrange(10 ** 9))
    environment = dict(os.environ, **dict([tag.split("=")]))
    if suicide is not None:  # nothing is left that could end the child processes of the reasoner
        environment["FAKE_NARS_SLEEP"] = "1"
    command = [engram, "attach", *options, "--patience", patience if faults else "60000", "--back-off", "1", "--max-restarts", "100",
               "--log", name + ".log", "session.nal", "--", *fake, "--soak", str(rng.randrange(10 ** 9)), str(faults),
               name + ".faults"]
    with open(name + ".out", "wb") as out, open(name + ".err", "wb") as err:
        running = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        watch = Watch(running.pid, shots)
        watch.start()
        if suicide is not None:
            time.sleep(suicide)
            running.kill()
        try:
            running.wait(timeout=600)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
        watch.over.set()
        watch.join()
    # If engram or the supervisor of a reasoner is killed, the kernel kills the reasoner soon after.
    for _ in range(100 if suicide is not None or signal.SIGKILL in watch.hits else 1):
        if not left_over(tag.encode()):
            break
        time.sleep(0.02)
    rest = left_over(tag.encode())
    assert not rest, (name, "processes outlive the session", rest)
    # If each question has a process, the next one is started while this one answers.
    most = 2 if "--gate" in options and "--reset" not in options else 1
    assert watch.most_children <= most, (name, watch.most_children, "children at a time")
    # A starting process has three pipes with two ends each, including the one that reports a failed start. All other
    # open files are open in sessions without faults too.
    usual = max(usual_files or [watch.most_files])
    assert watch.most_files <= usual + 6 * most, (name, watch.most_files, "open files, where", usual, "are usual")
    talk = open(name + ".err").read()
    if suicide is None:
        assert running.returncode == 0, (name, running.returncode, talk[-3000:])
        assert "Sanitizer" not in talk, talk[-3000:]
    told = [line.split()[0] for line in open(name + ".faults")] if os.path.exists(name + ".faults") else []
    return talk, watch, told


usual_files = []


def accepted(log):
    """The inputs in a transcript, without the last line, which may be incomplete after a kill."""
    entries = open(log, encoding="utf-8").read().split("\n")
    return [json.loads(entry)["input"] for entry in entries[:-1] if entry.startswith('{"input"')]


def sha(text):
    return text.split("sha256 ")[1].split()[0]


def replay(log):
    done = subprocess.run([engram, "replay", log], capture_output=True, text=True)
    assert done.returncode == 0, (log, done.stderr)
    return json.loads(done.stdout)["sha256"], done.stderr


def checked(name, talk, well):
    assert accepted(name + ".log") == lines, (name, "lines were lost or came twice")
    assert sha(talk) == well, (name, "another memory than without faults")
    assert replay(name + ".log")[0] == well, (name, "the transcript gives another memory")
    json_lines = [json.loads(line) for line in open(name + ".out")]
    return [event["term"] for event in json_lines if event["event"] == "answer" and "term" in event]


modes = [["--learn", "all"], ["--learn", "answers"], ["--gate", "3"], ["--gate", "2", "--reset"]]
well, answers, lasted = [], [], []
for mode in modes:
    begun = time.time()
    talk, undisturbed, _ = session("well", mode)
    usual_files.append(undisturbed.most_files)
    lasted.append(time.time() - begun)
    assert "restarted" not in talk and "4 of 4 as expected" in talk, talk
    well.append(sha(talk))
    answers.append(checked("well", talk, well[-1]))

taken, number = collections.Counter(), 0
while sum(taken.values()) < wanted:
    mode = number % len(modes)
    number += 1
    if number % 5 == 0:  # kills the session: its input is in the transcript, its child ends
        # The kill comes at a random moment of a session of the usual length, or slightly later.
        session("dead", modes[mode], faults=rng.randrange(6), suicide=rng.uniform(0, lasted[mode] * 1.1))
        if os.path.exists("dead.log") and os.path.getsize("dead.log") > 0:
            there = accepted("dead.log")
            assert there == lines[:len(there)], "lines were lost or came twice"
            whole = open("dead.log", "rb").read()
            open("dead.log", "wb").write(whole[:whole.rindex(b"\n") + 1])
            replay("dead.log")
        taken["engram itself killed"] += 1
    shots = [(rng.uniform(0, lasted[mode] * 2), rng.choice([signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM]))
             for _ in range(rng.randrange(4))]
    talk, watch, told = session("soak", modes[mode], faults=rng.randint(4, 12), shots=shots)
    # A repeated question may be answered again, but with the same answer.
    assert set(checked("soak", talk, well[mode])) == set(answers[mode]), (modes[mode], answers[mode])
    assert "4 of 4 as expected" in talk, talk
    taken.update(told)
    taken.update("from outside: " + hit.name for hit in watch.hits)
    if number % 20 == 0:
        print(number, "sessions,", sum(taken.values()), "faults", flush=True)
for what, times in sorted(taken.items()):
    print("%5d  %s" % (times, what))
print(sum(taken.values()), "faults in", number, "sessions: ok")
PY
expect 0 python3 soak.py "$engram" "$source" "${SOAK:-30}" "${SOAK_SEED:-1}"
cat out
