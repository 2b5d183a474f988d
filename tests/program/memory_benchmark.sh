#!/bin/sh
# The benchmark of memories runs, on few statements, as nothing is asked of its times. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --statements 100 400 --questions 4 --kinds families taxonomies --table rows.tsv
for row in "== families: 100 statements, 4 questions" "question, median / worst, ms" "to a pass over all statements" \
           "right after an input, to before, median" "parsing alone to ingest: CPU time, clock" \
           "the same, without readings" \
           "bytes a statement: memory, with readings" \
           "== taxonomies: the last memory's median beside the first's"; do
  says out "$row"
done
[ "$(wc -l <rows.tsv)" -eq 4 ] || fail "rows.tsv has a row a memory"
expect 0 "$engram" --file "$source/experiments/data/family.nal" --questions 3 --method k_hop
says out "to breadth-first search by Boost.Graph"

printf '<a --> b>.\n' >silent.nal
expect 1 "$engram" --file silent.nal
says err "silent.nal: no question is asked there"
expect 2 "$engram" --method no_such
expect 2 "$engram" --statements 1
