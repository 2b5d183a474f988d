// SPDX-License-Identifier: MIT
#include "core/methods/cue_names.hpp"
#include "core/methods/declaration.hpp"
#include "core/walks/neighbourhood.hpp"

namespace engram::core {
namespace {

/// The exact neighbourhood of the cue's names (core/walks/neighbourhood.hpp): 1 / hop, 0 beyond `hops` and
/// beyond `most` statements.
struct KHopRetriever {
  NeighbourhoodOptions options;
  static constexpr const char* no_sum =
      "one over the least number of statements on a way from a name of the cue: no sum";
  Recall recall(const Readings& memory, const Vector& cue) const {
    Vector scores = Vector::Zero(memory.statements());
    for (const Neighbour& found : neighbourhood(memory, names_of_cue(cue), options))
      scores[found.statement] = 1.0 / found.hop;
    return from_statements(memory, std::move(scores));
  }
};

}  // namespace

Method k_hop_method() {
  using R = KHopRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("k_hop", "search", "the nearest statements to the cue's names, by hops")
      .support(Support::sparse)
      .whole("hops", of(&NeighbourhoodOptions::hops), 1, 20, "statements on a way from a name, at most")
      .whole("most", of(&NeighbourhoodOptions::most), 1, 1e6, "statements, the nearest");
}

}  // namespace engram::core
