// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "bridge/json/object_reader.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"
#include "core/index/unification.hpp"
#include "narsese/translator.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;
using narsese::NalLine;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Term;

NavmOutput output_in(const JsonValue& json) {
  ObjectReader object(json, "an output, an object");
  NavmOutput output{object["type"].text(), object["content"].text()};
  if (const JsonValue narsese = object["narsese"]) output.narsese = narsese.text();
  if (const JsonValue parts = object["operation"]) {
    parts.list("an array of strings");
    for (std::size_t i = 0; i < parts.size(); ++i) output.operation.push_back(parts[i].text());
  }
  object.refuse_others();
  return output;
}

// Reads one line, which is always one event.
std::vector<NarsEvent> read_navm_line(std::string_view line, narsese::TermTable& table) {
  NarsEvent event;
  if (const auto output = read_navm_output(line)) event = navm_event(*output, table);
  event.raw = line;
  return {event};
}

std::string remark(std::uint64_t number) { return "engram " + std::to_string(number); }

bool is_remark(std::string_view line, std::uint64_t number) {
  const std::string text = remark(number);
  if (line.find(text) == line.npos) return false;
  const auto output = read_navm_output(line);
  return output && output->type == "COMMENT" && trimmed(output->content).ends_with(text);
}

constexpr std::array<std::string_view, 13> command_heads{"SAV", "LOA", "RES", "NSE", "NEW", "DEL", "CYC",
                                                         "VOL", "REG", "INF", "HLP", "REM", "EXI"};

NavmOutput info(std::string content) { return {"INFO", std::move(content), {}, {}}; }
NavmOutput error(std::string content) { return {"ERROR", std::move(content), {}, {}}; }

// The sentence in CommonNarsese, which NAVM's tools read. Empty if CommonNarsese cannot express it.
std::optional<std::string> written(const Sentence& sentence, narsese::TermTable& table) {
  const auto translation = narsese::Translator(table, narsese::Dialect::common).sentence(sentence);
  return translation ? std::optional(translation->text) : std::nullopt;
}

}  // namespace

const NarsSystem& navm() {
  static const NarsSystem system{
      .name = "navm",
      .program = "a NARS that speaks NAVM",
      .dialect = narsese::Dialect::common,
      .read = read_navm_line,
      .cycles = [](std::uint64_t count) { return "CYC " + std::to_string(count); },
      .marker = [](std::uint64_t number) { return "REM " + remark(number); },
      .is_marker = is_remark,
      // Some systems refuse RES and would keep earlier input, so each question gets a new process.
      .reset = "",
      .answers_at_once = true,
      // The outputs have no stamps, so repeated sentences would count as new evidence.
      .steering = {Steering::order, Steering::budgets},
      .sentence_prefix = "NSE ",
      .silence_hint = "a program that speaks NAVM has to send each REM back as a COMMENT",
  };
  return system;
}

std::optional<NavmCommand> read_navm_command(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return std::nullopt;
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  NavmCommand command{std::string(line.substr(0, end)), std::string(trimmed(line.substr(end)))};
  for (char& c : command.head)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const bool counts = command.head == "CYC" || command.head == "VOL";
  if (counts && !number_in<std::uint64_t>(command.rest)) return std::nullopt;
  return command;
}

std::string write(const NavmOutput& output) {
  Json json = {{"type", output.type}, {"content", output.content}};
  if (output.narsese) json["narsese"] = *output.narsese;
  if (!output.operation.empty()) json["operation"] = output.operation;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line) {
  const auto read = read_json(line);
  if (!read) return read.error();
  try {
    const JsonValue json(*read);
    if (!read->is_array()) return output_in(json);
    if (json.size() != 1) json.refuse("an array of one output", std::to_string(json.size()));
    return output_in(json[0]);
  } catch (const JsonError& error) {
    return error;
  }
}

NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table) {
  NarsEvent event{.raw = output.content};
  if (output.type == "ERROR") event.kind = Kind::error;
  if (output.type == "EXE" && !output.operation.empty()) {
    event.kind = Kind::executed;
    take_operation("^" + output.operation[0], {output.operation.begin() + 1, output.operation.end()}, table,
                   event);
  }
  if (!output.narsese || !take_sentence(*output.narsese, table, event)) return event;
  if (output.type == "IN") event.kind = Kind::input;
  if (output.type == "OUT") event.kind = Kind::derived;
  if (output.type == "ANSWER") event.kind = Kind::answer;
  return event;
}

// --- the server ----------------------------------------------------------------------------------

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

std::vector<std::string> NavmConversation::when_durable(std::vector<std::string> replies) {
  if (durable_) try {
      durable_->settle();
    } catch (const DurableError& problem) {
      finished_ = true;
      return {framed(error(std::string("this is not kept, and nothing more will be: ") + problem.what()))};
    }
  return replies;
}

std::string NavmConversation::refusal(const std::string& why) const { return framed(error(why)); }

void NavmConversation::charge_message_bytes(std::size_t bytes) {
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
  const bool known = std::ranges::any_of(command_heads, [&](std::string_view head) {
    return std::ranges::equal(word, head, {},
                              [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  });
  if (!known) return nal(line);
  if (!read) return {error("a whole number must follow " + std::string(word))};
  return read->head == "NSE" ? nal(read->rest, true) : std::vector{command(*read)};
}

std::vector<NavmOutput> NavmConversation::nal(std::string_view line, bool sentence_only) {
  std::istringstream in{std::string(line)};
  narsese::NalReader reader(in, session_->mutable_memory().terms(), {}, narsese::Dialect::common);
  reader.set_in_links(in_links_);
  const auto read = reader.next();
  in_links_ = reader.in_links();
  const auto kind = read ? read->kind : NalLine::Kind::blank;
  if (kind == NalLine::Kind::error)
    return {error("column " + std::to_string(read->error.column) + ": " + read->error.message())};
  if (kind == NalLine::Kind::sentence) return sentence(*read);
  if (sentence_only) return {error("NSE: a sentence is needed")};
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
