# SPDX-License-Identifier: MIT
"""Runs experiments that are defined by a dict, and loads their results as arrays. The program `engram` does the work."""
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
    """A table of a run. Columns are arrays, indexed by heading: numbers if all cells are numbers (empty cells are NaN),
    otherwise texts. A repeated heading becomes "heading.1", as in pandas."""

    def __init__(self, name: str, head: list[str], rows: list[list[str]]) -> None:
        self.name, self.head = name, _distinct(head)
        self.columns = {title: _column([row[i] for row in rows]) for i, title in enumerate(self.head)}

    def __getitem__(self, title: str) -> np.ndarray:
        return self.columns[title]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def frame(self) -> Any:
        """The table as a pandas.DataFrame.  Errors  ImportError without pandas"""
        import pandas

        return pandas.DataFrame(self.columns)

    def __repr__(self) -> str:
        return f"<table {self.name}: {len(self)} rows of {', '.join(self.head)}>"


class Run:
    """Results of a run: `folder` (None if temporary), the complete `spec`, the `summary`, `rows` (one dict per trial) and
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
        """The values of one field in all rows, as an array. Absent values are NaN, or None if the field has texts."""
        values = [row.get(name) for row in self.rows]
        if all(value is None or isinstance(value, (bool, int, float)) for value in values):
            return np.array([np.nan if value is None else value for value in values], float)
        return np.array(values, object)

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame.  Errors  ImportError without pandas"""
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return f"<run of {self.spec.get('experiment')}: {len(self.rows)} rows, tables {', '.join(self.tables)}>"


def run(spec: dict | str | os.PathLike, out: str | os.PathLike | None = None, *, program: str | None = None,
        **options: object) -> Run:
    """Runs an experiment.

        run = engram.run({"extends": "icons", "memory": {"decay": 0.01}})
        run.tables["restored"]["overlap of cue"]

    spec     a spec as a dict, a file name, or the name of an included spec. File names in a dict are relative to the current
             folder. A dict may name a Python file or a NARS, which is then started
    out      folder for the results; None: a temporary folder, deleted after reading
    options  options of `engram run`: jobs=4, memory="8G", cache="FOLDER", set=["memory.decay=0.1"]
    Errors   EngramError with the code wrong_usage (for a wrong spec), input_errors or outside_failure; EngramGone if the
             program is missing. KeyboardInterrupt ends the program; resume=True continues a run with `out`
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
    """Loads the results of an earlier run from its folder.  Errors  OSError; ValueError for invalid files"""
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
