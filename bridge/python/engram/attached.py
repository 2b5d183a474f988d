# SPDX-License-Identifier: MIT
"""Beside a live NARS: the program `engram attach` as a child, its events as they come."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from . import programs

__all__ = ["Attachment", "attach"]


class Attachment:
    """A session with a NARS: iterate for its events, dicts as bridge/schema/event.schema.json has them. It ends with
    the file, with the loop's KeyboardInterrupt, or by `close`; `with` sees to that.

    Errors  of the iteration EngramError, where the program fails: its code is outside_failure where the NARS was given
            up, wrong_usage; where some of the file's lines were no Narsese, `complaints` has what was said of them
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
        """Ends the program, and with it the NARS. Closing twice does no harm."""
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
    """Stands beside a NARS: feeds it the file, learns from it, and with a gate chooses what it thinks of.

        with engram.attach("family.nal", ["./NAR", "shell"], gate=12) as session:
            answers = [event for event in session if event["event"] == "answer"]

    file     Narsese, a line each
    command  the NARS, a program and its arguments; no shell reads them. None is needed with system="engram", the
             reasoner in the program
    options  of `engram attach`: system="opennars", gate=12, method="attention", log="session.jsonl"
    Errors   EngramGone without the program; of the events see Attachment
    """
    if isinstance(command, (str, bytes)):
        raise TypeError("command must be a list, the program and its arguments, found one text")
    arguments = ["attach", *programs.flags(options), programs.path(file)]
    if command:
        arguments += ["--", *map(str, command)]
    return Attachment(arguments, program)
