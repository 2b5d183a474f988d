// SPDX-License-Identifier: MIT
// Shared parts of the proof set generators: names, statement texts, question selection, and the search for unique
// shortest proofs.
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

/// Names that consist of a prefix and a number. The numbers are in random order, so that a name does not reveal the
/// position of its item.
class Names {
 public:
  Names(const std::string& prefix, std::size_t count, core::Rng& rng);
  std::string operator()(std::size_t item) const { return prefix_ + std::to_string(number_[item] + 1); }
  /// Text `(a * b)`.
  std::string pair(std::size_t a, std::size_t b) const;

 private:
  std::string prefix_;
  std::vector<std::uint32_t> number_;
};

/// Text `<subject --> predicate>`.
std::string inheritance_text(const std::string& subject, const std::string& predicate);
/// Text `<(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>`.
std::string rule_text(const std::string& a, const std::string& b, const std::string& c);

/// Text `<(*, a, b) --> relation>`.
std::string relation_text(const std::string& a, const std::string& b, const std::string& relation);
/// Text `<condition ==> conclusion>`, or `<(&&, condition, condition) ==> conclusion>` for several conditions.
std::string rule_text(const std::vector<std::string>& conditions, const std::string& conclusion);

/// Appends a statement. `truth` has the form of ProofSet::truths.
void say(ProofSet& set, std::string term, std::string truth = "");

/// Shuffles the statements and adjusts the indices in `needed`.
void shuffle(ProofSet& set, core::Rng& rng);

/// Directed graph with a statement for each link. A proof is a path.
class LinkGraph {
 public:
  struct Path {
    std::uint32_t end = 0;
    std::vector<std::size_t> statements;  // in the order of the path
  };

  explicit LinkGraph(std::size_t nodes) : links_(nodes) {}
  /// Adds a link. `statement` is the index of the statement that states it.
  void add(std::uint32_t from, std::uint32_t to, std::size_t statement);
  /// Nodes reachable from `from`, including itself, ascending.
  std::vector<std::uint32_t> reached(std::uint32_t from) const;
  /// Shortest paths from `from` that have `length` links and are unique, by ascending end.
  std::vector<Path> unique_paths(std::uint32_t from, std::size_t length) const;

 private:
  struct Link {
    std::uint32_t to = 0;
    std::size_t statement = 0;
  };
  std::vector<std::vector<Link>> links_;
};

/// Adds `count` distinct questions, or fewer if `draw` finds fewer. draw(turn) returns a random question for a turn in
/// 0 .. turns-1, or none. The next turn begins after each question, and after `patience` draws without a new question.
/// Cost     at most 4 patience count draws
void ask_in_turn(ProofSet& set, std::size_t count, std::size_t turns, std::size_t patience,
                 const std::function<std::optional<ProvenQuestion>(std::size_t turn)>& draw);

/// Adds `count` distinct questions, or fewer, about unique shortest paths of 2 to 5 links from random starts. The
/// four lengths alternate. `text` returns the question, which is also the answer. An empty text skips the path.
/// Cost     some tens of path searches for each question
void ask_paths(ProofSet& set, const LinkGraph& graph, std::span<const std::uint32_t> starts,
               std::size_t count, core::Rng& rng,
               const std::function<std::string(std::uint32_t start, const LinkGraph::Path&)>& text);

/// Application of a rule to ground statements. Callers number the ground statements; such a number is called an atom.
struct RuleUse {
  std::size_t rule = 0;                   // index into the statements
  std::vector<std::uint32_t> conditions;  // distinct atoms
  std::uint32_t conclusion = 0;           // atom
};

/// Shape of a proof.
struct ProofShape {
  std::size_t depth = 0;  // longest chain of rule uses
  bool branches = false;  // whether a rule use has at least two derived conditions
};

/// AND-OR graph of all proofs: atoms, the statements that state them, and the rule uses that derive them.
class ProofGraph {
 public:
  using Premises = std::vector<std::size_t>;  // statements, ascending

  explicit ProofGraph(std::size_t atoms) : told_(atoms), concluded_by_(atoms), used_in_(atoms) {}
  /// Adds a statement that states the atom.
  void tell(std::uint32_t atom, std::size_t statement) { told_[atom].push_back(statement); }
  /// Adds a rule use.
  void add(RuleUse use);
  /// Returns the premises of the shortest proof of `goal`: the fewest distinct statements, so that a rule used twice
  /// counts once. Returns an empty list if no proof has at most `most` statements, if the shortest proof is not unique,
  /// or if the search exceeds its bound. Otherwise the result is exact: sets of premises are visited by ascending size,
  /// and only supersets are pruned.
  /// `beside`  optional, for each atom: statements that every proof of the goal through this atom contains. The search
  ///           prunes with them. The entry of the goal is empty.
  /// Cost      at most 3,000 sets of premises
  Premises only_shortest_proof(std::uint32_t goal, std::size_t most,
                               const std::vector<Premises>& beside = {}) const;
  /// Shape of the shallowest proof of `goal` from these premises, which must suffice.
  ProofShape shape(std::uint32_t goal, const Premises& premises) const;

 private:
  std::vector<char> relevant_to(std::uint32_t goal) const;

  std::vector<Premises> told_;
  std::vector<RuleUse> uses_;
  std::vector<std::vector<std::size_t>> concluded_by_, used_in_;  // indices into uses_, for each atom
};

/// Number of statements in part `part` if `size` statements are split into `groups` parts as evenly as possible.
constexpr std::size_t part_of(std::size_t size, std::size_t groups, std::size_t part) {
  return size / groups + (part < size % groups ? 1 : 0);
}

}  // namespace engram::experiments
