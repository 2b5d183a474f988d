# SPDX-License-Identifier: MIT
"""Simplex maps: from scores s to weights p = argmax over the simplex of <p, s> - T Omega(p), on NumPy arrays.

An array of float64 that lies in one piece is used where it is; others are copied. Errors  ValueError for what is no
array of finite real numbers, no scores, a temperature <= 0, alpha or k out of range
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engram

Weights = NDArray[np.float64]
MAPS: tuple[str, ...] = tuple(_engram.map_names)


@dataclass(frozen=True)
class Map:
    """A map with its parameters, a value: equal ones are equal, and it can be pickled.

    name         one of MAPS: softmax, sparsemax, entmax, normmax, budget, argmax
    alpha        of entmax (>= 1) and normmax (> 1): the larger, the sparser
    k            of budget: how many things are attended to at once, from 1 to the number of scores
    temperature  T > 0: scores are divided by it
    Shapes       scores s and weights p (n); of __call__ also (q, n), a query a row
    Prior        a starting importance q >= 0 (n), that p falls back to where scores say nothing: of softmax
                 p ~ q exp(s/T); entmax and sparsemax have one, too
    Cost         O(n), and for all but softmax and argmax O(n log n)
    """

    name: str = "softmax"
    alpha: float = 1.5
    k: int = 1
    temperature: float = 1.0

    def __call__(self, scores: ArrayLike, prior: ArrayLike | None = None) -> Weights:
        """The weights p >= 0, of sum 1 (budget: k)."""
        if np.ndim(scores) == 2:
            return np.array([self(row, prior) for row in np.asarray(scores)]).reshape(np.shape(scores))
        return _engram.map_weights(self._given(), self.temperature, scores, prior)

    def value(self, scores: ArrayLike, prior: ArrayLike | None = None) -> float:
        """The maximised value <p, s> - T Omega(p), of which p is the gradient: T log sum exp(s/T) for softmax."""
        return _engram.map_value(self._given(), self.temperature, scores, prior)

    def jvp(self, scores: ArrayLike, tangent: ArrayLike, prior: ArrayLike | None = None) -> Weights:
        """J v with J = dp/ds, which is symmetric: also the pull-back of a gradient by p to one by s."""
        return _engram.map_jvp(self._given(), self.temperature, scores, tangent, prior)

    def jvp_at(self, p: ArrayLike, tangent: ArrayLike) -> Weights:
        """The same from the weights, for who has them already."""
        return _engram.map_jvp_at(self._given(), self.temperature, p, tangent)

    def derivative_in_alpha(self, p: ArrayLike) -> Weights:
        """dp/dalpha of entmax and normmax, from the weights.  Errors  ValueError for other maps"""
        return _engram.map_derivative_in_alpha(self._given(), p)

    def omega(self, p: ArrayLike) -> float:
        """Omega(p); the entropy of p is its negative."""
        return _engram.map_omega(self._given(), p)

    def entropy(self, p: ArrayLike) -> float:
        """-Omega(p): Shannon's in nats for softmax, Tsallis' for entmax."""
        return -self.omega(p)

    def margin(self) -> float:
        """A score that leads every other by T margins gets everything: infinite for softmax."""
        return _engram.map_margin(self._given())

    def threshold(self, scores: ArrayLike) -> float:
        """tau, below which a score gets nothing.  Errors  ValueError for softmax and argmax, which have none"""
        return _engram.map_threshold(self._given(), self.temperature, scores)

    def _given(self) -> tuple[str, float, int]:
        return self.name, self.alpha, self.k


def map_of(given: Map | str) -> Map:
    """A map, or the one of that name.  Errors  ValueError, TypeError"""
    if isinstance(given, str):
        given = Map(given)
    if not isinstance(given, Map):
        raise TypeError(f"a map must be a Map or the name of one, found {type(given).__name__}")
    return given


def softmax(scores: ArrayLike, temperature: float = 1.0, prior: ArrayLike | None = None) -> Weights:
    """p ~ exp(s/T): no weight is 0."""
    return Map("softmax", temperature=temperature)(scores, prior)


def sparsemax(scores: ArrayLike, temperature: float = 1.0, prior: ArrayLike | None = None) -> Weights:
    """p = [s/T - tau]_+, the point of the simplex that is nearest to s/T."""
    return Map("sparsemax", temperature=temperature)(scores, prior)


def entmax(scores: ArrayLike, alpha: float = 1.5, temperature: float = 1.0,
           prior: ArrayLike | None = None) -> Weights:
    """p = [(alpha-1) s/T - tau]_+^(1/(alpha-1)): softmax at alpha 1, sparsemax at 2, argmax at infinity."""
    return Map("entmax", alpha=alpha, temperature=temperature)(scores, prior)


def normmax(scores: ArrayLike, alpha: float = 1.5, temperature: float = 1.0) -> Weights:
    """p ~ [s/T - tau]_+^(1/(alpha-1)), alpha > 1: by the alpha-norm in place of its power."""
    return Map("normmax", alpha=alpha, temperature=temperature)(scores)


def budget(scores: ArrayLike, k: int, temperature: float = 1.0) -> Weights:
    """p = min([s/T - tau]_+, 1), of sum k: k things at once."""
    return Map("budget", k=k, temperature=temperature)(scores)


def argmax(scores: ArrayLike) -> Weights:
    """1 for the best score, the first of them where tied, else 0."""
    return Map("argmax")(scores)


def support(p: ArrayLike) -> NDArray[np.int64]:
    """The places of the weights above 0, in their order."""
    return _engram.map_support(p)


def sample(p: ArrayLike, uniforms: ArrayLike) -> NDArray[np.int64]:
    """For each uniform number u in [0, 1) the first place i with u < p_0 + ... + p_i: hard attention.

    Cost  O(n) each
    """
    return _engram.map_sample(p, uniforms)


def age_prior(ages: ArrayLike, rate: float) -> Weights:
    """q ~ exp(-rate age), of sum 1: forgetting at a constant rate."""
    return _engram.age_prior(ages, rate)


def kernel_prior(distances: ArrayLike, bandwidth: float) -> Weights:
    """q ~ exp(-(distance/bandwidth)^2 / 2), of sum 1: what is near."""
    return _engram.kernel_prior(distances, bandwidth)
