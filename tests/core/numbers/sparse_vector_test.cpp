// SPDX-License-Identifier: MIT
#include "core/numbers/sparse_vector.hpp"

#include <algorithm>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Equal numbers as a dense vector and as entries; some stored entries are 0.
struct Both {
  Vector whole;
  SparseVector sparse;
};

Both some(Rng& rng, Index size, double share) {
  Both both{Vector::Zero(size), {}};
  std::vector<SparseVector::Entry> entries;
  for (Index i = 0; i < size; ++i)
    if (rng.uniform() < share) {
      both.whole[i] = rng.below(5) == 0 ? 0 : std::round(samples::normal(rng) * 8) / 7;
      entries.emplace_back(static_cast<std::uint32_t>(i), both.whole[i]);
    }
  both.sparse = {size, std::move(entries)};
  return both;
}

}  // namespace

TEST_CASE("a sparse vector has the same bits as the dense one", "[core][numbers]") {
  Rng rng(1, "sparse vectors");
  for (int trial = 0; trial < 300; ++trial) {
    const auto size = static_cast<Index>(rng.below(70));
    const auto [whole, sparse] = some(rng, size, rng.uniform());
    const auto [other, sparse_other] = some(rng, size, rng.uniform());
    CHECK(sparse.size() == size);
    CHECK(sparse.whole() == whole);
    CHECK(sparse == whole);
    CHECK(SparseVector(whole) == sparse);
    for (Index i = 0; i < size; ++i) CHECK(sparse[i] == whole[i]);
    CHECK(sum(sparse) == sum(whole));
    CHECK(dot(sparse, sparse_other) == dot(whole, other));
    CHECK(max(sparse) == max(whole));
    CHECK(sparse.any_above_zero() == (whole.array() > 0).any());
    CHECK(sparse * 0.3 == Vector(whole * 0.3));
    CHECK(sparse / 3.0 == Vector(whole / 3.0));
    for (const std::size_t capacity : {0U, 1U, 3U, 100U})
      CHECK(rank(sparse, capacity) == rank(whole, capacity));
  }
}

TEST_CASE("rank returns the first entries of the sorted scores", "[core][numbers]") {
  Rng rng(2, "rankings");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector scores = some(rng, static_cast<Index>(rng.below(60)), 0.8).whole;
    std::vector<std::uint32_t> expected;
    for (Index i = 0; i < scores.size(); ++i)
      if (scores[i] > 0) expected.push_back(static_cast<std::uint32_t>(i));
    std::ranges::stable_sort(expected,
                             [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    const std::size_t capacity = rng.below(20);
    expected.resize(std::min(capacity, expected.size()));
    CHECK(rank(scores, capacity) == expected);
  }
}

TEST_CASE("a sparse vector rejects entries out of order or range", "[core][numbers]") {
  CHECK_THROWS_AS(SparseVector(2, {{2, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(SparseVector(3, {{1, 1.0}, {1, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(SparseVector(3, {{1, 1.0}, {0, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(dot(SparseVector::zero(2), SparseVector::zero(3)), std::invalid_argument);
}

TEST_CASE("sparse sums add in the order of the calls", "[core][numbers]") {
  Rng rng(3, "sparse sums");
  for (int trial = 0; trial < 50; ++trial) {
    Vector expected = Vector::Zero(5000);
    std::vector<bool> met(5000);
    SparseSums sums;
    for (int k = 0; k < 300; ++k) {
      const auto id = static_cast<std::uint32_t>(rng.below(trial % 2 == 0 ? 40 : 5000));
      const double x = samples::normal(rng);
      expected[id] += x;
      met[id] = true;
      sums.add(id, x);
      CHECK(sums[id] == expected[id]);
    }
    CHECK(SparseVector(5000, sums.ascending()) == expected);
    CHECK(sums.ascending().size() == static_cast<std::size_t>(std::ranges::count(met, true)));
  }
}

}  // namespace engram::core
