// SPDX-License-Identifier: MIT
#include "experiments/imports/questions.hpp"

#include <algorithm>
#include <map>
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
  /// Objects of all facts with this subject, whatever the relation.
  std::span<const NameId> neighbours(NameId subject) const { return found(neighbours_, subject); }
  bool holds(NameId subject, NameId relation, NameId object) const {
    const auto known = relations(subject, object);
    return std::ranges::find(known, relation) != known.end();
  }
  /// Names y for which both premises of the rule hold: rule.first from subject to y, and rule.second from y to object.
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

// Distinct pairs (x, z), x != z, such that a claim of `of_first` leads from x to some y, and `second` leads from y to
// z.
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
  // Compares support / pairs by products of whole numbers, which are exact.
  const auto left = a.support * b.pairs, right = b.support * a.pairs;
  if (left != right) return left > right;
  return a.support != b.support ? a.support > b.support : names(a) < names(b);
}

// Proofs of the fact, each from two claims and a rule; at most most_proofs.
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

// Draws a false fact with the same subject and relation, whose object is two claims away from the subject. Returns
// nothing if there is none.
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

namespace {

constexpr std::size_t shortest = 2, longest = 6;

class ClassGraph {
 public:
  explicit ClassGraph(const Knowledge& knowledge)
      : claims_(knowledge.claims()), above_(knowledge.names().size()), below_(knowledge.names().size()) {
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      core::charge(50);
      const Claim& claim = claims_[i];
      if (claim.kind != ClaimKind::inheritance && claim.kind != ClaimKind::instance) continue;
      if (claim.subject == claim.object || is_known(claim)) continue;
      above_[claim.subject].push_back(i);
      below_[claim.object].push_back(i);
    }
  }

  /// Names with at least one class.
  std::vector<NameId> subjects() const {
    std::vector<NameId> all;
    for (NameId id = 0; id < above_.size(); ++id)
      if (!above_[id].empty()) all.push_back(id);
    return all;
  }

  /// Number of claims on the shortest path from a name to each name above it, or to each name below it.
  std::map<NameId, std::size_t> distances(NameId from, bool upwards) const {
    std::map<NameId, std::size_t> found{{from, 0}};
    std::vector<NameId> now{from};
    for (std::size_t distance = 1; !now.empty(); ++distance) {
      std::vector<NameId> next;
      for (const NameId id : now)
        for (const std::size_t claim : upwards ? above_[id] : below_[id]) {
          core::charge(100);
          const NameId other = upwards ? claims_[claim].object : claims_[claim].subject;
          if (found.emplace(other, distance).second) next.push_back(other);
        }
      now = std::move(next);
    }
    return found;
  }

  std::vector<AskedFact::Proof> paths(NameId from, NameId to) const {
    std::vector<AskedFact::Proof> all;
    const auto towards = distances(to, false);
    for (std::size_t length = 1; length <= longest && all.size() < most_proofs; ++length) {
      std::vector<std::size_t> path;
      extend(from, to, length, towards, path, all);
    }
    return all;
  }

 private:
  bool is_known(const Claim& claim) const {
    return std::ranges::any_of(above_[claim.subject],
                               [&](std::size_t other) { return claims_[other].object == claim.object; });
  }

  // Extends `path` from `at` to `to` by exactly `left` claims in all possible ways, and adds the complete paths to
  // `all`. Skips names that are too far away from `to`.
  void extend(NameId at, NameId to, std::size_t left, const std::map<NameId, std::size_t>& towards,
              std::vector<std::size_t>& path, std::vector<AskedFact::Proof>& all) const {
    core::charge(200);
    if (left == 0 || at == to) {
      if (left > 0 || at != to || all.size() == most_proofs) return;
      AskedFact::Proof proof;
      for (const std::size_t claim : path) proof.claims.push_back(claims_[claim]);
      all.push_back(std::move(proof));
      return;
    }
    for (const std::size_t claim : above_[at]) {
      const NameId next = claims_[claim].object;
      const auto distance = towards.find(next);
      if (distance == towards.end() || distance->second > left - 1 || all.size() == most_proofs) continue;
      if (std::ranges::any_of(path, [&](std::size_t before) { return claims_[before].subject == next; }))
        continue;
      path.push_back(claim);
      extend(next, to, left - 1, towards, path, all);
      path.pop_back();
    }
  }

  const std::vector<Claim>& claims_;
  std::vector<std::vector<std::size_t>> above_, below_;  // indices of claims by subject, and by object
};

}  // namespace

std::vector<AskedFact> inheritance_questions(const Knowledge& knowledge, std::size_t most,
                                             std::uint64_t seed) {
  const ClassGraph graph(knowledge);
  const std::vector<NameId> subjects = graph.subjects();
  core::Rng rng(seed, "import/inheritance");
  std::vector<AskedFact> questions;
  std::size_t asked = 0;
  const auto pick = [&](const std::vector<NameId>& names) { return names[rng.below(names.size())]; };
  for (const std::uint32_t place : rng.permutation(static_cast<std::uint32_t>(subjects.size()))) {
    if (asked == most) break;
    const NameId subject = subjects[place];
    const auto above = graph.distances(subject, true);
    const std::size_t wanted = shortest + asked % (longest - shortest + 1);
    std::vector<NameId> classes, others;
    for (const auto& [id, distance] : above)
      if (distance == wanted) classes.push_back(id);
    if (classes.empty()) continue;
    const NameId object = pick(classes);
    Claim fact{ClaimKind::inheritance, subject, object, 0, {}};
    questions.push_back({fact, true, false, graph.paths(subject, object)});
    ++asked;
    const auto below = graph.distances(subject, false);
    for (const auto& [id, distance] : graph.distances(object, false))
      if (!above.contains(id) && !below.contains(id)) others.push_back(id);
    if (others.empty()) continue;
    fact.object = pick(others);
    questions.push_back({fact});
  }
  return questions;
}

}  // namespace engram::experiments
