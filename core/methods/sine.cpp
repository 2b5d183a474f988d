// SPDX-License-Identifier: MIT
#include "core/methods/cue_names.hpp"
#include "core/methods/declaration.hpp"
#include "core/retrieval/premise_selection.hpp"

namespace engram::core {
namespace {

/// SInE from the cue's names (core/retrieval/premise_selection.hpp), which gives a set: ranked by depth, then
/// by how special the trigger is, as 1 / (depth + occ / (occ + 1)). What it does not select has 0.
struct SineRetriever {
  SineOptions options;
  static constexpr const char* no_sum =
      "by the depth at which a name triggered it, and in how many statements that name is: no sum";
  Recall recall(const Readings& memory, const Vector& cue) const {
    Vector scores = Vector::Zero(memory.statements());
    for (const SineSelected& one : select_by_sine(memory, names_of_cue(cue), options)) {
      const auto occ = static_cast<double>(one.trigger);
      scores[one.statement] = 1 / (one.depth + occ / (occ + 1));
    }
    return from_statements(memory, std::move(scores));
  }
};

}  // namespace

Method sine_method() {
  using R = SineRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("sine", "premise filter", "SInE: statements whose rarest names are reached")
      .support(Support::sparse)
      .number("tolerance", of(&SineOptions::tolerance), 1, 1e6,
              "a name triggers statements of which no name is so much rarer")
      .number("generality", of(&SineOptions::generality), 0, 1e9,
              "names in no more statements than this trigger them all")
      .whole("depth", of(&SineOptions::depth), 1, 100, "rounds");
}

}  // namespace engram::core
