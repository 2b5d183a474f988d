# SPDX-License-Identifier: MIT
"""Functions of a Python file for the program: a trial of an experiment, or a method's scores. Standard library alone."""
import json
import os
import sys
import traceback

from .client import _plain

__all__ = ["serve"]


def serve(*, trial=None, scores=None):
    """Lets the program `engram` call functions of this file; a file that a run calls ends with it.

        import random
        import engram

        def trial(setting, seed):
            return {"heads": random.Random(seed).random() < setting["bias"]}

        if __name__ == "__main__":
            engram.serve(trial=trial)

    trial(setting, seed)
        One trial of the experiment `python`. `setting` is one of the spec's settings, a dict; `seed` a whole number, from
        which all that is random must follow. Returns a dict, or a list of dicts of which each has another "method": numbers
        are measures, of which the run makes tables with intervals; all else is kept in results.jsonl.
    scores(statements, cue)
        The method `python`: a number from 0 for each statement, the more the better. `statements` is a list of Narsese
        sentences, `cue` the question without its mark, or a dict of names with activations. What is returned must follow
        from these two alone.
    What the functions print is shown if the process ends.
    """
    functions = {"trial": trial, "scores": scores}
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin.buffer:
        (name, fields), = json.loads(line).items()
        try:
            function = functions.get(name)
            if function is None:
                raise LookupError(f"the file serves no function {name}: engram.serve({name}=...)")
            reply = json.dumps({"engram_reply": function(**fields)}, allow_nan=False, default=_plain, separators=(",", ":"))
        except Exception as error:
            reply = json.dumps({"engram_error": _described(error)}, separators=(",", ":"))
        sys.stdout.flush()
        sys.stderr.flush()
        replies.write("\n" + reply + "\n")
        replies.flush()


def _described(error):
    """"ZeroDivisionError: division by zero, at coins.py:5 in trial: return 1 / 0"."""
    text = f"{type(error).__name__}: {error}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename != __file__:
            return f"{text}, at {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}: {frame.line}"
    return text
