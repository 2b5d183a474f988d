#!/bin/sh
# Tests `engram ask`: answers with their proofs, from files and from standard input.
. "$(dirname "$0")/lib.sh"
cat >ask.py <<'PY'
import json, subprocess, sys

engram, source = sys.argv[1:]
family = source + "/experiments/data/family.nal"
living = source + "/experiments/data/living_things.nal"


def ask(*words, code=0, text=""):
    done = subprocess.run([engram, "ask", *words], input=text, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout, done.stderr


def results(*words, **more):
    return json.loads(ask(*words, "--json", **more)[0])


# The proof is a tree of sentences: premises precede their conclusion, and inputs are statements of the file.
[one] = results(family, "<(*,olav,henrik) --> ?1>?")
answer = one["answers"][0]
assert answer["term"] == "<(*,olav,henrik) --> grandfather>" and abs(answer["truth"]["confidence"] - 0.729) < 1e-9, answer
told = subprocess.run([engram, "parse", family, "--to", "canonical"], capture_output=True, text=True).stdout
for at, line in enumerate(answer["derivation"]):
    assert all(premise < at for premise in line["premises"]), answer
    assert line["premises"] or line["narsese"].split(" %")[0] in told, line
assert answer["derivation"][-1]["narsese"].startswith(answer["term"]) and len(answer["derivation"]) == 5
assert len(one["selected"]) == 3 and one["selected_in_all"] == one["statements"] == 172
assert one["selected"][0]["budget"]["priority"] == 1 and "grandfather" in one["selected"][0]["narsese"]

# Output as text: the lines of the tree, with the names of the rules.
out, err = ask(family, "<(*,olav,henrik) --> ?1>?", "--top", "2", "--answers", "1")
assert not err and out.splitlines()[:4] == [
    "<(*,olav,henrik) --> ?1>?",
    "  <(*,olav,henrik) --> grandfather>. %1;0.729%   (deduction)",
    "  ├─ <(*,olav,lars) --> father>. %1;0.9%   (input)",
    "  └─ <<(*,$1,lars) --> father> ==> <(*,$1,henrik) --> grandfather>>. %1;0.81%   (deduction)"], out
assert out.count("$") > 2 and "172 of 172 statements" in out

# Only the budget from the method is printed. A budget in the file is omitted.
out = ask("-", "<a --> b>?", text="$0.3;0.4;0.5$ <a --> b>.\n")[0]
assert "0.3;0.4;0.5" not in out and out.count("$ <a --> b>.") == 1, out

# Every distinct binding is an answer. The order is by expectation, so unlikely answers are last.
with open("birds.nal", "w") as file:
    file.write("<swan --> bird>. %1;0.5%\n<duck --> bird>. %1;0.9%\n<bat --> bird>. %0.1;0.9%\n<gull --> bird>. %0.9;0.9%\n")
[one] = results("birds.nal", "<?x --> bird>?", "--steps", "1")
assert [a["term"] for a in one["answers"]] == ["<%s --> bird>" % name for name in ("duck", "gull", "swan", "bat")], one
assert len(results("birds.nal", "<?x --> bird>?", "--answers", "2")[0]["answers"]) == 2

# Without a question on the command line, `ask` answers the questions in the files. The file name - means standard
# input, for other commands as well.
text = "<a --> b>.\n<b --> c>.\n<a --> c>?\n<a --> ?1>?\n"
assert [one["question"] for one in results("-", text=text)] == ["<a --> c>?", "<a --> ?1>?"]
assert results("-", text=text)[0]["answers"][0]["truth"]["confidence"] >= 0.81
[one] = results("-", "birds.nal", "<a --> c>?", text=text)
assert one["question"] == "<a --> c>?" and one["statements"] == 6
assert subprocess.run([engram, "recall", "-", "--cue", "a"], input=text, capture_output=True, text=True).stdout.count("a --> b") == 1
assert subprocess.run([engram, "graph", "-"], input=text, capture_output=True, text=True).stdout.count("a") > 1
assert "expected a question in the files or on the command line" in ask("birds.nal", code=2)[1]
assert "expected a Narsese file" in ask("<a --> b>?", code=2)[1]

# Without an answer: the statements that share most names with the question. A gate limits what the reasoner gets.
out, err = ask("-", "<duck --> fish>?", text="<duck --> bird>.\n<cod --> fish>.\n<stone --> thing>.\n")
assert "no answer within" in out and "closest sentences" in out and "<stone" not in out.split("selected")[0], out
# An event is printed with its tense, here and in a proof.
events = "<duck --> bird>. :|:\n<bird --> animal>.\n"
assert "    <duck --> bird>. :|: %1;0.9%   (input)" in ask("-", "<duck --> fish>?", text=events)[0].splitlines()
assert "  ├─ <duck --> bird>. :|: %1;0.9%   (input)" in ask("-", "<duck --> animal>?", text=events)[0].splitlines()
assert "no answer" in ask("-", "<x --> y>?", text=text)[0]
[one] = results(family, "<(*,olav,henrik) --> ?1>?", "--gate", "2")
assert one["selected_in_all"] == 2 and all("grandfather>" not in a["term"] for a in one["answers"]), one
assert results(living, "<{tweety} --> [feathered]>?", "--gate", "3")[0]["answers"][0]["term"] == "<{tweety} --> [feathered]>"

# An unknown name is reported with the most similar name. Other sentences than questions
# give an error.
assert "has no name 'tweeti'" in ask(living, "<{tweeti} --> bird>?")[1]
out, err = ask(living, "<a b?", "<canary --> bird>?", code=1)
assert "engram: question:1:4: error:" in err and "<canary --> bird>. %1;0.9%" in out, (out, err)
assert ask("bad.nal", code=2)[1].startswith("engram: error: bad.nal")

# A question without its mark is not mistaken for a missing file.
assert "a question ends in ? or @" in ask(living, "<canary --> bird>.", code=2)[1]

# A direct denial wins over a longer affirmation, and a proof does not weaken its own premises.
penguin = "<pingu --> penguin>.\n<penguin --> bird>.\n<bird --> [fly]>.\n<<$1 --> penguin> ==> (--,<$1 --> [fly]>)>.\n"
[one] = results("-", "<pingu --> [fly]>?", text=penguin)
assert one["answers"][0]["truth"]["frequency"] == 0 and abs(one["answers"][0]["truth"]["confidence"] - 0.81) < 0.01, one
needs = ("<(*,stickleback,daphnia) --> eats>.\n<(*,pike,stickleback) --> eats>.\n"
         "<<(*,$x,$y) --> eats> ==> <(*,$x,$y) --> needs>>.\n"
         "<(&&,<(*,$x,#y) --> needs>,<(*,#y,$z) --> needs>) ==> <(*,$x,$z) --> needs>>.\n")
[one] = results("-", "<(*,pike,daphnia) --> needs>?", text=needs)
assert abs(one["answers"][0]["truth"]["confidence"] - 0.9 ** 5) < 1e-6, one

# A *reset within a file does not remove the file's earlier statements. A warning says so.
err = ask("-", "<a --> c>?", text="<a --> b>.\n*reset\n<b --> c>.\n")[1]
assert "-:2:1: warning: a reset is not carried out here" in err, err

# The page has the same content, and the same question gives the same bytes.
ask(family, "<(*,olav,henrik) --> ?1>?", "--report", "page.html")
page = open("page.html").read()
assert "grandfather" in page and "├─" in page and "http" not in page.split("<body")[1]
assert ask(family, "--json") == ask(family, "--json")
print("ok")
PY
expect 0 python3 ask.py "$engram" "$source"
says out ok
