// SPDX-License-Identifier: MIT
// Application of the inference rules of NAL (core/reasoner/rule_table.hpp) to one or two premises.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/reasoner/term_making.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// A sentence as a premise, in the form that InferenceRules needs.
struct Premise {
  narsese::Term term;
  narsese::Term renamed;  // the term with distinct variables (rename_apart); used if it is the belief
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;  // truth value of judgments, desire value of goals
};

/// A conclusion that a rule draws from premises.
struct Conclusion {
  narsese::Term term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  narsese::TruthValue truth;
  std::uint16_t rule = 0;  // the rule, for InferenceRules::name()
  bool strong = true;      // whether its rule is strong (Rule::strong), or it is a question
};

/// Inference engine: applies the rules of rule_table(), which it indexes by the copulas and connectors of their
/// premises. Use it from one thread at a time.
class InferenceRules {
 public:
  /// Smallest confidence of a conclusion; others are dropped. OpenNARS's TRUTH_EPSILON.
  static constexpr double min_confidence = 0.01;
  /// Most conclusions from one pair of premises, by all rules together.
  static constexpr std::size_t max_conclusions = 256;
  /// Most steps of pattern matching for one rule and one pair of premises.
  static constexpr std::size_t max_match_steps = 4096;

  /// `table`   holds the premises, and gets the terms of conclusions; it must outlive this object
  /// `limits`  on the terms of conclusions
  /// Cost      the first call in a process parses the rule table
  InferenceRules(narsese::TermTable& table, const TermLimits& limits);
  ~InferenceRules();

  /// Appends the conclusions that follow from both premises, in either order. Omits a conclusion that repeats a
  /// premise, and repetitions with the same truth value. Terms must be in canonical form (narsese::number_variables).
  /// `overlap`  whether the premises share evidence; if so, only rules marked `overlap` in the rule table apply
  /// Cost  O(rules for their copulas and connectors)
  void apply(const Premise& task, const Premise& belief, bool overlap, std::vector<Conclusion>& conclusions);
  /// Appends the conclusions that follow from one premise.
  void apply(const Premise& task, std::vector<Conclusion>& conclusions);

  /// Name of the truth function of a rule, such as "deduction". `rule` is Conclusion::rule.
  std::string_view name(std::uint16_t rule) const;
  /// Line of the rule table that defines a rule. `rule` is Conclusion::rule.
  std::string_view line(std::uint16_t rule) const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace engram::core
