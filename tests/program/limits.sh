#!/bin/sh
# Tests that time limits and --memory hold for every operation of the schema with expensive arguments, measured from
# outside.
. "$(dirname "$0")/lib.sh"
expect 0 python3 "$source/tests/program/limits.py" "$engram" "$source/bridge/schema/protocol.schema.json"
cat out
