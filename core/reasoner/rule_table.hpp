// SPDX-License-Identifier: MIT
// The inference rules as a table in text form, and its parser.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "narsese/sentence.hpp"

namespace engram::core {

/// Returns the text of the rule table, which defines the logic of the reasoner. Each line is a rule:
///   level | premises |- conclusion | truth function [, word]... | source
///
///   level       of NAL, 1 to 7
///   premises    one or two sentences, separated by `;`. The task (the sentence that the reasoner works on) may be
///               either of them. The letters A, B, C, M, P, R, S stand for any terms; the same letter means equal
///               terms, up to unification. In a commutative compound of two letters, (&&,C,S), one letter matches a
///               component and the other matches the rest; in a set, {A,B}, the alphabetically first letter matches the
///               component. `?` marks a question, `!` a goal. A rule with a question as premise concludes only answers
///               to that question.
///   truth       a function of narsese/truth.hpp, with the premises in their order as arguments
///   source      Wang: Wang 2013, "Non-Axiomatic Logic", for that level. OpenNARS: 3.0.4, org.opennars.inference.
/// The words after the truth function extend a rule:
///   asks        backward inference: from a question that matches the conclusion and a judgment that matches one
///               premise, the reasoner asks for the other premise. A premise that is a single letter matches no
///               judgment here.
///   dependent   unification may bind the #x of the first premise, and must bind at least one
///   either      unification may bind the #x of the implication or equivalence
///   overlap     the premises may share evidence. The conclusion never gets a higher confidence than its premises, and
///               revision counts a shared input once. A rule may thus occur twice in a proof, as in OpenNARS. All other
///               rules need premises without shared evidence.
///   introducing a term that both parts of the conclusion share becomes a variable: $x if it occurs on both sides of an
///               implication, else #x. The confidence is multiplied by 0.9 for each variable after the first.
std::string_view rule_table();

/// Pattern of a term in a rule: a letter that stands for any term, or a symbol with component patterns.
struct TermPattern {
  static constexpr std::uint8_t no_letter = 0xFF;

  std::uint8_t letter = no_letter;  // number of the letter within the rule, or no_letter
  narsese::TermLabel label;
  std::vector<TermPattern> parts;

  bool is_letter() const { return letter != no_letter; }
};

/// Pattern of a premise or conclusion in a rule.
struct SentencePattern {
  TermPattern term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
};

/// A truth function: computes the truth value of a conclusion from the truth values of two premises.
using TruthFunction = narsese::TruthValue (*)(narsese::TruthValue, narsese::TruthValue);

/// A parsed inference rule. The flags asks, dependent, either, introducing and overlap are the words in rule_table().
struct Rule {
  static constexpr std::size_t max_letters = 8;

  int level = 1;
  std::vector<SentencePattern> premises;  // one or two
  SentencePattern conclusion;
  std::string_view truth_name;
  TruthFunction truth = nullptr;  // ignores the second argument if only one premise has a truth value
  bool asks = false, dependent = false, either = false, introducing = false, overlap = false;
  /// Whether the rule is strong: its conclusion is informative. A conclusion is not informative if it is a guess from
  /// weak evidence, a mere composition of the premises, or the same statement in another form. Strong are deduction,
  /// analogy, resemblance, decomposition by a second premise, anonymous analogy, and all rules for goals.
  bool strong = false;
  std::string_view line;  // the line of the table
};

/// Parses a table in the format of rule_table().
/// Errors  std::logic_error with the invalid line
std::vector<Rule> read_rules(std::string_view table);

}  // namespace engram::core
