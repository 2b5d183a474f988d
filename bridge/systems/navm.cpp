// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
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

// Parses an output. Every line is one event.
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

constexpr std::string_view command_heads[] = {"SAV", "LOA", "RES", "NSE", "NEW", "DEL", "CYC",
                                              "VOL", "REG", "INF", "HLP", "REM", "EXI"};

NavmOutput info(std::string content) { return {"INFO", std::move(content)}; }
NavmOutput error(std::string content) { return {"ERROR", std::move(content)}; }

// Translates a sentence to CommonNarsese, which NAVM's tools read. Empty if CommonNarsese cannot express it.
std::optional<std::string> in_common_narsese(const Sentence& sentence, narsese::TermTable& table) {
  const auto translation = narsese::Translator(table, narsese::Dialect::common).sentence(sentence);
  return translation ? std::optional(translation->text) : std::nullopt;
}

}  // namespace

const NarsSystem& navm() {
  static const NarsSystem system{
      .name = "navm",
      .program = "a NARS with NAVM",
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
      .silence_hint = "a program with NAVM must answer each REM by a COMMENT",
  };
  return system;
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
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::string head(line.substr(0, end));
  for (char& c : head)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (std::ranges::find(command_heads, head) == std::end(command_heads)) return nal(line);
  const std::string_view rest = trimmed(line.substr(end));
  return head == "NSE" ? nal(rest, true) : std::vector{command(head, std::string(rest))};
}

std::vector<NavmOutput> NavmConversation::nal(std::string_view line, bool sentence_only) {
  std::istringstream in{std::string(line)};
  narsese::NalReader reader(in, session_->mutable_memory().terms(), {}, narsese::Dialect::common);
  reader.set_in_links(in_links_);
  const auto read = reader.next();  // nothing for a blank line
  in_links_ = reader.in_links();
  const auto kind = read ? read->kind : NalLine::Kind::blank;
  if (kind == NalLine::Kind::error)
    return {error("column " + std::to_string(read->error.column) + ": " + read->error.message())};
  if (kind == NalLine::Kind::sentence) return sentence(*read);
  if (sentence_only) return {error("NSE: expected a sentence")};
  if (kind == NalLine::Kind::blank) return {};
  if (kind == NalLine::Kind::command) return {error("unknown command: " + read->text)};
  if (kind != NalLine::Kind::cycles) return {NavmOutput{"COMMENT", read->text}};
  session_->mutable_memory().advance(read->cycles);
  return {info(std::to_string(read->cycles) + " cycles passed")};
}

std::vector<NavmOutput> NavmConversation::sentence(const NalLine& line) {
  const Sentence& sentence = line.sentence;
  const auto accepted = session_->accept(sentence, line.tells_link);
  if (!accepted) return {error(accepted.error())};
  const NavmOutput in{"IN", line.text, in_common_narsese(sentence, session_->mutable_memory().terms())};
  if (!sentence.asks()) return {in};
  return {in, best_answer(sentence)};
}

NavmOutput NavmConversation::best_answer(const Sentence& question) {
  core::Memory& memory = session_->mutable_memory();
  const Punctuation wanted =
      question.punctuation == Punctuation::quest ? Punctuation::goal : Punctuation::judgment;
  const auto expectation = [](const core::Statement& statement) {
    return narsese::expectation(statement.sentence.truth_or_default());
  };
  std::optional<core::Statement> best;
  for (const core::Statement& statement : memory.statements()) {
    core::charge(16 + 4 * statement.sentence.term.complexity());
    if (statement.sentence.punctuation != wanted) continue;
    if (!core::fits(question.term, statement.sentence.term, memory.terms())) continue;
    if (!best || expectation(statement) > expectation(*best)) best = statement;
  }
  if (!best) return info("no known statement matches the question; Engram does not infer here");
  const auto text = in_common_narsese(best->sentence, memory.terms());
  return {"ANSWER", text.value_or("CommonNarsese cannot express the known statement"), text};
}

NavmOutput NavmConversation::command(const std::string& head, const std::string& argument) {
  const bool has_number = number_in<std::uint64_t>(argument).has_value();
  if ((head == "CYC" || head == "VOL") && !has_number) return error(head + ": expected a whole number");
  if (head == "CYC") return nal(argument).at(0);
  if (head == "REM") return {"COMMENT", argument};
  if (head == "VOL") return info("Engram does not infer here, so VOL has no effect");
  if (head == "HLP") return info("NSE, CYC, VOL, RES, INF, HLP, REM, EXI, and lines of a .nal file");
  if (head == "EXI") {
    finished_ = true;
    return {"TERMINATED", argument};
  }
  if ((head == "RES" || head == "INF") && !argument.empty() && argument != "memory")
    return error(head + ": the argument must be `memory`, found '" + argument + "'");
  if (head == "RES") {
    session_->reset();
    return info("the memory is empty now");
  }
  if (head == "INF") {
    const core::Memory& memory = session_->memory();
    return info(std::to_string(memory.graph().size()) + " concepts, " +
                std::to_string(memory.graph().hebbian_links().size()) + " links, " +
                std::to_string(memory.statements().size()) + " statements, cycle " +
                std::to_string(memory.now()));
  }
  if (head == "SAV" || head == "LOA") return error(head + ": clients have no access to files");
  if (head == "REG") return error("REG: Engram executes no operations");
  return error(head + ": Engram has exactly one memory, which cannot be created or deleted");
}

}  // namespace engram::bridge
