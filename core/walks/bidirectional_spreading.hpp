// SPDX-License-Identifier: MIT
// Spreading activation from both ends of a question: what both reach lies between them.
#pragma once

#include <cstddef>
#include <vector>

#include "core/retrieval/memory_index.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// How far waves from two ends go, and how they fade.
struct BidirectionalOptions {
  int steps = 6;              // statements that a path from one end to the other has at most
  double decay = 0.1;         // a longer path counts this much less for each statement more
  double other_joints = 0.1;  // of joints that no rule has
  double fan = 16;            // a concept in more statements than this shares its activation out among them
  double threshold = 1e-3;    // fainter pulses stop
  bool inverse_frequency = true;  // else a concept passes all of its activation to each of its statements
  bool belief = true;             // else what is denied conducts as well as anything
  std::size_t visits = 500'000;   // statements that waves from one end look at, those that name it aside
};

/// How premises of rules hang together, as places: which place of one statement a rule joins with which of
/// another, and from which place of its premises a place of a conclusion is taken. What holds for conclusions
/// of conclusions follows by closure over places; nothing is concluded from any statement.
class Joints {
 public:
  explicit Joints(const std::vector<RulePattern>& rules);

  /// Whether a rule, or rules one upon the other, share a variable between p of one premise and q of another.
  bool joined(Position p, Position q) const { return related(joined_, p, q); }
  /// Whether what stands at p of a question may come from q of a premise; every place from itself.
  bool carried(Position p, Position q) const { return p == q || related(carried_, p, q); }
  /// Whether rules have variables there: such places are filled by individuals, others by names of relations.
  bool is_open(Position p) const { return index_of(p) >= 0; }
  /// No rule joins anything: then all joints are alike.
  bool empty() const { return !any_; }

 private:
  using Relation = std::vector<std::vector<char>>;
  int index_of(Position p) const;
  bool related(const Relation& relation, Position p, Position q) const;

  std::vector<Position> places_;  // ascending
  Relation joined_, carried_;
  bool any_ = false;
};

/// Scores of the statements that are no rules, by the paths between the ends of a cue, in a bipartite graph
/// of statements and the concepts in them. A pulse enters a statement at one concept and leaves by another:
///   F_0(e, o)       = g(n) t_e                 for each occurrence o of the end in a statement e
///   F_k+1(e', o')   = t_e' sum over (e, o) and q != o, e != e', of  F_k(e, o) w
///                                              where the concept at q of e is at o' of e'; 0 if below the
///                                              threshold
///   score(e)        = sum over pairs of ends, i + j < steps and o != o', of
///                                              decay^(i + j) F_i(e, o) B_j(e, o')
/// with n the statements that mention the concept, g(n) = min(1, fan / n), w = g(n) where rules join the two
/// places and other_joints / n where none does (without inverse_frequency 1 and other_joints), and t_e the
/// expectation of e (what is denied conducts little; without belief 1). If no rule joins anything, all places
/// are joined, but not through an operator: two events are not linked by what is done in both. Ends are the
/// cue's concepts that stand where rules have variables, if there are two; else all but operators, which are
/// hubs, if there are two; else all. One end alone, or ends that nothing joins, give the sum of what each
/// reaches.
///   dense hubs      pulses that leave by a concept are added up before its statements are looked at, once
///                   for all of them. A wave goes through the concepts whose statements get most of it first
///                   (ties: the lower id); one with more statements than are left of `visits` is passed over
///   narrow waves    where ends meet, of a wave no more is worked out than can still come to another end in
///                   the steps that are left, and only that counts as visited: no other score is touched
/// Shapes   -> (p), >= 0, 0 for rules
/// Cost     for each of at most 16 ends what its waves come to, and at most O(visits) statements looked at;
///          MemoryIndex::occurrences(), which are kept
/// Source   bidirectional search (Pohl 1971) with spreading activation (Collins & Loftus 1975) for its
///          frontier
SparseVector spread_from_both_ends(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                   const BidirectionalOptions& options);

/// A part of such a score: what two ends come to in a statement, `a_statements` and `b_statements` away from
/// them, decay and all; of one end alone b is a and b_statements 0. The way is the strongest of those it
/// stands for: from a to the statement and on to b, statements at odd places and concepts at even ones.
struct Meeting {
  ConceptId a = 0, b = 0;
  std::size_t a_statements = 0, b_statements = 0;
  double amount = 0;
  std::vector<std::uint32_t> way;
};

/// What the score of one statement is the sum of.
std::vector<Meeting> meetings_at(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                 const BidirectionalOptions& options, StatementId statement);

}  // namespace engram::core
