#!/bin/sh
# The benchmark of attention over paths runs, on few statements, as nothing is asked of its times. Here ENGRAM is its
# program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --statements 40 400 --questions 4 --repeats 1
for row in "== made: " "attention over paths, what is given" "attention over paths, scores of all" \
           "search from both ends, scores of all" "the last memory beside the first"; do
  says out "$row"
done
expect 0 "$engram" --file "$source/experiments/data/family.nal" --questions 3 --repeats 1
says out "== $source/experiments/data/family.nal: 172 statements, 3 questions"

printf '<a --> b>.\n' >silent.nal
expect 1 "$engram" --file silent.nal
says err "silent.nal: no question is asked there"
expect 1 "$engram" --file missing.nal
expect 2 "$engram" --statements 1
