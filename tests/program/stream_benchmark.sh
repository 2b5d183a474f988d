#!/bin/sh
# The benchmark of streams runs, for few events, as nothing is asked of its numbers. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"
program=$(dirname "$engram")/../engram

expect 0 "$engram" --events 2000 --kinds 100 --times 20 --engram "$program"
for row in "predictive  *[0-9]" "oracle  *[0-9]" "the NARS alone  *[0-9].* 1.0" "engram attach --stream  *[0-9]" "\-\-live  *[0-9]"; do
  grep -q "$row" out || fail "no row '$row' in: $(cat out)"
done
expect 2 "$engram" --events none
