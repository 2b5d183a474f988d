#!/bin/sh
# Traces every execve: the program starts only gnuplot, dot and the NARS, each with fixed arguments.
. "$(dirname "$0")/lib.sh"
needs_strace
cp "$source/experiments/data/family.nal" .
# trace NAME COMMAND...: runs the command and traces its execve calls into NAME.
trace() {
  name=$1
  shift
  expect 0 strace -f -y -v -s 1000 -e trace=execve,execveat -o "$name.calls" "$@"
}
trace run "$engram" run family.nal --out run --jobs 2
trace report "$engram" report run
trace verify "$engram" verify run
trace compare "$engram" compare run run
trace recall "$engram" recall family.nal --cue '<(olav * kari) --> ?1>?' --report why.html
trace graph "$engram" graph family.nal
printf '<bird --> animal>.\n<robin --> bird>.\n<robin --> animal>?\n' >talk.nal
trace attach "$engram" attach talk.nal --log log --report session.html -- python3 "$source/tests/program/fake_nars.py" ona
trace replay "$engram" replay log
trace icons "$engram" run icons --out icons --set seeds=[1] --set damage=[0.1]
python3 - "$engram" "$source" <<'PY'
import ast, glob, re, shutil, sys
engram, source = sys.argv[1:]
plain = r"[A-Za-z0-9_=][A-Za-z0-9_.=-]{0,99}"
allowed = {
    "gnuplot": [r"--default-settings", plain + r"\.gp"],
    "dot": ["-Tsvg", "-o", plain + r"\.svg", plain + r"\.dot"],
}
counts = {}
for name in sorted(glob.glob("*.calls")):
    started = []
    for line in open(name):
        call = re.match(r'(\d+) +(execve|execveat)\("([^"]*)", (\[.*?\]), (\[.*\])\) += (-?\d+)', line)
        if not call:
            assert "exec" not in line.split("(")[0], line
            continue
        path, arguments, variables, outcome = call[3], ast.literal_eval(call[4]), call[5], int(call[6])
        if outcome == 0:
            started.append((path, arguments[1:], variables))
    first, rest = started[0], started[1:]
    assert first[0] == engram, first
    for path, arguments, variables in rest:
        program = path.rsplit("/", 1)[1]
        if name == "attach.calls":
            assert program.startswith("python3") and arguments == [source + "/tests/program/fake_nars.py", "ona"], (path, arguments)
            continue
        assert name.split(".")[0] in ("run", "report", "verify", "icons") and program in allowed, (name, path)
        assert path == shutil.which(program), path
        assert len(arguments) == len(allowed[program]), arguments
        for given, wanted in zip(arguments, allowed[program]):
            assert re.fullmatch(wanted, given), (given, wanted)
        assert variables == '["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]', variables
    counts[name.split(".")[0]] = len(rest)
print(counts)
drawing = sum(shutil.which(p) is not None for p in ("gnuplot", "dot"))
for name in ("run", "report", "verify"):
    assert counts[name] > 0 or drawing == 0, counts
assert counts["attach"] == 1 and counts["compare"] == counts["recall"] == counts["graph"] == counts["replay"] == 0, counts
PY
