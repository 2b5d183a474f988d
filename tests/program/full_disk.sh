#!/bin/sh
# Every command that prints or writes files reports write errors, with exit code 3.
. "$(dirname "$0")/lib.sh"
cp "$source/experiments/data/family.nal" .
printf '<robin --> bird>.\n' >bird.nal
printf '{"id":1,"op":"hello"}\n' >hello
full="standard output: No space left on device"

# full COMMAND...: runs it with a full device as standard output.
full() {
  code=0
  "$engram" "$@" >/dev/full 2>err <hello || code=$?
  [ "$code" = 3 ] || fail "exit code $code, expected 3: $*"
  says err "engram: error: $full"
}
full parse family.nal
full parse family.nal --to json
printf '<a -> b>.\n' >lint.nal
full parse --lint lint.nal
full recall family.nal --cue kari
full recall family.nal --cue kari --json
for format in graphml dot json; do full graph family.nal --format $format; done
full methods
full experiments
full generate families
full run --schema
full run bird.nal --dry-run
full --help
full run --help
full --version
full serve
full attach bird.nal --system navm -- "$engram" serve --dialect navm
expect 0 "$engram" attach bird.nal --system navm --log log -- "$engram" serve --dialect navm
full replay log
expect 0 "$engram" run family.nal --out run
full run family.nal --out run
full report run
full compare run run
full verify run

# Closed pipes and closed standard output are write errors as well. Output must not go into another file.
{ "$engram" generate families --size 100000 2>pipe_err || echo $? >pipe_code; } | head -n 1 >/dev/null
[ "$(cat pipe_code)" = 3 ] || fail "exit code $(cat pipe_code) when the reader went away"
says pipe_err "standard output: Broken pipe"
code=0
"$engram" recall bird.nal --cue robin --report page.html >&- 2>err || code=$?
[ "$code" = 3 ] || fail "exit code $code with standard output closed"
says err "standard output: Bad file descriptor"
[ "$(head -c 15 page.html)" = "<!doctype html>" ] || fail "standard output was written into page.html"

# A file size limit is an error of the writing request only, and the server continues if it can.
cat >snapshot.py <<'PY'
import json
print(json.dumps({"id": 1, "op": "input", "narsese": "".join("<a%d --> b>.\n" % i for i in range(200))}))
print(json.dumps({"id": 2, "op": "snapshot", "path": "memory"}))
print(json.dumps({"id": 3, "op": "stats"}))
PY
python3 snapshot.py >requests
large="File too large"
limited() {  # limited COMMAND...: no file may exceed 2 blocks; output goes through pipes
  { { (ulimit -f 2; "$engram" "$@" <requests; echo $? >code) | cat >printed; } 2>&1 | cat >told; } || true
}
: >code
limited recall family.nal --cue kari --report large.html
says told "large.html: $large"
[ "$(cat code)" = 3 ] || fail "exit code $(cat code) for a page that is too large"
limited run family.nal --out large
says told "$large"
[ "$(cat code)" = 3 ] || fail "exit code $(cat code) for a run that is too large"
limited serve
[ "$(cat code)" = 0 ] || fail "a snapshot that is too large ended the server"
says printed '"code":"io_error","message":"memory: File too large"'
says printed '{"id":3,"ok":true'
limited serve --durable kept
[ "$(cat code)" = 3 ] || fail "exit code $(cat code) when input cannot be saved"
says printed '{"id":1,"ok":false,"error":{"code":"io_error","message":"this is not kept, and nothing more will be: kept: '
says told "the memory can no longer be stored: kept: "
printf '%s\n' '{"id":1,"op":"input","narsese":"<a --> b>."}' '{"id":2,"op":"stats"}' >few
"$engram" serve --durable kept <few >printed 2>told || fail "the memory does not continue after a full disk"
says told "cut off"
says printed '"statements":1,'
rm -r kept
limited attach family.nal --system navm --log large_log -- "$engram" serve --dialect navm
says told "$large"
[ "$(cat code)" = 3 ] || fail "exit code $(cat code) for a transcript that is too large"
for left in large.html memory; do
  [ -z "$(find . -name "$left*")" ] || fail "a refused write left files: $left"
done
code=0
(ulimit -f 2; "$engram" graph family.nal >large_graph 2>graph_err) || code=$?
[ "$code" = 3 ] || fail "exit code $code for standard output that is too large"
says graph_err "standard output: $large"

# Background snapshots that fail are reported on standard error. The server still sends one reply for each request.
cat >once.py <<'PY'
import json, os, subprocess, sys

count = 3000
server = subprocess.Popen([sys.argv[1], "serve", "--durable", "once", "--compact-at", "1"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=open("once_err", "w"))
def line(i):
    return json.dumps({"id": i, "op": "input", "narsese": "<a%d --> b>." % (i % 5)}).encode() + b"\n"
server.stdin.write(line(0))
server.stdin.flush()
ids = [json.loads(server.stdout.readline())["id"]]
for i in range(2, 2 * count):
    os.makedirs("once/memory-%d.engram" % i, exist_ok=True)  # a name that is already taken by a folder
replies, _ = server.communicate(b"".join(line(i) for i in range(1, count)))
ids += [json.loads(reply)["id"] for reply in replies.splitlines()]
assert ids == list(range(count)), next((i, got) for i, got in enumerate(ids) if i != got)
assert open("once_err").read().count("was not written, and will be tried again") > 20
PY
python3 once.py "$engram"
