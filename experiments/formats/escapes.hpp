// SPDX-License-Identifier: MIT
// How a text stands in each format, one function a format. A text of a spec, a row, a file or a name is data
// everywhere: each function takes any bytes, and what it gives is nothing but text to the format's readers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engram::experiments {

/// A text as people can read it, on one line: what commands a terminal, ends a line or turns the direction of
/// writing, what XML cannot hold, and bytes that are no UTF-8 stand as \u202e or \xff. `kept`: those of the
/// control characters that stay as they are.
std::string legible(std::string_view text, std::string_view kept = "");

/// The first of what legible() changes and its place, "\u000a at byte 2"; nothing where all is legible.
std::optional<std::string> illegible(std::string_view text);

/// At most so many code points of a legible text, the last of them … where it was longer.
std::string shortened(const std::string& text, std::size_t most);

/// In HTML, XML and SVG, between tags and within quotes; line feeds and tabs stay.
std::string escape_html(std::string_view text);

/// In a cell of GitHub's Markdown, and in the middle of a line.
std::string escape_markdown(std::string_view text);

std::string escape_latex(std::string_view text);

/// A cell of a CSV file, which reads back (RFC 4180; line feeds and tabs stay). An apostrophe stands before a
/// text that a spreadsheet would take for a formula, one that begins with = + - @ or a control character, and
/// before one that begins with an apostrophe: who reads such a cell drops the first apostrophe. Numbers, and
/// the dash that stands for nothing, are as they are.
std::string csv_cell(std::string_view text);

/// A quoted identifier of Graphviz's language, of at most 3000 code points, since it reads no longer ones.
std::string quote_dot(std::string_view text);

/// A name for a file or folder made of any text: letters, digits and _ . = - alone, 1 to 100 of them, of
/// which the first is no dot and no dash.
std::string file_name(std::string_view text);

}  // namespace engram::experiments
