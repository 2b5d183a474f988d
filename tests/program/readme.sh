#!/bin/sh
# The README's commands, in their order, each as it stands there ("$ command" in a console block).
. "$(dirname "$0")/lib.sh"
mkdir -p clone/build/release/experiments
cp -r "$source/experiments" clone/
ln -s "$engram" clone/build/release/experiments/engram
cd clone
PATH=$(dirname "$engram"):$PATH
export PATH
awk '/^```console$/ {inside=1; next} /^```$/ {inside=0} inside && /^\$ / {print substr($0, 3)}' "$source/README.md" |
  grep -v -e '^git clone' -e '^cd ' -e '^\./experiments/quickstart$' -e '^\./tests/run$' -e '^cmake' >../commands
[ "$(wc -l <../commands)" -ge 6 ] || fail "the README shows too few commands"
while IFS= read -r line; do
  echo "\$ $line"
  sh -euc "$line" >../out 2>../err || { cat ../err >&2; fail "$line"; }
done <../commands
