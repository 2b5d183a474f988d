// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/imports/knowledge.hpp"
#include "experiments/imports/questions.hpp"
#include "narsese/dialect.hpp"
#include "narsese/truth.hpp"

namespace engram::experiments {

/// Options for write_knowledge().
struct WritingOptions {
  std::string heading;                          // first comment of the file: how it was made
  narsese::Dialect to = narsese::Dialect::any;  // `any`: the canonical spelling
  std::optional<narsese::TruthValue> truth;     // of each claim; empty: the default of the NARS
};

/// Text of a .nal file, and statistics about its creation.
struct WrittenKnowledge {
  std::string text;
  std::size_t statements = 0;
  std::size_t names = 0, renamed = 0;  // renamed: with another name than in the source
  std::size_t repeated = 0;            // skipped: repeated claims
  std::size_t reflexive = 0;           // skipped: a name inherits from itself or is similar to itself
  std::size_t refused = 0;             // skipped: not supported by the target, with a message for each
};

/// Writes a .nal file. The file has a heading, the table of renamed names (name_lines()), the claims in order without
/// repetitions, the rules with their support, and the questions. Questions have //expected: and //needed: lines, and
/// //or: lines between proofs. The expected answer of a question about a false fact is `None`.
///
/// A name that is an instance of a class, but never a class or relation itself, is written {a} everywhere, because NAL
/// does not transfer knowledge between {a} and a. Cycles of inheritance cause a warning and are written, because NAL
/// treats names in a cycle as similar. The truth value of a rule is its evidence, rounded to two decimals: frequency
/// support / pairs, confidence pairs / (pairs + 1), at most 0.99.
/// Cost     O(claims) time and memory
/// Errors   core::WorkStopped
WrittenKnowledge write_knowledge(const Knowledge& knowledge, const std::vector<CompositionRule>& rules,
                                 const std::vector<AskedFact>& questions, const WritingOptions& options);

}  // namespace engram::experiments
