# SPDX-License-Identifier: MIT
"""Engram from Python without anything compiled: one process of `engram serve`, asked line by line.

    with Engram() as memory:
        memory.input(narsese="<tim --> cat>.\\n<cat --> animal>.")
        memory.recall(cue="<tim --> ?1>?", top=3)["activations"]

This file needs only Python's standard library and may be used alone, as engram.py. Every operation of the protocol is a
method of its name with the protocol's fields as keywords, and returns the reply's result; `memory.ask("hello")` is the
same as `memory.hello()`.
"""
import json
import os
import selectors
import shutil
import subprocess
import time


class EngramError(Exception):
    """A request that cannot be done: `code`, `message`, and all else as `details`."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message, self.details = error["code"], error["message"], error

    def __reduce__(self):
        return type(self), (self.details,)


class RequestError(EngramError, ValueError):
    """A field that is missing, unknown or not what it must be: `details["pointer"]` says where."""


class NarseseError(EngramError, ValueError):
    """A text that is no Narsese: `line` and `column`, in characters from 1."""

    def __init__(self, error):
        super().__init__(error)
        self.line, self.column = error.get("line", 1), error.get("column", 1)


class LimitError(EngramError):
    """Work that would take more than it may, and was given up: the memory is as before."""


class RoomError(LimitError, MemoryError):
    """The same, of bytes."""


ERRORS = {
    "parse_error": NarseseError,
    "bad_json": RequestError,
    "bad_value": RequestError,
    "missing_field": RequestError,
    "shape_mismatch": RequestError,
    "unknown_field": RequestError,
    "unknown_op": RequestError,
    "limit_exceeded": LimitError,
    "stopped": LimitError,
    "work_exceeded": LimitError,
    "bytes_exceeded": RoomError,
}


def error_of(error):
    """The exception for the member `error` of a reply."""
    return ERRORS.get(error["code"], EngramError)(error)


class EngramGone(Exception):
    """The program is not there, has ended, or does not answer in time. What it held is lost; start another."""


# What each operation of the protocol does; its fields are in bridge/schema/protocol.schema.json.
OPERATIONS = {
    "hello": "What the memory is: version, dialects, methods, limits.",
    "input": "Takes lines of `narsese` in; tells which were `rejected`, with line, column and message.",
    "recall": "What a `cue` brings back by a `method` with `options`: the `top` activations, energies, convergence.",
    "explain": "The same with the reasons: of each of the `top` concepts and statements the sums that its share comes from.",
    "allocate": "Budgets (priority, durability, quality) `of` \"concepts\", \"statements\" or, for a goal, \"operations\" for a `cue`, at most `capacity`.",
    "compare": "What several `methods` bring back for a `cue`, and how far they agree.",
    "reason": "Asks the reasoner in the box a `question`, in so many `steps`: the answer, its truth and derivation.",
    "links": "The `top` Hebbian links, of a `term` or of all, as numbers or `as_` Narsese.",
    "view": "What is worth seeing now: the `top` concepts of most budget, `links` between them; nothing new `since` a version.",
    "stats": "How much the memory has, and what its limits are.",
    "reset": "Forgets everything.",
    "snapshot": "Writes the memory to the file `path`, in the `form` \"json\" or \"binary\".",
    "restore": "Goes on from the file `path`.",
    "quit": "Says goodbye.",
    "map": "Weights p of `scores` by a simplex `map`.",
    "sample": "Draws from softmax(`scores`/`temperature`) with given `uniforms`.",
    "scores": "How well `keys` answer `queries`.",
    "attend": "Attention: weights and their means of `values`.",
    "multihead": "Several attentions side by side.",
    "universal": "Similarity, separation, projection.",
    "pagerank": "Personalised PageRank of a graph given by `edges`.",
    "positional": "Positions on a graph, and in time.",
    "continuous": "Attention as a density over time.",
    "continuous_context": "What such a density reads of values in time.",
    "weights": "Couplings that a `rule` makes of `patterns`.",
    "hebbian": "Weights that a Hebbian `rule` learns from `activity`.",
    "hopfield": "Recall by a classical Hopfield network.",
    "dense": "Recall by a dense associative memory.",
    "modern": "Recall by a modern Hopfield network.",
}


class Operations:
    """The operations of the protocol as methods, for whatever has `ask(op, **fields)`. A name that ends in _ stands for
    the field without it, since `as` is a word of Python."""

    def ask(self, op, **fields):
        raise NotImplementedError

    def __getattr__(self, op):  # one that this file does not know yet
        if op.startswith("_"):
            raise AttributeError(op)
        return lambda **fields: self.ask(op, **fields)


def _operation(name, meaning):
    def method(self, **fields):
        return self.ask(name, **fields)

    method.__name__, method.__qualname__ = name, f"Operations.{name}"
    method.__doc__ = meaning + "\n\nErrors  EngramError"
    return method


for _name, _meaning in OPERATIONS.items():
    setattr(Operations, _name, _operation(_name, _meaning))


def request_text(op, fields, number=None):
    """A request as a line of JSON; arrays of NumPy may stand for lists.  Errors  ValueError for what JSON has not"""
    request = {} if number is None else {"id": number}
    request["op"] = op
    for name, value in fields.items():
        request[name.rstrip("_")] = value
    return json.dumps(request, allow_nan=False, default=_plain)


def _plain(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a request may hold numbers, texts, lists and dicts, found {type(value).__name__}")


def result_of(reply):
    """The result in a reply.  Errors  EngramError"""
    reply = json.loads(reply)
    if reply["ok"]:
        return reply["result"]
    raise error_of(reply["error"])


# The program that a wheel of this package has within it.
OWN_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "bin", "engram")


def find_program(program=None):
    """The program `engram`: the one that is named, or $ENGRAM, or that of this package, or the one on the PATH.

    Errors  EngramGone where there is none
    """
    wanted = program or os.environ.get("ENGRAM") or (OWN_PROGRAM if os.path.exists(OWN_PROGRAM) else "engram")
    found = shutil.which(wanted)
    if found is None:
        raise EngramGone(f"there is no program '{wanted}': name it, set ENGRAM or put it on the PATH")
    return found


class Engram(Operations):
    """A memory in a process of its own, which ends with it. For one thread at a time.

    program  see find_program
    options  more arguments of `engram serve`
    timeout  seconds that an answer may take; None: any
    Errors   EngramGone where it cannot be started
    """

    def __init__(self, program=None, options=(), timeout=60.0):
        program = find_program(program)
        self._timeout = timeout
        self._asked = 0
        self._read = b""
        self._process = subprocess.Popen([program, "serve", *options], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def ask(self, op, **fields):
        """The result of one request.

        Errors  EngramError; EngramGone; ValueError or TypeError for what is no JSON, like NaN
        """
        if self._process is None:
            raise EngramGone("the memory is closed")
        self._asked += 1
        line = request_text(op, fields, self._asked)
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._gone("the program has ended") from None
        try:
            reply = self._line()
        except KeyboardInterrupt:
            self._gone("interrupted")
            raise
        return result_of(reply)

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
