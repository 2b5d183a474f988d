// SPDX-License-Identifier: MIT
// NAVM, the commands and outputs that BabelNAR's tools use for every NARS. A conversation in NAVM lets these tools use
// Engram like a NARS.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/json/json_reader.hpp"
#include "bridge/json/nars_event.hpp"
#include "core/session/session.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

/// One output of a NARS in NAVM. Its JSON is {"type", "content", "narsese", "operation"}; the last two are optional.
struct NavmOutput {
  std::string type;  // IN OUT ERROR ANSWER ACHIEVED EXE INFO COMMENT TERMINATED OTHER, or another word
  std::string content;
  std::optional<std::string> narsese = {};
  std::vector<std::string> operation = {};  // only for EXE: the name without ^, then arguments

  friend bool operator==(const NavmOutput&, const NavmOutput&) = default;
};

/// Writes an output as a JSON object, like NAVM's own libraries: without blanks and without absent members.
std::string write(const NavmOutput& output);
/// Parses an output: a JSON object, or BabelNAR's array of one object.
narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line);

/// Converts an output of NAVM into an event. Types without an equivalent become `other`.
NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table);

/// Conversation in NAVM, so that BabelNAR's tools can use a memory of Engram like a NARS. Engram does not infer or act
/// here. The types of the outputs, by command:
///   NSE   IN, or ERROR for text that is not CommonNarsese or that the memory rejects. A judgment or goal becomes an
///         episode of the memory. A question also gets ANSWER with the matching judgment that has the highest
///         expectation (the first one if tied), or INFO if no judgment matches. For a quest, goals are matched.
///         Variables of a question match any term.
///   CYC   INFO. Time passes, so the memory decays
///   VOL   INFO. Without effect
///   RES   INFO, or ERROR for an argument other than `memory`. Forgets everything
///   INF   INFO with the size of the memory, or ERROR for an argument other than `memory`
///   REM   COMMENT
///   HLP   INFO with the list of commands
///   EXI   TERMINATED. Ends the conversation
///   SAV, LOA, NEW, DEL, REG, unknown words   ERROR
/// Commands may be in lower case. A line without a command, or with / before it, is a line of a .nal file: a sentence
/// means NSE, a number CYC, a comment REM. Only a blank line gets no output.
class NavmConversation : public Conversation {
 public:
  /// If `in_arrays` is true, each output is in a separate array, as BabelNAR's websocket frames require. If `durable`
  /// is given, changes are on the disk before they are acknowledged.
  explicit NavmConversation(std::shared_ptr<core::Session> session, bool in_arrays = false,
                            std::shared_ptr<DurableMemory> durable = {})
      : session_(std::move(session)), durable_(std::move(durable)), in_arrays_(in_arrays) {}

  /// The outputs for one or more lines.
  std::vector<std::string> answer(std::string_view message) override;
  std::vector<std::string> when_durable(std::vector<std::string> replies) override;
  using Conversation::refusal;
  std::string refusal(const std::string& why) const override;
  /// Whether EXI has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return std::size_t{16} << 20; }  // as the protocol
  void charge_message_bytes(std::size_t bytes) override;

 private:
  std::string framed(const NavmOutput& output) const;
  std::vector<NavmOutput> outputs(std::string_view line);
  std::vector<NavmOutput> nal(std::string_view line, bool sentence_only = false);
  std::vector<NavmOutput> sentence(const narsese::NalLine& line);
  NavmOutput best_answer(const narsese::Sentence& question);
  NavmOutput command(const std::string& head, const std::string& argument);

  std::shared_ptr<core::Session> session_;
  std::shared_ptr<DurableMemory> durable_;  // may be null: the memory is not durable
  bool in_arrays_;
  bool in_links_ = false;  // whether the client's input is within a section of links
  bool finished_ = false;
};

}  // namespace engram::bridge
