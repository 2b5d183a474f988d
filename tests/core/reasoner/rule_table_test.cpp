// SPDX-License-Identifier: MIT
#include "core/reasoner/rule_table.hpp"

#include <cctype>

#include "core/reasoner/inference_rules.hpp"
#include "core/reasoner/rule_table.hpp"
#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"

namespace engram::core::rule_table_tests {
namespace {

using narsese::Punctuation;
using narsese::Term;
using narsese::TruthValue;
using testing::Reading;

// A line of the table, parsed independently by this test.
struct Line {
  std::string text;
  int level = 0;
  std::vector<std::string> premises;
  std::string conclusion, truth;
  bool asks = false, dependent = false, introducing = false, overlap = false;
};

std::vector<std::string> parts_of(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, mark.size(), mark) == 0) {
      parts.emplace_back();
      at += mark.size();
    } else {
      parts.back() += text[at++];
    }
  }
  return parts;
}

std::vector<Line> lines() {
  std::vector<Line> all;
  for (const std::string& text : parts_of(std::string(rule_table()), "\n")) {
    if (text.empty() || text[0] == '#') continue;
    const auto fields = parts_of(text, " | ");
    REQUIRE(fields.size() == 4);
    const auto sides = parts_of(fields[1], " |- ");
    REQUIRE(sides.size() == 2);
    const auto words = parts_of(fields[2], ", ");
    Line line{text, std::stoi(fields[0]), parts_of(sides[0], " ; "), sides[1], words[0]};
    for (std::size_t i = 1; i < words.size(); ++i) {
      line.asks |= words[i] == "asks";
      line.dependent |= words[i] == "dependent";
      line.introducing |= words[i] == "introducing";
      line.overlap |= words[i] == "overlap";
    }
    all.push_back(line);
  }
  return all;
}

using Number = long double;
struct Share {
  Number f, c;
};

Share of_evidence(Number f, Number w) { return {f, w / (w + 1)}; }

// The truth value by the definition of a truth function, independent of the library.
Share expected(const std::string& name, Share a, Share b) {
  const Number c = a.c * b.c, both = a.f * b.f, or_ = a.f + b.f - both;
  if (name == "identity") return a;
  if (name == "negation") return {1 - a.f, a.c};
  if (name == "conversion") return of_evidence(1, a.f * a.c);
  if (name == "contraposition") return of_evidence(0, (1 - a.f) * a.c);
  if (name == "sure_deduction") return {a.f, a.f * a.c};
  if (name == "sure_abduction") return of_evidence(a.f, a.c);
  if (name == "structural_deduction") return {a.f, a.f * a.c * 0.9L};
  if (name == "structural_exclusion") return {1 - a.f, a.f * a.c * 0.9L};
  if (name == "structural_similarity") return {a.f, a.f * a.f * a.c * 0.9L};
  if (name == "deduction") return {both, both * c};
  if (name == "abduction") return of_evidence(b.f, a.f * c);
  if (name == "induction") return of_evidence(a.f, b.f * c);
  if (name == "exemplification") return of_evidence(1, both * c);
  if (name == "comparison") return of_evidence(both / or_, or_ * c);
  if (name == "analogy") return {both, b.f * c};
  if (name == "resemblance") return {both, or_ * c};
  if (name == "intersection") return {both, c};
  if (name == "set_union") return {or_, c};
  if (name == "difference") return {a.f * (1 - b.f), c};
  if (name == "reduced_conjunction") return {1 - (1 - a.f) * b.f, (1 - a.f) * b.f * c};
  if (name == "reduced_disjunction") return {a.f * (1 - b.f), a.f * (1 - b.f) * c};
  if (name == "reduced_difference") return {b.f * (1 - a.f), b.f * (1 - a.f) * c};
  if (name == "reduced_remainder") return {or_, (1 - or_) * c};
  if (name == "anonymous_analogy") return {both, a.f * b.c * a.c / (1 + a.c)};
  if (name == "desire_deduction") return {both, c};
  if (name == "desire_induction") return of_evidence(b.f, a.f * c);
  if (name == "desire_strong") return {both, b.f * c};
  throw std::logic_error("no definition of " + name);
}

// The terms that replace single letters of the table. By default, mmm replaces M.
using Letters = std::map<char, std::string>;

std::string with_terms(const std::string& text, const Letters& letters = {}) {
  std::string made;
  for (const char c : text) {
    if (std::isupper(static_cast<unsigned char>(c)) == 0) {
      made += c;
    } else if (const auto own = letters.find(c); own != letters.end()) {
      made += own->second;
    } else {
      made.append(3, static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
  }
  return made;
}

bool has(Term whole, Term part) {
  if (whole == part) return true;
  for (const Term inner : whole.components())
    if (has(inner, part)) return true;
  return false;
}

// The variable that a line of the table introduces for the letter M.
std::string introduced(Reading& reading, const std::string& conclusion) {
  const Term term = reading.sentence(with_terms(conclusion)).term, common = reading.term("mmm");
  const bool of_rule =
      narsese::is_higher_order(term) && has(term.subject(), common) && has(term.predicate(), common);
  return of_rule ? "$1" : "#1";
}

struct Checked {
  Reading reading;
  InferenceRules rules{reading.table, TermLimits{}};
  std::vector<Conclusion> drawn;

  void apply(const Premise& task, const Premise& belief, bool overlap = false) {
    drawn.clear();
    rules.apply(task, belief, overlap, drawn);
  }
  bool concluded(Term term, Punctuation punctuation, Share truth, const std::string& name) const {
    for (const Conclusion& one : drawn)
      if (one.term == term && one.punctuation == punctuation && rules.name(one.rule) == name &&
          std::abs(one.truth.frequency - truth.f) < 1e-12L &&
          std::abs(one.truth.confidence - truth.c) < 1e-12L)
        return true;
    return false;
  }
  bool asked(Term term) const {
    for (const Conclusion& one : drawn)
      if (one.term == term && one.punctuation == Punctuation::question) return true;
    return false;
  }
};

}  // namespace

TEST_CASE("every line of the rule table is parsed", "[reasoner][rule_table]") {
  const std::vector<Rule> rules = read_rules(rule_table());
  const std::vector<Line> own = lines();
  REQUIRE(rules.size() == own.size());
  CHECK(rules.size() > 100);
  for (std::size_t i = 0; i < own.size(); ++i) {
    INFO(own[i].text);
    CHECK(rules[i].line == own[i].text);
    CHECK(rules[i].level == own[i].level);
    CHECK(rules[i].truth_name == own[i].truth);
    CHECK(rules[i].premises.size() == own[i].premises.size());
    CHECK(rules[i].asks == own[i].asks);
    CHECK(rules[i].dependent == own[i].dependent);
    CHECK(rules[i].introducing == own[i].introducing);
    CHECK(rules[i].overlap == own[i].overlap);
  }
}

TEST_CASE("every rule gives its conclusion, whichever premise is the task", "[reasoner][rule_table]") {
  Checked checked;
  Reading& reading = checked.reading;
  const Share first{0.9L, 0.8L};
  for (const Line& line : lines()) {
    INFO(line.text);
    Letters kept_before, of_rest;
    if (line.dependent) {
      kept_before = {{'C', "<#1 --> ddd>"}, {'S', "<#1 --> sss>"}};
      of_rest = {{'C', "<ccc --> ddd>"}, {'S', "<ccc --> sss>"}};
    }
    // A difference is concluded only if its frequency is above 1/2.
    const Share second = line.truth == "difference" ? Share{0.2L, 0.6L} : Share{0.7L, 0.6L};
    Premise a = reading.premise(with_terms(line.premises[0], kept_before));
    a.truth = {0.9, 0.8};
    Letters of_conclusion = of_rest;
    if (line.introducing) of_conclusion['M'] = introduced(reading, line.conclusion);
    const narsese::Sentence wanted = reading.sentence(with_terms(line.conclusion, of_conclusion));
    if (line.premises.size() == 1) {
      checked.drawn.clear();
      checked.rules.apply(a, checked.drawn);
      CHECK(
          checked.concluded(wanted.term, wanted.punctuation, expected(line.truth, first, first), line.truth));
      continue;
    }
    // A letter that occurs only in the question becomes ?1.
    if (line.premises[1].back() == '?' && line.premises[0].find('A') == line.premises[0].npos)
      of_rest['A'] = "?1";
    Premise b = reading.premise(with_terms(line.premises[1], of_rest));
    b.truth = {static_cast<double>(second.f), 0.6};
    const Share truth = expected(line.truth, first, second);
    if (b.punctuation == Punctuation::judgment) {
      checked.apply(a, b);
      CHECK(checked.concluded(wanted.term, wanted.punctuation, truth, line.truth));
    }
    if (a.punctuation == Punctuation::judgment) {
      checked.apply(b, a);
      CHECK(checked.concluded(wanted.term, wanted.punctuation, truth, line.truth));
    }
  }
}

TEST_CASE("backward inference asks for the unknown premise", "[reasoner][rule_table]") {
  Checked checked;
  std::size_t asking = 0;
  for (const Line& line : lines()) {
    if (!line.asks) continue;
    ++asking;
    INFO(line.text);
    Premise question = checked.reading.premise(with_terms(line.conclusion));
    question.punctuation = Punctuation::question;
    for (std::size_t known = 0; known < 2; ++known) {
      // A premise that is a single letter is not used for backward inference.
      const bool letter = line.premises[known].size() == 2;
      const Premise belief = checked.reading.premise(with_terms(line.premises[known]));
      const Premise other = checked.reading.premise(with_terms(line.premises[1 - known]));
      checked.apply(question, belief);
      CHECK(checked.asked(other.term) == !letter);
    }
  }
  CHECK(asking == 25);
}

TEST_CASE("premises that share evidence are used only by rules marked overlap", "[reasoner][rule_table]") {
  Checked checked;
  for (const Line& line : lines()) {
    if (line.premises.size() == 1 || line.dependent) continue;
    INFO(line.text);
    Premise a = checked.reading.premise(with_terms(line.premises[0]));
    Premise b = checked.reading.premise(with_terms(line.premises[1]));
    const bool turned = b.punctuation != Punctuation::judgment;
    checked.apply(turned ? b : a, turned ? a : b, true);
    std::size_t same_line = 0, of_others = 0;
    for (const Conclusion& one : checked.drawn) {
      same_line += checked.rules.line(one.rule) == line.text;
      of_others += checked.rules.line(one.rule).find("overlap") == std::string_view::npos;
    }
    CHECK((same_line != 0) == line.overlap);
    CHECK(of_others == 0);
  }
}

TEST_CASE("a rule without asks is not used backward", "[reasoner][rule_table]") {
  // Conversion answers a question, but must not be used for backward inference.
  Reading reading;
  InferenceRules rules(reading.table, {});
  std::vector<Conclusion> drawn;
  rules.apply(reading.premise("<ppp --> sss>?"), reading.premise("<sss --> ppp>."), false, drawn);
  std::vector<std::string_view> answers;
  for (const Conclusion& one : drawn) {
    if (one.punctuation == Punctuation::judgment) answers.push_back(rules.name(one.rule));
    if (one.punctuation == Punctuation::question)
      CHECK(rules.line(one.rule).find("asks") != std::string_view::npos);
  }
  CHECK(answers == std::vector<std::string_view>{"conversion"});
}

TEST_CASE("a table with a faulty line is rejected", "[reasoner][rule_table]") {
  const std::string good = "1 | <M --> P>. ; <S --> M>. |- <S --> P>. | deduction, asks | Wang";
  CHECK(read_rules(good).size() == 1);
  CHECK(read_rules("# of inheritance\n\n" + good + "\n").size() == 1);
  for (const std::string bad :
       {"1 | <M --> P>. ; <S --> M>. |- <S --> P>. | deduction",          // only three fields
        "1 | <M --> P>. ; <S --> M>. |- <S --> P>. | deduction | W | B",  // five fields
        "1 | <M --> P>. ; <S --> M>. |- <S --> P>. | reduction | Wang",   // no such truth function
        "1 | <M --> P>. ; <S --> M>. |- <S --> A>. | deduction | Wang",   // A is in no premise
        // "sure" is no option of a rule.
        "1 | <M --> P>. ; <S --> M>. |- <S --> P>. | deduction, sure | W",
        "1 | <M --> P>. ; <S --> M>. | deduction | Wang",              // no conclusion
        "1 | <M --> P ; <S --> M>. |- <S --> P>. | deduction | Wang",  // the first premise is not a sentence
        "1 | A. ; B. ; C. |- A. | deduction | Wang",                   // three premises
        "1 | <Ma --> P>. |- <P --> Ma>. | conversion | Wang"}) {  // a name of two characters is not a letter
    INFO(bad);
    CHECK_THROWS_AS(read_rules(bad), std::logic_error);
    CHECK_THROWS_AS(read_rules(good + "\n" + bad), std::logic_error);
  }
}

}  // namespace engram::core::rule_table_tests
