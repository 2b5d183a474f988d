// SPDX-License-Identifier: MIT
#include "experiments/forgetting/policies.hpp"

#include <algorithm>

#include "core/budgets/learnt_budget.hpp"
#include "core/budgets/ranked_memory.hpp"

namespace engram::experiments::forgetting {
namespace {

using core::BoundedMemory;
using Memories = std::vector<std::unique_ptr<BoundedMemory>>;

// Keeps what somebody wants most who knows more.
class Told : public core::RankedMemory {
 public:
  Told(std::size_t capacity, const Foresight& foresight) : RankedMemory(capacity), foresight_(foresight) {}
  void experience(std::span<const Id> active) override {
    const auto state = static_cast<core::Index>(foresight_.state[now_++]);
    keep(active, [&](Id id) { return foresight_.wanted(state, id); });
  }

 private:
  const Foresight& foresight_;
  std::size_t now_ = 0;
};

Memories told(std::size_t capacity, const std::vector<Foresight>& foresights) {
  Memories memories;
  for (const Foresight& foresight : foresights)
    memories.push_back(std::make_unique<Told>(capacity, foresight));
  return memories;
}

template <class Make>
Policy policy(const char* name, PolicyKind kind, Make make) {
  return {name, kind, false, [make](std::size_t capacity, const ConceptUses& uses, std::uint64_t) {
            Memories memories;
            memories.push_back(make(capacity, uses));
            return memories;
          }};
}

// Half-lives of 7 to 693 episodes; the shortest and the longest without links.
std::vector<core::BudgetRule> several_rules() { return {{0.9, 0}, {0.98, 1}, {0.995, 1}, {0.999, 0}}; }

std::vector<Policy> all_policies() {
  using Uses = ConceptUses;
  constexpr auto engram = PolicyKind::engram, other = PolicyKind::other, limit = PolicyKind::limit;
  const core::LearntBudgetRule few_ghosts{.ghosts = 1, .fewest_ghosts = 0};  // as ARC
  const core::LearntBudgetRule no_links{.discounts = {}};
  std::vector<Policy> all{
      policy("learnt_budget", engram,
             [](std::size_t n, const Uses&) { return core::keep_by_learnt_budget(n); }),
      policy("learnt_budget_few_ghosts", engram,
             [=](std::size_t n, const Uses&) { return core::keep_by_learnt_budget(n, few_ghosts); }),
      policy("learnt_budget_no_links", engram,
             [=](std::size_t n, const Uses&) { return core::keep_by_learnt_budget(n, no_links); }),
      policy("best_budget", engram,
             [](std::size_t n, const Uses&) { return core::keep_by_best_budget(n, several_rules()); }),
      policy("fading_budget", engram, [](std::size_t n, const Uses&) { return core::keep_by_budget(n); }),
      policy("least_frequently_used", other,
             [](std::size_t n, const Uses&) { return core::keep_frequent(n); }),
      policy("arc", other, [](std::size_t n, const Uses&) { return core::keep_adaptively(n); }),
      policy("ona_usefulness", other, [](std::size_t n, const Uses&) { return core::keep_useful(n); }),
      policy("opennars_bag", other, [](std::size_t n, const Uses&) { return core::keep_in_bag(n); }),
      policy("pynars_bag", other, [](std::size_t n, const Uses&) { return core::keep_in_pynars_bag(n); }),
      policy("least_recently_used", other, [](std::size_t n, const Uses&) { return core::keep_recent(n); }),
      {"random", other, true,
       [](std::size_t n, const Uses&, std::uint64_t seed) {
         Memories memories;
         memories.push_back(core::keep_at_random(n, seed));
         return memories;
       }},
      {"known_law", limit, false,
       [](std::size_t n, const Uses& uses, std::uint64_t) { return told(n, uses.law); }},
      {"known_chances", limit, false,
       [](std::size_t n, const Uses& uses, std::uint64_t) { return told(n, uses.chances); }},
      policy("belady", limit,
             [](std::size_t n, const Uses& uses) { return core::keep_needed(n, uses.episodes); }),
  };
  return all;
}

}  // namespace

const std::vector<Policy>& policies() {
  static const std::vector<Policy> all = all_policies();
  return all;
}

std::vector<const Policy*> with_bounds(const std::vector<std::string>& chosen) {
  std::vector<const Policy*> list;
  for (const Policy& policy : policies())
    if (policy.name == "least_recently_used" || policy.name == "belady" ||
        std::ranges::find(chosen, policy.name) != chosen.end())
      list.push_back(&policy);
  return list;
}

}  // namespace engram::experiments::forgetting
