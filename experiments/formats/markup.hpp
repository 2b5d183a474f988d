// SPDX-License-Identifier: MIT
// Functions that escape text for each output format, and build HTML and SVG from patterns. Text from specs, rows, files
// and names is untrusted. Each function accepts any bytes, and readers of the format see only text.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments {

/// Text with escapes such as \u202e or \xff for terminal commands, line ends, direction marks, characters that XML
/// forbids, and invalid UTF-8, so that it is legible on one line. Preserves control characters in `kept`.
std::string legible(std::string_view text, std::string_view kept = "");

/// The first character that legible() replaces, with its place: "\u000a at byte 2". Empty if the text is legible.
std::optional<std::string> illegible(std::string_view text);

/// Shortens a legible text to at most `most` code points; the last one is … if text was cut.
std::string shortened(const std::string& text, std::size_t most);

/// Escapes for HTML, XML and SVG, between tags and within quotes. Line feeds and tabs are preserved.
std::string escape_html(std::string_view text);

/// Escapes for a table cell of GitHub Markdown, and for the middle of a line.
std::string escape_markdown(std::string_view text);

/// Escapes for LaTeX text.
std::string escape_latex(std::string_view text);

/// Escapes a CSV cell (RFC 4180; line feeds and tabs are preserved). Adds a leading apostrophe to a text that a
/// spreadsheet would interpret as a formula, because it begins with = + - @ or a control character. Also adds an
/// apostrophe to a text that begins with an apostrophe, so that readers can always remove the first one. Numbers and
/// the dash for missing values are unchanged.
std::string csv_cell(std::string_view text);

/// Quotes an identifier for Graphviz, shortened to 3000 code points because Graphviz limits the length.
std::string quote_dot(std::string_view text);

/// Name for a file or folder from any text: 1 to 100 letters, digits and _ . = -, without a leading dot or dash.
std::string file_name(std::string_view text);

/// Text that is already HTML or SVG.
struct Markup {
  std::string text;
};

/// Value of a placeholder. Text is escaped. Numbers are written as whole numbers or to one decimal, which suffices for
/// pictures. Markup is inserted unchanged.
struct Filling {
  Filling(const std::convertible_to<std::string_view> auto& plain) : text(escape_html(plain)) {}
  Filling(std::integral auto number) : text(std::to_string(number)) {}
  Filling(double number) : text(fixed(number, 1)) {}
  Filling(Markup markup) : text(std::move(markup.text)) {}

  std::string text;
};

/// HTML or SVG from a pattern: replaces its placeholders {} in order.
/// Errors   std::invalid_argument if the numbers of fillings and placeholders differ
std::string fill(std::string_view pattern, std::initializer_list<Filling> fillings);

/// HTML for code, such as Narsese or a name.
std::string code(std::string_view text);

/// HTML for a text member of a row, as plain text and as code.
/// Errors  nlohmann::json::exception if the row lacks the text
std::string text_of(const Json& row, const char* name);
std::string code_of(const Json& row, const char* name);

/// HTML link to a path. The shown text is the path itself, or markup.
std::string link(const std::string& path);
std::string link(const std::string& path, const std::string& shown);

/// HTML details element from a summary and its content, both markup.
std::string details(bool open, const std::string& summary, const std::string& within);

/// HTML bar with the length amount / largest. If the amount is 0, the bar is empty.
std::string bar(double amount, double largest, const char* kind = "bar");

}  // namespace engram::experiments
