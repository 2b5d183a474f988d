// SPDX-License-Identifier: MIT
// What a reasoner has: its sentences, on which inputs each rests, and where each is found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bridge/reasoner/forgetting.hpp"
#include "bridge/reasoner/inference_rules.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// The number of a sentence.
using SentenceId = std::uint32_t;
/// The number of a name.
using NameId = std::uint32_t;
/// Of an input, counted from 1.
using InputNumber = std::uint32_t;

/// A sentence that was told or inferred.
struct KnownSentence {
  static constexpr SentenceId none = 0xFFFFFFFF;
  static constexpr std::uint16_t told = 0xFFFF, revision = 0xFFFE;

  narsese::Term term;
  narsese::TruthValue truth;  // of judgments and goals
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  bool strong = true;         // told, asked, revised, or inferred by a strong rule (InferenceRules)
  std::uint16_t rule = told;  // by which it was inferred; or told, or revision
  std::array<SentenceId, 2> premises{none, none};  // or none: there was none, or it is forgotten
  std::uint32_t generation = 0;                    // 0 told, else one more than the later premise's
  std::uint64_t step = 0;                          // at which it was inferred

  bool judges() const { return punctuation == narsese::Punctuation::judgment; }
  bool asks() const {
    return punctuation == narsese::Punctuation::question || punctuation == narsese::Punctuation::quest;
  }
};

/// Grows until some of it is forgotten. What is only needed of sentences that are thought of is worked out when it is
/// asked for.
class Knowledge {
 public:
  /// Inputs that a conclusion may rest on: what would rest on more is not drawn, so evidence is never forgotten and
  /// never counts twice.
  static constexpr std::size_t most_evidence = 32;  // chosen
  /// Beliefs of one term that are kept: the most confident.
  static constexpr std::size_t most_beliefs = 12;  // chosen
  /// Names of one sentence by which it is found, the first.
  static constexpr std::size_t most_names = 64;  // chosen

  explicit Knowledge(narsese::TermTable& table) : table_(table) {}

  const KnownSentence& operator[](SentenceId id) const { return sentences_[id]; }
  std::size_t size() const { return sentences_.size(); }
  /// It as rules read it.
  Premise premise(SentenceId id);
  /// The inputs that it rests on, ascending; none for what was asked.
  std::span<const InputNumber> evidence(SentenceId id) const {
    return {evidence_.data() + places_[id].evidence_begin, places_[id].evidence_size};
  }
  /// Names in it, each once: by what they share, two sentences are premises of one step. Valid until the next call.
  std::span<const NameId> names(SentenceId id);
  /// That are known so far.
  std::size_t names() const { return name_terms_.size(); }
  /// The term that it is.
  narsese::Term name(NameId id) const { return name_terms_[id]; }

  /// Whether both rest on one input.
  bool overlap(SentenceId a, SentenceId b) const;
  /// Whether both are premises of anything: of beliefs that overlap, only where one is an implication or equivalence.
  bool may_meet(SentenceId a, SentenceId b) const;
  /// The inputs that either rests on; nothing where these are too many.
  std::optional<std::vector<InputNumber>> joint(SentenceId a, SentenceId b) const;

  /// The most confident belief of this term, of equals the one with most evidence; or none.
  SentenceId first_belief(narsese::Term term) const;
  /// The belief after this one; or none.
  SentenceId next_belief(SentenceId id) const { return places_[id].next; }

  /// A question or quest of this term that was told or asked.
  std::optional<SentenceId> asked(narsese::Term term, narsese::Punctuation punctuation) const;

  /// Takes a sentence in. Known is one with this term, punctuation and evidence that is as confident, or one that was
  /// inferred and is no more confident than all that are kept of its term.
  /// Returns  its id, or none where it is known
  SentenceId take(const KnownSentence& sentence, std::span<const InputNumber> evidence);

  /// Keeps these alone, one flag a sentence, and the names in them; the table keeps their terms, and `also`. All ids and
  /// handles of terms change. On what a sentence rests stays known, even where that is forgotten.
  /// Cost  that of all sentences
  Forgotten keep_only(const std::vector<bool>& kept, narsese::Term* also);

  std::size_t bytes() const;

 private:
  // Where the rest of a sentence is.
  struct Place {
    static constexpr std::uint32_t unknown = 0xFFFFFFFF;

    narsese::Term apart = {};
    std::uint32_t evidence_begin = 0;
    std::uint32_t names_begin = unknown;
    SentenceId next = KnownSentence::none;  // of its term
    std::uint8_t evidence_size = 0, names_size = 0;
  };
  // A term that was said as a judgment, or in another way.
  struct Said {
    narsese::Term term;
    bool judged = true;
    SentenceId first = KnownSentence::none;
  };

  std::uint32_t find(narsese::Term term, bool judged) const;
  bool same_evidence(SentenceId id, std::span<const InputNumber> evidence) const;
  void add_names(narsese::Term term, std::uint32_t begin);
  std::vector<bool> names_in(const std::vector<bool>& kept) const;
  void unlink(Said& said, SentenceId id);
  void link(Said& said, SentenceId id);

  narsese::TermTable& table_;
  core::ChunkedVector<KnownSentence> sentences_;
  core::ChunkedVector<Place> places_;
  std::vector<InputNumber> evidence_;
  std::vector<NameId> names_of_;
  std::vector<narsese::Term> name_terms_;
  narsese::HashIndex name_ids_;
  std::vector<Said> said_;
  narsese::HashIndex said_ids_;
};

}  // namespace engram::bridge
