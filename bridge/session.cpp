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

// Whatever is named is kept, by questions and cues too: they would be a way past the limits of memory.
constexpr std::size_t least_name_bytes = std::size_t{1} << 20;
constexpr std::size_t name_bytes_a_concept = 256;  // chosen: a term takes 42 to 47 bytes

// A line is read, becomes a term, and is found in tables.
constexpr std::uint64_t steps_a_byte = 20, steps_a_line = 500;

narsese::ParseError refusal(const std::string& reason) {
  narsese::ParseError error;
  error.refusal = reason;
  return error;
}

}  // namespace

std::string Session::full() {
  const std::size_t most = least_name_bytes + name_bytes_a_concept * options_.limits.max_concepts;
  if (memory_.terms().memory_bytes() <= most) return {};
  return "terms take more than " + std::to_string(most) + " bytes, the limit, and no more are read";
}

void Session::reset() {
  readings_.reset();
  memory_ = core::Memory(options_);
  concept_budget_ = statement_budget_ = core::Vector();
}

void Session::become(core::Memory memory, core::Vector concept_budget, core::Vector statement_budget) {
  readings_.reset();
  core::MemoryOptions options = memory.options();
  options.limits = options_.limits;
  memory_ = std::move(memory);
  options_ = options;
  concept_budget_ = std::move(concept_budget);
  statement_budget_ = std::move(statement_budget);
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
  if (const std::string reason = full(); !reason.empty()) {
    report.rejected.push_back({1, 1, reason});
    report.rejected_in_all = 1;
    return report;
  }
  narsese::NalReader reader(narsese, memory_.terms(), {}, dialect);
  while (auto line = reader.next()) {
    core::spend(steps_a_byte * line->text.size() + steps_a_line);
    using Kind = narsese::NalLine::Kind;
    if (line->kind == Kind::sentence) {
      const auto accepted = accept(line->sentence, line->text);
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
  if (const std::string reason = full(); !reason.empty()) {
    reject(1, 1, reason);
    return report;
  }
  std::istringstream stream{std::string(text)};
  narsese::NalReader reader(stream, memory_.terms(), {}, dialect);
  ReadText read;
  while (const auto line = reader.next()) {
    core::spend(steps_a_byte * line->text.size() + steps_a_line);
    using Kind = narsese::NalLine::Kind;
    if (line->kind == Kind::sentence)
      read.add({line->number, 0, line->sentence, narsese::is_link_judgement(line->sentence, line->text)});
    else if (line->kind == Kind::cycles)
      read.add({line->number, line->cycles});
    else if (line->kind == Kind::error)
      reject(line->number, line->error.column, line->error.message());
  }
  core::look_now();
  for (const ReadLine& line : read.lines) {
    if (!line.sentence.term)
      change().advance(line.cycles);
    else if (const auto accepted = accept(line.sentence, line.tells_link))
      ++report.accepted;
    else
      reject(line.number, 1, accepted.error());
  }
  std::ranges::stable_sort(report.rejected, {}, &RejectedLine::line);
  return report;
}

narsese::Result<core::Cue, narsese::ParseError> Session::cue(std::string_view narsese) {
  if (const std::string reason = full(); !reason.empty()) return refusal(reason);
  const auto sentence = narsese::parse_sentence(narsese, memory_.terms());
  if (sentence) return core::cue_for(memory_, sentence->term);
  const auto term = narsese::parse_term(narsese, memory_.terms());
  if (term) return core::cue_for(memory_, *term);
  // The reading that came further tells more about what is wrong.
  return term.error().offset > sentence.error().offset ? term.error() : sentence.error();
}

narsese::Result<std::optional<core::ConceptId>, narsese::ParseError> Session::known_concept(
    std::string_view text) {
  if (const std::string reason = full(); !reason.empty()) return refusal(reason);
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
  if (!readings_) readings_.emplace(memory_);
  return *readings_;
}

}  // namespace engram::bridge
