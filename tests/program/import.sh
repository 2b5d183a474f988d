#!/bin/sh
# Tests `engram import`: foreign data as Narsese that each system accepts, and WordNet if its package is installed.
. "$(dirname "$0")/lib.sh"

for of in "" wordnet rdf table; do
  # shellcheck disable=SC2086 # a word or none
  expect 0 "$engram" import $of --help
  says out "Example:"
done
expect 2 "$engram" import
expect 2 "$engram" import tables

# reads_back FILE STATEMENTS: checks that every dialect accepts each line, and that the file has this number of statements.
reads_back() {
  for dialect in canonical ona opennars pynars; do
    expect 0 "$engram" parse "$1" --to $dialect
    if grep -q 'warning' err; then fail "$1: a warning from $dialect"; fi
  done
  [ "$(grep -cv '^//' "$1")" = "$2" ] || fail "$1: other than $2 statements"
}

# A table. The output is deterministic and is written completely or not at all.
printf 'cat\tis_a\tanimal\ntim\tisa instance\tcat\ntim\tlikes to-eat\tfish\ntim\tlikes_to_eat\tmilk\n' >pets.tsv
set -- import table pets.tsv --inheritance is_a --instance "isa instance"
expect 0 "$engram" "$@" --out pets.nal
test ! -s out || fail "--out printed something"
says err "pets.tsv:3:1: warning: 'likes to-eat' and 'likes_to_eat' would both be likes_to_eat"
says err "engram: 4 statements of 7 names, 1 of them renamed"
reads_back pets.nal 4
says pets.nal '<{tim} --> cat>.'
says pets.nal 'is "likes to-eat"'
expect 0 "$engram" "$@"
grep -v '^//engram' out >again
grep -v '^//engram' pets.nal | cmp -s - again || fail "standard output is another file"
expect 0 "$engram" recall pets.nal --cue '<(*,{tim},?1) --> likes_to_eat>?' --top 1
expect 0 "$engram" import table pets.tsv --truth '0.5;0.8'
says out '<(*,cat,animal) --> is_a>. %0.5;0.8%'
expect 2 "$engram" import table pets.tsv --truth nothing
expect 2 "$engram" import table pets.tsv --truth '1;2'
expect 2 "$engram" import table pets.tsv --inheritance isa
says err "did you mean 'is_a'?"
expect 2 "$engram" import table nothing.tsv --out nothing.nal
says err "nothing.tsv: No such file or directory"
expect 3 "$engram" import table pets.tsv --out no/such/folder.nal
printf 'a\tr\tb\na b\n' >broken.tsv
expect 1 "$engram" import table broken.tsv
says err "broken.tsv:2:4: error: expected a tab"
says out '<(*,a,b) --> r>.'
test ! -e nothing.nal || fail "a failed import left a file"

# ONA holds 182 names. Further names are reported and omitted.
awk 'BEGIN { for (i = 0; i < 300; ++i) print "a_name_that_is_much_too_long_for_it_" i "\tr\tb" }' >many.tsv
expect 1 "$engram" import table many.tsv --to ona --out many.nal
says err "more than 182 different names"
reads_back many.nal 180

# RDF in Turtle: classes, individuals, literals and blank nodes.
cat >pets.ttl <<'END'
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Cat rdfs:subClassOf :Animal .
:tim a :Cat ; :eats :fish , [ a :Food ] ; rdfs:label "Tim the Cat"@en .
END
expect 0 "$engram" import rdf pets.ttl --literals names --out ttl.nal
reads_back ttl.nal 6
says ttl.nal '<(*,{tim},Tim_the_Cat) --> label>.'
expect 2 "$engram" import rdf pets.ttl --inheritance rdfs:subClassOf
says err "'rdfs:subClassOf' is unknown"
expect 0 "$engram" import rdf pets.ttl --inheritance http://example.org/eats
says out '<tim --> fish>.'
echo ':Cat :is' >>pets.ttl
echo '<?xml version="1.0"?>' >pets.owl
expect 1 "$engram" import rdf pets.owl pets.ttl
says err "pets.owl:1:1: error: expected Turtle (.ttl) or N-Triples (.nt), found RDF/XML"
says err "pets.ttl:6:1: error: expected object"
says err "left out: 1 statements with a literal"
says out '<Cat --> Animal>.'

# An import that exceeds the limit on statements is refused as a whole.
yes "$(printf 'a\tr\tb')" | head -n 16000001 >large.tsv
expect 2 "$engram" import table large.tsv --out large.nal
says err "large.tsv:16000001: this is more than the 16000000 statements that an import may make"
test ! -e large.nal || fail "a refused import left a file"

# A cancelled import removes its files.
awk 'BEGIN { for (i = 0; i < 3000000; ++i) print i "\tr\t" i + 1 }' >endless.tsv
code=0
timeout --preserve-status 0.3 "$engram" import table endless.tsv --out endless.nal >out 2>err || code=$?
[ "$code" = 130 ] || fail "exit code $code when stopped, expected 130"
for left in endless.nal*; do
  test ! -e "$left" || fail "the cancelled import left $left"
done

# The shipped kinship file has exactly the facts and rules that an import of its facts gives.
kinship=$source/experiments/data/kinship.nal
sed -n 's/^<([*],n\([0-9]*\),n\([0-9]*\)) --> \([a-z]*\)>[.]$/\1\t\3\t\2/p' "$kinship" >kinship.tsv
expect 0 "$engram" import table kinship.tsv --rules 36 --out kinship.nal
grep -v '^//\|?$' kinship.nal >imported
grep -v '^//\|?$' "$kinship" | cmp -s - imported || fail "kinship.nal has other facts or rules"

# `engram parse --names short` shortens the names of an existing file in the same way as an import.
long=biomedical_occupation_or_discipline
printf '<%s --> a>.\n<%s --> a>?\n//expected: Answer: <%s --> a>.\n//needed: <%s --> a>.\n' $long $long $long $long >long.nal
expect 1 "$engram" parse long.nal --to ona
expect 0 "$engram" parse long.nal --to ona --names short
short=biomedical_occupation_or_826107  # suffix from sha256sum of the name
printf '//name: %s is "%s"\n<%s --> a>.\n<%s --> a>?\n//expected: Answer: <%s --> a>.\n//needed: <%s --> a>.\n' \
  $short $long $short $short $short $short >wanted
cmp out wanted
mv out short.nal
expect 0 "$engram" parse short.nal --to ona
cmp out wanted
expect 2 "$engram" parse long.nal --names short
says err "short needs a target system (--to)"
expect 2 "$engram" parse long.nal --to ona --names short --lint

# Tables and N-Triples larger than the memory limit are read by line, and Turtle by statement. The result may still
# exceed the limit. Prefixes are found without a linear search.
cat >large.py <<'PY'
import os, resource, subprocess, sys
engram = sys.argv[1]

def run(*arguments, code=0):
    done = subprocess.run([engram, "import", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    assert done.returncode == code, (arguments, done.returncode, done.stderr[-500:])
    return done.stderr.decode()

long = "n" * 200_000
with open("large.tsv", "w") as table, open("large.nt", "w") as triples:
    for i in range(1000):
        table.write("%s\tr\t%s\n" % (long, long[:100_000]))
        triples.write("<http://e/%s> <http://e/r> <http://e/%s> .\n" % (long, long[:100_000]))
run("table", "large.tsv", "--memory", "40M")
run("rdf", "large.nt", "--memory", "40M")
run("rdf", "large.nt", "--syntax", "turtle", "--memory", "40M")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
assert "ENGRAM_SANITIZED" in os.environ or peak < 160 << 20, peak
with open("many.tsv", "w") as table:
    for i in range(300_000):
        table.write("a%d\tr\tb%d\n" % (i, i))
assert "the limit is" in run("table", "many.tsv", "--memory", "40M", code=3)
with open("whole.ttl", "w") as turtle:
    turtle.write("# " + "x" * 60_000_000 + "\n<http://e/a> <http://e/r> <http://e/b> .\n")
    turtle.write("<http://e/a> <http://e/r> \"" + "x" * 60_000_000 + "\" .\n")
refusal = run("rdf", "whole.ttl", "--memory", "40M", code=3)
assert "whole.ttl:3:1: no room for this statement: " in refusal and "the limit is" in refusal, refusal
with open("long_line.tsv", "w") as table:
    table.write("a\tr\tb\n" + "x" * 2_000_000 + "\tr\tb\nc\tr\td\n")
assert "long_line.tsv:2:1: error: a line may have at most 1048576 bytes" in run("table", "long_line.tsv", code=1)
with open("prefixes.ttl", "w") as turtle:
    for i in range(200_000):
        turtle.write("@prefix p%d: <http://e.org/%d/> .\n" % (i, i))
        turtle.write("p%d:a p%d:r p%d:b .\n" % (i, i // 2, i // 3))
for names in ("local", "prefixed", "full"):
    run("rdf", "prefixes.ttl", "--names", names, "--out", names + ".nal")
assert "<(*,p7_a,p2_b) --> p3_r>." in open("prefixed.nal").read()
PY
python3 large.py "$engram"
rm -f large.tsv large.nt whole.ttl

# Imports the verbs of WordNet, if Debian's package is installed.
[ -e /usr/share/wordnet/data.noun ] || exit 0
expect 0 "$engram" import wordnet --parts verb --out verbs.nal
pointers=$(grep -v '^  ' /usr/share/wordnet/data.verb | grep -o ' @ [0-9]* v 0000' | wc -l)
[ "$(grep -c '^<[A-Za-z0-9_]* --> [A-Za-z0-9_]*>[.]$' verbs.nal)" = "$pointers" ] || fail "other than $pointers hypernyms"
says verbs.nal 'is "00001740-v breathe take_a_breath respire suspire"'
says verbs.nal '<(*,snore,sleep_v_1) --> entailment>.'
for dialect in opennars pynars; do
  expect 0 "$engram" parse verbs.nal --to $dialect
  if grep -q 'warning' err; then fail "WordNet's verbs: a warning from $dialect"; fi
done
