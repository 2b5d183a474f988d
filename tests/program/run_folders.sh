#!/bin/sh
# A run never replaces another. If --out is not empty, the message lists the three options. Folders without --out are
# numbered. Errors in an input are listed at the end of a run and in its folder. The columns of a table can be selected.
. "$(dirname "$0")/lib.sh"
printf '<a --> b>.\n<b --> c>.\n<b -> d>.\n<a --> c>?\n//needed: <a --> b>.\n//needed: <b --> e>.\n' >a.nal
same="a.nal --set methods=[\"overlap\"]"

# shellcheck disable=SC2086 # a list of words
{
  expect 1 "$engram" run $same
  says out "report: engram-runs/comparison-a/report.html"
  says err "a.nal:3:4: error: unknown copula"
  says err "a.nal:6:1: error: //needed: names no statement of this file: '<b --> e>'; the nearest is '<b --> c>' in line 2"
  says out "2 lines of the inputs could not be read: a.nal:3:4, a.nal:6:1"
  says engram-runs/comparison-a/report.html "<code>a.nal:6:1</code>: //needed: names no statement of this file"
  says engram-runs/comparison-a/manifest.json '"place": "a.nal:3:4"'
  cp -r engram-runs/comparison-a first
  expect 1 "$engram" run $same
  says out "report: engram-runs/comparison-a-2/report.html"
  expect 1 "$engram" run $same
  says out "report: engram-runs/comparison-a-3/report.html"
  expect 1 "$engram" run $same --resume
  says out "report: engram-runs/comparison-a-3/report.html"
  says err "trials are there already"

  # Repeating the run keeps the results. Another spec, input or build is refused.
  expect 1 "$engram" run $same --out engram-runs/comparison-a
  says err "trials are there already"
  expect 2 "$engram" run $same --set capacity=3 --out engram-runs/comparison-a
  says err "engram: error: --out: engram-runs/comparison-a holds a run of another spec (it differs at /capacity)"
  for way in --out --resume --force; do says err "($way)"; done
  cp a.nal kept.nal
  echo '<c --> d>.' >>a.nal
  expect 2 "$engram" run $same --out engram-runs/comparison-a
  says err "holds a run of other inputs (it differs at /inputs/0/"
  cp kept.nal a.nal
  diff -r --exclude timings.jsonl first engram-runs/comparison-a || fail "a refused run changed the other"

  expect 1 "$engram" run $same --set capacity=3 --out engram-runs/comparison-a --force
  says engram-runs/comparison-a/spec.json '"capacity": 3'
  expect 2 "$engram" run $same --force
  says err "--force requires --out"
  expect 2 "$engram" run $same --out x --force --resume
  says err "--resume excludes --force"

  # A repeated sweep keeps its results.
  sweep='--set sweep={"capacity":[2,3]}'
  expect 1 "$engram" run $same $sweep --out sweep
  says out "2 lines of the inputs could not be read: a.nal:3:4, a.nal:6:1"
  cp -r sweep before
  expect 1 "$engram" run $same $sweep --out sweep
  diff -r --exclude timings.jsonl before sweep || fail "the same sweep again is another"
  expect 2 "$engram" run $same $sweep --set memory.decay=0.1 --out sweep
  says err "holds another sweep"
  for way in --out --resume --force; do says err "($way)"; done
  expect 2 "$engram" run $same --set 'sweep={"capacity":[2,4]}' --out sweep
  says err "holds another sweep"
  rm -r sweep/report.html sweep/cells/00002*
  expect 2 "$engram" run $same $sweep --out sweep
  says err "holds this sweep, unfinished"
  expect 1 "$engram" run $same $sweep --out sweep --resume
  diff -r --exclude timings.jsonl before sweep || fail "the resumed sweep is another"
  expect 1 "$engram" run $same --set 'sweep={"capacity":[2,4]}' --out sweep --force
  grep -qF '"capacity": 4' sweep/sweep.json || fail "the sweep was not replaced"
}

# `engram report` prints a table in LaTeX with selected columns, by name or number.
expect 0 "$engram" run equivalence --out equal --set seeds=[1] --set sizes=[1]
expect 0 "$engram" report equal --table identities --columns verdict,1
grep -q '^verdict & .*identity' out || fail "the columns are others: $(cat out)"
says out '\label{tab:identities}'
[ "$(sed -n '/midrule/,/bottomrule/p' out | grep -c ' & ')" = "$(($(wc -l <equal/tables/identities.csv) - 1))" ] ||
  fail "rows are missing"
expect 2 "$engram" report equal --table identities --columns verdct
says err "--columns: the table identities has no column 'verdct'. Its columns, by name or number: 1 identity, 2 both sides, 3"
expect 2 "$engram" report equal --table identites
says err "did you mean 'identities'?"
expect 2 "$engram" report equal --columns verdict
says err "--columns requires --table"
expect 2 "$engram" report sweep --table identities
says err "sweep is a sweep; name one of its runs"
