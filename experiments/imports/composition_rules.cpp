// SPDX-License-Identifier: MIT
#include "experiments/imports/composition_rules.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
namespace {

// Index of facts by subject and relation, and by subject and object.
class FactIndex {
 public:
  void add(std::span<const Claim> claims) {
    for (const Claim& claim : claims) {
      core::charge(100);
      if (claim.kind != ClaimKind::relation || holds(claim.subject, claim.relation, claim.object)) continue;
      objects_[key(claim.subject, claim.relation)].push_back(claim.object);
      relations_[key(claim.subject, claim.object)].push_back(claim.relation);
      neighbours_[claim.subject].push_back(claim.object);
    }
  }
  std::span<const NameId> objects(NameId subject, NameId relation) const {
    return found(objects_, key(subject, relation));
  }
  std::span<const NameId> relations(NameId subject, NameId object) const {
    return found(relations_, key(subject, object));
  }
  /// Objects of all relations.
  std::span<const NameId> neighbours(NameId subject) const { return found(neighbours_, subject); }
  bool holds(NameId subject, NameId relation, NameId object) const {
    const auto known = relations(subject, object);
    return std::ranges::find(known, relation) != known.end();
  }
  /// Names between the two that satisfy both premises.
  std::vector<NameId> between(const CompositionRule& rule, NameId subject, NameId object) const {
    std::vector<NameId> all;
    for (const NameId middle : objects(subject, rule.first))
      if (holds(middle, rule.second, object)) all.push_back(middle);
    return all;
  }

 private:
  using Lists = std::unordered_map<std::uint64_t, std::vector<NameId>>;
  static std::uint64_t key(NameId a, NameId b) { return std::uint64_t{a} << 32 | b; }
  static std::span<const NameId> found(const Lists& lists, std::uint64_t key) {
    const auto list = lists.find(key);
    return list == lists.end() ? std::span<const NameId>() : list->second;
  }

  Lists objects_, relations_, neighbours_;
};

// Distinct pairs that satisfy the premises.
std::vector<std::pair<NameId, NameId>> pairs_of(const FactIndex& facts, std::span<const Claim> of_first,
                                                NameId second) {
  std::vector<std::pair<NameId, NameId>> pairs;
  for (const Claim& claim : of_first) {
    const auto ends = facts.objects(claim.object, second);
    core::charge(100 + 20 * ends.size());
    for (const NameId end : ends)
      if (end != claim.subject) pairs.emplace_back(claim.subject, end);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

bool is_better(const CompositionRule& a, const CompositionRule& b, const Knowledge& knowledge) {
  const auto names = [&](const CompositionRule& rule) {
    const auto& all = knowledge.names();
    return std::tie(all[rule.result].source, all[rule.first].source, all[rule.second].source);
  };
  const auto left = a.support * b.pairs,
             right = b.support * a.pairs;  // products are exact
  if (left != right) return left > right;
  return a.support != b.support ? a.support > b.support : names(a) < names(b);
}

// Derivations of the fact from two claims by a rule.
std::vector<AskedFact::Proof> proofs_of(const Claim& fact, const FactIndex& facts,
                                        const std::vector<CompositionRule>& rules) {
  std::vector<AskedFact::Proof> proofs;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    core::charge(100);
    if (rules[i].result != fact.relation) continue;
    for (const NameId middle : facts.between(rules[i], fact.subject, fact.object)) {
      if (proofs.size() == most_proofs) return proofs;
      proofs.push_back({{{ClaimKind::relation, fact.subject, middle, rules[i].first, fact.place},
                         {ClaimKind::relation, middle, fact.object, rules[i].second, fact.place}},
                        i});
    }
  }
  return proofs;
}

// A false fact with the same subject and relation, about an object two claims away.
std::optional<Claim> wrong_fact(const Claim& right, const FactIndex& known,
                                const std::vector<CompositionRule>& rules, core::Rng& rng) {
  std::vector<NameId> near;
  for (const NameId neighbour : known.neighbours(right.subject))
    for (const NameId end : known.neighbours(neighbour)) near.push_back(end);
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  Claim wrong = right;
  for (const std::uint32_t place : rng.permutation(static_cast<std::uint32_t>(near.size()))) {
    wrong.object = near[place];
    if (wrong.object != wrong.subject && !known.holds(wrong.subject, wrong.relation, wrong.object) &&
        proofs_of(wrong, known, rules).empty())
      return wrong;
  }
  return {};
}

}  // namespace

std::vector<CompositionRule> composition_rules(const Knowledge& knowledge, std::size_t most,
                                               std::size_t least_support) {
  FactIndex facts;
  facts.add(knowledge.claims());
  std::vector<Claim> claims;
  std::ranges::copy_if(knowledge.claims(), std::back_inserter(claims),
                       [](const Claim& claim) { return claim.kind == ClaimKind::relation; });
  std::ranges::stable_sort(claims, {}, &Claim::relation);
  std::vector<std::span<const Claim>> by_relation;
  for (std::size_t begin = 0; begin < claims.size();) {
    std::size_t end = begin;
    while (end < claims.size() && claims[end].relation == claims[begin].relation) ++end;
    by_relation.emplace_back(claims.data() + begin, end - begin);
    begin = end;
  }
  std::vector<CompositionRule> rules;
  for (const auto of_first : by_relation)
    for (const auto of_second : by_relation) {
      const NameId first = of_first[0].relation, second = of_second[0].relation;
      const auto pairs = pairs_of(facts, of_first, second);
      std::unordered_map<NameId, std::size_t> support;
      for (const auto& [subject, object] : pairs)
        for (const NameId relation : facts.relations(subject, object)) ++support[relation];
      for (const auto& [result, count] : support)
        if (count >= std::max<std::size_t>(least_support, 1))
          rules.push_back({first, second, result, pairs.size(), count});
    }
  std::ranges::sort(
      rules, [&](const CompositionRule& a, const CompositionRule& b) { return is_better(a, b, knowledge); });
  if (rules.size() > most) rules.resize(most);
  return rules;
}

std::vector<AskedFact> provable_questions(const Knowledge& knowledge,
                                          const std::vector<CompositionRule>& rules, std::size_t most,
                                          std::uint64_t seed) {
  FactIndex claimed, known;
  claimed.add(knowledge.claims());
  known.add(knowledge.claims());
  known.add(knowledge.held_out());
  core::Rng rng(seed, "import/questions");
  const auto& held_out = knowledge.held_out();
  std::vector<AskedFact> questions;
  std::size_t asked = 0;
  for (const std::uint32_t place : rng.permutation(static_cast<std::uint32_t>(held_out.size()))) {
    if (asked == most) break;
    const Claim& fact = held_out[place];
    if (fact.kind != ClaimKind::relation || fact.subject == fact.object ||
        known.relations(fact.subject, fact.object).size() != 1 ||
        !claimed.relations(fact.subject, fact.object).empty())
      continue;
    auto proofs = proofs_of(fact, claimed, rules);
    if (proofs.empty()) continue;
    questions.push_back({fact, true, asked++ % 2 == 0, std::move(proofs)});
    if (const auto wrong = wrong_fact(fact, known, rules, rng)) questions.push_back({*wrong});
  }
  return questions;
}

}  // namespace engram::experiments
