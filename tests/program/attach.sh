#!/bin/sh
# Tests `engram attach` from outside: input, output and learning, and the outcome of each kind of failure of a NARS.
. "$(dirname "$0")/lib.sh"
cat >attach.py <<'PY'
import json, os, re, subprocess, sys, time
import jsonschema
from watching import processes_with

engram, source = sys.argv[1:3]
schema = json.load(open(source + "/bridge/schema/event.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
fake = [sys.executable, source + "/tests/program/fake_nars.py"]
# Marks the command lines of all processes, so that left_over() finds processes that outlive their session.
tag = "%d.%d" % (7000 + os.getpid() % 1000, os.getpid())
os.environ["FAKE_NARS_SLEEP"] = tag

with open("birds.nal", "w") as file:
    file.write("// Who is what?\n<robin --> bird>.\n<stone --> thing>.\n<bird --> animal>.\n<rock --> stone>.\n10\n"
               "<robin --> ?1>?\n//expected: Answer: <robin --> animal>. Truth: frequency=1.0, confidence=0.81\n"
               "<animal --> ?1>?\n")


with open("later.nal", "w") as file:
    file.write("<a --> b>. :|:\n<robin --> ?1>?\n<bird --> animal>.\n")
with open("ways.nal", "w") as file:
    file.write("<robin --> bird>.\n<bird --> animal>.\n<robin --> flyer>.\n<flyer --> animal>.\n<robin --> animal>?\n")
with open("twice.nal", "w") as file:
    file.write("<robin --> bird>.\n<bird --> animal>.\n<robin --> ?1>?\n<robin --> animal>?\n")


def left_over():
    return processes_with(tag.encode())


def attach(*options, nars=(), file="birds.nal", code=0, command=None):
    done = subprocess.run([engram, "attach", *options, file, "--", *(command or fake + list(nars) + ["tag:" + tag])],
                          capture_output=True, timeout=300)
    assert done.returncode == code, (code, done.returncode, options, nars, done.stderr[-500:])
    assert not left_over(), (nars, left_over())
    events = [json.loads(line) for line in done.stdout.splitlines()]
    for event in events:
        validator.validate(event)
    return events, done.stderr.decode()


def memory(talk):
    return talk.split("sha256 ")[1].split()[0]


def restarts(talk):
    return int(talk.split("was restarted ")[1].split()[0]) if "was restarted" in talk else 0


def replay(log, code=0):
    done = subprocess.run([engram, "replay", log], capture_output=True)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)["sha256"], done.stderr.decode()


def sent(log):
    return [entry["sent"] for entry in map(json.loads, open(log)) if "sent" in entry]


# Without faults: input is sent, answered and learnt, and the transcript gives the same memory.
events, talk = attach("--log", "log")
assert "4 statements, 2 questions: 1 answered, 1 of 1 as expected" in talk, talk
assert [e["term"] for e in events if e["event"] == "answer" and "term" in e] == ["<robin --> animal>"]
assert [e["term"] for e in events if e["event"] == "derived"] == ["<robin --> animal>", "<rock --> thing>"], events
assert any(e["event"] == "answer" and "term" not in e for e in events)
well = memory(talk)
assert replay("log")[0] == well
assert [line for line in sent("log") if line.startswith("<")][:4] == [
    "<robin --> bird>.", "<stone --> thing>.", "<bird --> animal>.", "<rock --> stone>."]
# Derivations are episodes, so the memory differs without them.
answers = memory(attach("--learn", "answers")[1])
assert answers != well and answers != memory(attach("--learn", "nothing")[1]) != well

# A transcript with one changed byte gives another memory, and the replay reports it.
text = open("log").read()
open("other", "w").write(text.replace('{"input":"<rock --> stone>."}', '{"input":"<rock --> storm>."}'))
assert "differs from that of the transcript" in replay("other", code=1)[1]
open("cut", "w").write(text[:text.rindex("\n", 0, -1) + 1])
assert "no end" in replay("cut")[1]
open("broken", "w").write(text.replace('{"input":"10"}', '{"input":10}'))
assert subprocess.run([engram, "replay", "broken"], capture_output=True).returncode == 2

# With a gate each question goes to a reasoner without knowledge, with the two statements that it needs.
events, talk = attach("--gate", "2", "--log", "gated")
assert "1 of 1 as expected" in talk, talk
lines = sent("gated")
first = lines[:lines.index("<robin --> ?1>?")]
assert sorted(l for l in first if l.startswith("<")) == ["<bird --> animal>.", "<robin --> bird>."], lines
assert "*reset" not in lines and replay("gated")[0] == memory(talk)
# One process for each of the two questions, and one that was started ahead for the next question.
if os.path.exists("lives"):
    os.remove("lives")
attach("--gate", "2", nars=["--times", "0", "lives"])
assert open("lives").read() == "3"
events, talk = attach("--gate", "2", "--reset", "--log", "gated")
assert "1 of 1 as expected" in talk and replay("gated")[0] == memory(talk)
lines = sent("gated")
resets = [i for i, line in enumerate(lines) if line == "*reset"]
# ONA keeps its clock at a reset and divides usage by time, so it is set to a late time.
assert len(resets) == 2 and all(lines[i + 1] == "*currenttime=1000000000" for i in resets), lines
assert "0 of 1 as expected" in attach("--gate", "1")[1]  # one premise is not enough
# The capacity limits the selection, and statements with less than --share of the largest budget are omitted.
def given(*options, file="birds.nal"):
    attach(*options, "--summary", "summary", file=file)
    return json.load(open("summary"))["rows"][0]["given"]
full = given("--gate", "9")
assert given("--gate", "9", "--share", "0") == full
few = given("--gate", "9", "--share", "1")
assert 0 < len(few) < len(full) and few == full[:len(few)], (few, full)
# If the method allows it, the gate by default selects at most what a complete proof needs with
# probability .95.
proof, both = given("--gate", "9", file="ways.nal"), given("--gate", "9", "--share", "0", file="ways.nal")
assert len(proof) == 2 and len(both) == 4 and both[:2] == proof, (proof, both)
assert len(given("--gate", "9", "--method", "overlap", file="ways.nal")) == 4

# Steering by what the system supports. The transcript records what is sent.
def sentences(log):
    return [line for line in sent(log) if line[0] in "<*" and line not in ("*volume=100", "*reset", "*currenttime=1000000000")]


def of_question(summary):
    return json.load(open(summary))["rows"][0]


attach("--steer", "order", "--log", "log")
told = sentences("log")
assert sorted(told[2:4]) == ["<bird --> animal>.", "<robin --> bird>."] and told[4] == "<robin --> ?1>?", told
assert sorted(told[:2]) == ["<rock --> stone>.", "<stone --> thing>."]
attach("--steer", "order", "--log", "log", file="later.nal")  # unneeded statements are sent at the end, events at once
assert sentences("log") == ["<a --> b>. :|:", *["<robin --> ?1>?"] * 2, "<bird --> animal>."], sentences("log")
best = {}
for options in [["--gate", "2"], ["--gate", "2", "--steer", "order"]]:
    attach(*options, "--log", "log", "--summary", "summary")
    best[len(options)] = of_question("summary")["given"]
    assert sentences("log")[:2] == best[len(options)]
assert best[4] == best[2][::-1] and len(best[2]) == 2
attach("--steer", "repeat", "--steered", "2", "--log", "log", "--summary", "summary")
first = sentences("log").index("<robin --> ?1>?")
again = sentences("log")[first - 4:first]
numbers = {"<robin --> bird>.": "*stampimport=[1]", "<bird --> animal>.": "*stampimport=[3]"}
assert again[1::2] == of_question("summary")["given"] and again[0::2] == [numbers[line] for line in again[1::2]], again
assert again[1::2] == best[4], "the best comes last"
events, talk = attach("--steer", "ask", "--steered", "2", "--log", "log")
assert sentences("log")[first - 4:first - 2] == [line.replace(".", "?") for line in best[4]]
assert "1 of 1 as expected" in talk and len([e for e in events if e["event"] == "answer"]) == len(
    [e for e in attach()[0] if e["event"] == "answer"]), "questions of --steer ask are not events"
events, talk = attach("--steer", "reimport", "--gate", "2", "--learn", "all", "--log", "log", file="twice.nal")
told = sentences("log")
assert "*stampimport=[1] <robin --> bird>. *stampimport=[2] <bird --> animal>." in " ".join(told), told
assert "*stampimport=[2,1] <robin --> animal>." in " ".join(told[told.index("<robin --> ?1>?"):]), told
assert told[-1] == "<robin --> animal>?" and "2 answered" in talk, (told, talk)
assert replay("log")[0] == memory(talk)
attach("--fresh", "--log", "log", "--summary", "summary")
lives = [entry for entry in map(json.loads, open("log")) if "fresh" in entry]
assert len(lives) == 2 and sentences("log").count("<rock --> stone>.") == 2, "--fresh starts a process for each question"
assert of_question("summary")["outcome"] == "truth" and of_question("summary")["cycles"] == 50
attach("--time-limit", "700", "--log", "log", "--summary", "summary", nars=["hang=13"])
rows = json.load(open("summary"))["rows"]
assert [row["timed_out"] for row in rows] == [True, True] and all(0.6 < row["seconds"] < 5 for row in rows), rows
open("refused.nal", "w").write("<robin --> bird>.\n<a =|> b>?\n//expected: Answer: <a =|> b>.\n")
attach("--summary", "summary", file="refused.nal", code=1)
assert of_question("summary")["refused"] and of_question("summary")["outcome"] == "wrong", of_question("summary")
# An expected missing answer is met only by no answer, and not by a question that was not asked.
open("none.nal", "w").write("<robin --> bird>.\n<robin --> rock>?\n//expected: Answer: None.\n"
                            "<robin --> ?1>?\n//expected: Answer: None.\n<a =|> b>?\n//expected: Answer: None.\n")
attach("--summary", "summary", "--report", "none.html", file="none.nal", code=1)
assert [row["outcome"] for row in json.load(open("summary"))["rows"]] == ["truth", "wrong", "wrong"], open("summary").read()
page = open("none.html").read()
assert page.count("<td>truth</td>") == 1 and page.count("<td>wrong</td>") == 2, page
# Outcome `term`: the right term with another truth value.
answer = "<robin --> bird>.\n<robin --> ?1>?\n//expected: Answer: "
for expected, outcome in [("<robin --> bird>. Truth: frequency=1.0, confidence=0.9", "truth"),
                          ("<robin --> bird>. Truth: frequency=0.995, confidence=0.909", "truth"),
                          ("<robin --> bird>. %1.0;0.9%", "truth"),
                          ("<robin --> bird>. Truth: frequency=1.0, confidence=0.81", "term"),
                          ("<robin --> bird>. Truth: frequency=0.9, confidence=0.9", "term"), ("<robin --> bird>.", "term"),
                          ("<robin --> rock>. Truth: frequency=1.0, confidence=0.9", "wrong"), ("None.", "wrong")]:
    open("outcome.nal", "w").write(answer + expected + "\n")
    talk = attach("--summary", "summary", "--report", "outcome.html", file="outcome.nal")[1]
    told = json.load(open("summary"))
    assert told["rows"][0]["outcome"] == outcome, (expected, told)
    assert told["outcomes"] == {name: int(name == outcome) for name in ("truth", "term", "wrong")}, told
    assert "<td>%s</td>" % outcome in open("outcome.html").read()
    assert ", %d of 1 as expected" % (outcome != "wrong") in talk, talk
    named = "," in expected or "%" in expected
    assert (", %d of 1 with the expected truth" % (outcome == "truth") in talk) == named and told["with_expected_truth"] == named, talk

# A question that crashes the NARS is reported with its last output lines, and later questions are asked.
open("crash.nal", "w").write(
    "<robin --> bird>.\n<bird --> animal>.\n<robin --> rock>?\n//expected: Answer: None.\n<robin --> ?1>?\n"
    "//expected: Answer: <robin --> animal>. Truth: frequency=1.0, confidence=0.9\n<robin --> stone>?\n<bird --> ?1>?\n")
for options in [], ["--gate", "2"], ["--fresh"], ["--gate", "2", "--reset"]:
    events, talk = attach("--summary", "summary", "--max-restarts", "1", "--back-off", "1", *options, file="crash.nal", code=3,
                          nars=["--fails-at", "<robin --> rock>?", "--fails-at", "<robin --> stone>?"])
    rows = json.load(open("summary"))["rows"]
    assert [row["failed"] is None for row in rows] == [False, True, False, True], rows
    assert [row["outcome"] for row in rows] == ["wrong", "term", None, None], rows
    assert [row["answer"] for row in rows] == [None, "<robin --> animal>", None, "<bird --> animal>"], rows
    why = "ended (exit code 1) at '<robin --> rock>?', 2 times in a row; the last lines that it printed:\n"
    assert why in rows[0]["failed"] and rows[0]["failed"].endswith("    cannot go on with this: <robin --> rock>?"), rows[0]
    assert why in talk and "the NARS failed at 2 questions; the others were asked" in talk, talk
open("crashes.nal", "w").write("<robin --> bird>.\n" + "<robin --> rock>?\n" * 20)
talk = attach("--summary", "summary", "--max-restarts", "0", file="crashes.nal", code=3, nars=["--fails-at", "<robin --> rock>?"])[1]
assert len(json.load(open("summary"))["rows"]) == 7 and "at '<robin --> rock>?', 1 times in a row" in talk, talk
# A statement that crashes the NARS ends the session, because later answers would lack it.
talk = attach("--max-restarts", "0", nars=["--fails-at", "<bird --> animal>."], code=3)[1]
assert "cannot go on with this: <bird --> animal>." in talk, talk
# A NARS that fails at the start is reported in a few lines, without control characters.
lines = "for i in $(seq 99); do echo line $i; done; printf '\\033]0;title\\007\\303\\251 %0999d\\n' 7; echo no such rule file >&2; exit 3"
talk = attach("--max-restarts", "0", command=["sh", "-c", lines], code=3)[1]
told = talk[talk.index("the last lines that it printed:"):].splitlines()
assert "ended (exit code 3)" in talk and 7 <= len(told) - 1 <= 8 and "no such rule file" in told[-1], talk
assert "line 99" in talk and "line 9\n" not in talk and max(map(len, told)) <= 210, told
assert all(32 <= ord(c) < 127 for line in told for c in line), told
# ONA's program needs an argument to read Narsese.
for name, words, hinted in [("NAR", [], True), ("NAR", ["shell"], False), ("OTHER", [], False)]:
    with open(name, "w") as file:
        file.write("#!/bin/sh\necho All tests ran successfully\n")
    os.chmod(name, 0o755)
    talk = attach("--max-restarts", "0", command=["./" + name] + words, code=3)[1]
    assert ("-- ./NAR shell" in talk) == hinted and "All tests ran successfully" in talk, talk
# A file that cannot be written is reported before the session, and existing files are not changed.
os.makedirs("folder", exist_ok=True)
open("written", "w").write("as it was")
for option in "--summary", "--report":
    for path in "no/such/folder/file", "folder", "written/file":
        if os.path.exists("log"):
            os.remove("log")
        events, talk = attach(option, path, "--log", "log", code=3)
        assert path in talk and not events and not os.path.exists("log"), (option, path, talk)
    events, talk = attach(option, "written", "--max-restarts", "0", command=["false"], code=3)
    assert open("written").read() != "as it was", "the summary or report of a failed session was not written"
    open("written", "w").write("as it was")
    attach(option, "folder/new", "--steer", "budgets", code=2)
    assert not os.path.exists("folder/new")
    done = subprocess.run([engram, "stream", "-", option, "no/file", "--", "cat"], capture_output=True, input=b"")
    assert done.returncode == 3 and b"no/file" in done.stderr and not done.stdout, done
attach("--log", "log")
assert subprocess.run([engram, "replay", "log", "--report", "no/file"], capture_output=True).returncode == 3

# In ONA an empty line runs a cycle, also between two lines of a file. Other systems ignore it.
open("blank.nal", "w").write("<robin --> bird>.\n\n  \n\n<bird --> animal>.\n")
attach("--log", "log", file="blank.nal")
assert sent("log")[-5:] == ["<robin --> bird>.", "1", "1", "1", "<bird --> animal>."], sent("log")
attach("--log", "log", "--gate", "2", file="blank.nal")
assert "1" not in sent("log"), "with a gate, cycles in the file must not be sent"
attach("--log", "log", "--system", "nar_json", file="blank.nal", nars=["--speak", "json"])
assert [line for line in sent("log") if line.endswith("1")] == ["1"] * 3, sent("log")
attach("--log", "log", "--system", "navm", file="blank.nal", nars=["--speak", "navm"])
assert "CYC 1" not in sent("log"), sent("log")
# A byte order mark is skipped at the start of a file and an error elsewhere.
open("marked.nal", "wb").write(b"\xef\xbb\xbf<robin --> bird>.\n\xef\xbb\xbf<bird --> animal>.\n")
talk = attach("--log", "log", file="marked.nal", code=1)[1]
assert "marked.nal:2:1: error: expected text, found a byte order mark (U+FEFF)" in talk, talk
assert "1 statements" in talk and replay("log")[0] == memory(talk), talk
for options, why in [(["--steer", "budgets"], "cannot be steered by 'budgets', but by: order, repeat, ask, reimport"),
                     (["--system", "opennars", "--steer", "repeat"], "but by: order, budgets"),
                     (["--system", "pynars", "--steer", "reimport"], "but by: order, budgets"),
                     (["--system", "navm", "--steer", "repeat"], "but by: order, budgets"),
                     (["--steer", "ask", "--gate", "3"], "not with a gate"), (["--steer", "reimport"], "needs a gate"),
                     (["--share", "0.5"], "needs a gate"), (["--fresh", "--gate", "3"], "already sends each question to a new reasoner")]:
    assert why in attach(*options, code=2)[1], why

# A NARS behind Python or NAVM gets, prints and answers the same. Only the JSON dictionaries have stamps.
events, talk = attach("--system", "nar_json", "--log", "log", nars=["--speak", "json"])
assert "4 statements, 2 questions: 1 answered, 1 of 1 as expected" in talk and memory(talk) == well == replay("log")[0], talk
assert [e["term"] for e in events if e["event"] == "derived"] == ["<robin --> animal>", "<rock --> thing>"], events
assert json.loads(events[0]["raw"])["Stamp"] == [1] == events[0]["stamp"], events[0]
assert attach("--system", "nar_json", nars=[])[1] == talk, "NAR.py prints ONA's own lines"
events, talk = attach("--system", "nar_json", "--gate", "2", "--steer", "reimport", "--learn", "all", nars=["--speak", "json"],
                      file="twice.nal")
assert "2 answered" in talk, talk
events, talk = attach("--system", "navm", "--log", "log", nars=["--speak", "navm"])
assert "1 of 1 as expected" in talk and memory(talk) == replay("log")[0], talk
assert [e["term"] for e in events if e["event"] == "derived"] == ["<robin --> animal>", "<rock --> thing>"], events
assert sent("log")[:6] == ["NSE <robin --> bird>.", "NSE <stone --> thing>.", "NSE <bird --> animal>.", "NSE <rock --> stone>.",
                           "CYC 10", "CYC 50"] and "NSE <robin --> ?1>?" in sent("log"), sent("log")
events, talk = attach("--system", "navm", "--gate", "2", "--log", "log", "--summary", "summary", "--report", "page.html",
                      nars=["--speak", "navm"])
given = of_question("summary")["given"]
assert "1 of 1 as expected" in talk and len(given) == 2 and all(line.startswith("NSE $") for line in given), (talk, given)
assert len([entry for entry in map(json.loads, open("log")) if "fresh" in entry]) == 2, "NAVM has no command to forget, so a new process is needed"
assert "NSE" not in open("page.html").read() and "$ &lt;robin --&gt; bird&gt;.</code>" in open("page.html").read()
with open("known.nal", "w") as file:
    file.write("<robin --> bird>.\n<robin --> ?1>?\n//expected: Answer: <robin --> bird>. Truth: frequency=1.0, confidence=0.9\n")
assert "1 of 1 as expected" in attach("--system", "navm", file="known.nal", command=[engram, "serve", "--dialect", "navm"])[1]
for system, options in [("nar_json", ["--speak", "json"]), ("navm", ["--speak", "navm"])]:
    right = memory(attach("--system", system, nars=options)[1])
    for fault in ["exit", "kill", "hang", "flood", "half", "cut", "closein", "late", "utf8"]:
        for at in [2, 9]:
            if os.path.exists("lives"):
                os.remove("lives")
            events, talk = attach("--system", system, "--patience", "6000", "--log", "log",
                                  nars=options + ["%s=%d" % (fault, at), "--times", "1", "lives"])
            assert restarts(talk) == (fault not in ["late", "utf8"]), (system, fault, at, talk)
            assert "1 of 1 as expected" in talk and memory(talk) == right == replay("log")[0], (system, fault, at, talk)
for system, why in [("nar_json", "python3 -u"), ("navm", "must answer each REM by a COMMENT")]:
    talk = attach("--system", system, "--patience", "300", "--max-restarts", "1", command=["sleep", "7"], code=3)[1]
    assert why in talk and "2 times in a row" in talk, talk

# Names that ONA would cut are sent as short names and restored in its output. With `keep` they are refused.
long = ["%s_whose_name_is_longer_than_thirty_one_bytes" % name for name in ("robin", "bird", "animal")]
with open("long.nal", "w") as file:
    file.write("<%s --> %s>.\n<%s --> %s>.\n<stone --> \"a b\">.\n<%s --> ?1>?\n//expected: Answer: <%s --> %s>.\n"
               % (long[0], long[1], long[1], long[2], long[0], long[0], long[2]))
for system, speak, gate in [("ona", [], []), ("ona", [], ["--gate", "2"]), ("nar_json", ["--speak", "json"], ["--gate", "2"]),
                            ("ona", ["exit=4", "--times", "1", "lives"], []), ("ona", [], ["--steer", "repeat"])]:
    if os.path.exists("lives"):
        os.remove("lives")
    events, talk = attach("--system", system, *gate, "--log", "log", "--summary", "summary", "--report", "page.html",
                          file="long.nal", nars=speak)
    assert "1 of 1 as expected" in talk and replay("log")[0] == memory(talk), (system, gate, talk)
    told = [re.sub("^NSE ", "", line) for line in sent("log")]
    words = {word for line in told if line.startswith("<") for word in re.findall(r"\w+", line)}
    assert words and max(map(len, words)) == 31 and not words & set(long), words
    terms = [event["term"] for event in events if "term" in event]
    assert "<%s --> %s>" % (long[0], long[2]) in terms, terms
    table = dict(entry["named"].split(" ", 1) for entry in map(json.loads, open("log")) if entry.get("named"))
    assert set(long) <= set(table.values()) and set(table) <= words, (table, words)
    assert not any(name in term for term in terms for name in table), (table, terms)
    page = open("page.html").read()
    assert long[0] in page and not any(name in page for name in table), system
    if gate:
        given = of_question("summary")["given"]
        assert sorted(given) == sorted("<%s --> %s>." % pair for pair in zip(long, long[1:])) or gate[0] == "--steer", given
assert "n_a_b_" in table and "<stone --> \"a b\">" in terms, (table, terms)
events, talk = attach("--names", "keep", "--log", "log", file="long.nal", code=1)
assert "0 of 1 as expected" in talk and talk.count("long.nal:") == 4 and "named" not in open("log").read(), talk

# The page of a session has everything, escaped, and is the same from the transcript.
events, talk = attach("--gate", "2", "--log", "log", "--report", "page.html")
page = open("page.html").read()
assert replay("log")[0] == memory(talk)
assert subprocess.run([engram, "replay", "log", "--report", "again.html"], capture_output=True).returncode == 0
assert open("again.html").read() == page and "<robin" not in page and "&lt;robin --&gt; ?1&gt;?" in page
assert "2 questions: 1 answered" in page and page.count("class=\"answered\"") == 4 == page.count("class=\"open\"")
assert "src=" not in page and "href=\"http" not in page

# Every kind of fault, once in a session: the restarted reasoner gets all earlier input again, and the memory shows no trace of the fault.
for fault in ["exit", "kill", "hang", "flood", "half", "closein", "deaf", "grandchild"]:
    for at in [1, 5, 12, 17]:
        if os.path.exists("lives"):
            os.remove("lives")
        events, talk = attach("--patience", "2000", "--log", "log", nars=["%s=%d" % (fault, at), "--times", "1", "lives"])
        assert restarts(talk) == 1, (fault, at, talk)
        assert "1 of 1 as expected" in talk and memory(talk) == well == replay("log")[0], (fault, at, talk)

# Unusual output that is not a fault causes no restart. Invalid UTF-8 is kept unchanged in the transcript.
for oddity in ["late", "utf8", "ansi"]:
    events, talk = attach("--log", "log", nars=[oddity + "=5"])
    assert restarts(talk) == 0 and memory(talk) == well == replay("log")[0], (oddity, talk)
    assert oddity != "ansi" or any(e["raw"].startswith("\033[33mAnswer") for e in events)
    assert oddity != "utf8" or any("\ufffd\ufffd\0\ufffd" in e["raw"] for e in events)
    assert oddity != "utf8" or "heard_bytes" in open("log").read()

# A free-running NARS may answer after the next question was read. Such an answer does not count for the
# new question.
open("slow.py", "w").write("""
import sys
asked = 0
for line in sys.stdin:
    if line.startswith("'"):
        print("ECHO: " + line.strip(), flush=True)
    elif "engram_probe" in line:
        if "?" in line:
            print("Answer: <engram_probe --> alive>. %1.00;0.90% {1 : (1,0)} ", flush=True)
    elif line.strip().endswith("?"):
        asked += 1
        if asked > 1:
            print("Answer: <robin --> animal>. %1.00;0.81% {1 : (1,1);(1,0)} ", flush=True)
""")
open("two.nal", "w").write("<robin --> bird>.\n<robin --> ?1>?\n<stone --> ?1>?\n<robin --> ?1>?\n")
events, talk = attach("--system", "opennars", "--settling", "50", "--summary", "summary", file="two.nal",
                      command=[sys.executable, "slow.py"])
assert [row["answer"] for row in json.load(open("summary"))["rows"]] == [None, None, "<robin --> animal>"], talk
assert len([e for e in events if e["event"] == "answer"]) == 2

# OpenNARS's reasoning thread may stop, at the start or later, while input is still echoed. That is a failure.
open("asleep.py", "w").write('''
import os, sys
lives = len(open("lives").read()) if os.path.exists("lives") else 0
open("lives", "a").write("x")
asked = 0
for line in sys.stdin:
    line = line.strip()
    if line.startswith("'"):
        print("ECHO: " + line, flush=True)
        continue
    asked += line.endswith("?")
    print("IN: " + line + (" %1.00;0.90% {1 : (1,0)} " if line.endswith(".") else " {1 : (1,0)} "), flush=True)
    if line.endswith("?") and lives >= 2 or lives == 1 and asked == 1 and line.endswith("?"):
        print("Answer: " + line[:-1] + ". %1.00;0.90% {1 : (1,0)} ", flush=True)
''')
open("one.nal", "w").write("<robin --> bird>.\n<robin --> bird>?\n//expected: Answer: <robin --> bird>.\n")
for more in ["--gate", "3"], ["--fresh"], []:
    if os.path.exists("lives"):
        os.remove("lives")
    # The first process never reasons, the second one only for our question.
    events, talk = attach("--system", "opennars", "--settling", "50", "--patience", "1000", "--summary", "summary", "--log", "log",
                          *more, file="one.nal", command=[sys.executable, "asleep.py"])
    assert restarts(talk) == 2 and open("lives").read().startswith("xxx"), talk
    assert json.load(open("summary"))["rows"][0]["answer"] == "<robin --> bird>", talk
    assert "engram_probe" not in open("log").read() and not any("engram_probe" in str(e) for e in events)
    os.remove("lives")
open("asleep_for_ever.py", "w").write(open("asleep.py").read().replace("lives >= 2", "False").replace("lives == 1", "False"))
events, talk = attach("--system", "opennars", "--settling", "50", "--patience", "300", "--max-restarts", "1", "--log", "log",
                      file="one.nal", command=[sys.executable, "asleep_for_ever.py"], code=3)
assert "repeats its input but does not reason" in talk and "2 times in a row" in talk, talk

# PyNARS has two consoles. Both print a prompt without a line end, their messages for invalid input differ, and
# only Console knows ''reset. The script imitates Console.py, ConsolePlus.py, Interface.py and Print.py of
# OpenNARS-4.
open("consoles.py", "w").write("""
import re, sys
plus = sys.argv[1] == "ConsolePlus"
known = []
def tell(kind, text, budget=None):
    shares = [" %.2f " % share for share in budget] if budget else ["    " if plus else "      "] * 3
    print("".join("\\033[48;2;112;10;10m%s\\033[49m" % share for share in shares) + ("" if plus else " ") +
          "\\033[36m%-6s:\\033[39m" % kind + ("" if plus else " ") + text, flush=True)
print("\\033[90mNARS: Run...\\033[39m")
while True:
    print("\\033[90mInput: \\033[39m", end="", flush=True)
    line = sys.stdin.readline().strip()
    if not line and sys.exit(0):
        pass
    sentence = re.fullmatch(r"(?:\\$[\\d.;]*\\$ )?(<.*>)([.?])(?: *%.*%)?", line)
    if line == "''reset":
        known = known if plus else []
    elif line.startswith(("'", "//")):
        pass
    elif line.isdigit():
        tell("INFO", "\\033[90mRun %s cycles.\\033[39m" % line)
    elif sentence and sentence[2] == ".":
        known.append(sentence[1])
        tell("IN", sentence[1] + ".  %1.000;0.900%", (0.8, 0.5, 0.95))
    elif sentence:
        tell("IN", sentence[1] + "?", (0.9, 0.9, 1))
        for term in known:
            if term == sentence[1]:
                tell("ANSWER", term + ".  %1.000;0.900%", (0.99, 0.9, 0.95))
    elif plus:
        tell("ERROR", 'Input "%s" failed.' % line)
    else:
        tell("ERROR", "Invalid input! Failed to parse: " + line)
""")
open("forgets.nal", "w").write("<a --> b>.\n<c --> d>.\n<a --> b>?\n<c --> d>?\n<a --> b>?\n")
for console in "Console", "ConsolePlus":
    for options in ["--gate", "1"], ["--gate", "1", "--reset"], []:
        events, talk = attach("--system", "pynars", "--summary", "summary", "--log", "log", *options, file="forgets.nal",
                              command=[sys.executable, "consoles.py", console])
        assert "3 questions: 3 answered" in talk and not restarts(talk), (console, options, talk)
        heard = [event["event"] for event in events if event.get("term")]
        assert heard.count("answer") == 3 and heard.count("input") == (6 if options else 5), (console, options, heard)
        if options:  # a process for each question has only that question's input
            fresh = open("log").read().split('{"fresh"')
            assert [part.count('"heard":') > 0 for part in fresh[1:]] == [True] * 3, (console, options)

# A permanent fault ends the session with a reason, and the transcript has all accepted input.
for fault, reason in [("exit", "exit code 1"), ("kill", "signal 9"), ("hang", "did not answer within 300 ms")]:
    # On a busy machine a start alone can last 300 ms.
    patience = "300" if fault == "hang" else "60000"
    events, talk = attach("--patience", patience, "--max-restarts", "2", "--log", "log", nars=[fault + "=6"], code=3)
    assert reason in talk and "3 times in a row" in talk, talk
    assert restarts(talk) == 2 or (fault == "hang" and restarts(talk) > 2), talk
    assert memory(talk) == replay("log")[0]
    assert [e for e in map(json.loads, open("log")) if "input" in e][-1]["input"].startswith("<")
events, talk = attach(command=["./no-such-program"], code=3)
assert "cannot start './no-such-program'" in talk and "-- ./NAR shell" in talk, talk
assert "statements" not in talk, "a session that did not start must print no totals"
assert "no such program on PATH" in attach(command=["no-such-program"], code=3)[1]
open("no-program", "w").write("")
assert "Permission denied" in attach(command=["./no-program"], code=3)[1]
assert "times in a row" in attach("--max-restarts", "1", command=["true"], code=3)[1]

# Invalid Narsese and sentences that ONA cannot read are errors of the file, and the rest is processed.
open("bad.nal", "w").write("<robin --> \n<a =|> b>.\n<robin --> bird>.\n<robin --> ?1>?\n")
events, talk = attach(file="bad.nal", code=1)
assert "bad.nal:1:12: error" in talk and "bad.nal:2:1: error" in talk and "1 answered" in talk, talk

# Saved knowledge is available in the next session, and can be sent to a reasoner like new input.
open("said.nal", "w").write("<robin --> bird>.\n<bird --> animal>.\n<stone --> thing>.\n")
open("asked.nal", "w").write("<robin --> ?1>?\n")
attach("--durable", "kept", file="said.nal")
assert attach("--durable", "kept", "--gate", "2", "--summary", "summary", file="asked.nal")[1].startswith("engram: 3 statements, ")
assert "<robin --> bird>." in of_question("summary")["given"], of_question("summary")
for options, why in ((["--learn", "all"], "--learn must be answers or nothing"), (["--log", "log"], "--log")):
    assert why in attach("--durable", "kept", *options, code=2)[1], options

# A killed `engram attach` leaves no process behind, and its transcript has all accepted input.
running = subprocess.Popen([engram, "attach", "--log", "log", "birds.nal", "--", *fake, "hang=9", "tag:" + tag],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for _ in range(200):
    if os.path.exists("log") and '"<bird --> animal>."' in open("log").read():
        break
    time.sleep(0.05)
assert len(left_over()) >= 1
running.kill()
running.wait()
for _ in range(100):
    if not left_over():
        break
    time.sleep(0.05)
assert not left_over()
assert "no end" in replay("log")[1]
print("ok")
PY
expect 0 python3 attach.py "$engram" "$source"
says out ok
