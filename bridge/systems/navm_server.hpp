// SPDX-License-Identifier: MIT
// Engram in the place of a NARS: the tools of BabelNAR send it NAVM's commands, or lines of a .nal file, and
// read NAVM's outputs.
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

/// What Engram does for each command:
///   NSE      a judgment or goal is an episode of the memory: IN. A question or quest: IN, then ANSWER with
///            the known judgment or goal that fits it best, variables standing for anything: the highest
///            expectation, of equals the one said first; INFO where none fits. Nothing is inferred and no
///            goal pursued, so there is no OUT, ACHIEVED or EXE. What is no CommonNarsese, or is refused by
///            the memory: ERROR
///   CYC      lets time pass, of which memory fades: INFO
///   VOL      INFO: there is nothing that could be silenced
///   RES      forgets everything: INFO.     RES of anything but `memory`: ERROR
///   INF      how much is known: INFO.      INF of anything but `memory`: ERROR
///   REM      COMMENT.    HLP  what there is, INFO.    EXI  TERMINATED, and the talk is over
///   others   ERROR: SAV, LOA (files are for those who start Engram), NEW, DEL (there is one memory), REG
///            (nothing is executed), and unknown words
/// A line that begins with none of these words, or with / before it, is one of a .nal file: a sentence is
/// NSE, a number CYC, a comment REM. A blank line has no reply; every other line has one or two.
class NavmConversation : public Conversation {
 public:
  /// `in_arrays`: each output in an array of its own, as BabelNAR's websocket frames them. What `durable` attends is
  /// kept before it is told of.
  explicit NavmConversation(std::shared_ptr<core::Session> session, bool in_arrays = false,
                            std::shared_ptr<DurableMemory> durable = {})
      : session_(std::move(session)), durable_(std::move(durable)), in_arrays_(in_arrays) {}

  /// Of one line or more.
  std::vector<std::string> answer(std::string_view message) override;
  std::vector<std::string> kept(std::vector<std::string> replies) override;
  using Conversation::refusal;
  std::string refusal(const std::string& why) const override;
  /// Whether EXI has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return std::size_t{16} << 20; }  // as the protocol has it
  void hold(std::size_t bytes) override;

 private:
  std::string framed(const NavmOutput& output) const;
  std::vector<NavmOutput> outputs(std::string_view line);
  std::vector<NavmOutput> nal(std::string_view line, bool sentence_alone = false);
  std::vector<NavmOutput> sentence(const narsese::NalLine& line);
  NavmOutput best_answer(const narsese::Sentence& question);
  NavmOutput command(const NavmCommand& command);

  std::shared_ptr<core::Session> session_;
  std::shared_ptr<DurableMemory> durable_;  // none: nothing is kept
  bool in_arrays_;
  bool in_links_ = false;  // the client's last lines left a section of links open
  bool finished_ = false;
};

}  // namespace engram::bridge
