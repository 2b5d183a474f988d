// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_memory.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

__extension__ typedef __int128 Whole;

constexpr auto polynomial = DenseSeparation::polynomial;
constexpr auto rectified = DenseSeparation::rectified;
constexpr auto exponential = DenseSeparation::exponential;

Whole whole_value(DenseSeparation separation, unsigned n, int overlap) {
  if (separation == rectified && overlap < 0) return 0;
  Whole value = 1;
  for (unsigned k = 0; k < n; ++k) value *= overlap;
  return value;
}

int overlap_of(const Matrix& x, Index k, const Vector& s) {
  int total = 0;
  for (Index i = 0; i < s.size(); ++i) total += x(k, i) == s[i] ? 1 : -1;
  return total;
}

Whole whole_energy(const Matrix& x, const Vector& s, DenseSeparation separation, unsigned n) {
  Whole energy = 0;
  for (Index k = 0; k < x.rows(); ++k) energy -= whole_value(separation, n, overlap_of(x, k, s));
  return energy;
}

// E(other) - E(s) in the range and precision of long double; overlaps that both states have are left out, so
// that what cancels leaves no rounding behind.
long double energy_difference(const Matrix& x, const Vector& s, const Vector& other,
                              const DenseOptions& options) {
  std::map<int, int> counts;
  for (Index k = 0; k < x.rows(); ++k)
    for (const bool of_other : {false, true}) {
      const int overlap = overlap_of(x, k, of_other ? other : s);
      if (options.separation == rectified && overlap < 0) continue;
      const bool mirrored = options.separation == polynomial && overlap < 0;
      counts[mirrored ? -overlap : overlap] +=
          (of_other ? -1 : 1) * (mirrored && options.n % 2 == 1 ? -1 : 1);
    }
  long double difference = 0;
  for (const auto& [overlap, count] : counts) {
    const auto value = static_cast<long double>(overlap);
    if (count != 0)
      difference +=
          count * (options.separation == exponential ? std::exp(value)
                                                     : std::pow(value, static_cast<long double>(options.n)));
  }
  return difference;
}

// The recall with each spin set to the lower of two energies; `lower(other, s)` says whether other's is.
template <class Lower>
void check_recall(const Matrix& x, const Vector& cue, const DenseOptions& options, Lower lower) {
  const HopfieldRecall recall = recall_dense(x, cue, options);
  Vector s = cue;
  std::vector<int> flips;
  do {
    flips.push_back(0);
    for (const Index i : options.order) {
      Vector other = s;
      other[i] = -other[i];
      if (!lower(other, s)) continue;
      s = other;
      ++flips.back();
    }
  } while (flips.back() != 0);
  REQUIRE(recall.state == s);
  REQUIRE(recall.flips == flips);
  REQUIRE(recall.converged);
  REQUIRE(recall.energies.size() == flips.size() + 1);
}

TEST_CASE("polynomial and rectified recall are exact, ties too", "[core][dense_memory]") {
  Rng rng(1, "dense_memory_test whole numbers");
  for (int trial = 0; trial < 2000; ++trial) {
    const Index spins = 1 + static_cast<Index>(rng.below(14));
    const Matrix x = samples::spins(rng, 1 + static_cast<Index>(rng.below(12)), spins);
    const Vector cue = samples::spins(rng, 1, spins).row(0).transpose();
    DenseOptions options{trial % 2 == 0 ? polynomial : rectified, static_cast<unsigned>(1 + rng.below(12)),
                         rng.permutation(static_cast<std::uint32_t>(spins))};
    const auto energy = [&](const Vector& s) { return whole_energy(x, s, options.separation, options.n); };
    check_recall(x, cue, options, [&](const Vector& a, const Vector& b) { return energy(a) < energy(b); });
    const HopfieldRecall recall = recall_dense(x, cue, options);
    const auto exact = static_cast<double>(energy(cue));
    REQUIRE(std::abs(recall.energies.front() - exact) <= 1e-14 * std::abs(exact));
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] <= recall.energies[t - 1] + 1e-14 * std::abs(recall.energies[t]));
  }
}

TEST_CASE("whole numbers beyond the exact range of double", "[core][dense_memory]") {
  Rng rng(2, "dense_memory_test large numbers");
  for (int trial = 0; trial < 300; ++trial) {
    const Index spins = 30 + static_cast<Index>(rng.below(40));
    const Matrix x = samples::spins(rng, 2 + static_cast<Index>(rng.below(30)), spins);
    const Vector cue = samples::spins(rng, 1, spins).row(0).transpose();
    DenseOptions options{trial % 2 == 0 ? polynomial : rectified, static_cast<unsigned>(9 + rng.below(10)),
                         rng.permutation(static_cast<std::uint32_t>(spins))};
    check_recall(x, cue, options, [&](const Vector& a, const Vector& b) {
      return whole_energy(x, a, options.separation, options.n) <
             whole_energy(x, b, options.separation, options.n);
    });
  }
}

TEST_CASE("exponential recall, and polynomials beyond the range of double", "[core][dense_memory]") {
  Rng rng(3, "dense_memory_test long double");
  for (int trial = 0; trial < 600; ++trial) {
    const Index spins = 1 + static_cast<Index>(rng.below(40));
    const Matrix x = samples::spins(rng, 1 + static_cast<Index>(rng.below(40)), spins);
    const Vector cue = samples::spins(rng, 1, spins).row(0).transpose();
    DenseOptions options{exponential, 1, rng.permutation(static_cast<std::uint32_t>(spins))};
    if (trial % 3 != 0) {
      options.separation = trial % 3 == 1 ? polynomial : rectified;
      options.n = 1100 + static_cast<unsigned>(rng.below(1000));
    }
    check_recall(x, cue, options,
                 [&](const Vector& a, const Vector& b) { return energy_difference(x, b, a, options) < 0; });
  }
}

TEST_CASE("with n = 2 it is the classical network with Hebb's rule", "[core][dense_memory]") {
  Rng rng(4, "dense_memory_test classical");
  for (int trial = 0; trial < 300; ++trial) {
    const Index spins = 1 + static_cast<Index>(rng.below(30)), count = 1 + static_cast<Index>(rng.below(12));
    const Matrix x = samples::spins(rng, count, spins), weights = hebb_weights(x);
    const Vector cue = samples::spins(rng, 1, spins).row(0).transpose();
    HopfieldOptions classical;
    classical.order = rng.permutation(static_cast<std::uint32_t>(spins));
    const HopfieldRecall a = recall_hopfield(weights, cue, classical);
    const HopfieldRecall b = recall_dense(x, cue, {polynomial, 2, classical.order});
    REQUIRE(a.state == b.state);
    REQUIRE(a.flips == b.flips);
    const auto n = static_cast<double>(spins);
    for (std::size_t t = 0; t < a.energies.size(); ++t)
      REQUIRE(std::abs(b.energies[t] - (2 * n * a.energies[t] - n * static_cast<double>(count))) < 1e-10);
  }
}

TEST_CASE("dense recalls by hand", "[core][dense_memory]") {
  Matrix one(1, 1);
  one << 1;
  const Vector minus = -Vector::Ones(1);
  CHECK(recall_dense(one, minus, {polynomial, 2}).state == minus);  // an even F cannot tell the two
  CHECK(recall_dense(one, minus, {polynomial, 3}).state == -minus);
  const HopfieldRecall e = recall_dense(one, minus, {exponential});
  CHECK(e.state == -minus);
  REQUIRE(e.energies.size() == 3);
  CHECK(std::abs(e.energies[0] + 0.36787944117144233) < 1e-15);
  CHECK(std::abs(e.energies[1] + 2.718281828459045) < 1e-15);
  Matrix two(2, 2);
  two << 1, 1, 1, -1;
  const HopfieldRecall r = recall_dense(two, samples::vector({-1, 1}), {rectified, 3});
  CHECK(r.state == Vector::Ones(2));
  CHECK(r.energies == std::vector<double>{0, -8, -8});
  CHECK(r.flips == std::vector<int>{1, 0});
  Matrix opposite(2, 3);  // their pulls cancel at every r: the cue stays
  opposite << 1, -1, 1, -1, 1, -1;
  const Vector cue = samples::vector({1, 1, -1});
  CHECK(recall_dense(opposite, cue, {polynomial, 3}).flips == std::vector<int>{0});
}

TEST_CASE("a thousand spins, where e^x is beyond the range of double", "[core][dense_memory]") {
  Rng rng(5, "dense_memory_test large");
  const Matrix x = samples::spins(rng, 60, 1000);
  for (const DenseOptions& options :
       {DenseOptions{exponential}, DenseOptions{polynomial, 501}, DenseOptions{rectified, 1000000000}}) {
    Vector cue = x.row(7).transpose();
    for (Index i = 0; i < 300; ++i) cue[3 * i] = -cue[3 * i];
    const HopfieldRecall recall = recall_dense(x, cue, options);
    CHECK(recall.state == Vector(x.row(7).transpose()));
    CHECK(recall.converged);
    CHECK_FALSE(std::isfinite(recall.energies.back()));
  }
}

TEST_CASE("sums below 1e-12 of their terms count as zero, larger ones do not", "[core][dense_memory]") {
  // c_0 e^7 + c_1 e^5 + ... + c_7 e^-7 is `relative` of the sum of its terms' magnitudes: whole relations
  // between powers of e^-2 that almost hold, found by lattice reduction in 60 digits.
  struct Nearly {
    std::array<int, 8> counts;
    double relative;
  };
  for (const auto& [counts, relative] :
       {Nearly{{1, -7, -7, 28, 18, 2, 2, 12}, 1.56e-13}, Nearly{{3, -25, 18, 19, 19, 6, -1, -43}, 9.77e-16},
        Nearly{{1, -9, 14, -13, -22, 27, -5, 9}, 1.01e-12},
        Nearly{{-1, 8, -5, 4, -3, -1, 6, -5}, -1.24e-11}}) {
    for (const int sign : {1, -1}) {
      // Of the other seven spins, all +1, a pattern agrees with as many as make its overlap 7, 5, ... -7.
      std::vector<Vector> rows;
      for (int c = 0; c < 8; ++c)
        for (int copy = 0; copy < std::abs(counts[static_cast<std::size_t>(c)]); ++copy) {
          Vector row = Vector::Ones(8);
          row[0] = sign * counts[static_cast<std::size_t>(c)] > 0 ? 1 : -1;
          row.tail(c).setConstant(-1);
          rows.push_back(row);
        }
      Matrix x(static_cast<Index>(rows.size()), 8);
      for (std::size_t k = 0; k < rows.size(); ++k) x.row(static_cast<Index>(k)) = rows[k].transpose();
      for (const double spin : {1.0, -1.0}) {
        Vector cue = Vector::Ones(8);
        cue[0] = spin;
        CAPTURE(relative, sign, spin);
        const double kept = recall_dense(x, cue, {exponential, 1, {}, 1}).state[0];
        CHECK(kept == (std::abs(relative) < 1e-12 ? spin : relative * sign > 0 ? 1.0 : -1.0));
      }
    }
  }
}

TEST_CASE("dense recall stops after max_sweeps and refuses what does not fit", "[core][dense_memory]") {
  Rng rng(6, "dense_memory_test refuse");
  const Matrix x = samples::spins(rng, 3, 20);
  const Vector pattern = x.row(0).transpose();
  Vector cue = pattern;
  cue[3] = -cue[3];
  const HopfieldRecall cut = recall_dense(x, cue, {exponential, 1, {}, 1});
  CHECK(cut.state == pattern);
  CHECK((cut.flips == std::vector<int>{1} && !cut.converged));
  CHECK_THROWS_AS(recall_dense(Matrix(0, 20), cue), std::invalid_argument);
  CHECK_THROWS_AS(recall_dense(x, Vector::Ones(19)), std::invalid_argument);
  CHECK_THROWS_AS(recall_dense(x, cue, {polynomial, 0}), std::invalid_argument);
  CHECK_THROWS_AS(recall_dense(x, cue, {polynomial, 2, {0, 1}}), std::invalid_argument);
  for (const double wrong : {0.0, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
    Vector state = cue;
    state[5] = wrong;
    CHECK_THROWS_AS(recall_dense(x, state), std::invalid_argument);
    Matrix patterns = x;
    patterns(2, 5) = wrong;
    CHECK_THROWS_AS(recall_dense(patterns, cue), std::invalid_argument);
  }
  CHECK(value_named(dense_separations, "rectified") == rectified);
  CHECK_FALSE(value_named(dense_separations, "sharp"));
}

}  // namespace
}  // namespace engram::core
