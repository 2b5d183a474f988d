# SPDX-License-Identifier: MIT
"""NARS-GPT's attention buffer (gptONA's, too), its relevant part chosen by Engram in place of text embeddings.

NARS-GPT (github.com/patham9/NarsGPT) shows GPT a view of its memory: the items that are most like the question by their
embeddings, then the most recent ones. Likeness finds what shares words with the question; what an answer needs between
two of its names often shares none. Engram finds paths of statements between the names. In NARS-GPT's NarsGPT.py, after its
imports:

    import Memory
    from attention_buffer import AttentionBuffer
    from engram import Engram
    Memory.Memory_view = AttentionBuffer(Engram())

Embeddings are then read by nobody. `python3 attention_buffer.py` shows a view for a question in three steps.
"""
import re

NAME = r"[^\W_]\w*"  # needs no quotes in Narsese
COPULAS = {"isa", "hasproperty"}  # the relations that Narsese has of its own


class Unreadable(ValueError):
    """A sentence that is not NARS-GPT's `subject relation object`, or has a name that Narsese cannot hold."""


def term(name):
    """A name as a term: in quotes where it has more than letters, digits and _.  Errors  Unreadable"""
    if not re.search(r"\S", name) or re.search(r'["\x00-\x1f]', name):
        raise Unreadable(f"a name may have no quotes and no control characters, and not be empty, found {name!r}")
    return name if re.fullmatch(NAME, name) else f'"{name}"'


def statement(sentence):
    """NARS-GPT's sentence as a statement of Narsese.  Errors  Unreadable

        cat isa animal            <cat --> animal>
        garfield hasproperty fat  <garfield --> [fat]>
        john likes mary           <(*,john,mary) --> likes>
    """
    words = sentence.split(" ")
    if len(words) != 3:
        raise Unreadable(f"a sentence must be three words, found {sentence!r}")
    subject, relation, object_ = words[0], words[1], words[2]
    if relation == "isa":
        return f"<{term(subject)} --> {term(object_)}>"
    if relation == "hasproperty":
        return f"<{term(subject)} --> [{term(object_)}]>"
    return f"<(*,{term(subject)},{term(object_)}) --> {term(relation)}>"


def names_in(question, known):
    """The known names that a question mentions; of several words that may be one, the most are (new york: new_york). A
    word that is no name may be one without its s (cats: cat)."""
    words = re.findall(r"[^\s?!.,;:\"()]+", question.lower())
    found, longest = [], max((name.count("_") + 1 for name in known), default=1)
    while words:
        for length in range(min(longest, len(words)), 0, -1):
            name = "_".join(words[:length])
            here = name if name in known else name[:-1] if name.endswith("s") and name[:-1] in known else None
            if here:
                break
        if here and here not in found:
            found.append(here)
        del words[:length]
    return found


class AttentionBuffer:
    """Called as NARS-GPT calls Memory_view, and returns what that returns.

    memory  an engram.Engram or engram.Memory for this buffer alone: it is told anew what NARS-GPT's memory holds
            whenever that has changed, since items there are revised, merged and dropped (in a second some 50,000)
    how     more fields of `allocate`: method, options, share. Without any, proof_attention chooses
    Attributes, of the last question
        cue         those of its names that the memory knows; a question without any finds nothing
        unreadable  the sentences that Narsese cannot hold, with the reason: they come into view as recent ones alone
    """

    def __init__(self, memory, **how):
        self._engram, self._how = memory, how
        self._told, self._items, self._names = None, {}, set()
        self._relevant = []
        self.cue, self.unreadable = [], []

    def __call__(self, memory, relevantViewSize, recentViewSize, inpQuestion=None):
        """A list of (key, value) of `memory`: at most relevantViewSize that the question, or else the last one, brought
        back, the best last; then the recentViewSize last used, the newest last. None is in both."""
        newest = sorted(memory, key=lambda key: -memory[key][0])[:recentViewSize]
        if inpQuestion is not None:
            self._tell(memory)
            self._relevant = [key for key in self._find(inpQuestion, relevantViewSize + recentViewSize)
                              if key not in newest][:relevantViewSize]
        relevant = [key for key in self._relevant if key in memory and key not in newest]
        return [(key, memory[key]) for key in relevant[::-1] + newest[::-1]]

    def _find(self, question, capacity):
        self.cue = names_in(question, self._names)
        if not self.cue:
            return []
        budgets = self._engram.allocate(cue={term(name): 1.0 for name in self.cue}, of="statements",
                                        capacity=max(capacity, 1), **self._how)["budgets"]
        best = [budget["narsese"].rpartition(">.")[0] + ">" for budget in budgets]
        return [key for one in best for key in self._items.get(one, [])]

    def _tell(self, memory):
        now = {key: tuple(value[2]) for key, value in memory.items()}
        if now == self._told:
            return
        self._told, self._items, self._names, self.unreadable = now, {}, set(), []
        for key in memory:
            try:
                self._items.setdefault(statement(key[0]), []).append(key)
                self._names.update(set(key[0].split(" ")) - COPULAS)
            except Unreadable as why:
                self.unreadable.append((key[0], str(why)))
        lines = []
        for one, keys in self._items.items():  # events and what became of them are one statement, as the surest has it
            frequency, confidence = max((memory[key][2] for key in keys), key=lambda truth: truth[1])
            lines.append(f"{one}. %{frequency:f};{confidence:f}%")
        self._engram.reset()
        for fault in self._engram.input(narsese="\n".join(lines))["rejected"]:
            self.unreadable.append((lines[fault["line"] - 1], fault["message"]))


if __name__ == "__main__":
    from engram import Engram

    past = ["garfield isa cat", "cat isa animal", "animal hasproperty mortal", "john likes mary"]
    since = [f"{who} isa {what}" for what in ("city", "river", "stone") for who in ("paris", "rome", "oslo", "bonn")]
    items = {(one, "eternal"): (time, 1, (1.0, 0.9), [time], None) for time, one in enumerate(past + since, 1)}
    with Engram() as engram:
        view = AttentionBuffer(engram)(items, relevantViewSize=4, recentViewSize=3, inpQuestion="is garfield mortal?")
    for (sentence, when), (last_used, *_) in view:
        print(f"{last_used:3}  {sentence}")
