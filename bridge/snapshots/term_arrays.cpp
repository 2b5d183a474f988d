// SPDX-License-Identifier: MIT
#include "bridge/snapshots/term_arrays.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "bridge/snapshots/snapshot_format.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using narsese::Sentence;
using narsese::Term;
using narsese::TermKind;
using narsese::TermLabel;

constexpr std::array<std::string_view, 6> kinds{"atom",     "operator", "variable",
                                                "interval", "compound", "statement"};

std::string text_of(const TermLabel& label) {
  std::string text(kinds[static_cast<std::size_t>(label.kind)]);
  if (label.kind == TermKind::variable)
    text += std::string(" ") + symbol(static_cast<narsese::VariableKind>(label.symbol));
  if (label.kind == TermKind::statement)
    text += " " + std::string(facts(static_cast<narsese::Copula>(label.symbol)).text);
  if (label.kind == TermKind::compound) {
    const auto connector = static_cast<narsese::Connector>(label.symbol);
    text += " " + std::string(facts(connector).text);
    if (is_image(connector)) text += " " + std::to_string(label.position);
  }
  return text;
}

// The label that a line of the file describes; empty if the line is invalid.
std::optional<TermLabel> label_of(std::string_view line) {
  TermLabel label;
  const std::size_t number = std::min(line.rfind(' '), line.size() - 1) + 1;
  std::from_chars(line.data() + number, line.data() + line.size(), label.position);
  const auto is = [&](TermKind kind, auto symbol) {
    label.kind = kind;
    label.symbol = static_cast<std::uint8_t>(symbol);
    return text_of(label) == line;
  };
  for (const TermKind kind : {TermKind::atom, TermKind::op, TermKind::interval})
    if (is(kind, 0)) return label;
  for (const auto kind :
       {narsese::VariableKind::independent, narsese::VariableKind::dependent, narsese::VariableKind::query})
    if (is(TermKind::variable, kind)) return label;
  for (const auto& row : narsese::copulas)
    if (is(TermKind::statement, row.copula)) return label;
  for (const auto& row : narsese::connectors)
    if (is(TermKind::compound, row.connector)) return label;
  return std::nullopt;
}

// Fast check that accepts most names; others need the parser.
bool is_usual_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto more = [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::ranges::all_of(name, more);
}

bool reads_as_itself(Term term) {
  narsese::TermTable scratch;
  return snapshot_format::reads_as(narsese::print(term), term, scratch);
}

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_label_bytes = std::uint64_t{1} << 20;

std::string quoted(std::string_view text) {
  return Json(std::string(text.substr(0, 40))).dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Bits of the facts about a sentence: two for the punctuation, three for the tense, then one for each optional part.
constexpr std::uint8_t tense_shift = 2, has_truth = 1 << 5, has_budget = 1 << 6, has_delay = 1 << 7;
using TenseKind = narsese::Tense::Kind;
constexpr std::array tense_kinds{TenseKind::eternal, TenseKind::past,   TenseKind::present,
                                 TenseKind::future,  TenseKind::offset, TenseKind::at};
constexpr std::array punctuations{narsese::Punctuation::judgment, narsese::Punctuation::goal,
                                  narsese::Punctuation::question, narsese::Punctuation::quest};

bool has_cycles(TenseKind tense) { return tense == TenseKind::offset || tense == TenseKind::at; }

template <class Table>
std::uint8_t place_in(const Table& table, typename Table::value_type value) {
  return static_cast<std::uint8_t>(std::ranges::find(table, value) - table.begin());
}

// Reader of the arrays of terms, which creates one term after another.
class TermsReader {
 public:
  TermsReader(ByteReader& bytes, std::size_t most, narsese::TermTable& table) : table_(table) {
    const std::size_t at = bytes.offset();
    read_labels(bytes.text("bytes of labels", most_label_bytes), at);
    label_of_ = bytes.array<std::uint16_t>("terms", 0, most);
    sizes_ = bytes.array<std::uint32_t>("sizes", 0, label_of_.size());
    components_ = bytes.array<TermsWriter::Ref>("components", 0, no_bound);
    names_ = bytes.array<char>("bytes of names", 0, no_bound);
    numbers_ = bytes.array<std::int64_t>("numbers", 0, label_of_.size());
  }

  WrittenTerms read() {
    const NumbersAt<TermsWriter::Ref> components = components_;
    // Per term: its handle, its fixed size in the table, and its slot in the index.
    const core::Reservation claim(label_of_.size() * 48 + components_.size() * sizeof(Term) + names_.size());
    terms_.reserve(label_of_.size());
    while (terms_.size() < label_of_.size()) {
      core::charge(16);
      terms_.push_back(next_term());
    }
    sizes_.require_end("sizes");
    components_.require_end("components");
    if (name_ != names_.size()) names_.refuse(name_, "no more names");
    numbers_.require_end("numbers");
    return {std::move(terms_), components};
  }

 private:
  void read_labels(std::string_view text, std::size_t at) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      const auto label = label_of(line);
      if (!label) throw ByteError(at, "expected a label of terms, found " + quoted(line));
      labels_.push_back(*label);
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      at += line.size() + 1;
    }
  }

  Term next_term() {
    const std::size_t i = terms_.size();
    if (label_of_[i] >= labels_.size())
      label_of_.refuse(i, "one of " + std::to_string(labels_.size()) + " labels");
    const TermLabel label = labels_[label_of_[i]];
    try {
      switch (label.kind) {
        case TermKind::atom:
        case TermKind::op:
          return named(label);
        case TermKind::variable:
          return table_.variable(
              static_cast<narsese::VariableKind>(label.symbol),
              numbers_.next("a variable's number", 1, static_cast<std::int64_t>(limits_.max_variables)));
        case TermKind::interval:
          return table_.interval(numbers_.next("an interval's length", 0));
        default:
          return composed(label);
      }
    } catch (const std::invalid_argument& error) {
      throw ByteError(label_of_.offset_of(i), "term " + std::to_string(i) + ": " + error.what());
    }
  }

  Term named(const TermLabel& label) {
    const std::size_t size = sizes_.next("the bytes of a name", 0, most_name_bytes);
    if (size > names_.size() - name_) names_.refuse(names_.size(), "a name's bytes");
    const std::string_view name(names_.data() + name_, size);
    const Term term = label.kind == TermKind::atom ? table_.atom(name) : table_.op(name);
    if (!is_usual_name(name) && !reads_as_itself(term)) names_.refuse(name_, "a name that can be read");
    name_ += size;
    return term;
  }

  Term composed(const TermLabel& label) {
    const bool is_statement = label.kind == TermKind::statement;
    const std::size_t size = is_statement ? 2 : sizes_.next("a number of components", 0, most_components);
    parts_.clear();
    std::uint64_t complexity = 1;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t at = components_.position();
      if (at + ahead < components_.size() && components_[at + ahead] < terms_.size())
        terms_[components_[at + ahead]].prefetch();
      const auto component = components_.next("the number of an earlier term");
      if (component >= terms_.size()) components_.refuse(at, "the number of an earlier term");
      parts_.push_back(terms_[component]);
      complexity += parts_.back().complexity();
      if (parts_.back().depth() >= limits_.max_depth || complexity > most_nodes)
        components_.refuse(at, "a term of at most " + std::to_string(limits_.max_depth) + " levels and " +
                                   std::to_string(most_nodes) + " parts");
    }
    if (is_statement)
      return table_.statement(static_cast<narsese::Copula>(label.symbol), parts_[0], parts_[1]);
    const auto connector = static_cast<narsese::Connector>(label.symbol);
    return is_image(connector) ? table_.image(connector, parts_, label.position)
                               : table_.compound(connector, parts_);
  }

  static constexpr std::size_t ahead = 32;  // components to prefetch ahead
  // More nodes than a line can hold. Shared subterms could otherwise give terms of exponential length.
  static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 19;
  const narsese::ParseLimits limits_ = snapshot_format::parse_limits();
  const std::uint32_t most_name_bytes = static_cast<std::uint32_t>(limits_.max_name_bytes),
                      most_components = static_cast<std::uint32_t>(limits_.max_components);
  narsese::TermTable& table_;
  std::vector<TermLabel> labels_;
  NumbersAt<std::uint16_t> label_of_;
  NumbersAt<std::uint32_t> sizes_;
  NumbersAt<TermsWriter::Ref> components_;
  NumbersAt<char> names_;
  NumbersAt<std::int64_t> numbers_;
  std::size_t name_ = 0;  // the position of the next name
  std::vector<Term> terms_, parts_;
};

}  // namespace

TermsWriter::Ref TermsWriter::add(Term term) {
  const auto known = index_.find(term.hash(), [&](std::uint32_t i) { return added_[i] == term; });
  if (known != narsese::HashIndex::none) return known;
  std::vector<Ref> components;
  for (const Term component : term.components()) components.push_back(add(component));
  components_.insert(components_.end(), components.begin(), components.end());
  const TermLabel label = term.label();
  const std::uint32_t key = static_cast<std::uint32_t>(label.kind) | std::uint32_t{label.symbol} << 8 |
                            std::uint32_t{label.position} << 16;
  const auto [line, is_new] =
      label_numbers_.try_emplace(key, static_cast<std::uint16_t>(label_numbers_.size()));
  if (is_new) labels_ += text_of(label) + "\n";
  label_of_.push_back(line->second);
  if (is_name(label.kind)) names_ += term.name();
  if (is_name(label.kind) || label.kind == TermKind::compound)
    sizes_.push_back(label.size);
  else if (label.kind != TermKind::statement)
    numbers_.push_back(term.number());
  const auto own = static_cast<Ref>(added_.size());
  added_.push_back(term);
  index_.insert(term.hash(), own);
  return own;
}

void TermsWriter::write(std::string& bytes) const {
  put_array(bytes, labels_);
  put_array(bytes, label_of_);
  put_array(bytes, sizes_);
  put_array(bytes, components_);
  put_array(bytes, names_);
  put_array(bytes, numbers_);
}

WrittenTerms read_terms(ByteReader& bytes, std::size_t most, narsese::TermTable& table) {
  return TermsReader(bytes, most, table).read();
}

void SentencesWriter::add(const Sentence& sentence, TermsWriter::Ref term) {
  terms_.push_back(term);
  facts_.push_back(static_cast<std::uint8_t>(
      place_in(punctuations, sentence.punctuation) |
      place_in(tense_kinds, sentence.tense.kind) << tense_shift | (sentence.truth ? has_truth : 0) |
      (sentence.budget ? has_budget : 0) | (sentence.delay ? has_delay : 0)));
  if (has_cycles(sentence.tense.kind)) cycles_.push_back(sentence.tense.cycles);
  if (const auto& truth = sentence.truth)
    truths_.insert(truths_.end(), {truth->frequency, truth->confidence});
  if (const auto& budget = sentence.budget)
    budgets_.insert(budgets_.end(), {budget->priority, budget->durability, budget->quality});
  if (sentence.delay) delays_.push_back(*sentence.delay);
}

void SentencesWriter::write(std::string& bytes) const {
  put_array(bytes, terms_);
  put_array(bytes, facts_);
  put_array(bytes, cycles_);
  put_array(bytes, truths_);
  put_array(bytes, budgets_);
  put_array(bytes, delays_);
}

SentencesReader::SentencesReader(ByteReader& bytes, const std::vector<Term>& terms, narsese::TermTable& table,
                                 std::size_t most)
    : of_terms_(terms), table_(table), refs_(bytes.array<TermsWriter::Ref>("sentences", 0, most)) {
  facts_ = bytes.array<std::uint8_t>("sentences", size(), size());
  cycles_ = bytes.array<std::int64_t>("tenses with cycles", 0, size());
  truths_ = bytes.array<double>("numbers of truth values", 0, 2 * size());
  budgets_ = bytes.array<double>("numbers of budgets", 0, 3 * size());
  delays_ = bytes.array<double>("delays", 0, size());
}

Sentence SentencesReader::next() {
  core::charge(16);
  const std::size_t i = taken_++;
  if (refs_[i] >= of_terms_.size()) refs_.refuse(i, "one of the terms");
  Sentence sentence;
  sentence.term = of_terms_[refs_[i]];
  if (sentence.term.has_variables() && sentence.term.kind() != TermKind::variable &&
      number_variables(table_, sentence.term) != sentence.term)
    refs_.refuse(i, "a term whose variables are numbered in the order of their first use");
  const std::uint8_t fact = facts_[i];
  sentence.punctuation = punctuations[fact & 3];
  const std::size_t tense = fact >> tense_shift & 7;
  if (tense >= tense_kinds.size()) facts_.refuse(i, "a known tense");
  sentence.tense.kind = tense_kinds[tense];
  if (has_cycles(sentence.tense.kind)) sentence.tense.cycles = cycles_.next("cycles");
  if ((fact & has_truth) != 0) {
    if (sentence.asks()) facts_.refuse(i, "no truth value of a question");
    sentence.truth.emplace();
    for (double* part : {&sentence.truth->frequency, &sentence.truth->confidence})
      *part = truths_.next("a share", 0, 1);
  }
  if ((fact & has_budget) != 0) {
    sentence.budget.emplace();
    for (double* part : {&sentence.budget->priority, &sentence.budget->durability, &sentence.budget->quality})
      *part = budgets_.next("a share", 0, 1);
  }
  if ((fact & has_delay) != 0) sentence.delay = delays_.next("a delay in cycles");
  return sentence;
}

void SentencesReader::require_end() const {
  cycles_.require_end("cycles");
  truths_.require_end("truth values");
  budgets_.require_end("budgets");
  delays_.require_end("delays");
}

}  // namespace engram::bridge
