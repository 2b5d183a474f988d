# SPDX-License-Identifier: MIT
"""Simplex maps on NumPy arrays: they map scores s to weights p = argmax over the simplex of <p, s> - T Omega(p).

Contiguous arrays of float64 are used without a copy.

Errors  ValueError for anything but an array of finite real numbers, no scores, a temperature <= 0, alpha or k out of range
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
    """A map with its parameters. Maps are immutable, compare by value and can be pickled.

    name         one of MAPS: softmax, sparsemax, entmax, normmax, budget, argmax
    alpha        for entmax (>= 1) and normmax (> 1): larger values give sparser weights
    k            for budget: number of items attended to at once, from 1 to the number of scores
    temperature  T > 0; scores are divided by T
    Shapes       scores s and weights p (n); for __call__ also (q, n), one query per row
    Prior        prior importance q >= 0 (n), which determines p if the scores are equal: p ~ q exp(s/T) for softmax.
                 Only softmax, entmax and sparsemax accept a prior
    Cost         O(n) for softmax and argmax, otherwise O(n log n)
    """

    name: str = "softmax"
    alpha: float = 1.5
    k: int = 1
    temperature: float = 1.0

    def __call__(self, scores: ArrayLike, prior: ArrayLike | None = None) -> Weights:
        """The weights p >= 0, with sum 1 (budget: k)."""
        if np.ndim(scores) == 2:
            return np.array([self(row, prior) for row in np.asarray(scores)]).reshape(np.shape(scores))
        return _engram.map_weights(self._given(), self.temperature, scores, prior)

    def value(self, scores: ArrayLike, prior: ArrayLike | None = None) -> float:
        """The maximum of <p, s> - T Omega(p); for softmax T log sum exp(s/T). Its gradient is p."""
        return _engram.map_value(self._given(), self.temperature, scores, prior)

    def jvp(self, scores: ArrayLike, tangent: ArrayLike, prior: ArrayLike | None = None) -> Weights:
        """Jacobian-vector product J v with J = dp/ds. J is symmetric, so this is also the vector-Jacobian product."""
        return _engram.map_jvp(self._given(), self.temperature, scores, tangent, prior)

    def jvp_at(self, p: ArrayLike, tangent: ArrayLike) -> Weights:
        """Jacobian-vector product from known weights p. Use it to avoid computing p again."""
        return _engram.map_jvp_at(self._given(), self.temperature, p, tangent)

    def derivative_in_alpha(self, p: ArrayLike) -> Weights:
        """dp/dalpha of entmax and normmax, from known weights.  Errors  ValueError for other maps"""
        return _engram.map_derivative_in_alpha(self._given(), p)

    def omega(self, p: ArrayLike) -> float:
        """The regulariser Omega(p), the negative entropy of p."""
        return _engram.map_omega(self._given(), p)

    def entropy(self, p: ArrayLike) -> float:
        """The entropy -Omega(p): Shannon entropy in nats for softmax, Tsallis entropy for entmax."""
        return -self.omega(p)

    def margin(self) -> float:
        """The margin: a score that exceeds all others by T margins gets all the weight. Infinite for softmax."""
        return _engram.map_margin(self._given())

    def threshold(self, scores: ArrayLike) -> float:
        """The threshold tau: lower scores get no weight.  Errors  ValueError for softmax and argmax, which have none"""
        return _engram.map_threshold(self._given(), self.temperature, scores)

    def _given(self) -> tuple[str, float, int]:
        return self.name, self.alpha, self.k


def map_of(given: Map | str) -> Map:
    """The map itself, or the map with this name.  Errors  ValueError, TypeError"""
    if isinstance(given, str):
        given = Map(given)
    if not isinstance(given, Map):
        raise TypeError(f"a map must be a Map or the name of one, found {type(given).__name__}")
    return given


def softmax(scores: ArrayLike, temperature: float = 1.0, prior: ArrayLike | None = None) -> Weights:
    """p ~ exp(s/T); all weights are positive."""
    return Map("softmax", temperature=temperature)(scores, prior)


def sparsemax(scores: ArrayLike, temperature: float = 1.0, prior: ArrayLike | None = None) -> Weights:
    """p = [s/T - tau]_+, the projection of s/T onto the simplex. Use it if most weights should be exactly zero."""
    return Map("sparsemax", temperature=temperature)(scores, prior)


def entmax(scores: ArrayLike, alpha: float = 1.5, temperature: float = 1.0,
           prior: ArrayLike | None = None) -> Weights:
    """p = [(alpha-1) s/T - tau]_+^(1/(alpha-1)): softmax at alpha 1, sparsemax at 2, argmax at infinity."""
    return Map("entmax", alpha=alpha, temperature=temperature)(scores, prior)


def normmax(scores: ArrayLike, alpha: float = 1.5, temperature: float = 1.0) -> Weights:
    """p ~ [s/T - tau]_+^(1/(alpha-1)), alpha > 1; like entmax, but regularised by the alpha-norm."""
    return Map("normmax", alpha=alpha, temperature=temperature)(scores)


def budget(scores: ArrayLike, k: int, temperature: float = 1.0) -> Weights:
    """p = min([s/T - tau]_+, 1), with sum k: attends to k items at once."""
    return Map("budget", k=k, temperature=temperature)(scores)


def argmax(scores: ArrayLike) -> Weights:
    """1 for the best score (the first one if tied), otherwise 0."""
    return Map("argmax")(scores)


def support(p: ArrayLike) -> NDArray[np.int64]:
    """The indices of the weights above 0, ascending."""
    return _engram.map_support(p)


def sample(p: ArrayLike, uniforms: ArrayLike) -> NDArray[np.int64]:
    """Samples an index for each uniform number u in [0, 1): the first i with u < p_0 + ... + p_i (hard attention).

    Cost  O(n) per sample
    """
    return _engram.map_sample(p, uniforms)


def age_prior(ages: ArrayLike, rate: float) -> Weights:
    """Prior q ~ exp(-rate age), with sum 1: forgetting at a constant rate."""
    return _engram.age_prior(ages, rate)


def kernel_prior(distances: ArrayLike, bandwidth: float) -> Weights:
    """Prior q ~ exp(-(distance/bandwidth)^2 / 2), with sum 1: prefers near items."""
    return _engram.kernel_prior(distances, bandwidth)
