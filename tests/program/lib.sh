# Functions for the tests of the program. Source it at the start of a test, which is called as NAME.sh ENGRAM SOURCE
# WORK.
set -eu
PATH=/usr/bin:$PATH  # Debian's own python3, which has Debian's modules
engram=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export PYTHONPATH="$source/tests/program" PYTHONDONTWRITEBYTECODE=1  # for watching.py, websocket_client.py

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# skip REASON: ends the test as skipped. CTest knows this exit code (SKIP_RETURN_CODE).
skip() {
  echo "skipped: $*"
  exit 77
}

# needs_strace: skips the test if strace is missing or may not trace.
needs_strace() {
  strace -o /dev/null true 2>/dev/null || skip "strace is not installed, or may not trace"
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
  grep -qF -- "$2" "$1" || { head -c 2000 "$1" >&2; fail "$1 does not contain: $2"; }
}

# same FOLDER FOLDER: checks that two runs have the same files with the same bytes, except timings.jsonl.
same() {
  find "$1" -type f | sed "s|^$1/||" >files
  find "$2" -type f | sed "s|^$2/||" >>files
  [ "$(wc -l <files)" -ge 16 ] || fail "too few files in $1 and $2"
  for file in $(sort -u files); do
    case $file in timings.jsonl | */timings.jsonl) continue ;; esac
    cmp "$1/$file" "$2/$file" || fail "$file differs between $1 and $2"
  done
}
