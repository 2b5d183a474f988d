// SPDX-License-Identifier: MIT
#include "core/reasoner/knowledge.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/reasoner/unifier.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {

using narsese::Term;
using narsese::TermKind;

namespace {

std::uint64_t hash_of(Term term, bool is_judgment) {
  return narsese::mix(term.hash() * std::uint64_t{2} + (is_judgment ? 1 : 0));
}

}  // namespace

Premise Knowledge::premise(SentenceId id) {
  const KnownSentence& sentence = sentences_[id];
  if (!std::as_const(places_)[id].renamed) places_[id].renamed = rename_apart(table_, sentence.term);
  return {sentence.term, std::as_const(places_)[id].renamed, sentence.punctuation, sentence.truth};
}

std::span<const NameId> Knowledge::names(SentenceId id) {
  Place& place = places_[id];
  if (place.names_begin == Place::unknown) {
    place.names_begin = static_cast<std::uint32_t>(names_of_.size());
    add_names(sentences_[id].term, place.names_begin);
    place.names_size = static_cast<std::uint8_t>(names_of_.size() - place.names_begin);
  }
  return {names_of_.data() + place.names_begin, place.names_size};
}

void Knowledge::add_names(Term term, std::uint32_t begin) {
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op) {
    const NameId name = name_ids_.find_or_insert(
        hash_of(term, true), [&](std::uint32_t other) { return name_terms_[other] == term; },
        [&] {
          name_terms_.push_back(term);
          return static_cast<NameId>(name_terms_.size() - 1);
        });
    const auto from = names_of_.begin() + begin;
    if (names_of_.size() - begin < max_names && std::find(from, names_of_.end(), name) == names_of_.end())
      names_of_.push_back(name);
    return;
  }
  for (const Term part : term.components()) add_names(part, begin);
}

bool Knowledge::share_evidence(SentenceId a, SentenceId b) const {
  const auto x = evidence(a), y = evidence(b);
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i] == y[j]) return true;
    x[i] < y[j] ? ++i : ++j;
  }
  return false;
}

bool Knowledge::may_combine(SentenceId a, SentenceId b) const {
  return narsese::is_higher_order(sentences_[a].term) || narsese::is_higher_order(sentences_[b].term) ||
         !share_evidence(a, b);
}

std::optional<std::vector<InputNumber>> Knowledge::joint_evidence(SentenceId a, SentenceId b) const {
  std::vector<InputNumber> both;
  both.reserve(evidence(a).size() + evidence(b).size());
  std::ranges::set_union(evidence(a), evidence(b), std::back_inserter(both));
  if (both.size() > max_evidence) return std::nullopt;
  return both;
}

std::uint32_t Knowledge::find(Term term, bool is_judgment) const {
  return entry_ids_.find(hash_of(term, is_judgment), [&](std::uint32_t other) {
    return entries_[other].term == term && entries_[other].is_judgment == is_judgment;
  });
}

std::optional<SentenceId> Knowledge::find_question(Term term, narsese::Punctuation punctuation) const {
  const std::uint32_t entry = find(term, false);
  if (entry == narsese::HashIndex::none) return std::nullopt;
  for (SentenceId id = entries_[entry].first; id != KnownSentence::none; id = next_belief(id))
    if (sentences_[id].punctuation == punctuation) return id;
  return std::nullopt;
}

SentenceId Knowledge::first_belief(Term term) const {
  const std::uint32_t entry = find(term, true);
  return entry == narsese::HashIndex::none ? KnownSentence::none : entries_[entry].first;
}

SentenceId Knowledge::add(const KnownSentence& sentence, std::span<const InputNumber> evidence) {
  const bool is_judgment = sentence.is_judgment();
  const std::uint32_t known = entry_ids_.find_or_insert(
      hash_of(sentence.term, is_judgment),
      [&](std::uint32_t other) {
        return entries_[other].term == sentence.term && entries_[other].is_judgment == is_judgment;
      },
      [&] {
        entries_.push_back({sentence.term, is_judgment});
        return static_cast<std::uint32_t>(entries_.size() - 1);
      });
  TermEntry& entry = entries_[known];
  std::size_t alike = 0;
  SentenceId least = KnownSentence::none;
  for (SentenceId other = entry.first; other != KnownSentence::none; other = next_belief(other)) {
    ++alike;
    least = other;
    const KnownSentence& held = sentences_[other];
    if (held.punctuation != sentence.punctuation || !std::ranges::equal(this->evidence(other), evidence))
      continue;
    if (sentence.asks() || held.truth.confidence >= sentence.truth.confidence) return KnownSentence::none;
    unlink(entry, other);
    alike = 0;
    break;
  }
  if (is_judgment && alike >= max_beliefs) {
    // An input is new evidence, so it is kept for revision even if it is the weakest belief.
    const bool is_input = sentence.rule == KnownSentence::input;
    if (!is_input && sentences_[least].truth.confidence >= sentence.truth.confidence)
      return KnownSentence::none;
    unlink(entry, least);
  }
  const auto id = static_cast<SentenceId>(sentences_.size());
  sentences_.push_back(sentence);
  places_.push_back({.evidence_begin = static_cast<std::uint32_t>(evidence_.size()),
                     .evidence_size = static_cast<std::uint8_t>(evidence.size())});
  evidence_.insert(evidence_.end(), evidence.begin(), evidence.end());
  link(entry, id);
  return id;
}

// Inserts a sentence by confidence. Among equals, such as beliefs with the largest confidence, the one with most
// evidence comes first, then the oldest.
void Knowledge::link(TermEntry& entry, SentenceId id) {
  const auto rank = [this](SentenceId one) {
    return std::pair(sentences_[one].truth.confidence, evidence(one).size());
  };
  SentenceId* place = &entry.first;
  while (*place != KnownSentence::none && rank(*place) >= rank(id)) place = &places_[*place].next;
  places_[id].next = *place;
  *place = id;
}

void Knowledge::unlink(TermEntry& entry, SentenceId id) {
  SentenceId* place = &entry.first;
  while (*place != id) place = &places_[*place].next;
  *place = places_[id].next;
}

std::vector<bool> Knowledge::names_in(const std::vector<bool>& kept) const {
  std::vector<bool> found(name_terms_.size());
  for (SentenceId id = 0; id < kept.size(); ++id) {
    const Place& place = std::as_const(places_)[id];
    if (!kept[id] || place.names_begin == Place::unknown) continue;
    for (std::size_t i = 0; i < place.names_size; ++i) found[names_of_[place.names_begin + i]] = true;
  }
  return found;
}

ForgottenIds Knowledge::keep_only(const std::vector<bool>& kept, Term* also) {
  static_assert(IdRemap::gone == KnownSentence::none);
  ForgottenIds forgotten{IdRemap(kept), IdRemap(names_in(kept))};
  const IdRemap& renumber = forgotten.sentences;
  const auto before = std::exchange(sentences_, {});
  const auto places = std::exchange(places_, {});
  const auto evidence = std::exchange(evidence_, {});
  const auto names_of = std::exchange(names_of_, {});
  std::vector<Term> terms;  // two of each sentence, plain and renamed; then the names; then `also`
  for (SentenceId id = 0; id < before.size(); ++id) {
    if (!renumber.keeps(id)) continue;
    KnownSentence sentence = before[id];
    for (SentenceId& premise : sentence.premises)
      if (premise != KnownSentence::none) premise = renumber(premise);
    Place place = places[id];
    terms.insert(terms.end(), {sentence.term, place.renamed ? place.renamed : sentence.term});
    const auto own_evidence =
        evidence.begin() + std::exchange(place.evidence_begin, static_cast<std::uint32_t>(evidence_.size()));
    evidence_.insert(evidence_.end(), own_evidence, own_evidence + place.evidence_size);
    if (place.names_begin != Place::unknown) {
      const auto own_names =
          names_of.begin() + std::exchange(place.names_begin, static_cast<std::uint32_t>(names_of_.size()));
      std::transform(own_names, own_names + place.names_size, std::back_inserter(names_of_), forgotten.names);
    }
    place.next = KnownSentence::none;
    sentences_.push_back(sentence);
    places_.push_back(place);
  }
  forgotten.names.compact(name_terms_);
  terms.insert(terms.end(), name_terms_.begin(), name_terms_.end());
  if (also) terms.push_back(*also);
  table_.keep_only(terms);
  if (also) {
    *also = terms.back();
    terms.pop_back();
  }
  for (SentenceId id = 0; id < sentences_.size(); ++id) {
    sentences_[id].term = terms[2 * id];
    if (places_[id].renamed) places_[id].renamed = terms[2 * id + 1];
  }
  std::copy_n(terms.end() - static_cast<std::ptrdiff_t>(name_terms_.size()), name_terms_.size(),
              name_terms_.begin());
  name_ids_ = {};
  for (NameId name = 0; name < name_terms_.size(); ++name)
    name_ids_.insert(hash_of(name_terms_[name], true), name);
  // The sentences of each term stay in the same order.
  entry_ids_ = {};
  for (const TermEntry& entry : std::exchange(entries_, {})) {
    SentenceId last = KnownSentence::none;
    for (SentenceId id = entry.first; id != KnownSentence::none; id = places[id].next) {
      if (!renumber.keeps(id)) continue;
      const SentenceId now = renumber(id);
      if (last != KnownSentence::none) {
        places_[last].next = now;
      } else {
        entry_ids_.insert(hash_of(sentences_[now].term, entry.is_judgment),
                          static_cast<std::uint32_t>(entries_.size()));
        entries_.push_back({sentences_[now].term, entry.is_judgment, now});
      }
      last = now;
    }
  }
  return forgotten;
}

std::size_t Knowledge::bytes() const {
  return sentences_.bytes() + places_.bytes() + evidence_.capacity() * sizeof(InputNumber) +
         names_of_.capacity() * sizeof(NameId) + name_terms_.capacity() * sizeof(Term) +
         entries_.capacity() * sizeof(TermEntry) + name_ids_.bytes() + entry_ids_.bytes();
}

}  // namespace engram::core
