# SPDX-License-Identifier: MIT
"""Engram where ONA's NAR.py stands: `AddInput` takes Narsese, and a question comes back with what matters for it.

    $ python3 example.py
"""
from engram import Engram, EngramError

memory = Engram()


def AddInput(narsese, capacity=2):
    """Gives a line to the memory; for a question, the statements that deserve a reasoner's attention, best first."""
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
