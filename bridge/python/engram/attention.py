# SPDX-License-Identifier: MIT
"""Attention over vectors. Each row is an item: queries (q, d), keys (k, d), values (k, d_v).

Errors  ValueError for inconsistent shapes and numbers that are not finite
"""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engram
from .maps import Map, map_of

Array = NDArray[np.float64]
SCORES: tuple[str, ...] = tuple(_engram.score_names)


class Attention(NamedTuple):
    """Result of attention: weights (q, k), output (q, d_v)."""

    weights: Array
    output: Array


class Multihead(NamedTuple):
    """Result of multi-head attention: output (q, E), and weights (q, k) for each head."""

    output: Array
    weights: list[Array]


class Universal(NamedTuple):
    """Result of universal: similarity (k), separated (k), output (d_v)."""

    similarity: Array
    separated: Array
    output: Array


def scores(queries: ArrayLike, keys: ArrayLike, score: str = "dot", *, wb: ArrayLike | None = None,
           wq: ArrayLike | None = None, wk: ArrayLike | None = None, b: ArrayLike | None = None,
           v: ArrayLike | None = None) -> Array:
    """Scores of each key for each query, (q, k).

    score  one of SCORES: dot, scaled_dot (over sqrt(d)), cosine, bilinear (q' wb k), additive
           (v . tanh(wq q + wk k + b)), neg_sq_euclid, neg_manhattan
    Cost   O(q k d)
    """
    return _engram.scores(score, queries, keys, wb, wq, wk, b, v)


def attend(queries: ArrayLike, keys: ArrayLike, values: ArrayLike, *, scale: float | None = None,
           map: Map | str | None = "softmax", allow: ArrayLike | None = None,
           bias: ArrayLike | None = None) -> Attention:
    """Attention: S = scale Q K' + bias; each row of the weights is map(S_i) over the allowed keys; output = weights V.

    scale  None: 1/sqrt(d). It is divided by the temperature of the map
    map    a Map or its name; None: the scores are the weights (linear attention)
    allow  (q, k) of bool: the keys that each query may attend to; a query without any gets zeros
    bias   (q, k)
    Cost   O(q k (d + d_v))
    """
    if scale is None:
        width = np.shape(keys)[-1] if np.ndim(keys) == 2 else 1
        scale = 1.0 / math.sqrt(max(width, 1))
    return Attention(*_engram.attend(queries, keys, values, *_scaled(scale, map), allow, _over(bias, map)))


def attend_by(scores: ArrayLike, values: ArrayLike, *, map: Map | str | None = "softmax",
              allow: ArrayLike | None = None, bias: ArrayLike | None = None) -> Attention:
    """Attention from given scores (q, k) instead of Q K'.  Parameters  as attend()"""
    return Attention(*_engram.attend_by(scores, values, *_scaled(1.0, map), allow, _over(bias, map)))


def multihead(query: ArrayLike, key: ArrayLike, value: ArrayLike, num_heads: int, *,
              in_proj_weight: ArrayLike | None = None, in_proj_bias: ArrayLike | None = None,
              out_proj_weight: ArrayLike | None = None, out_proj_bias: ArrayLike | None = None,
              allow: ArrayLike | None = None, map: Map | str = "softmax") -> Multihead:
    """Multi-head attention. Each head uses E / num_heads columns, with scale 1/sqrt(E / num_heads).

    in_proj_weight (3E, E), in_proj_bias (3E), out_proj_weight (E, E), out_proj_bias (E) have the meaning of
    torch.nn.MultiheadAttention; without weights there is no projection
    Shapes  query (q, E), key and value (k, E)
    Cost    O((q + k) E^2 + q k E)
    """
    return Multihead(*_engram.multihead(query, key, value, num_heads, in_proj_weight, in_proj_bias, out_proj_weight,
                                        out_proj_bias, allow, map_of(map)._given()))


def universal(keys: ArrayLike, values: ArrayLike, query: ArrayLike, similarity: str = "dot",
              separation: str = "softmax", parameter: float | None = None) -> Universal:
    """Universal associative memory, output = V' sep(sim(K, q)). It generalises attention and Hopfield networks (Millidge et
    al. 2022).

    similarity  dot, scaled_dot, cosine, neg_sq_euclid, neg_manhattan
    separation  identity, softmax (parameter: inverse temperature, default 1), poly (the power, required), max,
                entmax (alpha, default 1.5)
    Shapes      query (d)
    Cost        O(k (d + d_v))
    """
    return Universal(*_engram.universal(keys, values, query, similarity, separation, parameter))


def causal_mask(n: int) -> NDArray[np.bool_]:
    """Mask (n, n) of j <= i: only the present and the past."""
    return _engram.causal_mask(n)


def window_mask(n: int, width: int) -> NDArray[np.bool_]:
    """Mask (n, n) of |i - j| <= width."""
    return _engram.window_mask(n, width)


def sinusoidal_positions(times: ArrayLike, dimensions: int, base: float = 10000.0) -> Array:
    """Position encodings (n, dimensions): sin(t / base^(2i/d)) and its cos, interleaved (Vaswani et al. 2017)."""
    return _engram.sinusoidal_positions(times, dimensions, base)


def linear_age_bias(query_times: ArrayLike, key_times: ArrayLike, slope: float) -> Array:
    """Bias -slope (t_i - t_j), (q, k), for `attend`: older keys get less attention (ALiBi)."""
    return _engram.linear_age_bias(query_times, key_times, slope)


class Keys:
    """Keys stored in single precision or bf16. Use this for large numbers of keys; rows of float32 are not converted.

    rows       (n, d); `append` adds more
    precision  "float" (4 bytes per number) or "bf16" (2 bytes)
    threads    threads per query; 0: one per hardware thread. Results do not depend on it
    Errors     ValueError for numbers that are not finite or larger than 2^100
    """

    def __init__(self, rows: ArrayLike, precision: str = "float", threads: int = 1) -> None:
        self._keys = _engram.PackedKeys(rows, precision)
        self.precision, self.threads = precision, threads

    def append(self, rows: ArrayLike) -> None:
        """Adds rows (m, d). Must not run concurrently with queries."""
        self._keys.append(rows)

    @property
    def shape(self) -> tuple[int, int]:
        return self._keys.rows(), self._keys.columns()

    @property
    def nbytes(self) -> int:
        return self._keys.bytes()

    def scores(self, query: ArrayLike, scale: float = 1.0) -> Array:
        """The scores scale K q, (n).  Cost  O(n d)"""
        return _engram.float_scores(self._keys, query, scale, self.threads)

    def top(self, query: ArrayLike, k: int) -> tuple[NDArray[np.int64], Array]:
        """The k best keys and their scores, best first, by exhaustive search.  Cost  O(n d)"""
        return _engram.float_top(self._keys, query, k, self.threads)

    def attend(self, values: Values, queries: ArrayLike, scale: float = 1.0, map: Map | str = "softmax") -> Array:
        """Attention output map(scale Q K') V, (q, d_v), without storing the weights.  Cost  O(q n (d + d_v)), memory O(q)"""
        if not isinstance(values, Values):
            raise TypeError(f"values must be Values, found {type(values).__name__}")
        scale, given = _scaled(scale, map)
        return _engram.float_attend(self._keys, values._values, queries, scale, given, self.threads)


class Values:
    """Values for Keys, stored in the same way: rows (n, d_v)."""

    def __init__(self, rows: ArrayLike, precision: str = "float") -> None:
        self._values = _engram.PackedValues(rows, precision)

    def append(self, rows: ArrayLike) -> None:
        """Adds rows (m, d_v). Must not run concurrently with queries."""
        self._values.append(rows)


# The temperature of a map divides the scores, so it is folded into the scale and the bias.
def _scaled(scale, map):
    if map is None:
        return scale, None
    map = map_of(map)
    if not map.temperature > 0:
        raise ValueError(f"temperature must be above 0, found {map.temperature}")
    return scale / map.temperature, map._given()


def _over(bias, map):
    if bias is None or map is None or map_of(map).temperature == 1:
        return bias
    return np.asarray(bias) / map_of(map).temperature
