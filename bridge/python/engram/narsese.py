# SPDX-License-Identifier: MIT
"""Parsing Narsese, and translating it to the dialects of NARS implementations."""
from __future__ import annotations

import json
from typing import NamedTuple

from . import _engram
from .client import NarseseError

DIALECTS = ("auto", "common", "ona", "opennars", "pynars")

__all__ = ["DIALECTS", "NarseseError", "Sentence", "Translation", "parse", "translate"]


class Sentence(NamedTuple):
    """A parsed sentence: its line, from 1; its canonical spelling; its tree (bridge/schema/sentence.schema.json)."""

    line: int
    narsese: str
    tree: dict


class Translation(NamedTuple):
    """A translated text, and warnings (line, column, message) about changes of meaning."""

    text: str
    warnings: list[tuple[int, int, str]]


def parse(text: str, dialect: str = "auto") -> list[Sentence]:
    """Parses a text with one sentence per line. Comments, commands and numbers of cycles are ignored.

    dialect  one of DIALECTS; "auto" accepts the syntax of all systems
    Errors   NarseseError at the first invalid line, with its line and column; ValueError
    Cost     O(n)
    """
    return [Sentence(line, narsese, json.loads(tree)) for line, narsese, tree in _engram.parse(text, dialect)]


def translate(text: str, to: str, dialect: str = "auto") -> Translation:
    """Translates a text, line by line, to the dialect `to`; "auto" is the canonical spelling.

    Errors  NarseseError at the first line that is invalid, or that the system cannot represent; ValueError
    Cost    O(n)
    """
    return Translation(*_engram.translate(text, to, dialect))
