// SPDX-License-Identifier: MIT
// Bindings of walks, positions and embeddings of graphs and episodes, as sparse matrices.
#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"
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
    require_room(static_cast<double>(std::max(rows_, columns_)) + 2 * static_cast<double>(row_.size()));
    const auto edges = list();
    if (rows_ == columns_) return core::links_of_edges(rows_, edges, true);
    const SparseRows square = core::links_of_edges(std::max(rows_, columns_), edges, true);
    SparseRows cut(columns_);
    for (Index i = 0; i < rows_; ++i) cut.push_row(square.columns_of(i), square.values_of(i));
    return cut;
  }
  Index row_count() const { return rows_; }
  Index column_count() const { return columns_; }

 private:
  std::vector<core::Edge> list() const {
    std::vector<core::Edge> edges(row_.size());
    for (std::size_t e = 0; e < edges.size(); ++e)
      edges[e] = {row_[e], column_[e], (*value_)[static_cast<Index>(e)]};
    return edges;
  }

  Index rows_, columns_;
  std::vector<std::uint32_t> row_, column_;
  Lent<Vector> value_;
};

// Checks that a result with `items` rows and `columns` columns fits into memory.
void require_columns(Index items, Index columns) {
  require_room(static_cast<double>(items) * static_cast<double>(std::max<Index>(columns, 0)));
}

py::tuple pagerank(const Entries& entries, py::handle restart, double damping, double tolerance,
                   int max_steps) {
  const Lent<Vector> from("restart", restart);
  auto found = in_background(
      [&] { return core::personalized_page_rank(entries.rows(), *from, damping, tolerance, max_steps); });
  return py::make_tuple(given_away(std::move(found.rank)), found.iterations, found.converged);
}

py::array_t<double> page_rank_steps(const Entries& entries, py::handle restart, double damping, int steps) {
  const Lent<Vector> from("restart", restart);
  return given_away(in_background([&] {
    require_room(static_cast<double>(std::max(steps, 0)) * static_cast<double>(from->size()));
    return core::page_rank_steps(entries.rows(), *from, damping, steps);
  }));
}

py::tuple laplacian_positions(const Entries& entries, Index count, bool normalised) {
  auto pairs = in_background([&] {
    require_columns(entries.row_count(), std::min(count, entries.row_count()));
    return core::laplacian_positions(entries.rows(), count, normalised);
  });
  return py::make_tuple(given_away(std::move(pairs.values)), given_away(std::move(pairs.vectors)));
}

}  // namespace

void bind_graphs(py::module_& module) {
  py::class_<Entries>(module, "Entries").def(py::init<Index, Index, py::handle, py::handle, py::handle>());
  module.def("pagerank", pagerank);
  module.def("page_rank_steps", page_rank_steps);
  module.def("laplacian_positions", laplacian_positions);
  module.def("random_walk_positions", [](const Entries& entries, Index steps) {
    return given_away(in_background([&] {
      require_columns(entries.row_count(), steps);
      return core::random_walk_positions(entries.rows(), steps);
    }));
  });
  module.def("random_indexing",
             [](const Entries& episodes, Index dimensions, Index nonzeros, std::uint64_t seed) {
               return given_away(in_background([&] {
                 require_columns(episodes.column_count(), dimensions);
                 return core::random_indexing(episodes.rows(), dimensions, nonzeros, seed);
               }));
             });
  module.def("truncated_svd", [](const Entries& links, py::handle activity, Index dimensions) {
    const Lent<Vector> diagonal("activity", activity);
    return given_away(in_background([&] {
      require_columns(links.row_count(), dimensions);
      return core::truncated_svd(links.rows(), *diagonal, dimensions);
    }));
  });
  module.def("laplacian_embedding", [](const Entries& links, Index dimensions, double time) {
    return given_away(in_background([&] {
      require_columns(links.row_count(), dimensions);
      return core::laplacian_embedding(links.rows(), dimensions, time);
    }));
  });
}

}  // namespace engram::python
