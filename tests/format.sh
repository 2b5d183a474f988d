#!/bin/sh
# Usage: format.sh SOURCE CLANG_FORMAT. Skipped (77) unless it is version 14, whose taste was agreed on.
set -eu
"$2" --version | grep -q 'version 14\.' || { echo "skipped: needs clang-format 14"; exit 77; }
cd "$1"
find narsese core bridge experiments tests -name '*.?pp' -print0 | xargs -0 "$2" --dry-run --Werror
