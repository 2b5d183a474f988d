#!/bin/sh
# Tests trials and methods written in Python. They get the same statistics, reproducibility and error messages as the
# built-in ones.
. "$(dirname "$0")/lib.sh"
export PYTHONPATH="$source/bridge/python" PYTHONDONTWRITEBYTECODE=1

cat >coins.py <<'PY'
import random
import engram

def trial(setting, seed):
    print("tossing", seed)  # must not be mistaken for a reply
    coin = random.Random(seed)
    heads = sum(coin.random() < setting["bias"] for _ in range(setting["tosses"]))
    share = heads / setting["tosses"]
    return [{"method": "counted", "error": abs(share - setting["bias"]), "heads": heads},
            {"method": "guessed", "error": abs(0.5 - setting["bias"]), "heads": 0, "note": "always one half"}]

if __name__ == "__main__":
    engram.serve(trial=trial)
PY
cat >coins.json <<'JSON'
{"experiment": "python", "file": "coins.py", "seeds": "1..12", "lower_is_better": ["error"],
 "settings": [{"bias": 0.9, "tosses": 10}, {"bias": 0.9, "tosses": 100}]}
JSON
# A foreign spec starts no program before the user allows it.
expect 2 "$engram" run coins.json --out coins
says err "starts a program: coins.py"
says err "--allow-programs"
expect 2 "$engram" run coins.json --dry-run
[ ! -e coins ] || fail "a run was begun"
expect 0 "$engram" run coins.json --out coins --jobs 2 --allow-programs
expect 0 "$engram" run coins.json --out coins1 --jobs 1 --allow-programs
for file in results.jsonl summary.json manifest.json tables/error.csv tables/heads.md tables/leads.csv; do
  cmp "coins/$file" "coins1/$file" || fail "$file depends on the number of jobs"
done
cat >check.py <<'PY'
import hashlib, json, random, statistics
rows = [json.loads(line) for line in open("coins/results.jsonl")]
assert len(rows) == 2 * 2 * 12, len(rows)
for row in rows:
    coin, setting = random.Random(row["seed"]), row["setting"]
    heads = sum(coin.random() < setting["bias"] for _ in range(setting["tosses"]))
    assert row["heads"] == (heads if row["method"] == "counted" else 0), row
summary = json.load(open("coins/summary.json"))["results"]
wanted = statistics.fmean(row["error"] for row in rows if row["method"] == "counted" and row["setting"]["tosses"] == 100)
found = summary["error"]["bias 0.9, tosses 100"]["counted"]
assert abs(found["mean"] - wanted) < 1e-12 and found["low"] <= wanted <= found["high"], (found, wanted)
manifest = json.load(open("coins/manifest.json"))
assert {"name": "coins.py", "sha256": hashlib.sha256(open("coins.py", "rb").read()).hexdigest(),
        "bytes": len(open("coins.py", "rb").read())} in manifest["inputs"], manifest["inputs"]
answer = json.load(open("coins/summary.json"))["answer"]
assert "error, bias 0.9, tosses 100: counted has the best mean" in answer, answer
assert "always one half" in open("coins/results.jsonl").read()
PY
expect 0 python3 check.py
[ -s coins/plots/error.svg ] || ! command -v gnuplot >/dev/null || fail "error has no plot over tosses"
expect 2 "$engram" verify coins
says err "--allow-programs"
expect 0 "$engram" verify coins --allow-programs
expect 0 "$engram" compare coins coins1
says out "seed by seed"
echo '# other bytes' >>coins.py
expect 1 "$engram" verify coins --allow-programs
says err "coins.py"

# A stopped run is resumed without repeating its trials.
cat >slow.py <<'PY'
import os, time
import engram

def trial(setting, seed):
    with open("calls", "a") as calls:
        calls.write(f"{seed}\n")
    if seed == 4 and not os.path.exists("go on"):
        time.sleep(1000)
    return {"value": seed}

engram.serve(trial=trial)
PY
echo '{"experiment": "python", "file": "slow.py", "seeds": "1..6"}' >slow.json
"$engram" run slow.json --allow-programs --out slow >out 2>err &
running=$!
until grep -qx 4 calls 2>/dev/null; do sleep 0.05; done
kill -TERM "$running"
wait "$running" && fail "it was interrupted"
touch "go on"
expect 0 "$engram" run slow.json --allow-programs --out slow --resume
[ "$(sort calls | uniq -c | awk '$1 > 1 {print $2}')" = 4 ] || fail "done again: $(cat calls)"

# Errors quote the message from Python.
wrong() {  # wrong NAME WORDS: reads the body of trial() from standard input
  { printf 'import engram\ndef trial(setting, seed):\n'; cat; printf 'engram.serve(trial=trial)\n'; } >"$1.py"
  expect 3 "$engram" run wrong.json --set file="$1.py" --out wrong_out
  says err "engram: "
  says err "$2"
  rm -rf wrong_out
}
echo '{"experiment": "python", "file": "coins.py", "seeds": 1}' | sed 's/: 1}/: [1]}/' >wrong.json
echo '    return {"value": 1 / 0}' | wrong raises 'ZeroDivisionError: division by zero'
says err 'at raises.py:3 in trial: return {"value": 1 / 0}'
echo '    return 7' | wrong seven 'must return a dict'
echo '    return {"value": float("nan")}' | wrong nan 'ValueError'
echo '    return {"note": "nothing"}' | wrong nothing 'without a number'
echo '    return {"../value": 1}' | wrong path "a measure's name"
echo '    return {"seed": 1}' | wrong seed 'must not return "seed"'
echo '    return [{"value": 1}, {"value": 2}]' | wrong twice 'two dicts with the method "trial"'
echo '    __import__("os")._exit(3)' | wrong ends 'exit code 3'
echo 'import nonsense_that_is_not_there' >missing.py
expect 3 "$engram" run wrong.json --set file=missing.py --out wrong_out
says err "No module named 'nonsense_that_is_not_there'"
rm -rf wrong_out
expect 2 "$engram" run wrong.json --set file=no.py --out wrong_out
says err "/file must be a Python file"
expect 3 env ENGRAM_PYTHON=no-such-python "$engram" run wrong.json --allow-programs --out wrong_out
says err "no-such-python"

# A method that scores by the number of names that a statement shares with the question.
cat >shared.py <<'PY'
import re
import engram

def scores(statements, cue):
    names = set(re.findall(r"\w+", cue)) - {"1"}
    return [len(names & set(re.findall(r"[a-z]+", statement))) for statement in statements]

if __name__ == "__main__":
    engram.serve(scores=scores)
PY
cat >tim.nal <<'NAL'
<tim --> cat>.
<cat --> animal>.
<rex --> dog>.
<tim --> cat>?
NAL
cat >method.json <<'JSON'
{"experiment": "comparison", "inputs": ["tim.nal"],
 "methods": ["frequency", {"method": "python", "label": "shared names", "options": {"file": "shared.py"}}]}
JSON
expect 2 "$engram" run method.json --out method
says err "starts a program: shared.py"
expect 0 "$engram" run method.json --out method --jobs 2 --allow-programs
grep -q '"method":"shared names"' method/results.jsonl || fail "no row of the method"
cat >best.py <<'PY'
import json
row, = [row for row in map(json.loads, open("method/results.jsonl")) if row["method"] == "shared names"]
print(json.dumps(row))
assert json.dumps(row).index("<tim --> cat>.") < json.dumps(row).index("<cat --> animal>."), row
PY
expect 0 python3 best.py
expect 0 "$engram" verify method --allow-programs
grep -q shared.py method/manifest.json || fail "the manifest does not name the file"
sed -i 's/return \[/return [0] + [/' shared.py
expect 3 "$engram" run method.json --out method2 --allow-programs
says err "a number from 0 to 1e100 for each of the 3 statements, found 4"
expect 2 "$engram" run method.json --set 'methods=["python"]' --out method2
says err "must be a Python file"
# Protocol requests cannot start programs.
echo '{"op":"recall","cue":"tim","method":"python","options":{"file":"shared.py"}}' >request
expect 0 "$engram" serve <request
says out '"code":"bad_value"'
# Neither can a NARS in a spec. A command on the command line is by the user, so it is allowed.
cat >asked.json <<'JSON'
{"experiment": "answering", "inputs": [], "methods": ["overlap"], "tuning": {"methods": []}, "seeds": [1], "capacities": [6],
 "sets": [{"kind": "chains", "groups": 3, "questions": 1}]}
JSON
sed 's/^{/{"system": {"name": "ona", "command": [".\/no-nar", "shell"]}, /' asked.json >nars.json
expect 2 "$engram" run nars.json --out nars
says err "starts a program: ./no-nar shell"
expect 3 "$engram" run asked.json --set 'system={"name":"ona","command":["./no-nar","shell"]}' --out nars
says err "cannot start './no-nar'"
