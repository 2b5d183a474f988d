// SPDX-License-Identifier: MIT
#include "core/shards/slice.hpp"

#include <algorithm>
#include <boost/interprocess/streams/bufferstream.hpp>

#include "core/numbers/work.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/nal_reader.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

// Where the first line begins at `at` or behind it.
std::size_t line_at(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  const std::size_t end = text.find('\n', at - 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}

// A slice in the making.
class Reader {
 public:
  Reader(const MemoryOptions& options, const TermKeys& keys) : scratch_(options), keys_(keys) {}

  void read(const TextPiece& piece, std::size_t most_rejected) {
    Slice::Errors& errors = slice_.errors.emplace_back();
    errors.lines = static_cast<std::size_t>(std::ranges::count(piece.text, '\n'));
    InputReport report;
    report.most_rejected = most_rejected;
    boost::interprocess::ibufferstream stream(piece.text.data(), piece.text.size());
    // Peers are what works side by side here: none has a thread of its own to read ahead.
    narsese::NalReader reader(stream, scratch_.terms(), {}, narsese::Dialect::any,
                              {.least_bytes = narsese::ReadAheadOptions::never});
    reader.set_in_links(piece.in_links);
    scratch_.terms().mark();
    while (const auto line = reader.next()) {
      constexpr std::uint64_t steps_a_byte = 20;
      spend(steps_a_byte * line->text.size());
      if (line->kind == narsese::NalLine::Kind::error)
        report.reject(line->number, line->error.column, line->error.message());
      if (line->kind == narsese::NalLine::Kind::sentence)
        if (const std::string refusal = take(*line); !refusal.empty())
          report.reject(line->number, 1, refusal);
      if (!reader.is_ahead()) scratch_.terms().give_back();
    }
    errors.rejected = std::move(report.rejected);
    errors.in_all = report.rejected_in_all;
  }

  Slice slice() && { return std::move(slice_); }

 private:
  // Why it is refused; nothing where it is taken.
  std::string take(const narsese::NalLine& line) {
    return line.tells_link ? take_link(line.sentence) : take_sentence(line.sentence);
  }

  std::string take_sentence(const narsese::Sentence& sentence) {
    const std::vector<narsese::Term> active = scratch_.active_terms(sentence.term);
    if (const std::string refusal = scratch_.too_many_active(active.size()); !refusal.empty()) return refusal;
    if (sentence.asks()) return {};
    const std::size_t text_before = slice_.texts.size();
    slice_.texts += narsese::print(sentence);
    const TermKey key = intern(sentence.term, active);
    slice_.active.insert(slice_.active.end(), numbers_.begin(), numbers_.end());
    const narsese::TruthValue truth = sentence.truth_or_default();
    slice_.sentences.push_back({key, truth, static_cast<std::uint32_t>(slice_.texts.size() - text_before),
                                static_cast<std::uint32_t>(slice_.sentences.size()),
                                static_cast<std::uint16_t>(active.size()), sentence.punctuation,
                                sentence.tense.kind == narsese::Tense::Kind::eternal});
    slice_.evidence.push_back(truth.confidence);
    return {};
  }

  std::string take_link(const narsese::Sentence& judgement) {
    const auto ends = scratch_.ends_of_link(judgement);
    if (!ends) return ends.error();
    Slice::Told told{{}, *judgement.truth};
    for (std::size_t k = 0; k < ends->size(); ++k) {
      intern((*ends)[k], std::span(*ends).subspan(k, 1));
      told.ends[k] = numbers_.front();
    }
    slice_.told.push_back(told);
    slice_.evidence.push_back(narsese::to_evidence(told.truth, narsese::greatest_confidence).total);
    return {};
  }

  // The concepts of a term, the numbers of the active ones in numbers_; and the key of the term.
  TermKey intern(narsese::Term term, std::span<const narsese::Term> active) {
    numbers_.assign(active.size(), 0);
    return keys_.visit(term, [&](narsese::Term inner, const TermKey& key) {
      const auto holder = std::ranges::find(active, inner);
      const std::uint32_t number = number_of(key, holder == active.end() ? narsese::Term() : inner);
      if (holder != active.end()) numbers_[static_cast<std::size_t>(holder - active.begin())] = number;
    });
  }

  std::uint32_t number_of(const TermKey& key, narsese::Term named) {
    std::vector<TermKey>& all = slice_.concepts;
    return index_.find_or_insert(
        key.first, [&](std::uint32_t i) { return all[i] == key; },
        [&] {
          const std::size_t before = slice_.names.size();
          if (named) slice_.names += narsese::print(named);
          slice_.name_bytes.push_back(static_cast<std::uint32_t>(slice_.names.size() - before));
          all.push_back(key);
          return static_cast<std::uint32_t>(all.size() - 1);
        });
  }

  Memory scratch_;  // of which nothing is asked but what terms it would think of
  const TermKeys& keys_;
  Slice slice_;
  narsese::HashIndex index_;  // of its concepts
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::vector<TextPiece> pieces_of(std::span<const SharedText> texts, std::size_t rank, std::size_t size) {
  std::size_t all = 0, before = 0;
  for (const SharedText& text : texts) all += text.text.size();
  const auto cut = [&](std::size_t r) { return all / size * r + all % size * r / size; };
  std::vector<TextPiece> pieces;
  for (const auto& [name, text] : texts) {
    const auto within = [&, whole = text](std::size_t at) {
      return line_at(whole, std::min(std::max(at, before) - before, whole.size()));
    };
    const std::size_t begin = within(cut(rank)), end = within(cut(rank + 1));
    pieces.push_back({text.substr(begin, end - begin), narsese::leaves_links_open(text.substr(0, begin))});
    before += text.size();
  }
  return pieces;
}

Slice read_slice(std::span<const TextPiece> pieces, const MemoryOptions& options, const TermKeys& keys,
                 std::size_t most_rejected) {
  Reader reader(options, keys);
  for (const TextPiece& piece : pieces) reader.read(piece, most_rejected);
  return std::move(reader).slice();
}

}  // namespace engram::core
