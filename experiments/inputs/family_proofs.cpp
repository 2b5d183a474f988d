// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {

ProofSet generate_families(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  const std::size_t families = (size - 4) / 6;
  core::Rng rng(seed, "families");
  const Names names("p", 7 * families, rng);
  const std::array<std::string, 2> parents{"father", "mother"}, grandparents{"grandfather", "grandmother"};
  ProofSet set;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) say(set, rule_text(parents[a], parents[b], grandparents[a]));
  // Places in a family: 0 is the child, 1 and 2 are the parents, 3 to 6 the grandparents.
  const auto person = [](std::size_t family, std::size_t place) { return 7 * family + place; };
  const auto parent_of = [](std::size_t child, std::size_t sex) { return 2 * child + 1 + sex; };
  for (std::size_t f = 0; f < families; ++f)
    for (std::size_t child = 0; child < 3; ++child)
      for (std::size_t sex = 0; sex < 2; ++sex)
        say(set,
            inheritance_text(names.pair(person(f, parent_of(child, sex)), person(f, child)), parents[sex]));

  const auto order = rng.permutation(static_cast<std::uint32_t>(4 * families));
  for (std::size_t q = 0; q < std::min<std::size_t>(questions, order.size()); ++q) {
    const std::size_t family = order[q] / 4, elder = order[q] / 2 % 2, younger = order[q] % 2;
    const std::size_t parent = parent_of(0, younger), grandparent = parent_of(parent, elder);
    const std::string pair = names.pair(person(family, grandparent), person(family, 0));
    const std::size_t facts = 4 + 6 * family;
    set.questions.push_back({inheritance_text(pair, "?1"),
                             inheritance_text(pair, grandparents[elder]),
                             {2 * elder + younger, facts + younger, facts + 2 * parent + elder}});
  }
  shuffle(set, rng);
  return set;
}

}  // namespace engram::experiments
