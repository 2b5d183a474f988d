// SPDX-License-Identifier: MIT
// The rules of the table, ready to be applied: what follows from two sentences, or from one.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bridge/reasoner/term_making.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// A sentence as a premise.
struct Premise {
  narsese::Term term;
  narsese::Term
      apart;  // its variables renamed (bridge/reasoner/unifier.hpp); the term itself where it has none
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;  // of judgments and goals
};

/// What follows.
struct Conclusion {
  narsese::Term term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;
  std::uint16_t rule = 0;  // for InferenceRules::name
  bool strong = true;      // no guess, and not only composed of its premises; or a question
};

/// Applies rules. One thread at a time.
class InferenceRules {
 public:
  /// Conclusions of less confidence are not drawn: OpenNARS's TRUTH_EPSILON.
  static constexpr double min_confidence = 0.01;
  /// Of one pair of premises, by all rules.
  static constexpr std::size_t most_conclusions = 256;
  /// Places at which premises are compared, for one rule and pair.
  static constexpr std::size_t most_matching = 4096;

  /// Of the table's rules those up to a level of NAL, 1 to 8.
  /// Cost    the first of a level reads the table
  /// Errors  std::logic_error for a table that cannot be read, with the line
  InferenceRules(narsese::TermTable& table, int level, const TermLimits& limits);
  InferenceRules(InferenceRules&&) noexcept;
  InferenceRules& operator=(InferenceRules&&) noexcept;
  ~InferenceRules();

  /// Appends what follows from both, in either role; nothing that one of them says already, nothing twice with the same
  /// truth value. Terms are in canonical form (narsese::number_variables). `overlap`: both rest on one input, so that only
  /// rules apply that never count it twice.
  /// Cost  O(rules for their copulas and connectors)
  void apply(const Premise& task, const Premise& belief, bool overlap, std::vector<Conclusion>& conclusions);
  /// What follows from one.
  void apply(const Premise& task, std::vector<Conclusion>& conclusions);

  /// "deduction", ...; and the line of the table.
  std::string_view name(std::uint16_t rule) const;
  /// The line of the table that it is.
  std::string_view line(std::uint16_t rule) const;
  std::size_t size() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace engram::bridge
