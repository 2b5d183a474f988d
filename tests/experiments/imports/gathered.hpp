// SPDX-License-Identifier: MIT
// A Knowledge with all its findings as text, for the tests of imports.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "narsese/dialect.hpp"

namespace engram::testing {

struct Gathered {
  std::vector<std::string> told;  // file:line:column: error: ...
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

/// The lines that are not comments, or the lines that start with `beginning`.
inline std::vector<std::string> lines_of(const std::string& text, const std::string& beginning = "") {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (beginning.empty() ? !line.starts_with("//") : line.starts_with(beginning)) lines.push_back(line);
  return lines;
}

/// The number of statements in a memory that reads the text. Checks that every line is accepted.
inline std::size_t statements_read(const std::string& text) {
  core::Session session;
  std::istringstream in(text);
  const auto report = session.read(in);
  return report.rejected.empty() ? session.memory().statements().size() : 0;
}

}  // namespace engram::testing
