// SPDX-License-Identifier: MIT
#include "experiments/forgetting/policies.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>

#include "core/session/session.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments::forgetting {
namespace {

using Id = BoundedMemory::Id;
using Memories = std::vector<std::unique_ptr<BoundedMemory>>;

core::MemoryOptions limited_to(std::size_t statements) {
  core::MemoryOptions options;
  options.limits.max_statements = statements;
  return options;
}

// Bounded memory that a session with a limit of `capacity` statements implements. Each concept of the stream has one
// statement, which is input whenever the concept is used.
class LimitedSession : public BoundedMemory {
 public:
  LimitedSession(core::ForgettingPolicy policy, std::size_t capacity, std::size_t concepts)
      : session_(limited_to(capacity), {.policy = policy, .share = one_statement}) {
    for (std::size_t id = 0; id < concepts; ++id)
      statements_.push_back(*narsese::parse_sentence("<c" + std::to_string(id) + " --> [used]>.",
                                                     session_.mutable_memory().terms()));
  }

  bool holds(Id id) const override { return session_.memory().find(statements_[id]).has_value(); }
  void experience(const std::vector<Id>& active) override {
    for (const Id id : active)
      core::require(static_cast<bool>(session_.accept(statements_[id])), "the session must accept every use");
  }

 private:
  static constexpr double one_statement = 1e-9;  // a share so small that it rounds up to one statement

  core::Session session_;
  std::vector<narsese::Sentence> statements_;  // one for each concept
};

// Memory that keeps the concepts with the largest worth after each episode. Concepts with lower numbers win ties.
class Oracle : public BoundedMemory {
 public:
  using Worth = std::function<double(std::size_t episode, Id id)>;

  Oracle(std::size_t capacity, Worth worth) : capacity_(capacity), worth_(std::move(worth)) {}

  bool holds(Id id) const override { return std::ranges::binary_search(held_, id); }
  void experience(const std::vector<Id>& active) override {
    std::vector<Id> all;
    std::ranges::set_union(held_, active, std::back_inserter(all));
    std::ranges::stable_sort(all, [&](Id a, Id b) { return worth_(episode_, a) > worth_(episode_, b); });
    all.resize(std::min(capacity_, all.size()));
    std::ranges::sort(all);
    held_ = std::move(all);
    ++episode_;
  }

 private:
  std::size_t capacity_, episode_ = 0;
  Worth worth_;
  std::vector<Id> held_;  // ascending
};

Memories with_foresight(std::size_t capacity, const std::vector<Foresight>& foresights) {
  Memories memories;
  for (const Foresight& foresight : foresights)
    memories.push_back(std::make_unique<Oracle>(capacity, [&foresight](std::size_t episode, Id id) {
      return foresight.wanted(static_cast<core::Index>(foresight.state[episode]), id);
    }));
  return memories;
}

// Worth of a concept: the number of the next episode with the concept, negated, or -infinity if there is none. It keeps
// the concepts that are needed soonest.
Oracle::Worth soonest_use(const ConceptUses& uses) {
  std::map<Id, std::vector<std::size_t>> episodes;  // numbers of the episodes of each concept, ascending
  for (std::size_t t = 0; t < uses.episodes.size(); ++t)
    for (const Id id : uses.episodes[t]) episodes[id].push_back(t);
  return [episodes = std::move(episodes)](std::size_t episode, Id id) {
    const std::vector<std::size_t>& own = episodes.at(id);
    const auto next = std::ranges::upper_bound(own, episode);
    return next == own.end() ? -std::numeric_limits<double>::infinity() : -static_cast<double>(*next);
  };
}

template <class One>
Memories only(std::unique_ptr<One> memory) {
  Memories memories;
  memories.push_back(std::move(memory));
  return memories;
}

}  // namespace

const std::vector<Policy>& policies() {
  using Forget = core::ForgettingPolicy;
  static const std::vector<Policy> all{
      {"learnt", PolicyKind::learnt, Forget::learnt}, {"frequent", PolicyKind::rule, Forget::frequent},
      {"useful", PolicyKind::rule, Forget::useful},   {"evidence", PolicyKind::rule, Forget::evidence},
      {"random", PolicyKind::rule, Forget::random},   {"recent", PolicyKind::rule, Forget::recent},
      {"known_law", PolicyKind::bound, Forget::none}, {"known_chances", PolicyKind::bound, Forget::none},
      {"belady", PolicyKind::bound, Forget::none},
  };
  return all;
}

std::vector<const Policy*> with_gap_ends(const std::vector<std::string>& chosen) {
  std::vector<const Policy*> list;
  for (const Policy& policy : policies())
    if (policy.name == "recent" || policy.name == "belady" ||
        std::ranges::find(chosen, policy.name) != chosen.end())
      list.push_back(&policy);
  return list;
}

Memories make_memories(const Policy& policy, std::size_t capacity, const ConceptUses& uses) {
  core::require(capacity >= 1, "the capacity must be at least 1", capacity);
  if (policy.kind != PolicyKind::bound)
    return only(std::make_unique<LimitedSession>(policy.forgetting, capacity, uses.concepts));
  if (policy.name == "known_law") return with_foresight(capacity, uses.law);
  if (policy.name == "known_chances") return with_foresight(capacity, uses.chances);
  return only(std::make_unique<Oracle>(capacity, soonest_use(uses)));
}

}  // namespace engram::experiments::forgetting
