#!/bin/sh
# Two runs against each other, from outside.
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
# What a smaller capacity keeps is less, and only that differs.
expect 0 "$engram" compare a b --format csv
python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("out")))
assert {r["method"] for r in rows} == {"attention", "overlap", "frequency", "uniform"}, rows
for row in rows:
    difference = float(row["B - A"])
    assert difference <= 0 if row["measure"] == "kept" else difference == 0, row
    assert float(row["B - A low"]) <= difference <= float(row["B - A high"])
    assert float(row["p"]) <= float(row["corrected p"]) <= 1
assert any(float(r["B - A"]) < 0 for r in rows)
PY
expect 2 "$engram" compare a missing
says err "error: missing: this is no run: it holds no spec.json"
expect 2 "$engram" report missing
says err "error: missing: this is no run"
mkdir empty
expect 2 "$engram" compare a empty
says err "error: empty: this is no run: it holds no spec.json"
head -c 3000 a/results.jsonl >b/results.jsonl
expect 2 "$engram" compare a b
says err "error: b/results.jsonl:"
expect 0 "$engram" run equivalence --out e --set seeds=[1] --set sizes=[1]
expect 2 "$engram" compare a e
says err "error: e: this is a run of 'equivalence'"
