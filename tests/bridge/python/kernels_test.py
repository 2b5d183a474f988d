# SPDX-License-Identifier: MIT
"""Tests of attention, Hopfield networks, learning, graphs and embeddings against brute force in NumPy."""
import unittest

import numpy as np

from engram import attention, embeddings, graphs, hopfield, learning, maps
from engram.attention import Keys, Values
from engram.maps import Map

rng = np.random.default_rng(21)


def softmax_rows(s):
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def spins(*shape):
    return np.where(rng.random(shape) < 0.5, 1.0, -1.0)


class Attention(unittest.TestCase):
    def setUp(self):
        self.q, self.k, self.v = rng.standard_normal((4, 5)), rng.standard_normal((6, 5)), rng.standard_normal((6, 3))

    def test_scores(self):
        q, k = self.q, self.k
        w, wq, wk, b, v = (rng.standard_normal(shape) for shape in [(5, 5), (7, 5), (7, 5), 7, 7])
        length = np.linalg.norm
        cosine = q @ k.T / length(q, axis=1)[:, None] / length(k, axis=1)
        additive = np.tanh((q @ wq.T)[:, None] + k @ wk.T + b) @ v
        apart = q[:, None] - k
        for name, wanted in [("dot", q @ k.T), ("scaled_dot", q @ k.T / 5 ** 0.5), ("cosine", cosine),
                             ("bilinear", q @ w @ k.T), ("additive", additive),
                             ("neg_sq_euclid", -(apart ** 2).sum(axis=2)), ("neg_manhattan", -abs(apart).sum(axis=2))]:
            found = attention.scores(q, k, name, wb=w if name == "bilinear" else None,
                                     **(dict(wq=wq, wk=wk, b=b, v=v) if name == "additive" else {}))
            np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=name)
        self.assertEqual(len(attention.SCORES), 7)

    def test_attend(self):
        q, k, v = self.q, self.k, self.v
        weights, output = attention.attend(q, k, v)
        np.testing.assert_allclose(weights, softmax_rows(q @ k.T / 5 ** 0.5), atol=1e-14)
        np.testing.assert_allclose(output, weights @ v, atol=1e-14)
        allow = rng.random((4, 6)) < 0.5
        allow[:, 0] = True
        bias = rng.standard_normal((4, 6))
        found = attention.attend(q, k, v, scale=0.5, map=Map(temperature=0.3), allow=allow, bias=bias)
        s = np.where(allow, 0.5 * q @ k.T + bias, -np.inf)
        np.testing.assert_allclose(found.weights, softmax_rows(s / 0.3), atol=1e-14)
        np.testing.assert_allclose(attention.attend_by(0.5 * q @ k.T + bias, v, map=Map(temperature=0.3),
                                                       allow=allow).output, found.output, atol=1e-13)
        np.testing.assert_allclose(attention.attend(q, k, v, scale=1, map=None).output, q @ k.T @ v, atol=1e-12)
        sparse = attention.attend(q, k, v, map="sparsemax", scale=1)
        np.testing.assert_allclose(sparse.weights, maps.sparsemax(q @ k.T), atol=1e-14)

    def test_multihead(self):
        x, y = rng.standard_normal((3, 8)), rng.standard_normal((5, 8))
        w, b, o = rng.standard_normal((24, 8)), rng.standard_normal(24), rng.standard_normal((8, 8))
        found = attention.multihead(x, y, y, 2, in_proj_weight=w, in_proj_bias=b, out_proj_weight=o)
        q, k, v = (z @ w[8 * i:8 * i + 8].T + b[8 * i:8 * i + 8] for i, z in enumerate((x, y, y)))
        heads = [softmax_rows(q[:, h] @ k[:, h].T / 2) for h in (slice(0, 4), slice(4, 8))]
        joined = np.hstack([heads[0] @ v[:, :4], heads[1] @ v[:, 4:]])
        np.testing.assert_allclose(found.output, joined @ o.T, atol=1e-12)
        np.testing.assert_allclose(found.weights, heads, atol=1e-13)

    def test_universal_masks_positions(self):
        k, v, q = self.k, self.v, self.q[0]
        found = attention.universal(k, v, q, "dot", "poly", 3)
        np.testing.assert_allclose(found.output, (k @ q) ** 3 @ v, atol=1e-12)
        np.testing.assert_array_equal(attention.causal_mask(4), np.tri(4, dtype=bool))
        i = np.arange(6)
        np.testing.assert_array_equal(attention.window_mask(6, 2), abs(i[:, None] - i) <= 2)
        places = attention.sinusoidal_positions([0.0, 2.0], 4)
        np.testing.assert_allclose(places, [[0, 1, 0, 1], [np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)]], atol=1e-14)
        np.testing.assert_allclose(attention.linear_age_bias([5, 6], [1, 2], 0.5), [[-2, -1.5], [-2.5, -2]])

    def test_single_precision(self):
        rows, values = rng.standard_normal((2000, 16)), rng.standard_normal((2000, 4))
        for given in (rows, rows.astype(np.float32)):
            keys = Keys(given, threads=2)
            found, best = keys.top(rows[7], 5)
            np.testing.assert_array_equal(found, np.argsort(-(rows @ rows[7]))[:5])
            np.testing.assert_allclose(best, np.sort(rows @ rows[7])[::-1][:5], rtol=1e-5)
            np.testing.assert_allclose(keys.scores(rows[3], 2.0), 2 * rows @ rows[3], atol=1e-4)
            np.testing.assert_allclose(keys.attend(Values(values), rows[:3]), softmax_rows(rows[:3] @ rows.T) @ values,
                                       atol=1e-5)
        self.assertEqual(keys.shape, (2000, 16))
        keys.append(rows[:5])
        self.assertEqual(keys.shape, (2005, 16))
        self.assertLess(Keys(rows, "bf16").nbytes, keys.nbytes)


class Hopfield(unittest.TestCase):
    def test_weights_and_classical_recall(self):
        x = spins(3, 60)
        w = learning.weights(x)
        np.testing.assert_allclose(w, (x.T @ x - 3 * np.eye(60)) / 60, atol=1e-15)
        cue = x[1].copy()
        cue[:6] *= -1
        found = hopfield.hopfield(cue, weights=w)
        np.testing.assert_array_equal(found.state, x[1])
        self.assertTrue(found.converged and (np.diff(found.energies) <= 0).all())
        self.assertAlmostEqual(found.energies[0], -cue @ w @ cue / 2)
        self.assertAlmostEqual(hopfield.energy(w, cue, x[0]), -cue @ w @ cue / 2 - x[0] @ cue)
        np.testing.assert_array_equal(hopfield.hopfield(cue, patterns=x, mode="sync").state, x[1])
        np.testing.assert_allclose(hopfield.overlaps(x, cue), x @ cue / 60)
        many = spins(4, 3000)  # stored as bits
        np.testing.assert_array_equal(hopfield.hopfield(np.where(np.arange(3000) < 300, -1, 1) * many[2],
                                                        patterns=many).state, many[2])
        projector = learning.weights(x, "pseudo_inverse")
        np.testing.assert_allclose(projector, np.linalg.pinv(x) @ x, atol=1e-12)
        np.testing.assert_allclose(learning.learn_pattern(learning.weights(x[:2]), x[2]), w, atol=1e-15)

    def test_glauber(self):
        w = np.array([[0, 0.5], [0.5, 0]])
        found = hopfield.glauber([1, -1], 0.7, [0, 1, 0], [0.9, 0.1, 0.5], weights=w)
        s, chances = np.array([1.0, -1.0]), []
        for site, u in zip([0, 1, 0], [0.9, 0.1, 0.5]):
            chances.append(1 / (1 + np.exp(-2 * (w[site] @ s) / 0.7)))
            s[site] = 1 if u < chances[-1] else -1
        np.testing.assert_allclose(found.p_plus, chances)
        np.testing.assert_array_equal(found.state, s)

    def test_dense_continuous_modern(self):
        x = spins(12, 40)
        cue = x[4].copy()
        cue[:5] *= -1
        for separation in ("polynomial", "rectified", "exponential"):
            np.testing.assert_array_equal(hopfield.dense(x, cue, separation=separation).state, x[4])
        units = hopfield.continuous(x, 0.9 * cue, power=3, beta=0.01)
        np.testing.assert_allclose(units.iterates[0], np.tanh(0.01 * x.T @ (0.9 * x @ cue) ** 3), atol=1e-12)
        p = rng.standard_normal((5, 8))
        p /= np.linalg.norm(p, axis=1)[:, None]
        one = hopfield.modern(p, p[2], 6.0, max_steps=1)
        np.testing.assert_allclose(one.state, softmax_rows(6 * p[2:3] @ p.T)[0] @ p, atol=1e-14)
        whole = hopfield.modern(p, p[2] + 0.1, 40.0, map="entmax")
        self.assertTrue(whole.converged and (np.diff(whole.energies) <= 1e-12).all())
        np.testing.assert_allclose(whole.weights, np.eye(5)[2], atol=1e-12)
        kept = hopfield.modern(Keys(p), p[2], 6.0)
        np.testing.assert_allclose(kept.state, hopfield.modern(p, p[2], 6.0).state, atol=1e-5)
        self.assertIsNone(kept.weights)
        np.testing.assert_allclose(hopfield.modern(p, p[2], 6.0, map=Map(temperature=3.0), max_steps=1).state,
                                   hopfield.modern(p, p[2], 2.0, max_steps=1).state, atol=1e-14)


class Learning(unittest.TestCase):
    def test_rules(self):
        a = rng.standard_normal((30, 4))
        w = np.zeros((4, 4))
        for row in a:
            w = 0.9 * w + 0.1 * np.outer(row, row)
        np.fill_diagonal(w, 0)
        np.testing.assert_allclose(learning.hebb_decay(a, 0.1, 0.1), w, atol=1e-13)
        around = np.cov(a.T, bias=True)
        np.fill_diagonal(around, 0)
        np.testing.assert_allclose(learning.covariance(a), around, atol=1e-13)
        np.testing.assert_allclose(learning.sequence(a), a[1:].T @ a[:-1] / 4, atol=1e-13)
        u = rng.standard_normal(4)
        unit, one, theta = u.copy(), u.copy(), 0.5
        for row in a:
            y = unit @ row
            unit += 0.01 * y * (row - y * unit)
            y = one @ row
            one, theta = one + 0.01 * row * y * (y - theta), theta + (y * y - theta) / 10
        np.testing.assert_allclose(learning.oja(a, [u], 0.01)[0], unit, atol=1e-12)
        np.testing.assert_allclose(learning.sanger(a, [u], 0.01)[0], unit, atol=1e-12)
        found = learning.bcm(a, u, 0.01, 0.5, 10)
        np.testing.assert_allclose(found.w, one, atol=1e-12)
        self.assertAlmostEqual(found.theta, theta)
        np.testing.assert_allclose(learning.stdp([20.0, -20.0, 0.0]), [np.exp(-1), -np.exp(-1), 0])


class Graphs(unittest.TestCase):
    def setUp(self):
        w = rng.random((9, 9)) * (rng.random((9, 9)) < 0.5)
        self.w = np.triu(w, 1) + np.triu(w, 1).T + np.eye(9, k=1) + np.eye(9, k=-1)

    def test_pagerank(self):
        walk = self.w / self.w.sum(axis=1)[:, None]
        v = np.full(9, 1 / 9)
        rank = np.linalg.solve(np.eye(9) - 0.85 * walk.T, 0.15 * v)
        found = graphs.pagerank(self.w, np.ones(9))
        np.testing.assert_allclose(found.rank, rank, atol=1e-11)
        np.testing.assert_allclose(graphs.page_rank_steps(self.w, np.ones(9), 0.85, 2)[0], 0.15 * v + 0.85 * walk.T @ v)

    def test_positions(self):
        walk = self.w / self.w.sum(axis=1)[:, None]
        powers = [np.diag(np.linalg.matrix_power(walk, k)) for k in (1, 2, 3)]
        np.testing.assert_allclose(graphs.random_walk_positions(self.w, 3), np.array(powers).T, atol=1e-14)
        d = self.w.sum(axis=1) ** -0.5
        laplacian = np.eye(9) - d[:, None] * self.w * d
        values, vectors = graphs.laplacian_positions(self.w, 3)
        np.testing.assert_allclose(laplacian @ vectors, vectors * values, atol=1e-10)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(laplacian)[1:4], atol=1e-10)

    def test_embeddings(self):
        a = (rng.random((40, 9)) < 0.4).astype(float)
        hebbian = a.T @ a
        whole = embeddings.TruncatedSVD(9).fit_transform(hebbian)
        np.testing.assert_allclose(whole @ whole.T, hebbian, atol=1e-9)
        indexing = embeddings.RandomIndexing(dimensions=4000, seed=3)
        rows = indexing.fit_transform(a)
        np.testing.assert_allclose(rows @ rows.T, hebbian, atol=5)
        np.testing.assert_allclose(indexing.transform(a[:2]), a[:2] @ rows)
        heat = embeddings.LaplacianEmbedding(9, time=0.5).fit(self.w).embedding_
        d = self.w.sum(axis=1) ** -0.5
        values, vectors = np.linalg.eigh(np.eye(9) - d[:, None] * self.w * d)
        np.testing.assert_allclose(heat @ heat.T, vectors @ np.diag(np.exp(-0.5 * values)) @ vectors.T, atol=1e-9)

    def test_parameters_as_scikit_learn_has_them(self):
        one = embeddings.RandomIndexing(dimensions=32)
        self.assertEqual(one.get_params(), {"dimensions": 32, "nonzeros": 8, "seed": 1})
        self.assertIs(one.set_params(seed=5), one)
        self.assertEqual(repr(one), "RandomIndexing(dimensions=32, nonzeros=8, seed=5)")
        with self.assertRaisesRegex(ValueError, "no parameter 'sead'"):
            one.set_params(sead=1)
        with self.assertRaisesRegex(AttributeError, "not fitted"):
            one.transform()


if __name__ == "__main__":
    unittest.main()
