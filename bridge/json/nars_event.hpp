// SPDX-License-Identifier: MIT
// What a NARS says, a line at a time, in one shape whatever the system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/sentence.hpp"

namespace engram::bridge {

/// A budget as far as a system tells it: ONA has priorities alone.
struct EventBudget {
  double priority = 0;
  std::optional<double> durability = {}, quality = {};

  friend bool operator==(const EventBudget&, const EventBudget&) = default;
};

/// One event. What the line does not tell is left out; `raw` is the line as it came, colours and all, so that
/// nothing is lost of a line that is not understood.
struct NarsEvent {
  /// What kind of event it is.
  enum class Kind : std::uint8_t {
    input,          // the system took a sentence in
    derived,        // it inferred one
    revised,        // it revised a belief
    answer,         // to a question; without a term: it has none
    executed,       // it carried an operation out
    concept_state,  // how one of its concepts stands
    error,          // it rejects a line, or gives up
    other,          // anything else
  };

  Kind kind = Kind::other;
  std::optional<narsese::Term> term = {};
  std::optional<narsese::Punctuation> punctuation = {};
  narsese::Tense occurrence = {};
  std::optional<narsese::TruthValue> truth = {};
  std::optional<EventBudget> budget = {};
  std::optional<double> delay = {};       // ONA's dt= of =/>
  std::vector<std::uint64_t> stamp = {};  // numbers of the inputs that it rests on, as the system counts them
  std::vector<std::string> arguments = {};  // of an operation that was executed, as they were printed
  bool unknown = false;  // of what was executed: none of the operations that were named for it
  std::string raw = {};

  /// As a sentence that memory or another system can take in; nothing where there is no term or punctuation.
  std::optional<narsese::Sentence> sentence() const;
};

/// "input", "derived", ..., "concept", ... as JSON has it.
std::string_view name(NarsEvent::Kind kind);

/// {"event": "derived", "term": "<a --> b>", "punctuation": ".",
///  "truth": {"frequency": 1.0, "confidence": 0.9}, "budget": {"priority": 0.5},
///  "stamp": [2, 1], "occurrence": 7, "raw": "Derived: ..."}  on one line.
/// `occurrence` is a cycle, or "past", "present", "future", or {"offset": n} from now; left out for eternal.
/// Bytes of `raw` that are no UTF-8 become U+FFFD.  For machines: bridge/schema/event.schema.json
std::string to_json(const NarsEvent& event);

}  // namespace engram::bridge
