# SPDX-License-Identifier: MIT
"""Tests of arrays in every layout and type, and of the ownership of returned arrays."""
import gc
import pickle
import unittest

import numpy as np

import engram
from engram import attention, hopfield, maps

rng = np.random.default_rng(22)


class Arrays(unittest.TestCase):
    def test_every_layout_gives_the_same_result(self):
        q, k, v = rng.standard_normal((3, 8)), rng.standard_normal((7, 8)), rng.standard_normal((7, 4))
        wanted = attention.attend(q, k, v).output
        frame = np.zeros(1 + 8 * 57, np.uint8)  # unaligned numbers
        odd = frame[1:1 + 8 * 56].view(np.float64).reshape(7, 8)
        odd[:] = k
        backwards = np.ascontiguousarray(k[::-1, ::-1])[::-1, ::-1]
        padded = np.zeros((7, 9))
        padded[:, 1:] = k
        for name, one in [("Fortran's", np.asfortranarray(k)), ("backwards", backwards), ("a part", padded[:, 1:]),
                          ("odd address", odd), ("big endian", k.astype(">f8")), ("long double", k.astype(np.longdouble)),
                          ("a list", k.tolist()), ("read only", k)]:
            if name == "read only":
                k.flags.writeable = False
            with self.subTest(layout=name):
                np.testing.assert_array_equal(attention.attend(q, one, v).output, wanted)
        np.testing.assert_array_equal(maps.softmax(np.arange(4)), maps.softmax([0.0, 1.0, 2.0, 3.0]))
        np.testing.assert_allclose(maps.softmax(np.array([0, 1, 2], np.float16)), maps.softmax([0, 1, 2]))
        np.testing.assert_array_equal(maps.softmax(np.array([True, False])), maps.softmax([1, 0]))

    def test_arguments_are_not_changed(self):
        for work in (lambda x: maps.sparsemax(x[0]), lambda x: attention.attend(x, x, x),
                     lambda x: hopfield.modern(x, x[0]), lambda x: hopfield.overlaps(x, x[0])):
            x = rng.standard_normal((5, 6))
            before = x.copy()
            work(x)
            np.testing.assert_array_equal(x, before)

    def test_results_own_their_numbers(self):
        kept = [maps.softmax(rng.standard_normal(1000)) for _ in range(50)]
        sums = [p.sum() for p in kept]
        weights, output = attention.attend(*rng.standard_normal((3, 40, 40)))
        del weights
        gc.collect()
        np.testing.assert_allclose(sums, 1)
        self.assertTrue(output.flags.writeable and output.flags.c_contiguous and np.isfinite(output).all())
        output[:] = 0
        copied = pickle.loads(pickle.dumps(kept[3]))
        np.testing.assert_array_equal(copied, kept[3])

    def test_temporary_arrays_live_long_enough(self):
        self.assertAlmostEqual(maps.Map()(rng.standard_normal(100_000)).sum(), 1)

    def test_wrong_types(self):
        for wrong in (1j * np.ones(3), ["a", "b"], np.array([1, None], object), np.array(["2020-01-01"], "M8[D]"),
                      {"a": 1}, [[1], [1, 2]], b"abc", object(), np.ones((2, 2, 2))):
            with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                engram._engram.map_weights(("softmax", 1.5, 1), 1.0, wrong, None)

    def test_arrays_are_not_copied_if_the_layout_allows_it(self):
        import resource

        x = np.zeros((1, 8_000_000))  # 64 MB
        attention.scores(x[:, :1000], x[:, :1000])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        attention.scores(x, x)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 16_000)  # kilobytes


if __name__ == "__main__":
    unittest.main()
