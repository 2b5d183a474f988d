#!/bin/sh
# Runs each tutorial from its first command to its last (follow.py) in a new folder, as a newcomer would, with only the
# files of the project. Every part of a file that a
# tutorial shows must be in that file.
. "$(dirname "$0")/lib.sh"
programs=$source/tests/program
PATH=$(dirname "$engram"):$(dirname "$engram")/../tests:$PATH  # the second folder has the program of add_a_method.md
for page in "$source"/experiments/tutorials/*.md; do
  name=$(basename "$page" .md)
  mkdir "$work/$name"
  cd "$work/$name"
  mkdir -p tests/bridge/systems
  cp -r "$source/experiments" .
  cp -r "$source/tests/bridge/systems/transcripts" tests/bridge/systems
  expect 0 python3 "$programs/follow.py" "$source" "experiments/tutorials/$name.md"
  [ "$name" = README ] || [ "$(cat out)" -ge 4 ] || fail "$name: too few commands: $(cat out)"
  # Every block of code must follow a line that names its file.
  awk -v page="$name" '/^```(cpp|json|narsese)$/ && last !~ /`:$/ { print page ":" NR ": the line before must name the file"; bad = 1 }
                       NF { last = $0 } END { exit bad }' "$page" >&2 || fail "$name has a block without a file"
done
