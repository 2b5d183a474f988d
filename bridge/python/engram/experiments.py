# SPDX-License-Identifier: MIT
"""Experiments from a dict, and their results as arrays. The program `engram` carries them out."""
from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import programs

__all__ = ["Run", "Table", "load", "run"]


class Table:
    """A table of a run: its name, and a column by its heading as an array, of numbers where all cells are numbers (an
    empty cell is NaN), else of texts. Of headings that come again the second is "heading.1", as in pandas."""

    def __init__(self, name: str, head: list[str], rows: list[list[str]]) -> None:
        self.name, self.head = name, _distinct(head)
        self.columns = {title: _column([row[i] for row in rows]) for i, title in enumerate(self.head)}

    def __getitem__(self, title: str) -> np.ndarray:
        return self.columns[title]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def frame(self) -> Any:
        """As a pandas.DataFrame.  Errors  ImportError where pandas is not there"""
        import pandas

        return pandas.DataFrame(self.columns)

    def __repr__(self) -> str:
        return f"<table {self.name}: {len(self)} rows of {', '.join(self.head)}>"


class Run:
    """What a run left: `folder` (None: it is gone), `spec` with every default, `summary`, `rows` (a dict a trial) and
    `tables` by name."""

    def __init__(self, folder: Path, kept: bool = True) -> None:
        self.folder = folder if kept else None
        self.spec: dict = _json(folder / "spec.json")
        self.summary: dict = _json(folder / "summary.json")
        self.rows: list[dict] = _json_lines(folder / "results.jsonl")
        self.tables: dict[str, Table] = {}
        for file in sorted(folder.glob("tables/*.csv")):
            with open(file, newline="", encoding="utf-8") as lines:
                head, *rows = list(csv.reader(lines)) or [[]]
            self.tables[file.stem] = Table(file.stem, head, rows)

    def column(self, name: str) -> np.ndarray:
        """What all rows have under a name, as an array; NaN, or None beside texts, where a row has none."""
        values = [row.get(name) for row in self.rows]
        if all(value is None or isinstance(value, (bool, int, float)) for value in values):
            return np.array([np.nan if value is None else value for value in values], float)
        return np.array(values, object)

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame.  Errors  ImportError where pandas is not there"""
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return f"<run of {self.spec.get('experiment')}: {len(self.rows)} rows, tables {', '.join(self.tables)}>"


def run(spec: dict | str | os.PathLike, out: str | os.PathLike | None = None, *, program: str | None = None,
        **options: object) -> Run:
    """Carries out an experiment.

        run = engram.run({"extends": "icons", "memory": {"decay": 0.01}})
        run.tables["restored"]["overlap of cue"]

    spec     a spec as a dict, the name of a file with one, or the bare name of one that comes along; files that a dict
             names are looked for in the current folder, and a Python file or a NARS that it names is started
    out      the folder for the results; None: one that is gone afterwards, what is in it having been read
    options  of `engram run`: jobs=4, memory="8G", cache="FOLDER", set=["memory.decay=0.1"]
    Errors   EngramError, its code wrong_usage for a wrong spec, input_errors, outside_failure; EngramGone without the
             program; KeyboardInterrupt ends the program, and a run with `out` can go on with resume=True
    """
    with tempfile.TemporaryDirectory(prefix="engram-") as scratch:
        folder = Path(scratch, "run") if out is None else Path(out)
        options = {"allow_programs": isinstance(spec, dict), **options}
        arguments = ["run", _spec_argument(spec, scratch), f"--out={folder}", *programs.flags(options)]
        process = programs.start(arguments, program, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, told = process.communicate()
        finally:
            programs.end(process)
        if process.returncode != 0:
            raise programs.failure(process.returncode, told)
        return Run(folder, kept=out is not None)


def load(folder: str | os.PathLike) -> Run:
    """What an earlier run left in its folder.  Errors  OSError; ValueError for files that are not such"""
    return Run(Path(folder))


def _spec_argument(spec, scratch):
    if not isinstance(spec, dict):
        return programs.path(spec)
    file = os.path.join(scratch, "spec.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(spec, out, allow_nan=False)
    return file


def _json(file):
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _json_lines(file):
    if not file.exists():
        return []
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _distinct(head):
    return [f"{title}.{before}" if (before := head[:i].count(title)) else title for i, title in enumerate(head)]


def _column(cells):
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells, object)
