#!/bin/sh
# The benchmark of memories runs, on few statements, as nothing is asked of its times. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --statements 100 400 --questions 4 --kinds families taxonomies --table rows.tsv
for row in "== families: 100 statements, 4 questions" "question, median / worst, ms" "to a pass over all statements" \
           "right after an input, to before, median" "a copy for a client's question, to a pass" \
           "an input beside a copy, to one without" "parsing alone to ingest: CPU time, clock" \
           "the same, without readings" "ingest to a restart from a snapshot" \
           "bytes a statement: memory, with readings" "input without a limit to one at a quarter" \
           "== taxonomies: the last memory's median beside the first's"; do
  says out "$row"
done
[ "$(grep -vc '^#' rows.tsv)" -eq 4 ] || fail "rows.tsv has a row a memory"
for kind in families taxonomies; do
  says out "== $kind, n statements: question n^"
  says rows.tsv "# $kind, n statements: question n^"
done

# Rows of known powers: the picture's numbers, and the same bytes again.
printf '# kept\nx\t10000\t0.001\t0.1\t500\t600\nx\t100000\t0.001\t1\t500\t600\nx\t1000000\t0.001\t100\t50\t600\n' >known.tsv
expect 0 "$engram" --rows known.tsv --plots one
says out "== x, n statements: question n^0.00, ingest n^1.50, memory n^0.50, with readings n^1.00"
expect 0 "$engram" --rows known.tsv --plots two
for name in memory_time memory_bytes; do
  says one/$name.gp "set logscale xy 10"
  diff one/$name.gp two/$name.gp || fail "$name.gp is another one each time"
  if command -v gnuplot >/dev/null; then [ -s one/$name.svg ] || fail "$name.svg was not drawn"; fi
done
says one/memory_time.gp "n^1.50"
printf 'x\t10000\tsoon\n' >broken.tsv
expect 1 "$engram" --rows broken.tsv
says err "line 1: expected a kind and five numbers"
expect 1 "$engram" --rows no_such.tsv
# Of one size nothing grows.
expect 0 "$engram" --statements 100 --questions 2 --kinds chains --forget none
if grep -q 'nan\|beside the first' out; then fail "one memory has no law"; fi
expect 0 "$engram" --file "$source/experiments/data/family.nal" --questions 3 --method k_hop
says out "to breadth-first search by Boost.Graph"

printf '<a --> b>.\n' >silent.nal
expect 1 "$engram" --file silent.nal
says err "silent.nal: no question is asked there"
expect 2 "$engram" --method no_such
expect 2 "$engram" --statements 1
expect 2 "$engram" --forget no_such
