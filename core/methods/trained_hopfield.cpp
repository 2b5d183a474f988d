// SPDX-License-Identifier: MIT
#include "core/methods/trained_hopfield.hpp"

#include "core/methods/declaration.hpp"
#include "core/proofs/trained_hopfield.hpp"

namespace engram::core {
namespace {

/// Recall by a Hopfield network with learnt maps (core/proofs/trained_hopfield.hpp); of several pairs of names
/// the largest score. What names nothing gives the cosines with the cue.
struct TrainedHopfieldRetriever {
  static constexpr const char* no_sum = "its scores come of several steps, each a sum over all statements";

  HopfieldMaps maps = plain_hopfield_maps();
  int steps = 4;

  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    if (memory.statements() == 0) return no_recall(memory);
    const auto pairs = name_pairs(memory, cue);
    if (pairs.empty()) return from_statements(memory, memory.statement_scores(cue.activation));
    Vector statements = Vector::Zero(memory.statements());
    for (const NamePair& pair : pairs)
      statements = statements.cwiseMax(TrainedHopfield(memory, pair).recall(maps, steps));
    Recall recall = from_statements(memory, std::move(statements));
    recall.iterations = steps;
    return recall;
  }
};

}  // namespace

Method trained_hopfield_method() {
  using R = TrainedHopfieldRetriever;
  Declaration<R> declared(
      std::string(trained_hopfield_name), "hopfield",
      "modern Hopfield over the statements with maps that are learnt, as many steps as asked "
      "for, the cue kept; as it stands, untrained");
  declared.only_by_name().whole("steps", &R::steps, 1, 100, "iterations");
  for (std::size_t i = 0; i < hopfield_maps; ++i)
    declared.number(
        hopfield_map_name(i), [i](auto& r) -> auto& { return r.maps[i]; }, -largest_hopfield_map,
        largest_hopfield_map, hopfield_map_meaning(i));
  return declared;
}

Options options_of(const HopfieldMaps& maps, int steps) {
  Options options{{"steps", static_cast<double>(steps)}};
  for (std::size_t i = 0; i < hopfield_maps; ++i) options[hopfield_map_name(i)] = maps[i];
  return options;
}

}  // namespace engram::core
