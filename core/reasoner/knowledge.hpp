// SPDX-License-Identifier: MIT
// The sentences of a reasoner with the inputs they rest on, and new ids after a reasoner forgets.
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

/// Id of a sentence in Knowledge.
using SentenceId = std::uint32_t;
/// Id of a name in Knowledge. A name is an atomic term: a word or an operator.
using NameId = std::uint32_t;
/// Number of an input sentence, counted from 1. Sets of these numbers are the evidence of conclusions.
using InputNumber = std::uint32_t;

/// New ids after some items were removed. The kept items keep their order and get consecutive ids.
class IdRemap {
 public:
  static constexpr std::uint32_t gone = 0xFFFFFFFF;

  explicit IdRemap(const std::vector<bool>& kept) {
    kept_before_.reserve(kept.size() + 1);
    kept_before_.push_back(0);
    for (const bool keeps : kept) kept_before_.push_back(kept_before_.back() + (keeps ? 1 : 0));
  }

  /// Whether the item with this old id is kept.
  bool keeps(std::uint32_t id) const { return kept_before_[id] != kept_before_[id + 1]; }
  /// Returns the new id of an item, or `gone` if it was removed.
  std::uint32_t operator()(std::uint32_t id) const { return keeps(id) ? kept_before_[id] : gone; }
  /// Number of kept items among the first `count` old ids.
  std::uint32_t kept_before(std::size_t count) const { return kept_before_[count]; }
  /// Number of kept items.
  std::uint32_t kept() const { return kept_before_.back(); }

  /// Removes the items that are not kept from a vector that is indexed by id. The vector may be shorter than the number
  /// of ids.
  template <class T>
  void compact(std::vector<T>& items) const {
    for (std::uint32_t id = 0; id < items.size(); ++id)
      if (keeps(id) && kept_before_[id] != id) items[kept_before_[id]] = std::move(items[id]);
    items.erase(items.begin() + kept_before(items.size()), items.end());
    items.shrink_to_fit();
  }
  /// Updates a list of ids: drops the removed items, and renames the others.
  void rename(std::vector<std::uint32_t>& ids) const {
    std::erase_if(ids, [&](std::uint32_t id) { return !keeps(id); });
    for (std::uint32_t& id : ids) id = kept_before_[id];
    ids.shrink_to_fit();
  }

 private:
  std::vector<std::uint32_t> kept_before_;
};

/// New ids of sentences and names after a reasoner forgot some. Every object that stores ids must apply them.
struct ForgottenIds {
  IdRemap sentences, names;

  /// Updates a table of sentence lists that is indexed by name, with both sets of new ids.
  void rename_by_name(std::vector<std::vector<std::uint32_t>>& lists) const {
    names.compact(lists);
    for (auto& list : lists) sentences.rename(list);
  }
};

/// A sentence that was input or inferred, and how it was inferred.
struct KnownSentence {
  static constexpr SentenceId none = 0xFFFFFFFF;
  static constexpr std::uint16_t input = 0xFFFF, revision = 0xFFFE;

  narsese::Term term;
  narsese::TruthValue truth;  // truth value of judgments, desire value of goals
  narsese::Punctuation punctuation = narsese::Punctuation::judgment;
  bool strong = true;  // whether it is an input, a revision or a conclusion of a strong rule (Rule::strong)
  std::uint16_t rule = input;                      // number of the inference rule, or `input`, or `revision`
  std::array<SentenceId, 2> premises{none, none};  // `none` if missing or forgotten
  std::uint64_t step = 0;  // number of the inference step that found it; for an input: steps done before

  bool is_judgment() const { return punctuation == narsese::Punctuation::judgment; }
  bool asks() const {
    return punctuation == narsese::Punctuation::question || punctuation == narsese::Punctuation::quest;
  }
};

/// The knowledge of a reasoner: all its sentences, indexed by term. It grows until keep_only() removes sentences. Data
/// that only selected sentences need, such as names, is computed on first use.
class Knowledge {
 public:
  /// Largest number of inputs that a conclusion may rest on. The reasoner discards conclusions that would need more. It
  /// therefore never loses track of evidence, and never counts an input twice. Chosen.
  static constexpr std::size_t max_evidence = 32;
  /// Most beliefs (judgments) with the same term. The ones with the highest confidence stay. Chosen.
  static constexpr std::size_t max_beliefs = 12;
  /// Most names by which a sentence is indexed: the first ones in its term. Chosen.
  static constexpr std::size_t max_names = 64;

  explicit Knowledge(narsese::TermTable& table) : table_(table) {}

  const KnownSentence& operator[](SentenceId id) const { return sentences_[id]; }
  std::size_t size() const { return sentences_.size(); }
  /// The sentence in the form that inference rules need.
  Premise premise(SentenceId id);
  /// The evidence of a sentence: the numbers of the inputs that it rests on, ascending. A question has none.
  std::span<const InputNumber> evidence(SentenceId id) const {
    return {evidence_.data() + places_[id].evidence_begin, places_[id].evidence_size};
  }
  /// The distinct names in a sentence. Two sentences that share a name may be premises of one step. The span is valid
  /// until the next call.
  std::span<const NameId> names(SentenceId id);
  std::size_t names() const { return name_terms_.size(); }
  /// The term of a name.
  narsese::Term name(NameId id) const { return name_terms_[id]; }

  /// Whether both sentences rest on a common input.
  bool share_evidence(SentenceId a, SentenceId b) const;
  /// Whether the two sentences may be premises of a rule. If they share evidence, one of them must be an implication or
  /// equivalence.
  bool may_combine(SentenceId a, SentenceId b) const;
  /// The union of the evidence of two sentences, or nothing if it has more than max_evidence inputs.
  std::optional<std::vector<InputNumber>> joint_evidence(SentenceId a, SentenceId b) const;

  /// The belief with the highest confidence for a term, or `none`. Among equals, the belief with most evidence comes
  /// first. Use it with next_belief() to iterate over the beliefs of a term.
  SentenceId first_belief(narsese::Term term) const;
  /// The belief of the same term that follows `id` in the order of first_belief(), or `none`.
  SentenceId next_belief(SentenceId id) const { return places_[id].next; }

  /// The question or quest with this term and punctuation, if it is known.
  std::optional<SentenceId> find_question(narsese::Term term, narsese::Punctuation punctuation) const;

  /// Adds a sentence unless it is redundant. A sentence is redundant if a known sentence with the same term,
  /// punctuation and evidence has at least its confidence. A conclusion is also redundant if max_beliefs beliefs of its
  /// term have at least its confidence.
  /// Returns  the id of the sentence, or `none` if it is redundant
  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence);

  /// Forgets sentences: removes those whose flag in `kept` is false, then names without a sentence, and unused terms.
  /// All ids and all handles of terms change. The evidence of a kept sentence stays complete.
  /// `also`  a further term to keep in the table, updated to its new handle; may be null
  /// Returns  the new ids
  /// Cost  O(sentences)
  ForgottenIds keep_only(const std::vector<bool>& kept, narsese::Term* also);

  std::size_t bytes() const;

 private:
  // Positions of the data of a sentence in the shared arrays.
  struct Place {
    static constexpr std::uint32_t unknown = 0xFFFFFFFF;

    narsese::Term renamed = {};
    std::uint32_t evidence_begin = 0;
    std::uint32_t names_begin = unknown;
    SentenceId next = KnownSentence::none;  // next sentence in the list of its term
    std::uint8_t evidence_size = 0, names_size = 0;
  };
  // The list of the sentences of a term: of its judgments, or of all others.
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
