#!/bin/sh
# Each tutorial from its first command to its last (follow.py), in a folder of its own as a newcomer has it: nothing
# there but the files of the project. What a tutorial shows of a file is in that file.
. "$(dirname "$0")/lib.sh"
programs=$source/tests/program
PATH=$(dirname "$engram"):$(dirname "$engram")/../tests:$PATH  # the second has the program of add_a_method.md
for page in "$source"/experiments/tutorials/*.md; do
  name=$(basename "$page" .md)
  mkdir "$work/$name"
  cd "$work/$name"
  mkdir -p tests/bridge/systems
  cp -r "$source/experiments" .
  cp -r "$source/tests/bridge/systems/transcripts" tests/bridge/systems
  expect 0 python3 "$programs/follow.py" "$source" "experiments/tutorials/$name.md"
  [ "$name" = README ] || [ "$(cat out)" -ge 4 ] || fail "$name: so few commands: $(cat out)"
  # What is not a command or its output, nor a command that is only shown, says which file it is part of.
  awk -v page="$name" '/^```(cpp|json|narsese)$/ && last !~ /`:$/ { print page ":" NR ": of which file?"; bad = 1 }
                       NF { last = $0 } END { exit bad }' "$page" >&2 || fail "$name shows what is in no file"
done
