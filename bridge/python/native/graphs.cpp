// SPDX-License-Identifier: MIT
// Bindings of walks, positions and embeddings of graphs and episodes, as sparse matrices.
#include "bridge/python/native/arrays.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::python {
namespace {

using core::SparseRows;

// A sparse matrix (n, m) as entries (row, column, value), like scipy.sparse's coo format.
class Entries {
 public:
  Entries(Index rows, Index columns, py::handle row, py::handle column, py::handle value)
      : rows_(rows),
        columns_(columns),
        row_(indices("rows", row)),
        column_(indices("columns", column)),
        value_("values", value) {
    constexpr Index most = Index{1} << 32;
    core::require(rows >= 1 && rows < most, "rows must be at least 1 and below 2^32", rows);
    core::require(columns >= 1 && columns < most, "columns must be at least 1 and below 2^32", columns);
    core::require_size("columns", static_cast<Index>(column_.size()), static_cast<Index>(row_.size()));
    core::require_size("values", value_->size(), static_cast<Index>(row_.size()));
    for (const std::uint32_t i : row_) core::require(i < rows, "a row must be below the number of rows", i);
    for (const std::uint32_t j : column_)
      core::require(j < columns, "a column must be below the number of columns", j);
  }

  /// The matrix by rows. Duplicate entries are added.
  SparseRows rows() const {
    require_room(std::max(rows_, columns_) + 2 * static_cast<Index>(row_.size()));
    std::vector<core::Edge> edges(row_.size());
    for (std::size_t e = 0; e < edges.size(); ++e)
      edges[e] = {row_[e], column_[e], (*value_)[static_cast<Index>(e)]};
    if (rows_ == columns_) return core::links_of_edges(rows_, edges, true);
    const SparseRows square = core::links_of_edges(std::max(rows_, columns_), edges, true);
    SparseRows cut(columns_);
    for (Index i = 0; i < rows_; ++i) cut.push_row(square.columns_of(i), square.values_of(i));
    return cut;
  }
  Index row_count() const { return rows_; }
  Index column_count() const { return columns_; }

 private:
  Index rows_, columns_;
  std::vector<std::uint32_t> row_, column_;
  ArrayView<Vector> value_;
};

py::tuple pagerank(const Entries& entries, py::handle restart, double damping, double tolerance,
                   int max_steps) {
  const ArrayView<Vector> from("restart", restart);
  auto found = in_background(
      [&] { return core::personalized_page_rank(entries.rows(), *from, damping, tolerance, max_steps); });
  return py::make_tuple(std::move(found.rank), found.iterations, found.converged);
}

Matrix page_rank_steps(const Entries& entries, py::handle restart, double damping, int steps) {
  const ArrayView<Vector> from("restart", restart);
  return in_background([&] {
    require_room(std::max(steps, 0), from->size());
    return core::page_rank_steps(entries.rows(), *from, damping, steps);
  });
}

// Runs `run` on the matrix of the entries, if its result, (items, columns), fits into memory.
template <class Run>
auto with_room(const Entries& entries, Index items, Index columns, Run run) {
  return in_background([&] {
    require_room(items, std::max<Index>(columns, 0));
    return run(entries.rows());
  });
}

py::tuple laplacian_positions(const Entries& links, Index count, bool normalised) {
  const Index n = links.row_count();
  auto pairs = with_room(links, n, std::min(count, n), [&](const SparseRows& rows) {
    return core::laplacian_positions(rows, count, normalised);
  });
  return py::make_tuple(std::move(pairs.values), std::move(pairs.vectors));
}

Matrix random_walk_positions(const Entries& links, Index steps) {
  return with_room(links, links.row_count(), steps,
                   [&](const SparseRows& rows) { return core::random_walk_positions(rows, steps); });
}

Matrix random_indexing(const Entries& episodes, Index dimensions, Index nonzeros, std::uint64_t seed) {
  return with_room(episodes, episodes.column_count(), dimensions, [&](const SparseRows& rows) {
    return core::random_indexing(rows, dimensions, nonzeros, seed);
  });
}

Matrix truncated_svd(const Entries& links, py::handle activity, Index dimensions) {
  const ArrayView<Vector> diagonal("activity", activity);
  return with_room(links, links.row_count(), dimensions,
                   [&](const SparseRows& rows) { return core::truncated_svd(rows, *diagonal, dimensions); });
}

Matrix laplacian_embedding(const Entries& links, Index dimensions, double time) {
  return with_room(links, links.row_count(), dimensions,
                   [&](const SparseRows& rows) { return core::laplacian_embedding(rows, dimensions, time); });
}

}  // namespace

void bind_graphs(py::module_& module) {
  py::class_<Entries>(module, "Entries").def(py::init<Index, Index, py::handle, py::handle, py::handle>());
  module.def("pagerank", pagerank);
  module.def("page_rank_steps", page_rank_steps);
  module.def("laplacian_positions", laplacian_positions);
  module.def("random_walk_positions", random_walk_positions);
  module.def("random_indexing", random_indexing);
  module.def("truncated_svd", truncated_svd);
  module.def("laplacian_embedding", laplacian_embedding);
}

}  // namespace engram::python
