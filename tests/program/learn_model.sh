#!/bin/sh
# Tests a model that continues learning during a session with a NARS: the saved file, the replay of the transcript, and
# refused files.
. "$(dirname "$0")/lib.sh"
cat >learn.py <<'PY'
import json, os, shutil, subprocess, sys

engram, source = sys.argv[1:3]
fake = [sys.executable, source + "/tests/program/fake_nars.py"]
with open("kinds.nal", "w") as file:
    for kind in range(6):
        for line in ["<a --> b>.", "<b --> c>.", "<x --> a>.", "<x --> c>.", "<x --> y>.", "<a --> d>.", "<d --> e>.", "<e --> c>."]:
            file.write(line.translate({ord(name): "%s%d" % (name, kind) for name in "abcdexy"}) + "\n")
    for kind in range(6):
        file.write("<a%d --> c%d>?\n<a%d --> y%d>?\n" % ((kind,) * 4))
    file.write("//the end\n")


def run(*arguments, code=0):
    done = subprocess.run([engram, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def attach(*options, code=0, nars=()):
    return run("attach", *options, "kinds.nal", "--", *fake, *nars, code=code).stderr


def learning(file):
    return json.load(open(file))["learning"]


# Six questions are answered from the shorter of two proofs, which are the two given statements. Six questions stay
# without an answer.
talk = attach("--gate", "2", "--learn-model", "first", "--log", "log", "--summary", "summary", "--report", "page.html")
first = learning("first")
assert first["answered"] == 6 and 0 < first["failed"] <= 6 and len(first["covariance"]) == 78, first
assert "6 answered" in talk and "first: has learnt from 6 answers and %d questions without one" % first["failed"] in talk
options = json.load(open("first"))["options"]
assert options["inheritance"] != first["start"]["inheritance"], options  # the longer proof has more such steps
told = json.load(open("summary"))["model"]
assert (told["answered"], told["failed"], len(told["sha256"])) == (6, first["failed"], 64), told
page = open("page.html").read()
assert "What the model learnt" in page and "each step of inheritance or implication" in page
assert json.loads(open("log").readline())["model"]["learning"]["answered"] == 0

# The replay gives the same bytes and the same page. A changed line gives another model, and the replay reports it.
again = json.loads(run("replay", "log", "--learn-model", "again", "--report", "again.html").stdout)
assert open("again").read() == open("first").read() and again["model_sha256"] == told["sha256"]
assert open("again.html").read() == page
text = open("log").read()
open("other", "w").write(text.replace(again["model_sha256"], "0" * 64))
assert "the model differs from that of the transcript, sha256 000" in run("replay", "other", code=1).stderr
open("damaged", "w").write(text.replace('"hub":', '"hug":', 1))
assert "not a transcript" in run("replay", "damaged", code=2).stderr

# A later session continues in the same file with the same start. --set keeps a weight fixed.
shutil.copy("first", "model")
talk = attach("--gate", "2", "--model", "model", "--learn-model", "model", "--set", "backwards=-1.5")
second = learning("model")
assert "from 12 answers and" in talk and second["start"] == first["start"], talk
assert json.load(open("model"))["options"]["backwards"] == -1.5
assert all(abs(s) <= abs(f) + 1e-12 for s, f in zip([second["covariance"][i * (i + 3) // 2] for i in range(12)],
                                                    [first["covariance"][i * (i + 3) // 2] for i in range(12)]))
run("recall", "--model", "model", "kinds.nal", "--cue", "<a1 --> c1>?")
# A killed session leaves a complete model file, and the replay of its transcript gives the same file.
attach("--gate", "2", "--reset", "--learn-model", "killed", "--log", "killed.log", "--max-restarts", "0", "--patience", "2000",
       nars=["hang=14"], code=3)
assert 0 < learning("killed")["answered"] < 6, learning("killed")
assert json.loads(run("replay", "killed.log", "--learn-model", "again").stdout)["model_sha256"]
assert open("again").read() == open("killed").read()

# Options that exclude each other and files that cannot be written are reported before the session.
stderr = attach("--gate", "2", "--learn-model", "unused", "--method", "pagerank", code=2)
assert "--learn-model trains only proof_attention, found --method pagerank" in stderr, stderr
assert not os.path.exists("unused")
stderr = attach("--gate", "2", "--learn-model", "no/such/folder", "--summary", "never", code=3)
assert "no/such/folder" in stderr and not os.path.exists("never"), stderr
attach("--gate", "2", "--log", "without")
assert "it ran without --learn-model" in run("replay", "without", "--learn-model", "m", code=2).stderr
print("ok")
PY
expect 0 python3 learn.py "$engram" "$source"
says out ok
