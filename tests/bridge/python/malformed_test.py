# SPDX-License-Identifier: MIT
"""Random calls of all public functions: each must return or raise, and none may end the process.

    MALFORMED=100000 SEED=2 python3 malformed_test.py      runs more and other calls
"""
import inspect
import os
import random
import unittest

import numpy as np

import engram
from engram import _engram, attention, embeddings, graphs, hopfield, learning, maps, narsese, retrievers
from engram.maps import Map

CALLS = int(os.environ.get("MALFORMED", 10_000))
SEED = int(os.environ.get("SEED", 1))
# Functions that would start programs or write files.
LEFT_OUT = {"snapshot", "restore", "quit", "run", "attach", "load"}


def numbers(draw, shape):
    kind = draw.randrange(8)
    array = np.array([draw.gauss(0, 1) for _ in range(int(np.prod(shape)))]).reshape(shape)
    if kind == 0:
        array = np.sign(array)
    elif kind == 1 and array.size:
        array.flat[draw.randrange(array.size)] = draw.choice([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324])
    elif kind == 2:
        array = array.astype(draw.choice([np.float32, np.float16, np.int64, np.int8, np.uint32, bool, complex, ">f8"]))
    elif kind == 3:
        array = np.asfortranarray(array)[..., ::-1]
    elif kind == 4:
        array = abs(array)
    elif kind == 5:
        array = array * 1e200
    return array


def argument(draw):
    """A random value, mostly an array. Some shapes fit the other arguments."""
    extent = [0, 1, 2, 3, 3, 3, 4]
    choice = draw.randrange(24)
    if choice < 5:
        return numbers(draw, (draw.choice(extent),))
    if choice < 10:
        return numbers(draw, (draw.choice(extent), draw.choice(extent)))
    return draw.choice([
        None, True, -1, 0, 1, 2, 3, 7, 100, 2 ** 31, 2 ** 63, -2 ** 63, 2 ** 80, 0.0, 0.5, 1.5, -2.5, 1e308, 1e-320,
        float("nan"), float("inf"), "", "softmax", "entmax", "normmax", "budget", "dot", "additive", "bilinear", "poly",
        "hebb", "storkey", "pseudo_inverse", "sync", "exponential", "float", "bf16", "x\0y", "\ud800", "a" * 10_000,
        "<a --> b>.", "((((", b"bytes", [], [[]], [1], [1, 2, 3], [[1, 2], [3]], [None], (1, "a"), {}, {"a": 1}, {1},
        object(), np.zeros((2, 2, 2)), np.array(["a"]), np.array([1, None], object), np.float64(2), Map("entmax"),
        Map("budget", k=2), Map("x"), Map("entmax", alpha=float("nan")), np.ones((3, 3)), np.eye(3), np.ones(3),
        np.array([[1, -1, 1], [1, 1, -1]]), np.array([1, -1, 1]), np.array([0, 1, 2]), lambda: 0, range(3),
        np.zeros((0, 3)), np.zeros((3, 0)), np.broadcast_to(1.0, (3,)), np.broadcast_to(2.0, (3, 3)),
        attention.Keys(np.eye(3)), attention.Values(np.eye(3))])


def callables():
    for module in (maps, attention, hopfield, learning, graphs, narsese, _engram):
        for name, what in sorted(vars(module).items()):
            ours = getattr(what, "__module__", "") or ""
            if name.startswith("_") or not callable(what) or not ours.startswith(("engram", "pybind11")):
                if not (module is _engram and callable(what) and not name.startswith("_")):
                    continue
            yield f"{module.__name__}.{name}", what
    for one in (embeddings.RandomIndexing, embeddings.TruncatedSVD, embeddings.LaplacianEmbedding):
        yield one.__name__, one
        yield one.__name__ + ".fit", one(8).fit
        yield one.__name__ + ".transform", one(8).fit(np.ones((3, 3))).transform
    for name in ("__call__", "value", "jvp", "jvp_at", "derivative_in_alpha", "omega", "threshold"):
        for map in (Map(), Map("entmax", alpha=1.3), Map("normmax", alpha=2), Map("budget", k=2), Map("argmax")):
            yield f"{map}.{name}", getattr(map, name)
    keys = attention.Keys(np.eye(3))
    for name in ("scores", "top", "attend"):
        yield f"Keys.{name}", getattr(keys, name)
    memory = engram.Memory(seconds=1)
    memory.input(narsese="<tim --> cat>.\n<cat --> animal>.")
    yield "Retriever", lambda *given: retrievers.Retriever(memory, *given).recall("tim")
    yield "Memory", lambda *given: engram.Memory(**dict(zip(["learning", "decay", "seconds", "max_bytes"], given)))
    yield "Memory.ask", memory.ask
    for op in engram.client.OPERATIONS:
        if op not in LEFT_OUT:
            yield f"Memory.{op}", operation(memory, op)


def operation(memory, op):
    fields = ["narsese", "cue", "scores", "map", "patterns", "queries", "keys", "values", "query", "rule", "mode", "top",
              "edges", "n", "options", "method", "activity", "question", "steps", "beta"]

    def call(*given):
        draw = random.Random(repr(given))
        return memory.request(op, **{name: one for name, one in zip(draw.sample(fields, len(given)), given)})

    return call


class Malformed(unittest.TestCase):
    def test_calls_return_or_raise(self):
        draw = random.Random(SEED)
        every = list(callables())
        self.assertGreater(len(every), 100)
        returned = 0
        for number in range(CALLS):
            name, what = draw.choice(every)
            most = 8
            try:
                parameters = inspect.signature(what).parameters.values()
                most = sum(one.kind is not one.VAR_KEYWORD for one in parameters)
            except ValueError:
                pass  # a compiled function: any number
            given = [argument(draw) for _ in range(draw.randint(0, most + 1))]
            self.tell(number, name, given)
            try:
                what(*given)
                returned += 1
            except (KeyboardInterrupt, SystemExit):
                raise
            except Exception as error:
                self.assertNotIsInstance(error, SystemError, (name, given))
                self.assertNotIn("internal", str(error), (name, given))
        self.assertGreater(returned, CALLS // 100)
        np.testing.assert_allclose(maps.softmax([0.0, 0.0]), 0.5)  # the library still works

    # A process that ends during a call.
    @staticmethod
    def tell(number, name, given):
        if os.environ.get("MALFORMED_LOG"):
            with open(os.environ["MALFORMED_LOG"], "w") as log:
                log.write(f"{number} {name} {given!r}\n")


if __name__ == "__main__":
    unittest.main()
