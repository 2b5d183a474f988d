#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for a NARS with the interface of ONA's shell, which misbehaves on request.

    fake_nars.py [--speak json|navm] [--fails-at LINE ...] [MISBEHAVIOUR ...] [--times N FILE] [--soak SEED N FILE]

It echoes sentences as `Input:`, counts cycles, answers a question with the last judgement that matches it (a query
variable matches anything), accepts *stampimport=[..], and derives <a --> c> from <a --> b> and <b --> c>. Misbehaviours,
each at the n-th line it reads:

    exit=N       ends with status 1        kill=N     ends by SIGKILL        hang=N      reads and says nothing more
    flood=N      prints 100 MB             half=N     prints half a line and ends
    closein=N    closes its input          late=N     answers two seconds late
    utf8=N       prints invalid UTF-8      ansi=N     colours its output
    grandchild=N ends, but leaves a process that holds the output open for $FAKE_NARS_SLEEP seconds
    deaf=N       ignores SIGTERM and hangs
    stop=N       stops itself by SIGSTOP
    cut=N        ends within the next line it prints

With `--fails-at LINE` it prints a reason on standard error and ends with status 1 whenever it reads that line.

With `--speak json` it prints one dictionary for each line it reads, as ONA's NAR_json.py does (a blank line first). With
`--speak navm` it reads NAVM's commands and prints NAVM's outputs. With `--times N FILE` only its first N processes
misbehave; FILE counts them. With `--soak SEED N FILE` each of its first N processes misbehaves once, in a random way and
at a random line; FILE records the faults.
"""
import json, os, random, re, signal, subprocess, sys, time

wrong, times, lives, soak, speak, said, failing = {}, None, None, None, None, [], []
arguments = iter(sys.argv[1:])
for argument in arguments:
    if argument == "--times":
        times, lives = int(next(arguments)), next(arguments)
    elif argument == "--speak":
        speak = next(arguments)
    elif argument == "--fails-at":
        failing.append(next(arguments))
    elif argument == "--soak":
        soak = [next(arguments) for _ in range(3)]
    elif "=" in argument:
        what, at = argument.split("=")
        wrong[what] = int(at)
if lives is not None:
    lived = int(open(lives).read()) if os.path.exists(lives) else 0
    with open(lives, "w") as file:
        file.write(str(lived + 1))
    if lived >= times:
        wrong = {}

dice = random.Random(0)
if soak is not None:
    told = [line.split() for line in open(soak[2])] if os.path.exists(soak[2]) else []
    dice = random.Random("%s/%d" % (soak[0], len(told)))
    if len(told) < int(soak[1]):
        # The fault is at a line that an earlier process reached, or a few lines later, so that the whole session is
        # covered.
        furthest = max([int(at) for _, at in told], default=0)
        wrong = {dice.choice(["exit", "kill", "hang", "flood", "half", "closein", "late", "grandchild", "deaf", "stop",
                              "cut", "cut", "cut"]): dice.randint(1, furthest + 8)}

out = sys.stdout.buffer
colour = cutting = False


def task_of(text):
    """A task as NAR.py prints it: numbers are strings, except in the stamp."""
    found = re.match(r"(?:dt=\S+ )?.*?[.!?](?= |$)", text)[0]
    task = {"occurrenceTime": "now" if " :|:" in text else "eternal", "punctuation": found[-1], "term": found[:-1]}
    for name, pattern in [("Stamp", r" Stamp=\[([\d,]*)\]"), ("Priority", r" Priority=(\S+)")]:
        value = re.search(pattern, text)
        if value:
            task[name] = [int(number) for number in value[1].split(",")] if name == "Stamp" else value[1]
    truth = re.search(r" Truth: frequency=(\S+), confidence=(\S+)", text)
    if truth:
        task["truth"] = {"frequency": truth[1], "confidence": truth[2]}
    return task


def dictionary(lines):
    def all_of(*kinds):
        return [task_of(line.split(": ", 1)[1]) for line in lines if line.startswith(kinds)]
    return json.dumps({"input": all_of("Input: "), "derivations": all_of("Derived: "), "answers": all_of("Answer: "),
                       "executions": [], "reason": None, "selections": [], "raw": "\n".join(lines), "requestOutputArgs": False})


def navm_output(line):
    """A line of ONA as NAVM output: its type, the line, and the sentence if it has one."""
    kind = {"Input": "IN", "Derived": "OUT", "Answer": "ANSWER", "Comment": "COMMENT"}.get(line.split(":")[0], "OTHER")
    output = {"type": kind if line != "Answer: None." else "OTHER", "content": line}
    if output["type"] in ("IN", "OUT", "ANSWER"):
        task = task_of(line.split(": ", 1)[1])
        output["narsese"] = task["term"] + task["punctuation"]
        if "truth" in task:
            output["narsese"] += " %%%s;%s%%" % (task["truth"]["frequency"], task["truth"]["confidence"])
    return json.dumps(output)


def say(line, end=b"\n"):
    data = line if isinstance(line, bytes) else line.encode()
    if end and speak == "json":
        said.append(data.decode(errors="replace"))
        return
    show(navm_output(data.decode(errors="replace")).encode() if end and speak == "navm" else data, end)


def show(data, end=b"\n"):
    # Cuts within the part that the memory learns from, because half a line can still be parsed, with other numbers.
    if cutting and (wrong["cut"] % 3 == 0 or speak or data.startswith((b"Derived", b"Answer: <"))):
        out.write(data[:len(data) - dice.randint(1, 8)])
        out.flush()
        os._exit(0)
    out.write((b"\033[33m" + data + b"\033[39m" if colour else data) + end)
    out.flush()


TRUTH = " Truth: frequency=1.000000, confidence=%f"
believed, stamps, now, imported = [], 0, 1, None


def fits(question, term):
    pattern = "".join(r"[^ <>]+" if part.startswith("?") else re.escape(part) for part in re.split(r"(\?\w+)", question))
    return re.fullmatch(pattern, term) is not None


def believe(term, stamp, confidence, kind):
    believed.append((term, stamp, confidence))
    say("%s: %s. Priority=1.000000 Stamp=[%s]" % (kind, term, ",".join(map(str, stamp))) + TRUTH % confidence)


def derive():
    known = {term for term, _, _ in believed}
    parts = [(re.fullmatch(r"<(\w+) --> (\w+)>", term), stamp, confidence) for term, stamp, confidence in believed]
    links = [(x[1], x[2], stamp, confidence) for x, stamp, confidence in parts if x]
    by_subject = {}
    for link in links:
        by_subject.setdefault(link[0], []).append(link)
    for x, middle, sa, ca in links:
        # A belief derived in this call becomes a second premise from the next first premise on.
        for _, y, sb, cb in list(by_subject.get(middle, [])):
            term = "<%s --> %s>" % (x, y)
            if term not in known and x != y:
                known.add(term)
                believe(term, sb + sa, ca * cb, "Derived")
                by_subject.setdefault(x, []).append((x, y, sb + sa, ca * cb))


def misbehave(what):
    global colour, cutting
    if soak is not None:
        with open(soak[2], "a") as told:
            told.write("%s %d\n" % (what, count))
    if what == "exit":
        say("Too many things are wrong here")
        say("Test failed.")
        sys.exit(1)
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what in ("hang", "deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    if what == "flood":
        for _ in range(100):
            out.write((b"Comment: " + b"flood " * 169 + b"\n") * 1000)
        out.flush()
    if what == "half":
        say("Derived: <half --> of", end=b"")
        os._exit(0)
    if what == "closein":
        os.close(0)
        time.sleep(1000)
    if what == "late":
        time.sleep(2 if soak is None else dice.uniform(0.1, 1))
    if what == "utf8":
        say(b"Comment: \xff\xfe\x00\xc3")
    if what == "ansi":
        colour = True
    if what == "grandchild":
        subprocess.Popen(["sleep", os.environ.get("FAKE_NARS_SLEEP", "1000")])
        os._exit(1)
    if what == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if what == "cut":
        cutting = True


count = 0
if speak == "json":
    print(flush=True)
while True:
    if count > 0 and speak == "json":
        show(dictionary(said).encode())
        said = []
    line = sys.stdin.buffer.readline()
    if not line:
        break
    count += 1
    for what, at in wrong.items():
        if at == count:
            misbehave(what)
    text = line.decode(errors="replace").strip()
    if text in failing:
        print("\033[31mcannot go on with this:\033[0m " + text, file=sys.stderr, flush=True)
        sys.exit(1)
    if speak == "navm":
        head, _, rest = text.partition(" ")
        text = {"REM": "//" + rest, "NSE": rest, "CYC": rest}.get(head.upper(), "a command that it does not know")
    if text.isdigit():
        say("performing %s inference steps:" % text)
        if int(text) > 0:
            derive()
        now += int(text)
        say("done with %s additional inference steps." % text)
    elif text == "quit":
        break
    elif text == "*reset":
        believed, stamps, now = [], 0, 1
    elif text.startswith("*stampimport=["):
        imported = [int(number) for number in text[text.index("[") + 1:-1].split(",")]
    elif text.startswith("*"):
        pass
    elif text.startswith("//"):
        say("Comment: " + text[2:].strip())
    elif text.endswith("?"):
        say("Input: " + text)
        answers = [belief for belief in believed if fits(text[:-1], belief[0])]
        if answers:
            term, stamp, confidence = answers[-1]
            say("Answer: %s. creationTime=%d Stamp=[%s]" % (term, now, ",".join(map(str, stamp))) + TRUTH % confidence)
        else:
            say("Answer: None.")
    elif re.search(r"[.!]( |$)", text):
        stamps += imported is None
        believe(re.split(r"\.(?= |$)", re.sub(r"^\$[\d.;]*\$ ", "", text))[0], imported or [stamps], 0.9, "Input")
        imported = None
        now += 1
    else:
        say("Parsing error: " + text)
        say("Test failed.")
        sys.exit(1)
