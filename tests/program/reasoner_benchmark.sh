#!/bin/sh
# The benchmark of the reasoner runs, for few steps, as nothing is asked of its numbers. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" "$source/experiments/data/family.nal" --steps 500
for row in "172 statements" "first_in_first_out .* 500 " "opennars_bags " "ona_queue " "by_urgency .* 500 "; do
  grep -q "$row" out || fail "no row '$row' in: $(cat out)"
done
expect 2 "$engram" missing.nal
expect 3 "$engram" "$source/experiments/data/family.nal" --steps 10 -- ./no-such-program
