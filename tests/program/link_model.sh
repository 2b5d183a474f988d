#!/bin/sh
# Tests a network of links: trained on facts, saved as a file, resumed after a kill, and used by the experiment `links`.
. "$(dirname "$0")/lib.sh"
python3 - <<'PY'
tables = {"train": [], "valid": [], "test": []}
for i in range(40):
    tables["train"].append(f"a{i}\tmother\tb{i}")
    tables["train" if i < 30 else "valid" if i < 34 else "test"].append(f"b{i}\tchild\ta{i}")
    tables["train"].append(f"a{i}\tfriend\ta{(7 * i + 3) % 40}")
for name, lines in tables.items():
    open(name + ".tsv", "w").write("\n".join(lines) + "\n")
PY
cat >links.json <<'SPEC'
{"method": "bellman_ford", "inputs": ["train.tsv", "valid.tsv"], "layers": 3, "width": 50, "batch": 8, "epochs": 30}
SPEC

expect 0 "$engram" train links.json --out one.engram
says out "filtered mean reciprocal rank of 4 facts held out"
[ -e one.engram.unfinished ] && fail "a finished training left a checkpoint"
expect 0 "$engram" train links.json --jobs 3 --out again.engram
cmp -s one.engram again.engram || fail "threads make a difference"
expect 0 "$engram" train links.json --set seed=1 --out other.engram
cmp -s one.engram other.engram && fail "the seed makes no difference"

# A training that is killed with -9 at any step and resumed with other threads gives the same bytes as an undisturbed
# one.
cat >kill.py <<'PY'
import json, os, signal, struct, subprocess, sys, time
engram, name = sys.argv[1], "killed.engram.unfinished"

def steps():
    try:
        return struct.unpack("<Q", bytes.fromhex(json.load(open(name))["state"]["bytes"][:16]))[0]
    except FileNotFoundError:
        return 0

kills, kept = 0, 0
for wanted in (1, 250, 600):
    run = subprocess.Popen([engram, "train", "links.json", "--out", "killed.engram", "--resume", "--jobs", str(1 + kills % 2)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while steps() < wanted and run.poll() is None:
        time.sleep(0.001)
    run.kill()
    said = run.communicate()[1]
    assert steps() >= kept, "steps were lost"
    assert (f"{kept} of 825 steps are there already" in said) == (kept > 0), (kept, said)
    kept = steps()
    kills += run.returncode == -signal.SIGKILL
assert kills >= 2 and not os.path.exists("killed.engram"), kills
PY
expect 0 python3 kill.py "$engram"
cp killed.engram.unfinished checkpoint
expect 0 "$engram" train links.json --resume --out killed.engram
cmp -s one.engram killed.engram || fail "a training that was killed gives another model"
sed 's/"bytes":"../"bytes":"ff/' checkpoint >killed.engram.unfinished
expect 2 "$engram" train links.json --resume --out killed.engram
says err "is damaged or was changed"
cp checkpoint killed.engram.unfinished
expect 2 "$engram" train links.json --resume --set width=40 --out killed.engram
says err "another spec, input or build (at /spec/width)"

# The report lists the trained network with untrained methods. The network learns to invert a relation, a rule of one
# step.
cat >run.json <<'SPEC'
{"experiment": "links", "inputs": ["train.tsv", "valid.tsv", "test.tsv"], "methods": ["cosine"], "train": false,
 "models": ["one.engram"]}
SPEC
expect 0 "$engram" run run.json --jobs 2 --out run
expect 0 "$engram" verify run
python3 - <<'PY'
import csv, glob
path, = glob.glob("run/tables/ranking_*.csv")
rows = {row["method"]: row for row in csv.DictReader(open(path))}
assert list(rows)[:2] == ["one", "cosine"] and "trained_attention" not in rows, list(rows)
assert float(rows["one"]["mrr"].split()[0]) > 0.9, rows["one"]
model, = csv.DictReader(open("run/tables/models.csv"))
assert model["model"] == "one" and model["epochs"] == "30" and model["facts"] == "110", model
PY

# Invalid networks are refused with the reason.
sed 's/"layers": 3/"layers": 4/' one.engram >damaged.engram
sed 's/"engram_model": 1/"engram_model": 2/' one.engram >later.engram
printf 'nonsense' >none.engram
sed 's/mother/father/' train.tsv >fathers.tsv
for wrong in 'models=["damaged.engram"]:is damaged or was changed' 'models=["later.engram"]:is a model of format 2' \
  'models=["none.engram"]:is no model' 'models=["nowhere.engram"]:nowhere.engram' 'models=[1]:/models/0' \
  'models=["one.engram","one.engram"]:/models/1' 'inputs=["fathers.tsv","valid.tsv","test.tsv"]:relation father'; do
  expect 2 "$engram" run run.json --set "${wrong%%:*}" --out refused
  says err "${wrong#*:}"
done
expect 2 "$engram" recall "$source/experiments/data/family.nal" --cue olav --model one.engram
says err "one.engram"
for wrong in 'inputs=["train.tsv"]:/inputs' 'inputs=["valid.tsv","train.tsv"]:has the relation' 'layers=17:/layers' \
  'hidden="both":/hidden' 'method="attention":/method' 'more=1:more'; do
  expect 2 "$engram" train links.json --set "${wrong%%:*}" --out refused.engram
  says err "${wrong#*:}"
done
printf 'a\tb\n' >broken.tsv
expect 2 "$engram" train links.json --set 'inputs=["broken.tsv","valid.tsv"]' --out refused.engram
says err "broken.tsv:1:4"
[ -e refused.engram ] && fail "a refused model was written"
exit 0
