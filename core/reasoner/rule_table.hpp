// SPDX-License-Identifier: MIT
// The table of inference rules, and its parser.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "narsese/sentence.hpp"

namespace engram::core {

/// All rules, one in a line:  level | premises |- conclusion | truth function [, word]... | source
///
///   level       of NAL, 1 to 7
///   premises    one or two sentences, separated by `;`. The task may be either of them. A, B, C, M, P, R, S are any
///               terms, equal in all places up to unification. In a commutative compound of two letters, (&&,C,S), one
///               letter matches a component and the other matches the rest; in a set, {A,B}, the alphabetically first
///               letter matches the component. `?` marks a question, `!` a goal. A rule with a question as premise
///               concludes only answers to that question.
///   truth       a function of narsese/truth.hpp, with the premises in their order as arguments
///   asks        backward inference: from a question that matches the conclusion and a judgment that matches a premise,
///               the reasoner asks for the other premise. A premise that is a single letter matches no judgment here.
///   dependent   the #x of the first premise may be bound, and at least one must be
///   either      the #x of the implication or equivalence may be bound
///   overlap     the premises may share evidence. The conclusion is never surer than its premises, and revision counts
///               a shared input once. A rule may thus occur twice in a proof, as in OpenNARS. All other rules need
///               premises without shared evidence.
///   introducing a term that both parts of the conclusion share becomes a variable: $x if it occurs on both sides of an
///               implication, else #x. The confidence is multiplied by 0.9 for each variable after the first.
///   source      Wang: Wang 2013, "Non-Axiomatic Logic", for that level. OpenNARS: 3.0.4, org.opennars.inference.
std::string_view rule_table();

/// Pattern of a term in a rule: a letter, or a symbol with components.
struct TermPattern {
  static constexpr std::uint8_t no_letter = 0xFF;

  std::uint8_t letter = no_letter;  // its number within the rule
  narsese::TermLabel label;
  std::vector<TermPattern> parts;

  bool is_letter() const { return letter != no_letter; }
};

/// Pattern of a sentence in a rule.
struct SentencePattern {
  TermPattern term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
};

/// Truth value of a conclusion from the truth values of two premises.
using TruthFunction = narsese::TruthValue (*)(narsese::TruthValue, narsese::TruthValue);

/// A parsed inference rule.
struct Rule {
  static constexpr std::size_t max_letters = 8;

  int level = 1;
  std::vector<SentencePattern> premises;  // one or two
  SentencePattern conclusion;
  std::string_view truth_name;
  TruthFunction truth =
      nullptr;  // ignores its second argument if there is one premise, or the second is a question
  bool asks = false, dependent = false, either = false, introducing = false, overlap = false;
  /// Whether the conclusion is informative: not a guess from weak evidence, not a mere composition of the premises, and
  /// not the same statement in another form. True for deduction, analogy, resemblance, decomposition by a second
  /// premise, anonymous analogy, and all rules for goals.
  bool strong = false;
  std::string_view line;
};

/// Parses a table.
/// Errors  std::logic_error with the line
std::vector<Rule> read_rules(std::string_view table);

}  // namespace engram::core
