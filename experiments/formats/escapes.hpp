// SPDX-License-Identifier: MIT
// Escaping of text for each output format. Text from specs, rows, files and names is untrusted data. Each function
// accepts any bytes, and readers of the format see nothing but text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engram::experiments {

/// Makes a text legible on one line. Replaces terminal commands, line ends, direction marks, characters that XML does
/// not allow, and invalid UTF-8 by escapes such as \u202e or \xff. Control characters in `kept` are preserved.
std::string legible(std::string_view text, std::string_view kept = "");

/// The first character that legible() replaces, with its place: "\u000a at byte 2". Empty if the text is legible.
std::optional<std::string> illegible(std::string_view text);

/// Shortens a legible text to at most `most` code points; the last one is … if text was cut.
std::string shortened(const std::string& text, std::size_t most);

/// Escapes for HTML, XML and SVG, between tags and within quotes. Line feeds and tabs are preserved.
std::string escape_html(std::string_view text);

/// Escapes for a table cell of GitHub Markdown, and for the middle of a line.
std::string escape_markdown(std::string_view text);

std::string escape_latex(std::string_view text);

/// Escapes a CSV cell (RFC 4180; line feeds and tabs are preserved). A text that a spreadsheet would interpret as a
/// formula (it begins with = + - @ or a control character) gets a leading apostrophe. A text that begins with an
/// apostrophe gets one, too, so readers can always remove the first one. Numbers and the dash for missing values are
/// unchanged.
std::string csv_cell(std::string_view text);

/// Quotes an identifier for Graphviz. Shortens it to 3000 code points, because Graphviz limits the length.
std::string quote_dot(std::string_view text);

/// Converts any text to a name for a file or folder: 1 to 100 letters, digits and _ . = -, without a leading dot or
/// dash.
std::string file_name(std::string_view text);

}  // namespace engram::experiments
