# SPDX-License-Identifier: MIT
"""Client for Engram without compiled code: it starts a process of `engram serve` and exchanges lines with it.

    with Engram() as memory:
        memory.input(narsese="<tim --> cat>.\\n<cat --> animal>.")
        print(memory.ask("<tim --> ?x>?"))

`ask` answers a question with a proof. Every operation of the protocol is a method with the same name. It takes the fields
of the protocol as keywords, and returns the result in the reply; `memory.request("hello")` equals `memory.hello()`.
This file needs only Python's standard library and can be used alone, as engram.py.
"""
import json
import os
import selectors
import shutil
import subprocess
import time
from collections import namedtuple


class EngramError(Exception):
    """A request that failed. Attributes: the error `code`, the `message`, and the whole error as `details`."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message, self.details = error["code"], error["message"], error

    def __reduce__(self):
        return type(self), (self.details,)


class RequestError(EngramError, ValueError):
    """A missing, unknown or invalid field; `details["pointer"]` is its place."""


class NarseseError(EngramError, ValueError):
    """Invalid Narsese, at `line` and `column`, in characters from 1."""

    def __init__(self, error):
        super().__init__(error)
        self.line, self.column = error.get("line", 1), error.get("column", 1)


class LimitError(EngramError):
    """The request was cancelled, because it exceeded a limit. The memory is unchanged."""


class RoomError(LimitError, MemoryError):
    """The request was cancelled, because it exceeded the limit on bytes."""


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
    """The program is missing, has ended, or did not answer in time. The memory is lost; start another program."""


# Descriptions of the operations of the protocol; bridge/schema/protocol.schema.json defines their fields.
OPERATIONS = {
    "hello": "Describes the server: version, dialects, methods and limits.",
    "input": "Stores lines of `narsese`. Lists `rejected` lines with line, column and message.",
    "recall": "Recalls the `top` concepts for a `cue` by a `method` with `options`: activations, energies, convergence.",
    "explain": "Explains the scores of the `top` concepts and statements for a `cue` as sums.",
    "allocate": "Allocates budgets for a `cue` to at most `capacity` items `of` \"concepts\", \"statements\" or, for a goal, \"operations\".",
    "compare": "Recalls by several `methods`, and measures how far they agree.",
    "reason": "Answers a `question` by inference, as `ask` does: answers with truth values and derivations.",
    "links": "Lists the `top` Hebbian links, of one `term` or in the whole memory, as numbers or `as_` Narsese.",
    "view": "Returns the `top` concepts with the largest budgets and `links` between them, unless nothing changed `since` a version.",
    "stats": "Returns the sizes and the limits of the memory.",
    "reset": "Forgets everything.",
    "snapshot": "Writes the memory to the file `path`, in the `form` \"json\" or \"binary\".",
    "restore": "Replaces the memory by the snapshot in the file `path`.",
    "quit": "Ends the conversation.",
    "map": "Maps `scores` to weights by a simplex `map`.",
    "sample": "Samples from softmax(`scores`/`temperature`) by the given `uniforms`.",
    "scores": "Scores `keys` for `queries`.",
    "attend": "Attention: weights, and weighted means of the `values`.",
    "multihead": "Multi-head attention.",
    "universal": "Recall by similarity, separation and projection.",
    "pagerank": "Personalised PageRank of a graph with these `edges`.",
    "positional": "Positional encodings of nodes and of times.",
    "continuous": "Attention as a density over time.",
    "continuous_context": "Expected value of a function of time under a density from `continuous`.",
    "weights": "Learns Hopfield weights from `patterns` by a `rule`.",
    "hebbian": "Learns weights from `activity` by a Hebbian `rule`.",
    "hopfield": "Recall by a classical Hopfield network.",
    "dense": "Recall by a dense associative memory.",
    "modern": "Recall by a modern Hopfield network.",
}


# A line of a proof: a sentence, the rule that derived it ("told": from the memory), the inference step, and the indices of
# its premises among the earlier lines.
ProofLine = namedtuple("ProofLine", "narsese rule step premises")
Budget = namedtuple("Budget", "priority durability quality")
Selected = namedtuple("Selected", "narsese budget")


class Answer:
    """An answer: its `term`, `frequency` and `confidence`, and its `proof`, whose last line is the answer. `str(answer)`
    shows the proof as a tree."""

    def __init__(self, reply):
        self.term = reply["term"]
        self.frequency, self.confidence = reply["truth"]["frequency"], reply["truth"]["confidence"]
        self.proof = [ProofLine(line["narsese"], line["rule"], line["step"], tuple(line["premises"]))
                      for line in reply["derivation"]]

    def __str__(self):
        drawn, lines = set(), []

        def draw(at, first, rest):
            line = self.proof[at]
            again = at in drawn and line.premises
            drawn.add(at)
            asks = line.narsese.endswith(("?", "@"))
            rule = "proved above" if again else "question" if asks else "input" if line.rule == "told" else line.rule
            lines.append(f"{first}{line.narsese}   ({rule})")
            premises = () if again else line.premises
            for i, premise in enumerate(premises):
                last = i + 1 == len(premises)
                draw(premise, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

        draw(len(self.proof) - 1, "", "")
        return "\n".join(lines)

    def __repr__(self):
        return f"<answer {self.proof[-1].narsese}>"


class Answers(list):
    """The answers to a `question`, best first.

    method    selected statements for the question
    near      sentences that share most names with the question, as answers; only if nothing was found
    steps     inference steps
    selected  the best statements that the reasoner received, each with its budget by the method
    told      number of all statements that the reasoner received
    """

    def __init__(self, question, method, reply):
        super().__init__(Answer(one) for one in reply["answers"])
        self.question, self.method = question, method
        self.near = [Answer(one) for one in reply["near"]]
        self.steps, self.told = reply["steps"], reply["told"]
        self.selected = [Selected(one["narsese"], Budget(one["priority"], one["durability"], one["quality"]))
                         for one in reply["selected"]]

    def __str__(self):
        if self:
            return "\n\n".join(map(str, self))
        return f"no answer within {self.steps} step{'' if self.steps == 1 else 's'}" + "".join("\n\n" + str(one) for one in self.near)


class Operations:
    """The operations of the protocol as methods, for classes that define `request(op, **fields)`. Append _ to the name of a
    field that is a keyword of Python, such as `as_`."""

    def request(self, op, **fields):
        raise NotImplementedError

    def ask(self, question, *, method="proof_attention", steps=2000, gate=1000, answers=5, top=5, **fields):
        """Answers a question with Engram's own reasoner, as `engram ask` does.

            for answer in memory.ask("<tim --> ?x>?"):
                print(answer.term, answer.frequency, answer.confidence)
                print(answer)  # its proof as a tree

        question  Narsese that ends in ? or @
        method    selects the statements that the reasoner gets
        steps     most steps of inference
        gate      most statements that the reasoner gets, those that the method ranks first
        answers   most different answers to a question with ?x
        top       statements to return with their budgets
        fields    more of the operation `reason`: options={"beta": 8}, limit={"milliseconds": 500}
        Returns   Answers: a list, empty if nothing was found
        Errors    EngramError
        """
        reply = self.request("reason", question=question, method=method, steps=steps, gate=gate, answers=answers, top=top,
                             **fields)
        return Answers(question, method, reply)

    def __getattr__(self, op):  # an operation of a newer program
        if op.startswith("_"):
            raise AttributeError(op)
        return lambda **fields: self.request(op, **fields)


def _operation(name, meaning):
    def method(self, **fields):
        return self.request(name, **fields)

    method.__name__, method.__qualname__ = name, f"Operations.{name}"
    method.__doc__ = meaning + "\n\nErrors  EngramError"
    return method


for _name, _meaning in OPERATIONS.items():
    setattr(Operations, _name, _operation(_name, _meaning))


def request_text(op, fields, number=None):
    """A request as a line of JSON. NumPy arrays are written as lists.  Errors  ValueError for NaN and infinity"""
    request = {} if number is None else {"id": number}
    request["op"] = op
    for name, value in fields.items():
        request[name.rstrip("_")] = value
    return json.dumps(request, allow_nan=False, default=_plain)


def _plain(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a request may contain numbers, texts, lists and dicts, found {type(value).__name__}")


def result_of(reply):
    """The result in a reply.  Errors  EngramError"""
    reply = json.loads(reply)
    if reply["ok"]:
        return reply["result"]
    raise error_of(reply["error"])


# The program in a wheel of this package.
OWN_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "bin", "engram")


def find_program(program=None):
    """Finds the program `engram`: the given one, or else $ENGRAM, the one in this package, or the one on the PATH.

    Errors  EngramGone if it does not exist
    """
    wanted = program or os.environ.get("ENGRAM") or (OWN_PROGRAM if os.path.exists(OWN_PROGRAM) else "engram")
    found = shutil.which(wanted)
    if found is None:
        raise EngramGone(f"program '{wanted}' not found: pass its path, set ENGRAM or add it to the PATH")
    return found


class Engram(Operations):
    """A memory in a separate process, which ends with this object. Use it from one thread at a time.

    program  see find_program
    options  more arguments of `engram serve`
    timeout  most seconds for an answer; None: no limit
    Errors   EngramGone if the program cannot be started
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

    def request(self, op, **fields):
        """The result of one request.

        Errors  EngramError; EngramGone; ValueError or TypeError for values outside of JSON, such as NaN
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
        """Ends the program. May be called twice."""
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
            process.kill()  # a late answer would be mistaken for the answer to the next request
        self.close()
        return EngramGone(f"{why} (exit code {process.returncode})")
