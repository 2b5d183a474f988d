// SPDX-License-Identifier: MIT
#include "core/hopfield/sparse_hopfield.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Symmetric, with the first units hubs: each linked to more than half of the others, the rest to few.
Matrix graph(Rng& rng, Index n, Index hubs, double (*weight)(Rng&), bool diagonal) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      if (i == j && !diagonal) continue;
      if (rng.uniform() < (j < hubs ? 0.6 : 6.0 / static_cast<double>(n))) w(i, j) = w(j, i) = weight(rng);
    }
  return w;
}

double eighths(Rng& rng) { return (static_cast<double>(rng.below(33)) - 16) / 8; }
double any(Rng& rng) { return samples::normal(rng); }

HopfieldOptions options_with_eighths(Rng& rng, Index n) {
  HopfieldOptions options;
  options.at_zero = zero_field_rules[rng.below(3)].value;
  options.max_sweeps = 15;
  options.observations_per_sweep = static_cast<int>(1 + rng.below(3));
  if (rng.below(2) == 0) options.order = rng.permutation(static_cast<std::uint32_t>(n));
  if (rng.below(2) == 0) {
    options.field.resize(n);
    for (double& b : options.field) b = eighths(rng);
  }
  return options;
}

void require_same_bits(const HopfieldRecall& found, const HopfieldRecall& wanted) {
  REQUIRE(found.state == wanted.state);
  REQUIRE(found.flips == wanted.flips);
  REQUIRE(found.energies == wanted.energies);
  REQUIRE(found.converged == wanted.converged);
  REQUIRE(found.period == wanted.period);
}

TEST_CASE("a sparse network recalls as the dense matrix does, to the last bit", "[core][sparse_hopfield]") {
  const Index n = GENERATE(1, 2, 7, 8, 9, 33, 130, 300, 700);
  Rng rng(3, "sparse hopfield", static_cast<std::uint64_t>(n));
  for (int trial = 0; trial < 12; ++trial) {
    const Index hubs = std::min<Index>(n, static_cast<Index>(rng.below(12)));
    const Matrix w = graph(rng, n, hubs, eighths, trial % 3 == 0);
    for (const Instructions instructions : samples::instruction_sets) {
      if (!available(instructions)) continue;
      CAPTURE(n, hubs, trial, name(instructions));
      const SparseNetwork network(samples::sparse(w), instructions);
      CHECK(network.size() == n);
      const Vector cue = samples::spin_state(rng, n);
      const HopfieldOptions options = options_with_eighths(rng, n);
      const auto threads = static_cast<unsigned>(1 + rng.below(3));
      std::vector<Vector> seen, wanted;
      const HopfieldRecall found = recall_hopfield(
          network, cue, options, [&](const Vector& s) { seen.push_back(s); }, threads);
      require_same_bits(found,
                        recall_hopfield(w, cue, options, [&](const Vector& s) { wanted.push_back(s); }));
      REQUIRE(seen == wanted);
      require_same_bits(recall_synchronous(network, cue, options, threads),
                        recall_synchronous(w, cue, options));
    }
  }
}

TEST_CASE("words gathered at once and one after the other give the same sums", "[core][sparse_hopfield]") {
  Rng rng(9, "gathered words");
  std::vector<std::uint32_t> bits(50);
  for (std::uint32_t& word : bits) word = static_cast<std::uint32_t>(rng.below(std::uint64_t{1} << 32));
  std::vector<LinkStep> steps(200);
  for (LinkStep& step : steps)
    for (std::size_t lane = 0; lane < LinkStep::links; ++lane) {
      step.bit[lane] = static_cast<std::uint32_t>(rng.below(32 * bits.size()));
      step.weight[lane] = static_cast<std::int32_t>(rng.below(2001)) - 1000;
    }
  std::vector<std::uint32_t> starts{0};
  while (starts.back() < steps.size())
    starts.push_back(std::min(starts.back() + static_cast<std::uint32_t>(rng.below(9)),
                              static_cast<std::uint32_t>(steps.size())));
  const std::size_t slices = starts.size() - 1;
  std::vector<std::int64_t> totals(slices * LinkStep::links);
  for (std::int64_t& total : totals) total = static_cast<std::int64_t>(rng.below(std::uint64_t{1} << 40));
  const auto sums_by = [&](const BitKernels& kernels) {
    std::vector<std::int64_t> all{kernels.sum_links(steps.data(), steps.size(), bits.data())};
    std::vector<std::int64_t> fields(slices * LinkStep::links);
    kernels.slice_fields(steps.data(), starts.data(), slices, bits.data(), totals.data(), fields.data());
    all.insert(all.end(), fields.begin(), fields.end());
    return all;
  };
  const auto plain = sums_by(bit_kernels(Instructions::portable));
  for (const Instructions instructions : samples::instruction_sets)
    for (const bool gather : {false, true})
      if (available(instructions)) CHECK(sums_by(bit_kernels(instructions, gather)) == plain);
}

TEST_CASE("fields are exact sums of weights rounded once", "[core][sparse_hopfield]") {
  Rng rng(5, "sparse fields");
  for (const double scale : {1.0, 1e-300, 1e250, 3e-8}) {
    const Index n = 400;
    const Matrix w = scale * graph(rng, n, 3, any, true);
    const SparseNetwork network(samples::sparse(w));
    const double largest = w.cwiseAbs().maxCoeff();
    CHECK(network.unit() <= largest * 0x1p-23);
    const Vector none;
    SparseSpins spins(network, samples::spin_state(rng, n), none);
    for (int flip = 0; flip < 300; ++flip) spins.flip(static_cast<Index>(rng.below(400)));
    const Vector state = spins.state();
    Matrix rounded = w;
    for (double& x : rounded.reshaped()) x = std::nearbyint(x / network.unit());
    SparseSpins afresh(network, state, none, 2);
    for (Index i = 0; i < n; ++i) {
      REQUIRE(spins.field(i) == rounded.row(i).dot(state) * network.unit());  // whole numbers: no rounding
      REQUIRE(spins.field(i) == afresh.field(i));
    }
    CHECK(spins.energy() == -0.5 * state.dot(rounded * state) * network.unit());
    CHECK(spins.bits() == afresh.bits());
  }
}

TEST_CASE("a hub's sum loses nothing to its size", "[core][sparse_hopfield]") {
  const Index n = 100'001;  // the hub's field: 2^22 - 2^22 + ones
  SparseRows w(n);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::uint32_t j = 1; j < n; ++j) {
    columns.push_back(j);
    values.push_back(j <= 2 ? 0x1p22 : 1.0);
  }
  w.push_row(columns, values);
  for (const double v : values) w.push_row(std::vector<std::uint32_t>{0}, std::vector<double>{v});
  Vector state = Vector::Ones(n);
  state[2] = -1;
  state[3] = -1;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Vector none;
    const SparseNetwork network(w);
    const SparseSpins spins(network, state, none, threads);
    CHECK(spins.field(0) == static_cast<double>(n - 3 - 2));
    CHECK(spins.field(1) == 0x1p22);
  }
}

TEST_CASE("weights keep 22 bits, however many links a unit has", "[core][sparse_hopfield]") {
  for (const Index n : {2, 127, 128, 500, 100'000}) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t j = 1; j < n; ++j) others.push_back(j);
    SparseRows star(n);
    star.push_row(others, std::vector<double>(others.size(), 3.0));
    for (Index j = 1; j < n; ++j) star.push_row(std::vector<std::uint32_t>{0}, std::vector<double>{3.0});
    CHECK(SparseNetwork(star).unit() <= 3.0 * 0x1p-22);
  }
}

TEST_CASE("sparse networks refuse what is none", "[core][sparse_hopfield]") {
  Rng rng(7, "sparse hopfield errors");
  Matrix w = graph(rng, 6, 2, any, false);
  w(1, 4) = w(4, 1) = 0.5;
  const SparseNetwork network(samples::sparse(w));
  const Vector cue = samples::spin_state(rng, 6);
  CHECK_THROWS_AS(recall_hopfield(network, cue.head(5)), std::invalid_argument);
  CHECK_THROWS_AS(recall_hopfield(network, 3 * cue), std::invalid_argument);
  HopfieldOptions options;
  options.field = Vector::Ones(5);
  CHECK_THROWS_AS(recall_synchronous(network, cue, options), std::invalid_argument);
  options.field = Vector::Constant(6, std::numeric_limits<double>::quiet_NaN());
  CHECK_THROWS_AS(recall_hopfield(network, cue, options), std::invalid_argument);
  for (const double wrong : {0.25, std::numeric_limits<double>::infinity()}) {
    w(1, 4) = wrong;
    CHECK_THROWS_AS(SparseNetwork(samples::sparse(w)), std::invalid_argument);
  }
  w(1, 4) = w(4, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(SparseNetwork(samples::sparse(w)), std::invalid_argument);
  CHECK_THROWS_AS(SparseNetwork(SparseRows(3)), std::invalid_argument);

  const SparseNetwork unlinked(samples::sparse(Matrix::Zero(3, 3)));
  CHECK(recall_hopfield(unlinked, Vector::Ones(3)).state == Vector::Ones(3));
}

}  // namespace
}  // namespace engram::core
