#!/bin/sh
# Installs the build tree into an empty folder and builds and runs an outside project against it.
# Usage: run.sh SOURCE BUILD WORK CXX_FLAGS
set -eu
source=$1 build=$2 work=$3 flags=$4
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
cmake -S "$source/tests/install" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_FLAGS="$flags" >"$work/configure.log"
cmake --build "$work/build"
"$work/build/outside" | grep -q '"term":"animal"'
test -f "$work/prefix/share/engram/specs/icons.json"
"$work/prefix/bin/engram" run "$work/prefix/share/engram/specs/icons.json" --out "$work/icons" >/dev/null
test -s "$work/icons/report.html"
