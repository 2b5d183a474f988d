#!/bin/sh
# The benchmark of attention runs, and the contestants agree: on few keys, as nothing is asked of its times.
# Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --keys 5000 --columns 20 --batch 3 --top 4 --repeats 2 --double
for row in "== 5000 keys and values of 20 columns" "read K and V once, asking ahead" "read K once" \
           "Eigen, one query" "Eigen, 3 queries" "softmax, 3 queries, 2 threads" "softmax, one query, bf16" \
           "sparsemax, one query" "top 4, bf16" "core/attention/attention.hpp in double"; do
  says out "$row"
done
expect 0 "$engram" --keys 1 --columns 1 --batch 1 --top 1 --threads 1 --repeats 1
! grep -q "2 threads" out || fail "threads were not asked for"

expect 2 "$engram" --keys 0
expect 2 "$engram" --columns -1
