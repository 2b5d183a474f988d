#!/bin/sh
# Checks the main result on the project's own files: the statements that an answer needs rank above the others.
. "$(dirname "$0")/lib.sh"
for file in family living_things day_at_the_farm; do
  expect 0 "$engram" run "$source/experiments/data/$file.nal" --out "$file"
  says out "report: $file/report.html"
done
python3 - <<'PY'
import csv, json
for name, least in [("family", 0.94), ("living_things", 0.99), ("day_at_the_farm", 0.97)]:
    summary = json.load(open(f"{name}/summary.json"))
    methods = summary["results"]["methods"]
    best = max(methods, key=lambda m: methods[m]["needed_above_others"]["mean"])
    found = methods[best]["needed_above_others"]
    assert found["mean"] >= least and found["low"] > 0.5, (name, best, found)
    assert abs(methods["uniform"]["needed_above_others"]["mean"] - 0.5) < 1e-12  # the baseline is at chance level
    assert best in summary["answer"], summary["answer"]
    rows = list(csv.DictReader(open(f"{name}/tables/cues.csv")))
    assert rows and all(row["best method"] and row["margin"] for row in rows)
PY
# A file without questions gets held-out parts as cues.
printf '<cat --> animal>.\n<dog --> animal>.\n<dog --> [loyal]>.\n' >statements.nal
expect 0 "$engram" run statements.nal --out statements
says statements/results.jsonl '"kind":"held_out"'
