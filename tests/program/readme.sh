#!/bin/sh
# Runs the console blocks of the README and of every other page (follow.py), except the tutorials (tutorials.sh) and the
# examples (examples.sh). The C++ example on the page must be the file that is compiled.
. "$(dirname "$0")/lib.sh"
programs=$source/tests/program
cp -r "$source/experiments" .
find "$source" -path "$source/build" -prune -o -path "$source/experiments/tutorials" -prune -o \
  -path "$source/bridge/examples" -prune -o -name '*.md' -printf '%P\n' |
  sort >pages
grep -qx experiments/answering/README.md pages || fail "not all pages are found: $(cat pages)"
[ "$(wc -l <pages)" -ge 12 ] || fail "too few pages: $(cat pages)"
PATH=$(dirname "$engram"):$PATH
# shellcheck disable=SC2046 # a page a word
expect 0 python3 "$programs/follow.py" "$source" $(cat pages)
[ "$(cat out)" -ge 18 ] || fail "too few commands: $(cat out)"
# The README shows the C++ example and each line that it prints.
cat >example.py <<'PY'
import subprocess, sys

source, example = sys.argv[1:]
code = open(f"{source}/core/examples/budget.cpp", encoding="utf-8").read()
printed = subprocess.run([example], stdout=subprocess.PIPE, text=True, check=True).stdout
page = open(f"{source}/README.md", encoding="utf-8").read()
assert f"```cpp\n{code[code.index('#include'):]}```" in page
assert all(f"`{line}`" in page for line in printed.splitlines()), printed
PY
expect 0 python3 example.py "$source" "$(dirname "$engram")/../tests/budget_example"
# The table of `comparison` is what the program prints. The other tables take minutes: `tests/results --check`.
ENGRAM=$engram expect 0 "$source/tests/results" --check comparison
# The stored picture equals the one that the program draws.
expect 0 "$engram" run experiments/specs/icons.json --out icons
cmp icons/plots/film.svg experiments/icons/icons.svg
