// SPDX-License-Identifier: MIT
// HTML and SVG: patterns whose blanks are filled, in which texts are escaped.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "experiments/formats/escapes.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments {

/// A text that is HTML or SVG already.
struct Markup {
  std::string text;
};

/// What fills a blank: any text, which is escaped; a whole number, or another one to a tenth, as fine as
/// pictures need it; markup as it is.
struct Filling {
  Filling(const std::convertible_to<std::string_view> auto& plain) : text(escape_html(plain)) {}
  Filling(std::integral auto number) : text(std::to_string(number)) {}
  Filling(double number) : text(fixed(number, 1)) {}
  Filling(Markup markup) : text(std::move(markup.text)) {}

  std::string text;
};

/// The pattern with its blanks {} filled in their order.
/// Errors   std::invalid_argument unless there are as many fillings as blanks
std::string fill(std::string_view pattern, std::initializer_list<Filling> fillings);

/// A text as code: Narsese, a term, a name.
std::string code(std::string_view text);

/// A text of a row, and that text as code.  Errors  nlohmann::json::exception where the row has no such text
std::string text_of(const Json& row, const char* name);
std::string code_of(const Json& row, const char* name);

/// What leads to a path: the path itself, or markup.
std::string link(const std::string& path);
std::string link(const std::string& path, const std::string& shown);

/// A summary and what it opens, both markup.
std::string details(bool open, const std::string& summary, const std::string& within);

/// A bar as long as the amount's share of the largest one; none where that is 0.
std::string bar(double amount, double largest, const char* kind = "bar");

}  // namespace engram::experiments
