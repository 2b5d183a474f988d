#!/bin/sh
# A finished run can be checked: by its digests, by doing it again, and by what the archive's metadata say.
. "$(dirname "$0")/lib.sh"
mkdir data && cp "$source/experiments/data/day_at_the_farm.nal" data/farm.nal
set -- completion --set 'inputs=["data/farm.nal"]' --set cues=2 --set seeds=1..4 --set load=[0.5]

expect 0 "$engram" run "$@" --out run
(cd run && expect 0 sha256sum --check --strict --quiet SHA256SUMS && rm out err)
expect 0 "$engram" verify run
says out "bit-identical: 4 trials gave the same bytes"
cp -r run elsewhere
(cd / && "$engram" verify "$work/elsewhere" --jobs 2 >"$work/quiet") || fail "not from another folder"
says quiet bit-identical
python3 - <<'PY'
import json, os
crate = json.load(open("run/ro-crate-metadata.json"))
assert crate["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
entities = {entity["@id"]: entity for entity in crate["@graph"]}
action = next(entity for entity in entities.values() if entity["@type"] == "CreateAction")
assert entities[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
parts = {part["@id"] for part in entities["./"]["hasPart"]}
files = {os.path.relpath(os.path.join(at, name), "run") for at, _, names in os.walk("run") for name in names}
assert {part for part in parts if not part.startswith("nih:")} == files - {"ro-crate-metadata.json", "SHA256SUMS"}
for name in files & parts - {"timings.jsonl"}:
    assert int(entities[name]["contentSize"]) == os.path.getsize("run/" + name), name
manifest = json.load(open("run/manifest.json"))
assert manifest["trials"] == 4 and manifest["inputs"][0]["bytes"] == os.path.getsize("data/farm.nal")
assert "nih:sha-256;" + manifest["inputs"][0]["sha256"] in parts
run = json.loads(open("run/timings.jsonl").readline())["run"]
assert run["started"] <= run["finished"] and run["inputs"][0]["path"] == os.path.abspath("data/farm.nal")
PY

# One byte of the input: another run.
cp data/farm.nal farm.nal
printf 'X' | dd of=data/farm.nal bs=1 seek=1000 conv=notrunc 2>dd
cmp -s data/farm.nal farm.nal && fail "the byte is the same"
expect 1 "$engram" verify run
says err "the input data/farm.nal has changed since the run read it"
expect 2 "$engram" run "$@" --out run --resume
says err "another input or build (at /inputs/0/sha256)"
rm data/farm.nal
expect 1 "$engram" verify run
says err "is not there any more"
mkdir -p moved/data && mv farm.nal moved/data/farm.nal
expect 0 "$engram" verify run --base moved
mv moved/data/farm.nal data/farm.nal

# One byte of a result, of a table; a file that is gone; a folder that is no run, or not finished.
cp -r run altered
printf '9' | dd of=altered/results.jsonl bs=1 seek=200 conv=notrunc 2>dd
expect 1 "$engram" verify altered
says err "the file results.jsonl has changed since the run wrote it"
rm -r altered/tables
cp run/results.jsonl altered
expect 1 "$engram" verify altered
says err "is missing"
expect 2 "$engram" verify data
says err "holds no finished run"

# Results kept by a cache are the results; entries that are damaged are made again.
expect 0 "$engram" run "$@" --out cached --cache kept
expect 0 "$engram" run "$@" --out again --cache kept --jobs 2
says err "kept: 4 trials were in the cache"
for entry in kept/*/*; do
  head -c 300 "$entry" >cut && mv cut "$entry"
done
expect 0 "$engram" run "$@" --out mended --cache kept
says err "0 trials were in the cache; 4 damaged entries were made again"
for other in cached again mended; do
  diff -r --exclude timings.jsonl run "$other"
done
