// SPDX-License-Identifier: MIT
// What the makers of proof sets share: words, order, and questions whose proof is the only shortest way.
#pragma once

#include <functional>
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

/// `size` statements in `groups` parts as even as can be: how many the part has.
constexpr std::size_t part_of(std::size_t size, std::size_t groups, std::size_t part) {
  return size / groups + (part < size % groups ? 1 : 0);
}

}  // namespace engram::experiments
