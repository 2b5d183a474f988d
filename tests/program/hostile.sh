#!/bin/sh
# Tests foreign specs and runs. For any text in them, `run`, `report`, `verify` and `compare` execute nothing and write
# only into their folder. The written files contain the texts as plain text.
. "$(dirname "$0")/lib.sh"
cp "$source/experiments/data/family.nal" .
touched() {
  found=$(find . -name 'pwned*' 2>/dev/null || true)
  [ -z "$found" ] || fail "something was executed: $found"
}
printf '%s' '{"extends":"completion","inputs":["family.nal"],"seeds":"1..1","cues":2,"load":[1],"noise":[0],"corruption":[0.5],' >base

# A label with a line feed is refused when the spec is read, before any trial.
printf '%s"methods":[{"method":"hopfield","label":"x\\nsystem(\\"touch pwned\\")\\n#"},"cosine"]}' "$(cat base)" >label.json
expect 2 "$engram" run label.json --out label
says err '/methods/0/label must be a text without control characters and the like, found \u000a at byte 2'
test ! -e label || fail "the run was started"
touched

# A foreign run with such a label: the spec is refused, and the rows are plain text.
printf '%s"methods":["hopfield","cosine"]}' "$(cat base)" >plain.json
expect 0 "$engram" run plain.json --out plain
cp -r plain theirs
python3 - <<'PY'
import re
text = open("theirs/spec.json").read()
open("theirs/spec.json", "w").write(text.replace('"label": "hopfield"', r'"label": "x\nsystem(\"touch pwned\")\n#"'))
PY
expect 2 "$engram" report theirs
says err "/methods/0/label must be a text without control characters"
(cd theirs && sha256sum $(cut -c 67- SHA256SUMS) >sums && mv sums SHA256SUMS)
expect 2 "$engram" verify theirs
says err "/methods/0/label must be a text without control characters"
touched

# Every hostile string as a label and in every text of every row.
cp "$source"/tests/program/hostile.py .
expect 0 python3 hostile.py "$engram" "$source"
cat out
touched

# Links out of the folder of a run are refused by name.
ln -s /etc theirs/tables2
expect 2 "$engram" report theirs
says err "tables2 must be a file or a folder, found a link"
expect 2 "$engram" verify theirs
says err "found a link"
expect 2 "$engram" compare theirs plain
says err "found a link"
rm theirs/tables2 && mkfifo theirs/pipe
expect 2 "$engram" report theirs
rm theirs/pipe
cp plain/SHA256SUMS theirs/
sed -i '1s/  .*/  ..\/..\/secret/' theirs/SHA256SUMS
expect 2 "$engram" verify theirs
says err "must be a name within the folder, found '../../secret'"
mkdir sweep && printf '[{"folder": "../plain", "values": {"a": 1}}]' >sweep/sweep.json
expect 2 "$engram" report sweep
says err 'expected a "folder" under cells/, found {"folder":"../plain"'
expect 2 "$engram" verify sweep

# Files that a spec reads from other folders are listed.
mkdir -p away/specs away/data && cp family.nal away/data/ && cp plain.json away/data/other.json
printf '%s"methods":["cosine"]}' "$(sed 's|"family.nal"|"../data/family.nal"|' base)" >away/specs/up.json
mkdir here && cd here
expect 0 "$engram" run ../away/specs/up.json --out run
says err "note: the spec reads $work/away/data/family.nal ('../data/family.nal'), which lies outside of ../away/specs"
printf '{"extends": "../data/other.json", "inputs": ["../data/family.nal"]}' >../away/specs/up.json
expect 0 "$engram" run ../away/specs/up.json --out run2
says err "note: the spec extends ../away/specs/../data/other.json, which lies outside of ../away/specs"
cd ..
expect 0 "$engram" run plain.json --out quiet
! grep -q note: err || fail "a note on a spec that reads only its own folder: $(cat err)"

# A picture that cannot be drawn is reported as missing, and the run is complete.
mkdir bin && printf '#!/bin/sh\nexit 7\n' >bin/gnuplot && chmod +x bin/gnuplot
expect 0 env PATH="$work/bin:$PATH" "$engram" run plain.json --out undrawn
says err "note: the picture load was not drawn: gnuplot failed with exit code 7"
says undrawn/report.html "was not drawn: gnuplot is not installed, or failed"
cmp plain/results.jsonl undrawn/results.jsonl
expect 0 "$engram" report undrawn
test -s undrawn/plots/load.svg || fail "the picture was not drawn again"
touched
