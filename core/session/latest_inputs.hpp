// SPDX-License-Identifier: MIT
// The last sentences that a memory took in, for people who look at it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// The last sentences, questions among them, as they were said. Statements are kept by their numbers, so that a
/// sentence costs no more than to copy its truth value; what is no statement, as text.
class LatestInputs {
 public:
  static constexpr std::size_t most = 20;  // chosen: what a page shows at a glance
  static constexpr std::size_t most_question_bytes =
      1024;  // chosen; a longer question is cut, and ends with "..."

  /// `statement`: what the sentence has become, if it is one.
  void add(const narsese::Sentence& sentence, std::optional<StatementId> statement);
  /// Of the memory that took them in, the latest last.
  std::vector<std::string> texts(const Memory& memory) const;
  /// Forgets what the memory has forgotten; all others keep their places.
  void follow(const Renumbering& numbers);

 private:
  struct Said {
    narsese::Sentence sentence = {};  // without its term
    std::optional<StatementId> statement = {};
    std::string text = {};  // of what is no statement; empty: forgotten, or nothing yet
  };
  std::array<Said, most> said_;  // the next one's place is that of the oldest
  std::size_t next_ = 0;
};

}  // namespace engram::core
