# SPDX-License-Identifier: MIT
"""Runs the program `engram attach` as a child process, and iterates over the events of a live NARS."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from . import programs

__all__ = ["Attachment", "attach"]


class Attachment:
    """A session with a NARS. Iterating yields its events as dicts (bridge/schema/event.schema.json). The session ends at
    the end of the file, on KeyboardInterrupt, or by `close`. Use it in a `with` statement.

    Errors  EngramError, from the iteration, if the program fails. Its code is outside_failure if the NARS failed too
            often, or wrong_usage. If lines of the file were invalid, `complaints` has the messages
    """

    def __init__(self, arguments: Sequence[str], program: str | None = None) -> None:
        self.complaints = ""
        self._told = tempfile.TemporaryFile()
        self._process = programs.start(arguments, program, stdout=subprocess.PIPE, stderr=self._told)

    def __iter__(self) -> Iterator[dict]:
        try:
            for line in self._process.stdout:
                yield json.loads(line)
            self._process.wait()
        finally:
            code = self._process.poll()
            self.close()
        if code == 1:
            return
        if code != 0:
            raise programs.failure(code, self.complaints)

    def close(self) -> None:
        """Ends the program and the NARS. May be called twice."""
        programs.end(self._process)
        if not self._told.closed:
            self._told.seek(0)
            self.complaints = self._told.read().decode("utf-8", "replace")
            self._told.close()

    def __enter__(self) -> Attachment:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def attach(file: str | os.PathLike, command: Sequence[str] = (), *, program: str | None = None,
           **options: object) -> Attachment:
    """Starts a session with a NARS: sends it the file, learns from it, and, with a gate, selects its input.

        with engram.attach("family.nal", ["./NAR", "shell"], gate=12) as session:
            answers = [event for event in session if event["event"] == "answer"]

    file     file with one line of Narsese per sentence
    command  the NARS: a program and its arguments, without a shell. Omit it with system="engram", the built-in reasoner
    options  options of `engram attach`: system="opennars", gate=12, method="attention", log="session.jsonl"
    Errors   EngramGone if the program is missing; for errors during the session see Attachment
    """
    if isinstance(command, (str, bytes)):
        raise TypeError("command must be a list, the program and its arguments, found one text")
    arguments = ["attach", *programs.flags(options), programs.path(file)]
    if command:
        arguments += ["--", *map(str, command)]
    return Attachment(arguments, program)
