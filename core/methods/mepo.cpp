// SPDX-License-Identifier: MIT
#include "core/methods/cue_names.hpp"
#include "core/methods/declaration.hpp"
#include "core/retrieval/premise_selection.hpp"

namespace engram::core {
namespace {

/// MePo from the cue's names (core/retrieval/premise_selection.hpp): by round, then by mark, as
/// 1 / (1 + round - mark). What it does not select has 0.
struct MepoRetriever {
  MepoOptions options;
  static constexpr const char* no_sum =
      "by the round that selected it and its mark there, the share of what is relevant in it: no sum";
  Recall recall(const Readings& memory, const Vector& cue) const {
    Vector scores = Vector::Zero(memory.statements());
    for (const MepoSelected& one : select_by_mepo(memory, names_of_cue(cue), options))
      scores[one.statement] = 1 / (1 + one.round - one.mark);
    return from_statements(memory, std::move(scores));
  }
};

}  // namespace

Method mepo_method() {
  using R = MepoRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("mepo", "premise filter", "MePo: statements most of whose names are relevant already")
      .support(Support::sparse)
      .number("pass_mark", of(&MepoOptions::pass_mark), 0, 0.999, "p: of the first round")
      .number("convergence", of(&MepoOptions::convergence), 1, 1000,
              "c: what p lacks to 1 is divided by it, round after round");
}

}  // namespace engram::core
