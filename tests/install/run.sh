#!/bin/sh
# Installs the build tree into an empty folder and builds and runs an outside project against it, for the
# processor at hand, as its author might: the library's matrices must not be freed in another way than made.
# Usage: run.sh SOURCE BUILD WORK COMPILER CXX_FLAGS
set -eu
source=$1 build=$2 work=$3 compiler=$4 flags=$5
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
cmake -S "$source/tests/install" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags -march=native" >"$work/configure.log"
cmake --build "$work/build"
"$work/build/outside" | grep -q '"term":"animal"'
test -f "$work/prefix/share/engram/specs/icons.json"
"$work/prefix/bin/engram" run "$work/prefix/share/engram/specs/icons.json" --out "$work/icons" >/dev/null
test -s "$work/icons/report.html"
