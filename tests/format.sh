#!/bin/sh
# Usage: format.sh SOURCE CLANG_FORMAT. Skipped (77) for versions other than 14, because their formatting differs.
set -eu
"$2" --version | grep -q 'version 14\.' || { echo "skipped: needs clang-format 14"; exit 77; }
cd "$1"
find narsese core bridge experiments tests -name '*.?pp' -print0 | xargs -0 "$2" --dry-run --Werror
# Every page must begin with its title. A page that was formatted as C++ by mistake begins with another line.
pages=$(git ls-files '*.md') || pages=
for page in $pages; do
  head -n 1 "$page" | grep -q '^# ' || { echo "$page:1: must be a title, as in '# Title'"; exit 1; }
done
