// SPDX-License-Identifier: MIT
#include "core/budgets/budget_update.hpp"

#include <Eigen/LU>

#include "core/budgets/budget_allocator.hpp"
#include "core/maps/simplex_map.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Vector random_shares(Rng& rng, Index n) {
  Vector q(n);
  for (double& x : q) x = std::exp(3 * normal(rng));
  return q / q.sum();
}

Vector random_unit(Rng& rng, Index n) {
  Vector v(n);
  for (double& x : v) x = rng.uniform();
  return v;
}

TEST_CASE("faded_budget matches hand-computed shares", "[budget_update]") {
  const Vector faded = faded_budget(vector({0.64, 0.16, 0.2}), vector({0.5, 0.5, 0.5}), 0);
  const double roots = 0.8 + 0.4 + std::sqrt(0.2);
  CHECK(distance(faded, vector({0.8, 0.4, std::sqrt(0.2)}) / roots) < 1e-15);
  // Of two equal shares above the mean of 1/3, the more durable one stays larger.
  const Vector two = faded_budget(vector({0.45, 0.45, 0.1}), vector({0.9, 0.1, 0.5}), 0);
  CHECK(two[0] > two[1]);
  const double a = std::pow(1.35, 0.9), b = std::pow(1.35, 0.1), c = std::pow(0.3, 0.5);
  CHECK(distance(two, vector({a, b, c}) / (a + b + c)) < 1e-15);
  // Of two equal shares below the mean of 1/3, the more durable one stays smaller.
  const Vector low = faded_budget(vector({0.1, 0.1, 0.8}), vector({0.9, 0.1, 0.5}), 0);
  CHECK(low[0] < low[1]);
  // A share of 0 stays 0, unless a fresh share (the last argument) is added.
  CHECK(faded_budget(vector({1, 0}), vector({1, 1}), 0) == vector({1, 0}));
  CHECK(distance(faded_budget(vector({1, 0}), vector({1, 1}), 0.2), vector({0.9, 0.1})) < 1e-15);
}

TEST_CASE("faded_budget interpolates between the budget and equal shares", "[budget_update]") {
  Rng rng(1, "budget_update_test faded");
  for (int trial = 0; trial < 200; ++trial) {
    const auto n = static_cast<Index>(1 + rng.below(20));
    const Vector q = random_shares(rng, n), ones = Vector::Ones(n), equal = ones / static_cast<double>(n);
    CHECK(distance(faded_budget(q, ones, 0), q) < 1e-14);
    CHECK(distance(faded_budget(q, Vector::Zero(n), 0.3), equal) < 1e-15);
    CHECK(distance(faded_budget(q, ones, 1), equal) < 1e-15);
    CHECK(distance(faded_budget(Vector::Zero(n), random_unit(rng, n), 0), equal) < 1e-15);
    CHECK(distance(faded_budget(q * 1e200, ones * 0.7, 0.1), faded_budget(q, ones * 0.7, 0.1)) < 1e-14);
    const Vector faded = faded_budget(q, random_unit(rng, n), 0.1 * rng.uniform());
    CHECK(std::abs(faded.sum() - 1) < 1e-14);
    CHECK((faded.array() > 0).all());
    // With one durability for all, the result is a power of the shares.
    const double d = rng.uniform();
    const Vector power = q.array().pow(d);
    CHECK(distance(faded_budget(q, ones * d, 0), power / power.sum()) < 1e-14);
  }
}

TEST_CASE("updated_budget is the entropic mirror-descent step", "[budget_update]") {
  Rng rng(2, "budget_update_test step");
  for (int trial = 0; trial < 100; ++trial) {
    const auto n = static_cast<Index>(2 + rng.below(10));
    const Vector q = random_shares(rng, n), s = random_unit(rng, n), d = Vector::Ones(n) * rng.uniform();
    const double t = 0.05 + rng.uniform();
    const Vector p = updated_budget(faded_budget(q, d, 0), s, {.temperature = t});
    const Vector expected = q.array().pow(d[0]) * (s.array() / t).exp();
    CHECK(distance(p, expected / expected.sum()) < 1e-13);
    // The result maximises the relevance minus the divergence from the faded budget.
    const Vector faded = faded_budget(q, d, 0);
    const auto gain = [&](const Vector& x) {
      return x.dot(s) - t * (x.array() * (x.array() / faded.array()).log()).sum();
    };
    for (int k = 0; k < 20; ++k) CHECK(gain(random_shares(rng, n)) <= gain(p) + 1e-12);
    // Without fading, two steps equal one step with half the temperature.
    const Vector once = updated_budget(q, s, {.temperature = t});
    CHECK(distance(updated_budget(once, s, {.temperature = t}),
                   updated_budget(q, s, {.temperature = t / 2})) < 1e-13);
  }
}

TEST_CASE("a constant cue converges to the balance of fading and relevance", "[budget_update]") {
  Rng rng(3, "budget_update_test balance");
  for (const double d : {0.0, 0.3, 0.8}) {
    const Vector s = random_unit(rng, 9);
    Vector p = random_shares(rng, 9);
    for (int step = 0; step < 300; ++step)
      p = updated_budget(faded_budget(p, Vector::Constant(9, d), 0), s, {.temperature = 0.5});
    const Vector limit = (s.array() / (0.5 * (1 - d))).exp();
    CHECK(distance(p, limit / limit.sum()) < 1e-12);
  }
}

TEST_CASE("every form sums to 1, and without relevance equals the faded budget", "[budget_update]") {
  Rng rng(4, "budget_update_test forms");
  bool some_got_nothing = false;
  for (int trial = 0; trial < 200; ++trial)
    for (const PriorForm form : {PriorForm::kl, PriorForm::alpha, PriorForm::euclidean}) {
      const auto n = static_cast<Index>(1 + rng.below(12));
      const Vector faded = faded_budget(random_shares(rng, n), random_unit(rng, n), 0.05);
      const BudgetUpdate update{form, 1.5, 0.125};
      const Vector p = updated_budget(faded, random_unit(rng, n), update);
      CHECK(std::abs(p.sum() - 1) < 1e-14);
      CHECK((p.array() >= 0).all());
      some_got_nothing = some_got_nothing || (form != PriorForm::kl && (p.array() == 0).any());
      CHECK(distance(updated_budget(faded, Vector::Zero(n), update), faded) < 1e-14);
    }
  CHECK(some_got_nothing);
}

TEST_CASE("faded_budget handles extreme doubles and rejects invalid input", "[budget_update]") {
  const Vector tiny = vector({1, 1e-300, 0});
  const Vector faded = faded_budget(tiny, Vector::Constant(3, 0.01), 0);
  CHECK(std::abs(faded.sum() - 1) < 1e-15);
  CHECK(std::abs(faded[1] / faded[0] - std::pow(1e-300, 0.01)) < 1e-14);
  CHECK(faded[2] == 0);
  CHECK(faded_budget(vector({7}), vector({0.5}), 0.5)[0] == 1);
  const Vector ones = Vector::Ones(2);
  CHECK_INVALID(faded_budget(Vector(), Vector(), 0));
  CHECK_INVALID(faded_budget(ones, Vector::Ones(3), 0));
  CHECK_INVALID(faded_budget(ones, ones * 1.5, 0));
  CHECK_INVALID(faded_budget(ones, ones, -0.1));
  CHECK_INVALID(faded_budget(vector({1, nan}), ones, 0));
  CHECK_INVALID(faded_budget(vector({1, -1}), ones, 0));
  CHECK_INVALID(faded_budget(vector({1e308, 1e308}), ones, 0));
  CHECK_INVALID(faded_budget(ones, vector({nan, 1}), 0));
}

TEST_CASE("cut_to_capacity keeps the right items for each selection", "[budget_update]") {
  const Vector p = vector({0.1, 0.4, 0, 0.3, 0.2});
  CHECK(cut_to_capacity(p, {.capacity = 2}) == vector({0, 0.4, 0, 0.3, 0}));
  CHECK(cut_to_capacity(p, {.capacity = 9}) == p);
  const Cut share{Selection::threshold, 9, 0.2};
  CHECK(cut_to_capacity(p, share) == vector({0, 0.4, 0, 0.3, 0.2}));
  CHECK(cut_to_capacity(p * 7, share) == vector({0, 0.4, 0, 0.3, 0.2}) * 7);
  CHECK(cut_to_capacity(p, {Selection::threshold, 2, 0.2}) == vector({0, 0.4, 0, 0.3, 0}));
  CHECK(cut_to_capacity(p, {Selection::threshold, 9, 0.5}).whole().isZero(0));
  // Relative to the best share, p is (1/4, 1, 0, 3/4, 1/2). The second item leads the third by 1/4. At temperatures up
  // to 1/4 this lead gives both places to the first two items alone.
  for (const double t : {0.01, 0.125, 0.25})
    CHECK(distance(cut_to_capacity(p, {Selection::budget, 2, 0, t}), cut_to_capacity(p, {.capacity = 2})) <
          1e-15);
  // At temperature 1 the items share the two places: p / p_best - tau with tau = 1/8, because 1/4 + 1 + 3/4 + 1/2 - 4
  // tau = 2.
  CHECK(distance(cut_to_capacity(p, {Selection::budget, 2, 0, 1.0}),
                 vector({0, 0.4 * 0.875, 0, 0.3 * 0.625, 0})) < 1e-15);
  CHECK(cut_to_capacity(Vector::Zero(3), {Selection::budget, 2}).whole().isZero(0));
  CHECK(cut_to_capacity(Vector(), {}).size() == 0);
}

TEST_CASE("a share of the largest cuts all smaller items", "[budget_update]") {
  const Vector p = vector({0.1, 0.4, 0, 0.2, 0.2, 0.4});
  CHECK(cut_to_capacity(p, {.share = 0}) == p);
  CHECK(cut_to_capacity(p, {.share = 0.5}) == vector({0, 0.4, 0, 0.2, 0.2, 0.4}));
  CHECK(cut_to_capacity(p, {.share = 0.51}) == vector({0, 0.4, 0, 0, 0, 0.4}));
  CHECK(cut_to_capacity(p, {.share = 1}) == vector({0, 0.4, 0, 0, 0, 0.4}));
  CHECK(cut_to_capacity(p, {.capacity = 3, .share = 0.5}) == vector({0, 0.4, 0, 0.2, 0, 0.4}));
  CHECK(cut_to_capacity(p, {.capacity = 1, .share = 1}) == vector({0, 0.4, 0, 0, 0, 0}));
  CHECK(cut_to_capacity(p, {.selection = Selection::threshold, .threshold = 0.15, .share = 0.9}) ==
        vector({0, 0.4, 0, 0, 0, 0.4}));
  CHECK(cut_to_capacity(Vector::Zero(3), {.share = 1}).whole().isZero(0));
  CHECK(cut_to_capacity(Vector(), {.share = 1}).size() == 0);
  CHECK(leading_count(Vector(), 0.5) == 0);
  CHECK(leading_count(vector({3}), 1) == 1);
  for (const double share : {-1e-9, 1.0 + 1e-9, std::nan("")}) {
    CHECK_INVALID(leading_count(p, share));
    CHECK_INVALID(cut_to_capacity(p, {.share = share}));
  }
}

TEST_CASE("cut_to_capacity equals a direct count", "[budget_update]") {
  Rng rng(1, "budget_update_test given");
  for (int trial = 0; trial < 200; ++trial) {
    Vector p(20);
    for (double& value : p) value = static_cast<double>(rng.below(9)) / 8;
    const double share = static_cast<double>(rng.below(9)) / 8;
    const std::size_t capacity = 1 + rng.below(20);
    const Vector kept = cut_to_capacity(p, {.capacity = capacity, .share = share});
    for (Index i = 0; i < p.size(); ++i) {
      std::size_t before = 0;
      for (Index j = 0; j < p.size(); ++j) before += p[j] > p[i] || (p[j] == p[i] && j < i);
      const bool stays = p[i] > 0 && before < capacity && p[i] >= share * p.maxCoeff();
      CHECK(kept[i] == (stays ? p[i] : 0.0));
    }
  }
}

SparseRows linked(const std::vector<std::array<double, 3>>& edges, Index n) {
  Matrix m = Matrix::Zero(n, n);
  for (const auto& [i, j, w] : edges)
    m(static_cast<Index>(i), static_cast<Index>(j)) = m(static_cast<Index>(j), static_cast<Index>(i)) = w;
  return sparse(m);
}

TEST_CASE("a conductor passes its budget on in proportion to its link weights", "[budget_update]") {
  const SparseRows links = linked({{0, 1, 3}, {1, 2, 1}, {2, 3, 5}}, 5);
  using enum Role;
  const Vector p = vector({0.1, 0.4, 0.2, 0.2, 0.1});
  TransferLog log(100);
  const Vector held = conduct_to_holders(p, {holds, conducts, holds, holds, holds}, links, &log);
  CHECK(distance(held, vector({0.4, 0, 0.3, 0.2, 0.1})) < 1e-15);
  const auto transfers = log.transfers();
  REQUIRE(transfers.size() >= 2);
  CHECK(transfers[0].from == 1u);
  CHECK(transfers[0].to == 0u);
  CHECK(std::abs(transfers[0].amount - 0.3) < 1e-15);
  CHECK(transfers[1].to == 2u);
  CHECK(std::abs(transfers[1].amount - 0.1) < 1e-15);
  for (std::size_t i = 2; i < transfers.size(); ++i) CHECK(transfers[i].amount < 1e-15);  // rounding
  // Ignored terms conduct nothing. Their budget goes to all holders in proportion to what these have, 0.1 + 0.4 and
  // 0.1, which is 5 : 1.
  const Vector without =
      // Term 1 passes all its budget to term 0.
      conduct_to_holders(p, {holds, conducts, ignored, ignored, holds}, links, nullptr);
  CHECK(distance(without, vector({0.5 / 0.6, 0, 0, 0, 0.1 / 0.6})) < 1e-15);
  CHECK(conduct_to_holders(p, std::vector<Role>(5, ignored), links, nullptr).isZero(0));
  CHECK(conduct_to_holders(p, std::vector<Role>(5, conducts), links, nullptr).isZero(0));
  CHECK(conduct_to_holders(p, std::vector<Role>(5, holds), links, nullptr) == p);
  CHECK_INVALID(conduct_to_holders(p, {holds}, links, nullptr));
}

TEST_CASE("conduct_to_holders equals the closed form of the absorbing random walk", "[budget_update]") {
  Rng rng(5, "budget_update_test absorbing");
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 8;
    Matrix w = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j)
        if (rng.below(3) > 0) w(i, j) = w(j, i) = rng.uniform();
    std::vector<Role> roles(static_cast<std::size_t>(n), Role::holds);
    roles[0] = roles[3] = roles[5] = Role::conducts;
    for (const Index i : {0, 3, 5})  // each has a link to a holder
      w(i, 7) = w(7, i) = 1;
    const Vector p = random_shares(rng, n);
    // Q has the transition probabilities between conductors, R those from conductors to holders. A budget m of the
    // conductors ends as m (I - Q)^-1 R at the holders.
    const std::vector<Index> inner{0, 3, 5};
    Matrix q(3, 3);
    Matrix r = Matrix::Zero(3, n);
    Vector m(3);
    for (Index a = 0; a < 3; ++a) {
      const Index i = inner[static_cast<std::size_t>(a)];
      const double total = w.row(i).sum();
      m[a] = p[i];
      for (Index b = 0; b < 3; ++b) q(a, b) = w(i, inner[static_cast<std::size_t>(b)]) / total;
      for (Index j = 0; j < n; ++j)
        if (roles[static_cast<std::size_t>(j)] == Role::holds) r(a, j) = w(i, j) / total;
    }
    Vector expected = (m.transpose() * (Matrix::Identity(3, 3) - q).inverse() * r).transpose();
    for (Index j = 0; j < n; ++j)
      if (roles[static_cast<std::size_t>(j)] == Role::holds) expected[j] += p[j];
    TransferLog log(1000);
    const Vector held = conduct_to_holders(p, roles, sparse(w), &log);
    CHECK(distance(held, expected) < 1e-12);  // after 100 steps, less than this is left at conductors
    CHECK(std::abs(held.sum() - 1) < 1e-14);
    Vector replayed = p;
    for (const Transfer& each : log.transfers()) {
      if (each.from) replayed[*each.from] -= each.amount;
      if (each.to) replayed[*each.to] += each.amount;
    }
    CHECK(distance(replayed, held) < 1e-13);
  }
}

TEST_CASE("TransferLog keeps the largest transfers in order, and counts all", "[budget_update]") {
  Rng rng(6, "budget_update_test log");
  TransferLog few(7), all(100000);
  std::vector<double> amounts;
  for (int i = 0; i < 5000; ++i) {
    const Transfer each{
        {}, static_cast<std::uint32_t>(i), static_cast<double>(rng.below(100)), TransferReason::similarity};
    few.add(each);
    all.add(each);
    if (each.amount > 0) amounts.push_back(each.amount);
  }
  CHECK(few.count() == amounts.size());  // transfers of 0 do not count
  CHECK(all.transfers().size() == amounts.size());
  auto expected = all.transfers();
  std::ranges::stable_sort(expected, std::greater<>(), &Transfer::amount);
  expected.resize(7);
  std::ranges::sort(expected, {}, [](const Transfer& t) { return *t.to; });
  const auto kept = few.transfers();
  REQUIRE(kept.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(kept[i].to == expected[i].to);
  CHECK(TransferLog(0).transfers().empty());
}

}  // namespace
}  // namespace engram::core
