#!/bin/sh
# Tests `engram shell` (shell.py): in a pipe like scripts for ONA's shell, with files, errors, signals, and on a
# terminal.
. "$(dirname "$0")/lib.sh"
expect 0 python3 "$source/tests/program/shell.py" "$engram" "$source"
says out ok
