#!/bin/sh
# Tests `engram verify`: a finished run is checked by its digests, by running it again, and by the metadata of the
# archive.
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
python3 - "$source" <<'PY'
import json, os, re, sys
def manifest_of_run():
    return json.load(open("run/manifest.json"))
crate = json.load(open("run/ro-crate-metadata.json"))
assert crate["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
entities = {entity["@id"]: entity for entity in crate["@graph"]}
action = next(entity for entity in entities.values() if entity["@type"] == "CreateAction")
assert entities[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
parts = {part["@id"] for part in entities["./"]["hasPart"]}
files = {os.path.relpath(os.path.join(at, name), "run") for at, _, names in os.walk("run") for name in names}
assert {part for part in parts if not part.startswith("nih:")} == files - {"ro-crate-metadata.json"}
for name in files & parts - {"timings.jsonl"}:
    assert int(entities[name]["contentSize"]) == os.path.getsize("run/" + name), name
# RO-Crate 1.1 requires the descriptor, the root with its four properties, and entities with @id and @type.
assert len(entities) == len(crate["@graph"]) and all(e["@id"] and e["@type"] for e in crate["@graph"])
descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
assert descriptor["@type"] == "CreativeWork" and descriptor["about"] == {"@id": "./"}
assert descriptor["conformsTo"]["@id"].startswith("https://w3id.org/ro/crate/1.1")
assert root["@type"] == "Dataset" and root["name"] and root["description"]
assert re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", root["datePublished"]), root
licence = entities[root["license"]["@id"]]
assert licence["name"] and licence["description"]
for entity in crate["@graph"]:
    assert not entity["@id"].startswith("/") and "\\" not in entity["@id"] and " " not in entity["@id"], entity
    if entity["@type"] == "File":
        assert re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", entity["encodingFormat"]) and entity["name"], entity
        assert entity["@id"] == "timings.jsonl" or re.fullmatch(r"\d+", entity["contentSize"]), entity
    for value in entity.values():  # each reference has its entity, or leads outside
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                assert item["@id"] in entities or item["@id"].startswith("http"), item
# CITATION.cff 1.2.0 requires these members.
cff = open(sys.argv[1] + "/CITATION.cff").read()
top = dict(re.findall(r"^([a-z-]+):[ \t]*(.*)$", cff, re.M))
assert {"cff-version", "message", "title", "authors"} <= set(top) and top["cff-version"] == "1.2.0"
assert top["message"] and top["title"] and top["type"] in ("software", "dataset")
authors = re.search(r"^authors:\n((?:[ -].*\n)+)", cff, re.M)[1].split("  - ")[1:]
assert authors and all(re.match(r"(name|alias|family-names|given-names): \S", author) for author in authors)
assert top["version"] == manifest_of_run()["engram"]
assert manifest_of_run()["reproducibility"]["results"].startswith("bit-identical")
manifest = json.load(open("run/manifest.json"))
assert manifest["trials"] == 4 and manifest["inputs"][0]["bytes"] == os.path.getsize("data/farm.nal")
assert "nih:sha-256;" + manifest["inputs"][0]["sha256"] in parts
run = json.loads(open("run/timings.jsonl").readline())["run"]
assert run["started"] <= run["finished"] and run["inputs"][0]["path"] == os.path.abspath("data/farm.nal")
PY

# One changed byte of an input gives another run.
cp data/farm.nal farm.nal
printf 'X' | dd of=data/farm.nal bs=1 seek=1000 conv=notrunc 2>dd
cmp -s data/farm.nal farm.nal && fail "the byte is the same"
expect 1 "$engram" verify run
says err "the input data/farm.nal has changed since the run read it"
expect 2 "$engram" run "$@" --out run --resume
says err "other inputs (it differs at /inputs/0/sha256)"
rm data/farm.nal
expect 1 "$engram" verify run
says err "is missing; --base"
mkdir -p moved/data && mv farm.nal moved/data/farm.nal
expect 0 "$engram" verify run --base moved
mv moved/data/farm.nal data/farm.nal

# `engram verify` reports a changed byte in a result or a table, a missing file, a folder without a run, and an
# unfinished run.
cp -r run altered
printf '9' | dd of=altered/results.jsonl bs=1 seek=200 conv=notrunc 2>dd
expect 1 "$engram" verify altered
says err "the file results.jsonl has changed since the run wrote it"
rm -r altered/tables
cp run/results.jsonl altered
expect 1 "$engram" verify altered
says err "is missing"
expect 2 "$engram" verify data
says err "error: data: it has no finished run"

# Cached results are equal to computed ones, and damaged entries are replaced.
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
