# SPDX-License-Identifier: MIT
"""Tests of maps against a slow solver of their optimisation problem, and of derivatives against finite differences."""
import pickle
import unittest

import numpy as np

from engram import maps
from engram.maps import Map

rng = np.random.default_rng(20)
ALL = [Map(), Map(temperature=0.3), Map("sparsemax"), Map("sparsemax", temperature=2), Map("entmax"),
       Map("entmax", alpha=1.2, temperature=0.5), Map("entmax", alpha=2), Map("normmax", alpha=2),
       Map("normmax", alpha=3, temperature=0.7), Map("budget", k=3)]


def bisected(weights_at, total, low, high):
    """Returns weights_at(tau) for the tau at which their sum is `total`. The sum decreases with tau."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if weights_at(middle).sum() > total else (low, middle)
    return weights_at(low)


def by_brute_force(map, s):
    z = s / map.temperature
    if map.name == "softmax":
        p = np.exp(z - z.max())
        return p / p.sum()
    if map.name == "budget":
        return bisected(lambda tau: np.clip(z - tau, 0, 1), map.k, z.min() - 2, z.max() + 1)
    alpha = 2 if map.name == "sparsemax" else map.alpha
    if map.name == "normmax":  # u ~ p^(alpha-1) with dual norm 1: rises above tau; then scaled to sum 1
        def dual(tau):
            return np.maximum(z - tau, 0) ** (alpha / (alpha - 1))
        u = bisected(dual, 1, z.min() - 2, z.max()) ** (1 / alpha)
        return u / u.sum()
    return bisected(lambda tau: np.maximum((alpha - 1) * z - tau, 0) ** (1 / (alpha - 1)), 1,
                    (alpha - 1) * z.min() - 2, (alpha - 1) * z.max())


class Maps(unittest.TestCase):
    def test_weights_solve_the_programme(self):
        for map in ALL:
            for n in (3, 10, 200):
                s = rng.standard_normal(n)
                with self.subTest(map=map, n=n):
                    np.testing.assert_allclose(map(s), by_brute_force(map, s), atol=1e-12)

    def test_no_other_point_has_a_larger_value(self):
        for map in ALL:
            s = rng.standard_normal(12)
            p = map(s)
            value = p @ s - map.temperature * map.omega(p)
            self.assertAlmostEqual(value, map.value(s), places=12)
            for _ in range(200):
                q = map(s + rng.standard_normal(12))
                self.assertLessEqual(q @ s - map.temperature * map.omega(q), value + 1e-12)

    def test_derivatives(self):
        for map in ALL:
            s, v = rng.standard_normal((2, 9))
            h = 1e-6
            with self.subTest(map=map):
                np.testing.assert_allclose(map.jvp(s, v), (map(s + h * v) - map(s - h * v)) / (2 * h), atol=1e-7)
                np.testing.assert_allclose(map.jvp_at(map(s), v), map.jvp(s, v), atol=1e-12)
                self.assertAlmostEqual((map.value(s + h * v) - map.value(s - h * v)) / (2 * h), map(s) @ v, places=7)
        for map in (Map("entmax", alpha=1.4), Map("normmax", alpha=2.5)):
            s = rng.standard_normal(9)
            up, down = (Map(map.name, alpha=map.alpha + e)(s) for e in (1e-6, -1e-6))
            np.testing.assert_allclose(map.derivative_in_alpha(map(s)), (up - down) / 2e-6, atol=1e-7)

    def test_prior(self):
        s, q = rng.standard_normal(7), rng.random(7) + 0.1
        p = q * np.exp(s / 0.5)
        np.testing.assert_allclose(maps.softmax(s, 0.5, q), p / p.sum(), atol=1e-14)
        np.testing.assert_allclose(maps.sparsemax(np.zeros(7), prior=q / q.sum()), q / q.sum(), atol=1e-14)
        v, h = rng.standard_normal(7), 1e-6
        for map in (Map(temperature=0.5), Map("sparsemax"), Map("entmax")):
            difference = (map(s + h * v, q) - map(s - h * v, q)) / (2 * h)
            np.testing.assert_allclose(map.jvp(s, v, q), difference, atol=1e-7)
        with self.assertRaisesRegex(ValueError, "only softmax, entmax and sparsemax take a prior"):
            Map("normmax")(s, q)

    def test_rows(self):
        s = rng.standard_normal((4, 6))
        np.testing.assert_array_equal(maps.entmax(s), [maps.entmax(row) for row in s])
        self.assertEqual(maps.softmax(np.empty((0, 6))).shape, (0, 6))

    def test_names(self):
        s = [1.0, 3.0, 2.0, 3.0]
        np.testing.assert_array_equal(maps.argmax(s), [0, 1, 0, 0])
        self.assertAlmostEqual(maps.budget(s, 2).sum(), 2)
        np.testing.assert_array_equal(maps.support(maps.sparsemax(s)), [1, 3])
        np.testing.assert_array_equal(maps.sample([0.25, 0, 0.75], [0, 0.24, 0.25, 0.999]), [0, 0, 2, 2])
        self.assertAlmostEqual(Map().entropy([0.5, 0.5]), np.log(2))
        self.assertEqual((Map().margin(), Map("sparsemax").margin()), (np.inf, 1))
        self.assertEqual(maps.MAPS[0], "softmax")

    def test_a_map_is_a_value(self):
        map = Map("entmax", alpha=1.7)
        self.assertEqual(pickle.loads(pickle.dumps(map)), map)
        self.assertEqual(len({map, Map("entmax", alpha=1.7)}), 1)

    def test_errors_say_what_must_be_and_what_was_found(self):
        for work, message in [(lambda: maps.softmax([]), "at least one score"), (lambda: maps.softmax([1, np.nan]), "finite"),
                              (lambda: maps.softmax([1.0], 0), "temperature"),
                              (lambda: maps.softmax(3), "must be a vector of numbers, found the shape"),
                              (lambda: maps.softmax(["a"]), "real numbers, found an array of <U1"),
                              (lambda: maps.softmax(None), "found None"), (lambda: maps.entmax([1], 0.5), "alpha"),
                              (lambda: Map("softmx")([1]), "one of softmax, sparsemax.*found 'softmx'"),
                              (lambda: maps.budget([1, 2], 3), "k"), (lambda: Map().jvp([1, 2], [1]), "tangent"),
                              (lambda: Map().omega([-1, 2]), "at least 0")]:
            with self.subTest(message=message), self.assertRaisesRegex(ValueError, message):
                work()


if __name__ == "__main__":
    unittest.main()
