// SPDX-License-Identifier: MIT
#include "core/embeddings/positions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_weights(const SparseRows& links) {
  require_size("rows of a graph's weights", links.rows(), links.columns());
  for (Index row = 0; row < links.rows(); ++row)
    for (const double w : links.values_of(row))
      require(w >= 0 && std::isfinite(w), "a weight must be finite and not negative", w);
}

// Rows over their sums.
SparseRows walk_of(const SparseRows& links) {
  SparseRows walk = links;
  for (Index row = 0; row < walk.rows(); ++row) {
    const auto values = walk.values_of(row);
    const double largest = max(values);
    if (!(largest > 0)) continue;
    for (double& w : values) w /= largest;  // their sum must not overflow
    const double degree = sum(values);
    for (double& w : values) w /= degree;
  }
  return walk;
}

// The mass of a walker on the nodes that it can have reached.
struct Front {
  explicit Front(Index n) : mass(Vector::Zero(n)), reached(static_cast<std::size_t>(n), false) {}

  void add(std::uint32_t node, double amount) {
    if (!reached[node]) nodes.push_back(node);
    reached[node] = true;
    mass[node] += amount;
  }
  void clear() {
    for (const std::uint32_t node : nodes) {
      mass[node] = 0;
      reached[node] = false;
    }
    nodes.clear();
  }

  Vector mass;
  std::vector<bool> reached;
  std::vector<std::uint32_t> nodes;  // in the order in which they were reached
};

void step(const SparseRows& walk, const Front& from, Front& to) {
  to.clear();
  for (const std::uint32_t node : from.nodes) {
    const auto columns = walk.columns_of(node);
    charge(4 * columns.size() + 4);
    const auto shares = walk.values_of(node);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (shares[k] > 0) to.add(columns[k], from.mass[node] * shares[k]);
  }
}

// The matrix with `diagonal(row)` on the diagonal and -`weight(row, column, w)` for every link beside it.
template <class Diagonal, class Weight>
SparseRows with_diagonal(const SparseRows& links, Diagonal diagonal, Weight weight) {
  SparseRows out(links.columns());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index row = 0; row < links.rows(); ++row) {
    columns.clear();
    values.clear();
    bool placed = false;
    const auto place = [&] {
      columns.push_back(static_cast<std::uint32_t>(row));
      values.push_back(diagonal(row));
      placed = true;
    };
    for (std::size_t k = 0; k < links.columns_of(row).size(); ++k) {
      const std::uint32_t column = links.columns_of(row)[k];
      if (column >= row && !placed) place();
      if (column == row || !(links.values_of(row)[k] > 0)) continue;
      columns.push_back(column);
      values.push_back(-weight(row, column, links.values_of(row)[k]));
    }
    if (!placed) place();
    out.push_row(columns, values);
  }
  return out;
}

struct Degrees {
  Vector all;     // d
  Vector others;  // without self loops
};

Degrees degrees_of(const SparseRows& links) {
  Degrees degrees{Vector(links.rows()), Vector(links.rows())};
  std::vector<double> others;
  for (Index row = 0; row < links.rows(); ++row) {
    others.clear();
    for (std::size_t k = 0; k < links.columns_of(row).size(); ++k)
      if (static_cast<Index>(links.columns_of(row)[k]) != row) others.push_back(links.values_of(row)[k]);
    degrees.all[row] = sum(links.values_of(row));
    degrees.others[row] = sum(others);
    require(std::isfinite(degrees.all[row]), "the weights of a node add up to more than a double holds");
  }
  return degrees;
}

}  // namespace

Matrix random_walk_positions(const SparseRows& links, Index steps) {
  require_weights(links);
  require(steps >= 0, "the steps of a walk must not be negative", steps);
  const SparseRows walk = walk_of(links);
  Matrix back(links.rows(), steps);
  Front here(links.rows()), next(links.rows());
  for (Index start = 0; start < links.rows(); ++start) {
    here.clear();
    here.add(static_cast<std::uint32_t>(start), 1.0);
    for (Index k = 0; k < steps; ++k) {
      step(walk, here, next);
      std::swap(here, next);
      back(start, k) = std::min(here.mass[start], 1.0);  // a sum of shares may be a rounding above 1
    }
  }
  return back;
}

SparseRows laplacian(const SparseRows& links) {
  require_weights(links);
  const Degrees degrees = degrees_of(links);
  return with_diagonal(
      links, [&](Index row) { return degrees.others[row]; },
      [](Index, std::uint32_t, double w) { return w; });
}

SparseRows normalised_laplacian(const SparseRows& links) {
  require_weights(links);
  const Degrees degrees = degrees_of(links);
  return with_diagonal(
      links, [&](Index row) { return degrees.all[row] > 0 ? degrees.others[row] / degrees.all[row] : 0.0; },
      // Root by root: the product of two tiny degrees would be 0, that of two huge ones infinite. The lower
      // index first, so that both halves of the matrix round alike.
      [&](Index row, std::uint32_t column, double w) {
        const Index other = column;
        return w / std::sqrt(degrees.all[std::min(row, other)]) /
               std::sqrt(degrees.all[std::max(row, other)]);
      });
}

Eigenpairs laplacian_positions(const SparseRows& links, Index count, bool normalised) {
  return eigenpairs(normalised ? normalised_laplacian(links) : laplacian(links), count, SpectrumEnd::smallest,
                    1);
}

}  // namespace engram::core
