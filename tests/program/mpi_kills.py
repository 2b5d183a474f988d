# SPDX-License-Identifier: MIT
"""Kills, stops and interrupts ranks at random moments. No rank may wait for ever, the message must name lost
ranks, and finished trials must be kept. Called by mpi_sweeps.sh with ENGRAM SOURCE KILLS SEED."""
import json, os, random, re, shutil, signal, subprocess, sys, time
from watching import check_same_run

engram, source, kills, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
arguments = ["run", f"{source}/experiments/specs/completion.json",
             "--set", f'inputs=["{source}/experiments/data/day_at_the_farm.nal"]', "--set", "cues=24",
             "--set", "seeds=1..24", "--set", "load=[0.5,1]"]
trials = 48
most = 30  # seconds until all have ended; two are enough unless the machine is busy


def start(out, ranks, *more, options=(), patience=None):
    environment = dict(os.environ)
    if patience:
        environment["ENGRAM_MPI_PATIENCE"] = str(patience)
    return subprocess.Popen(["mpirun", *options, "-n", str(ranks), engram, *arguments, "--out", out, *more], text=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)


def processes(parent):
    """The process ids of this mpirun's ranks, by number."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1]) != parent:
                continue
            rank = re.search(rb"\0OMPI_COMM_WORLD_RANK=(\d+)\0", open(f"/proc/{pid}/environ", "rb").read())
            if rank and os.path.basename(os.readlink(f"/proc/{pid}/exe")) == os.path.basename(engram):
                found[int(rank[1])] = int(pid)
        except (OSError, IndexError):
            continue
    return found


def ended(run, ranks_of_run, wanted_within=most):
    """The output, after mpirun and all of its ranks have ended."""
    begun = time.monotonic()
    said = run.communicate(timeout=wanted_within)[1]
    while any(os.path.exists(f"/proc/{pid}") for pid in ranks_of_run.values()):
        assert time.monotonic() - begun < wanted_within, f"ranks outlive mpirun: {ranks_of_run}"
        time.sleep(0.05)
    return said


def journal(folder):
    try:
        lines = open(f"{folder}/unfinished.jsonl").read().split("\n")
    except FileNotFoundError:
        return []
    return [json.loads(line)["trial"] for line in lines[1:-1]]


def same(folder):
    check_same_run(folder, "whole")


def until_begun(run, out, trials_done=1):
    """Returns the ranks of the run after this number of trials. Returns no ranks if the run has already ended."""
    while run.poll() is None:
        if len(journal(out)) >= trials_done:
            return processes(run.pid)
        time.sleep(0.005)
    return {}


assert subprocess.run([engram, *arguments, "--out", "whole"], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL).returncode == 0
begun = time.time()
run = start("timed", 3)
assert run.wait() == 0, run.stderr.read()
lasted = time.time() - begun
same("timed")

# Kills random ranks at random moments, again and again, until a run finishes.
done, came_through, killed = [], 0, 0
while killed < kills:
    ranks = rng.choice([2, 3, 4])
    run = start("killed", ranks, "--resume")
    try:
        run.wait(timeout=rng.uniform(0, 1.1 * lasted))
    except subprocess.TimeoutExpired:
        there = processes(run.pid)
        if len(there) < ranks:  # mpirun is still starting
            run.terminate()
            ended(run, there)
            continue
        rank = rng.randrange(ranks)
        os.kill(there[rank], signal.SIGKILL)
        said = ended(run, there)
        if run.returncode == 0:  # it was almost done
            continue
        killed += 1
        assert f"rank {rank} with PID" in said and "signal 9" in said, said
        now = journal("killed")
        finished = os.path.exists("killed/SHA256SUMS")
        assert finished or now[:len(done)] == done and len(set(now)) == len(now), "a trial was lost or done twice"
        if len(now) > len(done):
            assert "--resume" in said, (rank, said)
        done = now
        continue
    assert run.returncode == 0, run.stderr.read()
    came_through += 1
    same("killed")
    shutil.rmtree("killed")
    done = []
run = start("killed", 2, "--resume")
assert run.wait() == 0, run.stderr.read()
same("killed")

# A rank that hangs: the launcher does not notice, but rank 0 does. If rank 0 hangs, the others notice.
for hanging in (1, 0):
    for attempt in range(20):
        shutil.rmtree("hanging", ignore_errors=True)
        run = start("hanging", 3, patience=3)
        there = until_begun(run, "hanging")
        if len(there) == 3:
            os.kill(there[hanging], signal.SIGSTOP)
            said = ended(run, there)
            if run.returncode != 0:
                break
    assert run.returncode != 0 and "--resume" in said, said
    if hanging:
        assert f"rank {hanging} (" in said and "has sent nothing for 3 s" in said, said
    else:
        assert "rank 0 has ended or does not answer" in said, said
    run = start("hanging", 2, "--resume")
    assert run.wait() == 0, run.stderr.read()
    same("hanging")

# Interrupted by Ctrl-C to mpirun, or by a signal to rank 0.
for whom in ("mpirun", "rank 0"):
    for attempt in range(20):
        shutil.rmtree("stopped", ignore_errors=True)
        run = start("stopped", 3)
        there = until_begun(run, "stopped")
        if len(there) == 3:
            os.kill(run.pid if whom == "mpirun" else there[0], signal.SIGINT)
            said = ended(run, there)
            if run.returncode != 0:
                break
    count = len(journal("stopped"))
    assert run.returncode != 0 and f"stopped after {count} of {trials} trials; go on with" in said, (whom, said)
    assert whom == "mpirun" or run.returncode == 130, (run.returncode, said)
    run = start("stopped", 2, "--resume")
    assert run.wait() == 0, run.stderr.read()
    same("stopped")
print(f"{kills} kills, {came_through} runs between them that came through")
