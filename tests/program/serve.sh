#!/bin/sh
# Tests the protocol from outside: every request and reply of a session must fit the schema.
. "$(dirname "$0")/lib.sh"
cat >session.py <<'PY'
import hashlib, json, subprocess, sys
from watching import protocol_validator

engram, source = sys.argv[1:3]
validator = lambda part: protocol_validator(source, part)
server = subprocess.Popen([engram, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def ask_line(line):
    server.stdin.write(line + b"\n")
    server.stdin.flush()
    reply = json.loads(server.stdout.readline())
    validator("reply").validate(reply)
    return reply

def ask(op, **fields):
    request = {"id": ["any", {"json": op}], "op": op, **fields}
    validator("request").validate(request)
    reply = ask_line(json.dumps(request).encode())
    assert reply["id"] == request["id"] and reply["ok"], reply
    validator("results/" + op).validate(reply["result"])
    return reply["result"]

hello = ask("hello")
assert hello["protocol"] == 1 and "attention" in hello["methods"]
taken = ask("input", narsese="<tim --> cat>.\n<cat --> animal>. %0.9;0.8%\n20\n<tim --> \n// hm\nTim eats.\n<tim --> ?1>?")
assert taken["accepted"] == 3 and taken["cycles"] == 23, taken
assert [(r["line"], r["column"]) for r in taken["rejected"]] == [(4, 10), (6, 5)], taken
for method in hello["methods"]:
    recall = ask("recall", cue="<tim --> ?1>?", method=method, top=2)
    assert len(recall["activations"]) <= 2
    energies = recall["energies"]
    assert all(b <= a + 1e-9 for a, b in zip(energies, energies[1:])) , (method, energies)
    maps = method == "modern_hopfield" or method.endswith("attention") and method not in ("continuous_attention", "proof_attention")
    twin = method.startswith("local_")  # it does not scan the whole memory: it reports what it left out
    assert ("left_out" in recall) == twin, (method, recall)
    assert ("certificate" in recall) == (maps and not twin), (method, recall)
    assert "period" not in recall, (method, recall)  # only synchronous spins have a period
sure = ask("recall", cue="<tim --> cat>", method="modern_hopfield", options={"map": "sparsemax", "beta": 100})["certificate"]
assert sure["exact"] and sure["margin"] == 1 and 100 * sure["gap"] >= 1, sure
assert not ask("recall", cue="tim", method="modern_hopfield")["certificate"]["exact"]
spins = [ask("recall", cue="tim", method="graph_spins", options={"dynamics": "sync", "cue_strength": strength}) for strength in (1, 0)]
assert spins[0]["period"] == 1 and spins[0]["converged"], spins
assert spins[1]["period"] in (1, 2) and spins[1]["converged"] == (spins[1]["period"] == 1), spins
weighted = ask("recall", cue={"tim": 1, "unheard": 0.5}, method="cosine")
assert weighted == ask("recall", cue="tim", method="cosine")
assert ask("recall", cue="unheard")["activations"] == []
sharp = ask("recall", cue="tim", method="attention", options={"beta": 100, "map": "argmax"})
assert sharp != ask("recall", cue="tim", method="attention")
# The default method is the one in hello, whatever other fields a request has. The reply names the method.
default = hello["default_method"]
assert default == "proof_attention" and default in hello["methods"] and sharp["method"] == "attention"
for op, more in (("recall", {}), ("explain", {}), ("allocate", {"capacity": 2, "of": "statements"}), ("allocate", {"capacity": 2, "of": "concepts"}),
                 ("recall", {"options": {"temperature": 2}}), ("allocate", {"capacity": 2, "of": "statements", "options": {"temperature": 2}})):
    assert (plain := ask(op, cue="<tim --> animal>?", **more))["method"] == default, (op, more, plain)
    assert plain == ask(op, cue="<tim --> animal>?", method=default, **more), (op, more)
assert ask("reason", question="<tim --> animal>?")["method"] == default
budgets = ask("allocate", cue="<tim --> ?1>?", capacity=1, of="statements")["budgets"]
assert budgets[0]["narsese"] == "<tim --> cat>." and budgets[0]["priority"] == 1, budgets
assert ask("allocate", cue="tim", capacity=3, of="concepts", method="uniform")["budgets"][0]["term"] == "tim"
# Budgets with the previous ones as prior, the policy, selection rules, and transfers that add up.
for of, key in (("concepts", "term"), ("statements", "narsese")):
    for prior_form in ("kl", "alpha", "euclidean"):
        share = lambda reply: {row[key]: row["priority"] / sum(r["priority"] for r in reply["budgets"]) for row in reply["budgets"]}
        accounts = share(ask("allocate", cue="tim", capacity=9, of=of))
        moved = ask("allocate", cue="animal", capacity=2, of=of, prior="previous", prior_form=prior_form, temperature=0.5, durability=0.5, fresh=0.1, transfers=100)
        for move in moved["transfers"]:
            accounts[move["from"]] = accounts.get(move["from"], 0) - move["amount"]
            accounts[move["to"]] = accounts.get(move["to"], 0) + move["amount"]
        assert all(abs(accounts.get(name, 0) - part) < 1e-12 for name, part in {None: 0, **share(moved)}.items()), (accounts, moved)
assert moved["transfers_in_all"] == len(moved["transfers"]) and {m["why"] for m in moved["transfers"]} <= {"decay", "similarity", "capacity"}, moved
first = ask("allocate", cue="tim", capacity=9, of="concepts", prior="previous", prior_form="alpha", alpha=2, select="threshold", threshold=0.1, policy={"atom": "holds", "variable": "ignored"})
assert all(row["priority"] > 0 for row in first["budgets"]), first
ask("allocate", cue="tim", capacity=1, of="concepts", select="budget", temperature=1)
compare = ask("compare", cue="tim", methods=["attention", "uniform", "pagerank"], top=3)
assert len(compare["methods"]) == 3 and len(compare["agreement"]) == 3
assert compare["agreement"][0]["spearman"] is None  # a constant has no ranks
def learnt(*without):  # cached data depends on earlier recalls
    return {k: v for k, v in ask("stats").items() if k != "readings_bytes" and k not in without}
assert {"bytes", "readings_bytes"} <= ask("stats").keys()
stats = learnt()
assert stats["statements"] == 2 and stats["hebbian_links"] == 2, stats

# Links survive a round trip.
linked = ask("links")["links"]
assert [(l["source"], l["target"], round(l["frequency"], 12)) for l in linked] == [("cat", "tim", round(0.9 / 1.7, 12)), ("animal", "cat", round(0.9 * 0.8 / 1.7, 12))], linked
assert ask("links", term="tim", top=1)["links"] == linked[:1] and ask("links", term="unheard", **{"as": "narsese"}) == {"narsese": []}
written = ask("links", **{"as": "narsese"})["narsese"]
assert len(written) == 4 and written[0] == "//engram: links" and written[3] == "//engram: statements", written
assert written[1].startswith("<(*,cat,tim) --> associated>. %0.529411764705882"), written
ask("reset")
taken = ask("input", narsese="\n".join(written[:1] + written[2:0:-1] + written[3:]))
assert taken == {"accepted": 2, "rejected": [], "cycles": 0, "concepts": 3, "links": 2}, taken
assert ask("links", **{"as": "narsese"})["narsese"] == written
for method in hello["methods"]:
    told = ask("recall", cue="tim", method=method)
    # These methods read links. The other methods score statements, and this memory is without statements.
    along_links = ["hopfield", "graph_spins", "pagerank", "local_pagerank", "spreading_activation", "ecan", "linear_ecan", "local_linear_ecan",
                   "frequency", "uniform"]
    assert told["activations"] or method not in along_links, (method, told)
ask("input", narsese="<tim <-> cat>. %0.5;0.9%")  # an ordinary statement
assert ask("stats")["statements"] == 1 and ask("stats")["cycles"] == 1
ask("reset")
ask("input", narsese="<tim --> cat>.\n<cat --> animal>. %0.9;0.8%\n20\n<tim --> ?1>?")
assert learnt() == stats

# Kernels compute on numbers in the request.
ones = [[1.0, 0.0], [0.0, 1.0]]
for score in ["dot", "scaled_dot", "cosine", "bilinear", "additive", "neg_sq_euclid", "neg_manhattan"]:
    found = ask("scores", queries=ones, keys=[[1, 1]], score=score, wb=ones, wq=ones, wk=ones, b=[0, 0], v=[1, 1])["scores"]
    assert len(found) == 2 and len(found[0]) == 1 and found[0] == found[1], found
assert ask("scores", queries=[[3, 4]], keys=[[0, 0]], score="cosine")["scores"] == [[0]]
masked = ask("attend", queries=ones, keys=ones, values=[[1], [2]], allow=[[True, False], [0, 0]])
assert masked == {"weights": [[1, 0], [0, 0]], "output": [[1], [0]]}, masked
assert ask("attend", queries=ones, keys=ones, values=[[1], [2]], map="none", scale=2, bias=[[1, 0], [0, 0]])["weights"] == [[3, 0], [0, 2]]
for name in ["sparsemax", "entmax", "normmax", "argmax"]:
    assert ask("attend", queries=[[9, 0]], keys=ones, values=ones, map=name, alpha=1.7)["weights"] == [[1, 0]], name
head = ask("multihead", query=ones, key=ones, value=ones, num_heads=2, in_proj_weight=ones * 3, in_proj_bias=[0] * 6,
           out_proj_weight=ones, out_proj_bias=[1, 1], allow=[[1, 0], [1, 1]])
assert len(head["weights"]) == 2 and head["weights"][1][0] == [1, 0] and head["output"][0] == [2, 1], head
for separation, parameter in [("identity", {}), ("softmax", {}), ("softmax", {"parameter": 3}), ("poly", {"parameter": 2}), ("max", {}), ("entmax", {})]:
    found = ask("universal", keys=ones, values=[[5], [7]], query=[1, 2], similarity="dot", separation=separation, **parameter)
    assert found["similarity"] == [1, 2], found
assert found["separated"][1] > 0.8
walk = ask("pagerank", n=3, edges=[[0, 1, 1.0]], directed=False, damping=0.5, restart=[1, 0, 0], steps=2)
assert abs(walk["rank"][0] - 2 / 3) < 1e-14 and walk["iterates"] == [[0.5, 0.5, 0], [0.75, 0.25, 0]], walk
assert "iterates" not in ask("pagerank", n=1, edges=[], directed=True, damping=0.999, restart=[0.1])
places = ask("positional", n=3, edges=[[0, 1, 2.0]], steps=2)
assert places["random_walk"] == [[0, 1], [0, 1], [0, 0]], places
for name, found in [("laplacian_eigenvalues", [0, 0, 4]), ("normalised_laplacian_eigenvalues", [0, 0, 2])]:
    assert max(abs(a - b) for a, b in zip(places[name], found)) < 1e-14 and len(places[name]) == 3, places
density = ask("continuous", alpha=2, mu=1, sigma_sq=2 / 3, t=[1, 0.5, 3], gaussian_basis={"mu": [1, 9], "sigma": [1e-12, 1]})
assert abs(density["half_support"] - 1) < 1e-14 and abs(density["variance"] - 0.2) < 1e-14, density
assert max(abs(a - b) for a, b in zip(density["density"], [0.75, 0.5625, 0])) < 1e-14, density
assert abs(density["expectations"][0] - 0.75) < 1e-13, density
assert ask("continuous", alpha=1, mu=0, sigma_sq=1)["half_support"] is None
context = ask("continuous_context", values=[[1, 2]], scores=[0.3], times=[0.5], alpha=1.5, ridge=1e-9, min_sigma_sq=1e-8,
              gaussian_basis={"mu": [0.5], "sigma": [1]})
assert context["mu"] == 0.5 and context["sigma_sq"] == 1e-8 and abs(context["context"][1] - 2) < 1e-3, context
# `map` and `sample` compute on scores in the request.
third = ask("map", scores=[1, 1, -9], map="sparsemax", tangent=[1, 0, 5])
assert third == {"p": [0.5, 0.5, 0], "support": [0, 1], "objective": 0.75, "jvp": [0.5, -0.5, 0]}, third
for name in ["softmax", "sparsemax", "entmax", "normmax", "budget", "argmax"]:
    for extra in [{}, {"temperature": 0.25}, {"alpha": 1.25, "k": 2}, {"tangent": [1, -1, 0.5]}]:
        found = ask("map", scores=[0.5, 2, -1e4], map=name, **extra)
        assert abs(sum(found["p"]) - (2 if name == "budget" and "k" in extra else 1)) < 1e-14, (name, found)
        assert found["support"] == [i for i, p in enumerate(found["p"]) if p > 0] and ("jvp" in found) == ("tangent" in extra)
for name, form in [("softmax", "kl"), ("entmax", "alpha"), ("sparsemax", "euclidean")]:
    found = ask("map", scores=[7, 7], map=name, prior=[0.25, 0.75], prior_form=form)
    assert max(abs(a - b) for a, b in zip(found["p"], [0.25, 0.75])) < 1e-15 and abs(found["objective"] - 7) < 1e-14, found
drawn = ask("sample", scores=[0, 0, -1e9], temperature=2, uniforms=[0, 0.49, 0.5, 0.999999])
assert drawn == {"p": [0.5, 0.5, 0], "indices": [0, 0, 1, 1]}, drawn
# Learning rules compute on patterns and activity in the request.
for rule in ["hebb", "storkey", "storkey_full_field", "pseudo_inverse", "pseudo_inverse_zero_diag"]:
    found = ask("weights", patterns=[[1, -1, 1, 1], [-1, 1, -1, -1]], rule=rule)
    assert found["energies"][0] == found["energies"][1] < 0 and len(found["w"]) == 4, found
assert ask("weights", patterns=[[1, -1]], rule="hebb") == {"w": [[0, -0.5], [-0.5, 0]], "energies": [-0.5]}
active = {"activity": [[1, 0], [1, 1]]}
assert ask("hebbian", rule="hebb_decay", eta=0.5, decay=0.25, **active) == {"w": [[0, 0.5], [0.5, 0]]}
assert ask("hebbian", rule="covariance", **active) == {"w": [[0, 0], [0, 0]]}
assert ask("hebbian", rule="asymmetric_sequence", **active) == {"w": [[0.5, 0], [0.5, 0]]}
assert ask("hebbian", rule="oja", w0=[1, 0], eta=0.5, **active) == {"w": [1, 0.5]}
assert ask("hebbian", rule="sanger", w0=[[1, 0]], eta=0.5, **active) == {"w": [[1, 0.5]]}
assert ask("hebbian", rule="bcm", w0=[1, 0], eta=0.5, theta0=0, tau_theta=2, **active) == {"w": [2.25, 0.75], "theta": 1.375}
assert ask("hebbian", rule="stdp_pair", dt=[0, 1e9, -1e9], a_plus=1, a_minus=1, tau_plus=20, tau_minus=20) == {"dw": [0, 0, 0]}
# Hopfield networks in the request: classical, dense and modern.
differ = ask("hopfield", w=[[0, -0.5], [-0.5, 0]], cue=[1, 1], mode="sync")
assert differ == {"final": [1, 1], "energies": [0.5, 0.5, 0.5], "flips": [2, 2], "overlaps": [], "converged": False, "period": 2}, differ
for rule in ["hebb", "storkey", "storkey_full_field", "pseudo_inverse", "pseudo_inverse_zero_diag"]:
    found = ask("hopfield", patterns=[[1, -1, 1, 1]], rule=rule, cue=[1, -1, 1, -1], mode="async", order=[3, 2, 1, 0], zero_field="plus", max_sweeps=9)
    assert found["final"] == [1, -1, 1, 1] and found["flips"] == [1, 0] and found["overlaps"] == [1] and found["converged"], found
forced = ask("hopfield", w=[[0.0]], patterns=[[1]], cue=[1], mode="async", field=[-2])
assert forced["final"] == [-1] and forced["energies"] == [2, -2, -2] and forced["overlaps"] == [-1], forced
heated = ask("hopfield", w=[[0, 1], [1, 0]], cue=[1, 1], mode="glauber", temperature=2, sites=[0, 1], uniforms=[0.75, 0.3])
assert heated == {"final": [-1, -1], "energies": [-1, 1, -1], "flips": [1, 1], "overlaps": [], "converged": False}, heated
for separation in ["polynomial", "rectified", "exponential"]:
    found = ask("dense", patterns=[[1, 1, 1], [1, -1, -1]], cue=[-1, 1, 1], separation=separation, n=3, order=[0, 2, 1])
    assert found["final"] == [1, 1, 1] and found["flips"] == [1, 0] and len(found["energies"]) == 3, found
for name in ["softmax", "sparsemax", "entmax", "normmax", "budget", "argmax"]:
    found = ask("modern", patterns=ones, cue=[0.9, 0], beta=4, map=name, alpha=1.5, k=1, steps=3)
    assert len(found["iterates"]) == 3 and found["iterations"] == 3 and found["certificate"]["gap"] == 0.9, found
    assert found["certificate"]["exact"] == (found["p_first"] == [1, 0]) == (name != "softmax"), (name, found)
assert ask("modern", patterns=[[3, 4]], cue=[0, 0], beta=1)["certificate"] == {"gap": None, "margin": None, "exact": True}
assert ask("modern", patterns=ones, cue=[0.9, 0], beta=4, tolerance=1e-9)["converged"]

bad = [
    (b"{", "bad_json", None), (b"nonsense", "bad_json", None), (b"[]", "bad_value", None),
    (b'"x"', "bad_value", None), (b'{"id":1}', "missing_field", "/op"), (b'{"id":1,"op":7}', "bad_value", "/op"),
    (b'{"id":1,"op":"recal"}', "unknown_op", "/op"), (b'{"id":1,"op":"stats","x/y":1}', "unknown_field", "/x~1y"),
    (b'{"id":1,"op":"recall"}', "missing_field", "/cue"), (b'{"id":1,"op":"recall","cue":3}', "bad_value", "/cue"),
    (b'{"id":1,"op":"recall","cue":"<a"}', "parse_error", "/cue"),
    (b'{"id":1,"op":"recall","cue":{"tim":2}}', "bad_value", "/cue/tim"),
    (b'{"id":1,"op":"recall","cue":{"<tim":1}}', "parse_error", "/cue/<tim"),
    (b'{"id":1,"op":"recall","cue":"tim","method":"x"}', "bad_value", "/method"),
    (b'{"id":1,"op":"recall","cue":"tim","top":0}', "bad_value", "/top"),
    (b'{"id":1,"op":"recall","cue":"tim","top":1.5}', "bad_value", "/top"),
    (b'{"id":1,"op":"recall","cue":"tim","options":{"beta":-1}}', "bad_value", "/options/beta"),
    (b'{"id":1,"op":"recall","cue":"tim","options":{"bta":1}}', "bad_value", "/options/bta"),
    (b'{"id":1,"op":"recall","cue":"tim","options":{"beta":[1]}}', "bad_value", "/options/beta"),
    (b'{"id":1,"op":"recall","cue":"tim","options":7}', "bad_value", "/options"),
    (b'{"id":1,"op":"allocate","cue":"tim","capacity":2,"of":"things"}', "bad_value", "/of"),
    (b'{"id":1,"op":"allocate","cue":"tim","of":"concepts"}', "missing_field", "/capacity"),
    (b'{"id":1,"op":"allocate","cue":"tim","of":"concepts","capacity":1,"policy":{"compound":"holds"}}', "bad_value", "/policy/compound"),
    (b'{"id":1,"op":"allocate","cue":"tim","of":"concepts","capacity":1,"transfers":1000000000}', "limit_exceeded", None),
    (b'{"id":1,"op":"allocate","cue":"tim","of":"concepts","capacity":1,"durability":0.5}', "bad_value", "/durability"),
    (b'{"id":1,"op":"compare","cue":"tim","methods":[]}', "bad_value", "/methods"),
    (b'{"id":1,"op":"compare","cue":"tim","methods":["cosine","cosine"]}', "bad_value", "/methods/1"),
    (b'{"id":1,"op":"map","scores":[1]}', "missing_field", "/map"), (b'{"id":1,"op":"map","map":"softmax"}', "missing_field", "/scores"),
    (b'{"id":1,"op":"map","scores":[],"map":"softmax"}', "bad_value", "/scores"), (b'{"id":1,"op":"map","scores":[1,null],"map":"softmax"}', "bad_value", "/scores/1"),
    (b'{"id":1,"op":"map","scores":[1],"map":"hardmax"}', "bad_value", "/map"), (b'{"id":1,"op":"map","scores":[1],"map":"softmax","temperature":0}', "bad_value", "/temperature"),
    (b'{"id":1,"op":"map","scores":[1],"map":"budget","k":2}', "bad_value", "/k"), (b'{"id":1,"op":"map","scores":[1],"map":"normmax","alpha":1}', "bad_value", "/alpha"),
    (b'{"id":1,"op":"map","scores":[1],"map":"softmax","prior":[1,1]}', "shape_mismatch", "/prior"), (b'{"id":1,"op":"map","scores":[1],"map":"budget","prior":[1]}', "bad_value", "/prior"),
    (b'{"id":1,"op":"map","scores":[1],"map":"softmax","prior":[1],"prior_form":"alpha"}', "bad_value", "/prior_form"),
    (b'{"id":1,"op":"sample","scores":[1],"uniforms":[0]}', "missing_field", "/temperature"), (b'{"id":1,"op":"sample","scores":[1],"temperature":1,"uniforms":[0,1]}', "bad_value", "/uniforms/1"),
    (b'{"id":1,"op":"hopfield","patterns":[[1]],"rule":"hebb","cue":[0],"mode":"sync"}', "bad_value", "/cue/0"), (b'{"id":1,"op":"hopfield","w":[[0]],"cue":[1],"mode":"glauber"}', "missing_field", "/temperature"),
    (b'{"id":1,"op":"dense","patterns":[[1,1]],"cue":[1],"separation":"exponential"}', "shape_mismatch", "/cue"), (b'{"id":1,"op":"modern","patterns":[[1]],"cue":[1],"beta":1,"steps":900000000}', "limit_exceeded", "/steps"),
    (b'{"id":1,"op":"input","narsese":7}', "bad_value", "/narsese"),
    (b'{"id":1,"op":"recall","cue":"tim","method":"pagerank","options":{"links":"learnt"}}', "bad_value", "/options/links"),
    (b'{"id":1,"op":"links","term":"<a"}', "parse_error", "/term"), (b'{"id":1,"op":"links","as":"xml"}', "bad_value", "/as"), (b'{"id":1,"op":"links","top":0}', "bad_value", "/top"),
    (b'{"id":1,"op":"input","narsese":"a.","dialect":"klingon"}', "bad_value", "/dialect"),
    (b'{"id":1,"op":"stats","op":"stats"}', "bad_json", None), (b'{"id":NaN,"op":"stats"}', "bad_json", None),
    (b'{"id":1e999,"op":"stats"}', "bad_json", None), (b'{"id":"\xff","op":"stats"}', "bad_json", None),
    (b'{"id":1,"op":"stats\x00"}', "bad_json", None), (b'{"id":1,"op":"stats"}\x00and more', "bad_json", None), (b'{"op":"stats","id":"\\ud800"}', "bad_json", None),
    (b"[" * 100000, "limit_exceeded", None), (b'{"id":' + b"[" * 40 + b"]" * 40 + b"}", "limit_exceeded", None),
    (b" " * (17 << 20), "limit_exceeded", None),
    (b'{"cue":{' + b",".join(b'"%d":1' % i for i in range(20000)) + b"}}", "limit_exceeded", None),
]
server.stdin.write(b"\n \t\n\r\n")  # blank lines are not requests
for line, code, pointer in bad:
    reply = ask_line(line)
    assert not reply["ok"] and reply["error"]["code"] == code, (line[:80], reply)
    assert reply["error"].get("pointer") == pointer or pointer is None, (line[:80], reply)
    assert reply["id"] == (1 if line.startswith((b'{"id":1,', b'{"id":1}')) and code != "bad_json" else None), (line[:80], reply)
assert learnt() == stats  # all of that changed nothing

# Dialects are strict: sentences that the system would silently misread are rejected.
reply = ask_line(b'{"id":1,"op":"input","narsese":"$0.8;0.5;0.9$ <tim --> cat>.\\n<tim --> cat>.","dialect":"ona"}')
assert reply["result"]["accepted"] == 1 and "budget" in reply["result"]["rejected"][0]["message"], reply
# Snapshots: after a restore the session continues exactly as after the snapshot.
def go_on():
    return [ask("allocate", cue="tim", capacity=3, of="concepts", prior="previous"), ask("input", narsese="<tim --> pet>.\n7\n<pet --> {tim}>."),
            ask("recall", cue="<tim --> ?1>?", top=50), ask("links"), learnt("bytes")]  # spare capacity may differ
written = ask("snapshot", path="memory.snapshot")
data = open("memory.snapshot", "rb").read()
assert written == {"path": "memory.snapshot", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}, written
assert all(isinstance(json.loads(line), dict) for line in data.splitlines())
later = go_on()
assert later != go_on()
assert ask("restore", path="memory.snapshot") == written
assert go_on() == later
now = ask("stats")
open("cut.snapshot", "wb").write(data[:-1])
for path, code in (("cut.snapshot", "bad_value"), ("no/such/folder", "io_error"), (".", "io_error")):
    reply = ask_line(json.dumps({"op": "restore", "path": path}).encode())
    assert reply["error"]["code"] == code and reply["error"]["pointer"] == "/path", reply
assert ask("stats") == now
ask("reset")
assert ask("stats")["concepts"] == 0
assert ask("recall", cue="tim")["activations"] == []
ask("quit")
assert server.wait(10) == 0
# The end of input ends the session.
assert subprocess.run([engram, "serve"], input=b'{"op":"hello"}', capture_output=True).stdout.startswith(b'{"id":null,"ok":true')
# Files loaded at the start. A wrong line is reported with its place, and the others are learnt.
open("known.nal", "w").write("<tim --> cat>.\n<cat --> animal>.\n<oops\n")
known = subprocess.run([engram, "serve", "known.nal"], input=b'{"op":"stats"}', capture_output=True)
assert json.loads(known.stdout)["result"]["statements"] == 2, known.stdout
assert known.stderr.startswith(b"known.nal:3:6: error: "), known.stderr
for options, why in ((["--unix", "socket"], b"with --shared or --page"), (["--durable", "kept"], b"(--durable)")):
    refused = subprocess.run([engram, "serve", "known.nal", *options], capture_output=True)
    assert refused.returncode == 2 and why in refused.stderr, refused.stderr
# Links are learnt by the rule of --learning.
talk = b'{"op":"input","narsese":"<a --> b>.\\n<c --> d>."}\n{"op":"recall","cue":"a","method":"pagerank","options":{"links":"learnt"}}\n'
found = subprocess.run([engram, "serve", "--learning", "sequence"], input=talk, capture_output=True).stdout.splitlines()
terms = [row["term"] for row in json.loads(found[1])["result"]["activations"]]
assert sorted(terms) == ["a", "c", "d"], terms  # b occurred together with a, not after it
print("ok")
PY
expect 0 python3 session.py "$engram" "$source"
says out ok
