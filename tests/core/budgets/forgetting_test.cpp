// SPDX-License-Identifier: MIT
#include "core/budgets/forgetting.hpp"

#include "core/budgets/nars_budgets.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Memory some_said_often(double decay = 0) {
  Memory memory(with_decay(decay));
  Rng rng(7, "said often");
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t n = rng.below(1 + rng.below(60));
    say(memory, "<a" + std::to_string(n) + " --> b" + std::to_string(n % 7) + ">. %1;0." +
                    std::to_string(1 + rng.below(9)) + "%");
  }
  return memory;
}

double worth_of(const Memory& memory, ForgettingPolicy policy, StatementId e) {
  const Statement said = memory.statements()[e];
  const double age = static_cast<double>(memory.now() - said.updated),
               times = static_cast<double>(said.times);
  switch (policy) {
    case ForgettingPolicy::recent:
      return -age;
    case ForgettingPolicy::frequent:
      return times * 1e6 - age;
    case ForgettingPolicy::useful: {
      const double u = times / (age + 1);
      return u / (u + 1);
    }
    default:
      return said.evidence * std::pow(1 - memory.graph().decay(), age);
  }
}

TEST_CASE("the statements of the largest worth stay", "[forgetting]") {
  const Memory memory = some_said_often(0.003);
  const std::size_t all = memory.statements().size();
  for (const auto policy : {ForgettingPolicy::recent, ForgettingPolicy::frequent, ForgettingPolicy::useful,
                            ForgettingPolicy::evidence})
    for (const double share : {0.01, 0.25, 0.9, 1.0}) {
      INFO(name_of(forgetting_policies, policy) << ", " << share);
      const Forgetting forgetting({policy, share});
      const auto kept = forgetting.choose(memory, ForgettingReason::statements);
      REQUIRE(kept);
      const auto stay = static_cast<std::size_t>(std::ranges::count(kept->statements, true));
      CHECK(stay == all - static_cast<std::size_t>(std::ceil(share * static_cast<double>(all))));
      double least = 1e300, most = -1e300;
      for (StatementId e = 0; e < all; ++e) {
        const double worth = worth_of(memory, policy, e);
        if (kept->statements[e])
          least = std::min(least, worth);
        else
          most = std::max(most, worth);
      }
      CHECK(most <= least + 1e-12);
    }
}

TEST_CASE("decayed statements go first, and alone if the reason is decay", "[forgetting]") {
  Memory memory = some_said_often(0.01);
  memory.advance(3000);
  say(memory, "<new --> one>.");
  say(memory, "<new --> two>.");
  Forgetting forgetting({.policy = ForgettingPolicy::recent});
  CHECK(forgetting.is_due(memory));
  const auto decayed = forgetting.choose(memory, ForgettingReason::decayed);
  REQUIRE(decayed);
  for (StatementId e = 0; e < memory.statements().size(); ++e)
    CHECK(decayed->statements[e] == (memory.evidence(e) >= forgetting.options().least_evidence));
  CHECK(std::ranges::count(decayed->statements, true) == 2);
  // Removing the decayed statements frees enough memory, so statements with evidence stay.
  CHECK(forgetting.choose(memory, ForgettingReason::statements)->statements == decayed->statements);
  memory.keep(decayed->statements, decayed->links, ForgettingReason::decayed);
  CHECK_FALSE(forgetting.choose(memory, ForgettingReason::decayed));
  forgetting.mark_checked(memory);
  CHECK_FALSE(forgetting.is_due(memory));  // not before 1,000 cycles
  CHECK(std::ranges::count(forgetting.choose(memory, ForgettingReason::links)->statements, true) == 1);
  MemoryOptions without;
  CHECK_FALSE(forgetting.choose(Memory(without), ForgettingReason::bytes));
}

TEST_CASE("judgements about links are forgotten oldest first", "[forgetting]") {
  Memory memory;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    REQUIRE(memory.accept_link(sentence(memory, "<(*,a" + n + ",b" + n + ") --> associated>. %0.9;0.5%")));
    memory.advance(1);
  }
  const Forgetting forgetting({.policy = ForgettingPolicy::useful, .share = 0.5});
  for (std::size_t left = 4; left > 0; left /= 2) {
    const auto kept = forgetting.choose(memory, ForgettingReason::links);
    REQUIRE(kept);
    memory.keep(kept->statements, kept->links, ForgettingReason::links);
    REQUIRE(memory.graph().hebbian_links().size() == left);
    CHECK(memory.graph().find(samples::term(memory, "a7")).has_value());
    CHECK(memory.graph().find(samples::term(memory, "a" + std::to_string(8 - left))).has_value());
    CHECK_FALSE(memory.graph().find(samples::term(memory, "a" + std::to_string(7 - left))).has_value());
  }
}

TEST_CASE("LearntWorth climbs the gradient of the logistic model", "[forgetting]") {
  const LearntWorth::Features x{1, 3, -2}, y{2, 0.5, 1};
  const LearntWorth worth{.weights = {0.3, -0.2, 0.1}};
  const auto log_likelihood = [&](const LearntWorth& w) { return -std::log1p(std::exp(w.of(y) - w.of(x))); };
  LearntWorth learnt = worth;
  learnt.learn(x, y);
  CHECK(learnt.weights[0] == worth.weights[0]);
  for (std::size_t k = 1; k < LearntWorth::features; ++k) {
    LearntWorth more = worth, less = worth;
    more.weights[k] += 1e-6;
    less.weights[k] -= 1e-6;
    const double gradient = (log_likelihood(more) - log_likelihood(less)) / 2e-6;
    CHECK(std::abs(std::sqrt(learnt.squares[k]) - std::abs(gradient)) < 1e-6);
    CHECK((learnt.weights[k] > worth.weights[k]) == (gradient > 0));
  }
  CHECK(log_likelihood(learnt) > log_likelihood(worth));
}

// Repeated statements recur independently of all others, so no feature distinguishes statements with one input.
TEST_CASE("learnt budgets keep the latest of otherwise equal statements", "[forgetting]") {
  Memory memory;
  Forgetting forgetting({.policy = ForgettingPolicy::learnt, .share = 1.0 / 3});
  Rng rng(3, "old among once");
  std::size_t asked = 0, hits = 0;
  for (int i = 0; i < 30'000; ++i) {
    const bool is_old = rng.below(3) == 0;
    const auto said =
        sentence(memory, is_old ? "<old" + std::to_string(rng.below(30)) + " --> one>."
                                : "<new" + std::to_string(i) + " --> other" + std::to_string(i) + ">.");
    forgetting.learn(memory, said);
    REQUIRE(memory.accept(said));
    if (const int then = i - 100; then > 1000 && i % 7 == 0) {  // after about 70 other statements
      const auto term =
          samples::term(memory, "<new" + std::to_string(then) + " --> other" + std::to_string(then) + ">");
      if (memory.graph().find(term)) ++hits;
      ++asked;
    }
    if (memory.statements().size() < 200) continue;
    const auto kept = forgetting.choose(memory, ForgettingReason::statements);
    memory.keep(kept->statements, kept->links, ForgettingReason::statements);
  }
  // A third of the sampled numbers were used for repeated old statements, so at most two thirds can be hits.
  INFO(hits << " of " << asked);
  CHECK(static_cast<double>(hits) > 0.6 * static_cast<double>(asked));
  CHECK(forgetting.state().budgets.of_statements.weights[0] == -1);
}

// The middle names of a chain recur at once and never again. The mean over a statement's concepts therefore counts
// against the statement, and without the bound on its weight the latest chains would be forgotten first.
TEST_CASE("old concepts never make a statement worth more", "[forgetting]") {
  Memory memory;
  Forgetting forgetting({.policy = ForgettingPolicy::learnt, .share = 1.0 / 3});
  Rng rng(5, "chains");
  const auto link = [](std::uint64_t chain, std::uint64_t step) {
    const std::string name = "c" + std::to_string(chain) + "_";
    return "<" + name + std::to_string(step) + " --> " + name + std::to_string(step + 1) + ">.";
  };
  std::size_t asked = 0, whole = 0;
  const auto hear = [&](std::uint64_t chain, std::uint64_t step) {
    const auto said = sentence(memory, link(chain, step));
    forgetting.learn(memory, said);
    REQUIRE(memory.accept(said));
    CHECK(forgetting.state().budgets.of_statements.weights[StatementBudgets::mean_of_concepts] >= 0);
    if (memory.statements().size() < 1000) return;
    const auto kept = forgetting.choose(memory, ForgettingReason::statements);
    memory.keep(kept->statements, kept->links, ForgettingReason::statements);
  };
  for (std::uint64_t chain = 0; chain < 20'000; ++chain) {
    for (std::uint64_t step = 0; step < 3; ++step) hear(chain, step);
    const std::uint64_t again = rng.below(3);
    if (chain % 2 == 0) hear(rng.below(std::min<std::uint64_t>(chain + 1, 10)), again);
    if (chain < 2000 || chain % 5 != 0) continue;
    const std::uint64_t lately = chain - 1 - rng.below(100);
    bool is_whole = true;
    for (std::uint64_t step = 0; step < 3; ++step)
      is_whole = is_whole && memory.find(sentence(memory, link(lately, step)));
    ++asked;
    whole += is_whole;
  }
  CHECK(whole == asked);
}

// In this stream a few names recur and many occur once. A policy that considers only the last use forgets the
// statements about the recurring names along with the others.
TEST_CASE("learnt budgets keep more recurring statements than recency and chance", "[forgetting]") {
  const auto hits_of = [](ForgettingPolicy policy) {
    Memory memory;
    Forgetting forgetting({.policy = policy, .share = 0.1});
    Rng rng(11, "few among many");
    std::size_t hits = 0;
    for (int i = 0; i < 12'000; ++i) {
      const bool is_old = rng.below(6) == 0;
      const std::string name = is_old ? "old" + std::to_string(rng.below(60)) : "fresh" + std::to_string(i);
      const auto said = sentence(memory, "<" + name + " --> thing>.");
      if (i > 6000 && is_old) hits += memory.find(said).has_value();
      forgetting.learn(memory, said);
      REQUIRE(memory.accept(said));
      if (memory.statements().size() < 200) continue;
      const auto kept = forgetting.choose(memory, ForgettingReason::statements);
      memory.keep(kept->statements, kept->links, ForgettingReason::statements);
    }
    return hits;
  };
  const std::size_t learnt = hits_of(ForgettingPolicy::learnt), recent = hits_of(ForgettingPolicy::recent),
                    random = hits_of(ForgettingPolicy::random);
  INFO(learnt << " " << recent << " " << random);
  CHECK(static_cast<double>(learnt) > 1.3 * static_cast<double>(recent));
  CHECK(learnt > random);
}

TEST_CASE("invalid options are rejected, and the history counts all events", "[forgetting]") {
  CHECK_INVALID(Forgetting({.share = 0}));
  CHECK_INVALID(Forgetting({.share = 1.5}));
  CHECK_INVALID(Forgetting({.least_evidence = -1}));
  Forgetting forgetting({.policy = ForgettingPolicy::recent});
  for (std::size_t i = 0; i < 40; ++i) forgetting.record({i, ForgettingReason::bytes, i, 2 * i, 3, 0, {}});
  const ForgettingHistory& so_far = forgetting.state().so_far;
  CHECK(so_far.recent.size() == ForgettingHistory::most_recent);
  CHECK(so_far.recent.back().when == 39);
  CHECK(so_far.statements == 39 * 40 / 2);
  CHECK(so_far.times[static_cast<std::size_t>(ForgettingReason::bytes)] == 40);
}

}  // namespace
}  // namespace engram::core
