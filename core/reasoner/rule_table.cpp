// SPDX-License-Identifier: MIT
#include "core/reasoner/rule_table.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "narsese/parser.hpp"
#include "narsese/text.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

using narsese::Term;
using narsese::TermKind;
using narsese::TruthValue;

namespace {

template <TruthValue (*of_one)(TruthValue)>
TruthValue of_first_premise(TruthValue a, TruthValue) {
  return of_one(a);
}

// A truth function and its name in the table.
struct NamedFunction {
  std::string_view name;
  TruthFunction function;
  bool strong = false;  // Rule::strong
};

constexpr NamedFunction truth_functions[] = {
    {"identity", of_first_premise<narsese::identity>},
    {"negation", of_first_premise<narsese::negation>},
    {"conversion", of_first_premise<narsese::conversion>},
    {"contraposition", of_first_premise<narsese::contraposition>},
    {"sure_deduction", of_first_premise<narsese::sure_deduction>},
    {"sure_abduction", of_first_premise<narsese::sure_abduction>},
    {"structural_deduction", of_first_premise<narsese::structural_deduction>},
    {"structural_exclusion", of_first_premise<narsese::structural_exclusion>},
    {"structural_similarity", of_first_premise<narsese::structural_similarity>},
    {"deduction", narsese::deduction, true},
    {"abduction", narsese::abduction},
    {"induction", narsese::induction},
    {"exemplification", narsese::exemplification},
    {"comparison", narsese::comparison},
    {"analogy", narsese::analogy, true},
    {"resemblance", narsese::resemblance, true},
    {"intersection", narsese::intersection},
    {"set_union", narsese::set_union},
    {"difference", narsese::difference},
    {"reduced_conjunction", narsese::reduced_conjunction, true},
    {"reduced_disjunction", narsese::reduced_disjunction, true},
    {"reduced_difference", narsese::reduced_difference, true},
    {"reduced_remainder", narsese::reduced_remainder, true},
    {"anonymous_analogy", narsese::anonymous_analogy, true},
    {"desire_deduction", narsese::desire_deduction, true},
    {"desire_induction", narsese::desire_induction, true},
    {"desire_strong", narsese::desire_strong, true},
};

// Splits a text at the marks, and trims the parts.
std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(mark);
    parts.push_back(narsese::trim(text.substr(0, at)));
    if (at == text.npos) return parts;
    text.remove_prefix(at + mark.size());
  }
}

class RuleReader {
 public:
  explicit RuleReader(std::string_view line) : line_(line) {}

  Rule read() {
    // The connector | never has blanks on both sides.
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
    const auto* function = std::ranges::find(truth_functions, words[0], &NamedFunction::name);
    if (function == std::end(truth_functions)) fail("a truth function");
    rule.truth_name = function->name;
    rule.truth = function->function;
    rule.strong = function->strong;
    constexpr std::pair<std::string_view, bool Rule::*> flags[] = {{"asks", &Rule::asks},
                                                                   {"dependent", &Rule::dependent},
                                                                   {"either", &Rule::either},
                                                                   {"overlap", &Rule::overlap},
                                                                   {"introducing", &Rule::introducing}};
    for (const std::string_view word : std::span(words).subspan(1)) {
      const auto* flag = std::ranges::find(flags, word, &std::pair<std::string_view, bool Rule::*>::first);
      if (flag == std::end(flags)) fail("no such word as " + std::string(word));
      rule.*(flag->second) = true;
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
      if (letters_.size() > Rule::max_letters || term.name().size() != 1) fail("a few letters");
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

std::string_view rule_table() {
  return R"(
# Inheritance
1 | <M --> P>. ; <S --> M>. |- <S --> P>. | deduction, asks | Wang
1 | <M --> P>. ; <S --> M>. |- <P --> S>. | exemplification, asks | Wang
1 | <P --> M>. ; <S --> M>. |- <S --> P>. | abduction, asks | Wang
1 | <M --> P>. ; <M --> S>. |- <S --> P>. | induction, asks | Wang
1 | <S --> P>. ; <P --> S>? |- <P --> S>. | conversion | Wang

# Similarity, instances and properties
2 | <P --> M>. ; <S --> M>. |- <S <-> P>. | comparison, asks | Wang
2 | <M --> P>. ; <M --> S>. |- <S <-> P>. | comparison, asks | Wang
2 | <M --> P>. ; <S <-> M>. |- <S --> P>. | analogy, asks | Wang
2 | <P --> M>. ; <S <-> M>. |- <P --> S>. | analogy, asks | Wang
2 | <M <-> P>. ; <S <-> M>. |- <S <-> P>. | resemblance, asks | Wang
2 | <S --> P>. ; <P --> S>. |- <S <-> P>. | intersection | Wang
2 | <S <-> P>. ; <S --> P>. |- <P --> S>. | reduced_conjunction | OpenNARS LocalRules.inferToAsym
2 | <S <-> P>. ; <S --> P>? |- <S --> P>. | sure_deduction | OpenNARS LocalRules.convertRelation
2 | <S --> P>. ; <S <-> P>? |- <S <-> P>. | sure_abduction | OpenNARS LocalRules.convertRelation
2 | <S --> {P}>. |- <S <-> {P}>. | identity | Wang
2 | <[S] --> P>. |- <[S] <-> P>. | identity | Wang
2 | <{S} <-> {P}>. |- <{S} --> {P}>. | identity | Wang
2 | <[S] <-> [P]>. |- <[S] --> [P]>. | identity | Wang
2 | <{S} <-> {P}>. |- <S <-> P>. | identity | Wang
2 | <[S] <-> [P]>. |- <S <-> P>. | identity | Wang
2 | <S <-> P>. ; <{S} <-> {P}>? |- <{S} <-> {P}>. | structural_deduction | OpenNARS StructuralRules
2 | <S <-> P>. ; <[S] <-> [P]>? |- <[S] <-> [P]>. | structural_deduction | OpenNARS StructuralRules
2 | <S <-> P>. ; <{S} --> {P}>? |- <{S} --> {P}>. | structural_similarity | OpenNARS StructuralRules
2 | <S <-> P>. ; <[S] --> [P]>? |- <[S] --> [P]>. | structural_similarity | OpenNARS StructuralRules
# a set is the union, or the intersection, of the sets of its components
2 | <{A,B} --> M>. |- <{A} --> M>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose1
2 | <M --> [A,B]>. |- <M --> [A]>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose1

# Intersections and differences: composed of two judgments
3 | <M --> S>. ; <M --> P>. |- <M --> (&,S,P)>. | intersection | Wang
3 | <M --> S>. ; <M --> P>. |- <M --> (|,S,P)>. | set_union | Wang
3 | <M --> S>. ; <M --> P>. |- <M --> (-,S,P)>. | difference | Wang
3 | <S --> M>. ; <P --> M>. |- <(|,S,P) --> M>. | intersection | Wang
3 | <S --> M>. ; <P --> M>. |- <(&,S,P) --> M>. | set_union | Wang
3 | <S --> M>. ; <P --> M>. |- <(~,S,P) --> M>. | difference | Wang
# taken apart by a second judgment
3 | <M --> (&,S,P)>. ; <M --> S>. |- <M --> P>. | reduced_conjunction | Wang
3 | <M --> (|,S,P)>. ; <M --> S>. |- <M --> P>. | reduced_disjunction | Wang
3 | <M --> (-,S,P)>. ; <M --> S>. |- <M --> P>. | reduced_difference | Wang
3 | <M --> (-,S,P)>. ; <M --> P>. |- <M --> S>. | reduced_remainder | Wang
3 | <(|,S,P) --> M>. ; <S --> M>. |- <P --> M>. | reduced_conjunction | Wang
3 | <(&,S,P) --> M>. ; <S --> M>. |- <P --> M>. | reduced_disjunction | Wang
3 | <(~,S,P) --> M>. ; <S --> M>. |- <P --> M>. | reduced_difference | Wang
3 | <(~,S,P) --> M>. ; <P --> M>. |- <S --> M>. | reduced_remainder | Wang
# by themselves
3 | <M --> (&,S,P)>. |- <M --> S>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose1
3 | <(|,S,P) --> M>. |- <S --> M>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose1
3 | <M --> (-,S,P)>. |- <M --> S>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose1
3 | <M --> (-,S,P)>. |- <M --> P>. | structural_exclusion | OpenNARS StructuralRules.structuralDecompose1
3 | <(~,S,P) --> M>. |- <S --> M>. | structural_deduction | OpenNARS StructuralRules.structuralDecompose2
3 | <(~,S,P) --> M>. |- <P --> M>. | structural_exclusion | OpenNARS StructuralRules.structuralDecompose2
# and what a question asks for
3 | <M --> S>. ; <M --> (|,S,P)>? |- <M --> (|,S,P)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> M>. ; <(&,S,P) --> M>? |- <(&,S,P) --> M>. | structural_deduction | OpenNARS StructuralRules
3 | <M --> P>. ; <M --> (-,S,P)>? |- <M --> (-,S,P)>. | structural_exclusion | OpenNARS StructuralRules
3 | <P --> M>. ; <(~,S,P) --> M>? |- <(~,S,P) --> M>. | structural_exclusion | OpenNARS StructuralRules
3 | <S --> P>. ; <(&,S,M) --> (&,P,M)>? |- <(&,S,M) --> (&,P,M)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> P>. ; <(|,S,M) --> (|,P,M)>? |- <(|,S,M) --> (|,P,M)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> P>. ; <(-,S,M) --> (-,P,M)>? |- <(-,S,M) --> (-,P,M)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> P>. ; <(-,M,P) --> (-,M,S)>? |- <(-,M,P) --> (-,M,S)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> P>. ; <(~,S,M) --> (~,P,M)>? |- <(~,S,M) --> (~,P,M)>. | structural_deduction | OpenNARS StructuralRules
3 | <S --> P>. ; <(~,M,P) --> (~,M,S)>? |- <(~,M,P) --> (~,M,S)>. | structural_deduction | OpenNARS StructuralRules

# Products and images: the same, written in other ways
4 | <(*,A,B) --> R>. |- <A --> (/,R,_,B)>. | identity | Wang
4 | <(*,A,B) --> R>. |- <B --> (/,R,A,_)>. | identity | Wang
4 | <A --> (/,R,_,B)>. |- <(*,A,B) --> R>. | identity | Wang
4 | <B --> (/,R,A,_)>. |- <(*,A,B) --> R>. | identity | Wang
4 | <R --> (*,A,B)>. |- <(\,R,_,B) --> A>. | identity | Wang
4 | <R --> (*,A,B)>. |- <(\,R,A,_) --> B>. | identity | Wang
4 | <(\,R,_,B) --> A>. |- <R --> (*,A,B)>. | identity | Wang
4 | <(\,R,A,_) --> B>. |- <R --> (*,A,B)>. | identity | Wang
4 | <(*,A,B,C) --> R>. |- <A --> (/,R,_,B,C)>. | identity | Wang
4 | <(*,A,B,C) --> R>. |- <B --> (/,R,A,_,C)>. | identity | Wang
4 | <(*,A,B,C) --> R>. |- <C --> (/,R,A,B,_)>. | identity | Wang
4 | <A --> (/,R,_,B,C)>. |- <(*,A,B,C) --> R>. | identity | Wang
4 | <B --> (/,R,A,_,C)>. |- <(*,A,B,C) --> R>. | identity | Wang
4 | <C --> (/,R,A,B,_)>. |- <(*,A,B,C) --> R>. | identity | Wang
4 | <R --> (*,A,B,C)>. |- <(\,R,_,B,C) --> A>. | identity | Wang
4 | <R --> (*,A,B,C)>. |- <(\,R,A,_,C) --> B>. | identity | Wang
4 | <R --> (*,A,B,C)>. |- <(\,R,A,B,_) --> C>. | identity | Wang
4 | <(\,R,_,B,C) --> A>. |- <R --> (*,A,B,C)>. | identity | Wang
4 | <(\,R,A,_,C) --> B>. |- <R --> (*,A,B,C)>. | identity | Wang
4 | <(\,R,A,B,_) --> C>. |- <R --> (*,A,B,C)>. | identity | Wang
# and what a question asks for
4 | <S --> P>. ; <(*,S,M) --> A>? |- <(*,S,M) --> (*,P,M)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(*,M,S) --> A>? |- <(*,M,S) --> (*,M,P)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <A --> (*,P,M)>? |- <(*,S,M) --> (*,P,M)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <A --> (*,M,P)>? |- <(*,M,S) --> (*,M,P)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(/,S,_,M) --> A>? |- <(/,S,_,M) --> (/,P,_,M)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(/,S,M,_) --> A>? |- <(/,S,M,_) --> (/,P,M,_)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(/,R,_,P) --> A>? |- <(/,R,_,P) --> (/,R,_,S)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(/,R,P,_) --> A>? |- <(/,R,P,_) --> (/,R,S,_)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(\,S,_,M) --> A>? |- <(\,S,_,M) --> (\,P,_,M)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(\,S,M,_) --> A>? |- <(\,S,M,_) --> (\,P,M,_)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(\,R,_,P) --> A>? |- <(\,R,_,P) --> (\,R,_,S)>. | structural_deduction | OpenNARS StructuralRules
4 | <S --> P>. ; <(\,R,P,_) --> A>? |- <(\,R,P,_) --> (\,R,S,_)>. | structural_deduction | OpenNARS StructuralRules

# Implication and equivalence: as inheritance and similarity
5 | <M ==> P>. ; <S ==> M>. |- <S ==> P>. | deduction, asks | Wang
5 | <M ==> P>. ; <S ==> M>. |- <P ==> S>. | exemplification, asks | Wang
5 | <P ==> M>. ; <S ==> M>. |- <S ==> P>. | abduction, asks | Wang
5 | <M ==> P>. ; <M ==> S>. |- <S ==> P>. | induction, asks | Wang
5 | <S ==> P>. ; <P ==> S>? |- <P ==> S>. | conversion | Wang
5 | <P ==> M>. ; <S ==> M>. |- <S <=> P>. | comparison, asks | Wang
5 | <M ==> P>. ; <M ==> S>. |- <S <=> P>. | comparison, asks | Wang
5 | <M ==> P>. ; <S <=> M>. |- <S ==> P>. | analogy, asks | Wang
5 | <P ==> M>. ; <S <=> M>. |- <P ==> S>. | analogy, asks | Wang
5 | <M <=> P>. ; <S <=> M>. |- <S <=> P>. | resemblance, asks | Wang
5 | <S ==> P>. ; <P ==> S>. |- <S <=> P>. | intersection | Wang
5 | <S <=> P>. ; <S ==> P>. |- <P ==> S>. | reduced_conjunction | OpenNARS LocalRules.inferToAsym
5 | <S <=> P>. ; <S ==> P>? |- <S ==> P>. | sure_deduction | OpenNARS LocalRules.convertRelation
5 | <S ==> P>. ; <S <=> P>? |- <S <=> P>. | sure_abduction | OpenNARS LocalRules.convertRelation
# with one of their sides
5 | <A ==> B>. ; A. |- B. | deduction, asks, either, overlap | Wang
5 | <A ==> B>. ; B. |- A. | abduction, asks | Wang
5 | A. ; <A <=> B>. |- B. | analogy, asks, overlap | Wang
# conjunctions and disjunctions on one side
5 | <M ==> S>. ; <M ==> P>. |- <M ==> (&&,S,P)>. | intersection | Wang
5 | <M ==> S>. ; <M ==> P>. |- <M ==> (||,S,P)>. | set_union | Wang
5 | <S ==> M>. ; <P ==> M>. |- <(||,S,P) ==> M>. | intersection | Wang
5 | <S ==> M>. ; <P ==> M>. |- <(&&,S,P) ==> M>. | set_union | Wang
5 | <M ==> (&&,S,P)>. ; <M ==> S>. |- <M ==> P>. | reduced_conjunction | Wang
5 | <M ==> (||,S,P)>. ; <M ==> S>. |- <M ==> P>. | reduced_disjunction | Wang
5 | <(||,S,P) ==> M>. ; <S ==> M>. |- <P ==> M>. | reduced_conjunction | Wang
5 | <(&&,S,P) ==> M>. ; <S ==> M>. |- <P ==> M>. | reduced_disjunction | Wang
# alone
5 | (&&,S,P). ; S. |- P. | reduced_conjunction | Wang
5 | (||,S,P). ; S. |- P. | reduced_disjunction | Wang
5 | (&&,S,P). |- S. | structural_deduction | OpenNARS StructuralRules.structuralCompound
5 | S. ; (||,S,P)? |- (||,S,P). | structural_deduction | OpenNARS StructuralRules.structuralCompound
# negation
5 | (--,S). |- S. | negation | Wang
5 | S. ; (--,S)? |- (--,S). | negation | Wang
5 | <(--,S) ==> P>. ; <(--,P) ==> S>? |- <(--,P) ==> S>. | contraposition | Wang
5 | <S ==> P>. ; <(--,P) ==> (--,S)>? |- <(--,P) ==> (--,S)>. | contraposition | Wang
# conditions one of which is known, follows, or is what differs
5 | <(&&,C,S) ==> P>. ; C. |- <S ==> P>. | deduction, either, overlap | Wang
5 | C. ; <(&&,C,S) <=> P>. |- <S ==> P>. | analogy, either, overlap | OpenNARS SyllogisticRules.conditionalAna
5 | <(&&,C,S) ==> P>. ; <M ==> C>. |- <(&&,M,S) ==> P>. | deduction | Wang
5 | <(&&,C,S) ==> P>. ; <C ==> M>. |- <(&&,M,S) ==> P>. | induction | Wang
5 | <(&&,C,S) ==> P>. ; <(&&,C,M) ==> P>. |- <M ==> S>. | abduction | Wang
5 | <(&&,C,S) ==> P>. ; <C ==> P>. |- S. | abduction, either | Wang

# Variables: what holds of something, known of this one
6 | (&&,C,S). ; C. |- S. | anonymous_analogy, dependent | OpenNARS SyllogisticRules.elimiVarDep
# introduced: what two judgments share
6 | <M --> P>. ; <M --> S>. |- <<M --> S> ==> <M --> P>>. | induction, introducing | Wang
6 | <M --> P>. ; <M --> S>. |- <<M --> S> <=> <M --> P>>. | comparison, introducing | Wang
6 | <M --> P>. ; <M --> S>. |- (&&,<M --> S>,<M --> P>). | intersection, introducing | Wang
6 | <P --> M>. ; <S --> M>. |- <<S --> M> ==> <P --> M>>. | induction, introducing | Wang
6 | <P --> M>. ; <S --> M>. |- <<S --> M> <=> <P --> M>>. | comparison, introducing | Wang
6 | <P --> M>. ; <S --> M>. |- (&&,<S --> M>,<P --> M>). | intersection, introducing | Wang
# and into what has variables already
6 | (&&,<M --> P>,R). ; <M --> S>. |- (&&,<M --> P>,R,<M --> S>). | intersection, introducing | OpenNARS CompositionalRules.introVarInner
6 | (&&,<M --> P>,R). ; <M --> S>. |- <<M --> S> ==> (&&,<M --> P>,R)>. | induction, introducing | OpenNARS CompositionalRules.introVarInner
6 | <R ==> <M --> P>>. ; <M --> S>. |- (&&,<R ==> <M --> P>>,<M --> S>). | intersection, introducing | OpenNARS CompositionalRules.introVarInner
6 | <R ==> <M --> P>>. ; <M --> S>. |- <(&&,R,<M --> S>) ==> <M --> P>>. | induction, introducing | OpenNARS CompositionalRules.introVarInner
6 | <<M --> P> ==> R>. ; <M --> S>. |- <(&&,<M --> P>,<M --> S>) ==> R>. | induction, introducing | OpenNARS CompositionalRules.IntroVarSameSubjectOrPredicate

# What follows in time: chains of it, and of a sequence the first event replaced by what leads to it
7 | <M =/> P>. ; <S =/> M>. |- <S =/> P>. | deduction, asks | Wang
7 | <M =|> P>. ; <S =|> M>. |- <S =|> P>. | deduction, asks | Wang
7 | <M =\> P>. ; <S =\> M>. |- <S =\> P>. | deduction, asks | Wang
7 | <(&/,C,S) =/> P>. ; <M =/> C>. |- <(&/,M,S) =/> P>. | deduction, asks | Wang

# Goals: what would bring about what is wanted
5 | <A ==> B>. ; B! |- A! | desire_deduction | OpenNARS SyllogisticRules.detachment
5 | <A ==> B>. ; A! |- B! | desire_induction | OpenNARS SyllogisticRules.detachment
5 | B! ; <A <=> B>. |- A! | desire_strong | OpenNARS SyllogisticRules.detachment
)";
}

}  // namespace engram::core
