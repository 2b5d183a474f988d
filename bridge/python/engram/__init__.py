# SPDX-License-Identifier: MIT
"""Engram: attention and associative memory for NARS (Non-Axiomatic Reasoning Systems).

    Memory, Retriever             a memory in this process: `ask` answers questions; what any method retrieves
    Engram                        the same in a process of its own; all that there is where nothing is compiled
    parse, translate              Narsese
    maps, attention, hopfield, learning, graphs, embeddings
                                  the kernels, on NumPy arrays
    run, attach, methods          experiments; beside a live NARS; what methods there are
    serve                         lets experiments call functions of a Python file
    EngramError                   what goes wrong: RequestError, NarseseError, LimitError, RoomError; EngramGone
"""
from .client import (Answer, Answers, Engram, EngramError, EngramGone, LimitError, NarseseError, Operations, RequestError,
                     RoomError, find_program)
from .serving import serve

__all__ = ["Answer", "Answers", "Engram", "EngramError", "EngramGone", "LimitError", "NarseseError", "Operations",
           "RequestError", "RoomError", "find_program", "serve"]
# What needs more than the client.
_COMPILED = {"Attachment", "Keys", "Map", "Memory", "Retriever", "Values", "attach", "attention", "embeddings",
             "experiments", "graphs", "hopfield", "learning", "maps", "methods", "narsese", "parse", "run", "translate"}

try:
    import engram._engram

    from . import attention, embeddings, experiments, graphs, hopfield, learning, maps, narsese
    from .attached import Attachment, attach
    from .attention import Keys, Values
    from .experiments import run
    from .maps import Map
    from .memory import Memory
    from .narsese import parse, translate
    from .retrievers import Retriever, methods

    __all__ += sorted(_COMPILED)
except ImportError as _missing:
    _why = str(_missing)  # nothing is compiled here, or NumPy is not there: the client alone

    def __getattr__(name):
        if name in _COMPILED:
            raise ImportError(f"engram.{name} needs what is compiled, and NumPy: {_why}; build it with "
                              "-DENGRAM_PYTHON=ON, or `pip install bridge/python`; Engram needs neither")
        raise AttributeError(f"module 'engram' has no attribute {name!r}")
