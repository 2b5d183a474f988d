// SPDX-License-Identifier: MIT
#include "core/hopfield/modern_hopfield.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<Regulariser> maps{SimplexMap::softmax,        SimplexMap::sparsemax,
                                    SimplexMap::entmax,         {SimplexMap::entmax, 1.2},
                                    {SimplexMap::entmax, 4.0},  {SimplexMap::normmax, 2.0},
                                    {SimplexMap::normmax, 5.0}, SimplexMap::argmax};

ModernHopfieldOptions steps(double beta, const Regulariser& map, int count) {
  return {beta, map, count, 0.0};
}

double energy_of(const Matrix& x, const Vector& state, double beta, const Regulariser& map,
                 const Vector& field = {}) {
  return recall_modern(x, state, steps(beta, map, 1), field).energies.front();
}

// The energy of Ramsauer et al. 2021, equation 2, minus the term of the external field.
double softmax_energy(const Matrix& x, const Vector& state, double beta, const Vector& field) {
  const Vector scores = beta * (x * state);
  const double top = scores.maxCoeff();
  const double lse = (top + std::log((scores.array() - top).exp().sum())) / beta;
  const double largest = x.rowwise().squaredNorm().maxCoeff();
  return -lse + std::log(static_cast<double>(x.rows())) / beta + 0.5 * state.squaredNorm() + 0.5 * largest -
         field.dot(state);
}

Matrix rows_of(std::initializer_list<Vector> rows) {
  Matrix m(static_cast<Index>(rows.size()), rows.begin()->size());
  Index i = 0;
  for (const Vector& row : rows) m.row(i++) = row.transpose();
  return m;
}

TEST_CASE("the energy never rises, with or without a field", "[modern_hopfield]") {
  Rng rng(1, "modern_hopfield_test energy");
  for (int trial = 0; trial < 500; ++trial) {
    const Matrix x = normal_matrix(rng, 1 + below(rng, 12), 1 + below(rng, 8));
    const Vector cue = normal_vector(rng, x.cols()) * uniform(rng, 0.1, 3);
    const double beta = std::ldexp(0.5 + rng.uniform(), static_cast<int>(rng.below(8)) - 3);
    const Vector field = trial % 2 == 0 ? Vector() : normal_vector(rng, x.cols());
    for (const Regulariser& map : maps) {
      const ModernRecall recall = recall_modern(x, cue, {beta, map, 50, 1e-12}, field);
      REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.iterations) + 1);
      double rise = -1e9, size = 1;
      for (std::size_t t = 1; t < recall.energies.size(); ++t) {
        rise = std::max(rise, recall.energies[t] - recall.energies[t - 1]);
        size = std::max(size, std::abs(recall.energies[t - 1]));
      }
      REQUIRE(rise <= 1e-13 * size);  // rounding of the energy's terms at the fixed point
    }
  }
}

TEST_CASE("the softmax energy is Ramsauer's and lies between 0 and 2 M^2 over the patterns' hull",
          "[modern_hopfield]") {
  Rng rng(2, "modern_hopfield_test bounds");
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix x = normal_matrix(rng, 1 + below(rng, 10), 5);
    const Vector cue = normal_vector(rng, 5);
    const double beta = uniform(rng, 0.2, 5);
    const Vector field = normal_vector(rng, 5);
    CHECK(std::abs(energy_of(x, cue, beta, SimplexMap::softmax, field) -
                   softmax_energy(x, cue, beta, field)) < 1e-12);  // rounding of terms up to about 100
    const auto energies = recall_modern(x, cue, steps(beta, SimplexMap::softmax, 5)).energies;
    const double largest = x.rowwise().squaredNorm().maxCoeff();
    // After the first step the state is in the convex hull of the patterns.
    for (std::size_t t = 1; t < energies.size(); ++t) {
      CHECK(energies[t] >= -1e-12);
      CHECK(energies[t] <= 2 * largest + 1e-12);
    }
  }
}

TEST_CASE("a recall computed with forty digits", "[modern_hopfield]") {
  const Matrix x = rows_of(
      {vector({0.08249430428370294, -0.46441841495421887, 0.05051506297463688, 0.6862308196812632}),
       vector({-1.7567905055789348, 1.6844316011395088, -0.4578428392637714, -0.5964200946055478}),
       vector({-1.046967562282426, 0.9317920227947954, 0.6749804835796053, 1.2444412018021018}),
       vector({0.893087422223549, 0.26300494250388173, 0.3285178485491658, 0.9352436940748697}),
       vector({-0.8776129932016701, -0.045896088384906907, 0.38187174018524606, -0.4525389743558061})});
  const Vector cue =
      vector({0.7216648816031227, -0.352163407261974, 0.6727970245601584, 0.14062329423111608});
  std::vector<Vector> states, weights;
  const ModernRecall recall = recall_modern(x, cue, {1.0, SimplexMap::softmax, 200, 1e-15}, {},
                                            [&](const Vector& state, const Vector& p) {
                                              states.push_back(state);
                                              weights.push_back(p);
                                            });
  REQUIRE(states.size() > 3);
  // Differences are rounding errors of a few steps, about 1e-14.
  CHECK(distance(weights[0], vector({0.2692666989683409, 0.019870107278408784, 0.12000711166863579,
                                     0.4671093995356947, 0.12374668254891984})) < 1e-13);
  CHECK(distance(states[0], vector({0.17022963308354164, 0.13741168450273514, 0.28621623216928976,
                                    0.7031308941110533})) < 1e-13);
  CHECK(distance(states[2], vector({-0.6836742571008455, 0.6905272500474767, 0.37099581342864396,
                                    0.7471176527523544})) < 1e-13);
  CHECK(distance(recall.state, vector({-1.7357648280920133, 1.6562590700679813, -0.4306950525578933,
                                       -0.5614812302564969})) < 1e-12);
  const std::array<double, 4> energies{3.746918985611758, 3.0711133068582748, 2.8074572119227477,
                                       2.5597234395733612};
  for (std::size_t t = 0; t < energies.size(); ++t) CHECK(std::abs(recall.energies[t] - energies[t]) < 1e-13);
  CHECK(std::abs(recall.energies.back() - 1.5843835162517277) < 1e-12);
  CHECK(recall.converged);
  CHECK(recall.iterations == static_cast<int>(states.size()));
  CHECK(states.back() == recall.state);
  CHECK(weights.back() == recall.weights);
}

TEST_CASE("patterns of zeros pull every cue to zero", "[modern_hopfield]") {
  const ModernRecall recall = recall_modern(
      Matrix::Zero(3, 3), vector({0.011252212431259331, -0.41460281169501345, 0.4782432854350103}),
      {1.0, SimplexMap::softmax, 100, 1e-12});
  CHECK(recall.state == Vector::Zero(3));
  CHECK(recall.converged);
  CHECK(recall.iterations == 2);
  CHECK(std::abs(recall.energies[0] - 0.20036937190684087) < 1e-15);
  CHECK(std::abs(recall.energies[1]) < 1e-15);
}

TEST_CASE("dense and sparse patterns give the same recall", "[modern_hopfield]") {
  Rng rng(3, "modern_hopfield_test sparse");
  for (int trial = 0; trial < 100; ++trial) {
    Matrix x = normal_matrix(rng, 1 + below(rng, 15), 12);
    for (double& entry : x.reshaped())
      if (rng.below(3) > 0) entry = 0;
    const Vector cue = normal_vector(rng, 12);
    const Vector field = trial % 2 == 0 ? Vector() : normal_vector(rng, 12);
    for (const Regulariser& map : maps) {
      // Only a few steps, because rounding can change the path at a tie of argmax or at a saddle.
      const ModernRecall a = recall_modern(x, cue, steps(1.5, map, 4), field);
      const ModernRecall b = recall_modern(sparse(x), cue, steps(1.5, map, 4), field);
      REQUIRE(distance(a.state, b.state) < 1e-12);
      REQUIRE(distance(a.weights, b.weights) < 1e-12);
      REQUIRE(a.energies.size() == b.energies.size());
      for (std::size_t t = 0; t < a.energies.size(); ++t)
        REQUIRE(std::abs(a.energies[t] - b.energies[t]) < 1e-12);
    }
  }
}

TEST_CASE("recall returns the nearest pattern as beta grows", "[modern_hopfield]") {
  Rng rng(4, "modern_hopfield_test nearest");
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix x = unit_rows(rng, 10, 16);
    const auto meant = below(rng, 10);
    const Vector cue = x.row(meant).transpose() + 0.1 * normal_vector(rng, 16);
    Index nearest = 0;
    (x.rowwise() - cue.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
    Vector last = Vector::Constant(16, 1e9);
    for (const double beta : {10.0, 50.0, 1000.0}) {
      const ModernRecall recall = recall_modern(x, cue, {beta});
      Index largest = 0;
      recall.weights.maxCoeff(&largest);
      CHECK(largest == nearest);
      last = recall.state;
    }
    // In these draws all other patterns are less similar by at least 0.02, so at beta 1000 their weight is at most
    // e^-20.
    CHECK(distance(last, Vector(x.row(nearest).transpose())) < 1e-8);
  }
}

TEST_CASE("a pattern and its opposite give the Curie-Weiss equation", "[modern_hopfield]") {
  Rng rng(5, "modern_hopfield_test antipodal");
  const Vector x = unit_rows(rng, 1, 7).row(0).transpose();
  const Matrix pair = rows_of({x, -x});
  for (const double beta : {0.5, 1.0, 2.0, 5.0})
    for (const double m : {-0.9, -0.3, 0.0, 0.1, 0.5, 1.0}) {
      const ModernRecall step = recall_modern(pair, m * x, steps(beta, SimplexMap::softmax, 1));
      CHECK(distance(step.state, Vector(std::tanh(beta * m) * x)) < 1e-15 * 4);
    }
  const std::array<std::array<double, 2>, 3> fixed{
      {{1.25, 0.710411783488}, {2.0, 0.957504024077}, {5.0, 0.999909121715}}};
  for (const auto& [beta, m] : fixed) {
    const ModernRecall recall = recall_modern(pair, 0.3 * x, {beta, SimplexMap::softmax, 10000, 1e-15});
    CHECK(recall.converged);
    CHECK(std::abs(recall.state.dot(x) - m) < 1e-11);  // the reference has twelve digits
    CHECK(std::abs(recall_modern(pair, -0.3 * x, {beta, SimplexMap::softmax, 10000, 1e-15}).state.dot(x) +
                   m) < 1e-11);
  }
  // Above the critical temperature there is no memory.
  CHECK(recall_modern(pair, x, {0.5, SimplexMap::softmax, 1000, 1e-15}).state.norm() < 1e-12);
}

TEST_CASE("sparsemax retrieves exactly in one step iff beta times the gap reaches 1", "[modern_hopfield]") {
  Rng rng(6, "modern_hopfield_test gap");
  int exact = 0, mixed = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Matrix x = normal_matrix(rng, 2 + below(rng, 8), 6);
    const Vector cue = normal_vector(rng, 6);
    Vector scores = x * cue;
    Index best = 0;
    const double top = scores.maxCoeff(&best);
    scores[best] = -1e9;
    const double reach = 2 * rng.uniform();  // beta times the gap; sparsemax has the margin 1
    if (std::abs(reach - 1) < 1e-6) continue;
    const double beta = reach / (top - scores.maxCoeff());
    const ModernRecall recall = recall_modern(x, cue, steps(beta, SimplexMap::sparsemax, 1));
    const bool alone = (recall.weights.array() != 0).count() == 1;  // all other weights are exactly 0
    REQUIRE(alone == (reach > 1));
    if (alone) {
      REQUIRE(recall.weights[best] == 1);
      REQUIRE(recall.state == Vector(x.row(best).transpose()));
    }
    ++(alone ? exact : mixed);
  }
  CHECK(exact > 600);
  CHECK(mixed > 600);
}

TEST_CASE("under sparsemax a pattern is a fixed point iff its separation is at least 1/beta",
          "[modern_hopfield]") {
  Rng rng(7, "modern_hopfield_test separation");
  int fixed_points = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Matrix x = unit_rows(rng, 5, 4);
    const Vector pattern = x.row(0).transpose();
    const double separation = 1 - (x.bottomRows(4) * pattern).maxCoeff();
    const double beta = 2 * rng.uniform() / separation;
    if (std::abs(beta * separation - 1) < 1e-6) continue;
    const ModernRecall recall = recall_modern(x, pattern, {beta, SimplexMap::sparsemax, 1, 0.0});
    REQUIRE((recall.state == pattern) == (beta * separation > 1));
    fixed_points += recall.converged ? 1 : 0;
  }
  CHECK(fixed_points > 150);
}

TEST_CASE("the error of one step is at most 2 M (1 - p)", "[modern_hopfield]") {
  Rng rng(8, "modern_hopfield_test Ramsauer");
  int informative = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix x = normal_matrix(rng, 2 + below(rng, 10), 8);
    const auto i = below(rng, x.rows());
    const Vector cue = x.row(i).transpose() + 0.3 * normal_vector(rng, 8);
    const double beta = uniform(rng, 0.05, 3);
    const Vector state = recall_modern(x, cue, steps(beta, SimplexMap::softmax, 1)).state;
    const Vector scores = beta * (x * cue);
    const Vector p = (scores.array() - scores.maxCoeff()).exp();
    const double others = (p.sum() - p[i]) / p.sum();
    const double largest = x.rowwise().norm().maxCoeff();
    REQUIRE((state - x.row(i).transpose()).norm() <= 2 * largest * others + 1e-12);
    // As in theorem 5, the other patterns have a weight of at most (k - 1) e^(-beta gap).
    double gap = 1e9;
    for (Index j = 0; j < x.rows(); ++j)
      if (j != i) gap = std::min(gap, (x.row(i) - x.row(j)).dot(cue));
    const double bound = 2 * largest * static_cast<double>(x.rows() - 1) * std::exp(-beta * gap);
    REQUIRE((state - x.row(i).transpose()).norm() <= bound + 1e-12);
    informative += bound < 1 ? 1 : 0;
  }
  CHECK(informative > 200);
}

TEST_CASE("a step is a step of gradient descent, by finite differences", "[modern_hopfield]") {
  Rng rng(9, "modern_hopfield_test gradient");
  constexpr double h = 1e-5;
  for (int trial = 0; trial < 60; ++trial) {
    const Matrix x = unit_rows(rng, 6, 5);
    const Vector field = trial % 2 == 0 ? Vector() : Vector(0.3 * normal_vector(rng, 5));
    for (const SimplexMap map : {SimplexMap::softmax, SimplexMap::sparsemax}) {
      const auto gradient = [&](const Vector& at) {
        Vector slope(5);
        for (Index i = 0; i < 5; ++i) {
          const Vector e = Vector::Unit(5, i) * h;
          slope[i] =
              (energy_of(x, at + e, 4.0, map, field) - energy_of(x, at - e, 4.0, map, field)) / (2 * h);
        }
        return slope;
      };
      // For the state xi, the field b and the weights p, the gradient of E is xi - b - X' p, so the next state is xi -
      // grad E. Central differences have errors of beta^2 h^2, or beta h / 4 if sparsemax's support changes.
      const Vector somewhere = normal_vector(rng, 5);
      const ModernRecall step = recall_modern(x, somewhere, steps(4.0, map, 1), field);
      REQUIRE(distance(Vector(somewhere - gradient(somewhere)), step.state) < 2e-5);
      const ModernRecall settled = recall_modern(x, somewhere, {4.0, map, 5000, 1e-13}, field);
      REQUIRE(settled.converged);
      REQUIRE(gradient(settled.state).norm() < 4e-5);
    }
  }
}

TEST_CASE("an external field is added at every step", "[modern_hopfield]") {
  const Matrix x = rows_of({vector({1, 2, 3})});
  const Vector field = vector({0.5, 0, -4});
  const ModernRecall recall = recall_modern(x, Vector::Zero(3), {2.0}, field);
  CHECK(recall.state == vector({1.5, 2, -1}));  // the only pattern has all the weight
  CHECK(recall.converged);
  CHECK(recall.iterations == 2);
  // For one pattern x and the field b, E = -x xi + |xi|^2/2 + |x|^2/2 - b xi. At xi = 0 it is 7. At xi = x + b it is 7
  // - |x + b|^2/2 = 7 - 7.25/2.
  CHECK(std::abs(recall.energies[0] - 7.0) < 1e-14);
  CHECK(std::abs(recall.energies[1] - 3.375) < 1e-14);
}

TEST_CASE("permuted patterns give permuted weights and the same state", "[modern_hopfield]") {
  Rng rng(10, "modern_hopfield_test permutation");
  const Matrix x = normal_matrix(rng, 9, 4);
  const Vector cue = normal_vector(rng, 4);
  const auto order = rng.permutation(9);
  Matrix permuted(9, 4);
  for (Index i = 0; i < 9; ++i) permuted.row(i) = x.row(order[static_cast<std::size_t>(i)]);
  for (const Regulariser& map : maps) {
    const ModernRecall a = recall_modern(x, cue, steps(0.8, map, 3));
    const ModernRecall b = recall_modern(permuted, cue, steps(0.8, map, 3));
    CHECK(distance(a.state, b.state) < 1e-13);  // the sums are in another order
    for (Index i = 0; i < 9; ++i)
      CHECK(std::abs(b.weights[i] - a.weights[order[static_cast<std::size_t>(i)]]) < 1e-13);
  }
}

TEST_CASE("recall stops at max_steps or on convergence", "[modern_hopfield]") {
  Rng rng(11, "modern_hopfield_test steps");
  const Matrix x = unit_rows(rng, 8, 6);
  const Vector cue = normal_vector(rng, 6);
  const ModernRecall cut = recall_modern(x, cue, {2.0, SimplexMap::softmax, 3, 0.0});
  CHECK(cut.iterations == 3);
  CHECK_FALSE(cut.converged);
  const ModernRecall settled = recall_modern(x, cue, {2.0, SimplexMap::softmax, 10000, 1e-9});
  CHECK(settled.converged);
  CHECK(settled.iterations < 10000);
  const ModernRecall next = recall_modern(x, settled.state, {2.0, SimplexMap::softmax, 1, 1e-9});
  CHECK(distance(next.state, settled.state) <= 1e-9);
  CHECK(next.converged);
  // The state is in the patterns' hull, at the position given by its weights.
  CHECK(distance(settled.state, Vector(x.transpose() * settled.weights)) < 1e-14);
}

TEST_CASE("a recall without dimensions converges", "[modern_hopfield]") {
  const ModernRecall recall = recall_modern(Matrix(2, 0), Vector(), {});
  CHECK(recall.converged);
  CHECK(recall.weights == Vector::Constant(2, 0.5));
}

TEST_CASE("the certificate predicts whether the first step is exact", "[modern_hopfield]") {
  Rng rng(11, "modern_hopfield_test certificate");
  std::array<int, 2> seen{};
  for (int trial = 0; trial < 400; ++trial) {
    const Index count = 2 + below(rng, 8);
    const Matrix x = normal_matrix(rng, count, 4);
    const Vector cue = normal_vector(rng, 4);
    const double beta = uniform(rng, 0.2, 6);
    std::vector<Regulariser> all = maps;
    all.emplace_back(SimplexMap::budget, 1.5, 1 + below(rng, count - 1));
    for (const Regulariser& map : all) {
      const ModernRecall recall = recall_modern(x, cue, steps(beta, map, 1));
      const Index winners = map.map == SimplexMap::budget ? map.k : 1;
      std::vector<double> similarity;
      for (Index i = 0; i < count; ++i) similarity.push_back(x.row(i).dot(cue));
      std::sort(similarity.begin(), similarity.end(), std::greater<>());
      const double gap =
          similarity[static_cast<std::size_t>(winners) - 1] - similarity[static_cast<std::size_t>(winners)];
      CHECK(std::abs(recall.certificate.gap - gap) < 1e-13);
      CHECK(recall.certificate.margin == margin(map));
      if (std::abs(beta * gap - margin(map)) < 1e-9) continue;
      const bool vertex = (recall.weights.array() == 1).count() == winners &&
                          (recall.weights.array() == 0).count() == count - winners;
      if (map.map != SimplexMap::softmax)
        CHECK(recall.certificate.exact == vertex);  // softmax gives the weight 1 only by rounding
      if (map.map == SimplexMap::softmax) CHECK_FALSE(recall.certificate.exact);
      ++seen[recall.certificate.exact ? 1 : 0];
    }
  }
  CHECK((seen[0] > 500 && seen[1] > 500));
}

TEST_CASE("certificates, worked by hand", "[modern_hopfield]") {
  const Vector similarity = vector({1, 3, 2.5, 3});
  const auto certify = [&](const Regulariser& map, double beta) {
    return certify_retrieval(map, similarity, beta);
  };
  CHECK(certify(SimplexMap::sparsemax, 9).gap == 0);  // the two best scores are equal
  CHECK_FALSE(certify(SimplexMap::sparsemax, 9).exact);
  CHECK(certify(SimplexMap::argmax, 9).exact);
  CHECK(certify({SimplexMap::budget, 1.5, 2}, 2).gap == 0.5);
  CHECK(certify({SimplexMap::budget, 1.5, 2}, 2).exact);  // beta times the gap is the margin, 1
  CHECK_FALSE(certify({SimplexMap::budget, 1.5, 2}, 1.99).exact);
  CHECK(certify({SimplexMap::budget, 1.5, 4}, 1e-9).gap == infinity);
  CHECK(certify({SimplexMap::budget, 1.5, 4}, 1e-9).exact);
  CHECK(certify_retrieval(SimplexMap::softmax, Vector::Ones(1), 1).exact);  // a single pattern
  CHECK(certify_retrieval(SimplexMap::softmax, Vector::Ones(1), 1).margin == infinity);
  CHECK_INVALID(certify({SimplexMap::budget, 1.5, 5}, 1));
}

TEST_CASE("with every_step, recall takes all steps", "[modern_hopfield]") {
  const Matrix x = rows_of({vector({1, 0}), vector({0, 1})});
  ModernHopfieldOptions options{5, SimplexMap::sparsemax, 7};
  CHECK(recall_modern(x, x.row(0).transpose(), options).iterations == 1);
  options.every_step = true;
  const ModernRecall recall = recall_modern(x, x.row(0).transpose(), options);
  CHECK((recall.iterations == 7 && recall.converged && recall.energies.size() == 8));
  CHECK(recall.state == Vector(x.row(0).transpose()));
}

TEST_CASE("the median separation matches a computation over all pairs", "[modern_hopfield]") {
  for (const Index count : {1, 2, 9, 64, 200}) {
    Rng rng(21, "separation", static_cast<std::uint64_t>(count));
    Matrix x = Matrix::Zero(count, 40);
    for (Index i = 0; i < count; ++i) {
      if (i % 10 == 9) continue;  // this pattern has no entries
      for (int k = 0; k < 4; ++k) x(i, below(rng, 40)) = 0.1 + rng.uniform();
      // After normalisation, this row equals the row before it.
      if (i % 7 == 6 && i % 10 != 0) x.row(i) = 3 * x.row(i - 1);
      x.row(i) /= x.row(i).norm();
    }
    SparseRows patterns(40);
    for (Index i = 0; i < count; ++i) {
      std::vector<std::uint32_t> columns;
      std::vector<double> values;
      for (Index j = 0; j < 40; ++j)
        if (x(i, j) > 0) {
          columns.push_back(static_cast<std::uint32_t>(j));
          values.push_back(x(i, j));
        }
      patterns.push_row(columns, values);
    }
    std::vector<double> separations;
    for (Index k = 0; k < std::min<Index>(count, 64); ++k) {
      const Index i = count <= 64 ? k : k * count / 64;
      if (x.row(i).isZero(0)) continue;
      double nearest = 0;
      for (Index j = 0; j < count; ++j)
        if (const double overlap = x.row(i).dot(x.row(j)); overlap < 1 - 1e-9)
          nearest = std::max(nearest, overlap);
      separations.push_back(1 - nearest);
    }
    std::ranges::sort(separations);
    const double expected = separations[separations.size() / 2];
    CHECK(std::abs(median_separation(patterns, patterns.transposed()) - expected) < 1e-14);
    CHECK(std::abs(median_separation(x) - expected) < 1e-14);
  }
  SparseRows none(3);
  CHECK(median_separation(none, none.transposed()) == 1);
}

TEST_CASE("the separating beta is the least that satisfies Ramsauer's condition, by bisection",
          "[modern_hopfield]") {
  for (const double separation : {0.01, 0.3, 0.5, 1.0, 2.0}) {
    double before = 0;
    for (const Index patterns : {2, 3, 172, 93'003, 1'000'000'000}) {
      const auto k = static_cast<double>(patterns);
      const auto holds = [&](double beta) {
        return separation >= 2 / (beta * k) + std::log(2 * (k - 1) * k * beta) / beta;
      };
      double least = 1 / separation, most = 1e6;  // the condition fails at `least` and holds at `most`
      for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (least + most);
        (holds(middle) ? most : least) = middle;
      }
      const double beta = separating_beta(SimplexMap::softmax, patterns, separation);
      CHECK(beta == Approx(most).epsilon(1e-10));
      CHECK(beta > before);
      before = beta;
      CHECK(separating_beta(SimplexMap::sparsemax, patterns, separation) == std::min(1 / separation, beta));
      CHECK(separating_beta(SimplexMap::argmax, patterns, separation) == 1 / separation);
      Regulariser entmax = SimplexMap::entmax;
      entmax.alpha = 1.5;
      CHECK(separating_beta(entmax, patterns, separation) == std::min(2 / separation, beta));
      entmax.alpha = 1.001;
      CHECK(separating_beta(entmax, patterns, separation) == beta);
    }
    CHECK(separating_beta(SimplexMap::softmax, 1, separation) ==
          separating_beta(SimplexMap::softmax, 2, separation));
  }
  for (const double wrong : {0.0, -1.0, 2.1, nan})
    CHECK_INVALID(separating_beta(SimplexMap::softmax, 5, wrong));
}

TEST_CASE("modern Hopfield recall rejects invalid input", "[modern_hopfield]") {
  const Matrix x = Matrix::Identity(2, 3);
  const Vector cue = Vector::Ones(3);
  CHECK_INVALID(recall_modern(Matrix(0, 3), cue, {}));
  CHECK_INVALID(recall_modern(SparseRows(3), cue, {}));
  CHECK_INVALID(recall_modern(x, Vector::Ones(2), {}));
  CHECK_INVALID(recall_modern(x, cue, {}, Vector::Ones(2)));
  for (const double beta : {0.0, -1.0, infinity, nan}) CHECK_INVALID(recall_modern(x, cue, {beta}));
  CHECK_INVALID(recall_modern(x, cue, {1.0, SimplexMap::softmax, 0}));
  CHECK_INVALID(recall_modern(x, vector({0, nan, 0}), {}));
}

}  // namespace
}  // namespace engram::core
