// SPDX-License-Identifier: MIT
// Checkers for all formats of a report, written independently of the writers. They check that foreign text stays plain
// text in each format.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::testing {

/// The cells of a CSV file (RFC 4180). Removes the apostrophe that prevents formulas, unless `raw`.
std::vector<std::vector<std::string>> read_csv(const std::string& text, bool raw = false);

/// Returns the texts of a gnuplot script. Replaces each of them by caption(?) in the script, so that only commands
/// remain.
std::vector<std::string> take_captions(std::string& script);

// The first error in a file of each format, or an empty string. For HTML: tags and attributes that Engram never writes.
// For LaTeX: unknown commands and unescaped text. For DOT: unterminated strings, or text outside of strings.
std::string flaw_of_html(const std::string& html);
std::string flaw_of_latex(const std::string& table);
std::string flaw_of_dot(const std::string& script);
std::string flaw_of_gnuplot(const std::string& script);
std::string flaw_of_table(const experiments::Table& table);
/// Checks every file that a conclusion is written to.
std::string flaw_of_sinks(const experiments::Spec& spec, const experiments::Conclusion& conclusion);

}  // namespace engram::testing
