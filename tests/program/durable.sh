#!/bin/sh
# Checks what a power failure could destroy. No test can cut the power, so this one checks the order of system calls: a
# file is synced before it gets its name, the name before the next step, and the line of each trial before the next
# trial. The journal is removed after everything else is synced.
. "$(dirname "$0")/lib.sh"
needs_strace
expect 0 strace -f -y -e trace=write,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat -o calls "$engram" \
  run "$source/experiments/specs/completion.json" --out run --set "inputs=[\"$source/experiments/data/day_at_the_farm.nal\"]" \
  --set cues=2 --set seeds=1..5 --set load=[0.5]
python3 - <<'PY'
import os, re
here = os.getcwd()
dirty, unnamed, names, trials, synced_trials, gone = set(), {}, 0, 0, 0, False
for line in open("calls"):
    call = re.match(r"\d+ +(\w+)\((.*)\) += (-?\d+)", line)
    if not call or call[3].startswith("-"):
        continue
    name, arguments = call[1], call[2]
    path = re.match(r"-?\w*<([^>]*)>", arguments)
    path = path[1] if path else ""
    if name == "write" and path.startswith(here + "/run"):
        dirty.add(path)
        trials += path.endswith("unfinished.jsonl") and '{\\"trial' in arguments
        assert not gone or "SHA256SUMS" not in path
    elif name in ("fsync", "fdatasync"):
        if path.endswith("unfinished.jsonl") and path in dirty:
            synced_trials += 1
        dirty.discard(path)
        unnamed.pop(path, None)
    elif name.startswith("rename"):
        source, target = (os.path.join(here, p) for p in re.findall(r'"([^"]*)"', arguments))
        assert not unnamed, f"{target} took its name before {unnamed} was safe"
        assert source not in dirty, f"{source} took its name before it was on the disk"
        unnamed[os.path.dirname(target)] = target
        names += 1
    elif name.startswith("unlink") and "unfinished.jsonl" in arguments:
        assert not dirty and not unnamed, f"the journal went before {dirty} {unnamed} was on the disk"
        gone = True
assert trials == synced_trials == 5, (trials, synced_trials)
assert gone and names > 20, (gone, names)
PY
