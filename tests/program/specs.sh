#!/bin/sh
# Tests specs: the published schema agrees with the program; specs extend others, define sweeps, and are planned before
# they run.
. "$(dirname "$0")/lib.sh"
cp "$source"/experiments/data/day_at_the_farm.nal "$source"/experiments/data/family.nal .

expect 0 "$engram" run --schema
mv out schema.json
expect 0 "$engram" experiments
for spec in "$source"/experiments/specs/*.json; do
  grep -qE "^$(basename "$spec" .json)(  \(experiment: [a-z]+\))?\$" out || fail "$spec is not listed"
done
says out "Where attention and Hopfield networks are the same thing"
expect 2 "$engram" run
says err "capacity"

cat >agree.py <<'PY'
import json, os, re, subprocess, sys
import jsonschema

engram, source = sys.argv[1:]
schema = json.load(open("schema.json"))
# The shipped schema describes methods in general, without defaults. The printed schema describes each method with its
# options, and the defaults. The rest is equal.
def without_defaults(part):
    if isinstance(part, dict):
        return {name: without_defaults(value) for name, value in part.items() if name != "default"}
    return [without_defaults(value) for value in part] if isinstance(part, list) else part
shipped_schema = json.load(open(f"{source}/experiments/schema/spec.schema.json"))
assert schema["$defs"]["method"] != shipped_schema["$defs"]["method"]
bare = without_defaults(schema)
assert {**bare, "$defs": {**bare["$defs"], "method": None}} == {**shipped_schema, "$defs": {**shipped_schema["$defs"], "method": None}}
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

def plan(spec):
    """The resolved spec, or the error."""
    json.dump(spec, open("spec.json", "w"))
    run = subprocess.run([engram, "run", "spec.json", "--dry-run", "--allow-programs"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode in (0, 2), run.stderr
    return json.loads(run.stdout.split("every default:\n", 1)[1]) if run.returncode == 0 else run.stderr

for name, fact in {"a": "ann\tfriend\tbob", "b": "bob\tfriend\tann", "c": "ann\tfriend\tcat"}.items():
    open(f"{name}.tsv", "w").write(fact + "\n")
os.environ["PYTHONPATH"] = f"{source}/bridge/python"
open("one.py", "w").write("import engram\nengram.serve(trial=lambda setting, seed: {'value': 1})\n")
small = {
    "comparison": {"inputs": ["day_at_the_farm.nal"]},
    "completion": {"inputs": ["day_at_the_farm.nal"], "cues": 2, "seeds": [1], "load": [0.5]},
    "icons": {"inputs": [f"{source}/experiments/data/skull.txt", f"{source}/experiments/data/apple.txt"], "seeds": [1]},
    "prediction": {"inputs": [], "methods": ["markov"], "seeds": [1], "generated": {"episodes": 40}},
    "answering": {"inputs": [], "seeds": [1], "methods": ["overlap"], "sets": [{"kind": "chains", "groups": 8, "questions": 2}]},
    "flood": {"inputs": [], "seeds": [1], "methods": ["overlap"], "sets": [{"kind": "chains", "groups": 8, "questions": 2}]},
    "forgetting": {"inputs": ["day_at_the_farm.nal"], "policies": ["learnt"], "seeds": [1], "zipf": False, "story": {"episodes": 40}},
    "sensors": {"worlds": [{"world": "conditioning"}], "distractors": [0], "policies": ["oracle"], "seeds": [1]},
    "equivalence": {"seeds": [1], "sizes": [2]},
    "links": {"inputs": ["a.tsv", "b.tsv", "c.tsv"], "methods": ["cosine"], "seeds": [1]},
    "python": {"file": "one.py"},
    "capacity": {"inputs": ["day_at_the_farm.nal"], "cues": 2, "seeds": [1], "figures": ["subsets"], "effort": 0.01},
}
for name, members in small.items():
    resolved = plan({"experiment": name, **members})
    assert isinstance(resolved, dict), resolved
    validator.validate(resolved)
    known = schema["$defs"][name]["properties"]
    untold = {"answering": {"half"}, "flood": {"half"}}.get(name, set())  # without a default in the schema
    assert set(resolved) | untold == set(known), (name, set(resolved) ^ set(known))
    for member, facts in known.items():
        if "default" in facts and member not in members:
            assert resolved[member] == facts["default"], (name, member, resolved[member])
        plain = "oneOf" not in facts and "const" not in facts and "$ref" not in facts and "$ref" not in facts.get("items", {})
        if plain and member not in schema["$defs"][name]["required"] and member not in untold and member not in ("generated", "sets", "tuning", "worlds", "system", "filter", "settings"):
            assert "default" in facts, (name, member)
    for member in {"zipf", "story", "generated", "sets", "tuning", "worlds", "filter"} & set(known):
        for way in known[member].get("oneOf", [known[member].get("items", known[member])])[-1:]:
            assert any("default" in facts for facts in way["properties"].values()), (name, member)
    if "memory" in known:
        part = known["memory"]["$ref"].rsplit("/", 1)[1]
        untold = {"memory": {"forget"}}.get(part, set())
        assert set(resolved["memory"]) | untold == set(schema["$defs"][part]["properties"]), resolved["memory"]
assert set(small) == {part["$ref"].rsplit("/", 1)[1] for part in schema["oneOf"]} - {"unresolved"}

# The schema has the names and the ranges of each method's options.
def with_options(method, **options):
    return {"experiment": "comparison", "inputs": ["day_at_the_farm.nal"], "methods": [{"method": method, "options": options}]}
for good in (with_options("hopfield", winners=3), with_options("pagerank", damping=0.5, links="cosine"), with_options("uniform")):
    assert validator.is_valid(good) and isinstance(plan(good), dict), good
for bad in (with_options("hopfield", winners=-1), with_options("hopfield", winners=0.5), with_options("hopfield", winers=3),
            with_options("pagerank", links="x"), with_options("concept_attention", file=1), with_options("no method")):
    assert not validator.is_valid(bad) and isinstance(plan(bad), str), bad

def shipped():
    import glob
    for path in glob.glob(f"{source}/experiments/specs/*.json"):
        yield json.loads(re.sub(r"^\s*//.*$", "", open(path).read(), flags=re.M))
for spec in shipped():
    validator.validate(spec)

base = {"experiment": "completion", "inputs": ["day_at_the_farm.nal"], "cues": 2, "seeds": [1], "load": [0.5]}
right = [{}, {"seeds": 7}, {"seeds": {"from": 2, "to": 4}}, {"seeds": "2..4"}, {"seeds": {"from": 0, "to": 10, "steps": 3}},
         {"corruption": {"from": 0.1, "to": 0.4, "steps": 4}}, {"methods": ["cosine", {"method": "hopfield", "label": "h"}]},
         {"memory": {"learning": "oja"}}, {"memory": {"learning": {"rule": "stdp", "reach": 2}}},
         {"sweep": {"memory.decay": [0, 0.1]}}]
for rule in schema["$defs"]["memory"]["properties"]["learning"]["oneOf"][0]["enum"]:
    right.append({"memory": {"learning": rule}})
for change in right:
    spec = {**base, **change}
    validator.validate(spec)
    resolved = plan(spec)
    assert isinstance(resolved, dict), (change, resolved)
    validator.validate(resolved)
    if change.get("seeds") == 7:
        assert resolved["seeds"] == [7], resolved["seeds"]
    if change.get("seeds") in ({"from": 2, "to": 4}, "2..4"):
        assert resolved["seeds"] == [2, 3, 4], resolved["seeds"]
    if "corruption" in change:
        assert resolved["corruption"] == [0.1, 0.2, 0.3, 0.4], resolved["corruption"]
wrong = [({"top": 3}, '/top: unknown field "top"; expected no members but '), ({"experiment": "completon"}, 'did you mean "completion"'), ({"cue": 3}, '/cue: unknown field "cue" (did you mean "cues"?)'),
         ({"cues": 0}, "/cues"), ({"cues": 1.5}, "/cues must be a whole number"), ({"cues": "many"}, "/cues"),
         ({"seeds": -1}, "/seeds"), ({"seeds": []}, "/seeds"), ({"seeds": [-1]}, "/seeds/0"), ({"seeds": "4"}, "/seeds"),
         ({"seeds": {"from": 1}}, "/seeds"), ({"seeds": {"from": 1, "too": 3}}, '/seeds/too: unknown field "too" (did you mean "to"?)'),
         ({"corruption": {"from": 0, "to": 1}}, "/corruption"), ({"corruption": "0..1"}, "/corruption"), ({"load": [0]}, "/load/0"),
         ({"memory": {"decay": 1}}, "/memory/decay"), ({"memory": {"learning": "ojo"}}, "/memory/learning"),
         ({"methods": []}, "/methods"), ({"methods": [{"label": "x"}]}, "/methods/0/method"),
         ({"methods": [{"method": "cosine", "label": ""}]}, "/methods/0/label"), ({"inputs": []}, "/inputs"),
         ({"sweep": {}}, "/sweep"), ({"sweep": {"memory.decay": 3}}, "/sweep/memory.decay"), ({"extends": 3}, "/extends")]
for change, told in wrong:
    spec = {**base, **change}
    assert not validator.is_valid(spec), change
    error = plan(spec)
    assert isinstance(error, str) and told in error, (change, error)
answering = {"experiment": "answering", "inputs": [], "seeds": [1], "sets": [{"kind": "families", "groups": 2, "questions": 2}]}
resolved = plan({**answering, "capacities": [3, "2x"], "ablation": [{"method": "cosine", "label": "c", "changes": [{}]}]})
assert isinstance(resolved, str) and "/ablation/0: 'c' occurs twice" in resolved, resolved
for policy in schema["$defs"]["memory"]["properties"]["forget"]["enum"]:
    resolved = plan({**answering, "memory": {"forget": policy}})
    assert resolved["memory"].get("forget", "none") == policy, resolved
    validator.validate(resolved)
for kind in ["taxonomies", "events", "theories", "compositions"]:
    resolved = plan({**answering, "sets": [{"kind": kind, "groups": 2}]})
    assert resolved["sets"][0]["capacities"] == ["3x", "2x"] and not resolved["sets"][0]["ablation"], resolved
    validator.validate(resolved)
for kind, flag in [("theories", "shared_words"), ("compositions", "both_ways"), ("compositions", "joined")]:
    resolved = plan({**answering, "sets": [{"kind": kind, "groups": 2, flag: True}]})
    assert resolved["sets"][0][flag] is True, resolved
    validator.validate(resolved)
    assert f'unknown field "{flag}"' in plan({**answering, "sets": [{"kind": "events", "groups": 2, flag: True}]})
resolved = plan({**answering, "ablation": [{"method": "attention", "changes": [{"steps": 1}]}]})
assert isinstance(resolved, dict), resolved
validator.validate(resolved)
for change, told in [({"capacities": ["03x"]}, "/capacities/0"), ({"capacities": [0]}, "/capacities/0"), ({"cutoffs": [0]}, "/cutoffs/0"),
                     ({"sets": [{"kind": "family"}]}, "/sets/0/kind"), ({"sets": [{"kind": "chains", "longest": 1}]}, "/longest"),
                     ({"ablation": [{"method": "attention"}]}, "/ablation/0/changes")]:
    assert not validator.is_valid({**answering, **change}), change
    error = plan({**answering, **change})
    assert isinstance(error, str) and told in error, (change, error)
# The program reports errors that the schema cannot express.
for change, told in [({"seeds": {"from": 5, "to": 1}}, "/seeds/to"), ({"seeds": {"from": 0, "to": 1e9}}, "/seeds/to"),
                     ({"sweep": {"cues.x": [1]}}, "/cues/x"), ({"sweep": {"cuse": [1]}}, "/cuse: unknown field"),
                     ({"extends": "complexion"}, 'did you mean "completion"?'), ({"memory": {"forget": "recent"}}, "/memory/forget"), ({"inputs": ["a", "a"]}, "twice"),
                     ({"sweep": {"cues": list(range(1, 200)), "top": list(range(1, 200))}}, "at most 10000 combinations")]:
    error = plan({**base, **change})
    assert isinstance(error, str) and told in error, (change, error)
PY
expect 0 python3 agree.py "$engram" "$source"

# --dry-run: prints the plan and the work it needs, and writes nothing.
expect 0 "$engram" run completion --dry-run --set cues=2 --set seeds=1..3 --jobs 2 --out planned
says out "living_things.nal"
says out "trials      18"  # two files, three loads, three seeds
says out "with --jobs 2"
says out "planned/: spec.json"
says out '"compounds": '
test ! -e planned || fail "a plan wrote a folder"

# A spec extends another spec, in its folder or shipped: members are merged, lists replaced, and null removes a member.
mkdir near && cp day_at_the_farm.nal near/mine.nal
cat >near/base.json <<'JSON'
// My own.
{"extends": "completion", "inputs": ["mine.nal"], "cues": 2, "load": [0.5], "memory": {"compounds": false, "decay": 0.25}}
JSON
echo '{"extends": "near/base.json", "seeds": [5], "memory": {"decay": null}, "methods": ["cosine"]}' >child.json
expect 0 "$engram" run child.json --out child
python3 - <<'PY'
import json
spec = json.load(open("child/spec.json"))
assert "extends" not in spec and spec["inputs"] == ["mine.nal"] and spec["seeds"] == [5] and spec["load"] == [0.5]
assert spec["memory"]["decay"] == 0 and spec["memory"]["compounds"] is False
assert [m["method"] for m in spec["methods"]] == ["cosine"]
PY
echo '{"extends": "b.json"}' >a.json
echo '{"extends": "a.json"}' >b.json
expect 2 "$engram" run a.json
says err "extends itself"
echo '{"extends": "a.json"}' >deeper.json
expect 2 "$engram" run deeper.json
says err "extends itself"

# A sweep is a run for each combination, each in its own folder, and one table of all runs.
small="--set cues=2 --set seeds=1..2 --set load=[0.5] --set inputs=[\"$work/day_at_the_farm.nal\"] --set methods=[\"cosine\",\"hopfield\"]"
# shellcheck disable=SC2086 # a list of words
expect 0 "$engram" run completion $small --set 'sweep={"memory.decay":[0,0.2],"methods.1":["hopfield","uniform"]}' --out sweep
python3 - <<'PY'
import csv, json, os
cells = json.load(open("sweep/sweep.json"))
assert [cell["values"] for cell in cells] == [{"memory.decay": d, "methods.1": m} for d in (0, 0.2) for m in ("hopfield", "uniform")]
for cell in cells:
    spec = json.load(open(f"sweep/{cell['folder']}/spec.json"))
    assert spec["memory"]["decay"] == cell["values"]["memory.decay"] and spec["methods"][1]["method"] == cell["values"]["methods.1"]
rows = list(csv.DictReader(open("sweep/sweep.csv")))
concepts = csv.DictReader(open(f"sweep/{cells[3]['folder']}/tables/concepts.csv"))
cosine = next(row for row in concepts if row["method"] == "cosine")
last = [row for row in rows if row["memory.decay"] == "0.2" and row["methods.1"] == "uniform" and row["row"] == "cosine"]
page = open("sweep/report.html").read()
for cell in cells:
    link = cell["folder"] + "/report.html"
    assert page.count(f'<a href="{link}">') >= 3 and os.path.exists("sweep/" + link), link  # two methods, one answer
    answer = json.load(open(f"sweep/{cell['folder']}/summary.json"))["answer"]
    assert answer.split(";")[0].replace("<", "&lt;").replace(">", "&gt;") in page, answer
assert "memory.decay, methods.1" in page and "http" not in page.replace("http-equiv", "")
assert last[0]["with interval"].replace("[", "\\[") in open("sweep/sweep.md").read() and os.path.exists("sweep/sweep.tex")
assert len(last) >= 6 and all(row["value"] == cosine[row["measure"]] for row in last), (last, cosine)
PY
expect 0 "$engram" verify sweep
[ "$(grep -c ": bit-identical: 2 trials" out)" = 4 ] || fail "not every cell was verified"
cp -r sweep before
# Rebuilds the report of each point and of the sweep without running again.
rm sweep/report.html sweep/sweep.csv sweep/cells/00002*/report.html
expect 0 "$engram" report sweep
says out sweep/report.html
diff -r before sweep
mv sweep/cells/00002*/results.jsonl kept
expect 2 "$engram" report sweep
says err "error: sweep/cells/00002"
mv kept "$(echo sweep/cells/00002*)/results.jsonl"
# shellcheck disable=SC2086
expect 2 "$engram" run completion $small --set 'sweep={"memory.decay":[0,0.3]}' --out sweep --resume
says err "another sweep"
rm -r sweep/cells/00003* sweep/sweep.csv
# shellcheck disable=SC2086
expect 0 "$engram" run completion $small --set 'sweep={"memory.decay":[0,0.2],"methods.1":["hopfield","uniform"]}' --out sweep --resume
diff -r --exclude timings.jsonl before sweep
mkdir other && echo mine >other/file
# shellcheck disable=SC2086
expect 2 "$engram" run completion $small --set 'sweep={"cues":[1,2]}' --out other
says err "is not a sweep"
says other/file mine

# Chains of specs that extend each other are limited, so that they cannot overflow the stack.
mkdir chain
seq 0 12000 | while read -r i; do echo "{\"extends\":\"s$((i + 1)).json\"}" >chain/s$i.json; done
expect 2 "$engram" run chain/s0.json --dry-run
says err "at most 32 specs may extend each other"
says err "beginning with s0.json"
echo '{"experiment":"comparison","inputs":["a.nal"]}' >chain/s12001.json
printf '<a --> b>.\n<a --> b>?\n' >chain/a.nal
expect 2 "$engram" run chain/s11969.json --dry-run
says err "at most 32 specs may extend each other"
expect 0 "$engram" run chain/s11970.json --dry-run
echo '{"extends":"s12001.json"}' >chain/s12001.json
expect 2 "$engram" run chain/s12000.json --dry-run
says err "extends itself"

# A spec with too many methods is refused at once. Other long lists take linear time.
python3 -c '
import json
methods = [{"method": "overlap", "label": "m%d" % i} for i in range(20000)]
json.dump({"experiment": "comparison", "inputs": ["chain/a.nal"], "methods": methods}, open("methods.json", "w"))
json.dump({"experiment": "comparison", "inputs": ["none%d.nal" % i for i in range(20000)]}, open("inputs.json", "w"))'
expect 2 timeout 100 "$engram" run methods.json --dry-run
says err "/methods must be at most 1000 entries, found 20000"
expect 2 timeout 100 "$engram" run inputs.json --dry-run
says err "none0.nal"
