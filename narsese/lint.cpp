// SPDX-License-Identifier: MIT
#include "narsese/lint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "narsese/lint_analysis.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/printer.hpp"
#include "narsese/similar_names.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

constexpr double surely_true = 0.9, surely_false = 0.1;  // frequencies; chosen, not derived
constexpr double slack = 1e-9;                           // tolerance for the rounding of 1 - f
constexpr std::string_view blanks = " \t";

std::size_t column(std::string_view text, std::size_t offset) {
  return count_code_points(text.substr(0, offset)) + 1;
}
std::size_t first_column(std::string_view text) {
  return column(text, std::min(text.find_first_not_of(blanks), text.size()));
}

// The text for a message, shortened: one term may fill a line of 64 KiB, and messages are stored.
std::string shortened(std::string text) {
  constexpr std::size_t longest = 200;
  if (text.size() <= longest) return text;
  text.resize(longest);
  text.resize(find_invalid_utf8(text));
  return text + "..";
}
std::string shortened(std::string_view text) { return shortened(std::string(text)); }
std::string shortened(Term term) { return shortened(print(term)); }

// Hash of a term without the brackets of sets with one component.
std::uint64_t hash_without_braces(Term term) {
  while (is_singleton_set(term)) term = term.components()[0];
  const bool nests = term.kind() == TermKind::statement || term.is(Connector::product);
  if (!nests) return term.hash();
  std::uint64_t hash =
      term.kind() == TermKind::statement ? 100 + static_cast<std::uint64_t>(term.copula()) : 1;
  for (const Term part : term.components()) hash = hash_combine(hash, hash_without_braces(part));
  return hash;
}

// Appends the atoms that have braces in only one of two terms that are equal without braces.
void collect_unlike_atoms(Term a, Term b, std::vector<Term>& atoms) {
  if (a == b) return;
  if (is_singleton_set(a) != is_singleton_set(b) || (is_singleton_set(a) && a.connector() != b.connector())) {
    while (is_singleton_set(a)) a = a.components()[0];
    if (a.kind() == TermKind::atom) atoms.push_back(a);
    return;
  }
  for (std::size_t i = 0; i < std::min(a.components().size(), b.components().size()); ++i)
    collect_unlike_atoms(a.components()[i], b.components()[i], atoms);
}

}  // namespace

class Linter::Run {
 public:
  Run(TermTable& table, std::optional<Dialect> target)
      : table_(table), target_(target), parser_(target.value_or(Dialect::any)) {}

  void line(const NalLine& line, std::string_view file) {
    line_ = &line;
    search_from_ = 0;
    search_column_ = 1;
    begin_file(file);
    if (target_) check_target();
    switch (line.kind) {
      case NalLine::Kind::sentence:
        return sentence(line.sentence);
      case NalLine::Kind::expectation:
        for (const ParseWarning& warning : line.warnings)
          report(place(warning.column), "needed-without-question", warning.message);
        return;
      case NalLine::Kind::error:
        check_copula();
        return note_words_of_error();
      case NalLine::Kind::command:
        note_words_of_command();
        [[fallthrough]];
      case NalLine::Kind::comment:
        for (const ParseWarning& warning : line.warnings)
          report(place(warning.column), "misspelt-directive", warning.message);
        if (resets_memory(line.text)) forget_judgments();
        return;
      default:
        return;
    }
  }

  std::vector<LintFinding> finish() {
    report_unknown_atoms();
    report_similar_names();
    report_braces();
    std::ranges::stable_sort(findings_, [](const Found& a, const Found& b) {
      return std::tuple(a.place.file, a.place.line, a.place.column) <
             std::tuple(b.place.file, b.place.line, b.place.column);
    });
    std::vector<LintFinding> findings;
    for (Found& found : findings_)
      findings.push_back({files_[found.place.file], found.place.line, found.place.column,
                          std::string(found.rule), std::move(found.message), found.is_error});
    findings_.clear();
    if (left_out_ > 0)
      findings.push_back({findings.back().file, findings.back().line, 1, "more-findings",
                          std::to_string(left_out_) + " more findings are left out", false});
    return findings;
  }

 private:
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t column = 1;
    std::size_t line = 0;  // 0: no place
  };
  struct Found {
    Place place;
    std::string_view rule;
    std::string message;
    bool is_error;
  };
  struct Uses {
    std::uint64_t count = 0;
    Place first;
  };
  struct Name {
    Term term;
    Uses uses;
    Uses instance, bare;  // {tim}, or tim itself, as the subject of a statement
    Place asked;          // in the first question with this name
    std::uint32_t other_questions = 0;
    bool is_kind = false;         // something else is an instance of it
    bool is_stated = false;       // by a judgment or goal, or possibly by an invalid line
    NamePositions positions = 0;  // in all questions
  };
  struct Claim {
    Place is_true, is_false;
    bool reported = false;
  };

  // --- places and findings

  void begin_file(std::string_view file) {
    if (!files_.empty() && files_[file_] == file) return;
    forget_judgments();
    const auto known = std::ranges::find(files_, file);
    file_ = static_cast<std::uint32_t>(known - files_.begin());
    if (known == files_.end()) files_.emplace_back(file);
  }

  Place place(std::size_t column) const { return {file_, static_cast<std::uint32_t>(column), line_->number}; }
  Place place() const { return place(first_column(line_->text)); }

  void report(Place place, std::string_view rule, std::string message, bool is_error = false) {
    if (findings_.size() < max_findings)
      findings_.push_back({place, rule, std::move(message), is_error});
    else
      ++left_out_;
  }

  std::string reference(Place place, std::uint32_t from_file) const {
    const std::string line = std::to_string(place.line);
    return place.file == from_file ? "line " + line : files_[place.file] + ":" + line;
  }

  // Place of a name in the line. Names are mostly looked up in written order, so the search continues after the last
  // one.
  Place place_of(std::string_view name) {
    const std::string_view text = line_->text;
    const auto find = [&](std::size_t from, std::size_t to) {
      for (std::size_t at = text.find(name, from); at < to; at = text.find(name, at + 1))
        if ((at == 0 || !is_word_letter(text[at - 1])) &&
            (at + name.size() == text.size() || !is_word_letter(text[at + name.size()])))
          return at;
      return std::string_view::npos;
    };
    std::size_t at = find(search_from_, std::string_view::npos);
    if (at == std::string_view::npos) at = find(0, search_from_);
    if (at == std::string_view::npos) return place();
    if (at < search_from_) search_from_ = 0, search_column_ = 1;
    search_column_ += count_code_points(text.substr(search_from_, at - search_from_));
    search_from_ = at;
    return place(search_column_);
  }

  // --- rules of single lines

  // The target's parser gives the columns of constructs. If it stops at the first error, other constructs get the
  // column of the line.
  void check_target() {
    if (line_->text.size() > facts(*target_).max_line_bytes)
      report(place(), "misread-by-target",
             std::string(facts(*target_).system) + " reads at most " +
                 std::to_string(facts(*target_).max_line_bytes) +
                 " bytes of a line and takes the rest for another line",
             true);
    if (line_->kind == NalLine::Kind::error) return;  // the reader reported it
    ConstructSet bad = line_->constructs & (handled(*target_, Handling::Kind::refuses) |
                                            handled(*target_, Handling::Kind::misreads));
    std::vector<ParseWarning> target_warnings;  // warnings of the target's parser, with columns
    if (line_->kind == NalLine::Kind::sentence) {
      const ParsedSentence reading = parser_.sentence(line_->text, table_);
      target_warnings = reading.warnings;
      if (!reading.result)
        target_warnings.push_back({reading.result.error().column, reading.result.error().message()});
      if (!reading.result && bad == 0)
        report(place(target_warnings.back().column), "misread-by-target", target_warnings.back().message,
               true);
    }
    std::vector<std::string> constructs;
    for (; bad != 0; bad &= bad - 1) {
      constructs.push_back(explain(static_cast<Construct>(std::countr_zero(bad)), *target_));
      const auto known = std::ranges::find(target_warnings, constructs.back(), &ParseWarning::message);
      report(known != target_warnings.end() ? place(known->column) : place(), "misread-by-target",
             constructs.back(), true);
    }
    if (line_->kind != NalLine::Kind::sentence) return;
    for (const ParseWarning& warning : target_warnings)  // changes that the target makes to a valid term
      if (std::ranges::find(constructs, warning.message) == constructs.end() &&
          warning.message.find(" makes '") != std::string::npos)
        report(place(warning.column), "misread-by-target", warning.message, true);
  }

  void check_copula() {
    if (const ParseError& error = line_->error;
        !error.hint.empty() && !error.expected.starts_with("punctuation"))
      report(place(error.column), "unknown-copula", error.hint, true);
  }

  void check_truth(const TruthValue& truth) {
    const std::size_t at = line_->text.find_last_of("%{", line_->text.find_last_not_of("%} \t"));
    const Place where = at == std::string::npos ? place() : place(column(line_->text, at));
    if (truth.confidence <= 0)
      report(where, "no-evidence", "a confidence of 0 is no evidence, so the sentence has no effect");
    if (truth.confidence > max_confidence)
      report(where, "endless-evidence",
             std::string(truth.confidence >= 1
                             ? "a confidence of 1 is infinite evidence, which later input cannot change"
                             : "a confidence above 0.99 is hard to change") +
                 ": OpenNARS and Engram's reasoner cap it at 0.99, ONA keeps it whatever the later input" +
                 (truth.confidence >= 1 ? ", PyNARS refuses it" : ""));
  }

  void check_variables(const Sentence& sentence) {
    if (sentence.punctuation == Punctuation::judgment && has_variable(sentence.term, VariableKind::query)) {
      const auto written = written_variables(line_->text, VariableKind::query);
      report(written.empty() ? place() : place(column(line_->text, written[0].second)),
             "query-variable-in-judgment",
             (written.empty() ? "a query variable" : shortened(written[0].first)) +
                 " asks, but this is a judgment; a variable for anything is $x, one for something is #x");
    }
    const IndependentVariables variables(sentence.term);
    if (!sentence.asks() && (variables.may_generalise || has_variable(sentence.term, VariableKind::query)))
      anything_may_be_stated_ = true;
    if (!variables.unbound.empty()) report_unbound(sentence, variables);
  }

  // The sentence's variables are renumbered, so the line is parsed again to find their written names.
  void report_unbound(const Sentence& sentence, const IndependentVariables& variables) {
    const std::string_view text = line_->text;
    const std::size_t budget = sentence.budget ? text.find('$') : std::string_view::npos;
    const std::size_t from = budget == std::string_view::npos ? 0 : text.find('$', budget + 1) + 1;
    const auto written = written_variables(text, VariableKind::independent, from);
    std::vector<std::int64_t> numbers;
    SyntaxTree tree;
    if (Parser().tree(text, tree)) numbers = IndependentVariables(table_.intern(tree.nodes).front()).unbound;
    const bool names_known = numbers.size() == variables.unbound.size() &&
                             numbers.back() <= static_cast<std::int64_t>(written.size());
    for (std::size_t i = 0; i < variables.unbound.size(); ++i) {
      if (!names_known && i > 0) break;
      const auto variable =
          names_known ? std::optional(written[static_cast<std::size_t>(numbers[i]) - 1]) : std::nullopt;
      report(variable ? place(column(text, variable->second)) : place(), "unbound-variable",
             (variable ? shortened(variable->first) : "an independent variable") +
                 " is unbound: it is not on the other side of an implication or equivalence; write # for an "
                 "unnamed instance");
    }
  }

  void check_self_statement(const Sentence& sentence) {
    const Term term = sentence.term;
    if (sentence.punctuation == Punctuation::judgment && term.kind() == TermKind::statement &&
        term.subject() == term.predicate() && !term.is(Copula::continuous_property))
      report(place(), "self-statement", shortened(term) + " is true of every term, so it has no effect");
  }

  // --- rules of judgments

  void forget_judgments() {
    claims_.clear();
    judgments_.clear();
    braces_.clear();
  }

  void check_eternal_judgment(const Sentence& sentence) {
    const TruthValue truth = sentence.truth_or_default();
    if (truth.confidence <= 0 || claims_.size() >= max_judgments) return;
    check_contradiction(sentence.term, truth.frequency);
    if (judgments_.size() >= max_judgments) return;
    const auto [known, fresh] =
        judgments_.try_emplace({sentence.term, truth.frequency, truth.confidence}, place(), false);
    if (fresh || known->second.second) return;
    known->second.second = true;
    Sentence plain{sentence.term, Punctuation::judgment, {}, sentence.truth, {}, {}};
    report(place(), "duplicate-judgment",
           shortened(print(plain)) + " repeats " + reference(known->second.first, file_) +
               ": a system counts it as more evidence or ignores it");
  }

  void check_contradiction(Term term, double frequency) {
    while (term.is(Connector::negation)) {
      term = term.components()[0];
      frequency = 1 - frequency;
    }
    const bool is_true = frequency >= surely_true - slack;
    if (!is_true && frequency > surely_false + slack) return;
    Claim& claim = claims_[term];
    Place& here = is_true ? claim.is_true : claim.is_false;
    const Place& there = is_true ? claim.is_false : claim.is_true;
    if (here.line == 0) here = place();
    if (there.line == 0 || claim.reported) return;
    claim.reported = true;
    report(place(), "contradiction",
           shortened(term) + " is " + (is_true ? "true" : "false") + " here and " +
               (is_true ? "false" : "true") + " in " + reference(there, file_));
  }

  // Finds the same statement or question with {tim} and with tim. (<{a} <-> {b}> and <a <-> b> mean the same for
  // NARS.)
  void check_braces(Term term) {
    if (!term.is(Copula::inheritance) || braces_.size() >= max_judgments) return;
    const auto [known, fresh] = braces_.try_emplace(hash_without_braces(term), term, place());
    if (fresh || known->second.first == term) return;
    std::vector<Term> atoms;
    collect_unlike_atoms(known->second.first, term, atoms);
    for (const Term atom : atoms)
      if (unlike_braces_.size() < max_names && unlike_braces_.insert(atom).second)
        report(place_of(atom.name()), "forgotten-braces",
               shortened(term) + " and, in " + reference(known->second.second, file_) + ", " +
                   shortened(known->second.first) + " differ in the braces of " + shortened(atom.name()) +
                   ": for NARS these are different terms");
  }

  // --- names of a sentence

  void sentence(const Sentence& sentence) {
    if (sentence.truth) check_truth(*sentence.truth);
    if (sentence.term.has_variables()) check_variables(sentence);
    check_self_statement(sentence);
    if (sentence.punctuation == Punctuation::judgment && sentence.tense.kind == Tense::Kind::eternal &&
        !sentence.delay)
      check_eternal_judgment(sentence);
    check_braces(sentence.term);
    count_names(sentence.term, Role::other, !sentence.asks());
    if (sentence.asks()) note_question(sentence.term);
  }

  // role of a term in an inheritance statement
  enum class Role : std::uint8_t { thing, instance, kind, other };

  void count_names(Term term, Role role, bool stated) {
    if (term.kind() == TermKind::atom || term.kind() == TermKind::op) return count_name(term, role, stated);
    if (term.is(Copula::inheritance)) {
      count_names(term.subject(), Role::thing, stated);
      count_names(term.predicate(), Role::kind, stated);
      return;
    }
    Role inner = Role::other;
    if (role == Role::thing && term.is(Connector::product)) inner = Role::thing;
    if (role == Role::thing && term.is(Connector::extensional_set) && is_singleton_set(term))
      inner = Role::instance;
    for (const Term part : term.components()) count_names(part, inner, stated);
  }

  void count_name(Term term, Role role, bool stated) {
    Name* name = find_name(term);
    if (name == nullptr) return;
    const auto use = [&](Uses& uses) {
      if (uses.count++ == 0) uses.first = place_of(term.name());
    };
    use(name->uses);
    if (role == Role::thing) use(name->bare);
    if (role == Role::instance) use(name->instance);
    name->is_kind |= role == Role::kind || role == Role::other;
    // M1[0.5,0.5] also states something about M1, and PyNARS reads a-b as a difference of a and b.
    if (stated && !name->is_stated && !std::ranges::all_of(term.name(), is_word_letter))
      note_words(term.name());
    name->is_stated |= stated;
  }

  Name* find_name(Term term) {
    const auto known = ids_.find(term);
    if (known != ids_.end()) return &names_[known->second];
    if (names_.size() >= max_names) return nullptr;
    ids_.emplace(term, names_.size());
    return &names_.emplace_back(Name{term, {}, {}, {}, {}, 0, false, false, 0});
  }

  void note_question(Term term) {
    for (const QuestionName& asked : question_names(term)) {
      Name* name = find_name(asked.atom);
      if (name == nullptr) continue;
      name->positions |= asked.positions;
      if (name->asked.line == 0)
        name->asked = place_of(asked.atom.name());
      else
        ++name->other_questions;
    }
  }

  // An invalid line may state anything about the names in it, for the system that it was written for.
  void note_words_of_error() {
    const std::string_view text = line_->text;
    const bool was_cut = line_->error.expected.ends_with("bytes in a line");
    if (was_cut || !written_variables(text, VariableKind::independent).empty() ||
        !written_variables(text, VariableKind::query).empty())
      anything_may_be_stated_ = true;
    note_words(text);
  }

  // Commands of NAR_Nalifier (*CONCEPT_CREATION=true) begin with a capital letter. It can introduce names.
  void note_words_of_command() {
    const std::size_t star = line_->text.find('*');
    const char next = star == std::string::npos ? '\0' : line_->text.c_str()[star + 1];
    if (next >= 'A' && next <= 'Z') anything_may_be_stated_ = true;
    note_words(line_->text);
  }

  void note_words(std::string_view text) {
    for_each_word(text, [&](std::string_view word) {
      if (known_words_.size() < max_known_words)
        known_words_.insert(hash_bytes(word));
      else
        anything_may_be_stated_ = true;
    });
  }
  bool are_words_known(std::string_view name) const {
    bool all = true;
    for_each_word(name, [&](std::string_view word) { all &= known_words_.contains(hash_bytes(word)); });
    return all;
  }

  // --- rules of the whole run

  void report_unknown_atoms() {
    if (anything_may_be_stated_) return;
    for (const Name& name : names_) {
      const std::string_view text = name.term.name();
      if (name.asked.line == 0 || name.is_stated || may_enter_answers(name.positions) ||
          !comes_only_from_input(text) || are_words_known(text))
        continue;
      std::string message = "no judgment or goal mentions " + shortened(text) +
                            ", and inference cannot introduce names: there can be no answer";
      if (name.other_questions > 0)
        message += " (nor to " + std::to_string(name.other_questions) + " more of the questions)";
      report(name.asked, "unknown-atom-in-question", std::move(message));
    }
  }

  void report_similar_names() {
    for (const TermKind kind : {TermKind::atom, TermKind::op}) {
      std::vector<NameCount> counts;
      std::vector<std::size_t> ids;
      for (std::size_t id = 0; id < names_.size(); ++id)
        if (names_[id].term.kind() == kind) {
          counts.push_back({names_[id].term.name(), names_[id].uses.count});
          ids.push_back(id);
        }
      for (const SimilarNames& pair : similar_names(counts)) {
        const Name &odd = names_[ids[pair.odd]], &usual = names_[ids[pair.usual]];
        const Place where = odd.uses.first;
        const bool look = pair.kind == SimilarNames::Kind::look;
        const std::string ending = look ? deceptive_ending(odd.term.name(), usual.term.name()) : "";
        report(where, "near-duplicate-name",
               shortened(odd.term.name()) + " (used " + times(odd.uses.count) + ") " +
                   std::string(difference(pair.kind)) + ' ' + shortened(usual.term.name()) + " (" +
                   times(usual.uses.count) + ", first in " + reference(usual.uses.first, where.file) + ")" +
                   ending);
      }
    }
  }

  static std::string times(std::uint64_t count) {
    return count == 1 ? "once" : std::to_string(count) + " times";
  }

  // A name that is never a class and mostly {tim} but once tim, or mostly tim but once {tim}.
  void report_braces() {
    constexpr std::uint64_t usual_uses = 3;
    for (const Name& name : names_) {
      if (name.is_kind || unlike_braces_.contains(name.term)) continue;
      const bool bare_is_odd = name.bare.count == 1 && name.instance.count >= usual_uses;
      const bool instance_is_odd = name.instance.count == 1 && name.bare.count >= usual_uses;
      if (!bare_is_odd && !instance_is_odd) continue;
      const Uses &odd = bare_is_odd ? name.bare : name.instance,
                 &usual = bare_is_odd ? name.instance : name.bare;
      const std::string text = shortened(name.term.name()), braced = '{' + text + '}';
      report(odd.first, "forgotten-braces",
             (bare_is_odd ? text : braced) + " is used here, " + (bare_is_odd ? braced : text) + " " +
                 times(usual.count) + " elsewhere, first in " + reference(usual.first, odd.first.file) +
                 ": for NARS these are different terms");
    }
  }

  TermTable& table_;
  std::optional<Dialect> target_;
  Parser parser_;

  const NalLine* line_ = nullptr;
  std::uint32_t file_ = 0;
  std::size_t search_from_ = 0, search_column_ = 1;  // state of place_of
  std::vector<std::string> files_;
  std::vector<Found> findings_;
  std::size_t left_out_ = 0;

  std::unordered_map<Term, std::size_t, HashOfTerm> ids_;  // indexes into names_
  std::vector<Name> names_;
  std::unordered_set<std::uint64_t> known_words_;  // hashes of words; a collision only suppresses a warning
  bool anything_may_be_stated_ = false;            // the input may state something about all terms

  struct Judgment {
    Term term;
    double frequency, confidence;
    bool operator==(const Judgment&) const = default;
  };
  struct HashJudgment {
    std::size_t operator()(const Judgment& judgment) const {
      std::uint64_t hash =
          hash_combine(judgment.term.hash(), std::bit_cast<std::uint64_t>(judgment.frequency));
      return static_cast<std::size_t>(hash_combine(hash, std::bit_cast<std::uint64_t>(judgment.confidence)));
    }
  };
  std::unordered_map<Term, Claim, HashOfTerm> claims_;
  // the bool is true after a report
  std::unordered_map<Judgment, std::pair<Place, bool>, HashJudgment> judgments_;
  std::unordered_map<std::uint64_t, std::pair<Term, Place>> braces_;  // key: hash without braces
  std::unordered_set<Term, HashOfTerm> unlike_braces_;                // reported atoms
};

Linter::Linter(TermTable& table, std::optional<Dialect> target)
    : run_(std::make_unique<Run>(table, target)) {}
Linter::Linter(Linter&&) noexcept = default;
Linter& Linter::operator=(Linter&&) noexcept = default;
Linter::~Linter() = default;

void Linter::line(const NalLine& line, std::string_view file) { run_->line(line, file); }
std::vector<LintFinding> Linter::finish() { return run_->finish(); }

}  // namespace engram::narsese
