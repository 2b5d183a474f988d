#!/bin/sh
# The benchmark of parsing runs: on a few lines, as nothing is asked of its times. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --lines 1000 --repeats 1
for row in "== small_vocabulary: 1000 lines" "== large_vocabulary: 1000 lines" "newline scan" "nlohmann::json" \
           "Engram: shared terms, batches" "Engram: shared terms, line by line" "Engram: plain trees"; do
  says out "$row"
done

# The lines: as long as promised, the same for the same seed.
for mix in small large; do
  expect 0 "$engram" --lines 5000 --mix $mix --write $mix.nal
  [ "$(wc -l <$mix.nal)" = 5000 ] || fail "$mix.nal has not 5000 lines"
  awk 'length < 35 || length > 80' $mix.nal >bad_length
  [ ! -s bad_length ] || fail "length of: $(head -1 bad_length)"
  expect 0 "$engram" --lines 5000 --mix $mix --write again.nal
  cmp $mix.nal again.nal
  expect 0 "$engram" --lines 5000 --mix $mix --seed 2 --write other.nal
  ! cmp -s $mix.nal other.nal || fail "another seed gave the same lines"
done
[ "$(grep -o '[a-z]*_[0-9]*' small.nal | sort -u | wc -l)" = 100 ] || fail "small.nal has not 100 atoms"

expect 2 "$engram" --lines 0
expect 2 "$engram" --write both.nal
expect 3 "$engram" --lines 10 --mix small --write /nowhere/small.nal
