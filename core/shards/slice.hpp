// SPDX-License-Identifier: MIT
// One peer's part of the text that is read into a sharded memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/session/session.hpp"
#include "core/shards/peers.hpp"
#include "core/shards/term_key.hpp"

namespace engram::core {

/// Narsese that all peers can reach: a file, as it lies in memory.
struct SharedText {
  std::string name;
  std::string_view text;
};

/// A part of a text, of whole lines.
struct TextPiece {
  std::string_view text;
  bool in_links = false;  // what stands before it leaves a section of links open (narsese/link_judgement.hpp)
};

/// Which bytes of each text are one peer's: all of them together cut into pieces of the same length, of whole lines. A
/// line belongs to the piece in which it begins.
std::vector<TextPiece> pieces_of(std::span<const SharedText> texts, std::size_t rank, std::size_t size);

/// A sentence of a slice as its owner takes it in.
struct SaidSentence {
  TermKey term;
  narsese::TruthValue truth;  // or the default
  std::uint32_t text_bytes = 0;
  std::uint32_t place = 0;   // in its slice
  std::uint16_t active = 0;  // concepts
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  bool is_eternal = true;
};

/// What a slice says, in its order.
struct Slice {
  // Judgments and goals.
  std::vector<SaidSentence> sentences;
  std::string texts;                  // of the sentences, as they are printed
  std::vector<std::uint32_t> active;  // of each of them, numbers of its concepts

  // Concepts, as they are first mentioned. Those that hold activation have a name, the others none.
  std::vector<TermKey> concepts;
  std::vector<std::uint32_t> name_bytes;
  std::string names;

  /// What was told of a link, between concepts by their numbers.
  struct Told {
    std::array<std::uint32_t, 2> ends{};
    narsese::TruthValue truth;
  };
  std::vector<Told> told;
  std::vector<double> evidence;  // of all of it, sentence by sentence

  /// Of one text: its line numbers count from the beginning of the piece.
  struct Errors {
    std::vector<RejectedLine> rejected;
    std::size_t in_all = 0, lines = 0;
  };
  std::vector<Errors> errors;  // by text
};

/// Reads the pieces. Of what was refused the first `most_rejected` lines are kept for each text.
/// Cost  that of reading, and 24 bytes a concept, 56 and its text a sentence
Slice read_slice(std::span<const TextPiece> pieces, const MemoryOptions& options, const TermKeys& keys,
                 std::size_t most_rejected);

}  // namespace engram::core
