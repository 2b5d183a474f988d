// SPDX-License-Identifier: MIT
#include "core/hopfield/sparse_hopfield.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Random symmetric links. The first units are hubs with links to more than half of the others.
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
double any(Rng& rng) { return normal(rng); }

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

TEST_CASE("recalls from a sparse network have the bits of the dense matrix", "[sparse_hopfield]") {
  const Index n = GENERATE(1, 2, 7, 8, 9, 33, 130, 300, 700);
  Rng rng(3, "sparse hopfield", static_cast<std::uint64_t>(n));
  for (int trial = 0; trial < 12; ++trial) {
    const Index hubs = std::min<Index>(n, below(rng, 12));
    const Matrix w = graph(rng, n, hubs, eighths, trial % 3 == 0);
    for (const Instructions instructions : available_instructions()) {
      CAPTURE(n, hubs, trial, name(instructions));
      const SparseNetwork network(sparse(w), instructions);
      CHECK(network.size() == n);
      const Vector cue = spin_state(rng, n);
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

TEST_CASE("gather instructions and single loads give the same sums", "[sparse_hopfield]") {
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
  for (const Instructions instructions : available_instructions())
    for (const bool gather : {false, true}) CHECK(sums_by(bit_kernels(instructions, gather)) == plain);
}

TEST_CASE("fields are exact sums of weights rounded once", "[sparse_hopfield]") {
  Rng rng(5, "sparse fields");
  for (const double scale : {1.0, 1e-300, 1e250, 3e-8}) {
    const Index n = 400;
    const Matrix w = scale * graph(rng, n, 3, any, true);
    const SparseNetwork network(sparse(w));
    const double largest = w.cwiseAbs().maxCoeff();
    CHECK(network.unit() <= largest * 0x1p-23);
    const Vector none;
    SparseSpins spins(network, spin_state(rng, n), none);
    for (int flip = 0; flip < 300; ++flip) spins.flip(below(rng, 400));
    const Vector state = spins.state();
    Matrix rounded = w;
    for (double& x : rounded.reshaped()) x = std::nearbyint(x / network.unit());
    SparseSpins afresh(network, state, none, 2);
    for (Index i = 0; i < n; ++i) {
      REQUIRE(spins.field(i) == rounded.row(i).dot(state) * network.unit());  // integers: exact
      REQUIRE(spins.field(i) == afresh.field(i));
    }
    CHECK(spins.energy() == -0.5 * state.dot(rounded * state) * network.unit());
    CHECK(spins.bits() == afresh.bits());
  }
}

TEST_CASE("the sum of a hub is exact", "[sparse_hopfield]") {
  const Index n = 100'001;  // the hub's field is the sum of 2^22, -2^22 and many ones
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

TEST_CASE("weights keep 22 bits for any number of links", "[sparse_hopfield]") {
  for (const Index n : {2, 127, 128, 500, 100'000}) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t j = 1; j < n; ++j) others.push_back(j);
    SparseRows star(n);
    star.push_row(others, std::vector<double>(others.size(), 3.0));
    for (Index j = 1; j < n; ++j) star.push_row(std::vector<std::uint32_t>{0}, std::vector<double>{3.0});
    CHECK(SparseNetwork(star).unit() <= 3.0 * 0x1p-22);
  }
}

TEST_CASE("sparse networks reject invalid input", "[sparse_hopfield]") {
  Rng rng(7, "sparse hopfield errors");
  Matrix w = graph(rng, 6, 2, any, false);
  w(1, 4) = w(4, 1) = 0.5;
  const SparseNetwork network(sparse(w));
  const Vector cue = spin_state(rng, 6);
  CHECK_INVALID(recall_hopfield(network, cue.head(5)));
  CHECK_INVALID(recall_hopfield(network, 3 * cue));
  CHECK_INVALID(recall_synchronous(network, cue, {.order = {}, .field = Vector::Ones(5)}));
  CHECK_INVALID(recall_hopfield(network, cue, {.order = {}, .field = Vector::Constant(6, nan)}));
  for (const double wrong : {0.25, infinity}) {
    w(1, 4) = wrong;
    CHECK_INVALID(SparseNetwork(sparse(w)));
  }
  w(1, 4) = w(4, 1) = nan;
  CHECK_INVALID(SparseNetwork(sparse(w)));
  CHECK_INVALID(SparseNetwork(SparseRows(3)));

  const SparseNetwork unlinked(sparse(Matrix::Zero(3, 3)));
  CHECK(recall_hopfield(unlinked, Vector::Ones(3)).state == Vector::Ones(3));
}

// Random symmetric links. Weights are multiples of 1/8, so that sums are exact. Some units are not linked.
Matrix eighths_of_links(Rng& rng, Index n, double density) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (rng.uniform() < density) w(i, j) = w(j, i) = static_cast<double>(1 + rng.below(16)) / 8;
  return w;
}

Vector cue_of(Rng& rng, Index n, std::uint64_t units) {
  Vector cue = Vector::Zero(n);
  for (std::uint64_t k = 0; k < units; ++k) cue[below(rng, n)] = 1;
  return cue;
}

Matrix two_by_two(double a, double b, double c, double d) {
  Matrix m(2, 2);
  m << a, b, c, d;
  return m;
}

// The field h_i / (2 D_i) of a unit with degree D_i by its definition, for a state of 0 and 1.
double excess(const Matrix& w, const Vector& state, const Vector& cue, const GraphSpinsOptions& options,
              Index i) {
  return w.row(i).dot(state) / w.row(i).sum() + options.cue_strength * cue[i] - options.threshold;
}

// The energy of the spins 2 x - 1 by its definition. Links are divided by the mean degree D.
double spin_energy(const Matrix& w, const Vector& x, const Vector& cue, const GraphSpinsOptions& options) {
  const Vector degree = w.rowwise().sum();
  const double mean = degree.sum() / std::max(1.0, static_cast<double>((degree.array() > 0).count()));
  const Vector s = 2 * x.array() - 1;
  const Vector b = degree.array() * (1 - 2 * options.threshold + 2 * options.cue_strength * cue.array());
  return mean > 0 ? (-0.5 * s.dot(w * s) - b.dot(s)) / mean : 0;
}

// The smallest set that contains the cue and that no unit outside of it joins. Tries units from the last to the first.
Vector least_fixed_point(const Matrix& w, const Vector& cue, const GraphSpinsOptions& options) {
  Vector x = (cue.array() > 0).cast<double>();
  for (bool grows = true; grows;) {
    grows = false;
    for (Index i = w.rows() - 1; i >= 0; --i)
      if (x[i] == 0 && w.row(i).sum() > 0 && excess(w, x, cue, options, i) > 1e-9) {
        x[i] = 1;
        grows = true;
      }
  }
  return x;
}

TEST_CASE("with the cue held, asynchronous and synchronous recalls end in the smallest closed set",
          "[graph_spins]") {
  Rng rng(1, "graph_spins_test held");
  int spread = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<Index>(1 + rng.below(40));
    const Matrix w = eighths_of_links(rng, n, 0.15);
    const Vector cue = cue_of(rng, n, 1 + rng.below(3));
    GraphSpinsOptions options{.threshold = 0.05 + 0.9 * rng.uniform()};
    const Vector wanted = least_fixed_point(w, cue, options);
    for (const SpinDynamics dynamics : {SpinDynamics::async, SpinDynamics::sync}) {
      options.dynamics = dynamics;
      const GraphSpinsRecall recall = recall_graph_spins(sparse(w), cue, options);
      REQUIRE(recall.active == wanted);
      REQUIRE(recall.converged);
      REQUIRE(recall.period == (dynamics == SpinDynamics::sync ? 1 : 0));
      REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.sweeps) + 1);
      for (Index i = 0; i < n; ++i) {
        const double degree = w.row(i).sum();
        REQUIRE(std::abs(recall.share[i] - (degree > 0 ? w.row(i).dot(wanted) / degree : 0)) < 1e-6);
      }
      REQUIRE(std::abs(recall.energies.front() - spin_energy(w, cue, cue, options)) < 1e-5);
      REQUIRE(std::abs(recall.energies.back() - spin_energy(w, wanted, cue, options)) < 1e-5);
    }
    if (wanted.sum() > cue.sum() && wanted.sum() < static_cast<double>(n)) ++spread;
  }
  CHECK(spread > 50);  // the test is not vacuous
}

TEST_CASE("asynchronous energies never rise, and in the result every spin agrees with its field",
          "[graph_spins]") {
  Rng rng(2, "graph_spins_test free");
  int fell = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<Index>(2 + rng.below(40));
    const Matrix w = eighths_of_links(rng, n, 0.2);
    const Vector cue = cue_of(rng, n, 1 + rng.below(20));
    const GraphSpinsOptions options{.threshold = rng.uniform(), .cue_strength = 0.4 * rng.uniform()};
    const GraphSpinsRecall recall = recall_graph_spins(sparse(w), cue, options);
    REQUIRE(recall.converged);
    REQUIRE(never_rises(recall.energies, 1e-12 * std::abs(recall.energies[0])));
    for (Index i = 0; i < n; ++i) {
      if (w.row(i).sum() == 0) {
        REQUIRE(recall.active[i] == (cue[i] > 0 ? 1 : 0));
        continue;
      }
      const double h = excess(w, recall.active, cue, options, i);
      REQUIRE((recall.active[i] > 0 ? h > -1e-6 : h < 1e-6));
      if (cue[i] > 0 && recall.active[i] == 0) ++fell;
    }
  }
  CHECK(fell > 100);
}

TEST_CASE("in synchronous dynamics two linked spins alternate if the cue is not held", "[graph_spins]") {
  Matrix w = Matrix::Zero(3, 3);
  w(0, 1) = w(1, 0) = 5;
  GraphSpinsOptions options{.dynamics = SpinDynamics::sync, .cue_strength = 0};
  const Vector cue = vector({1, 0, 1});
  const GraphSpinsRecall recall = recall_graph_spins(sparse(w), cue, options);
  CHECK(recall.period == 2);
  CHECK_FALSE(recall.converged);
  CHECK(recall.sweeps == 2);
  CHECK(recall.active == cue);  // the third unit has no links and keeps its state
  CHECK(recall.energies[0] == recall.energies[1]);
  options.dynamics = SpinDynamics::async;
  CHECK(recall_graph_spins(sparse(w), cue, options).active == vector({0, 0, 1}));
  options.max_sweeps = 1;
  CHECK_FALSE(recall_graph_spins(sparse(w), cue, options).converged);
}

TEST_CASE("a share equal to the threshold does not flip a spin", "[graph_spins]") {
  Matrix w = Matrix::Zero(3, 3);  // the middle unit has links of equal weight to both ends
  w(0, 1) = w(1, 0) = w(1, 2) = w(2, 1) = 0.1;
  GraphSpinsOptions options{.threshold = 0.5};
  const Vector cue = vector({1, 0, 0});
  CHECK(recall_graph_spins(sparse(w), cue, options).active == cue);
  options.threshold = 0.5 - 1e-6;
  CHECK(recall_graph_spins(sparse(w), cue, options).active == Vector::Ones(3));
}

TEST_CASE("results do not depend on the scale of the links", "[graph_spins]") {
  Rng rng(3, "graph_spins_test scale");
  const Matrix w = eighths_of_links(rng, 30, 0.2);
  const Vector cue = cue_of(rng, 30, 3);
  for (const auto& facts : spin_dynamics) {
    const GraphSpinsOptions options{.dynamics = facts.value};
    const GraphSpinsRecall plain = recall_graph_spins(sparse(w), cue, options);
    for (const double scale : {0x1p-900, 0x1p-3, 0x1p900}) {
      const GraphSpinsRecall scaled = recall_graph_spins(sparse(Matrix(w * scale)), cue, options);
      CHECK(scaled.active == plain.active);
      CHECK(scaled.energies == plain.energies);
    }
  }
}

TEST_CASE("at a temperature, spins follow the Boltzmann distribution", "[graph_spins]") {
  Rng rng(4, "graph_spins_test boltzmann");
  for (const double temperature : {0.3, 1.0, 3.0}) {
    Matrix w = eighths_of_links(rng, 8, 0.5);
    // A chain of links, so that no unit is without links.
    for (Index i = 0; i < 6; ++i) w(i, i + 1) = w(i + 1, i) = 0.75;
    w.row(7).setZero();
    w.col(7).setZero();
    const Vector cue = vector({1, 0, 0, 0.5, 0, 0, 0, 0});
    GraphSpinsOptions options{.dynamics = SpinDynamics::glauber,
                              .threshold = 0.4,
                              .cue_strength = 0.3,
                              .max_sweeps = 20000,
                              .temperature = temperature};
    Vector exact = Vector::Zero(8);
    double z = 0;
    const double lowest = spin_energy(w, Vector::Zero(8), cue, options);
    for (int code = 0; code < 128; ++code) {
      Vector x = Vector::Zero(8);
      for (int i = 0; i < 7; ++i) x[i] = (code >> i & 1) != 0 ? 1 : 0;
      const double p = std::exp(-(spin_energy(w, x, cue, options) - lowest) / temperature);
      exact += p * x;
      z += p;
    }
    exact /= z;
    const GraphSpinsRecall recall = recall_graph_spins(sparse(w), cue, options);
    CHECK(distance(recall.active, exact) < 0.03);  // the sampling error of 10,000 correlated sweeps
    CHECK(recall.sweeps == 20000);
    CHECK(recall.energies.size() == 20001);
    CHECK(recall.converged);
    options.seed = 2;
    CHECK(recall_graph_spins(sparse(w), cue, options).active != recall.active);
  }
}

TEST_CASE("with one sweep, the probabilities are of that sweep", "[graph_spins]") {
  const GraphSpinsOptions options{.dynamics = SpinDynamics::glauber, .max_sweeps = 1};
  const SparseRows pair = sparse(two_by_two(0, 1, 1, 0));
  // The unit that is updated second sees the first one up, so its field is 2 (1 - 0.3) = 1.4 while the cue is held.
  const Vector active = recall_graph_spins(pair, vector({1, 0}), options).active;
  CHECK(std::abs(active[1] - 1 / (1 + std::exp(-2 * 1.4 / 0.1))) < 1e-12);
  CHECK(std::abs(active[0] - 1) < 1e-5);
}

TEST_CASE("near temperature 0 the held cue spreads as in asynchronous recall", "[graph_spins]") {
  Rng rng(5, "graph_spins_test cold");
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix w = eighths_of_links(rng, 30, 0.15);
    const Vector cue = cue_of(rng, 30, 2);
    GraphSpinsOptions options;
    options.threshold = 0.2137;  // no quotient of multiples of 1/8, so no field is 0
    const Vector wanted = recall_graph_spins(sparse(w), cue, options).active;
    options.dynamics = SpinDynamics::glauber;
    options.temperature = 1e-6;
    REQUIRE(distance(recall_graph_spins(sparse(w), cue, options).active, wanted) < 1e-12);
  }
}

TEST_CASE("spins on a graph reject invalid input", "[graph_spins]") {
  const SparseRows one = sparse(two_by_two(0, 1, 1, 0));
  const Vector cue = vector({1, 0});
  const auto refused = [&](auto change) {
    GraphSpinsOptions options;
    change(options);
    CHECK_INVALID(recall_graph_spins(one, cue, options));
  };
  for (const double wrong : {-0.1, 1.1, nan}) refused([&](GraphSpinsOptions& o) { o.threshold = wrong; });
  for (const double wrong : {-0.1, infinity, nan})
    refused([&](GraphSpinsOptions& o) { o.cue_strength = wrong; });
  for (const double wrong : {0.0, -1.0, infinity, nan})
    refused([&](GraphSpinsOptions& o) { o.temperature = wrong; });
  refused([](GraphSpinsOptions& o) { o.max_sweeps = 0; });
  for (const Vector& wrong : {vector({1}), vector({1, -1}), vector({1, nan})})
    CHECK_INVALID(recall_graph_spins(one, wrong));
  for (const Matrix& wrong :
       {two_by_two(0, -1, -1, 0), two_by_two(1, 1, 1, 0), two_by_two(0, 1, 2, 0), two_by_two(0, nan, 1, 0)})
    CHECK_INVALID(recall_graph_spins(sparse(wrong), cue));
  const GraphSpinsRecall none = recall_graph_spins(SparseRows(0), Vector());
  CHECK(none.active.size() == 0);
  CHECK(none.converged);
  CHECK(value_named(spin_dynamics, "sync") == SpinDynamics::sync);
  CHECK_FALSE(value_named(spin_dynamics, "Sync"));
}

}  // namespace
}  // namespace engram::core
