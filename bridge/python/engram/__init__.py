# SPDX-License-Identifier: MIT
"""Engram: attention and associative memory for NARS (Non-Axiomatic Reasoning Systems).

    Memory                        a memory in this process; `ask` answers questions
    Retriever, methods            any retrieval method on a memory; the list of methods
    Engram                        a memory in a separate process; needs no compiled module
    parse, translate              Narsese
    maps, attention, hopfield, learning, graphs, embeddings
                                  kernels on NumPy arrays
    run                           runs experiments
    attach                        runs a live NARS with Engram
    serve                         lets experiments call functions of a Python file
    EngramError                   base of RequestError, NarseseError, LimitError, RoomError; EngramGone is separate
"""
from .client import (Answer, Answers, Engram, EngramError, EngramGone, LimitError, NarseseError, Operations, RequestError,
                     RoomError, find_program)
from .serving import serve

__all__ = ["Answer", "Answers", "Engram", "EngramError", "EngramGone", "LimitError", "NarseseError", "Operations",
           "RequestError", "RoomError", "find_program", "serve"]
# Names that need the compiled module and NumPy.
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
    _why = str(_missing)  # without the compiled module or NumPy, only the client works

    def __getattr__(name):
        if name in _COMPILED:
            raise ImportError(f"engram.{name} needs NumPy and the compiled module: {_why}. Build it by "
                              "-DENGRAM_PYTHON=ON or `pip install bridge/python`. The class Engram works without it.")
        raise AttributeError(f"unknown attribute engram.{name}")
