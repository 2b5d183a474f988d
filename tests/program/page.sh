#!/bin/sh
# Tests `engram serve --page` and `engram attach --page` over HTTP: access rights and hostile clients.
. "$(dirname "$0")/lib.sh"
expect 0 timeout 300 python3 "$source/tests/program/page.py" "$engram" "$source"
says out ok
