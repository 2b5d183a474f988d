// SPDX-License-Identifier: MIT
#include "experiments/formats/markup.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <utility>

#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

// Returns the first code point of well-formed UTF-8, and its size in bytes.
std::pair<char32_t, std::size_t> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  char32_t code = size == 1 ? byte(0) : byte(0) & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return {code, size};
}

bool is_legible(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool control = c < 0x20 || within(0x7F, 0x9F);
  const bool line_end = within(0x2028, 0x2029);
  // Marks that change the text direction: direction marks, embeddings, overrides and isolates (Unicode Annex 9).
  const bool direction =
      c == 0x61C || within(0x200E, 0x200F) || within(0x202A, 0x202E) || within(0x2066, 0x2069);
  // XML forbids the last two code points of a plane. The other noncharacters and the byte order mark are invisible.
  const bool nothing =
      (c & 0xFFFE) == 0xFFFE || within(0xFDD0, 0xFDEF) || within(0xFFF9, 0xFFFB) || c == 0xFEFF;
  return !control && !line_end && !direction && !nothing;
}

std::string hexadecimal(unsigned long number, std::size_t digits) {
  std::string text;
  for (; number > 0 || text.size() < digits; number /= 16) text += "0123456789abcdef"[number % 16];
  std::ranges::reverse(text);
  return text;
}

// Splits a text from left to right: calls plain(piece) for legible pieces, odd(piece, escape) for others.
template <class Plain, class Odd>
void split(std::string_view text, Plain plain, Odd odd) {
  while (!text.empty()) {
    std::string_view sound = text.substr(0, narsese::find_invalid_utf8(text));
    text.remove_prefix(sound.size());
    for (std::size_t end = 0; end < sound.size();) {
      const auto [code, size] = first_code_point(sound.substr(end));
      if (is_legible(code)) {
        end += size;
        continue;
      }
      plain(sound.substr(0, end));
      odd(sound.substr(end, size), "\\u" + hexadecimal(code, 4));
      sound.remove_prefix(end + size);
      end = 0;
    }
    plain(sound);
    if (text.empty()) return;
    odd(text.substr(0, 1), "\\x" + hexadecimal(static_cast<unsigned char>(text[0]), 2));
    text.remove_prefix(1);
  }
}

bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> replacements) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto* const match = std::ranges::find(replacements, c, &std::pair<char, std::string_view>::first);
    if (match == replacements.end())
      out += c;
    else
      out += match->second;
  }
  return out;
}

bool is_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         (std::isfinite(number) || text == "-inf");
}

// Texts that begin a formula. The last four are full-width forms of the first four.
constexpr std::string_view formula_starts[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};

// Returns whether a spreadsheet may interpret the text as a formula. Some spreadsheets ignore leading blanks.
bool is_formula(std::string_view text) {
  if (text == "-" || is_number(text)) return false;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return std::ranges::any_of(formula_starts, [&](std::string_view start) { return text.starts_with(start); });
}

}  // namespace

std::string legible(std::string_view text, std::string_view kept) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string out;
  split(
      text, [&](std::string_view piece) { out += piece; },
      [&](std::string_view piece, const std::string& written) {
        out += kept.find(piece) != std::string_view::npos ? piece : written;
      });
  return out;
}

std::optional<std::string> illegible(std::string_view text) {
  std::optional<std::string> found;
  split(
      text, [](std::string_view) {},
      [&](std::string_view piece, const std::string& written) {
        if (!found) found = written + " at byte " + std::to_string(piece.data() - text.data() + 1);
      });
  return found;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (narsese::count_code_points(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t kept = 0; kept + 1 < most; ++kept)
    end += first_code_point(std::string_view(text).substr(end)).second;
  return text.substr(0, end) + "…";
}

std::string escape_html(std::string_view text) {
  return replaced(legible(text, "\n\t"),
                  {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string escape_markdown(std::string_view text) {
  return replaced(legible(replaced(text, {{'\n', " "}, {'\r', " "}})), {{'\\', "\\\\"},
                                                                        {'|', "\\|"},
                                                                        {'*', "\\*"},
                                                                        {'_', "\\_"},
                                                                        {'`', "\\`"},
                                                                        {'[', "\\["},
                                                                        {'<', "&lt;"},
                                                                        {'>', "&gt;"},
                                                                        {'&', "&amp;"},
                                                                        {'~', "\\~"},
                                                                        {'$', "\\$"}});
}

std::string escape_latex(std::string_view text) {
  // In LaTeX, [ or * at the beginning of a row would be an argument of the \\ before it. `` and '' would become other
  // quotes, and -- a dash.
  std::string escaped = replaced(legible(text), {{'\\', "\\textbackslash{}"},
                                                 {'_', "\\_"},
                                                 {'%', "\\%"},
                                                 {'&', "\\&"},
                                                 {'#', "\\#"},
                                                 {'$', "\\$"},
                                                 {'{', "\\{"},
                                                 {'}', "\\}"},
                                                 {'[', "{[}"},
                                                 {'*', "{*}"},
                                                 {'`', "\\textasciigrave{}"},
                                                 {'~', "\\textasciitilde{}"},
                                                 {'^', "\\textasciicircum{}"},
                                                 {'<', "\\textless{}"},
                                                 {'>', "\\textgreater{}"}});
  for (auto at = escaped.find("--"); at != std::string::npos; at = escaped.find("--", at + 1))
    escaped.insert(at + 1, "{}");
  return escaped;
}

std::string csv_cell(std::string_view text) {
  std::string cell = legible(text, "\n\r\t");
  if (is_formula(cell) || cell.starts_with('\'')) cell.insert(0, 1, '\'');
  if (cell.find_first_of(",;\"\t\r\n") == std::string::npos) return cell;
  return '"' + replaced(cell, {{'"', "\"\""}}) + '"';
}

std::string quote_dot(std::string_view text) {
  constexpr std::size_t most = 3000;  // code points of at most 5 bytes; Graphviz reads 16,384 bytes
  return '"' + replaced(shortened(legible(text), most), {{'"', "\\\""}, {'\\', "\\\\"}, {'&', "&amp;"}}) +
         '"';
}

std::string file_name(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=-";
  std::string name(text.substr(0, 100));
  for (char& c : name)
    if (plain.find(c) == std::string_view::npos) c = '-';
  if (name.empty() || name[0] == '.' || name[0] == '-') name = "_" + name.substr(0, 99);
  return name;
}

std::string fill(std::string_view pattern, std::initializer_list<Filling> fillings) {
  std::string out;
  for (const Filling& filling : fillings) {
    const std::size_t blank = pattern.find("{}");
    if (blank == std::string_view::npos) throw std::invalid_argument("fill: too few blanks");
    out.append(pattern.substr(0, blank)).append(filling.text);
    pattern.remove_prefix(blank + 2);
  }
  if (pattern.find("{}") != std::string_view::npos) throw std::invalid_argument("fill: too many blanks");
  return out.append(pattern);
}

std::string code(std::string_view text) { return fill("<code>{}</code>", {text}); }

std::string text_of(const Json& row, const char* name) {
  return escape_html(row.at(name).get<std::string>());
}
std::string code_of(const Json& row, const char* name) { return code(row.at(name).get<std::string>()); }

std::string link(const std::string& path) { return link(path, escape_html(path)); }
std::string link(const std::string& path, const std::string& shown) {
  return fill(R"(<a href="{}">{}</a>)", {path, Markup{shown}});
}

std::string details(bool open, const std::string& summary, const std::string& within) {
  return fill("<details{}><summary>{}</summary>{}</details>\n",
              {open ? " open" : "", Markup{summary}, Markup{within}});
}

std::string bar(double amount, double largest, const char* kind) {
  return fill(R"(<span class="{}" style="width:{}%"></span>)",
              {kind, largest > 0 ? 100 * amount / largest : 0.0});
}

}  // namespace engram::experiments
