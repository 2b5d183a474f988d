# SPDX-License-Identifier: MIT
"""Tests of an in-process memory: its replies equal those from the client; retrievers; Narsese."""
import os
import pickle
import tempfile
import unittest

import numpy as np

import engram
from engram import Engram, EngramError, LimitError, Memory, NarseseError, RequestError, Retriever, RoomError

KNOWLEDGE = "<tim --> cat>.\n<cat --> animal>.\n<rex --> dog>.\n<dog --> animal>.\n<tim --> [furry]>. %0.8;0.7%\n"


def told(ask, op, fields):
    try:
        return ask(op, **fields)
    except EngramError as error:
        return type(error).__name__, error.details


class Replies(unittest.TestCase):
    def test_are_those_of_the_client(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "memory.jsonl")
            requests = [
                ("input", {"narsese": KNOWLEDGE}), ("input", {"narsese": "<tim -->\n<a --> b>.", "dialect": "ona"}),
                ("recall", {"cue": "<tim --> animal>?", "top": 3}), ("recall", {"cue": {"tim": 0.5}, "method": "hopfield"}),
                ("allocate", {"cue": "<tim --> animal>?", "of": "statements", "capacity": 2}),
                ("compare", {"cue": "tim", "methods": ["attention", "pagerank"], "top": 2}),
                ("explain", {"cue": "<tim --> animal>?", "method": "proof_attention", "top": 2}),
                ("reason", {"question": "<tim --> animal>?", "steps": 100}), ("links", {"top": 3}),
                ("links", {"term": "tim", "top": 2, "as_": "narsese"}),
                ("map", {"scores": np.arange(4.0), "map": "entmax", "alpha": 1.3}),
                ("hopfield", {"patterns": [[1, -1, 1]], "rule": "hebb", "cue": [1, 1, 1], "mode": "async"}),
                ("recall", {"cue": "tim", "method": "attentoin"}), ("recall", {"cue": "<tim"}), ("recall", {}),
                ("nonsense", {}), ("map", {"scores": [1], "map": "softmax", "kk": 2}),
                ("snapshot", {"path": path}), ("reset", {}), ("restore", {"path": path}),
                ("recall", {"cue": "<tim --> animal>?", "top": 3}), ("restore", {"path": path + "x"}),
                ("input", {"narsese": "<a --> b>.", "limit": {"milliseconds": 0}}),
            ]
            with Engram() as client, Memory() as memory:
                for op, fields in requests:
                    with self.subTest(op=op, fields=fields):
                        self.assertEqual(told(memory.request, op, fields), told(client.request, op, fields))

    def test_have_a_method_each(self):
        with Engram() as client:
            known = told(client.request, "nonsense", {})[1]["message"].split("known are ")[1].split(", ")
        for op in known:
            self.assertTrue(callable(getattr(Memory(), op)))
        self.assertLessEqual(set(engram.client.OPERATIONS), set(known))

    def test_ask_answers_with_proofs(self):
        with Engram() as client, Memory() as memory:
            for each in (client, memory):
                each.input(narsese=KNOWLEDGE)
            answers, same = memory.ask("<tim --> ?x>?"), client.ask("<tim --> ?x>?")
            self.assertEqual(str(answers), str(same))
            self.assertEqual([answer.term for answer in answers][:2], ["<tim --> cat>", "<tim --> animal>"])
            self.assertEqual((answers[1].frequency, answers[1].confidence), (1.0, 0.81))
            self.assertEqual(str(answers[1]), "<tim --> animal>. %1;0.81%   (deduction)\n"
                             "├─ <tim --> cat>. %1;0.9%   (input)\n└─ <cat --> animal>. %1;0.9%   (input)")
            self.assertEqual([line.rule for line in answers[1].proof], ["told", "told", "deduction"])
            self.assertEqual(answers[1].proof[2].premises, (0, 1))
            self.assertEqual((answers.method, answers.told, len(answers.selected)), ("proof_attention", 5, 3))
            priorities = [one.budget.priority for one in answers.selected]
            self.assertEqual(priorities, sorted(priorities, reverse=True))
            self.assertEqual(len(memory.ask("<tim --> ?x>?", answers=1)), 1)
            none = memory.ask("<tim --> dog>?", method="uniform", steps=1, gate=1)
            self.assertFalse(none)
            self.assertTrue(str(none).startswith("no answer within 1 step\n"), str(none))
            self.assertTrue(none.near)
            for wrong in ({"question": "<tim --> cat>."}, {"question": "<tim"}, {"question": "tim?", "method": "attentoin"},
                          {"question": "tim?", "stepps": 3}):
                with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                    memory.ask(**wrong)

    def test_errors_have_kinds(self):
        memory = Memory()
        for kind, also, work in [
                (NarseseError, ValueError, lambda: memory.recall(cue="<tim")),
                (RequestError, ValueError, lambda: memory.recall(cue="tim", method="attentoin")),
                (ValueError, ValueError, lambda: memory.map(scores=[float("nan")], map="softmax")),
                (TypeError, TypeError, lambda: memory.recall(cue=object())),
                (RoomError, MemoryError, lambda: Memory(work_bytes=1).input(narsese=KNOWLEDGE * 100)),
                (LimitError, EngramError, lambda: Memory(seconds=0.001).hopfield(
                    patterns=np.where(np.random.default_rng(1).random((50, 2000)) < 0.5, 1, -1), rule="storkey",
                    cue=[1] * 2000, mode="async"))]:
            with self.subTest(kind=kind.__name__), self.assertRaises(kind) as caught:
                work()
            self.assertIsInstance(caught.exception, also)
        copy = pickle.loads(pickle.dumps(told_error(lambda: memory.recall(cue="<tim"))))
        self.assertEqual((copy.code, copy.line, type(copy)), ("parse_error", 1, NarseseError))

    def test_settings(self):
        self.assertEqual(Memory(max_statements=2).stats()["limits"]["statements"], 2)
        memory = Memory(max_statements=2, forget="recent")
        self.assertEqual(memory.input(narsese=KNOWLEDGE)["accepted"], 5)
        for wrong in ({"learning": "ojja"}, {"forget": "everything"}, {"decay": 1.5}, {"seconds": -1}):
            with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                Memory(**wrong)


def told_error(work):
    try:
        work()
    except EngramError as error:
        return error
    raise AssertionError("no error")


class Retrievers(unittest.TestCase):
    def setUp(self):
        self.memory = Memory()
        self.memory.input(narsese=KNOWLEDGE)

    def test_recall_and_allocate(self):
        one = Retriever(self.memory, "attention", beta=4)
        found = one.recall("<tim --> animal>?", top=2)
        reply = self.memory.recall(cue="<tim --> animal>?", method="attention", options={"beta": 4}, top=2)
        self.assertEqual(found.terms, [a["term"] for a in reply["activations"]])
        np.testing.assert_array_equal(found.values, [a["value"] for a in reply["activations"]])
        budgets = Retriever(self.memory, "proof_attention").allocate("<tim --> animal>?", 2)
        self.assertEqual(set(budgets.names), {"<tim --> cat>.", "<cat --> animal>."})
        self.assertTrue((np.diff(budgets.priority) <= 0).all())

    def test_parameters(self):
        one = Retriever(self.memory, "hopfield")
        self.assertEqual(one.get_params(), {"method": "hopfield"})
        one.set_params(method="attention", beta=2)
        self.assertEqual(one.get_params(), {"method": "attention", "beta": 2})
        self.assertIn("beta", engram.methods()["attention"].options)
        for wrong in (lambda: Retriever(self.memory, "attentoin"), lambda: one.set_params(bete=3)):
            with self.assertRaises(ValueError):
                wrong()


class Narsese(unittest.TestCase):
    def test_parse(self):
        lines = engram.parse("// a comment\n<tim --> cat>. %0.9;0.8%\n10\n<(*, a, b) --> c>?")
        self.assertEqual([(one.line, one.narsese) for one in lines],
                         [(2, "<tim --> cat>. %0.9;0.8%"), (4, "<(*,a,b) --> c>?")])
        self.assertEqual(lines[0].tree["truth"], {"frequency": 0.9, "confidence": 0.8})

    def test_translate(self):
        self.assertEqual(engram.translate("<(*,cat,fish) --> eats>.", "ona").text, "<(cat * fish) --> eats>.\n")
        self.assertTrue(engram.translate("$0.5;0.5;0.5$ <a --> b>.", "ona").warnings)

    def test_errors_have_a_place(self):
        with self.assertRaises(NarseseError) as caught:
            engram.parse("<a --> b>.\n<ä -->")
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 7))
        for wrong in (lambda: engram.parse("a.", "latin"), lambda: engram.translate("a.", "latin")):
            with self.assertRaisesRegex(ValueError, "found 'latin'"):
                wrong()


if __name__ == "__main__":
    unittest.main()
