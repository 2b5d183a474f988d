#!/bin/sh
# Usage: format.sh SOURCE CLANG_FORMAT. Skipped (77) unless it is version 14, whose taste was agreed on.
set -eu
"$2" --version | grep -q 'version 14\.' || { echo "skipped: needs clang-format 14"; exit 77; }
cd "$1"
find narsese core bridge experiments tests -name '*.?pp' -print0 | xargs -0 "$2" --dry-run --Werror
# A page begins with its title: what a formatter of C++ makes of a page has another first line.
pages=$(git ls-files '*.md') || pages=
for page in $pages; do
  head -n 1 "$page" | grep -q '^# ' || { echo "$page:1: must be a title, as in '# Title'"; exit 1; }
done
