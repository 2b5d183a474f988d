# SPDX-License-Identifier: MIT
"""notebooks.py FOLDER [--store]: runs each notebook of a folder, and holds what it prints against what it shows.

Texts and tables must be the same; of pictures there must be as many, since their bytes depend on Matplotlib's version.
With --store the notebooks show what they have printed now: look at the pictures before you keep them.
Run it with the Python that has the package `engram`, nbconvert, Matplotlib, NetworkX and pandas.
"""
import os
import pathlib
import re
import sys

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else the kernel warns of its own debugger
import nbformat
from nbconvert.preprocessors import ExecutePreprocessor


def shown(cell):
    """What stands below a cell: texts as they are, of pictures that there is one."""
    texts = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            texts.append(output.text)
        elif "image/png" in output.get("data", {}):
            texts.append("(picture)")
        else:
            texts.append(output.data["text/plain"])
    return texts


def run(file, store):
    notebook = nbformat.read(file, as_version=4)
    before = [shown(cell) for cell in notebook.cells]
    # An error in a cell ends this with the cell and what it said.
    ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(file.parent)}})
    if store:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # when it was run
        notebook.metadata["language_info"] = {"name": "python"}
        file.write_text(re.sub(r"[ \t]+$", "", nbformat.writes(notebook), flags=re.M) + "\n", encoding="utf-8")
        return 0
    different = 0
    for cell, shows in zip(notebook.cells, before):
        if (prints := shown(cell)) != shows:
            different += 1
            print(f"{file}: below the cell\n{cell.source}\nstands\n{shows}\nbut it prints\n{prints}", file=sys.stderr)
    return different


def main(folder, *options):
    files = sorted(pathlib.Path(folder).glob("*.ipynb"))
    assert files, f"there is no notebook in {folder}"
    different = sum(run(file, "--store" in options) for file in files)
    print(f"{len(files)} notebooks, {different} cells differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
