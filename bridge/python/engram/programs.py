# SPDX-License-Identifier: MIT
"""Runs the program `engram` as a child process, with a list of arguments and without a shell."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable

from .client import OWN_PROGRAM, EngramError, find_program

_KINDS = {1: "input_errors", 2: "wrong_usage", 3: "outside_failure", 130: "interrupted"}


def flags(options: dict[str, object]) -> list[str]:
    """Command-line options from keywords. True gives --name, a list one option per value. Options that are None or False are skipped."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                arguments.append(flag)
            elif one is not None and one is not False:
                arguments.append(f"{flag}={one}")
    return arguments


def path(name: str | os.PathLike) -> str:
    """A file name as an argument that cannot be mistaken for an option."""
    name = os.fspath(name)
    if not isinstance(name, str) or "\0" in name or not name:
        raise ValueError(f"a file's name must be a text without a 0 byte, found {name!r}")
    return os.path.join(".", name) if name.startswith("-") else name


def start(arguments: Iterable[str], program: str | None = None, **pipes: object) -> subprocess.Popen:
    """Starts the program. Python files that it calls use this interpreter and can import this package.

    Errors  EngramGone; ValueError for an argument with a 0 byte
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = {"ENGRAM_PYTHON": sys.executable, **os.environ,
                   "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
    return subprocess.Popen([find_program(program), *arguments], stdin=subprocess.DEVNULL, text=True,
                            encoding="utf-8", errors="replace", env=environment, **pipes)


def end(process: subprocess.Popen) -> None:
    """Interrupts the program as Ctrl+C does, and kills it after five seconds."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def failure(code: int, told: str) -> EngramError:
    """The exception for an exit code, with the end of the program's messages."""
    kind = _KINDS.get(code, "outside_failure")
    return EngramError({"code": kind, "message": told.strip()[-4000:] or f"exit code {code}", "exit_code": code})


def main() -> None:
    """The command `engram` of an installed package."""
    os.execv(OWN_PROGRAM, [OWN_PROGRAM, *sys.argv[1:]])
