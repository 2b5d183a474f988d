// SPDX-License-Identifier: MIT
#include "core/session/session.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "core/numbers/numeric.hpp"
#include "narsese/link_judgement.hpp"

namespace engram::core {
namespace {

// A line is read, becomes a term, and is found in tables.
constexpr std::uint64_t steps_a_byte = 20, steps_a_line = 500;

}  // namespace

Session::Request::Request(Session& session) : session_(session), work_({.bytes = session.room()}) {
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

std::size_t Session::bytes() const { return memory_.bytes() + (readings_ ? readings_->kept_bytes() : 0); }

std::size_t Session::room() const {
  const std::size_t all = options_.limits.max_bytes;
  return all - std::min(all, bytes());
}

void Session::reset() {
  readings_.reset();
  memory_ = Memory(options_);
  concept_budget_ = statement_budget_ = SparseVector();
  mark();
}

void Session::become(Memory memory, SparseVector concept_budget, SparseVector statement_budget) {
  readings_.reset();
  options_.decay = memory.options().decay;  // not the limits, which others may be reading
  options_.activation = memory.options().activation;
  options_.learning = memory.options().learning;
  memory_ = std::move(memory);
  concept_budget_ = std::move(concept_budget);
  statement_budget_ = std::move(statement_budget);
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
    readings_.reset();
}

narsese::Result<std::optional<StatementId>, std::string> Session::accept(const narsese::Sentence& sentence,
                                                                         bool tells_link) {
  Memory& memory = change();
  if (!tells_link) return memory.accept(sentence);
  const auto link = memory.accept_link(sentence);
  if (!link) return link.error();
  return std::optional<StatementId>();
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
  spend(steps_a_byte * line.text.size() + steps_a_line);
  using Kind = narsese::NalLine::Kind;
  if (line.kind == Kind::sentence)
    return ReadLine{line.number, 0, line.sentence, narsese::is_link_judgement(line.sentence, line.text)};
  if (line.kind == Kind::cycles) return ReadLine{line.number, line.cycles};
  if (line.kind == Kind::error) report.reject(line.number, line.error.column, line.error.message());
  return {};
}

// Whether a line's names would stand in no memory, whatever becomes of it.
bool names_in_vain(const narsese::NalLine& line) {
  return line.kind == narsese::NalLine::Kind::error || line.kind == narsese::NalLine::Kind::expectation;
}

// Returns  whether all that the line names stands in the memory now
bool take(Session& session, const ReadLine& line, InputReport& report) {
  if (!line.sentence.term) {
    session.change().advance(line.cycles);
    return true;
  }
  const auto accepted = session.accept(line.sentence, line.tells_link);
  if (accepted)
    ++report.accepted;
  else
    report.reject(line.number, 1, accepted.error());
  return accepted && *accepted;
}

// The lines of a text as far as the memory has to do with them.
struct ReadText {
  std::vector<ReadLine> lines;
  std::vector<std::unique_ptr<Claim>> claims;  // of the lines

  void add(ReadLine line) {
    if (lines.size() == lines.capacity()) {
      const std::size_t more = std::max<std::size_t>(lines.size(), 256);
      claims.push_back(std::make_unique<Claim>(more * sizeof(ReadLine)));
      lines.reserve(lines.size() + more);
    }
    lines.push_back(line);
  }
};

}  // namespace

InputReport Session::input(std::istream& narsese, const LineObserver& observer) {
  InputReport report;
  bool all_learnt = true;  // so far, of what was read since terms were marked
  narsese::NalReader reader(narsese, memory_.terms());
  while (const auto line = reader.next()) {
    const auto read = of_memory(*line, report);
    const bool is_learnt = read ? take(*this, *read, report) : !names_in_vain(*line);
    if (observer) observer(*line);
    all_learnt = all_learnt && is_learnt;
    if (!in_request_ || reader.is_ahead()) continue;
    if (all_learnt)
      mark();
    else
      give_back();
    all_learnt = true;
  }
  return report;
}

InputReport Session::input(std::string_view text, narsese::Dialect dialect) {
  InputReport report;
  report.most_rejected = most_rejected;
  std::istringstream stream{std::string(text)};
  narsese::NalReader reader(stream, memory_.terms(), {}, dialect);
  ReadText read;
  bool all_learnt = true;
  while (const auto line = reader.next()) {
    if (const auto content = of_memory(*line, report)) read.add(*content);
    all_learnt = all_learnt && !names_in_vain(*line);
  }
  look_now();
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
  const auto sentence = narsese::parse_sentence(narsese, memory_.terms());
  if (sentence) return cue_for(memory_, sentence->term);
  const auto term = narsese::parse_term(narsese, memory_.terms());
  if (term) return cue_for(memory_, *term);
  // The reading that came further tells more about what is wrong.
  return term.error().offset > sentence.error().offset ? term.error() : sentence.error();
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
  SparseVector& budget = options.of == AllocationOf::concepts ? concept_budget_ : statement_budget_;
  const SparseVector allotted = allot(readings(), recall, budget, options, log);
  auto given = allocations(memory_, readings(), recall, options.of, allotted);
  const double total = sum(allotted);
  if (total > 0) budget = allotted / total;
  return given;
}

const Readings& Session::readings() try {
  if (readings_ && &readings_->memory() != &memory_) readings_.reset();  // the session has been moved
  if (readings_)
    readings_->catch_up();
  else
    readings_ = std::make_unique<Readings>(memory_);
  // What is kept of embeddings leaves half of the rest to who needs another one.
  const std::size_t numbers = room() / (2 * sizeof(double));
  readings_->keep_embeddings(std::min(EmbeddingCache::max_numbers, numbers));
  return *readings_;
} catch (const WorkStopped&) {
  readings_.reset();
  throw;
}

void Session::use(const Method& method, const Options& options) {
  used_[method.name] = complete_options(method, options);
}

Recall Session::recall(const Method& method, const Options& options, const Cue& cue) try {
  Options all = options;
  if (const auto used = used_.find(method.name); used != used_.end())
    all.insert(used->second.begin(), used->second.end());
  return make_retriever(method, all)(readings(), cue);
} catch (const WorkStopped& stopped) {
  if (stopped.reason == WorkStopped::Reason::bytes) readings_.reset();
  throw;
}

}  // namespace engram::core
