#!/bin/sh
# Tests `engram compare` on two runs of the same and of different experiments.
. "$(dirname "$0")/lib.sh"
file=$source/experiments/data/living_things.nal
expect 0 "$engram" run "$file" --out a --set methods='["attention","cosine"]'
expect 0 "$engram" run "$file" --out b --set methods='["attention","hopfield"]' --set capacity=6
expect 0 "$engram" compare a b
says out "/capacity: A has 12, B has 6"
says out "in A alone: cosine"
says out "in B alone: hopfield"
says out "corrected p"
expect 0 "$engram" compare a a
says out "The specs, inputs and builds are the same."
says out "The runs measured the same"
expect 0 "$engram" compare a b --format csv
says out "measure,method,A,B,B - A,B - A low,B - A high,p,corrected p,Cliff's delta,d_z,pairs,clear"
expect 0 "$engram" compare a b --format markdown
says out "| measure | method |"
# A smaller capacity keeps less. Rankings stay equal, but answers from fewer statements may differ.
expect 0 "$engram" compare a b --format csv
python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("out")))
assert {r["method"] for r in rows} == {"attention", "overlap", "frequency", "uniform"}, rows
for row in rows:
    difference = float(row["B - A"])
    if row["measure"] not in ("answered", "as expected"):  # fewer statements may mislead, or omit misleading ones
        assert difference <= 0 if row["measure"] in ("kept", "whole") else difference == 0, row
    assert float(row["B - A low"]) <= difference <= float(row["B - A high"])
    assert float(row["p"]) <= float(row["corrected p"]) <= 1
assert any(float(r["B - A"]) < 0 for r in rows)
PY
expect 2 "$engram" compare a missing
says err "error: missing: not a run: it has no spec.json"
expect 2 "$engram" report missing
says err "error: missing: not a run"
mkdir empty
expect 2 "$engram" compare a empty
says err "error: empty: not a run: it has no spec.json"
head -c 3000 a/results.jsonl >b/results.jsonl
expect 2 "$engram" compare a b
says err "error: b/results.jsonl:"
expect 0 "$engram" run equivalence --out e --set seeds=[1] --set sizes=[1]
expect 2 "$engram" compare a e
says err "a and e: nothing to pair: a run of 'comparison', and one of 'equivalence'"

# The runs of every experiment can be compared by its own measures.
data=$source/experiments/data
grep "^<(" "$data/umls.nal" | head -n 12 >train.nal
grep "^<(" "$data/umls_valid.nal" | head -n 3 >valid.nal
grep "^<(" "$data/umls_test.nal" | head -n 3 >held_out.nal
cat >l.json <<'JSON'
{"experiment": "links", "inputs": ["train.nal", "valid.nal", "held_out.nal"], "methods": ["cosine"], "seeds": [1],
 "pairs": 2, "epochs": 1, "regularisation": [0]}
JSON
cat >p.json <<'JSON'
{"experiment": "answering", "inputs": [], "methods": ["overlap"], "seeds": "1..2",
 "sets": [{"kind": "families", "groups": 2, "questions": 2}]}
JSON
expect 0 "$engram" run completion --out runs/completion --set seeds=[1] --set load=[1] --set cues=3
expect 0 "$engram" run icons --out runs/icons --set seeds=[1,2]
expect 0 "$engram" run prediction --out runs/prediction --set generated=false --set 'methods=["markov"]' --set seeds=[1]
expect 0 "$engram" run forgetting --out runs/forgetting --set zipf=false --set story=false --set 'policies=["recent"]'
expect 0 "$engram" run capacity --out runs/capacity --set 'figures=["no_error"]' --set effort=0.001 --set cues=3 \
  --set seeds=[1] --set inputs='["'"$file"'"]'
expect 0 "$engram" run l.json --out runs/links
expect 0 "$engram" run p.json --out runs/answering
mv e runs/equivalence
for measured in "completion statements" "icons restored" "prediction log-loss" "forgetting hit rate, room for 0.05" \
  "capacity recalled" "links MRR" "answering kept 12" "equivalence deviation"; do
  experiment=${measured%% *}
  expect 0 "$engram" compare "runs/$experiment" "runs/$experiment"
  says out "${measured#* }"
  says out "The runs measured the same"
done
