# SPDX-License-Identifier: MIT
"""Lets the program call functions of a Python file: trials of an experiment, or the scores of a method. Needs only the
standard library."""
import json
import os
import sys
import traceback

from .client import _plain

__all__ = ["serve"]


def serve(*, trial=None, scores=None):
    """Serves functions of this file to the program `engram`. Call it at the end of a file that a run names.

        import random
        import engram

        def trial(setting, seed):
            return {"heads": random.Random(seed).random() < setting["bias"]}

        if __name__ == "__main__":
            engram.serve(trial=trial)

    trial(setting, seed)
        Runs one trial of the experiment `python`. `setting` is one of the settings in the spec, a dict. `seed` is a whole
        number, which must determine everything random. Returns a dict, or a list of dicts with different values of "method".
        Numbers are measures, which the run summarises in tables with intervals. All values are stored in results.jsonl.
    scores(statements, cue)
        Implements the method `python`: returns a number >= 0 for each statement, larger for better ones. `statements` is a
        list of Narsese sentences. `cue` is the question without its mark, or a dict from names to activations. The result
        must depend only on these two.
    The program shows the output of the functions if the process ends.
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
    """Formats an error: "ZeroDivisionError: division by zero, at coins.py:5 in trial: return 1 / 0"."""
    text = f"{type(error).__name__}: {error}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename != __file__:
            return f"{text}, at {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}: {frame.line}"
    return text
