// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_weights(const SparseRows& links) {
  require_size("rows of a graph's weights", links.rows(), links.columns());
  for (Index row = 0; row < links.rows(); ++row)
    for (const double w : links.values_of(row))
      require(w >= 0 && std::isfinite(w), "a weight must be finite and not negative", w);
}

// The transition matrix: rows divided by their sums.
SparseRows walk_of(const SparseRows& links) {
  SparseRows walk = links;
  for (Index row = 0; row < walk.rows(); ++row) {
    const auto values = walk.values_of(row);
    const double largest = max(values);
    if (!(largest > 0)) continue;
    for (double& w : values) w /= largest;  // so that their sum does not overflow
    const double degree = sum(values);
    for (double& w : values) w /= degree;
  }
  return walk;
}

// The distribution of a walker over the nodes that it may have reached.
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
  std::vector<std::uint32_t> nodes;  // in the order of the first visit
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

// The matrix with diagonal(row) on the diagonal and value(row, column, w) for every other link of weight w > 0.
template <class Diagonal, class Value>
SparseRows with_diagonal(const SparseRows& links, Diagonal diagonal, Value value) {
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
      values.push_back(value(row, column, links.values_of(row)[k]));
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
    require(std::isfinite(degrees.all[row]), "the sum of the weights of a node overflows");
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
      back(start, k) = std::min(here.mass[start], 1.0);  // rounding may exceed 1
    }
  }
  return back;
}

SparseRows laplacian(const SparseRows& links) {
  require_weights(links);
  const Degrees degrees = degrees_of(links);
  return with_diagonal(
      links, [&](Index row) { return degrees.others[row]; },
      [](Index, std::uint32_t, double w) { return -w; });
}

SparseRows normalised_laplacian(const SparseRows& links) {
  require_weights(links);
  const Degrees degrees = degrees_of(links);
  return with_diagonal(
      links, [&](Index row) { return degrees.all[row] > 0 ? degrees.others[row] / degrees.all[row] : 0.0; },
      // Divides by one root after another, because the product of two degrees may underflow or overflow. Begins with
      // the lower index, so that the matrix is exactly symmetric.
      [&](Index row, std::uint32_t column, double w) {
        const Index other = column;
        return -(w / std::sqrt(degrees.all[std::min(row, other)]) /
                 std::sqrt(degrees.all[std::max(row, other)]));
      });
}

Eigenpairs laplacian_positions(const SparseRows& links, Index count, bool normalised) {
  return eigenpairs(normalised ? normalised_laplacian(links) : laplacian(links), count, SpectrumEnd::smallest,
                    1);
}

namespace {

// The nodes with links, and the graph of these nodes.
struct Linked {
  std::vector<std::uint32_t> nodes;  // ascending
  SparseRows links;
};

Linked linked_part(const SparseRows& links) {
  require_weights(links);
  Linked linked;
  std::vector<std::uint32_t> place(static_cast<std::size_t>(links.rows()));
  for (Index row = 0; row < links.rows(); ++row)
    if (max(links.values_of(row)) > 0) {
      place[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(linked.nodes.size());
      linked.nodes.push_back(static_cast<std::uint32_t>(row));
    }
  linked.links = SparseRows(static_cast<Index>(linked.nodes.size()));
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (const std::uint32_t row : linked.nodes) {
    columns.clear();
    values.clear();
    for (std::size_t k = 0; k < links.columns_of(row).size(); ++k)
      if (links.values_of(row)[k] > 0) {
        columns.push_back(place[links.columns_of(row)[k]]);
        values.push_back(links.values_of(row)[k]);
      }
    linked.links.push_row(columns, values);
  }
  return linked;
}

}  // namespace

Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed) {
  require(nonzeros >= 1 && nonzeros <= dimensions, "random indexing needs 1 <= nonzeros <= dimensions");
  Matrix embedding = Matrix::Zero(episodes.columns(), dimensions);
  std::vector<Index> places;
  for (Index statement = 0; statement < episodes.rows(); ++statement) {
    Rng rng(seed, "random_indexing", static_cast<std::uint64_t>(statement));
    places.clear();
    while (static_cast<Index>(places.size()) < nonzeros) {
      const auto place = static_cast<Index>(rng.below(static_cast<std::uint64_t>(dimensions)));
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    const auto members = episodes.columns_of(statement);
    charge(places.size() * (members.size() + 32));
    const auto activations = episodes.values_of(statement);
    for (const Index place : places) {
      const double sign = (rng.bits() & 1) != 0 ? 1.0 : -1.0;
      for (std::size_t i = 0; i < members.size(); ++i) embedding(members[i], place) += sign * activations[i];
    }
  }
  return embedding / std::sqrt(static_cast<double>(nonzeros));
}

Matrix truncated_svd(const SparseRows& links, const Vector& activity, Index dimensions) {
  require(dimensions >= 0, "dimensions must not be negative", dimensions);
  require_weights(links);
  require_size("activity", activity.size(), links.rows());
  for (Index row = 0; row < links.rows(); ++row) {
    require(activity[row] >= 0, "an activity must not be negative", activity[row]);
    require(!std::ranges::binary_search(links.columns_of(row), static_cast<std::uint32_t>(row)),
            "links must not have a diagonal, because that is the activity");
  }
  const SparseRows graph = with_diagonal(
      links, [&](Index row) { return activity[row]; }, [](Index, std::uint32_t, double w) { return w; });
  const Eigenpairs pairs = eigenpairs(graph, std::min(dimensions, links.rows()), SpectrumEnd::largest);
  Matrix embedding = Matrix::Zero(links.rows(), dimensions);
  for (Index k = 0; k < pairs.values.size(); ++k)  // rounding may turn a value of 0 negative
    embedding.col(k) = std::sqrt(std::max(pairs.values[k], 0.0)) * pairs.vectors.col(k);
  return embedding;
}

Matrix laplacian_embedding(const SparseRows& links, Index dimensions, double time) {
  require(dimensions >= 0, "dimensions must not be negative", dimensions);
  require(time >= 0 && std::isfinite(time), "the time of diffusion must be finite and not negative", time);
  const Linked linked = linked_part(links);
  const Eigenpairs pairs = eigenpairs(normalised_laplacian(linked.links),
                                      std::min(dimensions, linked.links.rows()), SpectrumEnd::smallest);
  Matrix embedding = Matrix::Zero(links.rows(), dimensions);
  for (Index k = 0; k < pairs.values.size(); ++k) {
    const double kept = exp(-0.5 * time * pairs.values[k]);
    for (std::size_t i = 0; i < linked.nodes.size(); ++i)
      embedding(linked.nodes[i], k) = kept * pairs.vectors(static_cast<Index>(i), k);
  }
  return embedding;
}

namespace {

using narsese::Term;
using narsese::TermKind;

// Hash of a component's role.
std::uint64_t role_key(Term term, std::size_t place) {
  const bool statement = term.kind() == TermKind::statement;
  const auto symbol =
      statement ? static_cast<std::uint64_t>(term.copula()) : static_cast<std::uint64_t>(term.connector());
  const bool image = !statement && narsese::is_image(term.connector());
  std::uint64_t key = narsese::hash_combine(statement ? 1 : 0, symbol);
  key = narsese::hash_combine(key, image ? term.image_position() : 0);
  return narsese::hash_combine(key, narsese::is_commutative(term.label()) ? 0 : place + 1);
}

/// A signed permutation: coordinate i moves to places[i] with signs[i].
struct Role {
  std::vector<std::uint32_t> places;
  Vector signs;
};

class Roles {
 public:
  Roles(Index dimensions, std::uint64_t seed) : dimensions_(dimensions), seed_(seed) {}

  const Role& operator[](std::uint64_t key) {
    // Bounds the memory, because long terms have many roles. A role can be drawn again.
    if (roles_.size() > 1024) roles_.clear();
    const auto [role, made] = roles_.try_emplace(key);
    if (made) draw(key, role->second);
    return role->second;
  }

 private:
  void draw(std::uint64_t key, Role& role) const {
    Rng rng(seed_, "role", key);
    role.places = rng.permutation(static_cast<std::uint32_t>(dimensions_));
    role.signs.resize(dimensions_);
    for (double& sign : role.signs) sign = (rng.bits() & 1) != 0 ? 1.0 : -1.0;
  }

  Index dimensions_;
  std::uint64_t seed_;
  std::map<std::uint64_t, Role> roles_;
};

// v / |v|, or zeros. Divides by the largest number first, because squares of tiny numbers underflow.
Vector unit(Vector v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return v;
  v /= largest;
  return v / std::sqrt(dot(v, v));
}

// Hash of an atom that is the same in every run, unlike Term::hash.
std::uint64_t identity_key(Term atom) {
  const bool named = narsese::is_name(atom.kind());
  return narsese::hash_combine(atom.label().bits(), named ? narsese::hash_bytes(atom.name())
                                                          : static_cast<std::uint64_t>(atom.number()));
}

// f_k of an atom with the row x.
Vector filler_of_atom(Term atom, const Vector& x, std::uint64_t seed) {
  Rng rng(seed, "identity", identity_key(atom));
  const double size = 1.0 / std::sqrt(static_cast<double>(x.size()));
  Vector filler = unit(x);
  for (double& y : filler) y += (rng.bits() & 1) != 0 ? size : -size;
  return unit(std::move(filler));
}

}  // namespace

Matrix composed(std::span<const Term> terms, Matrix rows, std::uint64_t seed) {
  require_size("rows of an embedding", rows.rows(), static_cast<Index>(terms.size()));
  narsese::HashIndex index;
  for (std::uint32_t i = 0; i < terms.size(); ++i) index.insert(terms[i].hash(), i);
  const auto row_of = [&](Term term) {
    return index.find(term.hash(), [&](std::uint32_t i) { return terms[i] == term; });
  };
  std::vector<std::uint32_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return terms[i].depth(); });

  Roles roles(rows.cols(), seed);
  for (const std::uint32_t i : order) {
    const auto components = terms[i].components();
    if (components.empty()) continue;
    Vector structure = Vector::Zero(rows.cols());
    for (std::size_t k = 0; k < components.size(); ++k) {
      const std::uint32_t component = row_of(components[k]);
      if (component == narsese::HashIndex::none) continue;
      charge(32 * static_cast<std::uint64_t>(rows.cols()));
      const Role& role = roles[role_key(terms[i], k)];
      const Vector x = rows.row(component);
      const bool atom = components[k].components().empty();
      const Vector filler = atom ? filler_of_atom(components[k], x, seed) : unit(x);
      for (Index j = 0; j < filler.size(); ++j)
        structure[role.places[static_cast<std::size_t>(j)]] += role.signs[j] * filler[j];
    }
    rows.row(i) = unit(rows.row(i)) + unit(structure);
  }
  return rows;
}

}  // namespace engram::core
