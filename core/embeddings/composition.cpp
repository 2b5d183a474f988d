// SPDX-License-Identifier: MIT
#include "core/embeddings/composition.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

using narsese::Term;
using narsese::TermKind;

// What tells one role from another.
std::uint64_t role_key(Term term, std::size_t place) {
  const bool statement = term.kind() == TermKind::statement;
  const auto symbol =
      statement ? static_cast<std::uint64_t>(term.copula()) : static_cast<std::uint64_t>(term.connector());
  const bool image = !statement && narsese::is_image(term.connector());
  std::uint64_t key = narsese::hash_combine(statement ? 1 : 0, symbol);
  key = narsese::hash_combine(key, image ? term.image_position() : 0);
  return narsese::hash_combine(key, narsese::is_commutative(term.label()) ? 0 : place + 1);
}

/// Coordinate i goes to places[i], with signs[i].
struct Role {
  std::vector<std::uint32_t> places;
  Vector signs;
};

class Roles {
 public:
  Roles(Index dimensions, std::uint64_t seed) : dimensions_(dimensions), seed_(seed) {}

  const Role& operator[](std::uint64_t key) {
    // A product of many components has as many roles. They are drawn anew rather than kept without end.
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

// v / |v|, or zeros. Over the largest first: squares of tiny numbers would vanish.
Vector unit(Vector v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return v;
  v /= largest;
  return v / std::sqrt(dot(v, v));
}

// What tells one term without components from another, in every run alike, which Term::hash does not.
std::uint64_t identity_key(Term atom) {
  const bool named = narsese::is_name(atom.kind());
  return narsese::hash_combine(atom.label().bits(), named ? narsese::hash_bytes(atom.name())
                                                          : static_cast<std::uint64_t>(atom.number()));
}

// f of an atom with the row x.
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
