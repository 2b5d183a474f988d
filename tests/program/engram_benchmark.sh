#!/bin/sh
# The benchmark of kernels runs, and its contestants do the same work: on little, as nothing is asked of its times. Here
# ENGRAM is its program.
. "$(dirname "$0")/lib.sh"

expect 0 "$engram" --small --repeats 2 --isa all --json a.json
for row in "attention: softmax, one query, 5000 keys of 20" "limit  read K and V once, asking ahead, 2 threads" \
           "peer   Eigen" "engram softmax, bf16, portable, 2 threads" "attention: softmax, 3 queries" \
           "limit  its multiplications alone" "engram entmax 1.5" "attention: exact top 4" \
           "hopfield: classical, sweeps" "hopfield: classical, all spins at once, 300 spins, 20 patterns" \
           "hopfield: all fields of a graph of 2000 concepts" "hopfield: modern, a step, 300 patterns of 8" \
           "narsese: small_vocabulary: 1000 lines" "narsese: large_vocabulary, all atoms equally often" \
           "engram shared terms, line by line" "links: 20000 pairs of 1000 concepts, from empty" \
           "engram graph, many at once" "walks: PageRank, 20 steps" "walks: ECAN in proportion, at rest" \
           "walks: ECAN, 10 cycles" "paths: 5 questions of 9" "x a breadth-first search" "x one thread"; do
  says out "$row"
done
python3 - a.json <<'PY' || fail "not what --json promises"
import json, sys
scores = json.load(open(sys.argv[1]))
assert scores["engram_benchmark"] == 1 and len(scores["contests"]) >= 12, scores
for contest in scores["contests"]:
    roles = [row["role"] for row in contest["contestants"]]
    assert "engram" in roles and ("limit" in roles or "peer" in roles), contest
    for row in contest["contestants"]:
        assert len(row["seconds"]) == 2 and min(row["seconds"]) > 0, row
        for name in ("to_limit", "to_best_peer"):
            if name in row:
                assert 0 < row[name]["least"] <= row[name]["most"], row
PY

# Beside what was before: the suites that are asked for alone.
expect 0 "$engram" walks --small --repeats 2 --threads 1 --compare a.json
says out "x before (by read links"
! grep -q "attention" out || fail "a suite ran that nobody asked for"
expect 0 "$engram" attention --small --repeats 1 --threads 1 --keys 1
says out "1 keys of 20"
! grep -q "2 threads" out || fail "threads were not asked for"

expect 0 "$engram" links --small --repeats 1 --decay 0.001

# A parser that is a program: it tells its seconds.
cat >parser.sh <<'SH'
#!/bin/sh
[ "$(wc -l <"$1")" = 1000 ] && echo read && echo 0.5
SH
chmod +x parser.sh
expect 0 "$engram" narsese --small --repeats 1 --parser "other=$PWD/parser.sh"
says out "peer   other"
expect 1 "$engram" narsese --small --repeats 1 --parser "other=/bin/true"
says err "must be its seconds"
expect 1 "$engram" narsese --small --repeats 1 --parser "other=$PWD/missing"

# The lines: as long as promised, the same for the same seed.
expect 0 "$engram" --lines 5000 --write a
expect 0 "$engram" --lines 5000 --write b
expect 0 "$engram" --lines 5000 --seed 2 --write c
for mix in small large; do
  [ "$(wc -l <a_$mix.nal)" = 5000 ] || fail "a_$mix.nal has not 5000 lines"
  awk 'length < 35 || length > 80' a_$mix.nal >bad_length
  [ ! -s bad_length ] || fail "length of: $(head -1 bad_length)"
  cmp a_$mix.nal b_$mix.nal
  ! cmp -s a_$mix.nal c_$mix.nal || fail "another seed gave the same lines"
done
[ "$(grep -o '[a-z]*_[0-9]*' a_small.nal | sort -u | wc -l)" = 100 ] || fail "a_small.nal has not 100 atoms"

expect 2 "$engram" nothing
expect 2 "$engram" --keys 0
expect 2 "$engram" --damage 2
expect 2 "$engram" --isa mmx
expect 2 "$engram" --stored 1 2 --stored-columns 3
expect 2 "$engram" --compare missing.json
for text in '{}' '{"engram_benchmark":1,"contests":[{"suite":1}]}' '{"engram_benchmark":1,"contests":3}' '[' \
            '{"engram_benchmark":1,"contests":[{"suite":"a","name":"b","contestants":[{"name":"c","role":"limit","threads":1,"pieces":1,"seconds":[]}]}]}'; do
  echo "$text" >other.json
  expect 2 "$engram" --compare other.json
done
expect 2 "$engram" --parser nobody
expect 3 "$engram" --lines 10 --write /nowhere/small
