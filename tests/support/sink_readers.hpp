// SPDX-License-Identifier: MIT
// Readers of all that a report is written to, made apart from what writes it: what a text of somebody else
// comes to in each format, and whether it is still nothing but text there.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::testing {

/// The cells of a CSV file (RFC 4180) without the apostrophe that keeps a text from being a formula.
/// `raw`: with it.
std::vector<std::vector<std::string>> read_csv(const std::string& text, bool raw = false);

/// The texts of a gnuplot script; they go, and what is left are commands: caption(?) for each.
std::vector<std::string> take_captions(std::string& script);

// What is wrong, or nothing.
std::string flaw_of_html(const std::string& html);    // tags and attributes that Engram writes, and no others
std::string flaw_of_latex(const std::string& table);  // commands that Engram writes, all else escaped
std::string flaw_of_dot(const std::string& script);  // strings that end, and between them nothing of a text's
std::string flaw_of_gnuplot(const std::string& script);
std::string flaw_of_table(const experiments::Table& table);
/// Of every file that a conclusion becomes.
std::string flaw_of_sinks(const experiments::Spec& spec, const experiments::Conclusion& conclusion);

}  // namespace engram::testing
