# SPDX-License-Identifier: MIT
"""notebooks.py FOLDER [--store]: runs each notebook of a folder and compares its output with the stored output.

Texts and tables must be equal. Only the number of pictures must be equal, because their bytes depend on Matplotlib's
version. With --store the new output is stored in the notebooks: look at the pictures before you commit them. Run this
with a Python that has the package `engram`, nbconvert, Matplotlib, NetworkX and pandas.
"""
import os
import pathlib
import re
import sys

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # otherwise the kernel warns about its debugger
import nbformat
from nbconvert.preprocessors import ExecutePreprocessor


def shown(cell):
    """The output of a cell: texts, and a placeholder for each picture."""
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
    # An error in a cell ends this script with the cell and the message.
    ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(file.parent)}})
    if store:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # the time of execution
        notebook.metadata["language_info"] = {"name": "python"}
        file.write_text(re.sub(r"[ \t]+$", "", nbformat.writes(notebook), flags=re.M) + "\n", encoding="utf-8")
        return 0
    different = 0
    for cell, shows in zip(notebook.cells, before):
        if (prints := shown(cell)) != shows:
            different += 1
            print(f"{file}: the cell\n{cell.source}\nhas the stored output\n{shows}\nbut prints\n{prints}", file=sys.stderr)
    return different


def main(folder, *options):
    files = sorted(pathlib.Path(folder).glob("*.ipynb"))
    assert files, f"found no notebook in {folder}"
    different = sum(run(file, "--store" in options) for file in files)
    print(f"{len(files)} notebooks, {different} cells differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
