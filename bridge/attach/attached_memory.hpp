// SPDX-License-Identifier: MIT
// A memory that listens to a NARS: what a transcript of their talk makes of it, and the transcript's lines.
//
// All that the memory learns, it learns from entries: so the same entries give the same memory, to the last
// bit, whether they come as they happen or from a file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bridge/systems/nars_system.hpp"
#include "bridge/systems/short_names.hpp"
#include "core/numbers/names.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// One thing that happened.
struct TranscriptEntry {
  enum class Kind : std::uint8_t {
    input,  // a line of the user's file
    fresh,  // a reasoner was started, or made to forget: it counts its inputs from the beginning
    sent,   // a line to the reasoner
    heard,  // a line from the reasoner
    again,  // a line from the reasoner while it was told again what it had been told
    named,  // "NAME SOURCE": from here on the reasoner is told NAME in place of SOURCE; "": no names any more
  };
  Kind kind = Kind::input;
  std::string text = {};

  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

/// As one line of JSON: {"heard": "Answer: None."}; bytes that are no UTF-8 as {"heard_bytes": "ff0a.."}.
std::string to_json(const TranscriptEntry& entry);
/// Reads it back, exactly. Nothing for anything else.
std::optional<TranscriptEntry> entry_from_json(std::string_view line);

/// What a memory learns beside what the user says.
enum class Learning : std::uint8_t { nothing, answers, all };
inline constexpr std::array<core::NamedValue<Learning>, 3> learnings{
    {{Learning::nothing, "nothing"}, {Learning::answers, "answers"}, {Learning::all, "all"}}};

/// A memory that learns from the transcript of a session with a NARS, entry by entry.
class AttachedMemory {
 public:
  explicit AttachedMemory(const NarsSystem& system, Learning learning = Learning::all,
                          const core::MemoryOptions& options = {})
      : system_(system), learning_(learning), session_(options) {}

  /// What an entry came to. Within a core::Session::Request its terms are void with that.
  struct Effect {
    narsese::NalLine line = {};                       // of an input
    std::string refusal = {};                         // of its sentence by the memory
    std::optional<core::StatementId> statement = {};  // that its sentence is
    std::vector<NarsEvent> events = {};  // of a line that was heard: terms and arguments named back
  };
  /// Learns from one entry:
  ///   input   as core::Session::input does: sentences are episodes, numbers let time pass
  ///   heard   a judgment or goal that was derived or revised, and that the user did not say, is an episode,
  ///           once for each stamp; not what it says of its own doing (NarsSystem::mental). An answer
  ///           reinforces the links that led to it: for each input in its stamp, the links between the
  ///           concepts of that input are told the input's frequency with the answer's confidence, once (see
  ///           ConceptGraph::tell): a denial that is used for an answer is no evidence that its ends go
  ///           together.
  ///           What memory refuses, because it is full, is not learnt.
  Effect apply(const TranscriptEntry& entry);

  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }
  /// The statements that the user said, ascending.
  const std::set<core::StatementId>& told() const { return told_; }
  /// Statements that the reasoner inferred, with the stamp each had first.
  const std::map<core::StatementId, std::vector<std::uint64_t>>& inferred() const { return inferred_; }
  bool has_names() const { return !names_.empty(); }
  /// A sentence that the reasoner was told, under the user's names; what holds none that was given stays as it
  /// is.
  std::string named_back(const std::string& sentence);
  /// The number by which the reasoner at work counts an input; the first one for a term.
  std::optional<std::uint64_t> number_of(const narsese::Term& term) const;

 private:
  std::vector<NarsEvent> events_of(const std::string& line);
  void learn(const NarsEvent& event);
  void reinforce(const NarsEvent& answer);

  const NarsSystem& system_;
  Learning learning_;
  core::Session session_;
  NamesBack names_;
  std::set<core::StatementId> told_;
  std::map<core::StatementId, std::vector<std::uint64_t>> inferred_;
  std::set<std::string> said_;  // the same, by what they say
  struct Input {
    std::string term;
    double frequency = 1;
  };
  std::map<std::uint64_t, Input> inputs_;  // of the reasoner at work, by its own count
  std::set<std::pair<std::string, std::vector<std::uint64_t>>> heard_;
  std::set<std::string> reinforced_;  // answers, each with the inputs that it rests on
};

/// All that a memory holds, as text with every digit: two memories are the same if their texts are.
std::string memory_text(const core::Memory& memory);

}  // namespace engram::bridge
