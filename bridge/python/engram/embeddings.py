# SPDX-License-Identifier: MIT
"""Embeddings with the interface of scikit-learn: `fit`, `transform`, `fit_transform`, `get_params`, `set_params`; learnt
attributes end in _. scikit-learn itself is not required.

Errors  ValueError; AttributeError if an embedding is not fitted
"""
from __future__ import annotations

import inspect

import numpy as np

from . import _engram
from .attention import Array
from .graphs import entries_of


class Embedding:
    """Base class. `fit` learns one row per item, `embedding_` (n, dimensions). `transform(weights)` maps mixtures of items
    (m, n) to the weighted sums of their rows (m, dimensions). `transform(None)` returns the rows themselves."""

    embedding_: Array

    def fit(self, X: object, y: object = None) -> Embedding:
        raise NotImplementedError

    def transform(self, X: object = None) -> Array:
        if not hasattr(self, "embedding_"):
            raise AttributeError(f"this {type(self).__name__} is not fitted: call fit first")
        if X is None:
            return self.embedding_
        if hasattr(X, "dot") and hasattr(X, "tocsr"):
            return np.asarray(X.dot(self.embedding_))
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != len(self.embedding_) or X.dtype.kind not in "biuf":
            raise ValueError(f"X must be numbers of the shape (any, {len(self.embedding_)}), "
                             f"found {X.dtype} of the shape {X.shape}")
        return X @ self.embedding_

    def fit_transform(self, X: object, y: object = None) -> Array:
        """The rows that `fit` learns."""
        return self.fit(X, y).transform()

    def get_params(self, deep: bool = True) -> dict:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: object) -> Embedding:
        """Sets parameters.  Errors  ValueError for an unknown name"""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self._names())}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({given})"

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)


class RandomIndexing(Embedding):
    """Random indexing: every episode has a random sparse vector of +1 and -1. The row of an item is the sum of the vectors
    of its episodes, divided by sqrt(nonzeros), so E[X X'] = A'A (Kanerva et al. 2000).

    fit   episodes A (p, n), dense or sparse, weights >= 0
    Cost  O(entries of A * nonzeros)
    """

    def __init__(self, dimensions: int = 256, nonzeros: int = 8, seed: int = 1) -> None:
        self.dimensions, self.nonzeros, self.seed = dimensions, nonzeros, seed

    def fit(self, X: object, y: object = None) -> RandomIndexing:
        self.embedding_ = _engram.random_indexing(entries_of(X, "episodes"), self.dimensions, self.nonzeros,
                                                  self.seed)
        return self


class TruncatedSVD(Embedding):
    """Truncated SVD of a Hebbian graph W = A'A: X = U sqrt(Lambda) of the largest eigenvalues. X X' is the best
    approximation of W with this rank.

    fit   links (n, n), symmetric; the diagonal is the activity of the items
    Cost  the computation of the eigenvectors
    """

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions

    def fit(self, X: object, y: object = None) -> TruncatedSVD:
        off, diagonal = _parted(X)
        self.embedding_ = _engram.truncated_svd(entries_of(off), diagonal, self.dimensions)
        return self


class LaplacianEmbedding(Embedding):
    """Laplacian embedding: exp(-lambda t / 2) u for the smallest eigenvalues of the normalised Laplacian. X X' approximates
    the heat kernel at time t (Belkin and Niyogi 2003).

    fit   links (n, n), symmetric; the diagonal is ignored
    Cost  the computation of the eigenvectors
    """

    def __init__(self, dimensions: int = 64, time: float = 1.0) -> None:
        self.dimensions, self.time = dimensions, time

    def fit(self, X: object, y: object = None) -> LaplacianEmbedding:
        off, _ = _parted(X)
        self.embedding_ = _engram.laplacian_embedding(entries_of(off), self.dimensions, self.time)
        return self


# Splits a square matrix into its off-diagonal part and its diagonal.
def _parted(X):
    if hasattr(X, "tocoo"):
        sparse = X.tocoo()
        if len(sparse.shape) != 2 or sparse.shape[0] != sparse.shape[1]:
            raise ValueError(f"links must be a square matrix, found the shape {sparse.shape}")
        diagonal = np.zeros(sparse.shape[0])
        on = sparse.row == sparse.col
        np.add.at(diagonal, sparse.row[on], sparse.data[on])
        off = type(sparse)((sparse.data[~on], (sparse.row[~on], sparse.col[~on])), shape=sparse.shape)
        return off, diagonal
    try:
        dense = np.array(X)
    except ValueError as error:
        raise ValueError(f"links must be a square matrix of numbers: {error}") from None
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1] or dense.dtype.kind not in "biuf":
        raise ValueError(f"links must be a square matrix of real numbers, found {dense.dtype} of the shape "
                         f"{dense.shape}")
    diagonal = dense.diagonal().copy()
    np.fill_diagonal(dense, 0)
    return dense, diagonal
