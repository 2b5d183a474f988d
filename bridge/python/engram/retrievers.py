# SPDX-License-Identifier: MIT
"""Retrieval methods with options, for a `Memory` or for an `Engram` in another process."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _engram
from .client import Operations

__all__ = ["Budgets", "Option", "Method", "Recall", "Retriever", "methods"]


class Option(NamedTuple):
    """An option of a method: its default, its meaning, and its valid values."""

    name: str
    default: float | str
    meaning: str
    expected: str


class Method(NamedTuple):
    """A retrieval method, with its `options` by name."""

    name: str
    family: str
    summary: str
    has_energy: bool
    options: dict[str, Option]


class Recall(NamedTuple):
    """Result of a recall: terms, best first, and their values (n); energies (steps), if the method has an energy; whether
    the method converged; the certificate of exact retrieval, if there is one."""

    terms: list[str]
    values: NDArray[np.float64]
    energies: NDArray[np.float64]
    converged: bool
    certificate: dict | None


class Budgets(NamedTuple):
    """Allocated budgets, best first: names (terms, or sentences in Narsese), and priority, durability and quality (n) in
    [0, 1]."""

    names: list[str]
    priority: NDArray[np.float64]
    durability: NDArray[np.float64]
    quality: NDArray[np.float64]


def methods() -> dict[str, Method]:
    """All retrieval methods by name, as `engram methods` lists them."""
    all_methods = {}
    for name, family, summary, has_energy, options in _engram.methods():
        all_methods[name] = Method(name, family, summary, has_energy, {one[0]: Option(*one) for one in options})
    return all_methods


class Retriever:
    """A retrieval method with options, applied to a memory.

        attention = Retriever(memory, "attention", beta=16)
        attention.recall("<tim --> animal>?", top=3).terms

    method   a name from `methods`
    options  options of the method: see `methods`
    Errors   ValueError for an unknown method or option; EngramError, from requests
    """

    def __init__(self, memory: Operations, method: str = "proof_attention", **options: float | str) -> None:
        self.memory = memory
        self.set_params(method=method, **options)

    def recall(self, cue: str | dict[str, float], top: int = 10) -> Recall:
        """The `top` concepts for a cue. The cue is Narsese, or a dict from terms to activations in [0, 1]."""
        reply = self.memory.request("recall", cue=cue, top=top, **self._how())
        found = reply["activations"]
        return Recall([one["term"] for one in found], np.array([one["value"] for one in found], float),
                      np.array(reply["energies"], float), reply["converged"], reply.get("certificate"))

    def allocate(self, cue: str | dict[str, float], capacity: int = 10, of: str = "statements",
                 **fields: object) -> Budgets:
        """Budgets for at most `capacity` "statements" or "concepts". `fields` are more fields of the operation `allocate`."""
        found = self.memory.request("allocate", cue=cue, of=of, capacity=capacity, **self._how(), **fields)["budgets"]
        numbers = [np.array([one[name] for one in found], float) for name in ("priority", "durability", "quality")]
        return Budgets([one["term" if of == "concepts" else "narsese"] for one in found], *numbers)

    def explain(self, cue: str | dict[str, float], top: int = 10) -> dict:
        """Explains the budgets of the best concepts and statements as sums that can be checked by hand."""
        return self.memory.request("explain", cue=cue, top=top, **self._how())

    def get_params(self, deep: bool = True) -> dict[str, float | str]:
        """The method and the given options."""
        return {"method": self._method, **self._options}

    def set_params(self, *, method: str | None = None, **options: float | str) -> Retriever:
        """Sets options, or a new method, which drops the old options.  Errors  ValueError"""
        known = methods()
        name = self._method if method is None else method
        if name not in known:
            raise ValueError(f"method must be one of {', '.join(known)}; found {name!r}")
        for option in options:
            if option not in known[name].options:
                raise ValueError(f"{name} has no option {option!r}; it has {', '.join(known[name].options) or 'none'}")
        kept = self._options if method is None or method == getattr(self, "_method", None) else {}
        self._method, self._options = name, {**kept, **options}
        return self

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"Retriever({self.memory!r}, {self._method!r}{given})"

    def _how(self):
        how = {"method": self._method}
        if self._options:
            how["options"] = self._options
        return how
