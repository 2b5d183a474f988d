#!/bin/sh
# Checks the page on the protocol: its examples, defaults and client (protocol.py).
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
expect 0 python3 "$source/tests/program/protocol.py" "$engram" "$source"
