# Functions for the tests of the program. Source it at the start of a test, which is called as NAME.sh ENGRAM SOURCE
# WORK.
set -eu
PATH=/usr/bin:$PATH  # Debian's own python3, which has Debian's modules
engram=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE COMMAND...: runs the command with its output in out and err, and checks its exit code.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  if [ "$code" != "$wanted" ]; then
    head -c 2000 err >&2
    fail "exit code $code, expected $wanted: $*"
  fi
}

# says FILE TEXT: checks that the file contains the text.
says() {
  grep -qF -- "$2" "$1" || { head -c 2000 "$1" >&2; fail "$1 does not say: $2"; }
}
