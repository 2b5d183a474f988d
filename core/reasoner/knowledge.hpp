// SPDX-License-Identifier: MIT
// The sentences of a reasoner, with their evidence and indexes, and the ids that stay when a reasoner forgets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/chunked_vector.hpp"
#include "core/reasoner/inference_rules.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// Id of a sentence.
using SentenceId = std::uint32_t;
/// Id of a name.
using NameId = std::uint32_t;
/// Number of an input, counted from 1.
using InputNumber = std::uint32_t;

/// New ids after some items were removed. The kept items stay in order, without gaps.
class IdRemap {
 public:
  static constexpr std::uint32_t gone = 0xFFFFFFFF;

  explicit IdRemap(const std::vector<bool>& kept) {
    kept_before_.reserve(kept.size() + 1);
    kept_before_.push_back(0);
    for (const bool keeps : kept) kept_before_.push_back(kept_before_.back() + (keeps ? 1 : 0));
  }

  /// Whether an item stays.
  bool keeps(std::uint32_t id) const { return kept_before_[id] != kept_before_[id + 1]; }
  /// The new id, or `gone`.
  std::uint32_t operator()(std::uint32_t id) const { return keeps(id) ? kept_before_[id] : gone; }
  /// Number of kept items among the first `count`.
  std::uint32_t kept_before(std::size_t count) const { return kept_before_[count]; }
  /// Number of kept items.
  std::uint32_t kept() const { return kept_before_.back(); }

  /// Removes items from a vector that is indexed by id. It may be shorter than the number of ids.
  template <class T>
  void compact(std::vector<T>& items) const {
    for (std::uint32_t id = 0; id < items.size(); ++id)
      if (keeps(id) && kept_before_[id] != id) items[kept_before_[id]] = std::move(items[id]);
    items.erase(items.begin() + kept_before(items.size()), items.end());
    items.shrink_to_fit();
  }
  /// Removes and renames ids in a list of ids.
  void rename(std::vector<std::uint32_t>& ids) const {
    std::erase_if(ids, [&](std::uint32_t id) { return !keeps(id); });
    for (std::uint32_t& id : ids) id = kept_before_[id];
    ids.shrink_to_fit();
  }

 private:
  std::vector<std::uint32_t> kept_before_;
};

/// New ids of sentences and names after a reasoner forgot some. Every holder of ids must apply them.
struct ForgottenIds {
  IdRemap sentences, names;

  /// Applies both to lists of sentences that are indexed by name.
  void rename_by_name(std::vector<std::vector<std::uint32_t>>& lists) const {
    names.compact(lists);
    for (auto& list : lists) sentences.rename(list);
  }
};

/// A sentence that was input or inferred.
struct KnownSentence {
  static constexpr SentenceId none = 0xFFFFFFFF;
  static constexpr std::uint16_t input = 0xFFFF, revision = 0xFFFE;

  narsese::Term term;
  narsese::TruthValue truth;  // of judgments and goals
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  bool strong = true;          // an input, a revision, or a conclusion of a strong rule (Conclusion)
  std::uint16_t rule = input;  // inference rule, or `input`, or `revision`
  std::array<SentenceId, 2> premises{none, none};  // none for a missing or forgotten premise
  std::uint64_t step = 0;                          // number of the inference step that found it

  bool is_judgment() const { return punctuation == narsese::Punctuation::judgment; }
  bool asks() const {
    return punctuation == narsese::Punctuation::question || punctuation == narsese::Punctuation::quest;
  }
};

/// All sentences of a reasoner. It grows until keep_only() removes some. Data that only selected sentences need, such
/// as names, is computed on first use.
class Knowledge {
 public:
  /// Largest number of inputs that a conclusion may rest on. The reasoner discards conclusions that would need more, so
  /// it never loses track of evidence and never counts an input twice. Chosen.
  static constexpr std::size_t max_evidence = 32;
  /// Most beliefs of a term. The beliefs with the highest confidence stay. Chosen.
  static constexpr std::size_t max_beliefs = 12;
  /// Most names that index a sentence, the first ones. Chosen.
  static constexpr std::size_t max_names = 64;

  explicit Knowledge(narsese::TermTable& table) : table_(table) {}

  const KnownSentence& operator[](SentenceId id) const { return sentences_[id]; }
  std::size_t size() const { return sentences_.size(); }
  /// The sentence in the form that inference rules need.
  Premise premise(SentenceId id);
  /// The inputs that a sentence rests on, ascending. A question has none.
  std::span<const InputNumber> evidence(SentenceId id) const {
    return {evidence_.data() + places_[id].evidence_begin, places_[id].evidence_size};
  }
  /// The distinct names in a sentence. Two sentences that share a name may be premises of one step. Valid until the
  /// next call.
  std::span<const NameId> names(SentenceId id);
  std::size_t names() const { return name_terms_.size(); }
  /// The term of a name.
  narsese::Term name(NameId id) const { return name_terms_[id]; }

  /// Whether both sentences rest on a common input.
  bool share_evidence(SentenceId a, SentenceId b) const;
  /// Whether both may be premises of a rule. If they share evidence, one must be an implication or equivalence.
  bool may_combine(SentenceId a, SentenceId b) const;
  /// The inputs that either sentence rests on, or nothing if there are more than max_evidence.
  std::optional<std::vector<InputNumber>> joint_evidence(SentenceId a, SentenceId b) const;

  /// The belief with the highest confidence for a term, or none. Among equals, the one with most evidence comes first.
  SentenceId first_belief(narsese::Term term) const;
  /// The belief after `id` in that order, or none.
  SentenceId next_belief(SentenceId id) const { return places_[id].next; }

  /// The question or quest with this term.
  std::optional<SentenceId> find_question(narsese::Term term, narsese::Punctuation punctuation) const;

  /// Adds a sentence unless it is redundant. It is redundant if a sentence with the same term, punctuation and evidence
  /// has at least its confidence. A conclusion is also redundant if max_beliefs beliefs have at least its confidence.
  /// Returns  its id, or none if it is redundant
  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence);

  /// Removes all sentences without their flag, all names without a kept sentence, and unused terms. The table keeps
  /// `also` if it is not null. All ids and handles of terms change. The evidence of a kept sentence stays complete.
  /// Cost  O(sentences)
  ForgottenIds keep_only(const std::vector<bool>& kept, narsese::Term* also);

  std::size_t bytes() const;

 private:
  // Positions of the data of a sentence.
  struct Place {
    static constexpr std::uint32_t unknown = 0xFFFFFFFF;

    narsese::Term renamed = {};
    std::uint32_t evidence_begin = 0;
    std::uint32_t names_begin = unknown;
    SentenceId next = KnownSentence::none;  // with the same term
    std::uint8_t evidence_size = 0, names_size = 0;
  };
  // The sentences of a term: its judgments, or all others.
  struct TermEntry {
    narsese::Term term;
    bool is_judgment = true;
    SentenceId first = KnownSentence::none;
  };

  std::uint32_t find(narsese::Term term, bool is_judgment) const;
  void add_names(narsese::Term term, std::uint32_t begin);
  std::vector<bool> names_in(const std::vector<bool>& kept) const;
  void unlink(TermEntry& entry, SentenceId id);
  void link(TermEntry& entry, SentenceId id);

  narsese::TermTable& table_;
  ChunkedVector<KnownSentence> sentences_;
  ChunkedVector<Place> places_;
  std::vector<InputNumber> evidence_;
  std::vector<NameId> names_of_;
  std::vector<narsese::Term> name_terms_;
  narsese::HashIndex name_ids_;
  std::vector<TermEntry> entries_;
  narsese::HashIndex entry_ids_;
};

}  // namespace engram::core
