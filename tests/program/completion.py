#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types lines into bash, zsh and fish, each on a terminal, and compares the completed lines: completion.py SCRIPTS."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time

scripts = pathlib.Path(sys.argv[1])  # a folder with engram.bash, engram.zsh, engram.fish

# Pairs: the typed text, and the text in the line after Tab.
CASES = [
    ("engram rec", "engram recall"),
    ("engram import r", "engram import rdf"),
    ("engram recall --meth", "engram recall --method"),
    ("engram recall family.nal --method hop", "engram recall family.nal --method hopfield"),
    ("engram graph --format=do", "engram graph --format=dot"),
    ("engram parse --from=pyn", "engram parse --from=pynars"),
    ("engram import wordnet --relations part_mer", "engram import wordnet --relations part_meronym"),
    ("engram generate tax", "engram generate taxonomies"),
    ("engram recall fam", "engram recall family.nal"),
    ("engram recall wi", r"engram recall with\ blank.nal"),
    ("engram recall --report=fam", "engram recall --report=family.nal"),
    ("engram run drown", "engram run drowning"),
    ("engram run fam", "engram run family.nal"),
    ("engram train bell", "engram train bellman_ford"),
    ("engram report ru", "engram report runs/"),
    ("engram compare runs/ ru", "engram compare runs/ runs/"),
    ("engram attach --system open", "engram attach --system opennars"),
    ("engram attach family.nal -- a_nars_of_te", "engram attach family.nal -- a_nars_of_tests"),
    ("engram stream --poli", "engram stream --policy"),
    ("engram stream --policy nov", "engram stream --policy novelty"),
    ("engram stream family.nal -- a_nars_of_te", "engram stream family.nal -- a_nars_of_tests"),
    ("engram completion z", "engram completion zsh"),
    # A cue cannot be completed, and a program after -- has its own options.
    ("engram recall --cue fam", "engram recall --cue fam"),
    ("engram attach family.nal -- a_nars_of_tests --gat", "engram attach family.nal -- a_nars_of_tests --gat"),
    # `report` takes a folder, not a file. Values of options are not commands.
    ("engram report fam", "engram report fam"),
    ("engram recall --method impo", "engram recall --method impo"),
    ("engram nothing fam", "engram nothing fam"),
    # A file name is never executed: it is completed as one quoted word.
    ("engram recall evil", r"engram recall evil\$\(touch\ owned\).nal"),
]

SETUP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1=; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'\n"
             "keep() { printf '%s\\n' \"$READLINE_LINE\" >>lines; READLINE_LINE=; }; bind -x '\"\\C-xk\": keep'\n"
             "source {scripts}/engram.bash; echo ready >>lines\n"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1=; unset zle_bracketed_paste; fpath=({scripts}/zsh $fpath); autoload -U compinit; compinit -u -D\n"
            "keep() { print -r -- \"$BUFFER\" >>lines; BUFFER=; }; zle -N keep; bindkey '^Xk' keep; setopt nobeep\n"
            "echo ready >>lines\n"),
    "fish": (["fish", "--no-config", "--private"],
             "function keep; commandline >>lines; commandline ''; end; bind \\cxk keep\n"
             "source {scripts}/engram.fish; echo ready >>lines\n"),
}


def wait_for(lines, count, terminal, what):
    """Reads the output of the shell until `lines` has this many lines, so that the shell is not blocked."""
    shown, end = b"", time.monotonic() + 30
    while not lines.exists() or lines.read_text().count("\n") < count:
        if select.select([terminal], [], [], 0.02)[0]:
            shown += os.read(terminal, 65536)
        if time.monotonic() > end:
            sys.exit(f"{what}: no answer within 30 s; it showed {shown[-2000:]!r}")
    return lines.read_text().splitlines()[count - 1]


def try_shell(shell):
    command, setup = SETUP[shell]
    lines = pathlib.Path("lines")
    lines.unlink(missing_ok=True)
    environment = {"PATH": f"{pathlib.Path.cwd()}/programs:/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                   "HOME": str(pathlib.Path.cwd() / "home")}
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    os.write(terminal, setup.replace("{scripts}", str(scripts)).encode())
    wait_for(lines, 1, terminal, shell)
    wrong = 0
    for number, (typed, expected) in enumerate(CASES):
        os.write(terminal, typed.encode() + b"\t")
        if shell == "fish":  # completes asynchronously
            time.sleep(0.3)
        os.write(terminal, b"\x18k")
        became = wait_for(lines, number + 2, terminal, f"{shell}: {typed}").rstrip(" =")
        if became != expected:
            print(f"{shell}: {typed}<tab> became {became!r}, expected {expected!r}")
            wrong += 1
    os.close(terminal)
    os.waitpid(child, 0)
    return wrong


for name in ("family.nal", "with blank.nal", "evil$(touch owned).nal"):
    pathlib.Path(name).touch()
for folder in ("runs", "programs", "home"):
    pathlib.Path(folder).mkdir(exist_ok=True)
nars = pathlib.Path("programs/a_nars_of_tests")
nars.write_text("#!/bin/sh\n")
nars.chmod(0o755)
(scripts / "zsh").mkdir(exist_ok=True)
shutil.copy(scripts / "engram.zsh", scripts / "zsh/_engram")

wrong = 0
for shell in SETUP:
    if shutil.which(shell):
        wrong += try_shell(shell)
    else:
        print(f"{shell} is not installed: not tried")
if pathlib.Path("owned").exists():
    sys.exit("the name of a file was run")
sys.exit(wrong > 0)
