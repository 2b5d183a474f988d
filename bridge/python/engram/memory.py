# SPDX-License-Identifier: MIT
"""A memory in this process, with the same operations as the client."""
from __future__ import annotations

from . import _engram
from .client import Operations, request_text, result_of


class Memory(Operations):
    """A memory in this process. `ask` answers a question. Every operation of the protocol is a method with the same name,
    takes its fields as keywords, and returns the same as the client `Engram`; see `help(Operations)`.

        memory = Memory()
        memory.input(narsese="<tim --> cat>.\\n<cat --> animal>.")
        print(memory.ask("<tim --> ?x>?"))

    learning  rule that learns link weights in addition to the counts, such as "oja"; None: no rule
    forget    policy that selects what to forget if the memory is full, such as "learnt"; None: rejects new input
    decay     share of all evidence that is lost per cycle, in [0, 1)
    max_concepts, max_hebbian_links, max_statements, max_bytes
              limits of the memory; None: the defaults of `engram serve`
    seconds, work_bytes
              limits of one operation: its time, and its bytes in addition to the memory; None: a minute, 4 GiB
    Errors    ValueError; EngramError, from operations
    Threads   any thread may use it; operations run one at a time. Other Python threads continue meanwhile. Ctrl+C cancels
              an operation with KeyboardInterrupt and leaves the memory unchanged
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
        """The result of one request.  Errors  EngramError; ValueError or TypeError for values outside of JSON, such as NaN"""
        return result_of(self._memory.ask(request_text(op, fields)))

    def close(self) -> None:
        """Does nothing. It exists so that `Memory` can replace `Engram`."""

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
