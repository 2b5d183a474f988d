#!/bin/sh
# SIGINT and SIGTERM end each command within a second, and a stopped run prints how to resume.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" generate chains --size 20000 --seed 3
cp out big.nal
cat >stop.py <<'PY'
import os, shutil, signal, subprocess, sys, time
engram, source = sys.argv[1:]
specs = os.path.join(source, "experiments/specs")
# The signals come during different phases of experiments: reading, trials of many kinds, statistics.
commands = [["run", "big.nal", "--out", "run"], ["recall", "big.nal", "--cue", "<p1 --> ?1>", "--method", "graph_spins"],
            ["generate", "chains", "--size", "1000000"]]
commands += [["run", f"{specs}/{name}.json", "--jobs", "2", "--out", "run"]
             for name in ("answering", "prediction", "capacity", "forgetting", "links", "embeddings")]
most = 20  # seconds; normally at most one, but a busy machine may be slow
stopped = 0
for i, command in enumerate(commands):
    for sent, wait in ((signal.SIGINT, 0.3), (signal.SIGTERM, 0.4 + i / 10)):
        process = subprocess.Popen([engram] + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(wait)
        ended = process.poll() is not None
        process.send_signal(sent)
        begun = time.monotonic()
        said = process.communicate(timeout=most)[1]
        shutil.rmtree("run", ignore_errors=True)
        # The command may have been almost done when the signal came. It must then end soon, because ignoring the signal
        # would take longer.
        if ended or process.returncode == 0 and time.monotonic() - begun < 1:
            continue
        stopped += 1
        assert process.returncode in (130, -sent), (command, process.returncode, said)
        assert process.returncode != 130 or "stopped" in said, said
assert stopped > len(commands), stopped
PY
expect 0 python3 stop.py "$engram" "$source"
