// SPDX-License-Identifier: MIT
#include "core/maps/power_weights.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Reference implementation of the weights in long double, which finds the threshold tau by bisection.
Vector by_halving(const PowerLaw& law, const Vector& s, double temperature, const Vector& masses) {
  const auto mass = [&](Index i) { return masses.size() > 0 ? static_cast<long double>(masses[i]) : 1.0L; };
  const auto z = [&](Index i) { return static_cast<long double>(law.slope) * s[i] / temperature; };
  const auto used = [&](long double tau) {
    long double total = 0;
    for (Index i = 0; i < s.size(); ++i)
      if (z(i) > tau) total += mass(i) * std::pow(z(i) - tau, static_cast<long double>(law.exponent));
    return total;
  };
  long double high = -std::numeric_limits<long double>::infinity();
  for (Index i = 0; i < s.size(); ++i)
    if (mass(i) > 0) high = std::max(high, z(i));
  long double low = high - 1;
  while (used(low) < 1) low = high - 2 * (high - low);
  for (int step = 0; step < 200; ++step) {
    const long double middle = low + (high - low) / 2;
    (used(middle) > 1 ? low : high) = middle;
  }
  std::vector<long double> p(static_cast<std::size_t>(s.size()));
  long double total = 0;
  for (Index i = 0; i < s.size(); ++i) {
    auto& weight = p[static_cast<std::size_t>(i)];
    weight = z(i) > low ? mass(i) * std::pow(z(i) - low, static_cast<long double>(law.power)) : 0;
    total += weight;
  }
  Vector out(s.size());
  for (Index i = 0; i < s.size(); ++i) out[i] = static_cast<double>(p[static_cast<std::size_t>(i)] / total);
  return out;
}

TEST_CASE("power weights equal their definition with tau by bisection", "[power_weights]") {
  Rng rng(1, "power_weights_test");
  for (int trial = 0; trial < 600; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 30));
    const double temperature = 0.2 + 2 * rng.uniform();
    Vector masses;
    if (rng.below(2) == 0) {
      masses.resize(s.size());
      for (double& m : masses) m = rng.below(4) == 0 ? 0.0 : -std::log(rng.uniform());
      masses[0] = 0.3;
    }
    for (const auto& [law, tolerance] : std::vector<std::pair<PowerLaw, double>>{
             {{1, 1, 1}, 1e-14},         // sparsemax
             {{0.5, 2, 2}, 1e-14},       // entmax 1.5
             {{0.01, 100, 100}, 1e-14},  // entmax 1.01
             {{1, 3, 2}, 1e-14},         // normmax 1.5
             {{2, 0.5, 0.5}, 1e-8},      // entmax 3: the reference's tau has an error of 1e-19, u its root
             {{1, 1.5, 0.5}, 1e-8},      // normmax 3
             {{1, 1, 0}, 1e-14}}) {      // normmax infinity: equal weights
      INFO(law.slope << " " << law.exponent << " " << law.power << " at " << s.transpose());
      const Vector p = power_weights(law, s, temperature, masses);
      REQUIRE(distance(p, by_halving(law, s, temperature, masses)) < tolerance);
      REQUIRE(std::abs(p.sum() - 1) < 1e-14);
    }
  }
}

TEST_CASE("large powers converge to softmax with the masses as a prior", "[power_weights]") {
  const Vector s = vector({0.3, -1, 2, 2}), masses = vector({1, 2, 0.5, 0});
  Vector expected(4);
  for (Index i = 0; i < 4; ++i) expected[i] = masses[i] * std::exp(s[i]);
  expected /= expected.sum();
  for (const double power : {1e9, 1e12, 1e15})
    CHECK(distance(power_weights({1 / power, power, power}, s, 1.0, masses), expected) < 2 / power + 1e-14);
}

TEST_CASE("a weight near 0 is as accurate as the others", "[power_weights]") {
  // The scores are d and 0, and the exponent is 1. The threshold gives u + (u + d) = 1, and the weights are the roots
  // of u and u + d.
  for (const double left : {1e-3, 1e-9, 1e-15}) {
    const double d = 1 - 2 * left, u = (1 - d) / 2;
    const Vector p = power_weights({1, 1, 0.5}, vector({d, 0}), 1.0);
    // The rounding error of u is relative to 1, as for a score. The weight is the root of u.
    CHECK(std::abs(p[1] * p[1] / (p[0] * p[0]) * (u + d) - u) < 2.5e-16);
    CHECK(p[1] > 0);
  }
  CHECK(power_weights({1, 1, 0.5}, vector({1, 0}), 1.0) == vector({1, 0}));
}

TEST_CASE("power weights are right for huge and tiny numbers", "[power_weights]") {
  for (const PowerLaw& law :
       {PowerLaw{1, 1, 1}, PowerLaw{0.1, 10, 10}, PowerLaw{2, 0.5, 0.5}, PowerLaw{1, 1.5, 0.5}}) {
    CHECK(power_weights(law, vector({1e308, -1e308}), 1.0) == vector({1, 0}));
    CHECK(power_weights(law, vector({3}), 1e-300) == vector({1}));
    CHECK(distance(power_weights(law, vector({1e308, 1e308}), 1e-10), vector({0.5, 0.5})) < 1e-15);
    CHECK(distance(power_weights(law, vector({1e-300, -1e-300}), 1.0), vector({0.5, 0.5})) < 1e-15);
    // The logarithm of the masses is about 690, which sets the scale of the rounding error.
    CHECK(distance(power_weights(law, Vector::Zero(2), 1.0, vector({1e-300, 3e-300})), vector({0.25, 0.75})) <
          2e-13);
    CHECK(distance(power_weights(law, Vector::Zero(2), 1.0, vector({1e300, 3e300})), vector({0.25, 0.75})) <
          2e-13);
    // A higher score with mass 0 changes nothing.
    CHECK(power_weights(law, vector({9e9, 1}), 1.0, vector({0, 2})) == vector({0, 1}));
  }
}

}  // namespace
}  // namespace engram::core
