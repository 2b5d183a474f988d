// SPDX-License-Identifier: MIT
// In which place of a statement each of its names stands, as blocks of a key.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "core/retrieval/hops.hpp"

namespace engram::core {

/// The role of a name in a statement. A statement about two names (relation_of) has a first name, a second name and a relation.
/// A rule has the names of its conclusion. All other names, such as those of a rule's premises, have the role `other`.
enum class NamePlace : std::uint8_t { first, second, relation, conclusion, other };
inline constexpr std::size_t name_places = 5;
inline constexpr std::array<std::string_view, name_places> name_place_names{"first", "second", "relation",
                                                                            "conclusion", "other"};

/// Keys that tell by place where a name stands in a statement.
struct PlacedKeys {
  SparseRows keys;              // (p, 5 n): place a and concept i in column a n + i
  std::vector<StepKind> kinds;  // (p): of what says something of two names; StepKind::other for the rest
};

/// The keys with each entry in the places where its name stands: of a rule it may stand in two. What stands
/// nowhere (a compound that is a concept) is in the place of others.
/// Shapes   keys (p, n), terms (n), statement_terms (p)
/// Cost     O(size of all terms); 12 bytes an entry
PlacedKeys placed_keys(const SparseRows& keys, std::span<const narsese::Term> terms,
                       std::span<const narsese::Term> statement_terms);

}  // namespace engram::core
