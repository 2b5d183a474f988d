#!/bin/sh
# Tests the Python examples: the output on their page, and odd names, peers and numbers (examples.py). If a library is
# missing, the other examples are tested and the test counts as skipped.
. "$(dirname "$0")/lib.sh"
programs=$source/tests/program
mkdir bridge
cp -r "$source/bridge/examples" bridge
cp -r "$source/experiments" .
export ENGRAM="$engram" PYTHONPATH="$source/bridge/python" PYTHONDONTWRITEBYTECODE=1
PATH=$(dirname "$engram"):$PATH
skipped=
for part in buffer pynars channel networkx graphviz; do
  code=0
  python3 "$programs/examples.py" "$part" "$source" || code=$?
  [ "$code" = 0 ] || [ "$code" = 77 ] || fail "$part: exit code $code"
  [ "$code" = 0 ] || skipped="$skipped $part"
done
case $skipped in
  *networkx* | *graphviz*) ;;
  *) expect 0 python3 "$programs/follow.py" "$source" bridge/examples/README.md
     [ "$(cat out)" = 5 ] || fail "expected 5 commands, found $(cat out)"
     says picture.svg '<svg'
     says farm.graphml '<graphml' ;;
esac
[ -z "$skipped" ] || skip "a library is missing for$skipped"
