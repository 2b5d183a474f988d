# Shared by the tests of the program: sourced, not run. Each is called as NAME.sh ENGRAM SOURCE WORK.
set -eu
PATH=/usr/bin:$PATH  # Debian's own python3, with Debian's modules
engram=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE COMMAND...: runs it with output in out and err, and compares the exit code.
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

# says FILE TEXT: the file holds the text.
says() {
  grep -qF -- "$2" "$1" || { head -c 2000 "$1" >&2; fail "$1 does not say: $2"; }
}
