// SPDX-License-Identifier: MIT
#include "experiments/imports/wrong_claims.hpp"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
namespace {

std::pair<ClaimKind, NameId> sort_of(const Claim& claim) {
  return {claim.kind, claim.kind == ClaimKind::relation ? claim.relation : 0};
}

std::tuple<ClaimKind, NameId, NameId, NameId> key(const Claim& claim) {
  return {claim.kind, sort_of(claim).second, claim.subject, claim.object};
}

}  // namespace

void add_wrong_claims(Knowledge& knowledge, double share, std::uint64_t seed) {
  constexpr std::size_t draws = 10;  // chosen
  const std::vector<Claim> said = knowledge.claims();
  if (share <= 0 || said.empty()) return;
  std::set<std::tuple<ClaimKind, NameId, NameId, NameId>> taken;
  std::map<std::pair<ClaimKind, NameId>, std::vector<NameId>> objects;
  core::charge(64 * said.size());
  for (const Claim& claim : said) {
    taken.insert(key(claim));
    objects[sort_of(claim)].push_back(claim.object);
  }
  for (const Claim& claim : knowledge.held_out()) taken.insert(key(claim));
  const auto wanted =
      static_cast<std::size_t>(std::llround(share / (1 - share) * static_cast<double>(said.size())));
  core::Rng rng(seed, "wrong claims");
  std::size_t added = 0;
  for (std::size_t draw = 0; added < wanted && draw < draws * wanted; ++draw) {
    core::charge(32);
    Claim wrong = said[rng.below(said.size())];
    const std::vector<NameId>& others = objects[sort_of(wrong)];
    wrong.object = others[rng.below(others.size())];
    if (wrong.object == wrong.subject || !taken.insert(key(wrong)).second) continue;
    knowledge.add(wrong);
    ++added;
  }
  knowledge.remarks.push_back("The last " + std::to_string(added) +
                              " statements that are no rules are wrong: their second name was drawn.");
}

}  // namespace engram::experiments
