# SPDX-License-Identifier: MIT
"""Engram with the interface of ONA's NAR.py: `AddInput` accepts Narsese, and returns the relevant statements for a question.

    $ python3 example.py
"""
from engram import Engram, EngramError

memory = Engram()


def AddInput(narsese, capacity=2):
    """Stores a line in the memory. For a question, returns the statements that deserve attention, best first."""
    taken = memory.input(narsese=narsese)
    for fault in taken["rejected"]:
        raise ValueError(f"{narsese}: column {fault['column']}: {fault['message']}")
    reply = {"input": narsese, "selections": []}
    if narsese.split("%")[0].rstrip().endswith("?"):
        budgets = memory.allocate(cue=narsese, of="statements", capacity=capacity)["budgets"]
        reply["selections"] = [(b["narsese"], b["priority"]) for b in budgets]
    return reply


if __name__ == "__main__":
    for statement in ["<tim --> cat>.", "<cat --> animal>.", "<rock --> stone>.", "<bee --> insect>."]:
        AddInput(statement)
    for narsese, priority in AddInput("<tim --> animal>?")["selections"]:
        print(f"{priority:.3f}  {narsese}")
    try:
        memory.recall(cue="tim", method="attentoin")
    except EngramError as error:
        print(error)
    memory.close()
