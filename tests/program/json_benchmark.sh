#!/bin/sh
# The benchmark of reading JSON runs: on short texts, as nothing is asked of its times. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --largest 20000 --repeats 1
for row in "ns a byte .* 1 KB .* 8 KB .* 19 KB .* last : first" "^numbers " "^empty objects .* answered, " \
           "^deep objects " "^one object .* answered, " "^a matrix .* answered, " "^Narsese .* answered, "; do
  grep -q "$row" out || fail "no row '$row' in: $(cat out)"
done
expect 2 "$engram" --largest 10
