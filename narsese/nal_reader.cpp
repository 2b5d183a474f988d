// SPDX-License-Identifier: MIT
#include "narsese/nal_reader.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "narsese/link_judgement.hpp"
#include "narsese/words.hpp"

namespace engram::narsese {
namespace {

// ONA's answers carry `Truth: frequency=.., confidence=..`, creation times and stamps behind the sentence.
std::string_view sentence_part(std::string_view text) {
  for (const std::string_view tail :
       {" Truth:", " occurrenceTime=", " creationTime=", " Stamp=", " Priority="})
    text = text.substr(0, text.find(tail));
  return trim(text);
}

// The truth value in ONA's ` Truth: frequency=1.000000, confidence=0.729000`; nothing where there are no two numbers in
// [0, 1].
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

// Of an expectation that is a sentence, that, with the truth value that is printed behind it.
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

bool Expectation::expects_none() const {
  return (kind == Kind::answer || kind == Kind::contains) && text == "None.";
}

std::optional<NalLine> NalReader::next() {
  if (!is_ahead()) read_batch();
  if (!is_ahead()) return {};
  return std::move(batch_->lines[next_++]);
}

void NalReader::read_batch() {
  next_ = 0;
  if (!ahead_ && ahead_options_.wants_thread(reader_.at_hand())) try {
      ahead_ = std::make_unique<ReadAhead>(reader_);
    } catch (const std::system_error&) {  // the system has no more threads
      ahead_options_.least_bytes = ReadAheadOptions::never;
    }
  if (ahead_) {
    own_.lines.clear();  // in which exceptions leave us
    batch_ = &own_;
    if (LineBatch* const batch = ahead_->next()) {
      table_.expect({batch->trees.nodes.begin(), batch->trees.nodes.size()});
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
    find_link(line);
  }
}

// What is needed is a premise of the answer to the question above it.
void NalReader::check_needed(NalLine& line) {
  if (line.kind == NalLine::Kind::sentence) has_asked_ |= line.sentence.asks();
  if (line.kind != NalLine::Kind::expectation || has_asked_) return;
  if (line.expectation.kind != Expectation::Kind::needed) return;
  const std::size_t column = line.text.find_first_not_of(" \t") + 1;
  line.warnings.push_back({column,
                           "what is needed must stand below the question whose answer needs it, found no "
                           "question before it"});
}

void NalReader::find_link(NalLine& line) {
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
