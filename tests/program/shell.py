# SPDX-License-Identifier: MIT
"""shell.py ENGRAM SOURCE: tests `engram shell` in a pipe and on a terminal."""
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

engram, source = sys.argv[1:]
family = source + "/experiments/data/family.nal"


def talk(text, *words, code=0):
    """The lines on standard output and on standard error."""
    if isinstance(text, str):
        text = text.encode()
    done = subprocess.run([engram, "shell", *words], input=text, capture_output=True, timeout=300)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    assert done.returncode == code, (text[:200], done.returncode, out[-500:], err[-500:])
    return out.splitlines(), err.splitlines()


def pipe():
    """Input and output lines have the format of ONA's shell. The expected lines are written by hand."""
    out, err = talk("//two facts\n<tim --> cat>.\n<cat --> animal>. {1.0 0.5}\n<tim --> animal>?\n<rex --> animal>?\n"
                    "*volume=0\n3\n\n'ignored\n")
    assert not err, err
    assert out == [
        "Comment: two facts",
        "Input: <tim --> cat>. Priority=1.000000 Stamp=[1] Truth: frequency=1.000000, confidence=0.900000",
        "Input: <cat --> animal>. Priority=1.000000 Stamp=[2] Truth: frequency=1.000000, confidence=0.500000",
        *[line for line in out if line.startswith("Derived: ")],
        "Input: <tim --> animal>?",
        "Answer: <tim --> animal>. creationTime=2 Stamp=[1,2] Truth: frequency=1.000000, confidence=0.450000",
        "Input: <rex --> animal>?",
        "Answer: None.",
        "performing 3 inference steps:",
        "done with 3 additional inference steps."], out
    derived = [line for line in out if line.startswith("Derived: <tim --> animal>. Priority=0.")]
    assert derived and derived[0].endswith(" Stamp=[1,2] Truth: frequency=1.000000, confidence=0.450000"), out

    # Without inference steps a question is answered from known and derived statements.
    out, err = talk("*volume=0\n<tim --> cat>.\n<cat --> animal>. {1.0 0.5}\n<?1 --> animal>?\n*query 0.6 <tim --> ?1>?\n"
                    "*query 0.95 <tim --> ?1>?\n", "--steps", "0")
    assert not err, err
    assert out[2:] == [
        "Input: <?1 --> animal>?",
        "Answer: <cat --> animal>. creationTime=2 Stamp=[2] Truth: frequency=1.000000, confidence=0.500000",
        "Input: <tim --> ?1>?",
        "Answer: <tim --> cat>. creationTime=1 Stamp=[1] Truth: frequency=1.000000, confidence=0.900000",
        "Answer: <tim --> animal>. creationTime=2 Stamp=[1,2] Truth: frequency=1.000000, confidence=0.450000",
        "Input: <tim --> ?1>?",
        "Answer: <tim --> cat>. creationTime=1 Stamp=[1] Truth: frequency=1.000000, confidence=0.900000"][:-1], out

    # Output has terms in ONA's syntax, with compounds as nested pairs.
    out, _ = talk("*volume=0\n<(*,a,b,c) --> r>.\n<(&&,<$1 --> a>,<$1 --> b>) ==> (--,<$1 --> c>)>.\n<(/,r,_,b) --> d>.\n")
    assert [line.split(". ")[0] for line in out] == [
        "Input: <((a * b) * c) --> r>", "Input: <(<$1 --> a> && <$1 --> b>) ==> (! <$1 --> c>)>",
        "Input: <(r /1 b) --> d>"], out


def acting():
    """Events, goals and operations."""
    script = "*volume=0\n*motorbabbling=false\na. :|:\n^left. :|:\ng. :|:\n<(a &/ ^left) =/> g>?\n30\na. :|:\na? :|:\ng! :|:\n"
    out, err = talk(script)
    assert not err, err
    assert out == [
        "Input: a. :|: occurrenceTime=1 Priority=1.000000 Stamp=[1] Truth: frequency=1.000000, confidence=0.900000",
        "Input: ^left. :|: occurrenceTime=2 Priority=1.000000 Stamp=[2] Truth: frequency=1.000000, confidence=0.900000",
        "Input: g. :|: occurrenceTime=3 Priority=1.000000 Stamp=[3] Truth: frequency=1.000000, confidence=0.900000",
        "Input: <(a &/ ^left) =/> g>?",
        "Answer: <(a &/ ^left) =/> g>. creationTime=3 Stamp=[1,2,3] Truth: frequency=1.000000, confidence=0.241351",
        "performing 30 inference steps:",
        "done with 30 additional inference steps.",
        "Input: a. :|: occurrenceTime=34 Priority=1.000000 Stamp=[4] Truth: frequency=1.000000, confidence=0.900000",
        "Input: a? :|:",
        "Answer: a. :|: occurrenceTime=34 creationTime=34 Stamp=[4] Truth: frequency=1.000000, confidence=0.900000",
        "Input: g! :|: occurrenceTime=35 Priority=1.000000 Stamp=[5] Truth: frequency=1.000000, confidence=0.900000",
        "^left executed with args ",
        "Input: ^left. :|: occurrenceTime=35 Priority=1.000000 Stamp=[6] Truth: frequency=1.000000, confidence=0.900000",
    ], out
    done = lambda text: [line for line in talk("*volume=0\n*motorbabbling=false\n" + text)[0] if line.startswith("^")]
    # A rule with variables, an operation with an argument, a renamed operator, and an unreachable threshold.
    rule = "<(<$1 --> seen> &/ <(*,{SELF},$1) --> ^pick>) =/> g>.\n<duck --> seen>. :|:\ng! :|:\n"
    assert done(rule) == ["^pick executed with args ({SELF} * duck)"]
    assert done("*decisionthreshold=0.99\n" + rule) == []
    assert done("*setopname 1 ^clap\n<(a &/ ^clap) =/> g>.\na. :|:\ng! :|:\n") == ["^clap executed with args "]
    # A conclusion from an event and a belief is an event.
    assert done("<(<bird --> [seen]> &/ ^pick) =/> g>.\n<duck <-> bird>.\n<duck --> [seen]>. :|:\ng! :|:\n") == [
        "^pick executed with args "]
    # A plan of two steps: the condition of the second one becomes a goal first.
    assert done("<(a &/ ^left) =/> b>.\n<(b &/ ^right) =/> g>.\na. :|:\ng! :|:\n5\nb. :|:\ng! :|:\n") == [
        "^left executed with args ", "^right executed with args "]
    # *concurrent gives the next event the time of the last one.
    assert "occurrenceTime=1 " in talk("a. :|:\n*concurrent\nb. :|:\n")[0][1]
    assert "cannot answer a question with :/:" in talk("a? :/:\n")[1][0]


def commands():
    out, _ = talk("*help\n")
    for word in ("*why", "*method NAME", "*volume=N", "*load FILE", "*save FILE", "*reset", "*concepts", "*stats", "quit"):
        assert any(line.startswith("  " + word) for line in out), (word, out)

    facts = "*volume=0\n<tim --> cat>.\n<cat --> animal>.\n"
    out, _ = talk(facts + "<tim --> animal>?\n*why\n")
    assert out[-3:] == ["<tim --> animal>. %1;0.81%   (deduction)", "├─ <cat --> animal>. %1;0.9%   (input)",
                        "└─ <tim --> cat>. %1;0.9%   (input)"], out
    assert talk("*volume=0\na. :|:\n^left. :|:\ng. :|:\n<(a &/ ^left) =/> g>?\n*why\n")[0][-4:] == [
        "<(&/,a,^left) =/> g>. %1;0.2414%   (induction from events)", "├─ a. :!1: %1;0.9%   (input)",
        "├─ ^left. :!2: %1;0.9%   (input)", "└─ g. :!3: %1;0.9%   (input)"]
    # `engram ask` gives the same answer.
    question = "<(*,olav,henrik) --> grandfather>?"
    out, _ = talk("*volume=0\n" + question + "\n*why\n", "quiet.nal")
    asked = subprocess.run([engram, "ask", "quiet.nal", question, "--answers", "1", "--top", "1"],
                           capture_output=True, text=True).stdout.splitlines()
    proof = [line[2:] for line in asked[1:] if "in the order of" not in line and "$1;" not in line]
    assert proof[0] == "<(*,olav,henrik) --> grandfather>. %1;0.729%   (deduction)" and out[-len(proof):] == proof, (proof, out[-9:])
    assert "<(olav * henrik) --> grandfather>. creationTime=" in out[-len(proof) - 1]

    # *volume prints no derivations, all derivations, or the ones above a priority.
    derived = lambda volume: sum(line.startswith("Derived") for line in talk(f"*volume={volume}\n" + facts[10:])[0])
    assert derived(0) == 0 and derived(100) > derived(60) > 0, [derived(v) for v in (0, 60, 100)]

    # After a reset the memory is empty, and operators have their default names.
    out, _ = talk(facts + "*setopname 1 ^clap\n*reset\n<tim --> cat>?\n*opconfig\n<tim --> cat>.\n")
    assert "Answer: None." in out and "*setopname 1 ^left" in out and "Stamp=[1] " in out[-1], out

    out, _ = talk(facts + "a. :|:\nb. :|:\n*concepts\n*stats\n")
    assert any(line.startswith('//<tim --> cat>: { "priority": ') and line.endswith(
        '"frequency": 1.000000, "confidence": 0.900000, "termlinks": ["tim", "cat", "", "", "", ""]}') for line in out), out
    assert "<tim --> cat>. {1.000000 0.900000}" in out and "currentTime:\t\t\t5" in out, out
    assert any(line.startswith("dt=1.000000 <a =/> b>. {1.000000 0.28") for line in out), out

    # A saved file can be read by `*load` and by other commands, and is never overwritten.
    for name in ("saved.nal", "again.nal"):
        if os.path.exists(name):
            os.remove(name)
    talk(facts + "a. :|:\n4\n*setopname 2 ^clap\n*save saved.nal\n", code=1)  # renamed too late
    assert open("saved.nal").read() == "<tim --> cat>.\n<cat --> animal>.\na. :|:\n4\n"
    assert "exists already" in talk("*save saved.nal\n", code=1)[1][0]
    out, _ = talk("*volume=0\n*load saved.nal\n<tim --> animal>?\n*save again.nal\na? :|:\n")
    assert open("again.nal").read() == open("saved.nal").read()
    assert out[-3].startswith("Answer: <tim --> animal>.") and "occurrenceTime=3 " in out[-1], out
    assert "animal>. %1;0.81%" in subprocess.run([engram, "ask", "saved.nal", "<tim --> animal>?"],
                                                 capture_output=True, text=True).stdout
    with open("loop.nal", "w") as file:
        file.write("*load loop.nal\n")
    assert "may load each other" in talk("*load loop.nal\n", code=1)[1][0]
    assert talk("<tim --> animal>?\n", "saved.nal")[0][-1].startswith("Answer: <tim --> animal>.")

    # The method decides the order of inferences: with few steps one method finds what another misses.
    near = [talk(f"*method {method}\n*volume=0\n<(*,olav,henrik) --> grandfather>?\n", "quiet.nal", "--steps", "100")[0][-1]
            for method in ("proof_attention", "uniform")]
    assert near[0].startswith("Answer: <(olav * henrik) --> grandfather>.") and near[1] == "Answer: None.", near

    # ONA's other commands do nothing, and a note reports each of them once.
    _, err = talk("*space 10 B\n*space 10 C\n*currenttime=5\n*setopstdin 1\n")
    assert err == ["engram: stdin:1: note: *space has no effect here", "engram: stdin:3: note: *currenttime= has no effect here",
                   "engram: stdin:4: note: *setopstdin has no effect here"], err


def errors():
    """Errors have their place, and later lines are read."""
    out, err = talk("<a b>.\n<a --> b>.\n<a --> c\n*resett\ng!\na. :/:\n99999999999999999999\n*volume=200\n*method nome\n"
                    "*load none.nal\n*why\n*query 2 a?\n*motorbabbling=2\n<a --> b>?\n", code=1)
    for at, what in ((1, ":4: error: expected"), (3, ":9: error: expected"), (4, ":1: error: unknown command *resett; did you mean *reset?"),
                     (5, "a goal must have a tense, such as g! :|:"), (6, "must happen now"), (7, "number of cycles must be at most"),
                     (8, "from 0 to 100"), (9, "unknown method nome"), (10, "*load: "), (11, "no answer to explain"),
                     (12, "*query E QUESTION"), (13, "*motorbabbling=SHARE")):
        assert [line for line in err if line.startswith(f"engram: stdin:{at}:") and what in line], (at, what, err)
    assert len(err) == 12 and out[-1].startswith("Answer: <a --> b>."), (err, out)
    with open("bad.nal", "w") as file:
        file.write("<a --> b>.\n<a b>.\n")
    assert talk("*load bad.nal\n", code=1)[1] == talk("", "bad.nal", code=1)[1] != []
    assert talk("*load bad.nal\n", code=1)[1][0].startswith("engram: bad.nal:2:4: error: ")
    assert "no such file" in talk("", "none.nal", code=2)[1][0].lower()

    # Empty input, no line end, Windows line ends, a byte order mark, whitespace, `quit`.
    assert talk("") == ([], [])
    assert len(talk("\ufeff  <a --> b>.  \r\n<a --> b>?")[0]) == 3
    assert talk("quit\n<a b\n") == ([], [])
    # Control characters are unchanged in a pipe, and escaped in messages.
    _, err = talk(b"<\x1b[31m b>.\n*\x1b]0;x\x07\n", code=1)
    assert len(err) == 2 and not any("\x1b" in line or "\x07" in line for line in err), err
    assert len(talk(b"\x00\xff\xfe\n", code=1)[1]) == 1
    # Overlong lines are refused without using memory.
    out, err = talk("<a --> b>.\n" + "<" * (1 << 24) + "\n//" + "x" * 70000 + "\n<a --> b>?\n", code=1)
    assert [line.split(": error: ")[1] for line in err] == ["a line must have at most 65536 bytes"] * 2, err
    assert out[-1].startswith("Answer: <a --> b>.")
    # Without a terminal the shell prints neither prompt nor greeting nor escape sequences.
    assert not any("> " == line[:2] or "\x1b" in line or "engram" in line for line in talk("<a --> b>.\n\n1\n")[0])


def signals():
    """SIGINT ends the shell with exit code 130, while it waits or works. Earlier output is flushed."""
    shell = subprocess.Popen([engram, "shell"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    shell.stdin.write(b"<a --> b>.\n")
    shell.stdin.flush()
    assert shell.stdout.readline().startswith(b"Input: <a --> b>.")  # flushed before more input
    time.sleep(0.3)
    shell.send_signal(signal.SIGINT)
    assert shell.wait(timeout=20) == 130, shell.returncode

    shell = subprocess.Popen([engram, "shell", "quiet.nal"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    shell.stdin.write(b"*volume=0\n1000000000\n")
    shell.stdin.flush()
    while not shell.stdout.readline().startswith(b"performing"):
        pass
    time.sleep(0.3)
    shell.send_signal(signal.SIGINT)
    assert shell.wait(timeout=20) == 130, shell.returncode


class Terminal:
    def __init__(self, *words):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            os.execv(engram, [engram, "shell", *words])
        self.text = ""

    def wait_for(self, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in self.text:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert ready, (text, self.text)
            self.text += os.read(self.terminal, 4096).decode(errors="replace")
        self.text = self.text[self.text.index(text) + len(text):]

    def type(self, text):
        """Types at the prompt after the editor has set up the terminal. libedit prints the prompt slightly earlier, and
        the terminal would treat a key in between as its own, such as the end of input."""
        self.wait_for("\n> ")
        end = time.monotonic() + 60
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON:
            assert time.monotonic() < end, "the editor does not take the terminal"
            time.sleep(0.005)
        os.write(self.terminal, text.encode())

    def end(self):
        while True:
            try:
                if not os.read(self.terminal, 4096):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def terminal():
    up, tab = "\x1b[A", "\t"
    shell = Terminal()
    shell.wait_for("*help")
    shell.type("<tweety --> canary>.\r")
    shell.wait_for("Stamp=[1] ")
    shell.type("<canary --> bird>.\r")
    shell.wait_for("Stamp=[2] ")
    shell.type("*volume=0\r")
    # TAB completes names in the memory, commands and methods.
    shell.type("<twee" + tab + " --> bi" + tab + ">?\r")
    shell.wait_for("Answer: <tweety --> bird>. creationTime=2 Stamp=[1,2] ")
    shell.type("*wh" + tab + "\r")
    shell.wait_for("(deduction)")
    shell.type("*me" + tab + "proof_at" + tab + "\r")
    shell.type("*stats\r")
    shell.wait_for("method:")
    shell.wait_for("proof_attention")
    # Earlier lines can be recalled and edited: five lines up is the question.
    shell.type(up * 4 + "\x1b[D" * 2 + "\x7f" * 4 + "canary\r")
    shell.wait_for("Answer: <tweety --> canary>. creationTime=1 Stamp=[1] ")
    # Control characters in names are shown escaped.
    shell.type("<\u202etim --> cat>.\r")
    shell.wait_for("Input: <\\u202etim --> cat>.")
    shell.type("\x04")
    assert shell.end() == 0

    # Ctrl-C at the prompt ends the shell and restores the terminal.
    shell = Terminal()
    before = termios.tcgetattr(shell.terminal)
    shell.type("<a --> b")
    time.sleep(0.3)
    os.write(shell.terminal, b"\x03")
    time.sleep(0.5)
    assert termios.tcgetattr(shell.terminal)[3] == before[3]
    assert shell.end() == 130


with open("quiet.nal", "w") as file:  # the family without its questions
    file.write("".join(line for line in open(family) if not line.startswith("//") and "?" not in line))
pipe()
acting()
commands()
errors()
signals()
terminal()
print("ok")
