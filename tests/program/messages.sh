#!/bin/sh
# Tests messages and help: the beginnings of messages, the names listed by help, and - as standard input for every
# command that reads Narsese.
. "$(dirname "$0")/lib.sh"
cp "$source/experiments/data/living_things.nal" animals.nal
printf '<a --> b>.\n<a -> c>.\n<a --> (b, c>.\n' >wrong.nal
printf '{"experiment": "comparison", "inputs": ["animals.nal"], "tops": 3}' >wrong.json
printf '{"engram_model": 7}' >wrong.engram
mkdir empty
cat >messages.py <<'PY'
import re, subprocess, sys

engram = sys.argv[1]
LINE = re.compile(r"engram: \S|.+:\d+:\d+: (error|warning): \S|  +\S")  # or a continued line

def run(*words, text=""):
    done = subprocess.run([engram, *words], input=text, capture_output=True, text=True, timeout=120)
    for line in done.stderr.splitlines():
        assert LINE.match(line), (words, line)
    first = done.stderr.splitlines()[:1]
    assert not first or not first[0].startswith(" "), (words, first)
    return done

def fails(code, *words, text=""):
    done = run(*words, text=text)
    assert done.returncode == code and done.stderr, (words, done)
    return done.stderr

# Every command reports wrong usage, missing files and invalid Narsese in the same form.
commands = re.findall(r"^  ([a-z]+) ", run("--help").stdout.split("Commands:")[1].split("\n\n")[0], re.M)
assert len(commands) > 15 and "help" in commands, commands
for command in commands:
    assert f"engram help {command}" in fails(2, command, "--no-such-option") or f"engram {command} --help" in fails(2, command, "--no-such-option")
for words in [[], ["--no-such-option"], ["recal"], ["run"], ["run", "no_such_spec"], ["run", "wrong.json"], ["run", "-"],
              ["run", "animals.nal", "--set", "seeds=1..5"], ["run", "animals.nal", "--jobs", "0"], ["run", "animals.nal", "--set", "x"],
              ["recall", "animals.nal"], ["recall", "animals.nal", "--cue", "x", "--method", "hopfeld"],
              ["recall", "animals.nal", "--cue", "x", "--method", "attention", "--set", "beta=-1"],
              ["graph", "animals.nal", "--format", "svg"], ["parse", "--lint", "--to", "json"], ["attach", "animals.nal", "--gate", "0"],
              ["serve", "--forget", "all"], ["serve", "-"], ["serve", "--address", "::"], ["help", "recal"], ["help", "import", "csv"],
              ["help", "graph", "x"], ["methods", "hopfeld"], ["generate", "trees"], ["train", "no_such_spec", "--out", "m"],
              ["import"], ["import", "table"], ["import", "csv"], ["completion", "csh"], ["ask", "animals.nal", "--answers", "0"],
              ["ask", "animals.nal", "<a -> b>?"], ["compare", "empty"], ["recall", "animals.nal", "--cue", "x", "--model", "wrong.engram"]]:
    fails(2 if words != ["ask", "animals.nal", "<a -> b>?"] else 1, *words)
for words in [["recall", "none.nal", "--cue", "x"], ["graph", "none.nal"], ["parse", "none.nal"], ["ask", "none.nal", "<a --> b>?"],
              ["serve", "none.nal"], ["attach", "none.nal", "--system", "engram"], ["replay", "none.jsonl"], ["report", "empty"],
              ["verify", "empty"], ["compare", "empty", "empty"], ["import", "table", "none.tsv"], ["run", "none.nal"],
              ["attach", "animals.nal", "--", "./no_such_nars"], ["import", "wordnet", "--folder", "empty"]]:
    assert run(*words).stderr and run(*words).returncode in (1, 2, 3), words
for words in [["parse", "wrong.nal"], ["recall", "wrong.nal", "--cue", "x"], ["graph", "wrong.nal"], ["recall", "animals.nal", "--cue", "<a"],
              ["parse", "--lint", "wrong.nal"], ["ask", "wrong.nal", "<a --> b>?"], ["recall", "wrong.nal", "--cue", "a", "--after", "<b"]]:
    assert run(*words).returncode == 1, words
done = run("parse", "wrong.nal")
assert "wrong.nal:2:4: error: unknown copula '->': did you mean '-->'?" in done.stderr, done
assert "wrong.nal:3:13: error: expected ',' or ')' for the '(' in column 8, found '>'" in done.stderr, done
assert "engram: wrong.nal: dialect: common, ona, opennars, pynars\n" in done.stderr, done  # with the dialects
many = "".join(f"<a{i} -> b>.\n" for i in range(300))
assert "engram: ... and " in run("recall", "-", "--cue", "x", text=many).stderr
assert "engram: ... and " in run("parse", text=many * 10).stderr

# Messages about success begin the same way.
run("run", "animals.nal", "--out", "run", "--set", "cues=2")
run("attach", "animals.nal", "--system", "engram", "--log", "log", "--report", "page.html", text="")
run("replay", "log")
run("verify", "run")
run("stream", "-", "--system", "engram", text="<a --> [b]>. :|:\n3\n")

# Both forms of a command's help are equal, and the help lists every name that an option accepts.
for words in [[], *([command] for command in commands), ["import", "table"], ["import", "rdf"], ["import", "wordnet"]]:
    help_text = run("help", *words).stdout
    assert help_text == run(*words, "--help").stdout and "Example:" in help_text, words
    listed = 0
    for option in re.findall(r"^  (--[a-z-]+)(?:,--[a-z-]+)* NAME\b", help_text, re.M):
        told = run(*words, option, "no_such_name")
        known = re.search(r"Known are ([^\n]+)", told.stderr)
        assert told.returncode == 2 and known, (words, option, told)
        of_option = re.search(r"^  %s\b.*?(?=^  -|^\S|\Z)" % option, help_text, re.M | re.S)[0]
        for name in known[1].split():
            assert re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(name), of_option), (words, option, name, of_option)
        listed += 1
    assert listed > 0 or words[:1] not in (["recall"], ["serve"], ["attach"], ["parse"], ["graph"], ["compare"]), words
for text in [run("-v").stdout, run("--version").stdout]:
    assert text.startswith("engram "), text

# `engram methods NAME` prints the options of the method with defaults and ranges.
text = run("methods", "hopfield").stdout
assert text.startswith("hopfield\n\n"), text
listed = re.search(r"^hopfield .*\n(?:    .*\n)+", run("methods").stdout, re.M)[0]
options = re.findall(r"^    (\w+) = (\S+)", listed, re.M)
assert options
for name, default in options:
    assert f"\n  {name} = {default}   " in text, (name, default, text)
assert "It has no options." in run("methods", "uniform").stdout and "default method" in run("methods", "proof_attention").stdout

# `engram experiments`: specs with the name of their experiment come first. Every purpose is a complete
# text.
lines = [line for line in run("experiments").stdout.splitlines() if not line.startswith(" ")]
assert lines.index("flood") < lines.index("real_flood  (experiment: flood)") and lines.index("sensors") < lines.index("sensors_ona  (experiment: sensors)"), lines
assert not re.search(r"^    The same ", run("experiments").stdout, re.M)

# The file name - means standard input.
facts = open("animals.nal").read()
cue = "<{tweety} --> [feathered]>?"
for words in [["recall", "FILE", "--cue", cue], ["graph", "FILE"], ["ask", "FILE", cue, "--top", "1"], ["parse", "FILE"], ["parse", "FILE", "--lint"],
              ["attach", "FILE", "--system", "engram"]]:
    by_name, by_input = (run(*[file if word == "FILE" else word for word in words], text=text)
                         for file, text in (("animals.nal", ""), ("-", facts)))
    assert by_name.stdout.replace("animals.nal", "<stdin>") == by_input.stdout.replace("-:", "<stdin>:") or words[0] == "parse", words
    assert by_name.returncode == by_input.returncode, words
assert run("replay", "-", text=open("log").read()).stdout == run("replay", "log").stdout
assert "-: a run names its inputs" in fails(2, "run", "-", text=facts)
assert "standard input (-) has the requests already" in fails(2, "serve", "-", text="")
assert "-: an import names its files" in fails(2, "import", "table", "-", text="tim\tis\tcat\n")
PY
expect 0 python3 messages.py "$engram"
