// SPDX-License-Identifier: MIT
// Fixture for the tests of imports: the imported knowledge, with all findings of the readers as text.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/table.hpp"
#include "narsese/dialect.hpp"

namespace engram::testing {

/// Imported knowledge and the messages of its readers.
struct Gathered {
  std::vector<std::string> told;  // findings, each as "file:line:column: error: message" or with "warning"
  experiments::Knowledge knowledge{[this](const experiments::Finding& finding) {
    told.push_back(finding.file + ":" + std::to_string(finding.place.line) + ":" +
                   std::to_string(finding.place.column) + (finding.is_error ? ": error: " : ": warning: ") +
                   finding.message);
  }};

  experiments::WrittenKnowledge written(narsese::Dialect to = narsese::Dialect::any) const {
    return experiments::write_knowledge(knowledge, {}, {}, {"test", to, {}});
  }
};

inline const experiments::Advance unwatched = [](std::size_t) {};

/// Reads a table of facts from `text`.
inline void read_facts(Gathered& gathered, const std::string& text,
                       const experiments::TableOptions& options = {}, bool held_out = false) {
  std::istringstream file(text);
  read_table("t.tsv", file, options, held_out, gathered.knowledge, unwatched);
}

/// The lines of a text that are not comments. If `beginning` is given, the lines that start with it instead.
inline std::vector<std::string> lines_of(const std::string& text, const std::string& beginning = "") {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (beginning.empty() ? !line.starts_with("//") : line.starts_with(beginning)) lines.push_back(line);
  return lines;
}

/// Number of statements in a memory that has read the text. Checks that the memory accepts every line.
inline std::size_t statements_read(const std::string& text) {
  core::Session session;
  std::istringstream in(text);
  const auto report = session.read(in);
  return report.rejected.empty() ? session.memory().statements().size() : 0;
}

}  // namespace engram::testing
