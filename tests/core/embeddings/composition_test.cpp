// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

constexpr Index d = 1024;
constexpr double noise = 6 / 32.0;  // six standard errors of 1/sqrt(d)

// Terms with embedding rows. By default the row of an atom has length 1 and the row of a compound is 0.
struct Bench {
  explicit Bench(const std::vector<std::string>& texts) : rows(static_cast<Index>(texts.size()), d) {
    Rng rng(1, "composition_test");
    rows.setZero();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      terms.push_back(term(memory, texts[i]));
      if (terms.back().components().empty()) rows.row(static_cast<Index>(i)) = unit_rows(rng, 1, d).row(0);
    }
  }
  double cosine(Index i, Index j) const {
    const Matrix x = composed(terms, rows, 3);
    return x.row(i).dot(x.row(j)) / x.row(i).norm() / x.row(j).norm();
  }
  Memory memory;
  std::vector<narsese::Term> terms;
  Matrix rows;
};

TEST_CASE("a statement and its reverse have different rows", "[composition]") {
  const Bench bench({"a", "b", "<a --> b>", "<b --> a>", "<a --> a>"});
  CHECK(std::abs(bench.cosine(2, 3)) < noise);
  const Bench symmetric({"a", "b", "<a <-> b>", "<b <-> a>"});  // both texts denote the same term
  CHECK(symmetric.terms[2] == symmetric.terms[3]);
  // The rows of the two statements also differ if a and b have equal rows, or rows of zeros.
  Bench alike({"a", "b", "<a --> b>", "<b --> a>"});
  alike.rows.row(1) = alike.rows.row(0);
  CHECK(std::abs(alike.cosine(2, 3) - 0.5) < noise);
  alike.rows.setZero();
  CHECK(std::abs(alike.cosine(2, 3)) < noise);
}

TEST_CASE("statements are as similar as the fillers of their roles", "[composition]") {
  Bench bench({"a", "b", "c", "d", "<a --> b>", "<c --> d>", "<a --> d>", "<a ==> b>", "(*,a,b)", "(/,a,_,b)",
               "(/,a,b,_)", "<a <-> b>", "<a <-> c>"});
  // Gives a and c a cosine of about 0.6, and b and d one of about 0.8.
  bench.rows.row(2) = 0.6 * bench.rows.row(0) + 0.8 * bench.rows.row(2);
  bench.rows.row(3) = 0.8 * bench.rows.row(1) + 0.6 * bench.rows.row(3);
  const Matrix unit = bench.rows.rowwise().normalized();
  // The cosine of two different names counts half.
  const double ac = unit.row(0).dot(unit.row(2)) / 2, bd = unit.row(1).dot(unit.row(3)) / 2;
  CHECK(std::abs(bench.cosine(4, 5) - (ac + bd) / 2) < noise);
  CHECK(std::abs(bench.cosine(4, 6) - (1 + bd) / 2) < noise);
  for (Index other : {7, 8, 9})
    CHECK(std::abs(bench.cosine(4, other)) < noise);   // different copula or connector
  CHECK(std::abs(bench.cosine(9, 10)) < 0.5 + noise);  // same relation, different argument
  // The components of a commutative term have one role, so its row is the normalised sum of their rows. The expected
  // value is the cosine of a + b and a + c.
  CHECK(std::abs(bench.cosine(11, 12) - (1 + ac) / std::sqrt(2 * (2 + 2 * ac))) < noise);
  for (Index component : {0, 1}) CHECK(std::abs(bench.cosine(4, component)) < noise);
}

TEST_CASE("the order of components of a set does not matter", "[composition]") {
  const Bench bench({"a", "b", "{a,b}", "{b,a}", "(&&,a,b)", "(&/,a,b)", "(&/,b,a)"});
  CHECK(bench.cosine(2, 3) == Approx(1).epsilon(1e-12));
  CHECK(std::abs(bench.cosine(4, 5)) < noise);
  CHECK(std::abs(bench.cosine(5, 6)) < noise);
  // b is first in one term and last in the other. This matters only in a sequence.
  const Bench shared({"a", "b", "c", "{a,b}", "{b,c}", "(&/,a,b)", "(&/,b,c)"});
  CHECK(std::abs(shared.cosine(3, 4) - 0.5) < noise);
  CHECK(std::abs(shared.cosine(5, 6)) < noise);
}

TEST_CASE("roles distinguish constant vectors, which no permutation changes", "[composition]") {
  Bench bench({"a", "{a}", "[a]"});
  bench.rows.row(0).setOnes();
  CHECK(std::abs(bench.cosine(1, 2)) < noise);
}

TEST_CASE("nested terms are composed from the inside, in any order of the list", "[composition]") {
  const Bench inner_last({"<{a} --> b>", "{a}", "a", "b", "<{c} --> b>", "{c}", "c"});
  const Bench inner_first({"a", "{a}", "b", "<{a} --> b>", "c", "{c}", "<{c} --> b>"});
  const Matrix x = composed(inner_last.terms, inner_last.rows, 3);
  CHECK(std::abs(x.row(0).norm() - 1) < 1e-12);
  CHECK(std::abs(inner_last.cosine(0, 4) - 0.5) < noise);  // both contain b
  CHECK(std::abs(inner_first.cosine(3, 6) - 0.5) < noise);
}

TEST_CASE("the learnt row of a compound and its structure have equal weight", "[composition]") {
  Bench bench({"a", "b", "<a --> b>"});
  const Matrix structure = composed(bench.terms, bench.rows, 3);
  Rng rng(2, "composition_test learnt");
  const Matrix learnt = unit_rows(rng, 1, d);
  bench.rows.row(2) = 1e-200 * learnt.row(0);
  const Matrix both = composed(bench.terms, bench.rows, 3);
  CHECK(distance(Matrix(both.row(2)), Matrix(structure.row(2) + learnt)) < 1e-12);
  CHECK(both.topRows(2) == bench.rows.topRows(2));
  CHECK(composed(bench.terms, bench.rows, 3) == both);
  CHECK(composed(bench.terms, bench.rows, 4) != both);
}

TEST_CASE("composition has the same bits in every run", "[composition]") {
  Memory memory;
  const std::vector terms{term(memory, "a"), term(memory, "b"), term(memory, "<a --> b>")};
  Matrix rows = Matrix::Zero(3, 8);
  rows(0, 0) = rows(1, 1) = 1;
  const Matrix x = composed(terms, rows, 3);
  // Recorded from an earlier process, because hashes of terms differ between processes.
  const Vector known{{-0.81251992006874518, 0, -0.47596314947796792, 0, 0.33655677059077738, 0, 0, 0}};
  CHECK((x.row(2).transpose() - known).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("composition without rows, and with wrong shapes", "[composition]") {
  const Bench unknown({"a", "<a --> $1>", "<$1 --> a>", "<b --> c>"});  // variables, b and c have no rows
  const Matrix x = composed(unknown.terms, unknown.rows, 3);
  CHECK(std::abs(unknown.cosine(1, 2)) < noise);
  CHECK(x.row(3).isZero(0));
  Bench tiny({"a", "{a}"});
  tiny.rows *= 1e-300;
  CHECK(std::abs(composed(tiny.terms, tiny.rows, 3).row(1).norm() - 1) < 1e-12);
  CHECK(composed({}, Matrix(0, 4), 1).size() == 0);
  CHECK(composed(tiny.terms, Matrix(2, 0), 1).size() == 0);
  CHECK_INVALID(composed(tiny.terms, Matrix::Zero(3, 4), 1));
}

}  // namespace
}  // namespace engram::core
