# SPDX-License-Identifier: MIT
"""A memory in this process, with the operations of the client."""
from __future__ import annotations

from . import _engram
from .client import Operations, request_text, result_of


class Memory(Operations):
    """A memory in this process. `ask` answers a question. Every operation of the protocol is a method of its name with the
    protocol's fields as keywords, and returns what the client (`Engram`) would; see `help(Operations)`.

        memory = Memory()
        memory.input(narsese="<tim --> cat>.\\n<cat --> animal>.")
        print(memory.ask("<tim --> ?x>?"))

    learning  a rule by which links learn beside their counts, such as "oja"; None: none
    forget    what goes first where the memory is full, such as "learnt"; None: what is new is refused
    decay     the share of all evidence that is lost a cycle, in [0, 1)
    max_concepts, max_hebbian_links, max_statements, max_bytes
              how much may be learnt; None: what `engram serve` lets
    seconds, work_bytes
              how long one operation may take, and how many bytes beside the memory; None: a minute, 4 GiB
    Errors    ValueError; of operations EngramError
    Threads   any may use it, one operation at a time; while it is at work other threads of Python go on, and Ctrl+C
              ends it as KeyboardInterrupt, the memory being as before
    """

    def __init__(self, *, learning: str | None = None, forget: str | None = None, decay: float = 0.0,
                 max_concepts: int | None = None, max_hebbian_links: int | None = None,
                 max_statements: int | None = None, max_bytes: int | None = None, seconds: float | None = None,
                 work_bytes: int | None = None) -> None:
        given = {"learning": learning, "forget": forget, "decay": decay, "concepts": max_concepts,
                 "links": max_hebbian_links, "statements": max_statements, "bytes": max_bytes, "seconds": seconds,
                 "work_bytes": work_bytes}
        self._memory = _engram.Memory(**{name: one for name, one in given.items() if one is not None})

    def request(self, op: str, **fields: object) -> dict:
        """The result of one request.  Errors  EngramError; ValueError or TypeError for what is no JSON, like NaN"""
        return result_of(self._memory.ask(request_text(op, fields)))

    def close(self) -> None:
        """Nothing to do: for programs that use `Engram` as well."""

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
