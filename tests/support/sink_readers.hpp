// SPDX-License-Identifier: MIT
// Checkers for all file formats of a report. They are written independently of the writers, and check that foreign text
// stays plain text.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::testing {

/// The cells of a CSV file (RFC 4180). Removes the apostrophe that keeps a cell from being read as a formula, unless
/// `raw`.
std::vector<std::vector<std::string>> read_csv(const std::string& text, bool raw = false);

/// Returns the texts that a gnuplot script shows. Replaces each text in the script by caption(?), so that only commands
/// remain.
std::vector<std::string> take_captions(std::string& script);

// Each function returns the first error in a file, or "".
// HTML   tags or attributes that Engram never writes
// LaTeX  unknown commands, or text that is not escaped
// DOT    strings that do not end, or text outside of strings
std::string flaw_of_html(const std::string& html);
std::string flaw_of_latex(const std::string& table);
std::string flaw_of_dot(const std::string& script);
std::string flaw_of_gnuplot(const std::string& script);
std::string flaw_of_table(const experiments::Table& table);
/// Checks the text of every file that a conclusion is written to. Returns the first error, or "".
std::string flaw_of_sinks(const experiments::Spec& spec, const experiments::Conclusion& conclusion);

}  // namespace engram::testing
