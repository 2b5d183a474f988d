// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_line.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "bridge/json/object_reader.hpp"
#include "core/numbers/names.hpp"

namespace engram::bridge {
namespace {

using About = StreamQuestion::About;

constexpr JsonLimits line_limits{.max_bytes = std::size_t{1} << 17, .max_depth = 4, .max_values = 64};

constexpr std::array<core::NamedValue<About>, 4> subjects{{{About::stats, "stats"},
                                                           {About::operations, "operations"},
                                                           {About::episodes, "episodes"},
                                                           {About::export_, "export"}}};

bool is_json(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  const std::size_t open = line.find_first_not_of(blanks);
  if (open == line.npos || line[open] != '{') return false;
  const std::size_t next = line.find_first_not_of(blanks, open + 1);
  return next != line.npos && line[next] == '"';
}

// Checks that a JSON string is a single line of Narsese.
std::string one_line(const JsonValue& value, std::string_view what) {
  const std::string& text = value.text(what);
  if (text.find_first_of("\n\r") != text.npos) value.refuse("one line");
  return text;
}

StreamQuestion read_question(ObjectReader& reader) {
  StreamQuestion question;
  question.about = reader["ask"].choice("", subjects, &core::NamedValue<About>::name).value;
  if (const JsonValue id = reader["id"]) question.id = id.json().dump();
  if (question.about == About::operations) question.term = one_line(reader["goal"], "the goal, a term");
  if (question.about == About::episodes) {
    question.term = one_line(reader["term"], "a term");
    if (const JsonValue most = reader["most"])
      question.most = static_cast<std::size_t>(most.count(1, max_episodes_in_reply));
  }
  return question;
}

StreamLine from_json(const Json& json) {
  ObjectReader reader((JsonValue(json)));
  StreamLine line;
  if (const JsonValue narsese = reader["narsese"]) {
    line.text = one_line(narsese, "a sentence");
    if (const JsonValue time = reader["time"]) line.time = time.whole_number(-max_cycles, max_cycles);
    if (const JsonValue relevant = reader["relevant"]) line.relevant = relevant.flag();
  } else if (const JsonValue cycles = reader["cycles"]) {
    line.kind = StreamLine::Kind::cycles;
    line.cycles = cycles.count(0, static_cast<std::uint64_t>(max_cycles));
  } else if (const JsonValue did = reader["did"]) {
    line.kind = StreamLine::Kind::did;
    line.text = one_line(did, "an operation");
  } else if (reader["ask"]) {
    line.kind = StreamLine::Kind::question;
    line.question = read_question(reader);
  } else {
    reader.value().refuse_kind("a line of a stream", {"narsese", "cycles", "did", "ask"});
  }
  reader.refuse_others();
  return line;
}

StreamLine error_line(const JsonError& error) {
  return {.kind = StreamLine::Kind::error, .column = error.column, .message = error.message()};
}

}  // namespace

StreamLine read_stream_line(std::string_view line) try {
  if (!is_json(line)) return {.text = std::string(line)};
  const auto json = read_json(line, line_limits);
  return json ? from_json(*json) : error_line(json.error());
} catch (const JsonError& error) {
  return error_line(error);
}

}  // namespace engram::bridge
