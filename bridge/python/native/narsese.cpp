// SPDX-License-Identifier: MIT
// Bindings for parsing and translating Narsese, with bridge/json for trees.
#include <sstream>
#include <tuple>

#include "bridge/json/sentence_json.hpp"
#include "bridge/python/native/module.hpp"
#include "narsese/printer.hpp"
#include "narsese/translator.hpp"

namespace engram::python {
namespace {

using narsese::NalLine;

// A message about a text: line, column, message.
using Message = std::tuple<std::size_t, std::size_t, std::string>;

narsese::Dialect dialect_of(const std::string& name) {
  if (const auto dialect = narsese::find_dialect(name)) return *dialect;
  throw std::invalid_argument("a dialect must be one of auto, any, common, ona, opennars, pynars; found '" +
                              name + "'");
}

// Calls `take` in the background for each line of a text. It may throw a Message.
// Errors  NarseseError, in Python, at the first invalid line
template <class Take>
void read(const std::string& text, narsese::TermTable& terms, narsese::Dialect dialect, Take take) {
  try {
    in_background([&] {
      std::istringstream in(text);
      narsese::NalReader reader(in, terms, {}, dialect);
      while (const auto line = reader.next()) {
        core::charge(64 * (line->text.size() + 1));
        if (line->kind == NalLine::Kind::error)
          throw Message{line->number, line->error.column, line->error.message()};
        take(*line);
      }
      return true;
    });
  } catch (const Message& error) {
    const auto& [line, column, message] = error;
    py::dict place;
    place["line"] = line;
    place["column"] = column;
    raise("parse_error",
          "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message, place);
  }
}

// Parses a text into sentences: line, canonical spelling, tree as JSON.
std::vector<std::tuple<std::size_t, std::string, std::string>> parse(const std::string& text,
                                                                     const std::string& dialect) {
  std::vector<std::tuple<std::size_t, std::string, std::string>> sentences;
  narsese::TermTable terms;
  read(text, terms, dialect_of(dialect), [&](const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence)
      sentences.emplace_back(line.number, narsese::print(line.sentence), bridge::to_json(line.sentence));
  });
  return sentences;
}

std::pair<std::string, std::vector<Message>> translate(const std::string& text, const std::string& to,
                                                       const std::string& dialect) {
  std::string translated;
  std::vector<Message> warnings;
  narsese::TermTable terms;
  narsese::Translator translator(terms, dialect_of(to));
  read(text, terms, dialect_of(dialect), [&](const NalLine& line) {
    for (const auto& warning : line.warnings)
      warnings.emplace_back(line.number, warning.column, warning.message);
    const auto translation = translator.line(line);
    if (!translation) throw Message{line.number, 1, translation.error().message};
    for (const std::string& warning : translation->warnings) warnings.emplace_back(line.number, 1, warning);
    translated += translation->text + '\n';
  });
  return {translated, warnings};
}

}  // namespace

void bind_narsese(py::module_& module) {
  module.def("parse", parse);
  module.def("translate", translate);
}

}  // namespace engram::python
