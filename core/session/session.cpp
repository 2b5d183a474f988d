// SPDX-License-Identifier: MIT
#include "core/session/session.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "core/numbers/free_memory.hpp"
#include "core/numbers/numeric.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

// A line is read, becomes a term, and is found in tables.
constexpr std::uint64_t steps_a_byte = 20, steps_a_line = 500;
// Of less the allocator will have use at once.
constexpr std::size_t bytes_worth_giving_back = std::size_t{1} << 20;

MemoryOptions with_room_to_forget(MemoryOptions options, const ForgettingOptions& forgetting) {
  options.keeps_room_to_forget = forgetting.policy != ForgettingPolicy::none;
  return options;
}

// Of what stays, under its new number, all of it 1 again.
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

// The least number that something has now of what was numbered from `mark` on.
std::uint32_t least_since(std::size_t mark, std::span<const std::uint32_t> numbers) {
  const auto since = numbers.subspan(std::min(mark, numbers.size()));
  return since.empty() ? Renumbering::gone : *std::ranges::min_element(since);
}

// As much of it as one can read at a glance.
std::string example_of(narsese::Term term) {
  constexpr std::uint64_t most = 64;
  return term.complexity() <= most ? narsese::print(term)
                                   : "a statement of " + std::to_string(term.complexity()) + " terms";
}

}  // namespace

Session::Session(MemoryOptions options, ForgettingOptions forgetting)
    : options_(with_room_to_forget(options, forgetting)), memory_(options_), forgetting_(forgetting) {}

Session::Session(const Session& other)
    : options_(other.options_),
      used_(other.used_),
      memory_(other.memory_),
      concept_budget_(other.concept_budget_),
      statement_budget_(other.statement_budget_),
      versions_before_(other.versions_before_),
      latest_(other.latest_),
      forgetting_(other.forgetting_),
      forgets_by_itself_(other.forgets_by_itself_) {
  options_.observer = nullptr;
  memory_.observe(nullptr);
  if (other.readings_ && &other.readings_->memory() == &other.memory_)  // else the other has been moved
    readings_ = std::make_unique<MemoryIndex>(*other.readings_, memory_);
}

Session::Request::Request(Session& session)
    : session_(session),
      // What the request was read into is there already.
      work_(
          {.bytes = session.room() - std::min<std::uint64_t>(session.room(), WorkBudget::claimed_in_all())}) {
  session_.in_request_ = true;
  session_.mark();
}

Session::Request::~Request() {
  session_.give_back();
  session_.memory_.terms().unmark();
  session_.in_request_ = false;
}

void Session::mark() {
  if (!in_request_) return;
  memory_.terms().mark();
  marked_ = {memory_.graph().size(), memory_.statements().size()};
}

void Session::give_back() {
  memory_.keep_terms_since(marked_.concepts, marked_.statements);
  mark();
}

std::size_t Session::bytes() const {
  return memory_.bytes() + (readings_ ? readings_->kept_bytes() : 0) + others_bytes_;
}

std::size_t Session::room() const {
  const std::size_t all = options_.limits.max_bytes;
  return all - std::min(all, bytes());
}

// Of what is kept beside the memory.
void Session::note_readings() {
  memory_.share_with((readings_ ? readings_->kept_bytes() : 0) + others_bytes_);
}

void Session::share_with(std::size_t others_bytes) {
  others_bytes_ = others_bytes;
  note_readings();
}

void Session::drop_readings() {
  readings_.reset();
  note_readings();
}

void Session::reset() {
  readings_.reset();
  versions_before_ += memory_.version() + 1;
  latest_ = {};
  memory_ = Memory(options_);
  concept_budget_ = statement_budget_ = kept({});
  forgetting_.go_on_with({});
  note_readings();
  mark();
}

void Session::become(Memory memory, SparseVector concept_budget, SparseVector statement_budget,
                     Forgetting::State forgotten) {
  readings_.reset();
  versions_before_ += memory_.version() + 1;
  latest_ = {};
  options_.decay = memory.options().decay;  // not the limits, which others may be reading
  options_.activation = memory.options().activation;
  options_.learning = memory.options().learning;
  memory_ = std::move(memory);
  memory_.keep_room_to_forget(forgetting_.is_on());
  concept_budget_ = kept(std::move(concept_budget));
  statement_budget_ = kept(std::move(statement_budget));
  forgetting_.go_on_with(std::move(forgotten));
  note_readings();  // a memory may come from a session that kept some
  mark();
}

Memory& Session::change() {
  drop_readings_that_are_in_the_way();
  return memory_;
}

// While one sentence is taken in, what a memory has at most doubles, and half of the new stands beside the old.
void Session::drop_readings_that_are_in_the_way() {
  constexpr std::size_t growth = 3, least = std::size_t{1} << 20;
  if (readings_ && growth * memory_.bytes() + least + readings_->kept_bytes() > options_.limits.max_bytes)
    drop_readings();
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
       e > 0 && event.examples.size() < ForgottenSoFar::most_examples; --e)
    if (!statements[e - 1]) event.examples.push_back(example_of(memory_.statements().term(e - 1)));

  drop_readings();
  const std::size_t bytes_before = memory_.bytes();
  Renumbering numbers = memory_.keep(statements, links, reason);
  if (bytes_before >= bytes_worth_giving_back) give_back_free_memory();
  const std::size_t concepts = memory_.graph().size(), left = memory_.statements().size();
  concept_budget_ = kept(renumbered(*concept_budget_, numbers.concepts, concepts));
  statement_budget_ = kept(renumbered(*statement_budget_, numbers.statements, left));
  latest_.follow(numbers);
  // Terms that are given back are looked for among what was named since the mark.
  marked_.concepts = std::min<std::size_t>(least_since(marked_.concepts, numbers.concepts), concepts);
  marked_.statements = std::min<std::size_t>(least_since(marked_.statements, numbers.statements), left);

  event.statements -= left;
  event.concepts -= concepts;
  event.links -= std::min(event.links, memory_.graph().hebbian_links().size());
  event.left = left;
  forgetting_.looked(memory_);
  forgetting_.note(std::move(event));
  return numbers;
}

// Whether there is less than before.
bool Session::forget(ForgettingReason reason, const Follower& follow) {
  forgetting_.looked(memory_);
  const auto kept = forgetting_.choose(memory_, reason);
  if (!kept) return false;
  const Renumbering numbers = keep(kept->statements, kept->links, reason);
  if (follow) follow(numbers);
  return true;
}

narsese::Result<std::optional<StatementId>, std::string> Session::accept(const narsese::Sentence& sentence,
                                                                         bool tells_link,
                                                                         const Follower& follow) {
  auto accepted = accept_with_room(sentence, tells_link, follow);
  if (accepted && !tells_link) latest_.add(sentence, *accepted);
  return accepted;
}

narsese::Result<std::optional<StatementId>, std::string> Session::accept_with_room(
    const narsese::Sentence& sentence, bool tells_link, const Follower& follow) {
  if (!forgetting_.is_on()) return store(sentence, tells_link);
  if (forgetting_.is_due(memory_)) {
    if (forgets_by_itself_)
      forget(ForgettingReason::decayed, follow);
    else
      forgetting_.looked(memory_);
  }
  auto accepted = store_expected(sentence, tells_link);
  // Bytes that terms take come back between requests alone: forgetting more and more would not bring them.
  constexpr int most_for_bytes = 4;
  for (int times = 0; !accepted && forgets_by_itself_ && memory_.shortage(); ++times) {
    const ForgettingReason limit = *memory_.shortage();
    if (limit == ForgettingReason::bytes ? times == most_for_bytes : !memory_.could_hold(sentence)) break;
    if (!forget(limit, follow)) break;
    accepted = store_expected(sentence, tells_link);
  }
  return accepted;
}

// What is refused teaches nothing: so who does again what was done, and knows of that alone, learns the same.
narsese::Result<std::optional<StatementId>, std::string> Session::store_expected(
    const narsese::Sentence& sentence, bool tells_link) {
  const StatementBudgets before = forgetting_.state().budgets;
  forgetting_.expect(memory_, sentence);
  try {
    auto accepted = store(sentence, tells_link);
    if (!accepted) forgetting_.go_back_to(before);
    return accepted;
  } catch (...) {
    forgetting_.go_back_to(before);
    throw;
  }
}

// Drops the index if the sentence does not fit beside it.
narsese::Result<std::optional<StatementId>, std::string> Session::store(const narsese::Sentence& sentence,
                                                                        bool tells_link) {
  for (;;) {
    std::optional<StatementId> stored;
    std::string refusal;
    if (tells_link) {
      const auto link = memory_.accept_link(sentence);
      if (link) return stored;
      refusal = link.error();
    } else {
      auto accepted = memory_.accept(sentence);
      if (accepted) return accepted;
      refusal = accepted.error();
    }
    if (!readings_ || memory_.shortage() != ForgettingReason::bytes) return refusal;
    drop_readings();
  }
}

void InputReport::reject(std::size_t line, std::size_t column, std::string message) {
  if (++rejected_in_all <= most_rejected) rejected.push_back({line, column, std::move(message)});
}

namespace {

// What a line has for a memory: a sentence, or cycles that pass.
struct ReadLine {
  std::size_t number = 0;
  std::uint64_t cycles = 0;
  narsese::Sentence sentence = {};
  bool tells_link = false;
};

// Nothing: a comment, what is expected of a question, or what could not be read, which is reported.
std::optional<ReadLine> of_memory(const narsese::NalLine& line, InputReport& report) {
  charge(steps_a_byte * line.text.size() + steps_a_line);
  using Kind = narsese::NalLine::Kind;
  if (line.kind == Kind::sentence) return ReadLine{line.number, 0, line.sentence, line.tells_link};
  if (line.kind == Kind::cycles) return ReadLine{line.number, line.cycles};
  if (line.kind == Kind::error) report.reject(line.number, line.error.column, line.error.message());
  return {};
}

// Whether a line's names would stand in no memory, whatever becomes of it.
bool names_in_vain(const narsese::NalLine& line) {
  return line.kind == narsese::NalLine::Kind::error || line.kind == narsese::NalLine::Kind::expectation;
}

// Returns  whether all that the line names stands in the memory now
bool take(Session& session, const ReadLine& line, InputReport& report, const Follower& follow = {}) {
  if (!line.sentence.term) {
    session.change().advance(line.cycles);
    return true;
  }
  const auto accepted = session.accept(line.sentence, line.tells_link, follow);
  if (accepted)
    ++report.accepted;
  else
    report.reject(line.number, 1, accepted.error());
  return accepted && *accepted;
}

// The lines of a text as far as the memory has to do with them.
struct ReadText {
  std::vector<ReadLine> lines;
  std::vector<std::unique_ptr<Reservation>> claims;  // of the lines

  void add(ReadLine line) {
    if (lines.size() == lines.capacity()) {
      const std::size_t more = std::max<std::size_t>(lines.size(), 256);
      claims.push_back(std::make_unique<Reservation>(more * sizeof(ReadLine)));
      lines.reserve(lines.size() + more);
    }
    lines.push_back(line);
  }
};

}  // namespace

InputReport Session::input(std::istream& narsese, const LineObserver& observer, const Follower& follow) {
  InputReport report;
  bool all_learnt = true;  // so far, of what was read since terms were marked
  narsese::NalReader reader(narsese, memory_.terms());
  for (;;) {
    const bool reads_more = !reader.is_ahead();
    const auto line = reader.next();
    if (!line) break;
    if (reads_more) memory_.prefetch(reader.lines_ahead());
    const auto read = of_memory(*line, report);
    const bool is_learnt = read ? take(*this, *read, report, follow) : !names_in_vain(*line);
    if (observer) observer(*line);
    all_learnt = all_learnt && is_learnt;
    if (reader.is_ahead() || (!in_request_ && !forgetting_.is_on())) continue;
    if (in_request_ && !all_learnt)
      give_back();
    else
      memory_.give_back_forgotten_terms();
    if (all_learnt) mark();
    all_learnt = true;
  }
  return report;
}

InputReport Session::input(std::string_view text, narsese::Dialect dialect) {
  InputReport report;
  report.most_rejected = most_rejected;
  const Reservation claim(text.size());  // of a copy
  std::istringstream stream{std::string(text)};
  narsese::NalReader reader(stream, memory_.terms(), {}, dialect);
  ReadText read;
  bool all_learnt = true;
  while (const auto line = reader.next()) {
    if (const auto content = of_memory(*line, report)) read.add(*content);
    all_learnt = all_learnt && !names_in_vain(*line);
  }
  check_cancelled();
  std::string stopped;
  for (const ReadLine& line : read.lines) {
    if (stopped.empty()) try {
        all_learnt = take(*this, line, report) && all_learnt;
        continue;
      } catch (const WorkStopped& why) {
        stopped = std::string("not taken in: ") + why.what();
        all_learnt = false;
      }
    if (line.sentence.term) report.reject(line.number, 1, stopped);
  }
  if (all_learnt) mark();  // every name stands in the memory
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
  const SparseVector allotted = allot(readings(), recall, *budget, options, log);
  auto given = allocations(memory_, readings(), recall, options.of, allotted);
  const double total = sum(allotted);
  if (total > 0) budget = kept(allotted / total);
  ++versions_before_;
  return given;
}

const MemoryIndex& Session::readings() try {
  if (readings_ && &readings_->memory() != &memory_) readings_.reset();  // the session has been moved
  if (readings_)
    readings_->catch_up();
  else
    readings_ = std::make_unique<MemoryIndex>(memory_);
  // What is kept of embeddings leaves half of the rest to who needs another one.
  const std::size_t numbers = room() / (2 * sizeof(double));
  readings_->keep_embeddings(std::min(EmbeddingCache::max_numbers, numbers));
  note_readings();
  return *readings_;
} catch (const WorkStopped&) {
  drop_readings();
  throw;
}

void Session::use(const Method& method, const Options& options) {
  used_[method.name] = complete_options(method, options);
}

Options Session::options_of(const Method& method, const Options& said) const {
  Options all = said;
  if (const auto used = used_.find(method.name); used != used_.end())
    all.insert(used->second.begin(), used->second.end());
  return all;
}

Recall Session::recall(const Method& method, const Options& options, const Cue& cue) try {
  Recall found = make_retriever(method, options_of(method, options))(readings(), cue);
  note_readings();
  return found;
} catch (const WorkStopped& stopped) {
  if (stopped.reason == WorkStopped::Reason::bytes) drop_readings();
  throw;
}

}  // namespace engram::core
