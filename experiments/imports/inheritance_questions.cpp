// SPDX-License-Identifier: MIT
#include "experiments/imports/inheritance_questions.hpp"

#include <algorithm>
#include <map>

#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
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
      if (claim.subject == claim.object || is_said(claim)) continue;
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

  /// Distance in claims of every name above, or below, a name.
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

  std::vector<AskedFact::Proof> ways(NameId from, NameId to) const {
    std::vector<AskedFact::Proof> all;
    const auto towards = distances(to, false);
    for (std::size_t length = 1; length <= longest && all.size() < most_proofs; ++length) {
      std::vector<std::size_t> way;
      extend(from, to, length, towards, way, all);
    }
    return all;
  }

 private:
  bool is_said(const Claim& claim) const {
    return std::ranges::any_of(above_[claim.subject],
                               [&](std::size_t other) { return claims_[other].object == claim.object; });
  }

  // Finds the paths with `left` further claims. Prunes names from which the target is too far away.
  void extend(NameId at, NameId to, std::size_t left, const std::map<NameId, std::size_t>& towards,
              std::vector<std::size_t>& way, std::vector<AskedFact::Proof>& all) const {
    core::charge(200);
    if (left == 0 || at == to) {
      if (left > 0 || at != to || all.size() == most_proofs) return;
      AskedFact::Proof proof;
      for (const std::size_t claim : way) proof.claims.push_back(claims_[claim]);
      all.push_back(std::move(proof));
      return;
    }
    for (const std::size_t claim : above_[at]) {
      const NameId next = claims_[claim].object;
      const auto distance = towards.find(next);
      if (distance == towards.end() || distance->second > left - 1 || all.size() == most_proofs) continue;
      if (std::ranges::any_of(way, [&](std::size_t before) { return claims_[before].subject == next; }))
        continue;
      way.push_back(claim);
      extend(next, to, left - 1, towards, way, all);
      way.pop_back();
    }
  }

  const std::vector<Claim>& claims_;
  std::vector<std::vector<std::size_t>> above_, below_;  // claims by their subject, and by their object
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
    questions.push_back({fact, true, false, graph.ways(subject, object)});
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
