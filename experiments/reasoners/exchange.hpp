// SPDX-License-Identifier: MIT
// Exchange with a NARS that starts empty: the statements and the question it received, and its answers.
//
// JSON format, one exchange a line in recording.jsonl of a run (recording.hpp):
//   {"sha256": "..", "system": "ona", "statements": ["<a --> b>. {1 0.9}", ..], "question": "<a --> c>?",
//    "cycles": 100, "more_cycles": 50,
//    "answers": [{"term": "<a --> c>", "frequency": 1.0, "confidence": 0.81}, ..]}
//   sha256      hash of the JSON [system, statements, question, cycles, more_cycles], which determines the answers
//   statements  as sent to the system: in its dialect, in order, with names that it supports
//   cycles      before the question, and between the two times it is asked; 0 for systems that run freely
//   answers     distinct answers in order, at most 1000; terms in Engram's syntax, with the names as sent
//   failure     how the system failed, only if it did; answers before the failure are kept
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "narsese/truth.hpp"

namespace engram::experiments {

struct Answer {
  std::string term;
  narsese::TruthValue truth;

  friend bool operator==(const Answer&, const Answer&) = default;
};

struct Exchange {
  std::string system;
  std::vector<std::string> statements;
  std::string question;
  std::uint64_t cycles = 0, more_cycles = 0;
  std::vector<Answer> answers = {};
  std::string failure = {};

  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Lookup key: SHA-256 of everything that determines the answers.
std::string key_of(const Exchange& exchange);

/// Writes the JSON format described above, with members in that order.
bridge::Json to_json(const Exchange& exchange);
/// Reads the JSON format back without loss.
/// Errors  bridge::JsonError for malformed JSON, or if sha256 differs from key_of() of the rest
Exchange exchange_from_json(const bridge::JsonValue& json);

}  // namespace engram::experiments
