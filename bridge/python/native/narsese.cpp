// SPDX-License-Identifier: MIT
// Bindings for parsing and translating Narsese, with bridge/json for trees.
#include <optional>
#include <sstream>

#include "bridge/json/sentence_json.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"
#include "narsese/printer.hpp"
#include "narsese/translator.hpp"

namespace engram::python {
namespace {

using narsese::NalLine;

narsese::Dialect dialect_of(const std::string& name) {
  if (const auto dialect = narsese::find_dialect(name)) return *dialect;
  throw std::invalid_argument("a dialect must be one of auto, any, common, ona, opennars, pynars; found '" +
                              name + "'");
}

struct Fault {
  std::size_t line, column;
  std::string message;
};

[[noreturn]] void raise_fault(const Fault& fault) {
  py::dict place;
  place["line"] = fault.line;
  place["column"] = fault.column;
  raise("parse_error",
        "line " + std::to_string(fault.line) + ", column " + std::to_string(fault.column) + ": " +
            fault.message,
        place);
}

struct ReadSentence {
  std::size_t line;
  std::string narsese, tree;
};

// Calls `take` for all lines of a text. Stops at the first error.
template <class Take>
std::optional<Fault> read(const std::string& text, narsese::TermTable& terms, narsese::Dialect dialect,
                          Take take) {
  std::istringstream in(text);
  narsese::NalReader reader(in, terms, {}, dialect);
  while (const auto line = reader.next()) {
    core::charge(64 * (line->text.size() + 1));
    if (line->kind == NalLine::Kind::error)
      return Fault{line->number, line->error.column, line->error.message()};
    if (auto fault = take(*line)) return fault;
  }
  return {};
}

py::list parse(const std::string& text, const std::string& dialect) {
  const narsese::Dialect from = dialect_of(dialect);
  std::vector<ReadSentence> sentences;
  const auto fault = in_background([&] {
    narsese::TermTable terms;
    return read(text, terms, from, [&](const NalLine& line) -> std::optional<Fault> {
      if (line.kind == NalLine::Kind::sentence)
        sentences.push_back({line.number, narsese::print(line.sentence), bridge::to_json(line.sentence)});
      return {};
    });
  });
  if (fault) raise_fault(*fault);
  py::list list;
  for (const ReadSentence& one : sentences) list.append(py::make_tuple(one.line, one.narsese, one.tree));
  return list;
}

py::tuple translate(const std::string& text, const std::string& to, const std::string& dialect) {
  const narsese::Dialect from = dialect_of(dialect), target = dialect_of(to);
  std::string translated;
  std::vector<Fault> warnings;
  const auto fault = in_background([&] {
    narsese::TermTable terms;
    narsese::Translator translator(terms, target);
    return read(text, terms, from, [&](const NalLine& line) -> std::optional<Fault> {
      for (const auto& warning : line.warnings)
        warnings.push_back({line.number, warning.column, warning.message});
      const auto translation = translator.line(line);
      if (!translation) return Fault{line.number, 1, translation.error().message};
      for (const std::string& warning : translation->warnings) warnings.push_back({line.number, 1, warning});
      translated += translation->text + '\n';
      return {};
    });
  });
  if (fault) raise_fault(*fault);
  py::list told;
  for (const Fault& one : warnings) told.append(py::make_tuple(one.line, one.column, one.message));
  return py::make_tuple(translated, told);
}

}  // namespace

void bind_narsese(py::module_& module) {
  module.def("parse", parse);
  module.def("translate", translate);
}

}  // namespace engram::python
