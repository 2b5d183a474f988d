// SPDX-License-Identifier: MIT
// Checks that every generated proof set must pass.
#pragma once

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "tests/support/catch.hpp"

namespace engram::testing {

/// The .nal file of a set.
inline std::string nal_text(const experiments::ProofSet& set) {
  std::ostringstream out;
  write_nal(out, set, "heading");
  return out.str();
}

/// Checks that the questions are distinct, that the needed statements of each question prove its answer, and that no
/// proper subset does. The check leaves out one needed statement at a time. This is enough, because more premises never
/// remove a proof.
/// `proves`  whether the statements with the given indices prove an answer
template <class Proves>
void check_needed(const experiments::ProofSet& set, Proves proves) {
  std::set<std::string> asked;
  for (const experiments::ProvenQuestion& question : set.questions) {
    CHECK(asked.insert(question.question).second);
    CHECK(std::ranges::is_sorted(question.needed));
    CHECK(proves(question.needed, question.answer));
    for (const std::size_t left_out : question.needed) {
      std::vector<std::size_t> without = question.needed;
      std::erase(without, left_out);
      CHECK_FALSE(proves(without, question.answer));
    }
  }
}

/// Checks that a corpus accepts every line of the file and finds every premise.
inline void check_corpus(const experiments::ProofSet& set) {
  std::istringstream text(nal_text(set));
  const experiments::Corpus corpus = experiments::read_corpus(text, "generated", {});
  CHECK(corpus.rejected.empty());
  REQUIRE(corpus.questions.size() == set.questions.size());
  for (std::size_t q = 0; q < set.questions.size(); ++q) {
    CHECK(corpus.questions[q].needed() == set.questions[q].needed.size());
    CHECK(corpus.questions[q].expected.size() == 1);
  }
}

}  // namespace engram::testing
