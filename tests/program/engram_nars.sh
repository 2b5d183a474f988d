#!/bin/sh
# Tests the embedded reasoner as a NARS without a command, and the experiment `flood`, which runs it under every policy.
. "$(dirname "$0")/lib.sh"

family=$source/experiments/data/family.nal
expect 0 "$engram" attach --system engram --gate 12 --summary summary.json --log log "$family"
mv out events
python3 - "$source" <<'PY'
import json, sys
import jsonschema
summary = json.load(open("summary.json"))
assert summary["system"] == "engram" and summary["restarts"] == 0, summary
assert summary["questions"] == 33 and summary["answered"] >= 30 and summary["outcomes"]["wrong"] <= 3, summary
assert all(0 < len(row["given"]) <= 12 and not row["timed_out"] for row in summary["rows"]), summary["rows"]
validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1] + "/bridge/schema/event.schema.json")))
events = [json.loads(line) for line in open("events")]
for event in events[:300] + events[-300:]:
    validator.validate(event)
kinds = {event["event"] for event in events}
assert {"input", "derived", "answer"} <= kinds and not kinds & {"other", "error"}, kinds
PY
sha=$(sed -n 's/^engram: memory: sha256 //p' err)
expect 0 "$engram" replay log
says out "\"sha256\":\"$sha\""
# The same session gives the same events.
expect 0 "$engram" attach --system engram --gate 12 "$family"
cmp out events || fail "a second session has other events"

# The answer is the same if one reasoner gets all lines or if the memory has revised them. A question for a name has a
# name as its answer.
cat >ways.py <<'PY'
import json, subprocess, sys

engram = sys.argv[1]
certain, denied = "<tea --> drink>. %1;1%", "<tea --> drink>. %0;0.99%"
for knowledge, question, answer, truth in [
        ([certain] + 4 * [denied], "<tea --> drink>?", "<tea --> drink>", (1 / 16, 0.99)),
        ([certain, denied], "<tea --> drink>?", "<tea --> drink>", (1 / 2, 0.99)),
        (["<tea --> drink>. %1;0.995%", "<tea --> drink>. %0;0.9%"], "<tea --> drink>?", "<tea --> drink>", (99 / 108, 0.99)),
        (["<tea --> drink>. %0.2;0.99999%"], "<tea --> drink>?", "<tea --> drink>", (0.2, 0.99)),
        (["<{felix} --> cat>.", "<cat --> animal>."], "<?x --> cat>?", "<{felix} --> cat>", None),
        (["<{tim} --> cat>.", "<<$x --> cat> ==> <$x --> [furry]>>."], "<?x --> [furry]>?", "<{tim} --> [furry]>", (1, 0.81)),
        (["<{tim} --> cat>.", "<<$x --> cat> ==> <$x --> [furry]>>."], "<{?x} --> [furry]>?", "<{tim} --> [furry]>", (1, 0.81)),
        (["<{tim} --> [black]>.", "<<$x --> [black]> ==> <$x --> [lucky]>>."], "<?x --> [lucky]>?", "<{tim} --> [lucky]>",
         (1, 0.81)),
        (["<{ann} --> [2,3]>.", "<{ann} --> [(*,ill,2)]>.", "<{bob} --> [3,4]>."], "<{bob} --> [(*,ill,?x)]>?",
         "<{bob} --> [(*,ill,2)]>", None)]:
    lines = "\n".join(knowledge)
    with open("ways.nal", "w") as file:
        file.write(lines + "\n200\n" + question + "\n")
    subprocess.run([engram, "attach", "--system", "engram", "--summary", "ways.json", "ways.nal"], check=True, capture_output=True)
    row = json.load(open("ways.json"))["rows"][0]
    requests = [{"op": "input", "narsese": lines}, {"op": "reason", "question": question}]
    done = subprocess.run([engram, "serve"], capture_output=True, check=True,
                          input="".join(json.dumps(request) + "\n" for request in requests).encode())
    told = json.loads(done.stdout.splitlines()[-1])["result"]["answer"]
    assert row["answer"] == told["term"] == answer, (knowledge, question, row, told)
    for found in [row["truth"], [told["truth"]["frequency"], told["truth"]["confidence"]]] if truth else []:
        assert all(abs(x - y) < 1e-4 for x, y in zip(found, truth)), (knowledge, question, row, told)
PY
expect 0 python3 ways.py "$engram"

# Only external systems take a command, and they need one.
cp "$source/experiments/data/living_things.nal" animals.nal
expect 2 "$engram" attach --system engram animals.nal -- true
says err "--system engram is part of this program: expected no command after --, found true"
expect 2 "$engram" attach animals.nal
says err "expected the command of the NARS after --"
says err "--system engram"
expect 2 "$engram" attach --system ona animals.nal
says err "expected the command of the NARS after --"
expect 2 "$engram" attach --system engram --steer repeat animals.nal
says err "Engram's own reasoner cannot be steered by 'repeat'"
expect 2 "$engram" run answering --set 'system={"name":"engram","command":["true"]}'
says err "/system/command"

# `answering` asks it without a command and records its answers if requested.
set -- answering --set inputs=[] --set seeds=[1] --set 'sets=[{"kind":"families","groups":3,"questions":3}]' \
  --set 'methods=["proof_attention"]' --set ablation=[] --set tuning.methods=[]
expect 0 "$engram" run "$@" --set 'system={"name":"engram","cycles":5,"more_cycles":5}' --out asked
python3 - <<'PY'
import json
rows = {row["method"]: row["measures"] for row in map(json.loads, open("asked/results.jsonl"))}
assert rows["oracle"]["answered 12"] == rows["proof_attention"]["answered 12"] == [1.0] * 3, rows
assert sum(rows["uniform"]["answered 12"]) < 3, rows["uniform"]
PY
kept='system={"name":"engram","recording":"answers.jsonl","cycles":5,"more_cycles":5}'
expect 0 "$engram" run "$@" --set "$kept" --out kept
[ -s answers.jsonl ] || fail "nothing was kept"
cp answers.jsonl before.jsonl
expect 0 "$engram" run "$@" --set "$kept" --out again
cmp answers.jsonl before.jsonl || fail "recorded answers were computed again"
for run in kept again; do
  cmp asked/results.jsonl $run/results.jsonl || fail "$run: other rows"
done

cat >flood.json <<'JSON'
{"experiment": "flood", "inputs": [], "seeds": [1, 2], "methods": ["proof_attention"], "modes": ["weighed", "gate", "again"],
 "steps": 200, "sets": [{"kind": "families", "groups": 3, "questions": 2},
                        {"kind": "chains", "groups": 8, "questions": 2}]}
JSON
expect 0 "$engram" run flood.json --jobs 1 --out one
expect 0 "$engram" run flood.json --jobs 2 --out two
diff -r --exclude timings.jsonl one two || fail "the flood gives other bytes with more jobs"
expect 0 "$engram" verify one
says out "bit-identical: 4 trials gave the same bytes"
[ "$(ls one/cues | wc -l)" = 4 ] || fail "not a page for each question of the first seed: $(ls one/cues)"
# With a second NARS, here the same one: both get the same input, so their answers are comparable.
beside='system={"name":"engram"}'
expect 0 "$engram" run flood.json --set "$beside" --jobs 1 --out beside_one
expect 0 "$engram" run flood.json --set "$beside" --jobs 2 --out beside_two
diff -r --exclude timings.jsonl beside_one beside_two || fail "beside a NARS the flood gives other bytes with more jobs"
grep '^| ' beside_one/tables/outside.md | sed 's/\\//g; s/ |.*1.00 | 1.00 |$/ | all/' >told
[ "$(cut -d' ' -f2- told | sed -n '3p;$p' | cut -d' ' -f1)" = "everything
oracle" ] || fail "not everything first and a proof last: $(cat told)"
grep -q '^| oracle | all' told || fail "from a proof alone not all is answered: $(cat told)"
grep -q '^| everything | all' told && fail "from everything all is answered: $(cat told)"
diff one/tables/answered.md beside_one/tables/answered.md || fail "a second NARS changes the answers of the reasoner"
expect 2 "$engram" run flood.json --set 'controls=["ona_que"]'
says err 'did you mean "ona_queue"?'
