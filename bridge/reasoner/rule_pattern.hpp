// SPDX-License-Identifier: MIT
// The lines of the rule table, read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "narsese/sentence.hpp"

namespace engram::bridge {

/// A term of a rule: a letter, or a symbol with components.
struct TermPattern {
  static constexpr std::uint8_t no_letter = 0xFF;

  std::uint8_t letter = no_letter;  // its number within the rule
  narsese::TermLabel label;
  std::vector<TermPattern> parts;
};

/// A sentence with places that rules fill.
struct SentencePattern {
  TermPattern term;
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
};

/// Truth of a conclusion, from that of two premises.
using TruthFunction = narsese::TruthValue (*)(narsese::TruthValue, narsese::TruthValue);

/// A rule of inference: one or two premises, what follows, and how true it is.
struct Rule {
  static constexpr std::size_t most_letters = 8;

  int level = 1;
  std::vector<SentencePattern> premises;  // one or two
  SentencePattern conclusion;
  std::string_view truth_name;
  TruthFunction truth = nullptr;  // the second premise's is left out where there is one, or it is a question
  bool asks = false, dependent = false, either = false, introducing = false, overlap = false;
  /// The conclusion is no guess from weak evidence, nor only composed or written in another way: deduction, analogy,
  /// resemblance, what is taken apart by a second premise, anonymous analogy, and all rules of goals.
  bool strong = false;
  std::string_view line;
};

/// Errors  std::logic_error, with the line
std::vector<Rule> read_rules(std::string_view table);

}  // namespace engram::bridge
