#!/bin/sh
# Every kind of bad input has a defined outcome and harms nothing else.
. "$(dirname "$0")/lib.sh"

printf '<cat --> animal>.\n<dog -> animal>.\n<bird --> animal>.\n<cat --> ?1>?\n' >bad.nal
expect 1 "$engram" run bad.nal --out run1
says err "bad.nal:2:6: error: unknown copula '->': did you mean '-->'?"
test -s run1/report.html || fail "the good lines were not processed"
expect 1 "$engram" parse bad.nal
says out "<bird --> animal>."
says err "bad.nal:2:6: error:"
expect 1 "$engram" recall bad.nal --cue '<cat --> ?1>?'
says out animal
expect 1 "$engram" graph bad.nal --format json
says out bird

for command in parse run graph; do
  expect 2 "$engram" $command missing.nal
  says err "missing.nal: No such file or directory"
  expect 2 "$engram" $command .
  says err "Is a directory"
done
cp bad.nal secret.nal
chmod 000 secret.nal
if [ "$(id -u)" = 0 ]; then as_nobody="setpriv --reuid=65534 --clear-groups"; else as_nobody=; fi  # root reads all
# shellcheck disable=SC2086 # a list of words, or nothing
if $as_nobody "$engram" --version >/dev/null 2>&1; then
  expect 2 $as_nobody "$engram" parse secret.nal
  says err "secret.nal: Permission denied"
fi

# A file that cannot be read to its end is an I/O error, not a short file.
if [ -e /proc/self/mem ]; then
  expect 3 "$engram" parse /proc/self/mem
  expect 3 "$engram" recall /proc/self/mem --cue cat
  expect 3 "$engram" run /proc/self/mem --out run0
  says err "/proc/self/mem: Input/output error"
fi

: >empty.nal
expect 0 "$engram" parse empty.nal
expect 1 "$engram" run empty.nal --out run2
says err "no input has a sentence"

head -c 200000 "$engram" >binary.nal
expect 1 "$engram" parse binary.nal
says err "binary.nal:1:"
[ "$(wc -l <err)" -le 102 ] || fail "a binary file floods the screen"

printf '\357\273\277<cat --> animal>.\r\n<cat --> ?1>?\r\n' >windows.nal
expect 0 "$engram" parse windows.nal
says out "<cat --> animal>."
printf '<cat --> animal>. %%1.0;0.9%%' >no_newline.nal
expect 0 "$engram" parse no_newline.nal
says out "<cat --> animal>. %1;0.9%"

# A line of 10 MB and 10,000 brackets are refused in bounded memory, and the next line is read.
{ head -c 10000000 /dev/zero | tr '\0' 'a'; printf '.\n<cat --> animal>.\n'; } >long.nal
expect 1 "$engram" parse long.nal
says err "long.nal:1:1: error: expected at most 65536 bytes in a line"
says out "<cat --> animal>."
{ head -c 10000 /dev/zero | tr '\0' '('; printf '\n<cat --> animal>.\n'; } >deep.nal
expect 1 "$engram" parse deep.nal
says err "deep.nal:1:257: error: expected at most 256 levels of brackets"
says out "<cat --> animal>."
(
  # AddressSanitizer reserves terabytes of address space, so it runs without this limit.
  [ -n "${ENGRAM_SANITIZED:-}" ] || ulimit -v 500000
  expect 1 "$engram" run long.nal deep.nal --out run3
)

# Errors beyond a screenful are only counted.
yes '<dog -> animal>.' | head -n 500 >many.nal
expect 1 "$engram" parse many.nal
says err "... and 400 more errors"
