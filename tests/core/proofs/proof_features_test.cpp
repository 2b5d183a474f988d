// SPDX-License-Identifier: MIT
#include "core/proofs/proof_features.hpp"

#include "core/index/concept_embedding.hpp"
#include "core/proofs/associations.hpp"
#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Found = std::map<std::string, double>;

// A memory with a scorer. Its functions return nonzero features by name.
class Scored {
 public:
  explicit Scored(const std::vector<std::string>& lines, const ProofWeights& theta = plain_proof_weights,
                  bool all = true)
      : memory_(told(lines)), index_(memory_), scorer_(index_, theta, {}, nullptr, all) {}

  static Found found_in(const ProofFeatures& features) {
    Found found;
    for (std::size_t f = 0; f < proof_features; ++f)
      if (features[f] != 0) found[std::string(proof_feature_facts[f].name)] = features[f];
    return found;
  }

  // The features of the first step that uses statement e in a proof of the question.
  Found step(const std::string& question, StatementId e) {
    return step(search_proofs(scorer_, {term(memory_, question)}, {}), e);
  }
  // The features of a step that uses statement e in a guess.
  Found guessed(const std::string& question, StatementId e) {
    const ProofQuery asked = samples::asked(memory_, index_, question);
    return step(search_associations(scorer_, asked.pairs, {}, {}, {}), e);
  }

  ConceptId id(const std::string& name) { return concept_of(memory_, name); }
  double link(const std::string& a, const std::string& b) {
    const Vector activity = index_.activity();
    return dense(index_.links())(id(a), id(b)) / std::sqrt(activity[id(a)] * activity[id(b)]);
  }
  // Adds the uncertainty of a statement with frequency 1 and confidence 0.9.
  static Found usual(Found others) {
    others["uncertainty"] = 1 - 0.9;
    return others;
  }
  const MemoryIndex& index() const { return index_; }
  const ProofScorer& scorer() const { return scorer_; }

 private:
  static Found step(const ProofForest& forest, StatementId e) {
    for (const ProofForest::Proved& proved : forest.proved)
      for (const ProofForest::Step& step : proved.steps)
        if (step.statement == e) return found_in(step.features);
    return {};
  }

  Memory memory_;
  MemoryIndex index_;
  ProofScorer scorer_;
};

void check_equal(const Found& found, const Found& expected) {
  std::string all;
  for (const auto& [name, value] : found) all += name + " " + std::to_string(value) + "; ";
  INFO(all);
  CHECK(found.size() == expected.size());
  for (const auto& [name, value] : expected) {
    INFO(name);
    CHECK((found.contains(name) && found.at(name) == Approx(value)));
  }
}

double hub_of(int statements) { return std::log(1.0 + statements) / 5; }

}  // namespace

TEST_CASE("each step has features of its move, counterevidence and uncertainty", "[proofs]") {
  const Scored scored({"<a --> b>.", "<a --> c>. %0.1;0.9%", "<a --> d>. %0.6;0.5%", "<a --> e>. %0.5;0.9%",
                       "<a --> f>. %0;0.9%"});
  const auto of = [&](StatementId e, ProofMove move) {
    return Scored::found_in(scored.scorer().features(e, move));
  };
  check_equal(of(0, ProofMove::fact), Scored::usual({{"fact", 1}}));
  check_equal(of(0, ProofMove::rule), Scored::usual({{"rule", 1}}));
  check_equal(of(0, ProofMove::inheritance), Scored::usual({{"inheritance", 1}}));
  check_equal(of(0, ProofMove::similarity), Scored::usual({{"similarity", 1}}));
  check_equal(of(0, ProofMove::association), Scored::usual({{"association", 1}}));
  check_equal(of(1, ProofMove::fact), {{"fact", 1}, {"counterevidence", 2 * 0.1}, {"uncertainty", 1 - 0.9}});
  check_equal(of(2, ProofMove::rule), {{"rule", 1}, {"counterevidence", 2 * 0.4}, {"uncertainty", 1 - 0.5}});
  check_equal(of(3, ProofMove::fact), {{"fact", 1}, {"counterevidence", 1}, {"uncertainty", 1 - 0.9}});
  // A denied statement has no counterevidence to its denial.
  check_equal(of(4, ProofMove::fact), Scored::usual({{"fact", 1}}));
}

TEST_CASE("steps of proofs have the features of the names that they lead to", "[proofs]") {
  Scored scored({
      "<a --> m>.",                                     // statement 0
      "<m --> b>.",                                     // 1
      "<b <-> c>.",                                     // 2
      "<(*,a,x) --> r>.",                               // 3
      "<(*,y,z) --> r>.",                               // 4
      "<(*,y,x) --> r>.",                               // 5
      "<r --> s>.",                                     // 6
      "<(*,m,z) --> t>.",                               // 7
      "<<(*,$1,$2) --> r> ==> <(*,$2,$1) --> back>>.",  // 8
      "<{k} --> m>.",                                   // 9
  });
  check_equal(scored.step("<a --> m>", 0), Scored::usual({{"fact", 1}}));
  check_equal(scored.step("<a --> b>", 0),
              Scored::usual({{"inheritance", 1}, {"link", scored.link("a", "m")}}));
  check_equal(scored.step("<{k} --> b>", 9),
              Scored::usual({{"inheritance", 1}, {"link", scored.link("k", "m")}}));
  // The step leads from c to b and replaces c by b.
  check_equal(scored.step("<m --> c>", 2),
              Scored::usual({{"similarity", 1}, {"link", scored.link("b", "c")}}));
  check_equal(scored.step("<(*,a,z) --> t>", 0),
              Scored::usual({{"inheritance", 1}, {"link", scored.link("a", "m")}}));
  check_equal(scored.step("<(*,a,x) --> s>", 6),
              Scored::usual({{"inheritance", 1}, {"link", scored.link("r", "s")}}));
  check_equal(scored.step("<(*,x,a) --> back>", 8), Scored::usual({{"rule", 1}}));
  // In an open goal, the step leads from the rarest name of the goal to the name that replaces the variable.
  check_equal(scored.step("<(*,a,?1) --> r>", 3),
              Scored::usual({{"fact", 1}, {"link", scored.link("a", "x")}}));
  check_equal(scored.step("<?1 --> m>", 9), Scored::usual({{"fact", 1}, {"link", scored.link("k", "m")}}));
  // If the step leads to several names, the largest value of the feature counts.
  CHECK(scored.step("<(*,?1,?2) --> r>", 3)["link"] ==
        Approx(std::max(scored.link("r", "a"), scored.link("r", "x"))));
}

TEST_CASE("steps of guesses have features of direction, of the question and of hubs", "[proofs]") {
  Scored scored({
      "<(*,a,m) --> r>.",  // statement 0
      "<(*,b,m) --> r>.",  // 1
      "<a <-> n>.",        // 2
      "<n --> b>.",        // 3
      "<b --> o>.",        // 4
      "(&&,o,a).",         // 5
      "<m --> k>.",        // 6
      "<b ==> p>.",        // 7
      "<a --> q>.",        // 8
      "<a --> s>.",        // 9
  });
  // b has fewer statements than a, so the search begins at b. The steps are still those of paths from a to b.
  const std::string question = "<(*,a,b) --> r>";
  check_equal(scored.guessed(question, 1),
              Scored::usual({{"association", 1}, {"backwards", 1}, {"link", scored.link("b", "m")}}));
  check_equal(
      scored.guessed(question, 0),
      Scored::usual({{"association", 1}, {"asked", 1}, {"hub", hub_of(3)}, {"link", scored.link("a", "m")}}));
  check_equal(scored.guessed(question, 3),
              Scored::usual({{"association", 1}, {"link", scored.link("b", "n")}}));
  check_equal(scored.guessed(question, 2),
              Scored::usual({{"association", 1}, {"hub", hub_of(2)}, {"link", scored.link("a", "n")}}));
  CHECK(scored.guessed(question, 4)["backwards"] == 1);
  CHECK_FALSE(scored.guessed(question, 5).contains("backwards"));  // a conjunction has no direction
  CHECK(scored.guessed("<a --> b>", 3)["asked"] == 1);
  CHECK_FALSE(scored.guessed("<a --> b>", 4).contains("asked"));
  CHECK(scored.guessed("<a <-> b>", 2)["asked"] == 1);
  CHECK(scored.guessed("<b ==> a>", 7)["asked"] == 1);
  CHECK_FALSE(scored.guessed("<(*,a,b) --> k>", 0).contains("asked"));
  CHECK(scored.guessed("<(*,a,b) --> ?1>", 0)["asked"] == 1);
  CHECK(scored.guessed("<(*,?1,m) --> r>", 0)["asked"] == 1);
}

TEST_CASE("features with weight 0 are computed only on request", "[proofs]") {
  const std::vector<std::string> lines{"<a --> b>.", "<b --> c>."};
  for (const bool all : {true, false})
    for (const ProofFeature f : {ProofFeature::hub, ProofFeature::link}) {
      ProofWeights theta = plain_proof_weights;
      at(theta, f) = 0.5;
      Scored scored(lines, theta, all);
      ProofFeatures found = scored.scorer().features(0, ProofMove::inheritance);
      scored.scorer().add_hub(found, scored.id("b"));
      scored.scorer().add_link(found, scored.id("a"), scored.id("b"));
      for (const ProofFeature other : {ProofFeature::hub, ProofFeature::link})
        CHECK((at(found, other) != 0) == (all || other == f));
    }
}

TEST_CASE("nearness is the largest cosine with another name of the question", "[proofs]") {
  Memory memory =
      told({"<a --> b>.", "<b --> c>.", "<c --> d>.", "<d --> a>.", "<(*,a,e) --> r>.", "<e --> f>."});
  const MemoryIndex index(memory);
  const EmbeddingSpec spec{EmbeddingKind::svd, 4};
  const Matrix x = embed(index, spec);
  const auto id = [&](const char* name) { return concept_of(memory, name); };
  const ProofScorer scorer(index, {}, {id("a"), id("c")}, embedded(index, spec), true);
  const ProofScorer without(index, {}, {id("a"), id("c")}, nullptr, true);
  int above = 0;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    double expected = 0;
    for (const char* asked : {"a", "c"}) {
      const auto i = static_cast<Index>(id(name)), j = static_cast<Index>(id(asked));
      if (i != j) expected = std::max(expected, x.row(i).dot(x.row(j)) / (x.row(i).norm() * x.row(j).norm()));
    }
    ProofFeatures found{};
    scorer.add_nearness(found, id(name));
    CHECK(at(found, ProofFeature::nearness) == Approx(expected).margin(1e-12));
    CHECK(at(found, ProofFeature::nearness) <= 1);
    above += expected > 0.1 ? 1 : 0;
    ProofFeatures none{};
    without.add_nearness(none, id(name));
    CHECK(none == ProofFeatures{});
  }
  CHECK(above > 2);
}

TEST_CASE("the cost of a step is -theta . f, at least least_step_cost", "[proofs]") {
  const Scored scored({"<a --> b>."});
  ProofFeatures features{};
  at(features, ProofFeature::rule) = 1;
  at(features, ProofFeature::counterevidence) = 0.25;
  CHECK(scored.scorer().cost(features) == Approx(2 + 2 * 0.25));
  CHECK(score_of(plain_proof_weights, features) == Approx(-2.5));
  CHECK(scored.scorer().least_cost() == 2);
  ProofWeights theta{};
  at(theta, ProofFeature::rule) = 3;
  CHECK(Scored({"<a --> b>."}, theta).scorer().cost(features) == least_step_cost);
  CHECK(Scored({"<a --> b>."}, theta).scorer().least_cost() == least_step_cost);
}

TEST_CASE("weights are converted to a vector and back, clamped", "[proofs]") {
  Vector theta = vector_of(shipped_proof_weights);
  CHECK(theta[static_cast<Index>(ProofFeature::rule)] == at(shipped_proof_weights, ProofFeature::rule));
  CHECK(proof_weights_of(theta) == shipped_proof_weights);
  theta[3] = -31;
  CHECK(proof_weights_of(theta)[3] == -largest_proof_weight);
  CHECK_INVALID(proof_weights_of(Vector::Zero(3)));
}

}  // namespace engram::core
