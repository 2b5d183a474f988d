// SPDX-License-Identifier: MIT
#include "core/hopfield/modern_hopfield.hpp"

#include "core/attention/attention.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<Regulariser> retrieval_maps{
    SimplexMap::softmax,      SimplexMap::sparsemax, {SimplexMap::entmax}, {SimplexMap::entmax, 1},
    {SimplexMap::normmax, 3}, SimplexMap::argmax,    {SimplexMap::budget}, {SimplexMap::budget, 2, 5}};

PackedKeys packed(const Matrix& numbers, Precision precision = Precision::float32) {
  PackedKeys rows(numbers.cols(), precision);
  rows.append(numbers);
  return rows;
}

// The stored patterns as doubles, so that only arithmetic differs.
Matrix as_stored(const PackedKeys& rows) {
  Matrix numbers(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.columns(); ++j) numbers(i, j) = static_cast<double>(rows.at(i, j));
  return numbers;
}

// The error bound of attend() in core/single_precision/float_attention.hpp if the values are the patterns X.
double bound(const Matrix& x, const Vector& state, double beta) {
  const double s = beta * (x.cwiseAbs() * state.cwiseAbs()).maxCoeff();
  return ((2 * static_cast<double>(x.cols()) + 8) * s + 350) * 0x1p-24 * x.cwiseAbs().maxCoeff();
}

TEST_CASE("the error of a softmax step in single precision is within its bound", "[float]") {
  Rng rng(1, "float_retrieval_test bound");
  double worst = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 1 + below(rng, trial % 10 == 0 ? 9000 : 700);
    const Index d = trial % 9 == 0 ? 300 + trial * 20 : 1 + below(rng, 70);
    const Vector cue = uniform_matrix(rng, 1, d).row(0).transpose();
    const double beta = uniform(rng, 0.01, 3);
    const Matrix given = uniform_matrix(rng, n, d);
    for (const Precision precision : samples::precisions) {
      const PackedKeys patterns = packed(given, precision);
      const Matrix x = as_stored(patterns);
      ModernHopfieldOptions one{.beta = beta, .max_steps = 1};
      const ModernRecall exact = recall_modern(x, cue, one);
      const FloatStep step = modern_step(patterns, cue, beta);
      const double allowed = bound(x, cue, beta);
      INFO(n << ' ' << d << ' ' << beta);
      REQUIRE((step.state - exact.state).cwiseAbs().maxCoeff() <= allowed);
      worst = std::max(worst, (step.state - exact.state).cwiseAbs().maxCoeff() / allowed);
      // The error of the energy is that of a score, divided by beta.
      const FloatRecall recall = recall_modern(patterns, cue, one);
      CHECK(std::abs(recall.energies[0] - exact.energies[0]) <= allowed / beta + 1e-6 / beta);
      CHECK(std::abs(recall.certificate.gap - exact.certificate.gap) <= 2 * allowed / beta + 1e-6);
      CHECK(recall.certificate.exact == exact.certificate.exact);
      CHECK(recall.state == step.state);
    }
  }
  CHECK(worst > 1e-4);  // the bound is not vacuous
}

TEST_CASE("retrieval with scores that differ by thousands, worked by hand", "[float]") {
  Matrix x(300, 2);
  for (Index i = 0; i < 300; ++i) x.row(i) << static_cast<double>(i), 1;
  const PackedKeys patterns = packed(x);
  const auto step = [&](double q) { return modern_step(patterns, vector({q, 0}), 1.0).state; };
  CHECK(step(1e4) == vector({299, 1}));
  CHECK(step(-1e4) == vector({0, 1}));
  CHECK(step(0) == vector({149.5, 1}));
  CHECK(step(1e-300) == step(0));
  // The weights are halved from the end, so the mean is 299 - 1; scores near 299 have errors of 299 * 2^-24.
  CHECK(std::abs(step(std::log(2.0))[0] - 298) < 1e-3);
  const FloatStep even = modern_step(patterns, vector({0, 0}), 2.0);
  CHECK(even.value == Approx(std::log(300.0) / 2).epsilon(1e-7));
  CHECK(even.certificate.gap == 0);
  CHECK(even.certificate.beta == 2);
  CHECK_FALSE(even.certificate.exact);
  const FloatStep alone = modern_step(packed(Matrix::Constant(1, 1, 3)), Vector::Ones(1), 1.0);
  CHECK(alone.state == Vector::Constant(1, 3));
  CHECK(alone.certificate.exact);
  CHECK(alone.certificate.gap == infinity);
}

// The scores of the patterns rise, so that each block has a new largest score.
TEST_CASE("sums are rescaled if a block has a new largest score", "[float]") {
  for (const Index n : {257, 4096, 5000}) {
    Matrix x(n, 2);
    for (Index i = 0; i < n; ++i) x.row(i) << static_cast<double>(i / 256), static_cast<double>(i % 7);
    const PackedKeys patterns = packed(x);
    for (const double q : {0.01, 0.5, 1.0, -0.5, 40.0, 200.0}) {
      const Vector cue = vector({q, 0.1});
      const ModernRecall exact = recall_modern(x, cue, {.beta = 1, .max_steps = 1});
      CHECK((modern_step(patterns, cue, 1.0).state - exact.state).cwiseAbs().maxCoeff() <=
            bound(x, cue, 1.0));
    }
  }
}

PackedKeys with_ties(Index n, Index d, Precision precision) {
  Rng rng(3, "float_retrieval_test ties", static_cast<std::uint64_t>(n * 7919 + d));
  Matrix x = uniform_matrix(rng, n, d);
  for (Index i = 0; i + 40 < n; i += 37) x.row(i + 40) = x.row(i);
  return packed(x, precision);
}

TEST_CASE("threads and instruction sets do not change a recall's bits", "[float]") {
  for (const Precision precision : samples::precisions)
    for (const auto& [n, d] : std::vector<std::array<Index, 2>>{
             {1, 1}, {15, 3}, {257, 16}, {4097, 19}, {13000, 8}, {2100, 700}, {1500, 1100}}) {
      const PackedKeys patterns = with_ties(n, d, precision);
      Rng rng(4, "float_retrieval_test cue");
      const Vector cue = uniform_matrix(rng, 1, d).row(0).transpose();
      for (Regulariser map : retrieval_maps) {
        map.k = std::min(map.k, n);
        const ModernHopfieldOptions options{.beta = 1.5, .map = map, .max_steps = 3};
        const FloatRecall portable = recall_modern(patterns, cue, options, {}, {1, Instructions::portable});
        for (const Instructions instructions : available_instructions()) {
          for (const unsigned threads : {1U, 2U, 5U}) {
            // Portable instructions with one thread are the reference itself.
            if (instructions == Instructions::portable && threads == 1) continue;
            INFO(name(instructions) << ' ' << threads << ' ' << n << ' ' << facts(map.map).name);
            const FloatRecall found = recall_modern(patterns, cue, options, {}, {threads, instructions});
            CHECK(found.state == portable.state);
            CHECK(found.energies == portable.energies);
            CHECK(found.iterations == portable.iterations);
            CHECK(found.converged == portable.converged);
            CHECK(found.certificate.gap == portable.certificate.gap);
            CHECK(found.certificate.exact == portable.certificate.exact);
          }
        }
      }
    }
}

TEST_CASE("sparse maps retrieve the same in single and double precision", "[float]") {
  // Small integers have exact scores, so only the maps differ.
  Rng rng(5, "float_retrieval_test sparse");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 6 + below(rng, 6000), d = 1 + below(rng, 30);
    Matrix x(n, d);
    for (double& number : x.reshaped()) number = static_cast<double>(rng.below(9)) - 4;
    Vector cue(d);
    for (double& number : cue) number = static_cast<double>(rng.below(9)) - 4;
    const double beta = std::ldexp(1.0, -static_cast<int>(rng.below(9)));
    for (const Regulariser& map : retrieval_maps) {
      if (std::isinf(margin(map))) continue;
      INFO(facts(map.map).name << ' ' << n << ' ' << d << ' ' << beta);
      const ModernRecall exact = recall_modern(x, cue, {.beta = beta, .map = map, .max_steps = 1});
      const FloatRecall found = recall_modern(packed(x), cue, {.beta = beta, .map = map, .max_steps = 1});
      CHECK((found.state - exact.state).cwiseAbs().maxCoeff() < 1e-11 * static_cast<double>(map.k) * 4);
      CHECK(found.energies[0] == Approx(exact.energies[0]).epsilon(1e-11).margin(1e-9));
      CHECK(found.certificate.gap == exact.certificate.gap);
      CHECK(found.certificate.margin == exact.certificate.margin);
      CHECK(found.certificate.exact == exact.certificate.exact);
      CHECK(found.certificate.beta == beta);
    }
  }
}

TEST_CASE("if the certificate is exact, a sparse map retrieves the pattern in one step", "[float]") {
  Rng rng(6, "float_retrieval_test certificate");
  const Matrix x = uniform_matrix(rng, 3000, 64);
  const PackedKeys patterns = packed(x);
  int exact = 0;
  for (Index i = 0; i < 40; ++i) {
    const Vector cue = x.row(i * 70).transpose() + 0.1 * uniform_matrix(rng, 1, 64).row(0).transpose();
    for (const double beta : {0.02, 0.1, 1.0}) {
      const FloatStep step = modern_step(patterns, cue, beta, SimplexMap::sparsemax);
      const bool whole = step.state == as_stored(patterns).row(i * 70).transpose();
      CHECK(step.certificate.exact == whole);
      exact += whole ? 1 : 0;
    }
  }
  CHECK(exact > 20);
  CHECK(exact < 110);
}

TEST_CASE("recalls in single and double precision have the same fixed points", "[float]") {
  Rng rng(7, "float_retrieval_test recall");
  const Matrix x = uniform_matrix(rng, 2000, 32);
  const PackedKeys patterns = packed(x);
  const Matrix stored = as_stored(patterns);
  const Vector field = 0.2 * uniform_matrix(rng, 1, 32).row(0).transpose();
  for (const Regulariser& map : retrieval_maps)
    for (const Vector& of_field : {Vector(), field})
      for (Index i = 0; i < 5; ++i) {
        const Vector cue = x.row(i * 300).transpose() + 0.2 * uniform_matrix(rng, 1, 32).row(0).transpose();
        const ModernHopfieldOptions options{.beta = 2, .map = map};
        const ModernRecall exact = recall_modern(stored, cue, options, of_field);
        const FloatRecall found = recall_modern(patterns, cue, options, of_field);
        INFO(facts(map.map).name << ' ' << i);
        CHECK(found.converged);
        CHECK((found.state - exact.state).cwiseAbs().maxCoeff() < 1e-4);
        CHECK(found.certificate.gap == Approx(exact.certificate.gap).epsilon(1e-3).margin(1e-5));
        REQUIRE(static_cast<int>(found.energies.size()) == found.iterations);
        for (std::size_t t = 0; t < std::min(found.energies.size(), exact.energies.size()); ++t)
          CHECK(found.energies[t] == Approx(exact.energies[t]).epsilon(1e-5).margin(1e-4));
        CHECK(never_rises(found.energies, 1e-4));
      }
  const ModernHopfieldOptions all{.beta = 2, .max_steps = 7, .every_step = true};
  CHECK(recall_modern(patterns, x.row(0).transpose(), all).iterations == 7);
}

TEST_CASE("retrieval in single precision rejects invalid input", "[float]") {
  const PackedKeys patterns = packed(Matrix::Ones(2, 3));
  const Vector cue = Vector::Ones(3);
  CHECK_INVALID(modern_step(PackedKeys(3), cue, 1.0));
  CHECK_INVALID(modern_step(patterns, Vector::Ones(2), 1.0));
  for (const double bad : {0.0, -1.0, std::nan(""), infinity}) CHECK_INVALID(modern_step(patterns, cue, bad));
  for (const double bad : {std::nan(""), infinity, 1e40, -1e300})
    CHECK_INVALID(modern_step(patterns, Vector::Constant(3, bad), 1.0));
  for (const Regulariser& map :
       {Regulariser(SimplexMap::entmax, 0.9), Regulariser(SimplexMap::normmax, 1),
        Regulariser(SimplexMap::budget, 2, 0), Regulariser(SimplexMap::budget, 2, -1),
        Regulariser(SimplexMap::budget, 2, 3)}) {
    CHECK_INVALID(modern_step(patterns, cue, 1.0, map));
    CHECK_INVALID(recall_modern(patterns, cue, {.map = map}));
  }
  CHECK_INVALID(recall_modern(patterns, cue, {.max_steps = 0}));
  CHECK_INVALID(recall_modern(patterns, cue, {.beta = 0}));
  CHECK_INVALID(recall_modern(patterns, cue, {}, Vector::Ones(2)));
  CHECK_INVALID(recall_modern(patterns, cue, {}, Vector::Constant(3, infinity)));
}

TEST_CASE("retrieval in single precision gives fixed bits on every platform", "[float]") {
  // Recorded results of a first run. They only check that compilers and processors agree.
  const auto first = [](Index n, Index d, Precision precision, SimplexMap map) {
    Rng rng(8, "float_retrieval_test bits");
    const PackedKeys patterns = packed(uniform_matrix(rng, n, d), precision);
    return modern_step(patterns, uniform_matrix(rng, 1, d).row(0).transpose(), 1.0, map).state[0];
  };
  CHECK(first(9001, 24, Precision::float32, SimplexMap::softmax) == -0x1.bbd2c0b903a4ap-5);
  CHECK(first(9001, 24, Precision::bf16, SimplexMap::softmax) == -0x1.bca37a91e17b5p-5);
  CHECK(first(3000, 600, Precision::float32, SimplexMap::softmax) == 0x1.2665c1239af7p-2);
  CHECK(first(9001, 24, Precision::float32, SimplexMap::sparsemax) == -0x1.66ec6f1a1fp-6);
}

}  // namespace
}  // namespace engram::core
