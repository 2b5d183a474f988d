# SPDX-License-Identifier: MIT
"""Hopfield networks for patterns (k, n), one per row, and a cue (n).

Errors  ValueError for inconsistent shapes, spins that are not +1 or -1, numbers that are not finite
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engram
from .attention import Array, Keys, universal
from .maps import Map, map_of

__all__ = ["Certificate", "Continuous", "Modern", "Spins", "continuous", "dense", "energy", "glauber", "hopfield",
           "median_separation", "modern", "overlaps", "separating_beta", "universal"]


class Spins(NamedTuple):
    """Result of a network of spins: state (n); energies of the cue and after each sweep; flips of each sweep; converged:
    whether the last sweep changed nothing; period of synchronous recall, 0 if no state was repeated."""

    state: Array
    energies: Array
    flips: NDArray[np.int64]
    converged: bool
    period: int = 0


class Glauber(NamedTuple):
    """Result of Glauber dynamics: state (n), energies (steps + 1), flips (steps), p_plus (steps): the probability of +1."""

    state: Array
    energies: Array
    flips: NDArray[np.int64]
    p_plus: Array


class Continuous(NamedTuple):
    """Result of a continuous memory: state (n), iterates (steps, n), energies (steps + 1), converged."""

    state: Array
    iterates: Array
    energies: Array
    converged: bool


class Certificate(NamedTuple):
    """Certificate of exact retrieval: one step gives a pattern exactly if beta times the gap is at least the map's margin."""

    gap: float
    margin: float
    exact: bool


class Modern(NamedTuple):
    """Result of a modern network: state (n); weights (k) of the last step, None for Keys; energies, which never rise;
    iterations; converged; certificate for the cue."""

    state: Array
    weights: Array | None
    energies: Array
    iterations: int
    converged: bool
    certificate: Certificate


def hopfield(cue: ArrayLike, *, weights: ArrayLike | None = None, patterns: ArrayLike | None = None,
             rule: str = "hebb", mode: str = "async", order: ArrayLike | None = None, max_sweeps: int = 100,
             field: ArrayLike | None = None, zero_field: str = "keep") -> Spins:
    """Recall by a classical network, s_i <- sign(sum_j W_ij s_j + b_i), until a sweep changes nothing.

    weights     W (n, n); or patterns (k, n) of +1 and -1, from which a `rule` learns W (learning.RULES)
    mode        "async": one spin at a time, in `order`; "sync": all at once, until a state is repeated
    field       b (n)
    zero_field  new value of a spin in a zero field: "keep", "plus", "minus"
    Energy      E = -1/2 s' W s - b s; it never rises with "async" if W is symmetric with W_ii >= 0
    Cost        O(n^2) per sweep
    """
    if mode not in ("async", "sync"):
        raise ValueError(f"mode must be 'async' or 'sync', found {mode!r}")
    return Spins(*_engram.hopfield(cue, weights, patterns, rule, mode == "sync", order, max_sweeps, field, zero_field))


def glauber(cue: ArrayLike, temperature: float, sites: ArrayLike, uniforms: ArrayLike, *,
            weights: ArrayLike | None = None, patterns: ArrayLike | None = None, rule: str = "hebb",
            field: ArrayLike | None = None) -> Glauber:
    """Glauber dynamics: at step t spin i = sites[t] becomes +1 if uniforms[t] < 1/(1 + exp(-2 h_i/T)), else -1.

    Shapes  sites, uniforms (steps), uniforms in [0, 1)
    Cost    O(n) per step, O(n^2) per flip
    """
    return Glauber(*_engram.glauber(cue, weights, patterns, rule, temperature, sites, uniforms, field))


def dense(patterns: ArrayLike, cue: ArrayLike, *, separation: str = "polynomial", n: int = 3,
          order: ArrayLike | None = None, max_sweeps: int = 100) -> Spins:
    """Recall by a dense associative memory of spins, E = -sum_k F(x_k s).

    separation  F: "polynomial" x^n, "rectified" max(x, 0)^n, "exponential" e^x
    Cost        O(n (k + n)) per sweep
    """
    return Spins(*_engram.dense(patterns, cue, separation, n, order, max_sweeps))


def continuous(patterns: ArrayLike, cue: ArrayLike, *, power: int = 1, inner_beta: float = 0.0, beta: float = 1.0,
               step: float = 1.0, max_steps: int = 100, tolerance: float = 1e-12,
               every_step: bool = False) -> Continuous:
    """A dense associative memory of units in [-1, 1]: q <- tanh(beta X' g(X q)), g(r) = r^power, or with inner_beta > 0
    e^(inner_beta r).

    step  time step, in (0, 1]; 1 applies the whole update
    Cost  O(k n) per step
    """
    state, iterates, energies, converged = _engram.continuous(patterns, cue, power, inner_beta, beta, step, max_steps,
                                                              tolerance, every_step)
    return Continuous(state, np.array(iterates).reshape(len(iterates), len(state)), energies, converged)


def modern(patterns: ArrayLike | Keys, cue: ArrayLike, beta: float = 8.0, *, map: Map | str = "softmax",
           max_steps: int = 100, tolerance: float = 1e-12, every_step: bool = False,
           field: ArrayLike | None = None) -> Modern:
    """Recall by a modern network: xi <- b + X' map(beta X xi) from xi = cue until it converges. One step with softmax is
    attention.

    patterns  X (k, n), or Keys for very many patterns in single precision
    beta      inverse temperature, > 0; it is divided by the temperature of the map
    Cost      O(k n) per step
    """
    map = map_of(map)
    if not map.temperature > 0:
        raise ValueError(f"temperature must be above 0, found {map.temperature}")
    how = (cue, beta / map.temperature, map._given(), max_steps, tolerance, every_step, field)
    recall = (_engram.float_modern(patterns._keys, *how, patterns.threads) if isinstance(patterns, Keys)
              else _engram.modern(patterns, *how))
    return Modern(*recall[:-1], Certificate(*recall[-1]))


def overlaps(patterns: ArrayLike, state: ArrayLike) -> Array:
    """Overlaps m_k = x_k s / n, (k): 1 if the state is the pattern, -1 if it is the opposite."""
    return _engram.overlaps(patterns, state)


def energy(weights: ArrayLike, state: ArrayLike, field: ArrayLike | None = None) -> float:
    """Energy E = -1/2 s' W s - b s.  Shapes  W (n, n), s (n), b (n)"""
    return _engram.hopfield_energy(weights, state, field)


def separating_beta(map: Map | str, patterns: int, separation: float) -> float:
    """The least beta at which a typical one of `patterns` patterns of length 1 is retrieved, if they are `separation` apart."""
    return _engram.separating_beta(map_of(map)._given(), patterns, separation)


def median_separation(patterns: ArrayLike) -> float:
    """Typical separation of patterns of length 1: the median of 1 - max_j x_i x_j over 64 of them."""
    return _engram.median_separation(patterns)
