// SPDX-License-Identifier: MIT
// Helpers of the reasoner's tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/reasoner/inference_rules.hpp"
#include "core/reasoner/unifier.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::core::testing {

/// Parses terms and sentences into one table, from text that must be valid.
struct Reading {
  narsese::TermTable table;

  narsese::Term term(std::string_view text) {
    const auto read = narsese::parse_term(text, table);
    if (!read) throw std::invalid_argument(std::string(text) + ": " + read.error().message());
    return *read;
  }
  narsese::Sentence sentence(std::string_view text) {
    const auto read = narsese::parse_sentence(text, table);
    if (!read) throw std::invalid_argument(std::string(text) + ": " + read.error().message());
    return *read;
  }
  Premise premise(std::string_view text) {
    const narsese::Sentence read = sentence(text);
    return {read.term, rename_apart(table, read.term), read.punctuation, read.truth_or_default()};
  }
};

}  // namespace engram::core::testing
