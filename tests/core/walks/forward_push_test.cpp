// SPDX-License-Identifier: MIT
// Ranks that are pushed, beside the walks that look at all.
#include "core/walks/forward_push.hpp"

#include <set>
#include <stdexcept>

#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Weighted links, one in four nodes without any of its own.
SparseRows random_links(Rng& rng, Index n) {
  Matrix links = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    if (rng.below(4) == 0) continue;
    for (Index j = 0; j < n; ++j)
      if (i != j && rng.below(static_cast<std::uint64_t>(n)) < 4) links(i, j) = samples::uniform(rng, 0.1, 3);
  }
  return samples::sparse(links);
}

SparseVector some_start(Rng& rng, Index n) {
  Vector v = Vector::Zero(n);
  for (int k = 0; k < 3; ++k)
    v[static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)))] = 0.2 + rng.uniform();
  v /= v.sum();
  std::vector<SparseVector::Entry> entries;
  for (Index i = 0; i < n; ++i)
    if (v[i] > 0) entries.emplace_back(i, v[i]);
  return {n, entries};
}

LinkCounts counts_of(const SparseRows& links) {
  return [&links](Index i) { return links.columns_of(i).size(); };
}

// What is pushed lacks in sum what is said, in no place more, and nowhere has too much.
void check_lacks(const PushedRank& pushed, const Vector& whole) {
  CHECK(std::abs((whole - pushed.rank.whole()).sum() - pushed.left) < 1e-11);
  CHECK((whole - pushed.rank.whole()).minCoeff() > -1e-12);
}

TEST_CASE("a pushed rank lacks of PageRank what waits, whatever the threshold", "[core][walks]") {
  Rng rng(1, "forward_push_test");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 5 + static_cast<Index>(rng.below(60));
    const SparseRows links = random_links(rng, n);
    const SparseVector v = some_start(rng, n);
    const double damping = trial % 5 == 0 ? 0.0 : samples::uniform(rng, 0, 0.97);
    const Vector whole = personalized_page_rank(links, v, damping, 1e-15).rank;
    double before = 1;
    for (const double threshold : {1.0, 0.1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-14}) {
      const PushedRank pushed = push_rank(rows_of(links), counts_of(links), v, damping, threshold);
      check_lacks(pushed, whole);
      pushed.waits.each([&](std::uint32_t i, double x) {
        CHECK(x < threshold * static_cast<double>(std::max<std::size_t>(links.columns_of(i).size(), 1)));
      });
      CHECK(pushed.left <= before + 1e-12);
      before = pushed.left;
    }
    CHECK(before < 1e-11);  // so it is PageRank
  }
}

TEST_CASE("a pushed economy lacks of the linear one what waits or was not paid", "[core][walks]") {
  Rng rng(2, "forward_push_test");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 5 + static_cast<Index>(rng.below(40));
    const SparseRows links = random_links(rng, n);
    const SparseVector v = some_start(rng, n);
    const double rent = samples::uniform(rng, 0.05, 1), spread = trial % 6 == 0 ? 1.0 : rng.uniform();
    const Vector whole = linear_ecan(links, v, rent, spread).sti;
    for (const double threshold : {2.0, 0.1, 1e-2, 1e-4, 1e-14}) {
      const PushedEcan pushed =
          push_linear_ecan(rows_of(links), counts_of(links), v, rent, spread, threshold);
      const double unpaid = 1 - pushed.paid.sum();
      CHECK(std::abs((whole - pushed.rank.rank.whole()).sum() - pushed.rank.left) < 1e-11);
      CHECK((whole - pushed.rank.rank.whole()).minCoeff() > -1e-12);
      CHECK(std::abs(pushed.rank.left - pushed.rank.waits.sum() - unpaid) < 1e-14);
      if (threshold == 2) CHECK(pushed.rank.rank.whole().sum() == 0);
      if (threshold < 1e-10) CHECK(pushed.rank.left < 1e-11);
    }
  }
}

TEST_CASE("a push asks for a row once, for none that is not due, and for no more than its cost allows",
          "[core][walks]") {
  // A chain, each of whose nodes is joined to a hub of ten thousand others.
  constexpr Index chain = 100, hub = chain, n = chain + 1 + 10000;
  SparseRows links(n);
  for (Index i = 0; i < n; ++i) {
    std::vector<std::uint32_t> columns;
    const auto add = [&](Index j) { columns.push_back(static_cast<std::uint32_t>(j)); };
    if (i == hub) {
      for (Index j = 0; j < n; ++j)
        if (j != hub) add(j);
    } else {
      if (i > 0 && i < chain) add(i - 1);
      if (i + 1 < chain) add(i + 1);
      add(hub);
    }
    links.push_row(columns, std::vector<double>(columns.size(), 1.0));
  }
  std::set<Index> asked;
  double gone = 0;
  const LinkRows rows = [&](Index i) {
    CHECK(asked.insert(i).second);
    gone += static_cast<double>(links.columns_of(i).size());
    return rows_of(links)(i);
  };
  const SparseVector v(n, {{0, 1.0}});
  const PushedRank pushed = push_rank(rows, counts_of(links), v, 0.85, 1e-3);
  CHECK_FALSE(asked.contains(hub));
  CHECK(asked.size() < 20);
  CHECK(gone <= 1 / (1e-3 * (1 - 0.85)));
  check_lacks(pushed, personalized_page_rank(links, v, 0.85).rank);
  CHECK(push_rank(rows_of(links), counts_of(links), v, 0.85, 1e-6).rank[hub] > 0);
}

TEST_CASE("pushes of two linked nodes, by hand", "[core][walks]") {
  const SparseRows links = samples::sparse((Matrix(2, 2) << 0, 3, 3, 0).finished());
  const SparseVector v(2, {{0, 1.0}});
  const PushedRank twice = push_rank(rows_of(links), counts_of(links), v, 0.5, 0.5);
  CHECK(twice.rank.whole() ==
        samples::vector({0.5, 0.25}));  // the first gives a half, the second half of that
  CHECK(twice.waits.whole() == samples::vector({0.25, 0}));
  CHECK(twice.left == 0.25);
  CHECK(twice.waves == 2);
  const SparseRows none = samples::sparse(Matrix::Zero(2, 2));
  const PushedRank back =
      push_rank(rows_of(none), counts_of(none), v, 0.5, 0.3);  // what leads nowhere comes back
  CHECK(back.rank.whole() == samples::vector({0.75, 0}));
  CHECK(back.left == 0.25);
}

TEST_CASE("what cannot be pushed is refused", "[core][walks]") {
  const SparseRows links = samples::sparse(Matrix::Ones(2, 2));
  const SparseVector v(2, {{0, 1.0}});
  const auto refused = [&](const SparseVector& start, double damping, double threshold) {
    CHECK_THROWS_AS(push_rank(rows_of(links), counts_of(links), start, damping, threshold),
                    std::invalid_argument);
  };
  refused(SparseVector::zero(2), 0.5, 0.1);
  refused(SparseVector(2, {{0, -1.0}}), 0.5, 0.1);
  refused(v, 1, 0.1);
  refused(v, -0.1, 0.1);
  refused(v, samples::nan, 0.1);
  refused(v, 0.5, 0);
  refused(v, 0.5, samples::nan);
  CHECK_THROWS_AS(push_linear_ecan(rows_of(links), counts_of(links), v, 0, 0.5, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(push_linear_ecan(rows_of(links), counts_of(links), v, 0.5, 1.1, 0.1),
                  std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
