// SPDX-License-Identifier: MIT
#include "bridge/reasoner/rule_pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "narsese/parser.hpp"
#include "narsese/truth_functions.hpp"

namespace engram::bridge {
namespace {

using narsese::Term;
using narsese::TermKind;
using narsese::TruthValue;

template <TruthValue (*of_one)(TruthValue)>
TruthValue of_first(TruthValue a, TruthValue) {
  return of_one(a);
}

constexpr std::array<std::pair<std::string_view, TruthFunction>, 27> truth_functions{{
    {"identity", of_first<narsese::identity>},
    {"negation", of_first<narsese::negation>},
    {"conversion", of_first<narsese::conversion>},
    {"contraposition", of_first<narsese::contraposition>},
    {"sure_deduction", of_first<narsese::sure_deduction>},
    {"sure_abduction", of_first<narsese::sure_abduction>},
    {"structural_deduction", of_first<narsese::structural_deduction>},
    {"structural_exclusion", of_first<narsese::structural_exclusion>},
    {"structural_similarity", of_first<narsese::structural_similarity>},
    {"deduction", narsese::deduction},
    {"abduction", narsese::abduction},
    {"induction", narsese::induction},
    {"exemplification", narsese::exemplification},
    {"comparison", narsese::comparison},
    {"analogy", narsese::analogy},
    {"resemblance", narsese::resemblance},
    {"intersection", narsese::intersection},
    {"set_union", narsese::set_union},
    {"difference", narsese::difference},
    {"reduced_conjunction", narsese::reduced_conjunction},
    {"reduced_disjunction", narsese::reduced_disjunction},
    {"reduced_difference", narsese::reduced_difference},
    {"reduced_remainder", narsese::reduced_remainder},
    {"anonymous_analogy", narsese::anonymous_analogy},
    {"desire_deduction", narsese::desire_deduction},
    {"desire_induction", narsese::desire_induction},
    {"desire_strong", narsese::desire_strong},
}};

const std::array<TruthFunction, 11> strong_functions{
    narsese::deduction,           narsese::analogy,
    narsese::resemblance,         narsese::reduced_conjunction,
    narsese::reduced_disjunction, narsese::reduced_difference,
    narsese::reduced_remainder,   narsese::anonymous_analogy,
    narsese::desire_deduction,    narsese::desire_induction,
    narsese::desire_strong};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The parts of a text between the marks.
std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(mark);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == text.npos) return parts;
    text.remove_prefix(at + mark.size());
  }
}

class RuleReader {
 public:
  explicit RuleReader(std::string_view line) : line_(line) {}

  Rule read() {
    // A | is a connector, too, but never with blanks on both sides.
    const auto fields = split(line_, " | ");
    if (fields.size() != 4) fail("four fields");
    Rule rule;
    rule.line = line_;
    rule.level = fields[0][0] - '0';
    const auto sides = split(fields[1], "|-");
    if (sides.size() != 2) fail("premises |- conclusion");
    for (const std::string_view premise : split(sides[0], " ; ")) rule.premises.push_back(sentence(premise));
    if (rule.premises.size() > 2) fail("one or two premises");
    const std::size_t known = letters_.size();
    rule.conclusion = sentence(sides[1]);
    if (letters_.size() != known) fail("no letter in the conclusion that is not in a premise");
    read_words(split(fields[2], ","), rule);
    return rule;
  }

 private:
  [[noreturn]] void fail(const std::string& needed) const {
    throw std::logic_error("a rule must have " + needed + ": " + std::string(line_));
  }

  void read_words(const std::vector<std::string_view>& words, Rule& rule) const {
    const auto function =
        std::ranges::find(truth_functions, words[0], &std::pair<std::string_view, TruthFunction>::first);
    if (function == truth_functions.end()) fail("a truth function");
    rule.truth_name = function->first;
    rule.truth = function->second;
    rule.strong = std::ranges::find(strong_functions, rule.truth) != strong_functions.end();
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "asks")
        rule.asks = true;
      else if (words[i] == "dependent")
        rule.dependent = true;
      else if (words[i] == "either")
        rule.either = true;
      else if (words[i] == "overlap")
        rule.overlap = true;
      else if (words[i] == "introducing")
        rule.introducing = true;
      else
        fail("no such word as " + std::string(words[i]));
    }
  }

  SentencePattern sentence(std::string_view text) {
    const auto parsed = narsese::parse_sentence(text, table_);
    if (!parsed) fail("sentences: " + parsed.error().message());
    return {pattern(parsed->term), parsed->punctuation};
  }

  TermPattern pattern(Term term) {
    TermPattern made;
    made.label = term.label();
    if (term.kind() == TermKind::atom) {
      const auto known = std::ranges::find(letters_, term.name());
      made.letter = static_cast<std::uint8_t>(known - letters_.begin());
      if (known == letters_.end()) letters_.emplace_back(term.name());
      if (letters_.size() > Rule::most_letters || term.name().size() != 1) fail("a few letters");
    }
    for (const Term part : term.components()) made.parts.push_back(pattern(part));
    return made;
  }

  std::string_view line_;
  narsese::TermTable table_;
  std::vector<std::string> letters_;
};

}  // namespace

std::vector<Rule> read_rules(std::string_view table) {
  std::vector<Rule> rules;
  for (const std::string_view line : split(table, "\n"))
    if (!line.empty() && !line.starts_with("#")) rules.push_back(RuleReader(line).read());
  return rules;
}

}  // namespace engram::bridge
