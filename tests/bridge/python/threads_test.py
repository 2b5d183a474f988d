# SPDX-License-Identifier: MIT
"""Tests that other threads run while the library works, and that Ctrl+C ends its work."""
import os
import signal
import threading
import time
import unittest

import numpy as np

import engram
from engram import Memory, attention, hopfield


def knowledge(n):
    return "".join(f"<a{i} --> b{i % 97}>.\n<b{i % 97} --> c{i % 31}>.\n" for i in range(n))


class Threads(unittest.TestCase):
    def test_continue_during_a_kernel(self):
        moments = []
        done = threading.Event()

        def count():
            while not done.is_set():
                moments.append(time.monotonic())
                time.sleep(0.002)

        x = np.random.default_rng(1).standard_normal((1500, 300))
        thread = threading.Thread(target=count)
        thread.start()
        begin = time.monotonic()
        attention.attend(x, x, x)
        end = time.monotonic()
        done.set()
        thread.join()
        meanwhile = [moment for moment in moments if begin < moment < end]
        self.assertGreater(end - begin, 0.05, "the kernel was too fast for this test")
        self.assertGreater(len(meanwhile), 5)

    def test_use_one_memory(self):
        memory = Memory()
        memory.input(narsese=knowledge(200))
        wanted = memory.recall(cue="a3", top=5)
        found, faults = [], []

        def ask():
            try:
                found.extend(memory.recall(cue="a3", top=5) for _ in range(20))
            except Exception as error:
                faults.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((faults, len(found)), ([], 80))
        self.assertTrue(all(one == wanted for one in found))


class Interrupts(unittest.TestCase):
    def interrupted(self, work):
        """The seconds from the signal, sent after 0.3 s, to KeyboardInterrupt."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.3, send)
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                work()
            return time.monotonic() - sent[0]
        finally:
            timer.cancel()
            timer.join()

    def test_end_a_long_recall(self):
        memory = Memory()
        memory.input(narsese=knowledge(3000))
        learnt = ("concepts", "hebbian_links", "statements", "cycles", "evidence", "bytes")
        before = memory.stats()

        def ask():
            while True:  # one call may take less than 0.3 s
                memory.reason(question="<a1 --> ?1>?", steps=1_000_000)

        self.assertLess(self.interrupted(ask), 2)
        after = memory.stats()
        self.assertEqual([after[name] for name in learnt], [before[name] for name in learnt])
        self.assertTrue(memory.recall(cue="a1")["activations"])

    def test_end_a_kernel(self):
        x = np.where(np.random.default_rng(1).random((400, 6000)) < 0.5, 1.0, -1.0)

        def work():
            while True:
                engram.learning.weights(x, "storkey")

        self.assertLess(self.interrupted(work), 2)
        self.assertTrue(hopfield.overlaps(x[:2], x[0])[0] == 1)

    def test_end_the_wait_for_a_memory(self):
        memory = Memory()
        memory.input(narsese=knowledge(3000))
        stop = threading.Event()

        def keep_busy():
            while not stop.is_set():
                memory.reason(question="<a1 --> ?1>?", steps=1_000_000, limit={"milliseconds": 3000})

        thread = threading.Thread(target=lambda: self.quiet(keep_busy))
        thread.start()
        time.sleep(0.1)
        try:
            self.assertLess(self.interrupted(lambda: [memory.stats() for _ in range(10 ** 6)]), 2)
        finally:
            stop.set()
            thread.join()

    @staticmethod
    def quiet(work):
        try:
            work()
        except engram.EngramError:
            pass


if __name__ == "__main__":
    unittest.main()
