// SPDX-License-Identifier: MIT
// Tests of the index of nearest rows against an exact search.
#include "core/embeddings/embedding_cache.hpp"

#include "core/numbers/work_budget.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Vector lengths_of(const Matrix& rows) { return rows.rowwise().norm(); }

// Exact search for the rows with the largest cosines. Ties go to the lower row number.
std::vector<std::uint32_t> nearest_of_all(const Matrix& rows, const Vector& direction, std::size_t count) {
  std::vector<std::pair<double, std::uint32_t>> by_cosine;
  for (Index i = 0; i < rows.rows(); ++i)
    if (rows.row(i).norm() > 0)
      by_cosine.emplace_back(-rows.row(i).dot(direction) / rows.row(i).norm(), static_cast<std::uint32_t>(i));
  std::ranges::sort(by_cosine);
  std::vector<std::uint32_t> ids;
  for (std::size_t k = 0; k < std::min(count, by_cosine.size()); ++k) ids.push_back(by_cosine[k].second);
  std::ranges::sort(ids);
  return ids;
}

std::size_t shared(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both.size();
}

TEST_CASE("an index of few rows finds exactly the nearest, and is deterministic", "[embeddings]") {
  Rng rng(1, "concept_index_test");
  for (const Index d : {Index{1}, Index{3}, Index{17}, Index{64}}) {
    Matrix rows = normal_matrix(rng, 80, d);
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) *= 0.01 + 100 * rng.uniform();
    rows.row(7).setZero();  // a row of zeros has no direction
    const ConceptIndex index(rows, lengths_of(rows)), again(rows, lengths_of(rows));
    for (int query = 0; query < 20; ++query) {
      const Vector direction = normal_vector(rng, d) * 1e-3;
      const auto found = index.nearest(direction, 10, 200);
      CHECK(found.size() == 10);
      CHECK(std::ranges::is_sorted(found));
      if (d > 1) CHECK(found == nearest_of_all(rows, direction, 10));
      CHECK(found == again.nearest(direction, 10, 200));
      CHECK(index.nearest(direction, 1000, 1).size() == 79);
    }
    CHECK(index.nearest(Vector::Zero(d), 10, 10).empty());
    CHECK(index.nearest(Vector::Ones(d), 0, 10).empty());
    CHECK_INVALID(index.nearest(Vector::Ones(d + 1), 1, 1));
  }
  const Matrix none = Matrix::Zero(3, 4);
  CHECK(ConceptIndex(none, lengths_of(none)).nearest(Vector::Ones(4), 2, 2).empty());
}

// The rows form 200 clusters, like the concepts of a memory, or are uniform, which is the hardest case.
TEST_CASE("an index of many rows finds most of the nearest, and more with more looks", "[embeddings]") {
  Rng rng(2, "concept_index_test recall");
  constexpr Index n = 10000, d = 32, centres = 200;
  constexpr std::size_t count = 10, queries = 50;
  const Matrix middle = normal_matrix(rng, centres, d);
  for (const double spread : {0.5, 100.0}) {
    Matrix rows = spread * normal_matrix(rng, n, d);
    for (Index i = 0; i < n; ++i) rows.row(i) += middle.row(below(rng, centres));
    const ConceptIndex index(rows, lengths_of(rows));
    for (const auto& [looks, least] :
         {std::pair(std::size_t{10}, 0.5), {64, 0.9}, {256, 0.99}, {1024, 0.999}}) {
      Rng of_queries(3, "concept_index_test queries");
      std::size_t found = 0;
      for (std::size_t q = 0; q < queries; ++q) {
        const Vector direction = spread * normal_vector(of_queries, d) +
                                 middle.row(static_cast<Index>(of_queries.below(centres))).transpose();
        found += shared(index.nearest(direction, count, looks), nearest_of_all(rows, direction, count));
      }
      INFO("spread " << spread << ", " << looks << " looks");
      CHECK(static_cast<double>(found) / static_cast<double>(count * queries) >= least);
    }
  }
}

TEST_CASE("the bytes of an index are reserved, reported and released", "[embeddings]") {
  Rng rng(4, "concept_index_test claims");
  const Matrix rows = normal_matrix(rng, 300, 8);
  const std::size_t bytes = ConceptIndex(rows, lengths_of(rows)).bytes();
  CHECK(bytes >= 300 * 8 * sizeof(float));
  {
    const WorkBudget work({.bytes = bytes - 1});
    CHECK_THROWS_AS(ConceptIndex(rows, lengths_of(rows)), WorkStopped);
  }
  {
    const WorkBudget work({.steps = 100'000});
    CHECK_THROWS_AS(ConceptIndex(rows, lengths_of(rows)), WorkStopped);
  }
  EmbeddingCache cache;
  cache.get({.kind = EmbeddingKind::svd, .dimensions = 8, .indexed = true}, [&] { return rows; });
  CHECK(cache.bytes() == 300 * 8 * sizeof(double) + bytes);
}

}  // namespace
}  // namespace engram::core
