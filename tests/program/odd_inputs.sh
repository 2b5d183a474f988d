#!/bin/sh
# Tests inputs that are not regular files, and bytes that are not text: they are reported with their place, and nothing
# hangs or ends early.
. "$(dirname "$0")/lib.sh"
limit="timeout -s KILL 60"
cp "$source/experiments/data/family.nal" .

# `run` reads each input more than once, so it accepts only regular files. A pipe without a writer would block.
mkfifo pipe.nal pipe.json
mkdir broken
mkfifo broken/spec.json
for input in pipe.nal /dev/zero /dev/full; do
  expect 2 $limit "$engram" run $input --out run
  says err "$input must be a file, found a"
  [ ! -e run ] || fail "a folder was made for $input"
done
printf '{"experiment":"comparison","inputs":["pipe.nal"],"seeds":[1],"methods":["cosine"]}' >spec.json
expect 2 $limit "$engram" run spec.json --out run
says err "pipe.nal must be a file, found a pipe"
printf '{"extends":"pipe.json"}' >extends.json
expect 2 $limit "$engram" run pipe.json --out run
says err "pipe.json must be a file, found a pipe"
expect 2 $limit "$engram" run extends.json --out run
says err "/extends: pipe.json must be a file or a spec's name"
for command in report verify; do expect 2 $limit "$engram" $command broken; done
expect 2 $limit "$engram" compare broken broken
expect 0 "$engram" run family.nal --out done
for name in spec.json results.jsonl; do
  cp -r done odd
  rm odd/$name
  mkfifo odd/$name
  for command in report verify; do
    expect 2 $limit "$engram" $command odd
    says err "odd/$name must be a file or a folder, found neither"
  done
  expect 2 $limit "$engram" compare odd done
  rm -r odd
done

# Commands that read once, within limits, accept pipes, and devices that end.
for command in "parse /dev/zero" "recall /dev/zero --cue a" "graph /dev/zero" "attach /dev/zero -- true" \
  "replay /dev/zero"; do
  # shellcheck disable=SC2086 # words
  expect 2 $limit "$engram" $command
  says err "/dev/zero must be a file, found a device"
done
for command in "parse pipe.nal" "recall pipe.nal --cue tim" "graph pipe.nal"; do
  printf '<tim --> cat>.\n' >pipe.nal &
  # shellcheck disable=SC2086
  expect 0 $limit "$engram" $command
  says out tim
done
expect 0 "$engram" parse /dev/null

# Invalid UTF-8 in sentences, comments, commands and expectations, in every dialect: JSON cannot hold it, other output
# keeps it in comments.
printf '<a --> b>.\n<c --> \377>.\n// caf\351\n*caf\351\n<d --> e>.\n' >bytes.nal
for from in auto common ona opennars pynars; do
  for to in canonical common ona opennars pynars json; do
    expect 1 "$engram" parse --from $from --to $to bytes.nal
    says err "bytes.nal:2:8: error: expected UTF-8 text, found an invalid byte"
    if [ $to = json ]; then
      says err "bytes.nal:3:7: error: expected UTF-8 text, found an invalid byte"
      says err "bytes.nal:4:5: error: expected UTF-8 text, found an invalid byte"
      says out '"atom":"e"'
      [ "$(wc -l <out)" = 2 ] || fail "two lines are JSON"
    else
      says out "<d --> e>."
    fi
  done
done
printf '<a --> b>.\n //needed: <a --> b>.\n' >orphan.nal
expect 0 "$engram" parse orphan.nal
says err "orphan.nal:2:2: warning: expected a question before '//needed:'"
# A comment that resembles a directive gives a warning wherever the file is read, and changes nothing else.
printf '// note: this\n<a --> b>.\n<b --> c>.\n<a --> c>?\n//expected: Answr: <a --> c>.\n //needd: <a --> b>.\n' >slips.nal
slip="slips.nal:6:2: warning: unknown directive '//needd:', read as a comment: did you mean '//needed:'?"
for command in "ask slips.nal" "run slips.nal --out slips" "parse slips.nal"; do
  expect 0 "$engram" $command
  says err "$slip"
  says err "slips.nal:5:13: warning: unknown directive '//expected: Answr'"
  [ "$(grep -c warning: err)" = 2 ] || fail "$command warns of more than two slips: $(cat err)"
done
expect 0 "$engram" parse --lint slips.nal
says out "$slip [misspelt-directive]"
expect 1 "$engram" parse --lint bytes.nal
says out "bytes.nal:2:8: error: expected UTF-8 text"
printf '\357\273\277{"term":{"atom":"a"},"punctuation":"."}\r\n{"term":{"atom":"\377"},"punctuation":"."}\n\000\n' >bytes.json
printf '{"text":"// caf\351"}\n{"term":{"atom":"b"},"punctuation":"."}' >>bytes.json
for to in canonical common ona opennars pynars; do
  expect 1 "$engram" parse --from json --to $to bytes.json
  for line in 2 3 4; do says err "bytes.json:$line:"; done
  [ "$(cat out)" = "a.
b." ] || fail "the good lines were not written to $to"
done
printf '\357\273\277<a --> b>.\r\n<a\000b --> c>.\r\n// x\000y\r\n<c --> d>.\r\n' >nul.nal
expect 1 "$engram" parse --to json nul.nal
says err "nul.nal:2:3: error: expected text, found a NUL byte"
[ "$(wc -l <out)" = 3 ] || fail "a comment with a NUL byte is JSON"
says out 'x\u0000y'

# A volume command written in one dialect can be read in each.
for to in ona opennars pynars; do
  printf '*volume=7\n<a --> b>.\n' | "$engram" parse --to $to >volume.nal
  expect 0 "$engram" parse --from $to --to ona volume.nal
  says out "*volume=7"
done

# Names that look the same: lint and recall name the character that differs.
printf '<elephant --> mammal\342\200\213>.\n<mammal --> animal>.\n<c\320\260t --> animal>.\n' >alike.nal
expect 0 "$engram" parse --lint alike.nal
says out "(once, first in line 2): U+200B ZERO WIDTH SPACE [near-duplicate-name]"
# recall_of CUE NOTE: the note of recall about a name that is not in the memory.
recall_of() {
  expect 0 "$engram" recall alike.nal --cue "$1"
  says err "engram: note: --cue: the memory has no name $2"
}
recall_of '<cat --> ?1>?' "'cat'; it only looks like 'c$(printf '\320\260')t': U+0430 CYRILLIC SMALL LETTER A"
recall_of '<anmial --> ?1>?' "'anmial'; it differs by one letter from 'animal'"
recall_of "$(printf '\342\200\256animal')" "'\\u202eanimal'; it only looks like 'animal': U+202E RIGHT-TO-LEFT OVERRIDE"
recall_of '<zebra --> animal>?' "'zebra'"
# The output has one note for each unknown name. Many unknown names are compared in one pass.
expect 0 "$engram" recall alike.nal --cue '(&&,<zebra --> anmial>,<zebra --> animal>)'
[ "$(grep -c 'the memory has no name' err)" = 2 ] || fail "not a note for each of two unknown names: $(cat err)"
python3 -c '
with open("many.nal", "w") as file:
    file.writelines("<name%d --> kind>.\n" % i for i in range(20000))
print("(*," + ",".join("other%d" % i for i in range(3000)) + ")", end="")' >many.cue
expect 0 "$engram" recall many.nal --cue "$(cat many.cue)"
[ "$(grep -c 'the memory has no name' err)" = 3000 ] || fail "not a note for each of 3000 unknown names"

# Names, comments and file names cannot send terminal commands or change the text direction. Output to files and other
# programs is unchanged.
cat >terminal.py <<'PY'
import os, pty, subprocess, sys

engram = sys.argv[1]
name = b"esc\x1b[31m\xc2\x9b\xe2\x80\xae.nal"
with open(name, "wb") as file:
    file.write("// \u202ecomment \x9b31m\x1b[31m\n<a\u202eb --> c\x9bd>.\n<broken \u2066\n<a\u200eb --> ?1>?\n".encode())


def shown(*command):
    """The output on a terminal, from standard output and standard error."""
    here, there = pty.openpty()
    running = subprocess.Popen([engram.encode(), *command], stdin=subprocess.DEVNULL, stdout=there, stderr=there)
    os.close(there)
    got = b""
    while True:
        try:
            piece = os.read(here, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        got += piece
    running.wait()
    os.close(here)
    return got


for command in [[b"parse", name], [b"parse", b"--lint", name], [b"parse", b"--to", b"json", name], [b"recall", name, b"--cue", b"a"],
                [b"recall", name, b"--cue", "\u202ex".encode()], [b"parse", name + b"?"], [b"graph", name], [b"run", name + b"?"]]:
    got = shown(*command)
    for raw in [b"\x1b", b"\xc2\x9b", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\x8e"]:
        assert raw not in got, (command, raw, got)
    assert got, command
assert b"\\u202e" in shown(b"parse", name), "the output has an escape for it"
piped = subprocess.run([engram.encode(), b"parse", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert "// \u202ecomment \x9b31m\x1b[31m".encode() in piped.stdout, piped.stdout
assert b"\x1b" not in piped.stderr and b"\\u001b" in piped.stderr, piped.stderr
PY
expect 0 python3 terminal.py "$engram"
