// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/imports/composition_rules.hpp"
#include "experiments/imports/knowledge.hpp"
#include "narsese/dialect.hpp"
#include "narsese/truth_value.hpp"

namespace engram::experiments {

struct WritingOptions {
  std::string heading;                          // how the file was made
  narsese::Dialect to = narsese::Dialect::any;  // `any` is the canonical spelling
  std::optional<narsese::TruthValue> truth;     // of each claim; none: the default of every NARS, unwritten
};

struct WrittenKnowledge {
  std::string text;
  std::size_t statements = 0;
  std::size_t names = 0, renamed = 0;  // renamed: called otherwise than in the source
  std::size_t repeated = 0;            // left out: said before
  std::size_t reflexive = 0;           // left out: a name inherits from, or is similar to, itself
  std::size_t refused = 0;             // left out: the target does not take it; each is told
};

/// Narsese as a .nal file: how it was made, the table of names (name_table.hpp) that are called otherwise than
/// in the source, the claims in their order, each once, the rules with what they rest on, and the questions
/// with //expected:, //needed: and, between proofs, //or: lines, of which `//expected: Answer: None.` says that
/// it does not hold.
///
/// What is said to be an instance, and is no class and no relation of others, is written {a} wherever it
/// stands: what NAL learns of {a} it learns not of a. Inheritance that leads back to where it began is told
/// as a warning and written: NAL takes it for what similarity is.
/// A rule's truth value is its evidence: frequency support / pairs, confidence pairs / (pairs + 1), both of
/// two decimals, the latter at most 0.99.
/// Cost     O(claims) time and memory
/// Errors   core::WorkStopped
WrittenKnowledge write_knowledge(const Knowledge& knowledge, const std::vector<CompositionRule>& rules,
                                 const std::vector<AskedFact>& questions, const WritingOptions& options);

}  // namespace engram::experiments
