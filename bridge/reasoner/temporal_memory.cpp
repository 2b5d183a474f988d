// SPDX-License-Identifier: MIT
#include "bridge/reasoner/temporal_memory.hpp"

#include <algorithm>
#include <tuple>

namespace engram::bridge {

using narsese::Connector;
using narsese::Term;

EventStamp EventStamp::operator+(const EventStamp& other) const {
  EventStamp both = *this;
  for (const InputNumber number : other.numbers()) both.numbers_[both.size_++] = number;
  return both;
}

bool EventStamp::overlaps(const EventStamp& other) const {
  return std::ranges::any_of(numbers(), [&](InputNumber number) {
    return std::ranges::find(other.numbers(), number) != other.numbers().end();
  });
}

void add_to_stamp(std::vector<InputNumber>& stamp, std::span<const InputNumber> more) {
  stamp.insert(stamp.end(), more.begin(), more.end());
  std::ranges::sort(stamp);
  stamp.erase(std::unique(stamp.begin(), stamp.end()), stamp.end());
  if (stamp.size() > TemporalMemory::most_stamp)
    stamp.erase(stamp.begin(), stamp.end() - static_cast<std::ptrdiff_t>(TemporalMemory::most_stamp));
}

OperationId TemporalMemory::operation(Term term) {
  const auto known = std::ranges::find(operations_, term);
  if (known == operations_.end() && operations_.size() == most_operations) return 0;
  const auto place = static_cast<OperationId>(known - operations_.begin());
  if (known == operations_.end()) operations_.push_back(term);
  return place + 1;
}

EventConceptId TemporalMemory::conceptualize(Term term, Cycle now) {
  const auto [place, is_new] = concept_ids_.try_emplace(term, static_cast<EventConceptId>(concepts_.size()));
  if (is_new) {
    EventConcept made;
    made.term = term;
    if (term.is(Connector::sequence)) made.length = term.components().size();
    concepts_.push_back(std::move(made));
  }
  EventConcept& used = concepts_[place->second];
  ++used.uses;
  used.last_used = std::max(used.last_used, now);
  return place->second;
}

std::optional<EventConceptId> TemporalMemory::find(Term term) const {
  const auto known = concept_ids_.find(term);
  return known == concept_ids_.end() ? std::nullopt : std::optional(known->second);
}

Term TemporalMemory::sequence(Term first, Term last) {
  std::vector<Term> parts{first};
  if (first.is(Connector::sequence)) parts.assign(first.components().begin(), first.components().end());
  parts.push_back(last);
  return table_.compound(Connector::sequence, parts);
}

std::optional<ImplicationId> TemporalMemory::find(EventConceptId precondition, OperationId operation,
                                                  EventConceptId post) const {
  const auto known = index_.find(key(precondition, operation, post));
  return known == index_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<ImplicationId> TemporalMemory::add(const TemporalImplication& implication) {
  std::size_t others = 0;
  std::optional<ImplicationId> least;
  for (const ImplicationId id : concepts_[implication.postcondition].to) {
    if (implications_[id].operation != implication.operation) continue;
    ++others;
    if (!least || expectation(implications_[id].truth) < expectation(implications_[*least].truth)) least = id;
  }
  if (others >= most_of_table) {
    if (expectation(implication.truth) <= expectation(implications_[*least].truth)) return std::nullopt;
    remove(*least);
  }
  auto id = static_cast<ImplicationId>(implications_.size());
  if (free_.empty()) {
    implications_.push_back(implication);
  } else {
    id = free_.back();
    free_.pop_back();
    implications_[id] = implication;
  }
  concepts_[implication.precondition].from.push_back(id);
  concepts_[implication.postcondition].to.push_back(id);
  index_.emplace(key(implication.precondition, implication.operation, implication.postcondition), id);
  return id;
}

void TemporalMemory::remove(ImplicationId id) {
  TemporalImplication& gone = implications_[id];
  std::erase(concepts_[gone.precondition].from, id);
  std::erase(concepts_[gone.postcondition].to, id);
  index_.erase(key(gone.precondition, gone.operation, gone.postcondition));
  gone = {};
  gone.lives = false;
  free_.push_back(id);
}

Term TemporalMemory::term_of(const TemporalImplication& implication) {
  Term first = concepts_[implication.precondition].term;
  if (implication.operation) first = sequence(first, operation_term(implication.operation));
  return table_.statement(narsese::Copula::predictive_implication, first,
                          concepts_[implication.postcondition].term);
}

bool TemporalMemory::is_full() const {
  return concepts_.size() >= most_concepts || index_.size() >= most_implications ||
         table_.reserved_bytes() >= most_bytes;
}

KeptIds TemporalMemory::forget(Cycle now, const std::vector<bool>& in_use) {
  // Larger is better: in use, then useful, then older.
  using Worth = std::tuple<bool, double, std::int64_t>;
  std::vector<std::pair<Worth, EventConceptId>> ranked;
  for (EventConceptId id = 0; id < concepts_.size(); ++id) {
    const EventConcept& one = concepts_[id];
    const double usage = static_cast<double>(one.uses) / (static_cast<double>(now - one.last_used) + 1);
    ranked.push_back({{in_use[id], usage, -std::int64_t{id}}, id});
  }
  std::ranges::sort(ranked, std::greater<>());
  std::vector<bool> kept(concepts_.size());
  for (std::size_t place = 0; place < ranked.size(); ++place)
    kept[ranked[place].second] = place < ranked.size() / 2 || std::get<bool>(ranked[place].first);
  const KeptIds renumber(kept);
  renumber.close_up(concepts_);
  keep_implications(renumber);
  keep_terms();
  return renumber;
}

void TemporalMemory::keep_implications(const KeptIds& concepts) {
  std::vector<TemporalImplication> left;
  for (const TemporalImplication& one : implications_)
    if (one.lives && concepts.keeps(one.precondition) && concepts.keeps(one.postcondition))
      left.push_back(one);
  constexpr std::size_t half = most_implications / 2;
  if (left.size() > half) {  // an older one before its equals
    std::ranges::stable_sort(left, std::greater<>(),
                             [](const TemporalImplication& one) { return expectation(one.truth); });
    left.resize(half);
  }
  implications_.clear();
  free_.clear();
  index_.clear();
  for (EventConcept& one : concepts_) {
    one.from.clear();
    one.to.clear();
  }
  for (TemporalImplication& one : left) {
    one.precondition = concepts(one.precondition);
    one.postcondition = concepts(one.postcondition);
    add(one);
  }
}

void TemporalMemory::keep_terms() {
  std::vector<Term> terms = operations_;
  for (const EventConcept& one : concepts_) terms.push_back(one.term);
  table_.keep_only(terms);
  concept_ids_.clear();
  std::copy_n(terms.begin(), operations_.size(), operations_.begin());
  for (EventConceptId id = 0; id < concepts_.size(); ++id) {
    concepts_[id].term = terms[operations_.size() + id];
    concept_ids_.emplace(concepts_[id].term, id);
  }
}

}  // namespace engram::bridge
