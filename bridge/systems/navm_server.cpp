// SPDX-License-Identifier: MIT
#include "bridge/systems/navm_server.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "bridge/conversation/limited_work.hpp"
#include "bridge/systems/event_text.hpp"
#include "core/index/unification.hpp"
#include "narsese/translator.hpp"

namespace engram::bridge {
namespace {

using narsese::NalLine;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Term;

constexpr std::array<std::string_view, 13> heads{"SAV", "LOA", "RES", "NSE", "NEW", "DEL", "CYC",
                                                 "VOL", "REG", "INF", "HLP", "REM", "EXI"};

NavmOutput info(std::string content) { return {"INFO", std::move(content), {}, {}}; }
NavmOutput error(std::string content) { return {"ERROR", std::move(content), {}, {}}; }

// The sentence in CommonNarsese, which NAVM's tools read. Empty if CommonNarsese cannot express it.
std::optional<std::string> written(const Sentence& sentence, narsese::TermTable& table) {
  const auto translation = narsese::Translator(table, narsese::Dialect::common).sentence(sentence);
  return translation ? std::optional(translation->text) : std::nullopt;
}

}  // namespace

std::vector<std::string> NavmConversation::answer(std::string_view message) {
  const OneRecord record(durable_.get());
  const core::Session::Request request(*session_);
  std::vector<std::string> replies;
  try {
    const LimitedWork work({});
    while (!message.empty() && !finished_) {
      const std::size_t end = std::min(message.find('\n'), message.size());
      for (const NavmOutput& output : outputs(message.substr(0, end))) replies.push_back(framed(output));
      message.remove_prefix(std::min(end + 1, message.size()));
    }
  } catch (const core::WorkStopped& why) {
    replies.push_back(framed(error(why.what())));
  }
  return replies;
}

std::vector<std::string> NavmConversation::kept(std::vector<std::string> replies) {
  if (durable_) try {
      durable_->settle();
    } catch (const DurableError& problem) {
      finished_ = true;
      return {framed(error(std::string("this is not kept, and nothing more will be: ") + problem.what()))};
    }
  return replies;
}

std::string NavmConversation::refusal(const std::string& why) const { return framed(error(why)); }

void NavmConversation::hold(std::size_t bytes) {
  if (bytes > small_message_bytes()) require_room(*session_, bytes);
}

std::string NavmConversation::framed(const NavmOutput& output) const {
  return in_arrays_ ? "[" + write(output) + "]" : write(output);
}

std::vector<NavmOutput> NavmConversation::outputs(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {};
  if (line.starts_with("/") && !line.starts_with("//")) return nal(line.substr(1));
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  const auto read = read_navm_command(line);
  const bool known = std::ranges::any_of(heads, [&](std::string_view head) {
    return std::ranges::equal(word, head, {},
                              [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  });
  if (!known) return nal(line);
  if (!read) return {error("a whole number must follow " + std::string(word))};
  return read->head == "NSE" ? nal(read->rest, true) : std::vector{command(*read)};
}

std::vector<NavmOutput> NavmConversation::nal(std::string_view line, bool sentence_alone) {
  std::istringstream in{std::string(line)};
  narsese::NalReader reader(in, session_->mutable_memory().terms(), {}, narsese::Dialect::common);
  reader.set_in_links(in_links_);
  const auto read = reader.next();
  in_links_ = reader.in_links();
  const auto kind = read ? read->kind : NalLine::Kind::blank;
  if (kind == NalLine::Kind::error)
    return {error("column " + std::to_string(read->error.column) + ": " + read->error.message())};
  if (kind == NalLine::Kind::sentence) return sentence(*read);
  if (sentence_alone) return {error("NSE: a sentence is needed")};
  if (kind == NalLine::Kind::blank) return {};
  if (kind == NalLine::Kind::command) return {error("Engram has no such command: " + read->text)};
  if (kind != NalLine::Kind::cycles) return {NavmOutput{"COMMENT", read->text, {}, {}}};
  session_->mutable_memory().advance(read->cycles);
  return {info(std::to_string(read->cycles) + " cycles have passed")};
}

std::vector<NavmOutput> NavmConversation::sentence(const NalLine& line) {
  const Sentence& sentence = line.sentence;
  const auto accepted = session_->accept(sentence, line.tells_link);
  if (!accepted) return {error(accepted.error())};
  const NavmOutput in{"IN", line.text, written(sentence, session_->mutable_memory().terms()), {}};
  if (!sentence.asks()) return {in};
  return {in, best_answer(sentence)};
}

NavmOutput NavmConversation::best_answer(const Sentence& question) {
  core::Memory& memory = session_->mutable_memory();
  const Punctuation wanted =
      question.punctuation == Punctuation::quest ? Punctuation::goal : Punctuation::judgment;
  std::optional<core::Statement> best;
  for (const core::Statement& statement : memory.statements()) {
    core::charge(16 + 4 * statement.sentence.term.complexity());
    if (statement.sentence.punctuation != wanted) continue;
    if (!core::fits(question.term, statement.sentence.term, memory.terms())) continue;
    const auto worth = [](const core::Statement& s) {
      return narsese::expectation(s.sentence.truth_or_default());
    };
    if (!best || worth(statement) > worth(*best)) best = statement;
  }
  if (!best) return info("nothing that is known fits the question; Engram infers nothing");
  const auto text = written(best->sentence, memory.terms());
  return {"ANSWER", text.value_or("what is known has no form in CommonNarsese"), text, {}};
}

NavmOutput NavmConversation::command(const NavmCommand& command) {
  const std::string& head = command.head;
  const bool of_memory = command.rest.empty() || command.rest == "memory";
  if (head == "CYC") return nal(command.rest).at(0);
  if (head == "REM") return {"COMMENT", command.rest, {}, {}};
  if (head == "VOL") return info("Engram infers nothing, so there is nothing to be silenced");
  if (head == "HLP") return info("NSE, CYC, VOL, RES, INF, HLP, REM, EXI, and lines of a .nal file");
  if (head == "EXI") {
    finished_ = true;
    return {"TERMINATED", command.rest, {}, {}};
  }
  if ((head == "RES" || head == "INF") && !of_memory)
    return error(head + " knows `memory` alone, not '" + command.rest + "'");
  if (head == "RES") {
    session_->reset();
    return info("everything is forgotten");
  }
  if (head == "INF") {
    const core::Memory& memory = session_->memory();
    return info(std::to_string(memory.graph().size()) + " concepts, " +
                std::to_string(memory.graph().hebbian_links().size()) + " links, " +
                std::to_string(memory.statements().size()) + " statements, cycle " +
                std::to_string(memory.now()));
  }
  if (head == "SAV" || head == "LOA") return error(head + ": files are not for clients to name");
  if (head == "REG") return error("REG: Engram executes no operations");
  return error(head + ": there is one memory, and no other can be made or dropped");
}

}  // namespace engram::bridge
