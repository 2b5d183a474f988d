// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <numbers>

#include "core/attention/continuous_attention.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/methods/explanation.hpp"
#include "core/methods/method.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using samples::told;

// All confidences differ, so no two concepts or statements tie by chance.
const std::vector<std::string> animals{
    "<tim --> cat>. %1.0;0.91%",
    "<tom --> cat>. %1.0;0.72%",
    "<rex --> dog>. %1.0;0.83%",
    "<<$1 --> cat> ==> <$1 --> animal>>. %1.0;0.64%",
    "<<$1 --> dog> ==> <$1 --> animal>>. %1.0;0.55%",
    "<<$1 --> animal> ==> <$1 --> mortal>>. %1.0;0.86%",
    "<(*,tim,tom) --> friend>. %1.0;0.37%",
    "<(*,{rex},tim) --> chases>. %1.0;0.48%",
    "<stone --> [hard]>. %1.0;0.79%",
    "<(*,stone,{SELF}) --> ^throw>! %1.0;0.61%",
};

struct Animals {
  Memory memory = told(animals);
  const MemoryIndex readings{memory};
};

std::vector<ConfiguredMethod> all_methods() {
  std::vector<ConfiguredMethod> all;
  for (const Method& method : methods()) all.emplace_back(method);
  return all;
}

Vector softmax_of(const Vector& scores) {
  const Vector e = (scores.array() - scores.maxCoeff()).exp();
  return e / e.sum();
}

// Keys and query, computed from their definition.
struct Dense {
  Matrix a, keys;
  Vector idf;
  explicit Dense(const MemoryIndex& r) : a(samples::dense(r.episodes())), keys(a), idf(r.concepts()) {
    const Vector activity = a.transpose() * r.evidence();
    for (Index i = 0; i < idf.size(); ++i)
      idf[i] = activity[i] > 0 ? std::log(1 + r.evidence().sum() / activity[i]) : 0;
    for (Index e = 0; e < a.rows(); ++e) {
      keys.row(e) = a.row(e).cwiseProduct(idf.transpose());
      if (keys.row(e).norm() > 0) keys.row(e) /= keys.row(e).norm();
    }
  }
  Vector query(const Vector& cue) const { return cue.cwiseProduct(idf).normalized(); }
};

// Cosines of the query with the rows of all active concepts.
Vector cosines_of_active(const MemoryIndex& readings, const Matrix& rows, const Vector& query) {
  Vector cosines(static_cast<Index>(readings.active_concepts().size()));
  for (Index k = 0; k < cosines.size(); ++k) {
    const auto row = rows.row(readings.active_concepts()[static_cast<std::size_t>(k)]);
    cosines[k] = row.dot(query) / row.norm() / query.norm();
  }
  return cosines;
}

std::size_t best(const Vector& scores) {
  Index at = 0;
  scores.maxCoeff(&at);
  return static_cast<std::size_t>(at);
}

TEST_CASE_METHOD(Animals, "all methods give finite, repeatable scores for concepts and statements",
                 "[retrievers]") {
  for (const char* question : {"<tim --> ?1>", "<?1 --> animal>", "(*,rex,stone)", "friend"}) {
    const Vector cue = cue_for(memory, term(memory, question)).activation;
    for (const Method& method : methods()) {
      INFO(method.name << ' ' << question);
      const Recall recall = ConfiguredMethod(method).recall(readings, Cue(cue));
      CHECK(recall.concepts.size() == readings.concepts());
      CHECK(recall.statements.size() == readings.statements());
      CHECK(recall.concepts.whole().allFinite());
      CHECK(recall.statements.whole().allFinite());
      CHECK((recall.concepts.whole().array() >= 0).all());
      CHECK((recall.statements.whole().array() >= 0).all());
      CHECK(recall.concepts.whole().maxCoeff() > 0);
      CHECK(recall.statements.whole().maxCoeff() > 0);
      CHECK(recall.converged);
      for (Index i = 0; i < readings.concepts(); ++i)
        if (readings.activity(i) == 0) CHECK(recall.concepts[i] == 0);  // no evidence, no activation
      const Recall again = ConfiguredMethod(method).recall(readings, Cue(cue));
      CHECK(again.concepts == recall.concepts);
      CHECK(again.statements == recall.statements);
      CHECK(again.energies == recall.energies);
    }
  }
}

TEST_CASE("all scores are 0 for an empty memory, a forgotten memory or an empty cue", "[retrievers]") {
  Memory empty, memory = told(animals);
  Memory forgotten(with_decay(0.5));
  say(forgotten, "<tim --> cat>.");
  forgotten.advance(10000);
  const MemoryIndex nothing(empty), full(memory), faded(forgotten);
  for (const ConfiguredMethod& method : all_methods()) {
    CHECK(method.recall(nothing, Cue(Vector())).concepts.size() == 0);
    CHECK(method.recall(nothing, Cue(Vector())).statements.size() == 0);
    const Recall blank = method.recall(full, Cue(Vector::Zero(full.concepts())));
    CHECK(blank.concepts == Vector::Zero(full.concepts()));
    CHECK(blank.statements == Vector::Zero(full.statements()));
    CHECK(blank.iterations == 0);
    const Recall gone = method.recall(faded, Cue(Vector::Ones(faded.concepts())));
    CHECK(gone.concepts == Vector::Zero(faded.concepts()));
    CHECK(gone.statements == Vector::Zero(faded.statements()));
    CHECK_INVALID(method.recall(full, Cue(Vector::Ones(full.concepts() + 1))));
  }
}

// All scores of a recall by printed term, to compare memories with different ids.
std::map<std::string, double> by_name(const Memory& memory, const Recall& recall) {
  std::map<std::string, double> scores;
  for (ConceptId id = 0; id < memory.graph().size(); ++id)
    scores["concept " + narsese::print(memory.graph()[id].term)] = recall.concepts[id];
  for (std::size_t e = 0; e < memory.statements().size(); ++e)
    scores["statement " + narsese::print(memory.statements()[e].sentence)] =
        recall.statements[static_cast<Index>(e)];
  return scores;
}

TEST_CASE("the order of inputs does not change scores", "[retrievers]") {
  Rng rng(1, "retrievers_test permutation");
  Memory memory = told(animals);
  const MemoryIndex readings(memory);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<std::string> shuffled;
    for (const auto i : rng.permutation(static_cast<std::uint32_t>(animals.size())))
      shuffled.push_back(animals[i]);
    Memory other = told(shuffled);
    const MemoryIndex other_readings(other);
    for (const char* question : {"<tim --> ?1>", "<?1 --> animal>", "(*,rex,stone)"})
      for (const Method& method : methods()) {
        if (method.name == "continuous_attention") continue;  // its result depends on the order of statements
        INFO(method.name << ' ' << question);
        const ConfiguredMethod configured(method);
        const auto a = by_name(memory, configured.recall(readings, cue_for(memory, term(memory, question))));
        const auto b =
            by_name(other, configured.recall(other_readings, cue_for(other, term(other, question))));
        REQUIRE(a.size() == b.size());
        double worst = 0;
        for (const auto& [name, score] : a) worst = std::max(worst, std::abs(score - b.at(name)));
        CHECK(worst < 1e-10);  // the sums are in another order, and PageRank stops at changes of 1e-12
      }
  }
}

TEST_CASE("uniform fading does not change any recall", "[retrievers]") {
  Memory memory(with_decay(0.5));  // powers of 1/2 are exact
  for (const auto& line : animals) say(memory, line);
  MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "<tim --> ?1>")).activation;
  const double total = readings.total();
  std::map<std::string, Recall> fresh;
  for (const Method& method : methods())
    fresh[method.name] = ConfiguredMethod(method).recall(readings, Cue(cue));
  // The evidence falls by up to 2^-521, whose square underflows.
  for (const Time idle : {1u, 20u, 100u, 400u}) {
    memory.advance(idle);
    readings.catch_up();
    CHECK(readings.total() < total);
    for (const Method& method : methods()) {
      INFO(method.name);
      const Recall &before = fresh[method.name], after = ConfiguredMethod(method).recall(readings, Cue(cue));
      CHECK(distance(after.concepts, before.concepts) < 1e-12);  // rounding of quotients
      CHECK(distance(after.statements, before.statements) < 1e-12);
    }
  }
}

TEST_CASE_METHOD(Animals, "the score of attention is the mean weight over all steps, even after convergence",
                 "[retrievers]") {
  const Dense dense(readings);
  const Vector q = dense.query(cue_for(memory, term(memory, "<tim --> ?1>")).activation);
  Vector xi = q, mean = Vector::Zero(readings.statements());
  for (int t = 0; t < 100; ++t) {
    const Vector p = softmax_of(8.0 * (dense.keys * xi));
    xi = q + dense.keys.transpose() * p;
    mean += p / 100;
  }
  const Recall recall =
      recalled("attention", {{"steps", 100.0}}, readings, cue_for(memory, term(memory, "<tim --> ?1>")));
  CHECK(distance(recall.statements, mean) < 1e-12);
  CHECK(recall.iterations == 100);
}

TEST_CASE("attention scores statements of the second hop above unrelated ones", "[retrievers]") {
  Memory memory = told({"<tim --> cat>.", "<<$1 --> cat> ==> <$1 --> animal>>.",
                        "<<$1 --> animal> ==> <$1 --> mortal>>.", "<rock --> [hard]>.", "<sun --> star>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "<tim --> ?1>")).activation;
  const Recall cosine = recalled("cosine", {}, readings, cue);
  CHECK(cosine.statements[0] > 0);
  for (const Index e : {1, 2, 3, 4}) CHECK(cosine.statements[e] == 0);
  const Recall one_hop = recalled("attention", {{"steps", 1.0}}, readings, cue);
  CHECK(std::abs(one_hop.statements[1] - one_hop.statements[3]) <
        1e-15);  // one step does not distinguish the rule from the rock
  const Recall attention = recalled("attention", {}, readings, cue);
  CHECK(attention.statements[0] > attention.statements[1]);
  CHECK(attention.statements[1] > 1.01 * attention.statements[3]);
  CHECK(attention.statements[3] == Approx(attention.statements[4]).epsilon(1e-12));
  CHECK(attention.concepts[concept_of(memory, "animal")] > attention.concepts[concept_of(memory, "star")]);
  const Recall more = recalled("attention", {{"beta", 4.0}, {"steps", 10.0}}, readings, cue);
  CHECK(more.statements[2] > more.statements[3]);  // more steps also reach the second rule
}

TEST_CASE("attention without inverse frequency gives all concepts equal weight", "[retrievers]") {
  Memory memory = told({"<a --> x>.", "<b --> x>.", "<b --> y>."});
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, term(memory, "a"));
  const Vector plain =
      recalled("attention", {{"steps", 1.0}, {"inverse_frequency", "no"}}, readings, cue).statements;
  // The name a is one of two concepts of equal weight in its statement, so the cosine is 1/sqrt(2).
  const double first = std::exp(8 / std::sqrt(2.0));
  CHECK(std::abs(plain[0] - first / (first + 2)) < 1e-14);
  CHECK(std::abs(plain[1] - 1 / (first + 2)) < 1e-14);
  CHECK(plain[1] == plain[2]);
  CHECK(recalled("attention", {{"steps", 1.0}}, readings, cue).statements[0] >
        plain[0]);  // a is rarer than x, so idf raises its weight
}

TEST_CASE_METHOD(Animals, "attention equals a dense reference implementation", "[retrievers]") {
  const Dense dense(readings);
  for (const char* question : {"<tim --> ?1>", "(*,rex,stone)"})
    for (const int steps : {1, 2, 3, 5}) {
      const Vector cue = cue_for(memory, term(memory, question)).activation;
      const Vector q = dense.query(cue);
      Vector xi = q, mean = Vector::Zero(readings.statements());
      for (int t = 0; t < steps; ++t) {
        const Vector p = softmax_of(5.0 * (dense.keys * xi));
        xi = q + dense.keys.transpose() * p;
        mean += p / steps;
      }
      const Recall recall =
          recalled("attention", {{"beta", 5.0}, {"steps", static_cast<double>(steps)}}, readings, cue);
      CHECK(distance(recall.statements, mean) < 1e-13);  // rounding of a few steps
      CHECK(distance(recall.concepts, Vector(dense.a.transpose() * mean)) < 1e-13);
      CHECK(recall.iterations == steps);
      REQUIRE(recall.energies.size() == static_cast<std::size_t>(steps) + 1);
      CHECK(never_rises(recall.energies, 1e-14));
    }
}

TEST_CASE_METHOD(Animals,
                 "sparsemax_attention gives most statements exactly 0, argmax_attention one statement a hop",
                 "[retrievers]") {
  const Vector cue = cue_for(memory, term(memory, "(*,stone,hard)")).activation;
  const auto with = [&](SimplexMap map) {
    return recalled("attention", {{"map", std::string(name_of(simplex_maps, map))}}, readings, cue)
        .statements;
  };
  const auto positive = [](const Vector& v) { return (v.array() > 0).count(); };
  CHECK(positive(with(SimplexMap::softmax)) == readings.statements());
  CHECK(positive(with(SimplexMap::sparsemax)) < readings.statements() / 2);
  CHECK(with(SimplexMap::argmax) == Vector(Vector::Unit(readings.statements(), 8)));
}

TEST_CASE_METHOD(Animals, "concept_attention over incidence embeddings uses the cosine of columns",
                 "[retrievers]") {
  const Matrix columns = readings.evidence().cwiseSqrt().asDiagonal() * samples::dense(readings.episodes());
  for (const char* question : {"<tim --> ?1>", "<?1 --> animal>", "(*,rex,stone)"}) {
    const Vector cue = cue_for(memory, term(memory, question)).activation;
    const Vector query = columns * cue;
    const Vector held = cosines_of_active(readings, columns.transpose(), query);
    const Recall recall = recalled("concept_attention", {{"beta", 6.0}}, readings, cue);
    CHECK(distance(readings.over_active_concepts(recall.concepts), softmax_of(6.0 * held)) < 1e-13);
    CHECK(std::abs(recall.concepts.whole().sum() - 1) < 1e-14);
    CHECK(distance(recall.statements, readings.statement_scores(recall.concepts)) == 0);
  }
}

TEST_CASE_METHOD(Animals, "concept_attention over random_indexing uses the cosine of rows", "[retrievers]") {
  const Vector cue = cue_for(memory, term(memory, "<tim --> ?1>")).activation;
  Options options{{"beta", 6.0}, {"embedding", "random_indexing"}, {"dimensions", 64.0}, {"seed", 9.0}};
  const Matrix x = random_indexing(readings.episodes(), 64, 8, 9);
  const Vector query = x.transpose() * cue;
  const Vector held = cosines_of_active(readings, x, query);
  const auto recall = [&] { return recalled("concept_attention", options, readings, cue).concepts; };
  const Vector concepts = recall();
  CHECK(distance(readings.over_active_concepts(concepts), softmax_of(6.0 * held)) < 1e-13);
  options["seed"] = 10.0;
  CHECK(recall() != concepts);
  options["dimensions"] = 3.0;  // fewer dimensions than the eight entries of a statement's random vector
  CHECK(recall().whole().allFinite());
}

TEST_CASE("hopfield completes the group of the cue", "[retrievers]") {
  // Two groups of three that never occur together: correlations are 1 within a group and -1 between groups.
  Memory memory = told({"<(*,a,b) --> c>.", "<(*,d,e) --> f>.", "<(*,a,b) --> c>.", "<(*,d,e) --> f>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "a")).activation;
  for (const bool correlation : {true, false}) {
    const Recall recall =
        recalled("hopfield", {{"winners", 3.0}, {"couplings", correlation ? "correlation" : "covariance"}},
                 readings, cue);
    // The fields are 1 + 2w for a and 2w for b and c. The coupling w is 1 for correlation and 1/4 for covariance.
    const double w = correlation ? 1.0 : 0.25, share = 2 * w / (1 + 2 * w);
    CHECK(recall.concepts[concept_of(memory, "a")] == 1);
    for (const char* member : {"b", "c"})
      CHECK(std::abs(recall.concepts[concept_of(memory, member)] - share) < 1e-15 * 4);
    for (const char* stranger : {"d", "e", "f"}) CHECK(recall.concepts[concept_of(memory, stranger)] == 0);
    // All six concepts are equally rare, so the cosine is that of (1, share, share) with (1, 1, 1).
    const double cosine = (1 + 2 * share) / std::sqrt(3 * (1 + 2 * share * share));
    CHECK(std::abs(recall.statements[0] - cosine) < 1e-15 * 8);
    CHECK(recall.statements[1] == 0);
    CHECK(recall.iterations == 2);
    REQUIRE(recall.energies.size() == 3);
    // The energy is -1 for the field of the cue, and -w for each of three pairs.
    CHECK(std::abs(recall.energies[2] - (-1 - 3 * w)) < 1e-14);
  }
}

TEST_CASE_METHOD(Animals, "the default number of winners is the cue's units plus twice a statement's",
                 "[retrievers]") {
  int told_apart = 0;  // cases in which one winner fewer gives another result
  for (const char* question : {"<tim --> ?1>", "<?1 --> animal>", "(*,rex,stone)"}) {
    const Vector cue = cue_for(memory, term(memory, question)).activation;
    const Recall recall = recalled("hopfield", {}, readings, cue);
    const double most = cue.sum() + std::round(2 * readings.mean_episode_size());
    CHECK(recall.concepts == recalled("hopfield", {{"winners", most}}, readings, cue).concepts);
    if (recall.concepts != recalled("hopfield", {{"winners", most - 1}}, readings, cue).concepts)
      ++told_apart;
    CHECK(recall.concepts.whole().maxCoeff() == 1);
    REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.iterations) + 1);
    CHECK(falls(recall.energies));
    CHECK((recalled("hopfield", {{"winners", 1.0}}, readings, cue).concepts.whole().array() > 0).count() ==
          1);
  }
  CHECK(told_apart > 0);
}

// Median distance of unit rows to their nearest different row, over all pairs.
double separation_of(const Matrix& keys) {
  const Matrix overlaps = keys * keys.transpose();
  std::vector<double> separations;
  for (Index i = 0; i < keys.rows(); ++i) {
    double nearest = 0;
    for (Index j = 0; j < keys.rows(); ++j)
      if (overlaps(i, j) < 1 - 1e-9) nearest = std::max(nearest, overlaps(i, j));
    separations.push_back(1 - nearest);
  }
  std::ranges::sort(separations);
  return separations[separations.size() / 2];
}

TEST_CASE_METHOD(Animals, "modern_hopfield converges to the statement nearest to the cue", "[retrievers]") {
  const Dense dense(readings);
  const Vector cue = cue_for(memory, term(memory, "(*,stone,hard)")).activation;
  Vector xi = dense.query(cue), p;
  const double beta = separating_beta(SimplexMap::softmax, dense.keys.rows(), separation_of(dense.keys));
  for (int t = 0; t < 500; ++t) {
    p = softmax_of(beta * (dense.keys * xi));
    xi = dense.keys.transpose() * p;
  }
  const Recall recall = recalled("modern_hopfield", {}, readings, cue);
  CHECK(distance(recall.statements, p) < 1e-10);  // stops at changes of 1e-12
  CHECK(best(recall.statements) == 8);
  CHECK(distance(recall.concepts, Vector(dense.a.transpose() * p)) < 1e-10);
  CHECK(recall.converged);
  REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.iterations) + 1);
  CHECK(never_rises(recall.energies, 1e-14));
  CHECK_FALSE(recalled("modern_hopfield", {{"max_steps", 1.0}}, readings, cue).converged);
  REQUIRE(recall.certificate);
  const RetrievalCertificate told =
      certify_retrieval(SimplexMap::softmax, readings.keys().multiply(readings.query(cue)), beta);
  CHECK(recall.certificate->gap == told.gap);
  CHECK(recall.certificate->beta == Approx(beta).epsilon(1e-14));
  CHECK_FALSE(recall.certificate->exact);
  const auto exact = [&](double times) {  // sparsemax has margin 1, so `times` above 1 is enough
    const Options sharp{{"beta", times / told.gap}, {"map", "sparsemax"}};
    return recalled("modern_hopfield", sharp, readings, cue).certificate->exact;
  };
  CHECK(exact(1.001) == (told.gap > 0));
  CHECK_FALSE(exact(0.999));
}

TEST_CASE("the default beta of modern_hopfield separates 50 and 5000 statements", "[retrievers]") {
  for (const int count : {50, 5000}) {
    std::vector<std::string> said;
    for (int i = 0; i < count; ++i)
      said.push_back("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
    Memory memory = told(said);
    const MemoryIndex readings(memory);
    const Vector cue = cue_for(memory, term(memory, "a7")).activation;
    CHECK(recalled("modern_hopfield", {}, readings, cue).statements[7] > 0.99);
    const Vector faint = recalled("modern_hopfield", {{"beta", 8.0}}, readings, cue).statements;
    CHECK((faint[7] > 0.9) == (count == 50));  // among 5000 statements all weights are nearly equal at beta 8
  }
}

// Checks the certificates of a method that uses a simplex map. `scores` are the scores of its first step.
void check_certificate(const std::function<Recall(double beta, SimplexMap map)>& recall, Vector scores) {
  std::sort(scores.begin(), scores.end(), std::greater<>());
  const double gap = scores[0] - scores[1];
  REQUIRE(gap > 0);
  CHECK(recall(3, SimplexMap::softmax).certificate->gap == Approx(gap).epsilon(1e-12));
  CHECK(recall(3, SimplexMap::softmax).certificate->beta == 3);
  CHECK_FALSE(recall(1e6, SimplexMap::softmax).certificate->exact);
  // The share is relative to the least beta at which the best item gets all weight.
  for (const double share : {0.999, 1.001}) {
    CHECK(recall(share / gap, SimplexMap::sparsemax).certificate->exact == (share > 1));
    CHECK(recall(share * 2 / gap, SimplexMap::entmax).certificate->exact == (share > 1));
    CHECK(recall(share / gap, SimplexMap::entmax).certificate->margin == 2);
  }
}

TEST_CASE_METHOD(Animals, "attention and concept_attention certify their first step", "[retrievers]") {
  const Vector cue = cue_for(memory, term(memory, "(*,stone,hard)")).activation;
  check_certificate(
      [&](double beta, SimplexMap map) {
        return recalled("attention", {{"beta", beta}, {"map", std::string(name_of(simplex_maps, map))}},
                        readings, cue);
      },
      readings.keys().multiply(readings.query(cue)));
  const Matrix columns = readings.evidence().cwiseSqrt().asDiagonal() * samples::dense(readings.episodes());
  const Vector query = columns * cue;
  const Vector scores = cosines_of_active(readings, columns.transpose(), query);
  const auto to_concepts = [&](double beta, SimplexMap map) {
    return recalled("concept_attention", {{"beta", beta}, {"map", std::string(name_of(simplex_maps, map))}},
                    readings, cue);
  };
  check_certificate(to_concepts, scores);
  // The certificate must agree with the support of the step.
  for (const double beta : {0.5, 2.0, 8.0, 32.0, 1e4}) {
    const Recall recall = to_concepts(beta, SimplexMap::sparsemax);
    CHECK(recall.certificate->exact == ((recall.concepts.whole().array() > 0).count() == 1));
  }
}

TEST_CASE("cosine and overlap match hand-computed values", "[retrievers]") {
  Memory memory = told({"<tim --> cat>.", "<tom --> cat>.", "<(*,tim,tom) --> friend>.", "<rex --> dog>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "<tim --> cat>")).activation;
  const Recall overlap = recalled("overlap", {}, readings, cue);
  // The score is the number of shared concepts divided by the number of all concepts: 2/2, 1/3, 1/4, 0/4.
  CHECK(overlap.statements == vector({1, 1.0 / 3, 0.25, 0}));
  const double total = 1 + 1.0 / 3 + 0.25;
  CHECK(std::abs(overlap.concepts[concept_of(memory, "tim")] - 1.25 / total) < 1e-15 * 2);
  CHECK(std::abs(overlap.concepts[concept_of(memory, "friend")] - 0.25 / total) < 1e-15 * 2);
  CHECK(overlap.concepts[concept_of(memory, "dog")] == 0);

  // The idf is log 3 for tim, tom and cat, which are in two of four statements, and log 5 for friend, which is in one.
  const Recall cosine = recalled("cosine", {}, readings, cue);
  const double common = std::log(3.0), rare = std::log(5.0);
  CHECK(std::abs(cosine.statements[0] - 1) < 1e-15 * 4);
  CHECK(std::abs(cosine.statements[1] - 0.5) < 1e-15 * 4);
  CHECK(std::abs(cosine.statements[2] -
                 common / std::sqrt(2.0) / std::sqrt(2 * common * common + rare * rare)) < 1e-15 * 4);
  CHECK(cosine.statements[3] == 0);
}

TEST_CASE_METHOD(Animals, "pagerank solves its linear equations on the Hebbian graph", "[retrievers]") {
  const Matrix links = samples::dense(readings.links());
  const Vector cue = cue_for(memory, term(memory, "(*,rex,stone)")).activation;
  const Vector v = cue / cue.sum();
  Matrix p = links;
  for (Index i = 0; i < p.rows(); ++i)
    if (links.row(i).sum() > 0)
      p.row(i) /= links.row(i).sum();
    else
      p.row(i) = v.transpose();
  for (const double damping : {0.3, 0.85}) {
    const Vector exact = (Matrix::Identity(p.rows(), p.cols()) - damping * p.transpose())
                             .partialPivLu()
                             .solve((1 - damping) * v);
    const Recall recall = recalled("pagerank", {{"damping", damping}}, readings, cue);
    CHECK(distance(recall.concepts, exact) < 1e-11);  // PageRank stops at changes of 1e-12
    CHECK(distance(recall.statements, readings.statement_scores(recall.concepts)) == 0);
    CHECK(recall.converged);
    CHECK(recall.iterations > 1);
  }
  CHECK(recalled("pagerank", {{"damping", 0.0}}, readings, cue).concepts == v);  // only the restart remains
}

TEST_CASE("frequency and uniform ignore the cue", "[retrievers]") {
  Memory memory =
      told({"<tim --> cat>. %1.0;0.5%", "<tom --> cat>. %1.0;0.25%", "<tim --> cat>. %1.0;0.25%"});
  const MemoryIndex readings(memory);
  for (const char* cue_text : {"tim", "(*,tom,cat)"}) {
    const Vector cue = cue_for(memory, term(memory, cue_text)).activation;
    const Recall frequency = recalled("frequency", {}, readings, cue);
    CHECK(frequency.statements == vector({0.75, 0.25}));
    CHECK(frequency.concepts[concept_of(memory, "cat")] == 1);
    CHECK(frequency.concepts[concept_of(memory, "tim")] == 0.75);
    CHECK(frequency.concepts[concept_of(memory, "tom")] == 0.25);
    CHECK(frequency.concepts[concept_of(memory, "<tim --> cat>")] == 0);
    const Recall uniform = recalled("uniform", {}, readings, cue);
    CHECK(uniform.statements == Vector::Constant(2, 0.5));
    for (const char* holder : {"tim", "tom", "cat"})
      CHECK(uniform.concepts[concept_of(memory, holder)] == 1.0 / 3);
    CHECK(uniform.concepts[concept_of(memory, "<tim --> cat>")] == 0);
  }
}

TEST_CASE("all methods find a single statement", "[retrievers]") {
  Memory memory = told({"<tim --> cat>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "tim")).activation;
  for (const Method& method : methods()) {
    INFO(method.name);
    const Recall recall = ConfiguredMethod(method).recall(readings, Cue(cue));
    CHECK(recall.statements[0] > 0);
    CHECK(recall.concepts.whole().allFinite());
    CHECK(recall.concepts[concept_of(memory, "tim")] > 0);
  }
}

constexpr std::array<std::pair<const char*, double>, 4> alphas{
    {{"1", 1.0}, {"4/3", 4.0 / 3}, {"3/2", 1.5}, {"2", 2.0}}};

TEST_CASE("continuous_attention equals a dense reference implementation", "[retrievers]") {
  Memory memory = told(animals);
  say(memory, "<tim --> cat>. %1.0;0.3%");  // a repeated statement has the time of its last input
  const MemoryIndex readings(memory);
  const Dense dense(readings);
  const Index p = readings.statements();
  Vector times(p);  // the cycles of the last inputs are 11, 2, 3, ..., 10
  for (Index e = 0; e < p; ++e) times[e] = (e == 0 ? 9.0 : static_cast<double>(e) - 1) / 9;
  for (const char* question : {"<tim --> ?1>", "(*,rex,stone)"})
    for (const auto& [name, alpha] : alphas) {
      const Vector cue = cue_for(memory, term(memory, question)).activation;
      const Vector weights = softmax_of(6 * (dense.keys * dense.query(cue)));
      const double mu = weights.dot(times),
                   variance = (weights.array() * (times.array() - mu).square()).sum();
      const TimeDensity density(alpha, mu, std::max(variance, 0.0025));
      Vector budget(p);
      for (Index e = 0; e < p; ++e) budget[e] = density.at(times[e]);
      budget /= budget.sum();
      Matrix f(p, 4);
      Vector r(4);
      for (Index j = 0; j < 4; ++j) {
        const double centre = static_cast<double>(j) / 3, width = 1.0 / 3;
        for (Index e = 0; e < p; ++e)
          f(e, j) = std::exp(-0.5 * std::pow((times[e] - centre) / width, 2)) /
                    (width * std::sqrt(2 * std::numbers::pi));
        r[j] = density.expectation(centre, width);
      }
      const Matrix b =
          (f.transpose() * f + 0.3 * Matrix::Identity(4, 4)).ldlt().solve(f.transpose() * dense.a);
      const Recall recall = recalled(
          "continuous_attention",
          {{"alpha", name}, {"beta", 6.0}, {"basis_functions", 4.0}, {"ridge", 0.3}, {"least_width", 0.05}},
          readings, cue);
      CHECK(distance(recall.statements, budget) < 1e-12);
      CHECK(distance(recall.concepts, Vector((b.transpose() * r).cwiseMax(0.0))) < 1e-10);
    }
}

TEST_CASE("continuous_attention finds the time of the cue and the concepts active then", "[retrievers]") {
  // Three scenes of ten statements; the cue belongs to the second.
  Memory memory;
  for (const char* scene : {"x", "y", "z"})
    for (int i = 0; i < 10; ++i) {
      const std::string name = scene + std::to_string(i);
      say(memory,
          i % 2 == 0 ? "<" + name + " --> (*,here," + scene + ")>." : "<" + name + " --> (*,there,rain)>.");
    }
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "y")).activation;
  for (const char* alpha : {"2", "3/2", "4/3", "1"}) {
    const Recall recall =
        ConfiguredMethod("continuous_attention", {{"alpha", alpha}}).recall(readings, Cue(cue));
    double in_scene = 0;
    for (Index e = 10; e < 20; ++e) in_scene += recall.statements[e];
    CHECK(in_scene > 0.7);
    CHECK(std::abs(recall.statements.whole().sum() - 1) < 1e-14);
    // y3 shares only the time with the cue; x3 shares nothing.
    CHECK(recall.concepts[concept_of(memory, "y3")] > 2 * recall.concepts[concept_of(memory, "x3")]);
    CHECK(recall.statements[13] > 3 * recall.statements[3]);
  }
}

TEST_CASE("a reversed history gives a mirrored budget", "[retrievers]") {
  std::vector<std::string> backwards(animals.rbegin(), animals.rend());
  Memory memory = told(animals), mirrored = told(backwards);
  const MemoryIndex readings(memory), others(mirrored);
  for (const char* question : {"<tim --> ?1>", "(*,rex,stone)"})
    for (const auto& alpha : alphas) {
      const auto recall = [&](Memory& m, const MemoryIndex& r) {
        return by_name(
            m, recalled("continuous_attention", {{"alpha", alpha.first}}, r, cue_for(m, term(m, question))));
      };
      const auto a = recall(memory, readings);
      const auto b = recall(mirrored, others);
      for (const auto& [item, score] : a)
        CHECK(std::abs(score - b.at(item)) < 1e-9);  // the condition number of the fit is 1e5
    }
}

TEST_CASE("continuous_attention gives some budget for any history", "[retrievers]") {
  Rng rng(6, "retrievers_test history");
  for (int trial = 0; trial < 60; ++trial) {
    // With this decay, evidence vanishes after about 320 cycles.
    Memory memory(with_decay(trial % 3 == 0 ? 0.9 : 0.0));
    const auto statements = 1 + rng.below(6);
    for (std::uint64_t i = 0; i < statements; ++i) {
      say(memory, "<a" + std::to_string(rng.below(5)) + " --> b" + std::to_string(rng.below(5)) + ">.");
      memory.advance(rng.below(2) == 0 ? 0 : rng.below(1000));
    }
    say(memory, "<a0 --> b0>.");
    const MemoryIndex readings(memory);
    for (const char* alpha : {"2", "3/2", "4/3", "1"})
      for (const double width : {1e-6, 0.02, 1.0}) {
        const Recall recall = ConfiguredMethod("continuous_attention",
                                               {{"alpha", alpha}, {"least_width", width}, {"ridge", 1e-6}})
                                  .recall(readings, cue_for(memory, term(memory, "a0")));
        REQUIRE(recall.statements.whole().allFinite());
        REQUIRE(recall.concepts.whole().allFinite());
        REQUIRE(std::abs(recall.statements.whole().sum() - 1) < 1e-14);
        REQUIRE(recall.concepts.whole().maxCoeff() > 0);
        REQUIRE(recall.concepts.whole().minCoeff() >= 0);
        for (Index e = 0; e < readings.statements(); ++e)
          if (readings.evidence(e) == 0) REQUIRE(recall.statements[e] == 0);
      }
  }
}

// A term of each kind, alone and as a component of each kind of compound.
std::vector<std::string> terms_of_every_shape() {
  const std::vector<std::string> inner{"a",
                                       "^go",
                                       "#1",
                                       "$1",
                                       "?1",
                                       "{a}",
                                       "[#1]",
                                       "(*,a,#1)",
                                       "(/,r,_,#1)",
                                       "(\\,r,a,_)",
                                       "(&,a,#1)",
                                       "(--,#1)",
                                       "(&&,a,#1)",
                                       "(&/,a,+3,#1)",
                                       "<#1 --> a>",
                                       "<a <-> #1>",
                                       "<#1 ==> <$1 --> a>>",
                                       "<a <=> #1>",
                                       "<(*,{SELF},#1) --> ^go>"};
  std::vector<std::string> all = inner;
  for (const std::string& t : inner)
    for (const auto& [before, after] :
         std::vector<std::pair<std::string, std::string>>{{"(--,", ")"},
                                                          {"(*,", ")"},
                                                          {"(*,b,", ")"},
                                                          {"{", "}"},
                                                          {"[b,", "]"},
                                                          {"(&,b,", ")"},
                                                          {"(-,b,", ")"},
                                                          {"(&&,b,", ")"},
                                                          {"(||,b,", ")"},
                                                          {"(&/,", ",+5,b)"},
                                                          {"(/,", ",_,b)"},
                                                          {"<", " --> b>"},
                                                          {"<b --> ", ">"},
                                                          {"<b <-> ", ">"},
                                                          {"<b ==> ", ">"},
                                                          {"<", " ==> b>"},
                                                          {"<b <=> ", ">"},
                                                          {"<(&&,b,", ") ==> c>"},
                                                          {"<<b ==> ", "> ==> c>"},
                                                          {"<(--,", ") ==> <$1 --> b>>"},
                                                          {"<", " =/> b>"}})
      all.push_back(before + t + after);
  return all;
}

TEST_CASE("all methods recall and explain terms of all shapes", "[methods]") {
  std::size_t memories = 0;
  for (const std::string& shape : terms_of_every_shape()) {
    INFO(shape);
    Memory memory = told({"<(a * b) --> r>.", "<b --> c>.", "<<$1 --> b> ==> <$1 --> c>>."});
    const auto parsed = narsese::parse_sentence(shape + ".", memory.terms());
    if (!parsed) continue;  // not in the grammar, for example an interval alone
    REQUIRE(memory.accept(*parsed));
    ++memories;
    const MemoryIndex readings(memory);
    for (const std::string& cue : {std::string("<(x * y) --> r>"), std::string("<?1 --> c>"), shape}) {
      INFO(cue);
      const Cue asked = cue_for(memory, term(memory, cue));
      for (const Method& method : methods()) {
        INFO(method.name);
        const Recall recall = ConfiguredMethod(method).recall(readings, asked);
        const ExplainerPtr explainer = ConfiguredMethod(method).explain(readings, asked, recall);
        for (Index e = 0; e < readings.statements(); ++e) {
          REQUIRE(std::isfinite(recall.statements[e]));
          if (recall.statements[e] > 0)
            CHECK(explainer->of_statement(static_cast<StatementId>(e)).score == recall.statements[e]);
        }
        for (Index i = 0; i < readings.concepts(); ++i)
          if (recall.concepts[i] > 0)
            CHECK(explainer->of_concept(static_cast<ConceptId>(i)).score == recall.concepts[i]);
      }
    }
  }
  CHECK(memories > 350);
}

}  // namespace
}  // namespace engram::core
