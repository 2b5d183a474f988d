#!/bin/sh
# Runs `engram serve` with 100 unauthenticated connections, which reconnect at once when they are cut, and two clients
# with the largest requests. A good client must get a reply to `hello` within a second. ENGRAM_FLOOD_SECONDS=600 runs
# ten minutes for each kind of memory.
. "$(dirname "$0")/lib.sh"
ulimit -n 1024
expect 0 python3 "$source/tests/program/flood.py" "$engram" "${ENGRAM_FLOOD_SECONDS:-8}"
cat out
says out ok
