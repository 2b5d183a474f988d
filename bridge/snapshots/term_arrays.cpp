// SPDX-License-Identifier: MIT
#include "bridge/snapshots/term_arrays.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
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

std::string_view taken_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// The label of one line; empty if it is invalid.
std::optional<TermLabel> label_of(std::string_view line) {
  std::string_view rest = line;
  const auto kind = std::ranges::find(kinds, taken_word(rest));
  if (kind == kinds.end()) return std::nullopt;
  TermLabel label{.kind = static_cast<TermKind>(kind - kinds.begin())};
  const std::string_view sign = taken_word(rest);
  for (const auto variable :
       {narsese::VariableKind::independent, narsese::VariableKind::dependent, narsese::VariableKind::query})
    if (label.kind == TermKind::variable && sign == std::string_view(std::array{symbol(variable)}.data(), 1))
      label.symbol = static_cast<std::uint8_t>(variable);
  for (const auto& copula : narsese::copulas)
    if (label.kind == TermKind::statement && copula.text == sign)
      label.symbol = static_cast<std::uint8_t>(copula.copula);
  for (const auto& connector : narsese::connectors)
    if (label.kind == TermKind::compound && connector.text == sign)
      label.symbol = static_cast<std::uint8_t>(connector.connector);
  std::from_chars(rest.data(), rest.data() + rest.size(), label.position);
  // Rejects labels that would be written differently.
  return text_of(label) == line ? std::optional(label) : std::nullopt;
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

// Bits of the facts of a sentence: two for the punctuation, three for the tense, then one for each optional part.
constexpr std::uint8_t tense_shift = 2, has_truth = 1 << 5, has_budget = 1 << 6, has_delay = 1 << 7;
using TenseKind = narsese::Tense::Kind;
constexpr std::array tenses{TenseKind::eternal, TenseKind::past,   TenseKind::present,
                            TenseKind::future,  TenseKind::offset, TenseKind::at};
constexpr std::array punctuations{narsese::Punctuation::judgment, narsese::Punctuation::goal,
                                  narsese::Punctuation::question, narsese::Punctuation::quest};

bool has_cycles(TenseKind tense) { return tense == TenseKind::offset || tense == TenseKind::at; }

template <Number T>
T next_of(const NumbersAt<T>& numbers, std::size_t& at, const char* what) {
  if (at == numbers.size()) numbers.refuse(at, what);
  return numbers[at++];
}

template <class Table>
std::uint8_t place_in(const Table& table, typename Table::value_type value) {
  return static_cast<std::uint8_t>(std::ranges::find(table, value) - table.begin());
}

}  // namespace

void TermsWriter::start(Term term) {
  const TermLabel label = term.label();
  const std::uint32_t key = static_cast<std::uint32_t>(label.kind) | std::uint32_t{label.symbol} << 8 |
                            std::uint32_t{label.position} << 16;
  const auto [known, is_new] =
      label_numbers_.try_emplace(key, static_cast<std::uint16_t>(label_numbers_.size()));
  if (is_new) labels_ += text_of(label) + "\n";
  label_of_.push_back(known->second);
  if (is_name(label.kind)) names_ += term.name();
  if (is_name(label.kind) || label.kind == TermKind::compound)
    sizes_.push_back(label.size);
  else if (label.kind != TermKind::statement)
    numbers_.push_back(term.number());
}

void TermsWriter::write(std::string& bytes) const {
  put_text(bytes, labels_);
  put_array(bytes, label_of_);
  put_array(bytes, sizes_);
  put_array(bytes, components_);
  put_text(bytes, names_);
  put_array(bytes, numbers_);
}

TermsWriter::Ref WholeTermsWriter::add(Term term) {
  const auto known = index_.find(term.hash(), [&](std::uint32_t i) { return added_[i] == term; });
  if (known != narsese::HashIndex::none) return known;
  std::vector<TermsWriter::Ref> components;
  for (const Term component : term.components()) components.push_back(add(component));
  auto next = components.begin();
  const TermsWriter::Ref own = terms_.add(term, [&](Term) { return *next++; });
  added_.push_back(term);
  index_.insert(term.hash(), own);
  return own;
}

TermsReader::TermsReader(ByteReader& bytes, std::size_t most) {
  const std::size_t at = bytes.offset();
  read_labels(bytes.text("bytes of labels", most_label_bytes), at);
  label_of_ = bytes.array<std::uint16_t>("terms", 0, most);
  sizes_ = bytes.array<std::uint32_t>("sizes", 0, label_of_.size());
  components_ = bytes.array<std::uint32_t>("components", 0, no_bound);
  names_ = bytes.array<char>("bytes of names", 0, no_bound);
  numbers_ = bytes.array<std::int64_t>("numbers", 0, label_of_.size());
}

void TermsReader::read_labels(std::string_view text, std::size_t at) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto label = label_of(text.substr(0, end));
    if (!label) throw ByteError(at, "expected a label of terms, found " + quoted(text.substr(0, end)));
    labels_.push_back(*label);
    text.remove_prefix(std::min(end + 1, text.size()));
    at += end + 1;
  }
}

// Creates the terms one after another.
class TermsReader::Maker {
 public:
  Maker(const TermsReader& in, narsese::TermTable& table) : in_(in), table_(table) {}

  std::vector<Term> all() {
    // Per term: its handle, its fixed size in the table, and its slot in the index.
    const core::Reservation claim(in_.label_of_.size() * 48 + in_.components_.size() * sizeof(Term) +
                                  in_.names_.size());
    terms_.reserve(in_.label_of_.size());
    for (std::size_t i = 0; i < in_.label_of_.size(); ++i) {
      core::charge(16);
      terms_.push_back(term(i));
    }
    if (size_ != in_.sizes_.size()) in_.sizes_.refuse(size_, "no more sizes");
    if (component_ != in_.components_.size()) in_.components_.refuse(component_, "no more components");
    if (name_ != in_.names_.size()) in_.names_.refuse(name_, "no more names");
    if (number_ != in_.numbers_.size()) in_.numbers_.refuse(number_, "no more numbers");
    return std::move(terms_);
  }

 private:
  Term term(std::size_t i) {
    if (in_.label_of_[i] >= in_.labels_.size())
      in_.label_of_.refuse(i, "one of " + std::to_string(in_.labels_.size()) + " labels");
    const TermLabel label = in_.labels_[in_.label_of_[i]];
    try {
      switch (label.kind) {
        case TermKind::atom:
        case TermKind::op:
          return named(label);
        case TermKind::variable:
        case TermKind::interval:
          return numbered(label);
        default:
          return composed(label);
      }
    } catch (const std::invalid_argument& error) {
      throw ByteError(in_.label_of_.offset_of(i), "term " + std::to_string(i) + ": " + error.what());
    }
  }

  std::uint32_t next_size(std::size_t most, const char* what) {
    if (size_ == in_.sizes_.size() || in_.sizes_[size_] > most)
      in_.sizes_.refuse(size_, "at most " + std::to_string(most) + what);
    return in_.sizes_[size_++];
  }

  Term named(const TermLabel& label) {
    const std::size_t size = next_size(limits_.max_name_bytes, " bytes of a name");
    if (size > in_.names_.size() - name_) in_.names_.refuse(in_.names_.size(), "a name's bytes");
    const std::string_view name(in_.names_.data() + name_, size);
    const Term term = label.kind == TermKind::atom ? table_.atom(name) : table_.op(name);
    if (!is_usual_name(name) && !reads_as_itself(term)) in_.names_.refuse(name_, "a name that can be read");
    name_ += size;
    return term;
  }

  Term numbered(const TermLabel& label) {
    const bool is_variable = label.kind == TermKind::variable;
    if (number_ == in_.numbers_.size() || in_.numbers_[number_] < (is_variable ? 1 : 0) ||
        (is_variable && in_.numbers_[number_] > static_cast<std::int64_t>(limits_.max_variables)))
      in_.numbers_.refuse(number_, is_variable ? "a variable's number" : "an interval's length");
    const std::int64_t number = in_.numbers_[number_++];
    return is_variable ? table_.variable(static_cast<narsese::VariableKind>(label.symbol), number)
                       : table_.interval(number);
  }

  Term composed(const TermLabel& label) {
    const bool is_statement = label.kind == TermKind::statement;
    const std::size_t size = is_statement ? 2 : next_size(limits_.max_components, " components");
    parts_.clear();
    std::uint64_t complexity = 1;
    for (std::size_t k = 0; k < size; ++k, ++component_) {
      if (const std::size_t next = component_ + ahead;
          next < in_.components_.size() && in_.components_[next] < terms_.size())
        terms_[in_.components_[next]].prefetch();
      if (component_ == in_.components_.size() || in_.components_[component_] >= terms_.size())
        in_.components_.refuse(component_, "one of the terms before");
      parts_.push_back(terms_[in_.components_[component_]]);
      complexity += parts_.back().complexity();
      if (parts_.back().depth() >= limits_.max_depth || complexity > most_nodes)
        in_.components_.refuse(component_, "a term of at most " + std::to_string(limits_.max_depth) +
                                               " levels and " + std::to_string(most_nodes) + " parts");
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
  const TermsReader& in_;
  narsese::TermTable& table_;
  const narsese::ParseLimits limits_ = snapshot_format::parse_limits();
  std::size_t size_ = 0, component_ = 0, name_ = 0, number_ = 0;  // positions of the next items
  std::vector<Term> terms_, parts_;
};

std::vector<Term> TermsReader::made_in(narsese::TermTable& table) const { return Maker(*this, table).all(); }

void SentencesWriter::add(const Sentence& sentence, TermsWriter::Ref term) {
  terms_.push_back(term);
  facts_.push_back(static_cast<std::uint8_t>(
      place_in(punctuations, sentence.punctuation) | place_in(tenses, sentence.tense.kind) << tense_shift |
      (sentence.truth ? has_truth : 0) | (sentence.budget ? has_budget : 0) |
      (sentence.delay ? has_delay : 0)));
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
    : of_terms_(terms), table_(table), refs_(bytes.array<std::uint32_t>("sentences", 0, most)) {
  facts_ = bytes.array<std::uint8_t>("sentences", size(), size());
  cycles_ = bytes.array<std::int64_t>("tenses with cycles", 0, size());
  truths_ = bytes.array<double>("numbers of truth values", 0, 2 * size());
  budgets_ = bytes.array<double>("numbers of budgets", 0, 3 * size());
  delays_ = bytes.array<double>("delays", 0, size());
}

double SentencesReader::share(const NumbersAt<double>& numbers, std::size_t& at) const {
  const double number = next_of(numbers, at, "a share");
  if (!(number >= 0 && number <= 1)) numbers.refuse(at - 1, "a share, in [0, 1]");
  return number;
}

Sentence SentencesReader::next() {
  core::charge(16);
  const std::size_t i = taken_++;
  if (refs_[i] >= of_terms_.size()) refs_.refuse(i, "one of the terms");
  Sentence sentence;
  sentence.term = of_terms_[refs_[i]];
  if (sentence.term.has_variables() && sentence.term.kind() != TermKind::variable &&
      number_variables(table_, sentence.term) != sentence.term)
    refs_.refuse(i, "a term whose variables are numbered as they come");
  const std::uint8_t fact = facts_[i];
  sentence.punctuation = punctuations[fact & 3];
  const std::size_t tense = fact >> tense_shift & 7;
  if (tense >= tenses.size()) facts_.refuse(i, "a tense that there is");
  sentence.tense.kind = tenses[tense];
  if (has_cycles(sentence.tense.kind)) sentence.tense.cycles = next_of(cycles_, cycle_, "cycles");
  if ((fact & has_truth) != 0) {
    if (sentence.asks()) facts_.refuse(i, "no truth value of a question");
    sentence.truth.emplace();
    sentence.truth->frequency = share(truths_, truth_);
    sentence.truth->confidence = share(truths_, truth_);
  }
  if ((fact & has_budget) != 0) {
    sentence.budget.emplace();
    for (double* part : {&sentence.budget->priority, &sentence.budget->durability, &sentence.budget->quality})
      *part = share(budgets_, budget_);
  }
  if ((fact & has_delay) != 0) {
    sentence.delay = next_of(delays_, delay_, "a delay");
    if (!std::isfinite(*sentence.delay)) delays_.refuse(delay_ - 1, "a number of cycles");
  }
  return sentence;
}

void SentencesReader::end() const {
  if (cycle_ != cycles_.size()) cycles_.refuse(cycle_, "no more cycles");
  if (truth_ != truths_.size()) truths_.refuse(truth_, "no more truth values");
  if (budget_ != budgets_.size()) budgets_.refuse(budget_, "no more budgets");
  if (delay_ != delays_.size()) delays_.refuse(delay_, "no more delays");
}

}  // namespace engram::bridge
