// SPDX-License-Identifier: MIT
// Application of the inference rules to one or two premises.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/reasoner/term_making.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// A sentence as a premise.
struct Premise {
  narsese::Term term;
  narsese::Term renamed;  // the term with its variables renamed apart (rename_apart)
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;  // of judgments and goals
};

/// A conclusion of a rule.
struct Conclusion {
  narsese::Term term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;
  std::uint16_t rule = 0;  // for InferenceRules::name
  bool strong = true;      // of a strong rule (Rule), or a question
};

/// The rules of rule_table(), indexed by the copulas and connectors of their premises. Use it from one thread at a
/// time.
class InferenceRules {
 public:
  /// Smallest confidence of a conclusion: OpenNARS's TRUTH_EPSILON.
  static constexpr double min_confidence = 0.01;
  /// Most conclusions of one pair of premises, by all rules.
  static constexpr std::size_t max_conclusions = 256;
  /// Most matching steps for one rule and pair of premises.
  static constexpr std::size_t max_match_steps = 4096;

  /// Cost    the first call of the process parses the table
  InferenceRules(narsese::TermTable& table, const TermLimits& limits);
  ~InferenceRules();

  /// Appends the conclusions from both premises, in either role. A conclusion that repeats a premise is omitted, and so
  /// is a second one with the same truth value. Terms must be in canonical form (narsese::number_variables). Set
  /// `overlap` if the premises share evidence; then only rules marked `overlap` apply.
  /// Cost  O(rules for their copulas and connectors)
  void apply(const Premise& task, const Premise& belief, bool overlap, std::vector<Conclusion>& conclusions);
  /// Appends the conclusions from one premise.
  void apply(const Premise& task, std::vector<Conclusion>& conclusions);

  /// Name of the truth function of a rule, such as "deduction".
  std::string_view name(std::uint16_t rule) const;
  /// Line of the table that defines a rule.
  std::string_view line(std::uint16_t rule) const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace engram::core
