#!/bin/sh
# Tests forgetting: with a NARS and in runs, for every policy. Limits always hold. Replays, resumed folders, more jobs
# and kills give the same results. Pages show the forgotten items.
. "$(dirname "$0")/lib.sh"
cat >stream.py <<'PY'
import random
dice = random.Random(7)
lines = []
for i in range(80):
    lines.append("<s%d --> m%d>." % (dice.choice([i, i, dice.randrange(i + 1)]), i % 7))
    lines.append("<m%d --> t%d>." % (i % 7, i % 3))
    if i % 10 == 9:
        lines += ["4", "<s%d --> t%d>?" % (i, i % 3)]
open("stream.nal", "w").write("\n".join(lines) + "\n")
half = len(lines) // 2
open("first.nal", "w").write("\n".join(lines[:half]) + "\n")
open("second.nal", "w").write("\n".join(lines[half:]) + "\n")
PY
python3 stream.py
fake="python3 $source/tests/program/fake_nars.py"
limits="--max-statements 24 --max-concepts 60 --max-hebbian-links 60"

# attached FILE OPTION...: sets `sha` to the sha256 of the memory.
attached() {
  file=$1
  shift
  # shellcheck disable=SC2086 # lists of words
  expect 0 "$engram" attach "$@" $limits "$file" -- $fake
  sha=$(sed -n 's/^engram: memory: sha256 //p' err)
}
for policy in learnt recent frequent useful evidence random; do
  case $policy in
    learnt | useful) set -- "" "--gate 4" "--steer order" "--steer repeat --steered 3" "--gate 4 --steer reimport --learn all" ;;
    *) set -- "" ;;
  esac
  for ways; do
    # shellcheck disable=SC2086 # a list of words
    attached stream.nal --forget $policy $ways --log log --summary summary --report page.html
    says err "; forgotten: "
    expect 0 "$engram" replay log --report again.html
    says out "\"sha256\":\"$sha\""
    says out "\"policy\":\"$policy\""
    cmp page.html again.html || fail "the page of a replay is another one: $policy, $ways"
    says page.html "<h2>What was forgotten</h2>"
    says page.html "<code>$policy</code>"
    python3 - "$policy" <<'PY'
import json, sys
start = json.loads(open("log").readline())
assert start["forgetting"] == sys.argv[1] and start["limits"]["statements"] == 24, start
gone = json.load(open("summary"))["forgotten"]
assert gone["policy"] == sys.argv[1] and gone["statements"] > 30 and sum(gone["times"].values()) > 3, gone
PY
  done
  # Two sessions that continue from a folder give the same as one session.
  rm -rf whole parts
  attached stream.nal --forget $policy --learn nothing --durable whole
  one=$sha
  attached first.nal --forget $policy --learn nothing --durable parts
  attached second.nal --forget $policy --learn nothing --durable parts
  [ "$one" = "$sha" ] || fail "a saved memory continues differently: $policy"
done
# shellcheck disable=SC2086 # lists of words
expect 1 "$engram" attach $limits stream.nal --log log -- $fake
says err "the memory is full: the limit is 24 statements"
expect 0 "$engram" replay log
# A restarted reasoner gets what the memory still has.
# shellcheck disable=SC2086 # lists of words
expect 0 "$engram" attach --forget recent --learn nothing $limits --log log stream.nal -- $fake exit=150 --times 1 lives
says err "was restarted 1 times"
python3 - <<'PY'
import json
entries = [json.loads(line) for line in open("log")][1:]
starts = [i for i, entry in enumerate(entries) if "fresh" in entry]
assert len(starts) == 2, starts
told = [e["sent"] for e in entries[:starts[1]] if e.get("sent", "").startswith("<")]
again = []
for entry in entries[starts[1]:]:
    if "heard" in entry:
        break
    if entry.get("sent", "").startswith("<"):
        again.append(entry["sent"])
assert 10 < len(set(again)) <= 24 < len(set(told)), (again, told)
assert set(again) <= set(told)
PY
expect 0 "$engram" replay log

# Runs of an experiment forget the same statements with more jobs and after a resume.
run="answering --set sets=[{\"kind\":\"families\",\"groups\":12,\"questions\":6}] --set seeds=[1,2,3]
  --set inputs=[\"$source/experiments/data/family.nal\"] --set methods=[\"overlap\"] --set ablation=[]
  --set tuning.methods=[] --set memory.max_statements=60 --set memory.forget=useful"
# shellcheck disable=SC2086 # lists of words
expect 0 "$engram" run $run --jobs 1 --out one
# shellcheck disable=SC2086
expect 0 "$engram" run $run --jobs 3 --out three
for file in results.jsonl summary.json spec.json report.html; do
  cmp one/$file three/$file || fail "$file differs by jobs"
done
expect 0 "$engram" verify one
says one/spec.json '"forget": "useful"'
says one/report.html "<h2>What was forgotten</h2>"
says one/report.html "because there was no room for another statement"
for policy in none learnt recent frequent useful evidence random; do
  grep -q "^$policy," one/tables/memory.csv || fail "no row of $policy: $(cat one/tables/in_memory.csv)"
done
# A run that was truncated, as by a kill, resumes with the same results.
cp -r one cut
head -c $(($(wc -c <one/results.jsonl) / 2)) one/results.jsonl >cut/results.jsonl
# shellcheck disable=SC2086
expect 0 "$engram" run $run --resume --out cut
cmp one/results.jsonl cut/results.jsonl || fail "a run that was resumed has other results"
expect 0 "$engram" compare one three
expect 2 "$engram" run answering --set memory.forget=everything
says err "/memory/forget"
expect 2 "$engram" run comparison --set memory.forget=recent
says err "/memory/forget"
expect 2 "$engram" attach --forget everything stream.nal -- true
