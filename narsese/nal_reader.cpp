// SPDX-License-Identifier: MIT
#include "narsese/nal_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <system_error>
#include <utility>

#include "narsese/link_judgement.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/similar_names.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {

// All available lines, up to the size of a batch, are parsed together, which is faster.
void LineBatchReader::read(LineBatch& batch, const TermTable* ahead) {
  batch.lines.clear();
  batch.sentences.clear();
  batch.expectations.clear();
  batch.texts.clear();
  for (std::size_t bytes = 0; batch.lines.size() < size_.lines && bytes < size_.bytes;) {
    auto line = read_line();
    if (!line) break;
    bytes += line->text.size();
    if (line->kind == NalLine::Kind::sentence) batch.sentences.push_back(batch.lines.size());
    if (!line->expectation.text.empty()) batch.expectations.push_back(batch.lines.size());
    batch.lines.push_back(std::move(*line));
    if (in_.rdbuf()->in_avail() <= 0) break;
  }
  for (const std::size_t i : batch.sentences) batch.texts.emplace_back(batch.lines[i].text);
  parser_.read(batch.texts, batch.trees, ahead);
}

// The next line with its kind. A sentence is not parsed yet.
std::optional<NalLine> LineBatchReader::read_line() {
  NalLine line;
  const LineStatus status = narsese::read_line(in_, line.text, limits_.max_line_bytes);
  if (status == LineStatus::end) return {};
  line.error.line = line.number = ++number_;
  if (number_ == 1 && line.text.starts_with(byte_order_mark)) line.text.erase(0, byte_order_mark.size());

  if (status == LineStatus::too_long) {
    line.kind = NalLine::Kind::error;
    line.error.expected = "at most " + std::to_string(limits_.max_line_bytes) + " bytes in a line";
    line.error.found = "a longer one";
    line.text.resize(find_invalid_utf8(line.text.substr(0, 80)));
    return line;
  }
  const std::string_view text = dialect_ == Dialect::common ? trim_wide(line.text) : trim(line.text);
  if (text.empty()) {
    if (dialect_ == Dialect::ona) line.kind = NalLine::Kind::cycles, line.cycles = 1;
    return line;
  }

  const auto indent = static_cast<std::size_t>(text.data() - line.text.data());
  if (auto expectation = read_expectation(text)) {
    line.kind = NalLine::Kind::expectation;
    line.expectation = std::move(*expectation);
  } else if (line.kind = kind_of_line(text, dialect_); line.kind == NalLine::Kind::cycles) {
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), line.cycles);
    const bool fits = code == std::errc() && line.cycles <= max_cycles;
    line.kind = fits ? NalLine::Kind::cycles : NalLine::Kind::error;
    if (!fits) {
      line.error.offset = indent;
      line.error.column = indent + 1;  // only blanks are before it
      line.error.expected = "at most " + std::to_string(max_cycles) + " cycles";
      line.error.found = "'" + std::string(text.substr(0, 24)) + "'";
    }
  }
  if (line.kind == NalLine::Kind::comment)
    if (auto slip = misspelt_directive(text)) {
      slip->column += indent;
      line.warnings.push_back(*std::move(slip));
    }
  check_line_form(line, text, indent);
  return line;
}

// Checks the constructs of lines without a sentence.
void LineBatchReader::check_line_form(NalLine& line, std::string_view text, std::size_t indent) const {
  if (text.starts_with("'")) line.constructs |= bit(Construct::apostrophe_line);
  if (indent > 0 && text.starts_with("//")) line.constructs |= bit(Construct::indented_comment);
  const ConstructSet refused = line.constructs & handled(dialect_, Handling::Kind::refuses);
  if (refused == 0) return;
  line.kind = NalLine::Kind::error;
  line.error.offset = indent;
  line.error.column = indent + 1;
  line.error.refusal = explain(static_cast<Construct>(std::countr_zero(refused)), dialect_);
}

ReadAhead::ReadAhead(LineBatchReader& reader) : reader_(reader), thread_([this] { work(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(lock_);
    stop_ = true;
  }
  changed_.notify_all();
}

LineBatch* ReadAhead::next() {
  std::unique_lock lock(lock_);
  free_from_ = taken_;  // the previous batch is free
  // The reading thread continues when half of the ring is free, so the threads do not wake each other for each batch.
  if (read_ - free_from_ <= depth / 2) changed_.notify_all();
  changed_.wait(lock, [&] { return read_ > taken_ || ended_; });
  if (read_ > taken_) return &ring_[taken_++ % depth];
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return nullptr;
}

// Returns false if reading must stop.
bool ReadAhead::wait_for_room() {
  std::unique_lock lock(lock_);
  if (read_ - free_from_ == depth)
    changed_.wait(lock, [&] { return stop_ || read_ - free_from_ <= depth / 2; });
  return !stop_;
}

void ReadAhead::work() {
  std::exception_ptr failure;
  try {
    while (reader_.available() > 0 && wait_for_room()) {
      reader_.read(ring_[read_ % depth]);
      {
        const std::lock_guard lock(lock_);
        ++read_;
      }
      changed_.notify_all();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(lock_);
  failure_ = failure;
  ended_ = true;
  changed_.notify_all();
}

namespace {

// The sentence of an expected answer. ONA prints `Truth: frequency=.., confidence=..`, creation times and stamps
// after it.
std::string_view sentence_part(std::string_view text) {
  for (const std::string_view tail :
       {" Truth:", " occurrenceTime=", " creationTime=", " Stamp=", " Priority="})
    text = text.substr(0, text.find(tail));
  return trim(text);
}

// The truth value of ONA's ` Truth: frequency=1.000000, confidence=0.729000`. Returns nothing unless it has two
// numbers in [0, 1].
std::optional<TruthValue> printed_truth(std::string_view text) {
  text.remove_prefix(std::min(text.find(" Truth:"), text.size()));
  TruthValue truth;
  for (const auto& [name, value] :
       {std::pair("frequency=", &truth.frequency), std::pair("confidence=", &truth.confidence)}) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    const char* const number = text.data() + at + std::string_view(name).size();
    const auto [stop, code] = std::from_chars(number, text.data() + text.size(), *value);
    if (code != std::errc() || !(*value >= 0 && *value <= 1)) return {};
  }
  return truth;
}

// The sentence of an expectation, with the truth value that ONA prints after it. Returns nothing if it is not a
// sentence.
std::optional<Sentence> expected_sentence(const Expectation& expectation, TermTable& table,
                                          const ParseLimits& limits) {
  using Kind = Expectation::Kind;
  if (expectation.kind == Kind::execution || expectation.kind == Kind::output) return {};
  const auto parsed = parse_sentence(sentence_part(expectation.text), table, limits);
  if (!parsed) return {};
  Sentence sentence = *parsed;
  if (const auto truth = printed_truth(expectation.text); truth && !sentence.truth) sentence.truth = truth;
  return sentence;
}

}  // namespace

std::optional<NalLine> NalReader::next() {
  if (!has_lines_ahead()) read_batch();
  if (!has_lines_ahead()) return {};
  return std::move(batch_->lines[next_++]);
}

void NalReader::read_batch() {
  next_ = 0;
  if (!ahead_ && ahead_options_.wants_thread(reader_.available())) try {
      ahead_ = std::make_unique<ReadAhead>(reader_);
    } catch (const std::system_error&) {  // the system has no more threads
      ahead_options_.least_bytes = ReadAheadOptions::never;
    }
  if (ahead_) {
    own_.lines.clear();  // empty if next() throws
    batch_ = &own_;
    if (LineBatch* const batch = ahead_->next()) {
      table_.prefetch_index({batch->trees.nodes.begin(), batch->trees.nodes.size()});
      add_terms(*batch);
      batch_ = batch;
      return;
    }
    ahead_.reset();
  }
  reader_.read(own_, &table_);
  add_terms(own_);
}

void NalReader::add_terms(LineBatch& batch) {
  for (const std::size_t i : batch.expectations) {
    Expectation& expectation = batch.lines[i].expectation;
    expectation.sentence = expected_sentence(expectation, table_, limits_);
  }
  auto parsed = parser_.with_terms(batch.trees, batch.texts, table_);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    NalLine& line = batch.lines[batch.sentences[i]];
    line.constructs = parsed[i].constructs;
    line.warnings = std::move(parsed[i].warnings);
    if (parsed[i].result) {
      line.sentence = *parsed[i].result;
    } else {
      line.kind = NalLine::Kind::error;
      line.error = parsed[i].result.error();
      line.error.line = line.number;
    }
  }
  for (NalLine& line : batch.lines) {
    check_needed(line);
    detect_link(line);
  }
}

// A `//needed:` line names a premise of the answer to the question above it.
void NalReader::check_needed(NalLine& line) {
  if (line.kind == NalLine::Kind::sentence) has_question_ |= line.sentence.asks();
  if (line.kind != NalLine::Kind::expectation || has_question_) return;
  if (line.expectation.kind != Expectation::Kind::needed) return;
  const std::size_t column = line.text.find_first_not_of(" \t") + 1;
  line.warnings.push_back(
      {column, "expected a question before '//needed:', which names a premise of its answer"});
}

void NalReader::detect_link(NalLine& line) {
  if (line.kind == NalLine::Kind::comment) {
    const std::string_view text = trim(line.text);
    if (text == links_begin) in_links_ = true;
    if (text == links_end) in_links_ = false;
  }
  if (line.kind != NalLine::Kind::sentence || line.sentence.asks()) return;
  line.tells_link = in_links_ && has_link_form(line.sentence);
  if (line.tells_link || !is_marked_link(line.sentence, line.text)) return;
  line.tells_link = true;
  line.warnings.push_back({line.text.find_first_not_of(" \t") + 1,
                           "a link marked by 32 digits is read in this version only; write '" +
                               std::string(links_begin) + "' on a line before links instead"});
}

}  // namespace engram::narsese
