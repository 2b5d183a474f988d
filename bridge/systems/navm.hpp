// SPDX-License-Identifier: MIT
// NAVM: the commands and outputs of BabelNAR's tools, which are the same for every NARS, and a server with which these
// tools can use Engram like a NARS.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/json/json_text.hpp"
#include "bridge/json/nars_event.hpp"
#include "core/session/session.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

/// A command `HEAD rest`. HEAD is one of SAV LOA RES NSE NEW DEL CYC VOL REG INF HLP REM EXI, or any other word.
/// Lower-case heads are accepted and stored in upper case.
struct NavmCommand {
  std::string head;
  std::string rest;  // the text without blanks at its ends

  friend bool operator==(const NavmCommand&, const NavmCommand&) = default;
};

/// Parses a command. Empty for a blank line, and for CYC and VOL without a whole number.
std::optional<NavmCommand> read_navm_command(std::string_view line);

/// An output: {"type","content","narsese"?,"operation"?}
struct NavmOutput {
  std::string type;  // IN OUT ERROR ANSWER ACHIEVED EXE INFO COMMENT TERMINATED OTHER, or another word
  std::string content;
  std::optional<std::string> narsese = {};
  std::vector<std::string> operation = {};  // only for EXE: the name without ^, then arguments

  friend bool operator==(const NavmOutput&, const NavmOutput&) = default;
};

/// The output as one JSON object, as NAVM's crates write it: without blanks and without absent members.
std::string write(const NavmOutput& output);
/// Parses one JSON object, or BabelNAR's array of one object.
narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line);

/// Converts an output into an event. Outputs without an equivalent become `other`.
NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table);

/// A conversation in NAVM. The replies to each command:
///   NSE      A judgment or goal becomes an episode of the memory: IN. A question or quest: IN, then ANSWER with the
///            best known judgment or goal that matches it, where variables match any term. The best has the highest
///            expectation; among equals the first one wins. INFO if none matches. ERROR if the text is not valid
///            CommonNarsese or the memory refuses it. Engram does not infer or act here, so there is never OUT,
///            ACHIEVED or EXE.
///   CYC      INFO; time passes, so the memory decays
///   VOL      INFO; nothing can be silenced
///   RES      INFO; forgets everything.         RES with an argument other than `memory`: ERROR
///   INF      INFO with the size of the memory. INF with an argument other than `memory`: ERROR
///   REM      COMMENT.    HLP  INFO with the list of commands.    EXI  TERMINATED; ends the conversation
///   others   ERROR: SAV, LOA (clients have no access to files), NEW, DEL (there is one memory), REG (operations
///            are not executed), and unknown words
/// A line without a command word, or with / before it, is a line of a .nal file: a sentence means NSE, a number CYC, a
/// comment REM. A blank line gets no reply. Every other line gets one or two.
class NavmConversation : public Conversation {
 public:
  /// If `in_arrays` is true, each output is in an array of its own, as BabelNAR's websocket frames require. With a
  /// `durable` memory, changes are on the disk before they are acknowledged.
  explicit NavmConversation(std::shared_ptr<core::Session> session, bool in_arrays = false,
                            std::shared_ptr<DurableMemory> durable = {})
      : session_(std::move(session)), durable_(std::move(durable)), in_arrays_(in_arrays) {}

  /// The replies to one or more lines.
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
  NavmOutput command(const NavmCommand& command);

  std::shared_ptr<core::Session> session_;
  std::shared_ptr<DurableMemory> durable_;  // may be null: the memory is not durable
  bool in_arrays_;
  bool in_links_ = false;  // the client's input is within a section of links
  bool finished_ = false;
};

}  // namespace engram::bridge
