#!/bin/sh
# `engram shell`: a pipe as scripts for ONA's shell use it, files, errors, signals, and a terminal (shell.py).
. "$(dirname "$0")/lib.sh"
expect 0 python3 "$source/tests/program/shell.py" "$engram" "$source"
says out ok
