# SPDX-License-Identifier: MIT
"""Engram from Python: one process of `engram serve`, asked line by line. Only the standard library is needed.

    with Engram() as memory:
        memory.input(narsese="<tim --> cat>.\\n<cat --> animal>.")
        memory.recall(cue="<tim --> ?1>?", top=3)["activations"]

Every operation of the protocol is a method of its name with the protocol's fields as keywords, and returns the
reply's result; `memory.ask("hello")` is the same as `memory.hello()`.
"""
import json
import os
import selectors
import shutil
import subprocess
import time


class EngramError(Exception):
    """The program's answer that a request cannot be done: `code`, `message`, and all else as `details`."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message, self.details = error["code"], error["message"], error


class EngramGone(Exception):
    """The program is not there, has ended, or does not answer in time. What it held is lost; start another."""


class Engram:
    """A memory in a process of its own, which ends with it. For one thread at a time.

    program  the program `engram`; without it $ENGRAM, or the one on the PATH
    options  more arguments of `engram serve`
    timeout  seconds that an answer may take; None: any
    Errors   EngramGone where it cannot be started
    """

    def __init__(self, program=None, options=(), timeout=60.0):
        program = program or os.environ.get("ENGRAM") or "engram"
        if shutil.which(program) is None:
            raise EngramGone(f"there is no program '{program}': name it, set ENGRAM or put it on the PATH")
        self._timeout = timeout
        self._asked = 0
        self._read = b""
        self._process = subprocess.Popen([program, "serve", *options], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def ask(self, op, **fields):
        """The result of one request.  Errors  EngramError; EngramGone; ValueError for what is no JSON, like NaN"""
        if self._process is None:
            raise EngramGone("the memory is closed")
        self._asked += 1
        line = json.dumps({"id": self._asked, "op": op, **fields}, allow_nan=False)
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._gone("the program has ended") from None
        reply = json.loads(self._line())
        if reply["ok"]:
            return reply["result"]
        raise EngramError(reply["error"])

    def __getattr__(self, op):
        if op.startswith("_"):
            raise AttributeError(op)
        return lambda **fields: self.ask(op, **fields)

    def close(self):
        """Ends the program. Closing twice does no harm."""
        process, self._process = self._process, None
        if process is None:
            return
        self._selector.close()
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _line(self):
        until = None if self._timeout is None else time.monotonic() + self._timeout
        while b"\n" not in self._read:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0 or not self._selector.select(left):
                raise self._gone(f"no answer in {self._timeout} seconds")
            some = os.read(self._process.stdout.fileno(), 1 << 16)
            if not some:
                raise self._gone("the program has ended")
            self._read += some
        line, self._read = self._read.split(b"\n", 1)
        return line

    def _gone(self, why):
        process = self._process
        if process.poll() is None:
            process.kill()  # an answer that comes late would be taken for the next one's
        self.close()
        return EngramGone(f"{why} (exit code {process.returncode})")
