#!/bin/sh
# Tests `engram serve --page` and `engram attach --page` over HTTP: who gets the page, who does not, and hostile
# clients.
. "$(dirname "$0")/lib.sh"
cp "$source/tests/program/websocket_client.py" "$source/tests/program/page.py" .
expect 0 timeout 300 python3 page.py "$engram" "$source"
says out ok
