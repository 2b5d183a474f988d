# SPDX-License-Identifier: MIT
"""Narsese as text: reading it, and writing it for another system."""
from __future__ import annotations

import json
from typing import NamedTuple

from . import _engram
from .client import NarseseError

DIALECTS = ("auto", "common", "ona", "opennars", "pynars")

__all__ = ["DIALECTS", "NarseseError", "Sentence", "Translation", "parse", "translate"]


class Sentence(NamedTuple):
    """A sentence of a text: its line, from 1; its canonical spelling; its tree (bridge/schema/sentence.schema.json)."""

    line: int
    narsese: str
    tree: dict


class Translation(NamedTuple):
    """A text in another dialect, and (line, column, message) of what is not quite as it was."""

    text: str
    warnings: list[tuple[int, int, str]]


def parse(text: str, dialect: str = "auto") -> list[Sentence]:
    """The sentences of a text, a line each; comments, commands and cycle numbers are passed over.

    dialect  one of DIALECTS; "auto": all that some system writes
    Errors   NarseseError at the first line that is no Narsese, with its line and column; ValueError
    Cost     O(n)
    """
    return [Sentence(line, narsese, json.loads(tree)) for line, narsese, tree in _engram.parse(text, dialect)]


def translate(text: str, to: str, dialect: str = "auto") -> Translation:
    """A text in the dialect `to`, line by line, such that the system reads the same; "auto": the canonical spelling.

    Errors  NarseseError at the first line that is no Narsese, or that the system cannot hold; ValueError
    Cost    O(n)
    """
    return Translation(*_engram.translate(text, to, dialect))
