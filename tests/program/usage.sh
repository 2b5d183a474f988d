#!/bin/sh
# Tests help, wrong usage and wrong specs: exit codes, and messages that explain what to do.
. "$(dirname "$0")/lib.sh"
cp "$source/experiments/data/living_things.nal" animals.nal

expect 0 "$engram" --help
says out "Example:"
expect 0 "$engram" --version
says out "engram "
for command in ask shell run experiments verify parse recall graph serve report compare methods import generate train completion help; do
  expect 0 "$engram" $command --help
  says out "Example:"
done
expect 0 "$engram" serve --help
says out "  recall cue [method options top]"
expect 0 "$engram" help serve recall
says out "  top = 10: most concepts to return"
expect 2 "$engram" help serve recal
says err "did you mean 'recall'?"
expect 2 "$engram" help serve recall now
says err "expected one operation after 'serve', found 'now' as well"
expect 0 "$engram" run --help
says out "Shipped specs: answering, ablation, answered, calibration, full_memory, proof_terms,"
expect 2 "$engram"
expect 2 "$engram" recal
says err "did you mean 'recall'?"
expect 2 "$engram" recall animals.nal --cue cat --method hopfeld
says err "did you mean 'hopfield'?"
expect 2 "$engram" graph animals.nal --format svg
expect 2 "$engram" run animals.nal --jobs 0
expect 1 "$engram" recall animals.nal --cue '<cat'
says err "--cue:1:5: error: expected a copula, found end of line"
expect 0 "$engram" recall animals.nal --cue zzz
says err "knows nothing of the cue"

# The former name of a method still works.
cue='<{tweety} --> [feathered]>?'
expect 0 "$engram" recall animals.nal --cue "$cue" --method proof_attention --json
mv out plain.json
expect 0 "$engram" recall animals.nal --cue "$cue" --method path_attention --json
cmp -s out plain.json || fail "the former name path_attention gave another recall"

# Options of methods are checked like options in a spec.
expect 0 "$engram" recall animals.nal --cue "$cue" --method attention --json
mv out plain.json
expect 0 "$engram" recall animals.nal --cue "$cue" --method attention --set beta=0.5 --set map=sparsemax --json
cmp -s out plain.json && fail "--set changed nothing"
mv out alone.json
expect 0 "$engram" recall animals.nal --cue "$cue" --method attention --method cosine --set attention.map=sparsemax --set attention.beta=0.5 --json
python3 -c 'import json, sys
one, two = (json.load(open(name)) for name in sys.argv[1:])
assert two[0] == one[0] and two[1]["method"] == "cosine"' alone.json out
expect 0 "$engram" recall animals.nal --cue "$cue" --method attention --set map=sparsemax --explain --top 1
says out "sparsemax"
for wrong in "beta=-1:option 'beta' must be a number in" "map=softest:option 'map' must be one of softmax" \
  "temper=1:method 'attention' has no option 'temper'" "beta:must be name=value" "=1:must be name=value" \
  "atention.beta=1:did you mean 'attention'?" "beta=:option 'beta' must be a number in"; do
  for command in "recall animals.nal --cue cat" "attach animals.nal"; do
    nars= && [ "$command" = "attach animals.nal" ] && nars="-- true"
    expect 2 "$engram" $command --method attention --set "${wrong%%:*}" $nars
    says err "--set"
    says err "${wrong#*:}"
  done
done
expect 2 "$engram" recall animals.nal --cue cat --method attention --method hopfield --set beta=2
says err "of which method? Such as attention.beta=2"
expect 2 "$engram" recall animals.nal --cue cat --method pagerank --set links=learnt
says err "the memory learns by no rule"

# --decay sets the decay rate of a served memory.
printf '%s\n' '{"op":"input","narsese":"<a --> b>. %1;0.8%\n1"}' '{"op":"stats"}' >requests
expect 0 sh -c '"$1" serve --decay 0.5 <requests' sh "$engram"
says out '"evidence":0.4'
for wrong in 1 -0.1 fast; do
  expect 2 "$engram" serve --decay $wrong
  says err "must be at least 0 and below 1, found $wrong"
done

# Generated files are valid Narsese and depend only on the seed. Sizes out of range are refused.
expect 0 "$engram" generate chains --size 200 --seed 3 --questions 4
mv out chains.nal
expect 0 "$engram" parse chains.nal
expect 0 "$engram" recall chains.nal --cue "$(grep -m 1 '?$' chains.nal)" --method bidirectional_spreading --top 1
expect 0 "$engram" generate chains --size 200 --seed 3 --questions 4
cmp -s out chains.nal || fail "the same seed gave another file"
expect 0 "$engram" generate families --size 10
[ "$(grep -c '^//needed: ' out)" = 12 ] || fail "four questions need three statements each"
for kind in taxonomies events; do
  expect 0 "$engram" generate $kind --size 120 --seed 3 --questions 8
  mv out $kind.nal
  [ "$(grep -c '^[^/].*[.]\( %[01][.]0;0[.][0-9]*%\)*$' $kind.nal)" = 120 ] || fail "$kind: other than 120 statements"
  [ "$(grep -c '^//expected: ' $kind.nal)" = 8 ] || fail "$kind: other than eight questions"
  expect 0 "$engram" generate $kind --size 120 --seed 3 --questions 8
  cmp -s out $kind.nal || fail "the same seed gave another file"
  for dialect in canonical ona opennars pynars; do
    expect 0 "$engram" parse $kind.nal --to $dialect
    if grep -q 'warning' err; then fail "$kind: a warning from $dialect"; fi
  done
  expect 0 "$engram" recall $kind.nal --cue "$(grep -m 1 '?$' $kind.nal)" --method spreading_activation --top 1
  expect 0 "$engram" generate $kind --size 10
  says out "//needed: "
  expect 2 "$engram" generate $kind --size 9
done
for kind in theories compositions; do
  expect 0 "$engram" generate $kind --size 200 --seed 3 --questions 4
  mv out $kind.nal
  [ "$(grep -c '^//expected: ' $kind.nal)" = 4 ] || fail "$kind: other than four questions"
  expect 0 "$engram" generate $kind --size 200 --seed 3 --questions 4
  cmp -s out $kind.nal || fail "the same seed gave another file"
  expect 0 "$engram" recall $kind.nal --cue "$(grep -m 1 '?$' $kind.nal)" --method spreading_activation --top 1
done
expect 2 "$engram" generate chains --size 99
says err "must be at least 100"
expect 2 "$engram" generate family
says err "did you mean 'families'?"

expect 2 "$engram" run animals.nal --out run --set tops=3
says err '/tops: unknown field "tops" (did you mean "top"?); expected no members but "experiment", "inputs"'
expect 2 "$engram" run animals.nal --out run --set 'methods=["hopfeld"]'
says err "/methods/0/method must be one of "
says err 'found "hopfeld" (did you mean "hopfield"?)'
expect 2 "$engram" run animals.nal --out run --set 'methods=[{"method":"hopfield","options":{"winers":3}}]'
says err "/methods/0/options/winers"
expect 2 "$engram" run animals.nal --out run --set memory.decay=2
says err "/memory/decay must be a number in [0, 0.999999], found 2"
expect 2 "$engram" run animals.nal --out run --set top
expect 2 "$engram" run animals.nal --out run --set experiment=completeon
says err 'did you mean "completion"?'

expect 2 "$engram" run missing.json
says err "the spec: missing.json: No such file or directory"

# A shipped spec is found by name from any folder. A local file of that name takes precedence.
expect 2 "$engram" run predicton
says err 'predicton must be a file or a spec'"'"'s name, one of ' 
says err 'found "predicton" (did you mean "prediction"?)'
expect 2 "$engram" run prediction --out run --set 'methods=["markow"]'
says err "prediction.json with --set: /methods/0 must be one of "
says err 'found "markow" (did you mean "markov"?)'
expect 2 "$engram" run prediction --out run --set generated.jum=0.1
says err '/generated/jum: unknown field "jum" (did you mean "jump"?)'
expect 2 "$engram" run prediction --out run --set learning_rate=nan
says err "/learning_rate must be a number in"
expect 2 "$engram" run prediction --out run --set alpha=2
says err "/alpha must be a number in [1.001, 1.999], found 2"
expect 2 "$engram" run prediction --out run --set origins=[0.6,0.4]
says err "/origins/1 must be more than the one before, found 0.4"
echo '{"experiment": "icons", ' >broken.json
expect 2 "$engram" run broken.json
says err ": not JSON: "
test ! -e run || fail "a wrong spec made a folder"

# Files of the user are not overwritten.
mkdir mine && echo precious >mine/thesis.tex
expect 2 "$engram" run animals.nal --out mine
says err "is not a run of Engram"
says mine/thesis.tex precious

# A full disk is an I/O error.
if [ -w /dev/full ]; then
  code=0
  "$engram" methods >/dev/full 2>err || code=$?
  [ "$code" = 3 ] || fail "exit code $code on a full disk, expected 3"
fi

# Without the right to install packages the command is printed. Installed packages need no right.
expect 0 "$source/experiments/install_packages" dpkg
if [ "$(id -u)" = 0 ]; then as_nobody="setpriv --reuid=65534 --clear-groups"; else as_nobody=; fi
# shellcheck disable=SC2086 # a list of words, or nothing
if ! $as_nobody sudo -n true 2>/dev/null; then
  # from standard input, because the user `nobody` may not read this folder
  expect 3 $as_nobody sh -s dpkg no-such-package <"$source/experiments/install_packages"
  says err "apt-get install --yes --no-install-recommends no-such-package"
fi

expect 0 "$engram" methods
says out concept_attention
expect 0 "$engram" graph animals.nal --format graphml
says out "<graphml"
expect 0 "$engram" graph animals.nal --format dot
says out "graph G {"
# Explanations: each is the sum of its parts, for every method, with and without previous budgets.
methods=$("$engram" methods | sed -n 's/^\([a-z_]*\)  (.*/--method \1/p')
for after in "" "--after canary"; do
  # shellcheck disable=SC2086 # lists of words
  expect 0 "$engram" recall animals.nal --cue '<{tweety} --> [feathered]>?' $methods $after --explain --report why.html --json
  python3 - <<'PY'
import json
methods = json.load(open("out"))
assert len(methods) > 10
for method in methods:
    for item in method["explanation"]["concepts"] + method["explanation"]["statements"]:
        assert len(item["accounts"]) > 1 or item["note"], item
        for account in item["accounts"]:
            off = account["total"] - sum(part["amount"] for part in account["parts"])
            assert abs(off) < 1e-11, (method["method"], account)
PY
  says why.html '<svg class="way"'
done
expect 0 "$engram" recall animals.nal --cue cat --method attention --explain
says out "way: cat"
expect 0 "$engram" recall animals.nal --cue '<{tweety} --> [feathered]>?' --explain
says out "   proof:"
says out "<canary --> bird>  inheritance"
expect 1 "$engram" recall animals.nal --cue cat --after '<cat'
says err "--after:1:5: error: expected a copula"
expect 3 "$engram" recall animals.nal --cue cat --report /no/such/folder/why.html
expect 0 "$engram" recall animals.nal --cue '<{tweety} --> [feathered]>?' --method pagerank --method cosine --json
says out '"method": "pagerank"'
python3 -c 'import json,sys; r = json.load(open("out")); assert len(r) == 2 and r[0]["concepts"], r'
echo '(cat --> {a b}). :|: {1.0 0.9}' | "$engram" parse >out
says out "<cat --> {a,b}>. :|: %1;0.9%"

# Sets of facts have three files each. An error in a table has its place, and the other lines are used.
printf 'ann\tfriend\tbob\nbob\tfriend\tann\n' >train.tsv
printf 'ann\tfriend\n1 fact\tfriend\tbob\n' >valid.tsv
printf 'bob\tfriend\tcat\n' >test.tsv
expect 2 "$engram" run links --out run --set 'inputs=["train.tsv","valid.tsv"]'
says err "/inputs must be three files for each set"
facts='--set inputs=["train.tsv","valid.tsv","test.tsv"] --set epochs=1 --set pairs=2 --set seeds=[1]'
# shellcheck disable=SC2086 # a list of words
{
  expect 2 "$engram" run links --out run $facts --set 'methods=[{"method":"cosine","label":"pair_rules"}]'
  says err "/methods/0: 'pair_rules' is measured anyway"
  expect 2 "$engram" run links --out run $facts --set regularisation=[-1]
  says err "/regularisation/0"
  expect 2 "$engram" run links --out run $facts --set published=train.tsv
  says err "train.tsv: not JSON: line 1, column 1: expected JSON, found invalid literal"
  echo '{"sets": 1}' >published.json
  expect 2 "$engram" run links --out run $facts --set published=published.json
  says err "published.json/sets must be a list, found 1"
  expect 1 "$engram" run links --out facts $facts
  says err "valid.tsv:1:11: error: expected a tab"
  says out "On $(basename "$PWD"),"
}

# An empty file name is an error, and not the same as an absent option.
printf '<a --> b>.\n' >empty.nal
for option in --durable --unix --model; do
  expect 2 "$engram" serve $option '' </dev/null
  says err "$option: must not be empty"
done
expect 2 "$engram" serve --websocket 0 --token ''
says err "--token: must not be empty"
for option in --log --report --summary --durable; do
  expect 2 "$engram" attach --system engram $option '' empty.nal
  says err "must not be empty"
done
expect 2 "$engram" run empty.nal --out ''
says err "must not be empty"

# A durable folder is readable only by its owner.
umask 0
printf '%s\n' '{"op":"input","narsese":"<a --> b>."}' '{"op":"snapshot","path":"lines"}' \
  '{"op":"snapshot","path":"binary","form":"binary"}' | "$engram" serve --durable private >out
for file in lines binary private/*; do
  [ "$(stat -c %a "$file")" = 600 ] || fail "$file has the mode $(stat -c %a "$file")"
done
umask 022
