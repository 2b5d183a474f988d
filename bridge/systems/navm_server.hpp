// SPDX-License-Identifier: MIT
// A NAVM server: BabelNAR's tools can use Engram like a NARS. They send NAVM commands or lines of a .nal file, and read
// NAVM outputs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/systems/navm.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

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
  std::vector<std::string> kept(std::vector<std::string> replies) override;
  using Conversation::refusal;
  std::string refusal(const std::string& why) const override;
  /// Whether EXI has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return std::size_t{16} << 20; }  // as the protocol
  void hold(std::size_t bytes) override;

 private:
  std::string framed(const NavmOutput& output) const;
  std::vector<NavmOutput> outputs(std::string_view line);
  std::vector<NavmOutput> nal(std::string_view line, bool sentence_alone = false);
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
