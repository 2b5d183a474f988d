# SPDX-License-Identifier: MIT
"""Tests of experiments and attached systems run by the program, and of results as arrays."""
import json
import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import engram
from engram import EngramError, EngramGone, experiments, programs

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FAMILY = os.path.join(SOURCE, "experiments", "data", "family.nal")


class Experiments(unittest.TestCase):
    def test_from_a_dict(self):
        with tempfile.TemporaryDirectory() as folder:
            run = engram.run({"extends": "icons"}, os.path.join(folder, "icons"), jobs=2)
            self.assertEqual(run.spec["experiment"], "icons")
            table = run.tables["restored"]
            self.assertEqual(table["damage"].dtype, float)
            self.assertEqual(table["method"].dtype, object)
            self.assertEqual(len(table), len(run.summary["results"]))
            exact = run.column("exact")
            for method in set(run.column("method")):
                rows = [row for row in run.rows if row["method"] == method]
                share = np.mean([row["exact"] for row in rows])
                self.assertAlmostEqual(exact[run.column("method") == method].mean(), share)
            again = experiments.load(run.folder)
            self.assertEqual((again.rows, again.summary), (run.rows, run.summary))
            try:
                frame = run.frame()
            except ImportError:
                return
            self.assertEqual(len(frame), len(run.rows))
            self.assertEqual(list(table.frame().columns), table.head)

    def test_headings_that_come_again(self):
        table = experiments.Table("t", ["method", "6", "given", "12", "given"], [["a", "1", "6", "", "12"]])
        self.assertEqual(list(table.columns), ["method", "6", "given", "12", "given.1"])
        self.assertEqual((table["given"][0], table["given.1"][0]), (6, 12))
        self.assertTrue(np.isnan(table["12"][0]))

    def test_of_python_functions(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "squares.py")
            with open(file, "w") as out:
                out.write("import engram\nimport numpy as np\n\n"
                          "def trial(setting, seed):\n    return {'square': np.float64(seed) ** 2, 'sum': seed + setting['more']}\n\n"
                          "engram.serve(trial=trial)\n")
            spec = {"experiment": "python", "file": file, "settings": [{"more": 1}], "seeds": "1..10"}
            run = engram.run(spec, os.path.join(folder, "run"), jobs=2)
            self.assertEqual(list(run.column("square")), [seed ** 2.0 for seed in range(1, 11)])
            self.assertEqual(run.summary["results"]["sum"]["more 1"]["trial"]["mean"], 6.5)
            self.assertEqual(set(run.tables), {"square", "sum"})
            with open(os.path.join(folder, "spec.json"), "w") as out:
                json.dump(spec, out)
            with self.assertRaises(EngramError) as caught:  # foreign files are not trusted
                engram.run(os.path.join(folder, "spec.json"))
            self.assertIn("--allow-programs", caught.exception.message)
            self.assertEqual(len(engram.run(os.path.join(folder, "spec.json"), allow_programs=True).rows), 10)

    def test_without_a_folder(self):
        run = engram.run({"extends": "icons"})
        self.assertIsNone(run.folder)
        self.assertTrue(run.rows)

    def test_wrong_specs(self):
        for spec in ({"experiment": "nonsense"}, {"extends": "icons", "jobs": []}, "no-such-spec", "--help"):
            with self.subTest(spec=spec), self.assertRaises(EngramError) as caught:
                engram.run(spec)
            self.assertEqual(caught.exception.code, "wrong_usage")
        for spec in ({"a": float("nan")}, "", "a\0b"):
            with self.subTest(spec=spec), self.assertRaises(ValueError):
                engram.run(spec)
        with self.assertRaises(EngramGone):
            engram.run({"extends": "icons"}, program="no-such-program")

    def test_an_interrupt_ends_the_program(self):
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        with tempfile.TemporaryDirectory() as folder:
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                engram.run({"extends": "drowning"}, os.path.join(folder, "run"))
            timer.join()

    def test_flags(self):
        self.assertEqual(programs.flags({"gate": 12, "fresh": True, "log": None, "restart": False, "set": ["a=1", "b=2"],
                                         "cycles_before": 3}),
                         ["--gate=12", "--fresh", "--set=a=1", "--set=b=2", "--cycles-before=3"])
        self.assertEqual(programs.path("-x.nal"), "./-x.nal")


class Attached(unittest.TestCase):
    def test_the_reasoner_in_the_box(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "a.nal")
            with open(file, "w") as out:
                out.write("<tim --> cat>.\n<cat --> animal>.\n<tim --> animal>?\n")
            with engram.attach(file, system="engram") as session:
                answers = [event for event in session if event["event"] == "answer"]
            self.assertIn("<tim --> animal>", json.dumps(answers))

    def test_a_program_that_is_none(self):
        with self.assertRaises(EngramError) as caught:
            list(engram.attach(FAMILY, ["./no-such-nar"]))
        self.assertEqual(caught.exception.code, "outside_failure")
        with self.assertRaises(TypeError):
            engram.attach(FAMILY, "NAR shell")

    def test_closing_ends_the_program(self):
        session = engram.attach(FAMILY, ["sleep", "100"])
        begin = time.monotonic()
        session.close()
        session.close()
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIsNotNone(session._process.returncode)


if __name__ == "__main__":
    unittest.main()
