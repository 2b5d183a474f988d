#!/bin/sh
# Installs the build tree into an empty folder, and builds and runs an outside project against it. The project uses
# -march=native, as its author might; even then memory that the library's matrices allocate must be freed in the same
# way. Then installs only the targets of quickstart, and builds the README's example against them.
# Usage: run.sh SOURCE BUILD WORK COMPILER CXX_FLAGS
set -eu
source=$1 build=$2 work=$3 compiler=$4 flags=$5
rm -rf "$work"
mkdir -p "$work"

# outside PROJECT NAME PREFIX: builds a project against the installation in PREFIX.
outside() {
  cmake -S "$1" -B "$work/$2" -G Ninja -DCMAKE_PREFIX_PATH="$3" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$flags -march=native" >"$work/$2.log"
  cmake --build "$work/$2"
}

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
if grep "Left out" "$work/install.log"; then exit 1; fi
zcat "$(find "$work/prefix" -name engram-run.1.gz)" | grep -q EXAMPLES
outside "$source/tests/install" build "$work/prefix"
"$work/build/outside" | grep -q '"term":"animal"'
test -f "$work/prefix/share/engram/specs/icons.json"
"$work/prefix/bin/engram" run "$work/prefix/share/engram/specs/icons.json" --out "$work/icons" >/dev/null
test -s "$work/icons/report.html"

# The build tree after quickstart: the program, static libraries and files of the configuration.
mkdir "$work/quickstart"
(cd "$build" && find . -path ./tests -prune -o \( -name '*.a' -o -name '*.cmake' -o -name engram -o -name copyright \) -type f \
  -exec cp --parents -l -t "$work/quickstart" {} +)
find "$work/quickstart" -name '*.cmake' -exec sed -i "s|$build|$work/quickstart|g" {} +
sed -i '/tests\/cmake_install.cmake/d' "$work/quickstart/cmake_install.cmake"
cmake --install "$work/quickstart" --prefix "$work/small" >"$work/small.log"
for target in engram_c completion man; do grep -q "Left out: .*--target $target," "$work/small.log"; done
"$work/small/bin/engram" --version >/dev/null
test -z "$(find "$work/small" -name engram.pc)"

mkdir "$work/readme"
# shellcheck disable=SC2016 # Markdown
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$source/README.md" >"$work/readme/budget.cpp"
cat >"$work/readme/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.24)
project(Budget LANGUAGES CXX)
find_package(Engram REQUIRED)
add_executable(budget budget.cpp)
target_link_libraries(budget PRIVATE Engram::core)
END
outside "$work/readme" budget "$work/small"
"$work/budget/budget" | grep -q '<tim --> cat>'
