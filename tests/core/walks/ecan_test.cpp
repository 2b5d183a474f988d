// SPDX-License-Identifier: MIT
#include "core/walks/ecan.hpp"

#include <Eigen/LU>

#include "core/walks/page_rank.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

double wealth(const Ecan& network) { return network.sti().sum() + network.funds(); }

// Random symmetric link strengths. Some concepts have a self loop.
Matrix random_strengths(Rng& rng, Index n) {
  Matrix c = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      if (rng.below(2) == 0) c(i, j) = c(j, i) = rng.uniform();
  return c;
}

TEST_CASE("a bank's wage rises with its funds", "[ecan]") {
  const BankPolicy policy{100, 50};
  const double funds[] = {1000, 150, 125, 100, 99, 75, 50, 0, -1000};
  const double wage[] = {20, 20, 15, 10, 9.8, 5, 0, 0, 0};
  for (int k = 0; k < 9; ++k) CHECK(policy.wage(10, funds[k]) == Approx(wage[k]).margin(1e-13));
}

TEST_CASE("rent is 0 up to a twentieth of the recent maximum", "[ecan]") {
  for (const double most : {1.0, 40.0, 1e6}) {
    CHECK(logarithmic_rent(most / 20, most, 0.8) == Approx(0).margin(1e-15));
    CHECK(logarithmic_rent(most / 20.01, most, 0.8) == 0);
    CHECK(logarithmic_rent(most / 19.99, most, 0.8) > 0);
    CHECK(logarithmic_rent(most, most, 0.8) == Approx(std::min(0.4 * std::log(20), most)));
  }
  CHECK(logarithmic_rent(0, 1, 0.8) == 0);
  CHECK(logarithmic_rent(-5, 1, 0.8) == 0);
  CHECK(logarithmic_rent(0.1, 1, 1e9) == 0.1);  // the rent is at most the STI
}

// Reference implementation of a cycle on dense matrices.
void cycle_written_out(Matrix& c, Vector& s, double& funds, double& recent_max, const EcanOptions& o) {
  const Index n = s.size();
  for (Index i = 0; i < n; ++i) {
    const double rent =
        s[i] > 0 ? std::min(std::max(o.rent / 2 * std::log(20 * s[i] / recent_max), 0.0), s[i]) : 0.0;
    s[i] -= rent;
    funds += rent;
  }
  Eigen::VectorXi focus = Eigen::VectorXi::Zero(n);
  for (Index i = 0; i < n; ++i) {
    Index richer = 0;
    for (Index j = 0; j < n; ++j) richer += s[j] > s[i] || (s[j] == s[i] && j < i);
    focus[i] = o.focus == 0 || richer < static_cast<Index>(o.focus);
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double conj = std::min(s[i] * s[j] / (recent_max * recent_max), 1.0);
      if (c(i, j) > 0 && focus[i] && focus[j] && conj >= 0)
        c(i, j) = std::min(o.conjunction * conj + (1 - conj) * c(i, j), 1.0);
    }
  Matrix d = Matrix::Zero(n, n);  // column i is the distribution of concept i's gifts
  for (Index i = 0; i < n; ++i) {
    const double all = c.row(i).sum();
    if (focus[i] && all > 0) d.col(i) = c.row(i).transpose() * std::min(1.0, o.max_spread / all);
    d(i, i) += 1 - d.col(i).sum();
    REQUIRE(d.col(i).minCoeff() >= 0);
  }
  const double poorest = s.minCoeff();
  s = d * Vector(s.array() - poorest);
  s.array() += poorest;
  recent_max = std::max(s.maxCoeff(), 1.0);
}

TEST_CASE("a cycle matches a dense implementation and conserves the total STI", "[ecan]") {
  Rng rng(711, "ecan");
  double moved = 0;
  for (int round = 0; round < 60; ++round) {
    const Index n = 1 + below(rng, 9);
    const EcanOptions options{uniform(rng, 0, 2), rng.uniform(), rng.uniform(), rng.below(5)};
    Matrix c = random_strengths(rng, n);
    Vector s = Vector::Zero(n);
    double funds = 400, recent_max = 40;
    const SparseRows links = sparse(c);
    Ecan network(n, rows_of(links), funds, recent_max, options);
    for (int t = 0; t < 12; ++t) {
      const auto i = below(rng, n);
      const double wage = uniform(rng, -3, 15);
      network.stimulate(i, wage);
      s[i] += wage;
      funds -= wage;
      const Vector before = s;
      network.cycle();
      cycle_written_out(c, s, funds, recent_max, options);
      CHECK(distance(network.sti(), s) < 1e-10);
      CHECK(distance(dense(network.strengths()), c) < 1e-12);
      CHECK(network.funds() == Approx(funds).epsilon(1e-12));
      CHECK(std::abs(wealth(network) - 400) < 1e-9);
      CHECK(distance(c, Matrix(c.transpose())) == 0);
      moved = std::max(moved, distance(before, s));
    }
  }
  CHECK(moved > 1);
}

TEST_CASE("an economy reads only the rows of owners, with equal results", "[ecan]") {
  // On a ring, STI travels t steps in t cycles.
  constexpr Index n = 1000;
  SparseRows ring(n);
  for (Index i = 0; i < n; ++i) {
    std::vector<std::uint32_t> columns{static_cast<std::uint32_t>((i + 1) % n),
                                       static_cast<std::uint32_t>((i + n - 1) % n)};
    std::sort(columns.begin(), columns.end());
    ring.push_row(columns, std::vector<double>{0.3, 0.6});
  }
  std::size_t asked = 0;
  const LinkRows rows = [&](Index i) {
    ++asked;
    return rows_of(ring)(i);
  };
  Ecan network(n, rows, 1000, 1), again(n, rows_of(ring), 1000, 1);
  for (int t = 1; t <= 20; ++t) {
    for (Ecan* one : {&network, &again}) {
      one->stimulate(500, 10);
      one->cycle();
    }
    CHECK(asked == static_cast<std::size_t>(2 * t - 1));
  }
  CHECK(network.sti() == again.sti());
  CHECK(network.sti()[480] > 0);
  CHECK(network.sti()[479] == 0);
  network.stimulate(3, -1);  // a concept with negative STI gets gifts from all concepts
  network.cycle();
  CHECK(asked == static_cast<std::size_t>(n));
  CHECK(network.sti()[4] < 0);
}

// An example of the implementation that the formulas come from: one of four concepts without links gets 15. The rent
// is 0.8, and the recent maximum starts at 40.
TEST_CASE("the richest concept pays a rent of 0.4 log 20 per cycle", "[ecan]") {
  const SparseRows none = sparse(Matrix::Zero(4, 4));
  Ecan network(4, rows_of(none), 400, 40, {0.8, 0.35, 0.4, 0});
  network.stimulate(1, 15);
  network.cycle();
  CHECK(network.sti()[1] == Approx(15 - 0.4 * std::log(7.5)).epsilon(1e-14));
  for (int t = 0; t < 3; ++t) {
    const double before = network.sti()[1];
    network.cycle();
    CHECK(network.sti()[1] == Approx(before - 0.4 * std::log(20.0)).epsilon(1e-14));
  }
  CHECK(network.sti()[0] == 0);
  CHECK(wealth(network) == Approx(400).epsilon(1e-15));
}

TEST_CASE("linear ECAN matches its simulation and a linear solver", "[ecan]") {
  Rng rng(712, "ecan");
  for (int round = 0; round < 60; ++round) {
    const Index n = 1 + below(rng, 9);
    Matrix links = random_strengths(rng, n);
    links.row(n - 1).setZero();  // this concept has no links and keeps its STI
    if (n > 2) links(0, 0) = 0.3;
    Vector cue = Vector::Zero(n);
    cue[below(rng, n)] = 3;
    cue[n - 1] += rng.uniform();
    const double rent = uniform(rng, 0.1, 1), spread = rng.uniform();
    Matrix a = Matrix::Zero(n, n);  // the matrix (1 - spread) I + spread P'
    for (Index i = 0; i < n; ++i) {
      const double degree = links.row(i).sum();
      a(i, i) += degree > 0 ? 1 - spread : 1.0;
      if (degree > 0) a.col(i) += spread * links.row(i).transpose() / degree;
    }
    const Vector v = cue / cue.sum();
    const Matrix system = Matrix::Identity(n, n) - (1 - rent) * a;
    const Vector solved = rent * Matrix(system).partialPivLu().solve(a * v);
    const LinearEcan found = linear_ecan(sparse(links), cue, rent, spread);
    CHECK(found.converged);
    CHECK(distance(found.sti, solved) < 1e-12);
    CHECK(found.sti.sum() == Approx(1).epsilon(1e-13));
    Vector simulated = v;  // the wealth at the start is the first wage
    for (int cycle = 0; cycle < 400; ++cycle) {
      simulated = a * ((1 - rent) * simulated + rent * v);
      CHECK(simulated.sum() == Approx(1).epsilon(1e-13));
    }
    CHECK(distance(simulated, found.sti) < 1e-12);
  }
  // With spread 1, the result is one walk step after personalised PageRank.
  const Matrix pair{{0, 1}, {1, 0}};
  const LinearEcan swapped = linear_ecan(sparse(pair), vector({1, 0}), 0.5, 1);
  CHECK(distance(swapped.sti, vector({1.0 / 3, 2.0 / 3})) < 1e-14);
}

TEST_CASE("ECAN rejects invalid input", "[ecan]") {
  const SparseRows links = sparse(Matrix::Ones(2, 2));
  Ecan late(
      2,
      [](Index) {
        return std::vector<SparseVector::Entry>{{0, 1.1}};
      },
      1, 1);
  late.stimulate(1, 1);
  CHECK_INVALID(late.cycle());
  const LinkRows rows = rows_of(links);
  CHECK_INVALID(Ecan(2, rows, 0, 1));
  CHECK_INVALID(Ecan(2, rows, infinity, 1));
  CHECK_INVALID(Ecan(2, rows, 1, 0));
  for (const EcanOptions& wrong :
       {EcanOptions{-1, 0, 0, 0}, EcanOptions{0, 2, 0, 0}, EcanOptions{0, 0, 1.5, 0}})
    CHECK_INVALID(Ecan(2, rows, 1, 1, wrong));
  Ecan network(2, rows, 1, 1);
  CHECK_INVALID(network.stimulate(2, 1));
  CHECK_INVALID(network.stimulate(-1, 1));
  CHECK_INVALID(network.stimulate(0, std::nan("")));
  CHECK_INVALID(linear_ecan(links, vector({0, 0}), 0.5, 0.5));
  CHECK_INVALID(linear_ecan(links, vector({1, 0}), 0, 0.5));
  CHECK_INVALID(linear_ecan(links, vector({1, 0}), 0.5, 1.5));
  Ecan none(0, rows, 1, 1);
  none.cycle();
  CHECK(wealth(none) == 1);
}

}  // namespace
}  // namespace engram::core
