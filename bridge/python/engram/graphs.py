# SPDX-License-Identifier: MIT
"""Random walks and positions on a graph. The links are an array (n, n) or a sparse matrix of SciPy.

Errors  ValueError for inconsistent shapes and weights that are negative or not finite
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engram
from .attention import Array


class PageRank(NamedTuple):
    """Result of pagerank: rank (n), a distribution; the number of iterations, and whether they converged."""

    rank: Array
    iterations: int
    converged: bool


class Eigenvectors(NamedTuple):
    """Eigenvalues (k), and eigenvectors (n, k) as columns."""

    values: Array
    vectors: Array


def entries_of(matrix: object, name: str = "links") -> _engram.Entries:
    """The nonzero entries of a matrix, dense or from scipy.sparse.  Errors  ValueError"""
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        if len(sparse.shape) != 2:
            raise ValueError(f"{name} must be a matrix, found the shape {sparse.shape}")
        return _engram.Entries(sparse.shape[0], sparse.shape[1], sparse.row, sparse.col, sparse.data)
    try:
        dense = np.asarray(matrix)
    except ValueError as error:
        raise ValueError(f"{name} must be a matrix of numbers: {error}") from None
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a matrix of real numbers, found {dense.dtype} of the shape {dense.shape}")
    rows, columns = np.nonzero(dense)
    return _engram.Entries(dense.shape[0], dense.shape[1], rows, columns, dense[rows, columns])


def pagerank(links: object, restart: ArrayLike, damping: float = 0.85, tolerance: float = 1e-12,
             max_steps: int = 10000) -> PageRank:
    """Personalised PageRank: the fixed point of r = (1-d) v + d P' r, P_ij = w_ij / sum_j w_ij, v = restart with sum 1.
    Nodes without links return to v.

    Shapes  restart (n) >= 0, not all 0;  damping d in [0, 1)
    Cost    O(n + links) per step
    """
    return PageRank(*_engram.pagerank(entries_of(links), restart, damping, tolerance, max_steps))


def page_rank_steps(links: object, restart: ArrayLike, damping: float, steps: int) -> Array:
    """The first iterates of pagerank, (steps, n). This is truncated spreading activation with restart."""
    return _engram.page_rank_steps(entries_of(links), restart, damping, steps)


def random_walk_positions(links: object, steps: int) -> Array:
    """Return probabilities (P^k)_ii of a random walk from i, for k = 1 .. steps, (n, steps)."""
    return _engram.random_walk_positions(entries_of(links), steps)


def laplacian_positions(links: object, count: int, normalised: bool = True) -> Eigenvectors:
    """Eigenvectors of the `count` smallest eigenvalues of L = D - W, or of D^-1/2 L D^-1/2, without the trivial one of each
    component. The links must be symmetric."""
    return Eigenvectors(*_engram.laplacian_positions(entries_of(links), count, normalised))
