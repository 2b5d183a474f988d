// SPDX-License-Identifier: MIT
#include "core/hopfield/bit_hopfield.hpp"

#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// A pattern with some spins flipped.
Vector damaged(Rng& rng, const Matrix& patterns, double share) {
  Vector cue = patterns.row(below(rng, patterns.rows())).transpose();
  for (double& s : cue)
    if (rng.uniform() < share) s = -s;
  return cue;
}

void require_same_recall(const HopfieldRecall& found, const HopfieldRecall& wanted) {
  REQUIRE(found.state == wanted.state);
  REQUIRE(found.flips == wanted.flips);
  REQUIRE(found.converged == wanted.converged);
  REQUIRE(found.period == wanted.period);
  REQUIRE(found.energies.size() == wanted.energies.size());
  for (std::size_t e = 0; e < found.energies.size(); ++e)
    REQUIRE(
        found.energies[e] ==
        Approx(wanted.energies[e]).epsilon(1e-12).margin(1e-12 * static_cast<double>(found.state.size())));
}

// Random options: a rule for zero fields, an external field that makes zero fields likely, and an update order.
HopfieldOptions options_with_whole_fields(Rng& rng, Index n) {
  HopfieldOptions options;
  options.at_zero = zero_field_rules[rng.below(3)].value;
  options.max_sweeps = 12;
  options.observations_per_sweep = static_cast<int>(1 + rng.below(4));
  if (rng.below(3) == 0) options.order = rng.permutation(static_cast<std::uint32_t>(n));
  if (rng.below(2) == 0) {
    options.field.resize(n);
    for (double& b : options.field)
      b = (static_cast<double>(rng.below(17)) / 2 - 4) / static_cast<double>(n) *
          (rng.below(4) == 0 ? 50 : 1);
  }
  return options;
}

TEST_CASE("recalls from bit patterns match the weight matrix", "[bit_hopfield]") {
  struct Size {
    Index n, k;
  };
  const auto size = GENERATE(Size{1, 1}, Size{2, 2}, Size{7, 3}, Size{63, 5}, Size{64, 16}, Size{65, 17},
                             Size{255, 40}, Size{256, 64}, Size{257, 65}, Size{300, 15}, Size{520, 130},
                             Size{600, 3}, Size{700, 300}, Size{33, 12'000});
  Rng rng(3, "bit hopfield", static_cast<std::uint64_t>(size.n));
  const Matrix x = spins(rng, size.k, size.n);
  const Matrix weights = hebb_weights(x);
  std::vector<BitPatterns> memories;
  for (const Instructions instructions : available_instructions()) memories.emplace_back(x, instructions);
  for (int trial = 0; trial < (size.n > 256 ? 3 : 8); ++trial) {
    const Vector cue = damaged(rng, x, 0.1 * static_cast<double>(rng.below(6)));
    const HopfieldOptions options = options_with_whole_fields(rng, size.n);
    std::vector<Vector> wanted;
    const HopfieldRecall recall =
        recall_hopfield(weights, cue, options, [&](const Vector& s) { wanted.push_back(s); });
    const HopfieldRecall synchronous = recall_synchronous(weights, cue, options);
    for (const BitPatterns& patterns : memories) {
      CAPTURE(size.n, size.k, trial, &patterns - memories.data());
      CHECK(patterns.spins() == size.n);
      CHECK(patterns.patterns() == size.k);
      std::vector<Vector> seen;
      require_same_recall(
          recall_hopfield(patterns, cue, options, [&](const Vector& s) { seen.push_back(s); }), recall);
      REQUIRE(seen == wanted);
      require_same_recall(recall_synchronous(patterns, cue, options), synchronous);
    }
  }
}

TEST_CASE("recalls match for correlated, repeated and opposite patterns", "[bit_hopfield]") {
  Rng rng(5, "bit hopfield alike");
  for (int trial = 0; trial < 6; ++trial) {
    const Index n = 300, k = 90;
    const Matrix few = spins(rng, 4, n);
    Matrix x(k, n);  // each pattern is near one of four or its opposite, so many overlaps are large
    for (Index i = 0; i < k; ++i) {
      x.row(i) = few.row(below(rng, 4)) * (rng.below(2) == 0 ? 1.0 : -1.0);
      for (double& s : x.row(i))
        if (trial > 0 && rng.uniform() < 0.03 * trial) s = -s;
    }
    const BitPatterns patterns(x);
    const Matrix weights = hebb_weights(x);
    for (int cue = 0; cue < 4; ++cue) {
      const Vector from = damaged(rng, x, 0.3);
      const HopfieldOptions options = options_with_whole_fields(rng, n);
      require_same_recall(recall_hopfield(patterns, from, options), recall_hopfield(weights, from, options));
      require_same_recall(recall_synchronous(patterns, from, options),
                          recall_synchronous(weights, from, options));
    }
  }
}

TEST_CASE("more spins of a block flip than a byte can count", "[bit_hopfield]") {
  Rng rng(9, "bit hopfield one block");
  const Matrix x = spins(rng, 3, 600);
  Vector cue = x.row(1).transpose();
  cue.head(200) *= -1;
  const HopfieldRecall recall = recall_hopfield(BitPatterns(x), cue);
  CHECK(recall.flips.front() >= 190);
  require_same_recall(recall, recall_hopfield(hebb_weights(x), cue));
}

TEST_CASE("zero fields are exact, under each rule", "[bit_hopfield]") {
  // Four times the local fields are (2 s_2, 2 s_1, 2 s_4, 2 s_3).
  const Matrix x{{1, 1, 1, 1}, {1, 1, -1, -1}};
  const BitPatterns patterns(x);
  Vector cue(4), field(4);
  cue << 1, 1, -1, 1;
  field << 0, -0.5, 0,
      0.5;  // with s_1 = 1 and s_3 = -1, the fields of spins 2 and 4 are 0
  for (const auto& facts : zero_field_rules) {
    const HopfieldOptions options{
        .max_sweeps = 1, .order = {1, 3, 0, 2}, .field = field, .at_zero = facts.value};
    const HopfieldRecall recall = recall_hopfield(patterns, cue, options);
    CHECK(recall.state[1] == (facts.value == ZeroField::minus ? -1 : 1));
    CHECK(recall.state[3] == (facts.value == ZeroField::minus ? -1 : 1));
  }
}

TEST_CASE("Glauber dynamics on bits matches the weight matrix", "[bit_hopfield]") {
  Rng rng(7, "bit glauber");
  for (const double temperature : {1e-300, 0.3, 2.0, 1e300}) {
    const Index n = 70, steps = 400;
    const Matrix x = spins(rng, 9, n);
    GlauberDraws draws;
    draws.temperature = temperature;
    draws.uniforms.resize(steps);
    for (Index t = 0; t < steps; ++t) {
      draws.sites.push_back(static_cast<std::uint32_t>(rng.below(70)));
      draws.uniforms[t] = rng.uniform();
    }
    const Vector cue = spin_state(rng, n);
    const Vector field = rng.below(2) == 0 ? Vector() : normal_vector(rng, n);
    const GlauberRecall found = recall_glauber(BitPatterns(x), cue, draws, field);
    const GlauberRecall wanted = recall_glauber(hebb_weights(x), cue, draws, field);
    CHECK(found.state == wanted.state);
    CHECK(found.flips == wanted.flips);
    CHECK((found.p_plus - wanted.p_plus).lpNorm<Eigen::Infinity>() < 1e-13);
    REQUIRE(found.energies.size() == wanted.energies.size());
    for (std::size_t e = 0; e < found.energies.size(); ++e)
      REQUIRE(found.energies[e] == Approx(wanted.energies[e]).epsilon(1e-12).margin(1e-10));
  }
}

TEST_CASE("all instruction sets agree in a network too large for a matrix", "[bit_hopfield]") {
  Rng rng(11, "bit hopfield large");
  const Index n = 3000, k = 330;
  const Matrix x = spins(rng, k, n);
  const Vector cue = damaged(rng, x, 0.25);
  std::vector<HopfieldRecall> all;
  for (const Instructions instructions : available_instructions())
    all.push_back(recall_hopfield(BitPatterns(x, instructions), cue));
  // Reference implementation that updates one spin at a time and keeps the overlaps m up to date.
  Vector state = cue, m = x * cue;
  std::vector<int> flips;
  while (flips.empty() || flips.back() > 0) {
    flips.push_back(0);
    for (Index i = 0; i < n; ++i) {
      const double h = x.col(i).dot(m) - static_cast<double>(k) * state[i];
      if (h * state[i] >= 0) continue;
      state[i] = -state[i];
      m += 2 * state[i] * x.col(i);
      ++flips.back();
    }
  }
  for (const HopfieldRecall& recall : all) {
    CHECK(recall.state == state);
    CHECK(recall.flips == flips);
    CHECK(recall.energies == all.front().energies);
  }
}

TEST_CASE("bit patterns reject invalid input", "[bit_hopfield]") {
  Rng rng(13, "bit hopfield errors");
  const Matrix x = spins(rng, 3, 5);
  Matrix bad = x;
  bad(1, 2) = 0;
  CHECK_INVALID(BitPatterns(bad));
  bad(1, 2) = nan;
  CHECK_INVALID(BitPatterns(bad));
  CHECK_INVALID(BitPatterns(Matrix(0, 5)));
  CHECK_INVALID(BitPatterns(Matrix(5, 0)));
  CHECK_INVALID(BitPatterns(Matrix::Ones(32'768, 1)));

  const BitPatterns patterns(x);
  const Vector cue = x.row(0).transpose();
  CHECK_INVALID(recall_hopfield(patterns, cue.head(4)));
  CHECK_INVALID(recall_hopfield(patterns, 2 * cue));
  const HopfieldOptions broken{.order = {}, .field = vector({0, 0, 0, nan, 0})};
  for (const HopfieldOptions& options :
       {HopfieldOptions{.order = {0, 1, 2, 3, 3}}, HopfieldOptions{.order = {}, .observations_per_sweep = 0},
        HopfieldOptions{.order = {}, .field = Vector::Ones(4)}, broken})
    CHECK_INVALID(recall_hopfield(patterns, cue, options));
  CHECK_INVALID(recall_synchronous(patterns, cue, broken));
  CHECK_INVALID(recall_glauber(patterns, cue, {0.0, {}, {}}));
  CHECK_INVALID(recall_glauber(patterns, cue, {1.0, {5}, Vector::Zero(1)}));
  CHECK_INVALID(recall_glauber(patterns, cue, {1.0, {4}, Vector::Ones(1)}));
  CHECK_INVALID(recall_glauber(patterns, cue, {1.0, {4}, {}}));
}

}  // namespace
}  // namespace engram::core
