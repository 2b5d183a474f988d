#!/bin/sh
# engram serve beside 100 strangers, who come back as fast as they are cut, and two clients with the largest requests: a
# good client's `hello` is answered within a second. ENGRAM_FLOOD_SECONDS=600 for ten minutes of each kind of memory.
. "$(dirname "$0")/lib.sh"
cp "$source/tests/program/websocket_client.py" "$source/tests/program/strangers.py" "$source/tests/program/flood.py" .
ulimit -n 1024
expect 0 python3 flood.py "$engram" "${ENGRAM_FLOOD_SECONDS:-8}"
cat out
says out ok
