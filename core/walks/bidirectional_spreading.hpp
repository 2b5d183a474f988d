// SPDX-License-Identifier: MIT
// Spreading activation from both ends of a question. Activation runs in waves from each name in the question, through
// statements to other names. Statements that waves from two ends reach lie on paths between the ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/path_search.hpp"

namespace engram::core {

/// Options of bidirectional spreading: range, decay and branching of the waves.
struct BidirectionalOptions {
  int steps = 6;                  // most statements on a path between two ends
  double decay = 0.1;             // factor for each further statement on a path
  double other_joints = 0.1;      // weight of steps between positions that no rule joins (see Joints)
  double fan = 16;                // a concept in more statements than this divides its activation among them
  double threshold = 1e-3;        // smallest activation that enters a statement; weaker pulses stop
  bool inverse_frequency = true;  // false: a concept passes its full activation to each of its statements
  bool belief = true;             // false: denied statements conduct as well as believed ones
  std::size_t visits = 500'000;   // most statements that the waves of one end visit after the first wave
};

/// Joints: the pairs of positions in statements that rules join, because both positions hold the same variable. A chain
/// of statements that follows joints looks like a proof, although no statement is derived. Two premises of a rule join
/// their positions; a conclusion carries a position of a premise. Joints through chains of rules follow by transitive
/// closure over positions.
class Joints {
 public:
  /// Finds all joints of these rules. With very many positions there are no joints at all.
  explicit Joints(const std::vector<RulePattern>& rules);

  /// Whether a rule, or a chain of rules, shares a variable between position p of one premise and position q of
  /// another.
  bool joined(Position p, Position q) const { return related(joined_, p, q); }
  /// Whether rules can carry the name at position q of a premise to position p of a conclusion, which may answer a
  /// question. Reflexive.
  bool carried(Position p, Position q) const { return p == q || related(carried_, p, q); }
  /// Whether any rule has a variable at position p. Such positions hold individuals, the others names of relations.
  bool is_open(Position p) const { return index_of(p) >= 0; }
  /// Whether no rule joins two positions. All steps between positions then have the same weight.
  bool empty() const { return !any_; }

 private:
  using Relation = std::vector<std::vector<char>>;
  int index_of(Position p) const;
  bool related(const Relation& relation, Position p, Position q) const;

  std::vector<Position> places_;  // ascending
  Relation joined_, carried_;
  bool any_ = false;
};

/// Scores statements by the paths between the ends of a cue. Use it to find the statements that connect the names of a
/// question. It works on the bipartite graph of statements and concepts. A pulse is activation that enters a statement
/// at one occurrence of a concept (one place in the statement) and leaves through another. With F_k(e, o) the pulse
/// that enters statement e at occurrence o in the k-th wave of an end, and B_j a pulse of another end,
///   F_0(e, o)       = g(n) t_e                 for each occurrence o of the end in a statement e
///   F_k+1(e', o')   = t_e' sum over (e, o) and q != o, e != e', of  F_k(e, o) w
///                                              with the concept at q of e equal to that at o' of e'; 0 below the
///                                              threshold
///   score(e)        = sum over pairs of ends, i + j < steps and o != o', of  decay^(i + j) F_i(e, o) B_j(e, o')
/// Here n is the number of statements that mention the concept, g(n) = min(1, fan / n), and t_e the expectation of e (1
/// without belief). The weight w is g(n) if rules join the two positions and other_joints / n otherwise; without
/// inverse_frequency it is 1 and other_joints. If no rule joins anything, all positions are joined except through an
/// operator, because two events are not related by sharing an operation. The ends are those of question_ends(), with
/// positions open by Joints. With a single end, or ends that never meet, the scores are the sums of what each end
/// reaches.
///   dense hubs      pulses that leave through a concept are summed before its statements are visited, once for all
///                   pulses. A wave takes the concepts with the strongest pulse to a statement first (ties: lower id)
///                   and skips a concept with more statements than are left of `visits`
///   narrow waves    if ends meet, a wave is limited to statements from which another end is still within reach. Only
///                   these statements count as visits. Scores are not affected
/// Shapes   -> (p), >= 0, 0 for rules
/// Cost     for each of at most 16 ends the pulses of its waves and O(visits) statements; MemoryIndex::occurrences(),
///          which are cached
/// Source   bidirectional search (Pohl 1971) with spreading activation (Collins & Loftus 1975) as its frontier
SparseVector spread_from_both_ends(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                   const BidirectionalOptions& options);

/// Summand of a statement's score: the contribution of two ends a and b whose waves meet in the statement, decay
/// included. The waves arrive after `a_statements` and `b_statements` statements, the statement itself included. For a
/// single end, b is a and b_statements 0. `path` is the strongest path of this contribution, from a through the
/// statement to b: concepts at even indices, statements at odd ones.
struct Meeting {
  ConceptId a = 0, b = 0;
  std::size_t a_statements = 0, b_statements = 0;
  double amount = 0;
  std::vector<std::uint32_t> path;
};

/// Returns the summands of the score that spread_from_both_ends() gives to a statement, for explanations.
std::vector<Meeting> meetings_at(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                 const BidirectionalOptions& options, StatementId statement);

/// Pulse: activation that entered a statement at one occurrence of a name.
struct Pulse {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;  // number of the occurrence in MemoryIndex::occurrences()
  double strength = 0;
};
/// Wave: the pulses of one step, ascending by occurrence, each occurrence once.
using Wave = std::vector<Pulse>;

/// Neighbourhood of some ends: the distances of statements and names from the nearest end, up to a radius. The distance
/// of a statement is the number of steps between it and the nearest statement that mentions an end. Waves use it to
/// skip statements from which they could not reach the end. The search stops early once the names it went through have
/// a quarter as many mentions as there are statements, or `most_mentions`: a wave then reaches almost everything, and
/// limits save nothing.
class Surroundings {
 public:
  static constexpr std::size_t most_mentions = std::size_t{1} << 16;  // chosen

  /// Searches from the ends up to `radius`, unless it stops early.
  /// Cost  the mentions of the names within the radius
  Surroundings(const MemoryIndex& memory, std::span<const QuestionEnd> ends, std::size_t radius);

  /// The number of radii that were searched completely: 0, 1, ... radii() - 1.
  std::size_t radii() const { return radii_; }
  /// Whether the distance of a statement is at most `within`, which must be below radii().
  bool has_statement(StatementId e, std::size_t within) const { return statements_.has(e, within); }
  /// Whether the distance of a name is at most `within`, which must be below radii().
  bool has_name(ConceptId id, std::size_t within) const { return names_.has(id, within); }

 private:
  struct Distances {
    IdNumbers ids;
    std::vector<std::size_t> radius;  // indexed by number
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

/// Computation of the waves of pulses that run from one end of a question, step by step.
class PulseWaves {
 public:
  PulseWaves(const MemoryIndex& memory, const Joints& joints, const BidirectionalOptions& options);

  /// Returns the waves from an end, until there are options.steps waves or one is empty. If `destination` is given, the
  /// neighbourhood of the other ends, wave k omits the statements that are more than steps - 1 - k from it; all other
  /// pulses have the same bits.
  std::vector<Wave> from(const QuestionEnd& end, const Surroundings* destination = nullptr);

  /// The path of the strongest pulses from an end to a pulse of its k-th wave, as ids: concept, statement, concept,
  /// ..., statement.
  std::vector<std::uint32_t> path_to(const QuestionEnd& end, const std::vector<Wave>& waves, std::size_t k,
                                     Pulse pulse) const;

 private:
  // The part of the surroundings that the next wave may enter.
  struct Within {
    const Surroundings& surroundings;
    std::size_t radius = 0;
    bool has_statement(StatementId e) const { return surroundings.has_statement(e, radius); }
    bool has_name(ConceptId id) const { return surroundings.has_name(id, radius); }
  };
  // Strength that leaves a statement through a name at a place.
  struct Leaving {
    ConceptId through = 0;
    Position position = 0;
    std::uint32_t place = 0, occurrence = 0;  // the first occurrence of the name at the place
    double strength = 0;
  };
  // Total strength that leaves through a name at one of its places.
  struct Outflow {
    std::uint32_t place = 0;
    double total = 0;
  };
  // A name that passes activation to its statements, with its outflows [first, last).
  struct Passage {
    ConceptId through = 0;
    std::size_t first = 0, last = 0;
    double by_rule = 0, otherwise = 0;  // weights w of joints that a rule has, and of the others
    double most = 0;                    // upper bound on a statement's share
  };

  Wave first_wave(const QuestionEnd& end) const;
  Wave next(const Wave& wave, const Within* within, std::size_t& visits);
  std::vector<Leaving> leave(const Wave& wave, const Within* within);
  std::vector<Passage> passages(std::span<const Leaving> leaving);
  Passage passage_through(std::span<const Leaving> by_one_name);
  void limit_visits(std::vector<Passage>& passages, std::size_t& visits) const;
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
  // State of the current wave.
  SparseSums leaving_;  // indexed by the first occurrence of a name at a place
  Wave entering_;
  std::vector<Outflow> outflows_;
  std::vector<double> weights_;  // of a passage's outflows, at the place that is entered
};

}  // namespace engram::core
