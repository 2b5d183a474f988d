# SPDX-License-Identifier: MIT
"""Shows the most important concepts and links of a running PyNARS. Engram learns from the input and output of PyNARS.

    >>> /server localhost 8765                     in PyNARS's console, python3 -m pynars.ConsolePlus
    $ python3 pynars_memory_view.py < family.nal   sends each line to PyNARS; --page 8080 shows a page as well

PyNARS repeats most of its output; repeated sentences are ignored. Needs python3-websocket, except with --replay.
"""
import argparse
import collections
import contextlib
import json
import signal
import sys

from engram import Engram, EngramError, EngramGone
from pynars_channel import Channel

# Types of PyNARS's outputs (PrintType) that it sends. EXE is not a sentence.
SENTENCES = ("OUT", "ANSWER", "ACHIEVED")
KINDS = (*SENTENCES, "EXE")


def meaning(sentence):
    """The key of a sentence: its text without budget and blanks, and its truth value, rounded as by PyNARS."""
    words = "".join(sentence.split())
    if words.startswith("$") and words.count("$") > 1:
        words = words.split("$", 2)[2]
    words, _, truth = words.partition("%")
    try:
        return words, tuple(round(float(number), 3) for number in truth.rstrip("%").split(";")) if truth else (1.0, 0.9)
    except ValueError:
        return words, truth  # the parser will report the error


def printable(text):
    """A name with control characters replaced, which is safe to print on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


class PyNARSView:
    """Learns from the input and output of PyNARS.

    memory  an engram.Engram or engram.Memory
    Attributes  counts: number of outputs by type; types outside of KINDS count as OTHER
                rejected: invalid sentences as (line, reason)
    """

    def __init__(self, memory):
        self._memory, self._known = memory, set()
        self.counts, self.rejected = collections.Counter(), []

    def said(self, line):
        """Handles a line of the user. Commands (/...), which only concern PyNARS, are ignored."""
        if not line.startswith(("/", "\\")):
            self._known.add(meaning(line))
            self._input([line])

    def heard(self, message):
        """Handles a message of the channel. A message that is not a list of outputs counts as OTHER."""
        try:
            told = [(output["output_type"], output["content"]) for output in json.loads(message)]
        except (ValueError, TypeError, KeyError, RecursionError):
            told = [(None, None)]
        news = {}
        for kind, content in told:
            self.counts[kind if kind in KINDS else "OTHER"] += 1
            if kind in SENTENCES and isinstance(content, str):
                news.setdefault(meaning(content), " ".join(content.split()))
        self._input([sentence for key, sentence in news.items() if key not in self._known])
        self._known.update(news)

    def lines(self, top=6):
        """The report, as lines: the `top` concepts and the strongest links between them."""
        view = self._memory.view(top=top, links=top)
        terms = {one["concept"]: printable(one["term"]) for one in view["shown"]}
        yield "PyNARS said: " + (", ".join(f"{n} {kind}" for kind, n in sorted(self.counts.items())) or "nothing")
        yield f"Engram has {view['concepts']} concepts, {view['hebbian_links']} links, {view['statements']} statements"
        for line, why in self.rejected[:3]:
            yield f"no Narsese: {line[:60]!r}: {why}"
        if len(self.rejected) > 3:
            yield f"and {len(self.rejected) - 3} more that are none"
        yield "priority  concept"
        yield from (f"{one['priority']:8.3f}  {terms[one['concept']]}" for one in view["shown"])
        yield "  weight  link"
        for edge in view["edges"]:
            yield f"{edge['weight']:8.3f}  {terms[edge['source']]}  {terms[edge['target']]}"

    def _input(self, sentences):
        taken = self._memory.input(narsese="\n".join(sentences), dialect="pynars")
        self.rejected += [(sentences[fault["line"] - 1], fault["message"]) for fault in taken["rejected"]]


def exchanges(options):
    """Yields each line sent to PyNARS with the messages in reply, from a record or from the channel."""
    if options.replay:
        with open(options.replay, encoding="utf-8") as record:
            for number, line in enumerate(record, 1):
                try:
                    each = json.loads(line)
                    yield str(each["said"]), list(each["heard"])
                except (ValueError, KeyError, TypeError):
                    sys.exit(f"{options.replay}:{number}: must be an object with said and heard, a list")
        return
    with contextlib.closing(Channel(options.url)) as channel:
        for line in filter(None, map(str.strip, sys.stdin)):
            yield line, channel.say(line)


def main():
    parser = argparse.ArgumentParser(description="Shows PyNARS's memory as Engram sees it.")
    parser.add_argument("--url", default="ws://localhost:8765", help="PyNARS's websocket (default: %(default)s)")
    parser.add_argument("--record", type=argparse.FileType("w"), help="a file to keep the talk in")
    parser.add_argument("--replay", help="such a file, in the place of PyNARS")
    parser.add_argument("--top", type=int, default=6, help="how many concepts and links (default: %(default)s)")
    parser.add_argument("--page", type=int, metavar="PORT", help="show the memory in a browser as well, until Ctrl+C")
    options = parser.parse_args()
    with Engram(options=[] if options.page is None else [f"--page={options.page}"]) as memory:
        view = PyNARSView(memory)
        for line, messages in exchanges(options):
            view.said(line)
            for message in messages:
                view.heard(message)
            if options.record:
                print(json.dumps({"said": line, "heard": messages}), file=options.record, flush=True)
        print("\n".join(view.lines(options.top)), flush=True)
        if options.page is not None:
            signal.pause()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
    except (OSError, EngramError, EngramGone) as why:
        sys.exit(f"pynars_memory_view: {why}")
