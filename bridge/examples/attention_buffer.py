# SPDX-License-Identifier: MIT
"""An attention buffer for NARS-GPT and gptONA that selects relevant items with Engram instead of text embeddings.

NARS-GPT (github.com/patham9/NarsGPT) shows GPT a view of its memory: the items whose embeddings are most similar to the
question, then the most recent ones. Similarity finds items that share words with the question. The statements that connect
two names of the question often share none. Engram finds paths of statements between the names. To use it, add these lines
after the imports in NarsGPT.py:

    import Memory
    from attention_buffer import AttentionBuffer
    from engram import Engram
    Memory.Memory_view = AttentionBuffer(Engram())

The embeddings are then unused. `python3 attention_buffer.py` shows the view for a question that needs three statements.
"""
import re

NAME = r"[^\W_]\w*"  # a name without quotes in Narsese
COPULAS = {"isa", "hasproperty"}  # relations that are copulas in Narsese


class Unreadable(ValueError):
    """A sentence that is not of NARS-GPT's form `subject relation object`, or has a name that Narsese cannot write."""


def term(name):
    """A name as a term, in quotes if it has other characters than letters, digits and _.  Errors  Unreadable"""
    if not re.search(r"\S", name) or re.search(r'["\x00-\x1f]', name):
        raise Unreadable(f"a name must not be empty or contain quotes or control characters, found {name!r}")
    return name if re.fullmatch(NAME, name) else f'"{name}"'


def statement(sentence):
    """Translates a sentence of NARS-GPT into a Narsese statement.  Errors  Unreadable

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
    """The known names in a question. Words are joined into the longest known name (new york: new_york). An unknown word
    also matches without its final s (cats: cat)."""
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
    """Replacement for NARS-GPT's Memory_view, with the same call and result.

    memory  an engram.Engram or engram.Memory that nothing else uses. It is reset and filled again whenever NARS-GPT's
            memory has changed, because items there are revised, merged and dropped (about 50,000 items per second)
    how     more fields of the operation `allocate`: method, options, share. The default method is proof_attention
    Attributes for the last question
        cue         its names that the memory knows; without any, no item is relevant
        unreadable  the sentences that Narsese cannot express, with the reason. Only as recent items can they be in the view
    """

    def __init__(self, memory, **how):
        self._engram, self._how = memory, how
        self._told, self._items, self._names = None, {}, set()
        self._relevant = []
        self.cue, self.unreadable = [], []

    def __call__(self, memory, relevantViewSize, recentViewSize, inpQuestion=None):
        """A list of (key, value) from `memory`: at most relevantViewSize items for the question, or for the last one if there
        is none, the best last; then the recentViewSize most recently used items, the newest last. No item occurs twice."""
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
        for one, keys in self._items.items():  # all forms of a statement are one, with the truth of highest confidence
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
