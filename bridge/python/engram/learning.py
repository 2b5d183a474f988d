# SPDX-License-Identifier: MIT
"""Hebbian learning from patterns (k, n), one per row, and from activity (T, n), one moment per row.

Errors  ValueError for inconsistent shapes, numbers that are not finite, spins that are not +1 or -1
"""
from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from . import _engram
from .attention import Array

RULES: tuple[str, ...] = tuple(_engram.weight_rules)


class Bcm(NamedTuple):
    """Result of the BCM rule: weights w (n) and the threshold theta."""

    w: Array
    theta: float


def weights(patterns: ArrayLike, rule: str = "hebb") -> Array:
    """Weights W (n, n) that a rule in RULES learns from patterns of +1 and -1: hebb W = X'X/n, W_ii = 0; storkey,
    storkey_full_field; pseudo_inverse, pseudo_inverse_zero_diag.

    Cost  O(k n^2)
    """
    return _engram.weights(patterns, rule)


def learn_pattern(weights: ArrayLike, pattern: ArrayLike, rule: str = "hebb") -> Array:
    """The weights with one more pattern (n), by hebb, storkey or storkey_full_field.  Cost  O(n^2)"""
    return _engram.learn_pattern(weights, pattern, rule)


def hebb_decay(activity: ArrayLike, eta: float, decay: float) -> Array:
    """Hebb's rule with decay: W <- (1 - decay) W + eta a a' over the rows, zero diagonal, (n, n).  Cost  O(T n^2)"""
    return _engram.hebb_decay(activity, eta, decay)


def covariance(activity: ArrayLike) -> Array:
    """Covariance rule: W = (1/T) sum_t (a - mean)(a - mean)', zero diagonal, (n, n).  Cost  O(T n^2)"""
    return _engram.covariance(activity)


def sequence(activity: ArrayLike) -> Array:
    """Sequence rule: W = (1/n) sum_t a(t+1) a(t)', (n, n), which maps each state to the next.  Cost  O(T n^2)"""
    return _engram.sequence(activity)


def oja(activity: ArrayLike, w0: ArrayLike, eta: float) -> Array:
    """Oja's rule for units w0 (k, n), which converge to the subspace of the first k principal components.  Cost  O(T k n)"""
    return _engram.oja(activity, w0, eta)


def sanger(activity: ArrayLike, w0: ArrayLike, eta: float) -> Array:
    """Sanger's rule for units w0 (k, n), which converge to the first k principal components in order.  Cost  O(T k n)"""
    return _engram.sanger(activity, w0, eta)


def bcm(activity: ArrayLike, w0: ArrayLike, eta: float, theta0: float, tau: float) -> Bcm:
    """The rule of Bienenstock, Cooper and Munro for a unit w0 (n): w += eta x y (y - theta), theta += (y^2 - theta) / tau."""
    return Bcm(*_engram.bcm(activity, w0, eta, theta0, tau))


def stdp(dt: ArrayLike, a_plus: float = 1.0, a_minus: float = 1.0, tau_plus: float = 20.0,
         tau_minus: float = 20.0) -> Array:
    """Weight changes for spike delays dt = t_post - t_pre, (n): a_plus e^(-dt/tau_plus) above 0,
    -a_minus e^(dt/tau_minus) below."""
    return _engram.stdp(dt, a_plus, a_minus, tau_plus, tau_minus)
