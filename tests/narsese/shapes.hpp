// SPDX-License-Identifier: MIT
// Hostile texts of any length, which try to make a parser slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"

namespace engram::narsese::testing {

/// A text of about the given length: `opening`, then `piece` many times, then `closing`. Each `%` in the pieces is
/// replaced by 0, 1, .., period - 1, 0, ...
struct HostileShape {
  std::string_view name, opening, piece, closing = "";
  std::size_t period = std::numeric_limits<std::size_t>::max();

  std::string text(std::size_t bytes) const {
    std::string out(opening);
    for (std::size_t i = 0; out.size() + closing.size() < bytes; ++i) {
      const std::size_t start = out.size();
      out += piece;
      const std::string number = std::to_string(i % period);
      for (std::size_t at = out.find('%', start); at != std::string::npos;
           at = out.find('%', at + number.size()))
        out.replace(at, 1, number);
    }
    return out += closing;
  }
};

/// Shapes of one line.
inline const std::vector<HostileShape> hostile_lines{
    // Brackets, open and closed, up to the limit of nesting
    {"open angle brackets", "", "<"},
    {"open round brackets", "", "("},
    {"open braces", "", "{"},
    {"open square brackets", "", "["},
    {"open products", "", "(*,"},
    {"open operations", "", "(^op,"},
    {"open function calls", "", "f("},
    {"open images", "", "(/,"},
    {"open conjunctions", "", "(a && "},
    {"closing brackets", "a", ">"},
    {"statements within statements", "", "<a --> "},
    {"negations without brackets", "", "--"},
    {"dashes", "", "-"},
    {"brackets within brackets, side by side", "(*", ",{{{{{{{{a}}}}}}}}", ")."},
    {"brackets of a name", "a", "[1]", "."},
    // Many blanks and separators
    {"blanks", "", " ", "a."},
    {"blanks at the end", "a.", " "},
    {"tabs between components", "(*", "\t\ta", ")."},
    {"commas", "(*", ",", ")."},
    {"commas alone", "", ","},
    // Long and many names
    {"one name", "<", "a", " --> b>."},
    {"one name of other letters", "<", "鸟", " --> b>."},
    {"one operator", "^", "a", "."},
    {"one name in quotes", "\"", "a ", "\"."},
    {"a quote without end", "\"", "a "},
    {"quotes", "", "\""},
    {"quoted names", "(*", ",\"a%\"", ")."},
    {"almost copulas", "<a", "=-|-", " --> b>."},
    {"punctuation in a name", "<a", ".!?@", " --> b>."},
    // Compounds with many components
    {"different components", "(*", ",a%", ")."},
    {"equal components", "(*", ",a", ")."},
    {"a set of different elements", "{a", " a%", "}."},
    {"a set of equal elements", "{a", ",a", "}."},
    {"a set of sets", "{a", ",{a%,b%}", "}."},
    {"a chain of conjunctions", "(a", " && a%", ")."},
    {"a chain of equal conjuncts", "(a", " && a", ")."},
    {"a chain of connectors", "(a", " & b && c || d", ")."},
    {"conjunctions in a conjunction", "(&&", ",(&&,a%,b%)", ")."},
    {"sets to unite", "(|", ",{a%}", ")."},
    {"implications of implications", "(*", ",<a% ==> <b% ==> c%>>", ")."},
    {"intervals", "(&/,a", ",+%", ",b)."},
    {"placeholders", "(/,R", ",_", ")."},
    {"an image", "(/,R,_", ",a%", ")."},
    // Many variables
    {"one variable again and again", "(*", ",$x", ")."},
    {"256 variables again and again", "(*", ",$%", ").", 256},
    {"different variables", "(*", ",$%", ")."},
    {"a set of one variable", "{$x", ",$x", "}."},
    {"a set of 256 variables", "{$0", ",$%", "}.", 256},
    {"conjuncts of one variable", "(&&", ",<$x --> a%>", ")."},
    {"equal conjuncts with 256 variables", "(&&", ",<$% --> a>", ").", 256},
    {"128 interchangeable conjuncts", "(&&", ",<$% <-> #%>", ").", 128},
    {"8 variables in equal conjuncts", "(&&", ",<$% --> (*,$%,a)>", ").", 8},
    {"a chain of 250 variables", "(&&", ",<(*,$%,a) --> (*,b,$%)>", ").", 250},
    // Hostile text before and after the term
    {"budgets", "", "$0.5;"},
    {"closed budgets", "", "$0.5$ "},
    {"digits of a budget", "$0.", "5", "$ a."},
    {"digits of a truth value", "a. %0.", "5", ";0.9%"},
    {"digits of an interval", "(&/,a,+", "0", ")."},
    {"digits of a tense", "a. :!", "0", ":"},
    {"tenses", "a. ", ":|: "},
    {"colons", "a.", ":"},
    {"semicolons", "a. ", ";"},
    {"full stops", "a", "."},
    {"full stops apart", "a", " ."},
    {"something after a sentence", "a. %1%", "b"},
};

/// Shapes of a file.
inline const std::vector<HostileShape> hostile_files{
    {"empty lines", "", "\n"},
    {"lines of a return", "", "\r\r\n"},
    {"returns", "", "\r"},
    {"sentences", "", "<a --> b>.\n"},
    {"different sentences", "", "<a% --> b%>.\n"},
    {"lines with an error", "", "<a% -> b>.\n"},
    {"lines of one byte", "", "<\n"},
    {"comments", "", "// a\n"},
    {"cycles", "", "1\n"},
    {"digits", "", "1"},
    {"one long comment", "//", "a"},
    {"expectations", "", "//expected: Answer: <a --> b>. Truth: frequency=1, confidence=0.9\n"},
    {"an expectation", "//expected: Answer: a.", " Truth:"},
    {"quotes of an expectation", "''outputMustContain('a.", "')"},
};

/// The default limits, without the limits on the length of a line.
inline ParseLimits limits_of_long_lines() {
  ParseLimits limits;
  limits.max_line_bytes = std::numeric_limits<std::size_t>::max();
  limits.max_components = TermTable::max_components;
  limits.max_name_bytes = TermTable::max_name_bytes;
  return limits;
}

/// Parses the text with a new table. Returns the number of sentences.
inline std::size_t read_line_alone(const std::string& text, Dialect dialect = Dialect::any) {
  TermTable table;
  return parse_sentence(text, table, limits_of_long_lines(), dialect) ? 1 : 0;
}
inline std::size_t read_file_alone(const std::string& text) {
  TermTable table;
  std::istringstream in(text);
  NalReader reader(in, table, limits_of_long_lines());
  std::size_t sentences = 0;
  while (const auto line = reader.next()) sentences += line->kind == NalLine::Kind::sentence;
  return sentences;
}

}  // namespace engram::narsese::testing
