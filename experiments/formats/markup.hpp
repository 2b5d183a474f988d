// SPDX-License-Identifier: MIT
// HTML and SVG from patterns with placeholders, which escape text.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "experiments/formats/escapes.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments {

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

/// Replaces the placeholders {} of a pattern in order.
/// Errors   std::invalid_argument if the numbers of fillings and placeholders differ
std::string fill(std::string_view pattern, std::initializer_list<Filling> fillings);

/// HTML for code: Narsese, a term, a name.
std::string code(std::string_view text);

/// A text member of a row, and the same as code.  Errors  nlohmann::json::exception if the row lacks it
std::string text_of(const Json& row, const char* name);
std::string code_of(const Json& row, const char* name);

/// HTML link to a path. The shown text is the path itself, or markup.
std::string link(const std::string& path);
std::string link(const std::string& path, const std::string& shown);

/// HTML details element from a summary and its content, both markup.
std::string details(bool open, const std::string& summary, const std::string& within);

/// HTML bar whose length is amount / largest; empty if the amount is 0.
std::string bar(double amount, double largest, const char* kind = "bar");

}  // namespace engram::experiments
