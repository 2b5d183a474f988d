// SPDX-License-Identifier: MIT
// What the makers of proof sets share: words, order, questions in turn, and the search for only shortest proofs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {

/// A prefix and a number; numbers stand in random order, so that a name says nothing of its place.
class Names {
 public:
  Names(const std::string& prefix, std::size_t count, core::Rng& rng);
  std::string operator()(std::size_t item) const { return prefix_ + std::to_string(number_[item] + 1); }
  /// (a * b)
  std::string pair(std::size_t a, std::size_t b) const;

 private:
  std::string prefix_;
  std::vector<std::uint32_t> number_;
};

/// <subject --> predicate>
std::string inheritance_text(const std::string& subject, const std::string& predicate);
/// <(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>
std::string rule_text(const std::string& a, const std::string& b, const std::string& c);

/// <(*, a, b) --> relation>
std::string relation_text(const std::string& a, const std::string& b, const std::string& relation);
/// <condition ==> conclusion>, or <(&&, condition, condition) ==> conclusion> if there are several conditions.
std::string rule_text(const std::vector<std::string>& conditions, const std::string& conclusion);

/// Adds a statement, with a truth as ProofSet has them.
void say(ProofSet& set, std::string term, std::string truth = "");

/// Puts statements into random order; what is needed follows.
void shuffle(ProofSet& set, core::Rng& rng);

/// Statements as links of a directed graph: a proof is a way along links.
class LinkGraph {
 public:
  struct Way {
    std::uint32_t end = 0;
    std::vector<std::size_t> statements;  // in their order along the way
  };

  explicit LinkGraph(std::size_t nodes) : links_(nodes) {}
  void add(std::uint32_t from, std::uint32_t to, std::size_t statement);
  /// Where `from` leads, itself too, ascending.
  std::vector<std::uint32_t> reached(std::uint32_t from) const;
  /// The shortest ways from `from` that have `length` links, to ends that have one shortest way; ends ascend.
  std::vector<Way> single_ways(std::uint32_t from, std::size_t length) const;

 private:
  struct Link {
    std::uint32_t to = 0;
    std::size_t statement = 0;
  };
  std::vector<std::vector<Link>> links_;
};

/// Adds `count` different questions, or fewer if `draw` finds fewer. `draw` draws a question for a turn below
/// `turns`, or none. The next turn comes after each question, and after `patience` draws without one.
/// Cost     at most 4 patience count draws
void ask_in_turn(ProofSet& set, std::size_t count, std::size_t turns, std::size_t patience,
                 const std::function<std::optional<ProvenQuestion>(std::size_t turn)>& draw);

/// Questions whose proofs have `shortest` to `longest` statements, in turn where there are such.
struct WayQuestions {
  std::size_t count = 40, shortest = 2, longest = 5;
};

/// Asks for single ways from random starts; no question twice. `text` is both question and answer; empty: it
/// is not to be asked.
/// Cost     for a question, the ways from some tens of starts
void ask_ways(ProofSet& set, const LinkGraph& graph, std::span<const std::uint32_t> starts,
              const WayQuestions& wanted, core::Rng& rng,
              const std::function<std::string(std::uint32_t start, const LinkGraph::Way&)>& text);

/// An application of a rule to ground statements. The caller numbers these, as atoms.
struct RuleUse {
  std::size_t rule = 0;                   // index into the statements
  std::vector<std::uint32_t> conditions;  // atoms, each once
  std::uint32_t conclusion = 0;           // atom
};

/// The form of a proof.
struct ProofShape {
  std::size_t depth = 0;  // longest chain of rule uses
  bool branches = false;  // whether some use has at least two conditions that are derived
};

/// AND-OR graph of all proofs: which atoms are told, and which follow from which by a rule.
class ProofGraph {
 public:
  using Premises = std::vector<std::size_t>;  // statements, ascending

  explicit ProofGraph(std::size_t atoms) : told_(atoms), concluded_by_(atoms), used_in_(atoms) {}
  void tell(std::uint32_t atom, std::size_t statement) { told_[atom].push_back(statement); }
  void add(RuleUse use);
  /// Premises of the shortest proof of `goal`: fewest distinct statements, a rule used twice counts once.
  /// Empty if no proof has at most `most` statements, if several are shortest, or if the search exceeds its bound.
  /// It is exact otherwise: sets of premises come in ascending order of size, and only supersets are dropped.
  /// `beside`, unless empty, holds for each atom statements that every proof of the goal over this atom contains;
  /// the search then leaves out what cannot be part of a proof of `most` statements. The goal has none.
  /// Cost     at most 3,000 sets of premises
  Premises only_shortest_proof(std::uint32_t goal, std::size_t most,
                               const std::vector<Premises>& beside = {}) const;
  /// The shape of the least deep proof of `goal` from these premises, which must suffice.
  ProofShape shape(std::uint32_t goal, const Premises& premises) const;

 private:
  std::vector<char> relevant_to(std::uint32_t goal) const;

  std::vector<Premises> told_;
  std::vector<RuleUse> uses_;
  std::vector<std::vector<std::size_t>> concluded_by_, used_in_;  // of each atom, indices into uses_
};

/// `size` statements in `groups` parts as even as can be: how many the part has.
constexpr std::size_t part_of(std::size_t size, std::size_t groups, std::size_t part) {
  return size / groups + (part < size % groups ? 1 : 0);
}

}  // namespace engram::experiments
