// SPDX-License-Identifier: MIT
// Events in the output of a NARS, in one format for all systems.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/sentence.hpp"

namespace engram::bridge {

/// A budget as printed. ONA only prints priorities.
struct EventBudget {
  double priority = 0;
  std::optional<double> durability = {}, quality = {};

  friend bool operator==(const EventBudget&, const EventBudget&) = default;
};

/// One event. Members that the line does not mention are empty. `raw` is the unchanged line, including colours, so
/// unknown lines lose nothing.
struct NarsEvent {
  /// The kind of event.
  enum class Kind : std::uint8_t {
    input,          // the system accepted a sentence
    derived,        // it derived a sentence
    revised,        // it revised a belief
    answer,         // answer to a question; without a term: no answer
    executed,       // it executed an operation
    concept_state,  // state of a concept
    error,          // an error message, for example about a rejected line
    other,          // anything else
  };

  Kind kind = Kind::other;
  std::optional<narsese::Term> term = {};
  std::optional<narsese::Punctuation> punctuation = {};
  narsese::Tense occurrence = {};
  std::optional<narsese::TruthValue> truth = {};
  std::optional<EventBudget> budget = {};
  std::optional<double> delay = {};         // ONA's dt= of a predictive implication =/>
  std::vector<std::uint64_t> stamp = {};    // the inputs it is based on, by the numbers of the system
  std::vector<std::string> arguments = {};  // arguments of an executed operation, as printed
  bool unknown = false;                     // the executed operation is not one of the available operations
  std::string raw = {};

  /// The event as a sentence, for a memory or another system. Empty without term or punctuation.
  std::optional<narsese::Sentence> sentence() const;
};

/// The name of a kind in JSON: "input", "derived", ..., "concept", ...
std::string_view name(NarsEvent::Kind kind);

/// Writes an event on one line:
///   {"event": "derived", "term": "<a --> b>", "punctuation": ".",
///    "truth": {"frequency": 1.0, "confidence": 0.9}, "budget": {"priority": 0.5},
///    "stamp": [2, 1], "occurrence": 7, "raw": "Derived: ..."}
/// The member `occurrence` is a cycle, "past", "present", "future", or {"offset": n} relative to now. Eternal sentences
/// have none. Bytes of `raw` that are not UTF-8 become U+FFFD. The JSON Schema is bridge/schema/event.schema.json.
std::string to_json(const NarsEvent& event);

}  // namespace engram::bridge
