#!/bin/sh
# The benchmark of Hopfield networks runs, and the contestants agree: on few spins, as nothing is asked of its
# times. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --spins 300 --patterns 20 --concepts 500 2000 --stored 300 --columns 8 --repeats 2
for row in "== 300 spins, 20 patterns" "float matrix, rows" "float matrix, product" \
           "bit-packed patterns, recall" "bit-packed patterns, a step of all" "== 500 concepts" "== 2000 concepts" \
           "Eigen's product, double" "Eigen's product, float" "sparse network, all fields, 2 threads"; do
  says out "$row"
done
expect 0 "$engram" --spins 1 --patterns 1 --concepts 1 --stored 1 --columns 1 --threads 1 --repeats 1
! grep -q "2 threads" out || fail "threads were not asked for"

expect 2 "$engram" --spins 0
expect 2 "$engram" --damage 2
