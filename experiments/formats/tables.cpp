// SPDX-License-Identifier: MIT
#include "experiments/formats/tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "experiments/formats/escapes.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

bool is_prose(const Cell& cell) { return cell.text.size() > 30 && std::ranges::count(cell.text, ' ') > 2; }

// Adds line break opportunities after underscores in names.
std::string with_breaks(const std::string& html) {
  std::string out;
  for (const char c : html) out += c == '_' ? "_<wbr>" : std::string(1, c);
  return out;
}

}  // namespace

bool is_prose_column(const Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows,
                             [&](const auto& row) { return column < row.size() && is_prose(row[column]); });
}

std::string fixed(double number, int decimals) {
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, decimals);
  return code == std::errc() ? std::string(buffer.data(), end) : narsese::print_number(number);
}

Cell cell(std::string text) { return {text, text}; }
Cell cell(double number, int decimals) { return {fixed(number, decimals), narsese::print_number(number)}; }
Cell cell(std::optional<double> number, int decimals) { return number ? cell(*number, decimals) : cell("-"); }

Cell scientific_cell(double number) {
  if (!std::isfinite(number)) return cell("not finite");
  if (number == 0) return {"0", "0"};
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific, 1);
  return {std::string(buffer.data(), end), narsese::print_number(number)};
}

Cell interval_cell(const std::optional<Estimate>& estimate, int decimals) {
  if (!estimate) return cell("-");
  Cell shown = cell(estimate->mean, decimals);
  shown.bounds = {narsese::print_number(estimate->low), narsese::print_number(estimate->high)};
  if (estimate->low != estimate->high)
    shown.text += " [" + fixed(estimate->low, decimals) + ", " + fixed(estimate->high, decimals) + "]";
  return shown;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    word = legible(word);
    if (!line.empty() && narsese::count_code_points(line) + 1 + narsese::count_code_points(word) > width) {
      out += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + line + '\n';
}

std::string to_text(const Table& table) {
  const auto shown = [](const Cell& c) { return legible(c.text) + (c.winner ? "*" : ""); };
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.head.size(); ++column) {
    widths.push_back(narsese::count_code_points(legible(table.head[column])));
    for (const auto& row : table.rows)
      widths.back() = std::max(widths.back(), narsese::count_code_points(shown(row[column])));
  }
  std::string out;
  const auto add = [&](std::size_t column, const std::string& text) {
    const std::string padding(widths[column] - narsese::count_code_points(text), ' ');
    out += column == 0 ? text + padding : "  " + padding + text;  // names left-aligned, numbers right-aligned
  };
  for (std::size_t column = 0; column < table.head.size(); ++column) add(column, legible(table.head[column]));
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < row.size(); ++column) add(column, shown(row[column]));
    out += '\n';
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::vector<bool> has_bounds;
  for (std::size_t i = 0; i < table.head.size(); ++i)
    has_bounds.push_back(
        std::ranges::any_of(table.rows, [&](const auto& row) { return i < row.size() && row[i].bounds; }));
  std::string out;
  for (std::size_t i = 0; i < table.head.size(); ++i) {
    out += (i > 0 ? "," : "") + csv_cell(table.head[i]);
    if (has_bounds[i])
      out += "," + csv_cell(table.head[i] + " low") + "," + csv_cell(table.head[i] + " high");
  }
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i > 0 ? "," : "") + csv_cell(row[i].raw);
      if (has_bounds[i])
        out += "," + (row[i].bounds ? csv_cell(row[i].bounds->first) + "," + csv_cell(row[i].bounds->second)
                                    : "-,-");
    }
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Table& table) {
  const auto line = [](const auto& cells, auto text_of) {
    std::string out = "|";
    for (const auto& c : cells) out += " " + text_of(c) + " |";
    return out + "\n";
  };
  std::string out = escape_markdown(table.caption) + "\n\n" + line(table.head, escape_markdown) + "|";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += i == 0 || is_prose_column(table, i) ? " :--- |" : " ---: |";
  out += '\n';
  for (const auto& row : table.rows)
    out += line(row, [](const Cell& c) {
      return c.winner ? "**" + escape_markdown(c.text) + "**" : escape_markdown(c.text);
    });
  return out;
}

std::string to_html(const Table& table) {
  // The caption is outside the scrolling element, so that it wraps on a narrow screen.
  std::string out = "<figure class=\"table\" id=\"table-" + escape_html(table.name) + "\"><figcaption>" +
                    escape_html(table.caption) +
                    "</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " +
                    escape_html(table.name) + "\"><table><thead><tr>";
  std::vector<std::string> kinds;  // CSS classes of the columns
  for (std::size_t i = 0; i < table.head.size(); ++i) {
    kinds.emplace_back(is_prose_column(table, i) ? " class=\"prose\"" : "");
    out += "<th scope=\"col\"" + kinds[i] + ">" + with_breaks(escape_html(table.head[i])) + "</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string text = i == 0 ? with_breaks(escape_html(row[i].text)) : escape_html(row[i].text);
      if (!row[i].link.empty()) text = "<a href=\"" + escape_html(row[i].link) + "\">" + text + "</a>";
      if (row[i].winner) text = "<b>" + text + "</b>";
      // Sort key, if it differs from the text.
      const std::string value =
          row[i].raw == row[i].text ? "" : " data-v=\"" + escape_html(row[i].raw) + "\"";
      out += i == 0 ? "<th scope=\"row\"" + kinds[i] + value + ">" + text + "</th>"
                    : "<td" + kinds[i] + value + ">" + text + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></figure>\n";
}

}  // namespace engram::experiments
