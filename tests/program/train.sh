#!/bin/sh
# Tests models: training is deterministic, models work wherever methods do, and invalid models are refused.
. "$(dirname "$0")/lib.sh"
cp "$source/experiments/data/family.nal" family.nal
cat >small.json <<'SPEC'
{"method": "proof_attention", "inputs": [], "seeds": [1], "held_out": [11], "epochs": 8,
 "sets": [{"kind": "chains", "groups": 10, "questions": 6}, {"kind": "taxonomies", "groups": 10, "questions": 6}]}
SPEC

expect 0 "$engram" train small.json --out one.engram
says out "log p of a known proof, mean over"
says out "written: one.engram"
expect 0 "$engram" train small.json --set questions=2 --out two.engram
cmp -s one.engram two.engram && fail "--set changes nothing"
# Training on a file uses the first half of its questions.
expect 0 "$engram" train small.json --set 'sets=[]' --set 'inputs=["family.nal"]' --out of_file.engram
says out "examples held out"

# Training on held-out statements: no questions are needed, and the probability of the hidden names increases.
grep -v '^//' family.nal | grep -v '?$' >stated.nal
expect 0 "$engram" train small.json --set objective=statements --set 'sets=[]' --set 'inputs=["stated.nal"]' \
  --set input_share=1 --set epochs=20 --out of_statements.engram
says out "log p of the name left out, mean over"
expect 0 "$engram" train small.json --set objective=statements --set statements=20 --jobs 3 --out of_sets.engram
expect 0 "$engram" train small.json --set objective=statements --set statements=20 --out of_sets_again.engram
cmp -s of_sets.engram of_sets_again.engram || fail "threads make a difference"
python3 - of_statements.engram of_sets.engram <<'PY'
import json, sys
for name in sys.argv[1:]:
    made = json.load(open(name))["made"]
    assert made["spec"]["objective"] == "statements" and made["examples"] > 10, made
    assert made["loss_held_out"]["after"] < made["loss_held_out"]["before"], made
PY

# Halves of the questions of a file. No proof in one half shares a statement with a proof in the other half.
for half in first second; do
  expect 0 "$engram" train small.json --set 'sets=[]' --set 'inputs=["family.nal"]' --set input_share=1 \
    --set "half=$half" --out "$half.engram"
done
cmp -s first.engram second.engram && fail "the halves are the same"
expect 2 "$engram" train small.json --set objective=statements --set half=first --out refused.engram
says err "/half"
cat >half.json <<'SPEC'
{"experiment": "answering", "inputs": ["family.nal"], "half": "second", "capacities": [6], "sets": [],
 "methods": ["proof_attention", {"model": "first.engram", "label": "first_half"}]}
SPEC
expect 0 "$engram" run half.json --out half
says out "first_half"

# Maps of a Hopfield network are trained by the same gradient descent, deterministically, and used as a method.
expect 0 "$engram" train small.json --set method=trained_hopfield --set steps=3 --out maps.engram
says out "recalled_second_first"
expect 0 "$engram" train small.json --set method=trained_hopfield --set steps=3 --jobs 3 --out maps_again.engram
cmp -s maps.engram maps_again.engram || fail "threads make a difference to maps"
expect 0 "$engram" recall family.nal --cue olav --method trained_hopfield --model maps.engram --top 3
expect 2 "$engram" train small.json --set embedding=svd --set dimensions=0 --out refused.engram
grep -q "/dimensions must be a whole number in \[1, 256\], found 0" err || fail "dimensions: $(cat err)"
expect 2 "$engram" train small.json --set method=trained_hopfield --set objective=statements --out refused.engram
says err "objective"

# Statements that state the answer are not used: adding them hardly changes the probability of known proofs before
# training.
python3 - <<'PY'
for name, telling in ("plain.nal", False), ("telling.nal", True):
    with open(name, "w") as out:
        print("<(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.", file=out)
        for i in range(10):
            print(f"<(*,a{i},b{i}) --> mother>.\n<(*,b{i},c{i}) --> father>.\n<(*,a{i},d{i}) --> mother>.\n<(*,d{i},c{i}) --> friend>.", file=out)
        for i in range(10 if telling else 0):
            print(f"<(*,a{i},c{i}) --> grandmother>.", file=out)
        for i in range(10):
            print(f"<(*,a{i},c{i}) --> ?1>?\n//expected: Answer: <(*,a{i},c{i}) --> grandmother>.\n"
                  f"//needed: <(*,a{i},b{i}) --> mother>.\n//needed: <(*,b{i},c{i}) --> father>.\n"
                  "//needed: <(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.", file=out)
PY
for name in plain telling; do
  expect 0 "$engram" train small.json --set 'sets=[]' --set "inputs=[\"$name.nal\"]" --out $name.engram
done
python3 - plain.engram telling.engram <<'PY'
import json, sys
plain, telling = (json.load(open(name))["made"] for name in sys.argv[1:])
assert telling["examples"] == plain["examples"] == 8 and plain["held_out"] == 2, (plain, telling)
assert abs(telling["loss_held_out"]["before"] - plain["loss_held_out"]["before"]) < 0.05, (plain, telling)
PY

# A training that is killed with -9 at any epoch and resumed with other threads gives the same bytes as an undisturbed
# one.
expect 0 "$engram" train small.json --set epochs=40 --out whole.engram
[ -e whole.engram.unfinished ] && fail "a finished training left a checkpoint"
cat >kill.py <<'PY'
import json, os, random, shutil, signal, subprocess, sys, time
engram = sys.argv[1]
rng = random.Random(1)
arguments = [engram, "train", "small.json", "--set", "epochs=40", "--out", "killed.engram"]
name = "killed.engram.unfinished"

def epochs():
    try:
        return len(json.load(open(name))["state"]["loss"])  # always complete
    except FileNotFoundError:
        return 0

def start(*more):
    return subprocess.Popen([*arguments, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

kills, kept, damaged = 0, 0, None
for wanted in (1, 6, 17, 30):
    run = start("--resume", "--jobs", str(rng.choice([1, 2, 3])))
    while epochs() < wanted and run.poll() is None:
        time.sleep(0.001)
    run.kill()
    said = run.communicate()[1]
    assert epochs() >= kept, "epochs were lost"
    assert (f"{kept} of 41 epochs are there already" in said) == (kept > 0), (kept, said)
    kept = epochs()
    kills += run.returncode == -signal.SIGKILL
    if wanted == 6:
        shutil.copy(name, "checkpoint")
assert kills >= 2 and not os.path.exists("killed.engram"), kills
run = start("--resume", "--jobs", "2")
said = run.communicate()[1]
assert run.returncode == 0 and not os.path.exists(name), said
same = lambda: open("killed.engram", "rb").read() == open("whole.engram", "rb").read()
assert same()

# Ctrl-C keeps the finished epochs, and the message explains how to resume.
os.remove("killed.engram")
run = start()
while epochs() < 3:
    time.sleep(0.001)
run.send_signal(signal.SIGINT)
said = run.communicate()[1]
assert run.returncode == 130 and f"stopped after {epochs()} of 41 epochs; go on with" in said, said
command = said[said.index("  engram train"):].strip().replace("engram", engram, 1)
assert subprocess.run(command, shell=True, stdout=subprocess.DEVNULL).returncode == 0
assert same()

# A checkpoint of another spec, of another format or damaged is refused and kept.
text = open("checkpoint").read()
for wrong, more, says in (
        (text, ["--set", "prior=0.5"], "another spec, input or build (at /spec/prior)"),
        (text.replace('"best_epoch":', '"best_epoch":1'), [], "is damaged or was changed"),
        (text.replace('"engram_checkpoint":1', '"engram_checkpoint":2'), [], "has format 2"),
        (text[:len(text) // 2], [], "is not an unfinished training"), ("", [], "is not an unfinished training")):
    open(name, "w").write(wrong)
    run = start("--resume", *more)
    said = run.communicate()[1]
    assert run.returncode == 2 and says in said and name in said, said
    assert open(name).read() == wrong
# Without --resume training starts again.
assert start().wait() == 0 and same() and not os.path.exists(name)
# --resume without a checkpoint starts training.
assert start("--resume").wait() == 0 and same()
PY
expect 0 python3 kill.py "$engram"

# Random proofs teach almost nothing about held-out proofs.
expect 0 "$engram" train small.json --set epochs=40 --out learnt.engram
expect 0 "$engram" train small.json --set epochs=40 --set labels=drawn --out drawn.engram
python3 - learnt.engram drawn.engram <<'PY'
import json, sys
gain = []
for name in sys.argv[1:]:
    loss = json.load(open(name))["made"]["loss_held_out"]
    gain.append(loss["before"] - loss["after"])
    assert gain[-1] >= 0, gain
assert gain[0] > 0.1 and gain[1] < gain[0] / 2, gain
PY

# Every command with methods accepts a model. No proof answers this question, so the weights rank
# guesses.
cue='<olav --> ?1>?'
expect 0 "$engram" recall family.nal --cue "$cue" --json
mv out plain.json
expect 0 "$engram" recall family.nal --cue "$cue" --model learnt.engram --json
mv out learnt.json
cmp -s plain.json learnt.json && fail "--model changed nothing"
cue='<(?1 * kari) --> parent>?'  # has two proofs
expect 0 "$engram" recall family.nal --cue "$cue" --model learnt.engram --json
mv out learnt.json
expect 0 "$engram" recall family.nal --cue "$cue" --model learnt.engram --set confidence_proof=0.2 --json
cmp -s out learnt.json && fail "--set beside --model changed nothing"
python3 - learnt.engram <<'PY' >requests
import json, sys
options = json.load(open(sys.argv[1]))["options"]
text = "".join(line for line in open("family.nal") if not line.startswith("//"))
print(json.dumps({"op": "input", "narsese": text}))
for more in ({}, {"options": options}):
    print(json.dumps({"op": "recall", "cue": "<olav --> ?1>?", "method": "proof_attention", **more}))
PY
expect 0 sh -c '"$1" serve --model learnt.engram <requests' sh "$engram"
[ "$(sed -n 2p out)" = "$(sed -n 3p out)" ] || fail "serve --model is not what the model's options are"
cp out served
expect 0 sh -c '"$1" serve <requests' sh "$engram"
[ "$(sed -n 3p out)" = "$(sed -n 3p served)" ] || fail "options without --model"
[ "$(sed -n 2p out)" = "$(sed -n 2p served)" ] && fail "serve --model changed nothing"
cat >spec.json <<'SPEC'
{"experiment": "answering", "inputs": ["family.nal"], "sets": [],
 "methods": ["proof_attention", {"model": "learnt.engram"}, {"model": "learnt.engram", "label": "warm", "options": {"temperature": 2}}]}
SPEC
expect 0 "$engram" run spec.json --out run
for label in proof_attention learnt warm; do
  grep -q "^$label," run/tables/whole.csv || fail "no row of $label"
done
expect 0 "$engram" verify run

# The default weights of methods equal the weights of the shipped model.
"$engram" run --schema >schema.json
python3 - "$source/experiments/models/proof_attention.engram" <<'PY'
import json, sys
model = json.load(open(sys.argv[1]))
for choice in json.load(open("schema.json"))["$defs"]["method"]["oneOf"]:
    if choice.get("properties", {}).get("method", {}).get("const") == model["method"]:
        defaults = {name: facts["default"] for name, facts in choice["properties"]["options"]["properties"].items()}
        assert defaults == model["options"], (defaults, model["options"])
        break
else:
    raise AssertionError("no such method")
PY

# Invalid models are refused with the reason.
sed 's/"temperature": 1/"temperature": 2/' learnt.engram >damaged.engram
for command in "recall family.nal --cue olav" "serve" "attach family.nal -- true"; do
  set -- $command
  name=$1
  shift
  expect 2 "$engram" "$name" --model damaged.engram "$@"
  says err "damaged.engram: is damaged or was changed"
  expect 2 "$engram" "$name" --model none.engram "$@"
  says err "none.engram"
done
expect 2 "$engram" recall family.nal --cue olav --method attention --model learnt.engram
says err "say --method proof_attention"
# The weights of the former path_attention are refused, because proof_attention interprets weights differently.
python3 - <<'PY'
import hashlib, json
model = {"engram_model": 1, "method": "path_attention", "options": {}, "made": {}}
model["sha256"] = hashlib.sha256(json.dumps(model, separators=(",", ":")).encode()).hexdigest()
json.dump(model, open("former.engram", "w"))
PY
expect 2 "$engram" recall family.nal --cue olav --model former.engram
says err "former.engram: is a model of path_attention"
expect 2 "$engram" run spec.json --set 'methods=[{"model":"damaged.engram"}]' --out refused
says err "/methods/0/model"
expect 2 "$engram" run spec.json --set 'methods=[{"model":"learnt.engram","method":"attention"}]' --out refused
says err "the model's method"
expect 2 "$engram" run spec.json --set 'methods=[{"model":"learnt.engram","options":3}]' --out refused
says err "/methods/0/options"
for wrong in 'sets=[]:there is nothing to learn from' 'held_out=[1]:must be none of /seeds' \
  'frozen=["hubs"]:did you mean' 'start="nowhere":/start' 'objective="answers":/objective' 'statements=3:statements' 'method="attention":/method' 'more=1:more'; do
  expect 2 "$engram" train small.json --set "${wrong%%:*}" --out refused.engram
  says err "${wrong#*:}"
done
expect 2 "$engram" train small.json --set 'sets=[]' --set 'inputs=["family.nal"]' --set input_share=0 --out refused.engram
says err "to learn from and to hold out; found 0 and 0"
expect 2 "$engram" train small.json --set objective=statements --set labels=drawn --out refused.engram
says err "/labels"
expect 2 "$engram" train nowhere --out refused.engram
[ -e refused.engram ] && fail "a refused model was written"
exit 0
