// SPDX-License-Identifier: MIT
// Lines as ONA's shell prints them, so that programs that read those can read ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bridge/reasoner/knowledge.hpp"
#include "narsese/sentence.hpp"

namespace engram::experiments {

/// Prints terms and sentences in ONA's spelling. A compound of more than two components is nested by twos.
class OnaLines {
 public:
  using Stamp = std::span<const bridge::InputNumber>;

  std::string term(narsese::Term term);
  /// `<a =/> b>. :|: occurrenceTime=3 Priority=0.5 Stamp=[1,2] Truth: ..`, behind `dt=1.000000 ` if there is a delay.
  std::string knowledge(const narsese::Sentence& sentence, double priority, Stamp stamp);
  /// `Answer: b. :|: occurrenceTime=3 creationTime=4 Stamp=[1,2] Truth: ..`
  std::string answer(const narsese::Sentence& sentence, std::int64_t created, Stamp stamp);
  /// `^op executed with args ({SELF} * x)`, as ONA with a blank at the end if there are none.
  std::string execution(narsese::Term operation);
  /// A line of `*concepts`, with the terms that it is made of. `state`: members of JSON, such as `"priority": 0.5`.
  std::string concept_line(narsese::Term term, const std::string& state);

 private:
  std::string beginning(const narsese::Sentence& sentence);

  narsese::TermTable nested_;  // empty between two calls
};

/// `{1.000000 0.900000}`
std::string in_braces(const narsese::TruthValue& truth);

}  // namespace engram::experiments
