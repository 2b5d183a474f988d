// SPDX-License-Identifier: MIT
#include "bridge/session.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "narsese/link_judgement.hpp"

namespace engram::bridge {
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
  // What is new may be named by other handles from now on.
  if (memory_.graph().size() > marked_.concepts || memory_.statements().size() > marked_.statements)
    readings_.reset();
  memory_.keep_terms_since(marked_.concepts, marked_.statements);
  mark();
}

std::size_t Session::bytes() const {
  return memory_.bytes() + (readings_ ? readings_bytes_ + readings_->embeddings.bytes() : 0);
}

std::size_t Session::room() const {
  const std::size_t all = options_.limits.max_bytes;
  return all - std::min(all, bytes());
}

void Session::reset() {
  readings_.reset();
  memory_ = core::Memory(options_);
  concept_budget_ = statement_budget_ = core::Vector();
  mark();
}

void Session::become(core::Memory memory, core::Vector concept_budget, core::Vector statement_budget) {
  readings_.reset();
  options_.decay = memory.options().decay;  // not the limits, which others may be reading
  options_.activation = memory.options().activation;
  options_.learning = memory.options().learning;
  memory_ = std::move(memory);
  concept_budget_ = std::move(concept_budget);
  statement_budget_ = std::move(statement_budget);
  mark();
}

core::Memory& Session::change() {
  readings_.reset();
  return memory_;
}

narsese::Result<std::optional<core::StatementId>, std::string> Session::accept(
    const narsese::Sentence& sentence, std::string_view text) {
  return accept(sentence, narsese::is_link_judgement(sentence, text));
}

narsese::Result<std::optional<core::StatementId>, std::string> Session::accept(
    const narsese::Sentence& sentence, bool tells_link) {
  core::Memory& memory = change();
  if (!tells_link) return memory.accept(sentence);
  const auto link = memory.accept_link(sentence);
  if (!link) return link.error();
  return std::optional<core::StatementId>();
}

InputReport Session::input(std::istream& narsese, const LineObserver& observer, narsese::Dialect dialect) {
  readings_.reset();
  InputReport report;
  bool all_learnt = true;  // so far, of what was read since terms were marked
  narsese::NalReader reader(narsese, memory_.terms(), {}, dialect);
  while (auto line = reader.next()) {
    core::spend(steps_a_byte * line->text.size() + steps_a_line);
    using Kind = narsese::NalLine::Kind;
    bool is_learnt = line->kind != Kind::error && line->kind != Kind::expectation;
    if (line->kind == Kind::sentence) {
      const auto accepted = accept(line->sentence, line->text);
      is_learnt = accepted && *accepted;
      if (!accepted)
        report.rejected.push_back({line->number, 1, accepted.error()});
      else
        ++report.accepted;
    } else if (line->kind == Kind::cycles) {
      memory_.advance(line->cycles);
    } else if (line->kind == Kind::error) {
      report.rejected.push_back({line->number, line->error.column, line->error.message()});
    }
    if (observer) observer(*line);
    all_learnt = all_learnt && is_learnt;
    if (!in_request_ || reader.is_ahead()) continue;
    if (all_learnt)
      mark();
    else
      give_back();
    all_learnt = true;
  }
  report.rejected_in_all = report.rejected.size();
  return report;
}

namespace {

// A line that was read and is to be taken in: a sentence, or cycles that pass.
struct ReadLine {
  std::size_t number = 0;
  std::uint64_t cycles = 0;
  narsese::Sentence sentence = {};
  bool tells_link = false;
};

// The lines of a text as far as the memory has to do with them.
struct ReadText {
  std::vector<ReadLine> lines;
  std::vector<std::unique_ptr<core::Claim>> claims;  // of the lines

  void add(ReadLine line) {
    if (lines.size() == lines.capacity()) {
      const std::size_t more = std::max<std::size_t>(lines.size(), 256);
      claims.push_back(std::make_unique<core::Claim>(more * sizeof(ReadLine)));
      lines.reserve(lines.size() + more);
    }
    lines.push_back(line);
  }
};

}  // namespace

InputReport Session::input_text(std::string_view text, narsese::Dialect dialect) {
  InputReport report;
  const auto reject = [&](std::size_t line, std::size_t column, std::string message) {
    if (++report.rejected_in_all <= most_rejected)
      report.rejected.push_back({line, column, std::move(message)});
  };
  std::istringstream stream{std::string(text)};
  narsese::NalReader reader(stream, memory_.terms(), {}, dialect);
  ReadText read;
  bool all_learnt = true;
  while (const auto line = reader.next()) {
    core::spend(steps_a_byte * line->text.size() + steps_a_line);
    using Kind = narsese::NalLine::Kind;
    all_learnt = all_learnt && line->kind != Kind::error && line->kind != Kind::expectation;
    if (line->kind == Kind::sentence)
      read.add({line->number, 0, line->sentence, narsese::is_link_judgement(line->sentence, line->text)});
    else if (line->kind == Kind::cycles)
      read.add({line->number, line->cycles});
    else if (line->kind == Kind::error)
      reject(line->number, line->error.column, line->error.message());
  }
  core::look_now();
  std::string stopped;
  for (const ReadLine& line : read.lines) {
    if (!stopped.empty()) {
      if (line.sentence.term) reject(line.number, 1, stopped);
      continue;
    }
    if (!line.sentence.term) {
      change().advance(line.cycles);
      continue;
    }
    const auto accepted = [&]() -> narsese::Result<std::optional<core::StatementId>, std::string> {
      try {
        return accept(line.sentence, line.tells_link);
      } catch (const core::WorkStopped& why) {
        return stopped = std::string("not taken in: ") + why.what();
      }
    }();
    all_learnt = all_learnt && accepted && *accepted;
    if (accepted)
      ++report.accepted;
    else
      reject(line.number, 1, accepted.error());
  }
  if (all_learnt) mark();  // every name stands in the memory
  std::ranges::stable_sort(report.rejected, {}, &RejectedLine::line);
  return report;
}

narsese::Result<core::Cue, narsese::ParseError> Session::cue(std::string_view narsese) {
  const auto sentence = narsese::parse_sentence(narsese, memory_.terms());
  if (sentence) return core::cue_for(memory_, sentence->term);
  const auto term = narsese::parse_term(narsese, memory_.terms());
  if (term) return core::cue_for(memory_, *term);
  // The reading that came further tells more about what is wrong.
  return term.error().offset > sentence.error().offset ? term.error() : sentence.error();
}

narsese::Result<std::optional<core::ConceptId>, narsese::ParseError> Session::known_concept(
    std::string_view text) {
  const auto term = narsese::parse_term(text, memory_.terms());
  if (!term) return term.error();
  const auto id = term->kind() == narsese::TermKind::variable ? std::nullopt : memory_.graph().find(*term);
  if (!id || !(memory_.graph().activity(*id, memory_.now()) > 0)) return std::optional<core::ConceptId>();
  return id;
}

std::vector<core::Allocation> Session::allocate(const core::Recall& recall,
                                                const core::AllocationOptions& options,
                                                core::TransferLog* log) {
  core::Vector& budget = options.of == core::AllocationOf::concepts ? concept_budget_ : statement_budget_;
  const core::Vector allotted = core::allot(readings(), recall, budget, options, log);
  auto allocations = core::allocations(memory_, readings(), recall, options.of, allotted);
  const double total = core::sum(allotted);
  if (total > 0) budget = allotted / total;
  return allocations;
}

const core::Readings& Session::readings() {
  if (readings_) return *readings_;
  readings_bytes_ = core::Readings::bytes_for(memory_);
  readings_.emplace(memory_);
  core::Claim(readings_bytes_).stay();
  // What is kept of embeddings leaves half of the rest to who needs another one.
  const std::size_t numbers = room() / (2 * sizeof(double));
  readings_->embeddings = core::EmbeddingCache(std::min(core::EmbeddingCache::max_numbers, numbers));
  return *readings_;
}

core::Recall Session::recall(const core::Method& method, const core::Options& options,
                             const core::Cue& cue) try {
  return core::make_retriever(method, options)(readings(), cue);
} catch (const core::WorkStopped& stopped) {
  if (stopped.reason == core::WorkStopped::Reason::bytes) readings_.reset();
  throw;
}

}  // namespace engram::bridge
