// SPDX-License-Identifier: MIT
#include "narsese/nal_line.hpp"

#include <algorithm>
#include <array>

#include "narsese/similar_names.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

struct ExpectationForm {
  std::string_view opening, closing;
  Expectation::Kind kind;
};
constexpr std::array<ExpectationForm, 8> expectation_forms{{
    {"//expected: Answer:", "", Expectation::Kind::answer},
    {"//expected:", "", Expectation::Kind::execution},
    {"//needed:", "", Expectation::Kind::needed},
    {"//or:", "", Expectation::Kind::alternative},
    {"''outputMustContain('", "')", Expectation::Kind::contains},
    {"''outputMustNotContain('", "')", Expectation::Kind::contains_not},
    {"''expect-cycle", "", Expectation::Kind::output},
    {"''expect-contains:", "", Expectation::Kind::output},
}};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// PyNARS's command, which no other system reads.
bool sets_volume(std::string_view text) {
  constexpr std::string_view word = "/volume ";
  return text.starts_with(word) && all_digits(trim(text.substr(word.size())));
}

// A directive: comment sign, word, and end.
struct Directive {
  std::string_view mark, word, end;
};
constexpr std::array<Directive, 7> directives{{
    {"//", "expected", ":"},
    {"//", "needed", ":"},
    {"//", "or", ":"},
    {"''", "outputMustContain", "('"},
    {"''", "outputMustNotContain", "('"},
    {"''", "expect-cycle", "("},
    {"''", "expect-contains", ":"},
}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance, ignoring case, at most `most`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  std::string x(a), y(b);
  std::ranges::transform(x, x.begin(), lower);
  std::ranges::transform(y, y.begin(), lower);
  return edit_distance(x, y, most);
}

// Position of a word of ASCII letters and dashes, and of the first other character after it.
struct WordAndSign {
  std::size_t begin, end, sign;  // sign: npos if none follows
};
WordAndSign word_and_sign(std::string_view text, std::size_t from) {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(blanks, from), text.size());
  std::size_t end = begin;
  while (end < text.size() && ((lower(text[end]) >= 'a' && lower(text[end]) <= 'z') || text[end] == '-'))
    ++end;
  return {begin, end, text.find_first_not_of(blanks, end)};
}

constexpr std::size_t few = 3;  // this many different letters are too many; chosen

// Whether `rest` is nearly a valid argument of the directive.
bool suits(std::string_view word, std::string_view rest) {
  if (word == "or") return rest.empty();
  if (word == "needed")
    return rest.starts_with('<') ||
           (rest.size() > 1 && rest[0] == '(' && rest[1] != ' ' && !is_word_letter(rest[1]));
  const auto [begin, end, sign] = word_and_sign(rest, 0);
  return rest.starts_with('^') || (sign != std::string_view::npos && rest[sign] == ':' &&
                                   distance(rest.substr(begin, end - begin), "Answer", few) < few);
}

// Prose begins with a blank or another word. If the comment may be prose, the argument must also be valid.
bool is_slip(const Directive& directive, std::string_view text, const WordAndSign& found,
             std::string_view rest) {
  const std::string_view word = text.substr(found.begin, found.end - found.begin);
  const std::size_t letters = distance(word, directive.word, few);
  if (letters == few || text[found.sign] != directive.end.front()) return false;
  if (directive.mark == "''") return true;
  const bool is_beside = found.begin == directive.mark.size(), fits = suits(directive.word, rest);
  if (directive.word == "or") return letters == 0 && is_beside && fits;
  if (fits) return is_beside || letters <= 1;
  return is_beside && letters <= 1 && lower(word[0]) == directive.word[0];
}

}  // namespace

bool Expectation::expects_none() const {
  return (kind == Kind::answer || kind == Kind::contains) && text == "None.";
}

std::optional<Expectation> read_expectation(std::string_view line) {
  for (const ExpectationForm& form : expectation_forms) {
    if (!line.starts_with(form.opening)) continue;
    std::string_view text = trim(line.substr(form.opening.size()));
    if (form.kind == Expectation::Kind::execution && !text.starts_with('^')) continue;
    if (!form.closing.empty()) text = text.substr(0, text.rfind(form.closing));
    return Expectation{form.kind, std::string(text), std::nullopt};
  }
  return {};
}

bool resets_memory(std::string_view line) {
  line = trim(line);
  return std::ranges::any_of(std::array<std::string_view, 4>{"*reset", "**", "''reset", "'''RES"},
                             [&](std::string_view reset) { return line.starts_with(reset); });
}

std::optional<ParseWarning> misspelt_directive(std::string_view text) {
  if (read_expectation(text)) return {};
  const auto found = word_and_sign(text, 2);
  const auto& [begin, end, sign] = found;
  if (begin == end || sign == std::string_view::npos) return {};
  const std::string_view rest = trim(text.substr(sign + 1));
  for (const Directive& directive : directives) {
    if (!text.starts_with(directive.mark) || !is_slip(directive, text, found, rest)) continue;
    const std::string meant =
        std::string(directive.mark) + std::string(directive.word) + std::string(directive.end);
    const auto warning = [](std::size_t column, std::string_view unknown, const std::string& instead) {
      return ParseWarning{column, "unknown directive '" + std::string(unknown) +
                                      "', read as a comment: did you mean '" + instead + "'?"};
    };
    if (!text.starts_with(meant)) return warning(1, text.substr(0, sign + 1), meant);
    // The form of the expectation is unknown.
    const auto answer = word_and_sign(text, sign + 1);
    if (answer.end > answer.begin && suits(directive.word, rest))
      return warning(answer.begin + 1, text.substr(0, answer.end), "//expected: Answer:");
    return ParseWarning{rest.empty() ? sign + 2 : static_cast<std::size_t>(rest.data() - text.data()) + 1,
                        "'" + meant +
                            "' takes 'Answer: ' and a statement, or an executed operator such as '^left "
                            "executed'; this line is read as a comment"};
  }
  return {};
}

NalLine::Kind kind_of_line(std::string_view text, Dialect dialect) {
  if (text.starts_with("//") || text.starts_with("'")) return NalLine::Kind::comment;
  if (text.starts_with('*') || text == "quit") return NalLine::Kind::command;
  if ((dialect == Dialect::any || dialect == Dialect::pynars) && sets_volume(text))
    return NalLine::Kind::command;
  return all_digits(text) ? NalLine::Kind::cycles : NalLine::Kind::sentence;
}

}  // namespace engram::narsese
