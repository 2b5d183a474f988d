// SPDX-License-Identifier: MIT
#include "core/session/session.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

// Work of parsing a line and looking up its terms.
constexpr std::uint64_t steps_a_byte = 20, steps_a_line = 500;
// The heap is trimmed after forgetting only in a memory of at least this size. Chosen.
constexpr std::size_t min_bytes_to_trim = std::size_t{1} << 20;

MemoryOptions memory_options(MemoryOptions options, const ForgettingOptions& forgetting) {
  options.reserves_forgetting_space = forgetting.policy != ForgettingPolicy::none;
  return options;
}

// The budget of the remaining items under their new numbers, with sum 1.
SparseVector renumbered(const SparseVector& budget, std::span<const std::uint32_t> numbers,
                        std::size_t size) {
  std::vector<SparseVector::Entry> entries;
  budget.each([&](std::uint32_t i, double share) {
    if (numbers[i] != Renumbering::gone) entries.emplace_back(numbers[i], share);
  });
  std::ranges::sort(entries);
  if (entries.empty()) return {};
  const SparseVector left(static_cast<Index>(size), std::move(entries));
  return left / left.sum();
}

// The lowest new number of the items with an old number of at least `mark`.
std::uint32_t least_since(std::size_t mark, std::span<const std::uint32_t> numbers) {
  const auto since = numbers.subspan(std::min(mark, numbers.size()));
  return since.empty() ? Renumbering::gone : *std::ranges::min_element(since);
}

std::string example_of(narsese::Term term) {
  constexpr std::uint64_t max_complexity = 64;
  return term.complexity() <= max_complexity
             ? narsese::print(term)
             : "a statement of " + std::to_string(term.complexity()) + " terms";
}

// Shortens a UTF-8 text at the end of a character.
void cut(std::string& text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return;
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xc0U) == 0x80U) --max_bytes;
  text.resize(max_bytes);
  text += "...";
}

}  // namespace

void LatestInputs::add(const narsese::Sentence& sentence, std::optional<StatementId> statement) {
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % capacity;
  entry.sentence = sentence;
  entry.sentence.term = {};
  entry.statement = statement;
  entry.text.clear();
  if (statement) return;
  entry.text = narsese::print(sentence);
  cut(entry.text, max_question_bytes);
}

std::vector<std::string> LatestInputs::texts(const Memory& memory) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < capacity; ++i) {
    const Entry& entry = entries_[(next_ + i) % capacity];
    if (entry.statement) {
      narsese::Sentence sentence = entry.sentence;
      sentence.term = memory.statements().term(*entry.statement);
      texts.push_back(narsese::print(sentence));
    } else if (!entry.text.empty()) {
      texts.push_back(entry.text);
    }
  }
  return texts;
}

void LatestInputs::renumber(const Renumbering& numbers) {
  for (Entry& entry : entries_) {
    if (!entry.statement) continue;
    const std::uint32_t number = numbers.statements[*entry.statement];
    number == Renumbering::gone ? entry.statement.reset() : void(entry.statement = number);
  }
}

Session::Session(MemoryOptions options, ForgettingOptions forgetting)
    : options_(memory_options(options, forgetting)), memory_(options_), forgetting_(forgetting) {}

Session::Session(const Session& other)
    : options_(other.options_),
      configured_(other.configured_),
      memory_(other.memory_),
      concept_budget_(other.concept_budget_),
      statement_budget_(other.statement_budget_),
      versions_before_(other.versions_before_),
      latest_(other.latest_),
      forgetting_(other.forgetting_),
      forgets_automatically_(other.forgets_automatically_) {
  options_.observer = nullptr;
  memory_.observe(nullptr);
  if (other.index_ &&
      &other.index_->memory() == &other.memory_)  // else `other` was moved and its index is invalid
    index_ = std::make_unique<MemoryIndex>(*other.index_, memory_);
}

Session::Request::Request(Session& session)
    : session_(session),
      // The text of the request is already allocated.
      work_({.bytes = session.room() -
                      std::min<std::uint64_t>(session.room(), WorkBudget::reserved_by_thread())}) {
  session_.in_request_ = true;
  session_.mark();
}

Session::Request::~Request() {
  session_.release_terms();
  session_.memory_.terms().unmark();
  session_.in_request_ = false;
}

void Session::mark() {
  if (!in_request_) return;
  memory_.terms().mark();
  marked_concepts_ = memory_.graph().size();
  marked_statements_ = memory_.statements().size();
}

void Session::release_terms() {
  memory_.release_terms_since(marked_concepts_, marked_statements_);
  mark();
}

std::size_t Session::bytes() const {
  return memory_.bytes() + (index_ ? index_->kept_bytes() : 0) + external_bytes_;
}

std::size_t Session::room() const {
  const std::size_t all = options_.limits.max_bytes;
  return all - std::min(all, bytes());
}

void Session::charge_index() {
  memory_.set_external_bytes((index_ ? index_->kept_bytes() : 0) + external_bytes_);
}

void Session::set_external_bytes(std::size_t external_bytes) {
  external_bytes_ = external_bytes;
  charge_index();
}

void Session::drop_index() {
  index_.reset();
  charge_index();
}

void Session::reset() {
  index_.reset();
  versions_before_ += memory_.version() + 1;
  latest_ = {};
  memory_ = Memory(options_);
  concept_budget_ = statement_budget_ = shared({});
  forgetting_.restore({});
  charge_index();
  mark();
}

void Session::restore(Memory memory, SparseVector concept_budget, SparseVector statement_budget,
                      Forgetting::State forgotten) {
  index_.reset();
  versions_before_ += memory_.version() + 1;
  latest_ = {};
  options_.decay = memory.options().decay;  // but not the limits, which other threads may read
  options_.activation = memory.options().activation;
  options_.learning = memory.options().learning;
  memory_ = std::move(memory);
  memory_.reserve_forgetting_space(forgetting_.is_on());
  concept_budget_ = shared(std::move(concept_budget));
  statement_budget_ = shared(std::move(statement_budget));
  forgetting_.restore(std::move(forgotten));
  charge_index();  // `memory` may have external bytes of another session
  mark();
}

Memory& Session::mutable_memory() {
  // One sentence can double the memory, and half of the new tables can exist beside the old ones.
  constexpr std::size_t growth = 3, least = std::size_t{1} << 20;
  if (index_ && growth * memory_.bytes() + least + index_->kept_bytes() > options_.limits.max_bytes)
    drop_index();
  return memory_;
}

Renumbering Session::keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                          ForgettingReason reason) {
  ForgettingEvent event{memory_.now(),
                        reason,
                        memory_.statements().size(),
                        memory_.graph().size(),
                        memory_.graph().hebbian_links().size(),
                        0,
                        {}};
  for (auto e = static_cast<StatementId>(statements.size());
       e > 0 && event.examples.size() < ForgettingHistory::most_examples; --e)
    if (!statements[e - 1]) event.examples.push_back(example_of(memory_.statements().term(e - 1)));

  drop_index();
  const std::size_t bytes_before = memory_.bytes();
  Renumbering numbers = memory_.keep(statements, links, reason);
  if (bytes_before >= min_bytes_to_trim) trim_heap();
  const std::size_t concepts = memory_.graph().size(), left = memory_.statements().size();
  concept_budget_ = shared(renumbered(*concept_budget_, numbers.concepts, concepts));
  statement_budget_ = shared(renumbered(*statement_budget_, numbers.statements, left));
  latest_.renumber(numbers);
  // release_terms() must still see all concepts and statements that are newer than the mark.
  marked_concepts_ = std::min<std::size_t>(least_since(marked_concepts_, numbers.concepts), concepts);
  marked_statements_ = std::min<std::size_t>(least_since(marked_statements_, numbers.statements), left);

  event.statements -= left;
  event.concepts -= concepts;
  event.links -= std::min(event.links, memory_.graph().hebbian_links().size());
  event.left = left;
  forgetting_.mark_checked(memory_);
  forgetting_.record(std::move(event));
  return numbers;
}

// Returns whether anything was forgotten.
bool Session::forget(ForgettingReason reason, const ForgettingObserver& on_forgotten) {
  forgetting_.mark_checked(memory_);
  const auto kept = forgetting_.choose(memory_, reason);
  if (!kept) return false;
  const Renumbering numbers = keep(kept->statements, kept->links, reason);
  if (on_forgotten) on_forgotten(numbers);
  return true;
}

AcceptResult Session::accept(const narsese::Sentence& sentence, bool tells_link,
                             const ForgettingObserver& on_forgotten) {
  if (forgetting_.is_on() && forgetting_.is_due(memory_)) {
    if (forgets_automatically_)
      forget(ForgettingReason::decayed, on_forgotten);
    else
      forgetting_.mark_checked(memory_);
  }
  AcceptResult accepted = train_and_store(sentence, tells_link);
  // Bytes of terms are released only between requests, so forgetting more and more would not free them.
  constexpr int max_times_for_bytes = 4;
  const bool can_forget = forgetting_.is_on() && forgets_automatically_;
  for (int times = 0; !accepted && can_forget && memory_.exceeded_limit(); ++times) {
    const ForgettingReason limit = *memory_.exceeded_limit();
    if (limit == ForgettingReason::bytes ? times == max_times_for_bytes : !memory_.fits_when_empty(sentence))
      break;
    if (!forget(limit, on_forgotten)) break;
    accepted = train_and_store(sentence, tells_link);
  }
  if (accepted && !tells_link) latest_.add(sentence, *accepted);
  return accepted;
}

// A refused sentence does not train the forgetting policy, because a replay of the accepted ones never sees it.
AcceptResult Session::train_and_store(const narsese::Sentence& sentence, bool tells_link) {
  if (!forgetting_.is_on()) return store(sentence, tells_link);
  const StatementBudgets before = forgetting_.state().budgets;
  forgetting_.learn(memory_, sentence);
  try {
    auto accepted = store(sentence, tells_link);
    if (!accepted) forgetting_.restore_budgets(before);
    return accepted;
  } catch (...) {
    forgetting_.restore_budgets(before);
    throw;
  }
}

AcceptResult Session::store(const narsese::Sentence& sentence, bool tells_link) {
  for (;;) {
    std::string refusal;
    if (tells_link) {
      const auto link = memory_.accept_link(sentence);
      if (link) return std::optional<StatementId>();
      refusal = link.error();
    } else {
      auto accepted = memory_.accept(sentence);
      if (accepted) return accepted;
      refusal = accepted.error();
    }
    if (!index_ || memory_.exceeded_limit() != ForgettingReason::bytes) return refusal;
    drop_index();
  }
}

void InputReport::reject(std::size_t line, std::size_t column, std::string message) {
  if (++rejected_in_all <= max_rejected) rejected.push_back({line, column, std::move(message)});
}

namespace {

// A line with a sentence, or with cycles that pass.
struct InputLine {
  std::size_t number = 0;
  std::uint64_t cycles = 0;
  narsese::Sentence sentence = {};
  bool tells_link = false;
};

// Returns nothing for other lines. Reports parse errors.
std::optional<InputLine> to_input(const narsese::NalLine& line, InputReport& report) {
  charge(steps_a_byte * line.text.size() + steps_a_line);
  using Kind = narsese::NalLine::Kind;
  if (line.kind == Kind::sentence) return InputLine{line.number, 0, line.sentence, line.tells_link};
  if (line.kind == Kind::cycles) return InputLine{line.number, line.cycles};
  if (line.kind == Kind::error) report.reject(line.number, line.error.column, line.error.message());
  return {};
}

// Whether the terms of a line cannot become concepts.
bool has_only_temporary_terms(const narsese::NalLine& line) {
  return line.kind == narsese::NalLine::Kind::error || line.kind == narsese::NalLine::Kind::expectation;
}

// Accepts a line. Returns whether all terms of the line are in the memory now.
bool accept_line(Session& session, const InputLine& line, InputReport& report,
                 const ForgettingObserver& on_forgotten = {}) {
  if (!line.sentence.term) {
    session.mutable_memory().advance(line.cycles);
    return true;
  }
  const auto accepted = session.accept(line.sentence, line.tells_link, on_forgotten);
  if (accepted)
    ++report.accepted;
  else
    report.reject(line.number, 1, accepted.error());
  return accepted && *accepted;
}

// The input lines of a text, with reservations for their memory.
struct InputLines {
  std::vector<InputLine> lines;
  std::vector<std::unique_ptr<Reservation>> reservations;

  void add(InputLine line) {
    if (lines.size() == lines.capacity()) {
      const std::size_t more = std::max<std::size_t>(lines.size(), 256);
      reservations.push_back(std::make_unique<Reservation>(more * sizeof(InputLine)));
      lines.reserve(lines.size() + more);
    }
    lines.push_back(line);
  }
};

}  // namespace

InputReport Session::read(std::istream& narsese, const LineObserver& observer,
                          const ForgettingObserver& on_forgotten) {
  InputReport report;
  bool all_learnt = true;  // since the last mark
  narsese::NalReader reader(narsese, memory_.terms());
  for (;;) {
    const bool reads_more = !reader.has_lines_ahead();
    const auto line = reader.next();
    if (!line) break;
    if (reads_more) memory_.prefetch(reader.lines_ahead());
    const auto read = to_input(*line, report);
    const bool is_learnt =
        read ? accept_line(*this, *read, report, on_forgotten) : !has_only_temporary_terms(*line);
    if (observer) observer(*line);
    all_learnt = all_learnt && is_learnt;
    if (reader.has_lines_ahead() || (!in_request_ && !forgetting_.is_on())) continue;
    if (in_request_ && !all_learnt)
      release_terms();
    else
      memory_.release_forgotten_terms();
    if (all_learnt) mark();
    all_learnt = true;
  }
  return report;
}

InputReport Session::input(std::string_view text, narsese::Dialect dialect) {
  InputReport report;
  report.max_rejected = max_rejected;
  const Reservation copy_of_text(text.size());
  std::istringstream stream{std::string(text)};
  narsese::NalReader reader(stream, memory_.terms(), {}, dialect);
  InputLines read;
  bool all_learnt = true;
  while (const auto line = reader.next()) {
    if (const auto content = to_input(*line, report)) read.add(*content);
    all_learnt = all_learnt && !has_only_temporary_terms(*line);
  }
  check_cancelled();
  std::string stopped;
  for (const InputLine& line : read.lines) {
    if (stopped.empty()) try {
        all_learnt = accept_line(*this, line, report) && all_learnt;
        continue;
      } catch (const WorkStopped& why) {
        stopped = std::string("not accepted: ") + why.what();
        all_learnt = false;
      }
    if (line.sentence.term) report.reject(line.number, 1, stopped);
  }
  if (all_learnt) mark();
  std::ranges::stable_sort(report.rejected, {}, &RejectedLine::line);
  return report;
}

narsese::Result<Cue, narsese::ParseError> Session::cue(std::string_view narsese) {
  const auto read = narsese::parse_sentence_or_term(narsese, memory_.terms(), narsese::Punctuation::question);
  if (!read) return read.error();
  return cue_for(memory_, read->term);
}

narsese::Result<std::optional<ConceptId>, narsese::ParseError> Session::known_concept(std::string_view text) {
  const auto term = narsese::parse_term(text, memory_.terms());
  if (!term) return term.error();
  const auto id = term->kind() == narsese::TermKind::variable ? std::nullopt : memory_.graph().find(*term);
  if (!id || !(memory_.graph().activity(*id, memory_.now()) > 0)) return std::optional<ConceptId>();
  return id;
}

std::vector<Allocation> Session::allocate(const Recall& recall, const AllocationOptions& options,
                                          TransferLog* log) {
  Budget& budget = budget_of(options.of);
  const SparseVector allotted = allot(index(), recall, *budget, options, log);
  auto given = allocations(memory_, index(), recall, options.of, allotted);
  const double total = sum(allotted);
  if (total > 0) budget = shared(allotted / total);
  ++versions_before_;
  return given;
}

const MemoryIndex& Session::index() try {
  if (index_ && &index_->memory() != &memory_) index_.reset();  // the session was moved
  if (index_)
    index_->catch_up();
  else
    index_ = std::make_unique<MemoryIndex>(memory_);
  // The embedding cache leaves half of the room for new embeddings.
  const std::size_t numbers = room() / (2 * sizeof(double));
  index_->keep_embeddings(std::min(EmbeddingCache::max_numbers, numbers));
  charge_index();
  return *index_;
} catch (const WorkStopped&) {
  drop_index();
  throw;
}

ConfiguredMethod Session::configured(const Method& method, const Options& given) const {
  const auto preset = configured_.find(method.name);
  if (preset == configured_.end()) return ConfiguredMethod(method, given);
  Options options = given;
  options.insert(preset->second.options().begin(), preset->second.options().end());
  return ConfiguredMethod(method, options);
}

Recall Session::recall(const ConfiguredMethod& method, const Cue& cue) try {
  Recall found = method.recall(index(), cue);
  charge_index();
  return found;
} catch (const WorkStopped& stopped) {
  if (stopped.reason == WorkStopped::Reason::bytes) drop_index();
  throw;
}

}  // namespace engram::core
