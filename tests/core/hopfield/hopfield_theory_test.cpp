// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield_theory.hpp"

#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The overlap m at temperature 0, by iteration of the mean-field equation m = erf(m / sqrt(2 load r)), where r is the
// noise of the other patterns.
double iterated_overlap(double load) {
  double m = 1;
  double c = 0;
  for (int step = 0; step < 20000; ++step) {
    const double spread = std::sqrt(load) / (1 - c);
    c = std::sqrt(2 / 3.14159265358979323846) / spread * std::exp(-m * m / (2 * spread * spread));
    m = std::erf(m / (std::sqrt(2.0) * spread));
  }
  return m;
}

TEST_CASE("the critical load and overlap match the literature", "[hopfield_theory]") {
  const CriticalLoad critical = critical_load();
  CHECK(std::abs(critical.load - 0.137905566) < 1e-9);
  CHECK(std::abs(critical.overlap - 0.967417) < 1e-6);
  double largest = 0;  // by exhaustive search
  for (double y = 0.5; y < 3; y += 1e-5) {
    const double root = std::erf(y) / y - 2 * std::exp(-y * y) / std::sqrt(3.14159265358979323846);
    largest = std::max(largest, 0.5 * root * root);
  }
  CHECK(std::abs(critical.load - largest) < 1e-10);
}

TEST_CASE("overlaps at temperature 0 solve the mean-field equations", "[hopfield_theory]") {
  CHECK(std::abs(retrieval_overlap(0.10) - 0.9980) < 5e-5);
  CHECK(std::abs(retrieval_overlap(0.12) - 0.9932) < 5e-5);
  CHECK(std::abs(retrieval_overlap(0.13) - 0.9872) < 5e-5);
  for (const double load : {0.01, 0.05, 0.08, 0.1, 0.12, 0.13, 0.137})
    CHECK(std::abs(retrieval_overlap(load) - iterated_overlap(load)) < 1e-9);
  CHECK(retrieval_overlap(0) == 1);
  CHECK(retrieval_overlap(1e-300) == 1);
  CHECK(retrieval_overlap(0.1380) == 0);
  CHECK(retrieval_overlap(50) == 0);
  const double at_the_edge = critical_load().load;
  CHECK(std::abs(retrieval_overlap(at_the_edge) - critical_load().overlap) < 1e-3);
  for (const double load : {-0.1, std::nan("")}) CHECK_INVALID(retrieval_overlap(load));
}

TEST_CASE("overlaps at a temperature match the literature", "[hopfield_theory]") {
  const double ferromagnet[][2] = {
      {0.2, 0.99991}, {0.4, 0.98562}, {0.6, 0.90733}, {0.8, 0.71041}, {0.9, 0.52543}};
  for (const auto& [temperature, m] : ferromagnet) {
    CHECK(std::abs(retrieval_overlap(0, temperature) - m) < 6e-6);
    const double found = retrieval_overlap(0, temperature);
    CHECK(std::abs(found - std::tanh(found / temperature)) < 1e-12);
  }
  for (const double temperature : {1.0, 1.2, 50.0}) CHECK(retrieval_overlap(0, temperature) == 0);
  CHECK(std::abs(retrieval_overlap(0.05, 0.3) - 0.99116) < 6e-6);
  CHECK(std::abs(retrieval_overlap(0.02, 0.5) - 0.94500) < 6e-6);
  CHECK(std::abs(retrieval_overlap(0.1, 0.2) - 0.98909) < 6e-6);
  CHECK(std::abs(retrieval_overlap(0.1, 0.01) - retrieval_overlap(0.1)) <
        1e-4);  // temperature 0.01 is near the limit of temperature 0
  CHECK(retrieval_overlap(0.05, 1.5) == 0);
  for (const double temperature : {0.0, -1.0, std::nan("")})
    CHECK_INVALID(retrieval_overlap(0.1, temperature));
}

TEST_CASE("one-step errors match the published table and a simulation", "[hopfield_theory]") {
  const double table[][2] = {{0.105, 0.001}, {0.138, 0.0036}, {0.185, 0.01}, {0.37, 0.05}, {0.61, 0.1}};
  for (const auto& [load, error] : table)
    CHECK(std::abs(one_step_error(1e9, load * 1e9) / error - 1) < 0.03);  // the table has two digits
  CHECK(one_step_error(10, 1) == 0);
  CHECK(std::abs(normal_cdf(-2.5758293035489004) - 0.005) < 1e-15);
  CHECK(normal_cdf(0) == 0.5);
  CHECK(std::abs(stable_pattern_chance(1000, 72) - 0.916) < 1e-3);
  CHECK(std::abs(stable_pattern_chance(1000, 36) - 0.998) < 3e-1);
  Rng rng(1, "hopfield_theory_test");
  int wrong = 0;
  const Matrix x = spins(rng, 111, 300);
  const Matrix w = hebb_weights(x);
  for (Index i = 0; i < 300; ++i)  // the load is 111 / 300 = 0.37
    for (Index k = 0; k < 111; ++k) wrong += dot(row_span(w, i), row_span(x, k)) * x(k, i) < 0;
  CHECK(std::abs(wrong / (111.0 * 300) - one_step_error(300, 111)) < 0.005);
  CHECK_INVALID(one_step_error(1, 5));
  CHECK_INVALID(one_step_error(10, 0));
}

TEST_CASE("diluted networks and dense memories match the literature", "[hopfield_theory]") {
  const double diluted[][2] = {{0.1, 0.9984}, {0.2, 0.9699}, {0.3, 0.8994}, {0.4, 0.7861}};
  for (const auto& [load, m] : diluted) {
    CHECK(std::abs(diluted_overlap(load) - m) < 6e-5);
    const double found = diluted_overlap(load);
    CHECK(std::abs(found - std::erf(found / std::sqrt(2 * load))) < 1e-12);
  }
  CHECK(diluted_overlap(0) == 1);
  CHECK(diluted_overlap(0.64) == 0);
  CHECK(diluted_overlap(0.63) > 0.1);

  CHECK(std::abs(dense_capacity(1000, 0.005, 2) / (0.1507 * 1e3) - 1) < 1e-3);
  CHECK(std::abs(dense_capacity(200, 0.005, 3) / (0.0502 * 4e4) - 1) < 2e-3);
  CHECK(std::abs(dense_capacity(50, 0.005, 4) / (0.01005 * 125e3) - 1) < 1e-3);
  for (const unsigned degree : {2U, 3U, 4U, 7U}) {
    const double capacity = dense_capacity(100, 0.005, degree);
    CHECK(std::abs(dense_one_step_error(100, capacity + 1, degree) - 0.005) < 1e-12);
    CHECK(std::abs(dense_one_step_error(100, 2 * capacity + 1, degree) - 0.0343) < 1e-4);
  }
  CHECK(dense_one_step_error(100, 1, 3) == 0);
  CHECK_INVALID(dense_one_step_error(100, 5, 1));
  CHECK_INVALID(dense_capacity(100, 0.5, 2));
  CHECK_INVALID(dense_capacity(100, 0, 2));
}

}  // namespace
}  // namespace engram::core
