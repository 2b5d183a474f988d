#!/bin/sh
# Every op of the schema, with expensive arguments: what its limits and --memory hold for, measured from outside.
. "$(dirname "$0")/lib.sh"
expect 0 python3 "$source/tests/program/limits.py" "$engram" "$source/bridge/schema/protocol.schema.json"
cat out
