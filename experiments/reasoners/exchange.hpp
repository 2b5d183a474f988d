// SPDX-License-Identifier: MIT
// What a NARS that knew nothing was told and asked, and what it answered.
//
// As a line of JSON (a run's recording.jsonl has one a line, see recording.hpp):
//   {"sha256": "..", "system": "ona", "statements": ["<a --> b>. {1 0.9}", ..], "question": "<a --> c>?",
//    "cycles": 100, "more_cycles": 50,
//    "answers": [{"term": "<a --> c>", "frequency": 1.0, "confidence": 0.81}, ..]}
//   sha256      of the JSON [system, statements, question, cycles, more_cycles]: what an answer depends on
//   statements  as the system was told them, in that order, in its dialect and by the names it holds
//   cycles      before the question, and after it, before it is asked again; 0 for systems that run freely
//   answers     each once, the first thousand in their order; terms in Engram's spelling, by the same names
//   failure     only where the system failed: how; what it answered before that stays
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "narsese/truth_value.hpp"

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

/// By which its answers are found: the SHA-256 of what they depend on.
std::string key_of(const Exchange& exchange);

/// As described above, members in that order.
bridge::Json to_json(const Exchange& exchange);
/// Reads it back, exactly.
/// Errors  bridge::JsonError for what to_json does not write, a sha256 that is not key_of the rest included
Exchange exchange_from_json(const bridge::JsonValue& json);

}  // namespace engram::experiments
