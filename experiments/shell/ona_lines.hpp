// SPDX-License-Identifier: MIT
// Output in the format of ONA's shell, so that programs that read ONA's output can read ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/reasoner/knowledge.hpp"
#include "narsese/sentence.hpp"

namespace engram::experiments {

/// Prints terms and sentences in ONA's syntax. Compounds of more than two components become nested pairs.
class OnaLines {
 public:
  using Stamp = std::span<const core::InputNumber>;

  std::string term(narsese::Term term);
  /// Prints a sentence: `<a =/> b>. :|: occurrenceTime=3 Priority=0.5 Stamp=[1,2] Truth: ..`. If it has a delay,
  /// `dt=1.000000 ` comes first.
  std::string knowledge(const narsese::Sentence& sentence, double priority, Stamp stamp);
  /// Prints an answer: `Answer: b. :|: occurrenceTime=3 creationTime=4 Stamp=[1,2] Truth: ..`.
  std::string answer(const narsese::Sentence& sentence, std::int64_t created, Stamp stamp);
  /// Prints an execution: `^op executed with args ({SELF} * x)`. Without arguments the line ends with a blank, as in
  /// ONA.
  std::string execution(narsese::Term operation);
  /// Prints a line of `*concepts`: the term with its components. `state` is a list of JSON members, such as
  /// `"priority": 0.5`.
  std::string concept_line(narsese::Term term, const std::string& state);

 private:
  std::string beginning(const narsese::Sentence& sentence);

  narsese::TermTable nested_;  // terms of the line being printed; empty between calls
};

/// Prints a truth value: `{1.000000 0.900000}`.
std::string in_braces(const narsese::TruthValue& truth);

}  // namespace engram::experiments
