#!/bin/sh
# Tests attention that is trained on one stream, saved as a file and used on another stream.
. "$(dirname "$0")/lib.sh"
# Twelve days in a house, each in the same order, and six days in another house, which a guest visits.
python3 - <<'PY'
import random
for name, days, guest, seed in ("house.nal", 12, False, 1), ("other.nal", 6, True, 2):
    rng = random.Random(seed)
    with open(name, "w") as out:
        for day in range(days):
            for what in ("sun", "milk", "school", "lunch", "walk", "dusk"):
                print(f"<{what} --> [now]>. :|:", file=out)
                if rng.random() < 0.2:
                    print("<rain --> [now]>. :|:", file=out)
                if guest and what == "lunch":
                    print("<guest --> [here]>. :|:", file=out)
PY
cat >train.json <<'SPEC'
{"method": "trained_attention", "inputs": ["house.nal"], "dimensions": 16, "epochs": 120}
SPEC
cat >predict.json <<'SPEC'
{"experiment": "prediction", "inputs": ["other.nal"], "generated": false, "seeds": [1], "origins": [0.5],
 "methods": ["untrained_attention", {"model": "house.engram"}, {"model": "part.engram", "label": "learnt a part"}],
 "dimensions": 16, "epochs": 120}
SPEC

expect 0 "$engram" train train.json --out house.engram
says out "in nats, mean over 21 episodes held back"
says out "written: house.engram"
[ -e house.engram.unfinished ] && fail "a finished training left a checkpoint"
expect 0 "$engram" train train.json --jobs 2 --out again.engram
cmp -s house.engram again.engram || fail "the same training gave another model"
expect 0 "$engram" train train.json --set known=0.5 --out part.engram
cmp -s house.engram part.engram && fail "--set changes nothing"
python3 - house.engram <<'PY'
import json, sys
made = json.load(open(sys.argv[1]))["made"]
assert made["loss_held_back"]["after"] < made["loss_held_back"]["before"], made
PY

# An interrupted and resumed training gives the same bytes.
cat >kill.py <<'PY'
import json, os, signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "train", "train.json", "--out", "killed.engram"], stdout=subprocess.DEVNULL)
name = "killed.engram.unfinished"
while not os.path.exists(name) and run.poll() is None:
    time.sleep(0.001)
run.kill()
assert run.wait() == -signal.SIGKILL and os.path.exists(name)
PY
expect 0 python3 kill.py "$engram"
expect 2 "$engram" train train.json --set epochs=7 --out killed.engram --resume
says err "another spec, input or build (at /spec/epochs)"
expect 0 "$engram" train train.json --out killed.engram --resume
says err "epochs are there already"
cmp -s house.engram killed.engram || fail "a resumed training gave another model"

# On another stream it predicts better than before training, and the run can be repeated from its own folder.
expect 0 "$engram" run predict.json --out run
python3 - <<'PY'
import json
rows = {row["method"]: row for row in map(json.loads, open("run/results.jsonl"))}
loss = {method: sum(row["log_loss"]) / len(row["log_loss"]) for method, row in rows.items()}
assert loss["house"] < loss["untrained_attention"] - 0.5 and loss["house"] < loss["frequency"], loss
assert loss["learnt a part"] != loss["house"], loss
known = rows["house"]["chosen"]["known"]
assert 0.7 < known < 1, known  # all but the guest
PY
grep -q "^house," run/tables/log_loss.csv || fail "no row of the model"
grep -q "house.engram" run/manifest.json || fail "the manifest does not name the model"
expect 0 "$engram" verify run

# A model is not tested on the part of a stream that it has seen. For the later part it predicts exactly what training
# by the experiment predicts.
expect 2 "$engram" run predict.json --set 'inputs=["house.nal"]' --out refused
says err "was trained on the first"
expect 0 "$engram" run predict.json --set 'inputs=["house.nal"]' \
  --set 'methods=["trained_attention",{"model":"part.engram"}]' --out same
python3 - <<'PY'
import json
rows = {row["method"]: row for row in map(json.loads, open("same/results.jsonl"))}
assert rows["part"]["log_loss"] == rows["trained_attention"]["log_loss"]
PY
# A model can be trained on a generated stream.
expect 0 "$engram" train train.json --set 'inputs=[]' --set seed=3 --set 'generated={"episodes":60}' --set known=0.4 --out made.engram
generated="--set inputs=[] --set generated={\"episodes\":60} --set methods=[{\"model\":\"made.engram\"}]"
expect 0 "$engram" run predict.json $generated --set 'seeds=[3,4]' --out made
expect 2 "$engram" run predict.json $generated --set 'seeds=[4,3]' --set 'origins=[0.3]' --out refused
says err "choose other /origins"

# Invalid models are refused with the reason.
sed 's/"sun"/"son"/' house.engram >damaged.engram
sed 's/"engram_predictor":1/"engram_predictor":2/' house.engram >later.engram
for wrong in 'damaged:is damaged or was changed' 'later:format 2' 'none:none.engram' 'train:is no model'; do
  name=${wrong%%:*}
  [ "$name" = train ] && cp train.json train.engram
  expect 2 "$engram" run predict.json --set "methods=[{\"model\":\"$name.engram\"}]" --out refused
  says err "/methods/0/model"
  says err "${wrong#*:}"
done
cp "$source/experiments/models/proof_attention.engram" proofs.engram
expect 2 "$engram" run predict.json --set 'methods=[{"model":"proofs.engram"}]' --out refused
says err "/engram_predictor"
expect 2 "$engram" recall house.nal --cue sun --model house.engram
says err "is no model"
expect 2 "$engram" run predict.json --set 'methods=[{"model":"house.engram","label":"markov"}]' --out refused
says err "/methods/0/label"
expect 2 "$engram" run predict.json --set 'methods=[{"model":"house.engram"},{"model":"house.engram"}]' --out refused
says err 'another "label"'
expect 2 "$engram" run predict.json --set 'methods=["markow"]' --out refused
says err "did you mean"
for wrong in 'inputs=["house.nal","other.nal"]:a model has one stream' 'known=2:/known' 'more=1:more' \
  'method="markov":/method' 'seeds=[1]:seeds'; do
  expect 2 "$engram" train train.json --set "${wrong%%:*}" --out refused.engram
  says err "${wrong#*:}"
done
echo '<sun --> [now]>. :|:' >short.nal
expect 1 "$engram" train train.json --set 'inputs=["short.nal"]' --out refused.engram
says err "short.nal:1:1: error: the file must hold at least 20 judgments or goals with a tense"
[ -e refused.engram ] && fail "a refused model was written"
exit 0
