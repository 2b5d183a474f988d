// SPDX-License-Identifier: MIT
// Waves of activation that go out from the end of a question, statement by statement. What they are is said in
// core/walks/bidirectional_spreading.hpp, of which they are a part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/sparse_sums.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/bidirectional_spreading.hpp"
#include "core/walks/question_ends.hpp"

namespace engram::core {

/// Activation that has come into a statement at an occurrence of a name.
struct Pulse {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;  // among Occurrences::all()
  double strength = 0;
};
/// The pulses of one step.
using Wave = std::vector<Pulse>;  // ascending by occurrence, each once

/// How far from some ends statements are, and the names in them: how many statements at most part them from
/// those that name one of the ends. As far as it was looked: up to a radius, and as far as the names gone
/// through are mentioned less than a quarter as often as there are statements, and less than `most_mentions`
/// times: where a wave may come almost everywhere, nothing is saved.
class Surroundings {
 public:
  static constexpr std::size_t most_mentions = std::size_t{1} << 16;  // chosen

  /// Cost  that of what it looks at
  Surroundings(const MemoryIndex& memory, std::span<const QuestionEnd> ends, std::size_t radius);

  /// Radii from 0 on that were looked at.
  std::size_t radii() const { return radii_; }
  /// Whether it is so near.
  bool has_statement(StatementId e, std::size_t within) const { return statements_.has(e, within); }
  /// Whether it is so near.
  bool has_name(ConceptId id, std::size_t within) const { return names_.has(id, within); }

 private:
  struct Distances {
    IdNumbers ids;
    std::vector<std::size_t> radius;  // by number
    bool insert(std::uint32_t id, std::size_t at) {
      const bool is_new = ids.insert(id).second;
      if (is_new) radius.push_back(at);
      return is_new;
    }
    bool has(std::uint32_t id, std::size_t within) const {
      const auto number = ids.find(id);
      return number && radius[*number] <= within;
    }
  };
  Distances statements_, names_;
  std::size_t radii_ = 0;
};

/// Where waves may go: what is within a radius of the other ends.
struct Within {
  const Surroundings& surroundings;
  std::size_t radius = 0;
  /// Whether it is within the radius.
  bool has_statement(StatementId e) const { return surroundings.has_statement(e, radius); }
  /// Whether it is within the radius.
  bool has_name(ConceptId id) const { return surroundings.has_name(id, radius); }
};

/// Waves of pulses from an end of a question, step by step.
class PulseWaves {
 public:
  PulseWaves(const MemoryIndex& memory, const Joints& joints, const BidirectionalOptions& options);

  /// The waves from an end, until there are `steps` or one is empty. Where they go is given, wave k leaves out
  /// what is further from there than waves from there can come in steps - 1 - k more: the rest is the same to
  /// the last bit.
  std::vector<Wave> from(const QuestionEnd& end, const Surroundings* destination = nullptr);

  /// From an end to a pulse of its k-th wave, by the strongest pulses: concept, statement, ..., statement.
  std::vector<std::uint32_t> way_to(const QuestionEnd& end, const std::vector<Wave>& waves, std::size_t k,
                                    Pulse pulse) const;

 private:
  // What leaves a statement by a name in a place.
  struct Leaving {
    ConceptId through = 0;
    Position position = 0;
    std::uint32_t place = 0, occurrence = 0;  // the first such
    double strength = 0;
  };
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
  Wave next(const Wave& wave, const Within* within, std::size_t& visits);
  std::vector<Leaving> leave(const Wave& wave, const Within* within);
  std::vector<Passage> passages(std::span<const Leaving> leaving);
  Passage passage_through(std::span<const Leaving> by_one_name);
  void leave_out_what_exceeds(std::vector<Passage>& passages, std::size_t& visits) const;
  void pass_on(const Passage& passage, const Within* within);
  double set_weights(const Passage& passage, std::uint32_t place);
  template <class Own>
  double share(const Passage& passage, const Own& own) const;
  double share_of(StatementId e, const Passage& passage) const;

  double passed(const Pulse& pulse, StatementId to, const Occurrence& entered) const;
  Position position(std::uint32_t place) const { return occurrences_.position(place); }
  bool may_be_joined(ConceptId through, std::uint32_t left) const;
  bool joined_at(ConceptId through, std::uint32_t left, std::uint32_t entered) const;
  std::size_t mentions(ConceptId id) const { return memory_.mentions(id).size(); }
  double weight(ConceptId id, bool joined) const;
  double believed(StatementId e, double strength) const {
    return options_.belief ? strength * memory_.expectation(e) : strength;
  }

  const MemoryIndex& memory_;
  const Occurrences& occurrences_;
  const Joints& joints_;
  const BidirectionalOptions& options_;
  // Of the wave that is under way.
  SparseSums leaving_;  // by occurrence, the first of a name in a place
  Wave entering_;
  std::vector<Outflow> outflows_;
  std::vector<double> weights_;  // of a passage's outflows, at the place that is entered
};

}  // namespace engram::core
