// SPDX-License-Identifier: MIT
// Waves of activation that go out from the end of a question, statement by statement. What they are is said in
// core/walks/bidirectional_spreading.hpp, of which they are a part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/id_set.hpp"
#include "core/numbers/work.hpp"
#include "core/numbers/zeros.hpp"
#include "core/walks/bidirectional_spreading.hpp"
#include "core/walks/question_ends.hpp"

namespace engram::core {

/// Activation that has come into a statement at an occurrence of a name.
struct Pulse {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;  // among Occurrences::all()
  double strength = 0;
};
using Wave = std::vector<Pulse>;  // ascending by occurrence, each once

/// Statements that no more than so many others part from some ends, and the names in them.
struct Surroundings {
  IdSet statements, names;
};

/// Element r: what r statements at most part from the statements that name one of the ends; up to `radius`, and
/// as far as the names gone through are mentioned less than a quarter as often as there are statements: where
/// a wave may come almost everywhere, nothing is saved.
/// Cost  O(p) at most, and (n + p) / 8 bytes an element
std::vector<Surroundings> surroundings(const Readings& memory, std::span<const QuestionEnd> ends,
                                       std::size_t radius);

class PulseWaves {
 public:
  PulseWaves(const Readings& memory, const Joints& joints, const BidirectionalOptions& options);

  /// The waves from an end, until there are `steps` or one is empty. Where they go is given, wave k leaves out
  /// what is further from there than waves from there can come in steps - 1 - k more: the rest is the same to
  /// the last bit.
  std::vector<Wave> from(const QuestionEnd& end, std::span<const Surroundings> destination);

  /// From an end to a pulse of its k-th wave, by the strongest pulses: concept, statement, ..., statement.
  std::vector<std::uint32_t> way_to(const QuestionEnd& end, const std::vector<Wave>& waves, std::size_t k,
                                    Pulse pulse) const;

 private:
  // All that leaves by a name from one of its places.
  struct Outflow {
    std::uint32_t place = 0;
    double total = 0;
  };
  // A name that passes activation on to its statements, by its outflows [first, last).
  struct Passage {
    ConceptId through = 0;
    std::size_t first = 0, last = 0;
    double by_rule = 0, otherwise = 0;  // w, of joints that a rule has and of others
    double most = 0;                    // that any of its statements can get
  };

  Wave first_wave(const QuestionEnd& end) const;
  Wave next(const Wave& wave, const Surroundings* within, std::size_t& visits);
  void leave(const Wave& wave, const Surroundings* within);
  std::vector<Passage> passages();
  Passage passage_through(ConceptId id);
  void leave_out_what_exceeds(std::vector<Passage>& passages, std::size_t& visits) const;
  void pass_on(const Passage& passage, const Surroundings* within);
  double set_weights(const Passage& passage, std::uint32_t place);
  template <class Own>
  double share(const Passage& passage, const Own& own) const;
  double share_of(StatementId e, const Passage& passage) const;
  Wave entered();

  double passed(const Pulse& pulse, StatementId to, const Occurrence& entered) const;
  Position position(std::uint32_t place) const { return occurrences_.positions()[place]; }
  bool may_be_joined(ConceptId through, std::uint32_t left) const;
  bool joined_at(ConceptId through, std::uint32_t left, std::uint32_t entered) const;
  std::size_t mentions(ConceptId id) const { return memory_.mentions.columns_of(id).size(); }
  double weight(ConceptId id, bool joined) const;
  double believed(StatementId e, double strength) const {
    return options_.belief ? strength * memory_.expectation[e] : strength;
  }

  const Readings& memory_;
  const Occurrences& occurrences_;
  const Joints& joints_;
  const BidirectionalOptions& options_;
  Claim bytes_;
  // Of the wave that is under way; between waves all is empty.
  Zeros leaving_;   // by mention: what leaves a statement by a name in a place
  Zeros entering_;  // by occurrence
  IdSet left_by_;   // names by which anything leaves
  IdSet entered_;   // statements
  std::vector<Outflow> outflows_;
  std::vector<double> weights_;  // of a passage's outflows, at the place that is entered
};

}  // namespace engram::core
