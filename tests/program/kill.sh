#!/bin/sh
# Kills runs with -9 at random moments or interrupts them by Ctrl-C, and resumes them with another number of jobs. No
# trial may be lost or done twice, and the final bytes must equal the bytes of an undisturbed run.
. "$(dirname "$0")/lib.sh"
cat >kill.py <<'PY'
import json, os, random, shutil, signal, subprocess, sys, time
from watching import check_same_run

engram, source, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = random.Random(seed)
arguments = [engram, "run", f"{source}/experiments/specs/completion.json",
             "--set", f'inputs=["{source}/experiments/data/day_at_the_farm.nal"]', "--set", "cues=4",
             "--set", "seeds=[1,2,3,4,5,6,7,8]", "--set", "load=[0.5,1]"]
trials = 16

def start(out, jobs, *more):
    return subprocess.Popen([*arguments, "--out", out, "--jobs", str(jobs), *more],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

def same(folder):
    check_same_run(folder, "whole")
    timings, whole = ([json.loads(line) for line in open(f"{at}/timings.jsonl")][1:] for at in (folder, "whole"))
    for row in timings + whole:
        row.pop("seconds", None)
    assert timings == whole, "timings were lost or written twice"

def journal(folder):
    """The trials with complete lines."""
    try:
        lines = open(f"{folder}/unfinished.jsonl").read().split("\n")
    except FileNotFoundError:
        return []
    return [json.loads(line)["trial"] for line in lines[1:-1]]

def trials_of(folder):
    """The trials in the results, row by row."""
    return [json.loads(line)["trial"] for line in open(f"{folder}/results.jsonl")]

begun = time.time()
assert start("whole", 1).wait() == 0
lasted = time.time() - begun

# Killed at random moments of the whole run, until one run finishes.
for round in range(3):
    out, kills, done, tries = f"killed-{round}", 0, [], 0
    while True:
        tries += 1
        run = start(out, rng.choice([1, 2, 5]), "--resume")
        try:  # a later moment makes the end more likely
            run.wait(timeout=rng.uniform(0, lasted * (0.5 if tries < 6 else 3)))
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            kills += 1
            if os.path.exists(f"{out}/results.jsonl"):  # the kill came after the last trial, so all are there
                assert trials_of(out) == trials_of("whole"), "a trial was lost or done twice"
                continue
            now = journal(out)
            assert now[:len(done)] == done and len(set(now)) == len(now), "a trial was lost or done twice"
            done = now
            continue
        assert run.returncode == 0, run.stderr.read()
        break
    assert kills >= 1
    same(out)

# Runs resume from a journal that is truncated at any byte, as kills could leave it.
def journal_of_a_stopped_run():
    for attempt in range(20):
        shutil.rmtree("cut", ignore_errors=True)
        run = start("cut", 2)
        while len(journal("cut")) < 5 and run.poll() is None:
            time.sleep(0.002)
        run.kill()
        run.wait()
        if journal("cut"):
            return open("cut/unfinished.jsonl", "rb").read()
    raise AssertionError("the run was always too fast to be killed")

text = journal_of_a_stopped_run()
for at in [0, 1, text.index(b"\n"), text.index(b"\n") + 1, len(text) - 1, len(text),
           *(rng.randrange(len(text)) for _ in range(3))]:
    shutil.copytree("cut", "cut-copy")
    open("cut-copy/unfinished.jsonl", "wb").write(text[:at])
    kept = len(journal("cut-copy"))
    run = start("cut-copy", rng.choice([1, 2, 5]), "--resume")
    said = run.communicate()[1]
    assert run.returncode == 0, said
    whole_lines = text[:at].endswith(b"\n") or b"\n" not in text[:at]
    assert ("was cut off" in said) == (not whole_lines), (at, said)
    assert (f"{kept} of {trials} trials are there already" in said) == (kept > 0), (kept, said)
    same("cut-copy")
    shutil.rmtree("cut-copy")

# A damaged line anywhere means that its trial is run again.
lines = text.split(b"\n")
lines[2] = lines[2].replace(b'"stored":', b'"stored":1', 1)
open("cut/unfinished.jsonl", "wb").write(b"\n".join(lines))
assert start("cut", 1, "--resume").wait() == 0
same("cut")

# If two runs use one folder at the same time, the second one is refused and harms nothing.
first = start("two", 1)
while not os.path.exists("two/unfinished.jsonl"):
    time.sleep(0.001)
os.kill(first.pid, signal.SIGSTOP)
second = start("two", 1)
said = second.communicate()[1]
assert second.returncode == 2 and "another run is at work" in said, said
os.kill(first.pid, signal.SIGCONT)
assert first.wait() == 0
same("two")

# Ctrl-C: running trials are cancelled, and the message explains how to resume.
for attempt in range(20):
    shutil.rmtree("stopped", ignore_errors=True)
    run = start("stopped", 2)
    while not journal("stopped") and run.poll() is None:
        time.sleep(0.002)
    run.send_signal(signal.SIGINT)
    said = run.communicate()[1]
    if run.returncode != 0:
        break
assert run.returncode == 130, said
count = len(journal("stopped"))
assert f"stopped after {count} of {trials} trials; go on with" in said, said
assert 1 <= count < trials
report = subprocess.run([engram, "report", "stopped"], stderr=subprocess.PIPE, text=True)
assert report.returncode == 2 and "--resume" in report.stderr, report.stderr
command = said[said.index("  engram run"):].strip()
assert subprocess.run(command.replace("engram", engram, 1), shell=True, stdout=subprocess.DEVNULL).returncode == 0
same("stopped")
PY
expect 0 python3 kill.py "$engram" "$source" "${ENGRAM_KILL_SEED:-1}"
