#!/bin/sh
# The benchmark of links runs, on few pairs, as nothing is asked of its times: it fails where the graph learns something
# else than a map. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

for decay in 0 0.001; do
  expect 0 "$engram" --concepts 500 --updates 20000 --repeats 2 --decay $decay
  for row in "== 20000 updates of pairs of 500 concepts" "links alone" "links and concepts" "graph, pair by pair" \
             "graph, many at once"; do
    says out "$row"
  done
done
expect 2 "$engram" --concepts 1
