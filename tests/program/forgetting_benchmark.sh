#!/bin/sh
# The benchmark of forgetting runs, on little, as nothing is asked of its numbers. Here ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --inputs 9000 --limit 500 --old 20 --lately 50 --windows 3 --policies learnt recent random
for policy in learnt recent random; do says out "== $policy: 9000 inputs into 500 statements"; done
says out "whole proofs kept, of these found whole"
says out "resident, the later half's most to the first's"
[ "$(grep -c '^ *[0-9]' out)" -eq 9 ] || fail "out has no three lines a policy"
awk '/^ *[0-9]/ && $3 > 500 { exit 1 }' out || fail "a memory had more than 500 statements"
expect 2 "$engram" --policies none
says err "there is no policy none"
expect 2 "$engram" --again 1.5
