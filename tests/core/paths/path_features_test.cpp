// SPDX-License-Identifier: MIT
#include "core/paths/path_features.hpp"

#include <cmath>
#include <map>
#include <string>

#include "core/retrieval/concept_embedding.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using Found = std::map<std::string, double>;

auto add_to(Found& found) {
  return [&found](PathFeature f, double x) {
    found[std::string(path_feature_facts[static_cast<std::size_t>(f)].name)] += x;
  };
}

// What a row of names has, over the statement of each two, as features of its own steps and joints.
class Scored {
 public:
  explicit Scored(const std::vector<std::string>& lines)
      : memory_(samples::told(lines)), readings_(memory_), rules_(readings_) {}

  void ask(StepKind kind, const std::string& relation = "") {
    question_.asked = {kind, relation.empty() ? 0 : id(relation), false};
  }
  void ask_any_relation() {
    question_.asked = {StepKind::relation, 0, false};
    question_.relation_known = false;
  }

  Found step(const std::string& from, const std::string& to) {
    Found found;
    scorer().step(pass(from, to), id(from), add_to(found));
    for (const char* always : {"evidence", "doubted", "link"}) found.erase(always);  // by themselves below
    return found;
  }
  double step(const std::string& from, const std::string& to, const std::string& feature) {
    Found found;
    scorer().step(pass(from, to), id(from), add_to(found));
    return found[feature];
  }
  Found joint(const std::string& from, const std::string& between, const std::string& to) {
    Found found;
    scorer().joint(pass(from, between), id(between), pass(between, to), add_to(found));
    found.erase("hub");
    return found;
  }
  double hub(const std::string& between) { return scorer().hub(id(between)); }
  bool starts(const std::string& from, const std::string& to) {
    Found found;
    scorer().first(pass(from, to), add_to(found));
    return found == Found{{"start", 1}};
  }
  bool ends(const std::string& from, const std::string& to) {
    Found found;
    scorer().last(pass(from, to), add_to(found));
    return found == Found{{"end", 1}};
  }
  Memory& memory() { return memory_; }

 private:
  ConceptId id(const std::string& name) { return samples::concept_of(memory_, name); }
  PathScorer scorer() const { return PathScorer(readings_, rules_, question_); }
  Pass pass(const std::string& from, const std::string& to) {
    for (const Pass& one : readings_.passes().from(id(from)))
      if (one.to == id(to)) return one;
    throw std::out_of_range(from + " does not lead to " + to);
  }
  Memory memory_;
  Readings readings_;
  RelationRules rules_;
  PathQuestion question_;
};

}  // namespace

TEST_CASE("a step has its kind, whether it says what is asked, and how far it is believed", "[core][paths]") {
  Scored scored({"<a --> b>.", "<a <-> c>.", "<a ==> d>.", "<(*,a,e) --> r>.", "<(*,a,f,g) --> r>.",
                 "<a --> h>. %0.1;0.9%", "<a --> i>. %0.6;0.5%"});
  scored.ask(StepKind::similarity);
  CHECK(scored.step("a", "b") == Found{{"inheritance_on", 1}});
  CHECK(scored.step("b", "a") == Found{{"inheritance_back", 1}});
  CHECK(scored.step("a", "c") == Found{{"similarity", 1}, {"asked", 1}});
  CHECK(scored.step("c", "a") == Found{{"similarity", 1}, {"asked", 1}});
  CHECK(scored.step("a", "d") == Found{{"implication_on", 1}});
  CHECK(scored.step("d", "a") == Found{{"implication_back", 1}});
  CHECK(scored.step("a", "e") == Found{{"relation_on", 1}});
  CHECK(scored.step("e", "a") == Found{{"relation_back", 1}});
  CHECK(scored.step("f", "g") == Found{{"other", 1}});
  scored.ask(StepKind::inheritance);
  CHECK(scored.step("a", "b")["asked"] == 1);
  CHECK(scored.step("b", "a").count("asked") == 0);
  scored.ask(StepKind::relation, "r");
  CHECK(scored.step("a", "e")["asked"] == 1);
  scored.ask(StepKind::relation, "g");
  CHECK(scored.step("a", "e").count("asked") == 0);
  scored.ask_any_relation();
  CHECK(scored.step("a", "e")["asked"] == 1);

  // Expectation c (f - 1/2) + 1/2; the evidence of an episode is its confidence.
  CHECK(scored.step("a", "h", "denied") == Approx(1 - 2 * (0.9 * (0.1 - 0.5) + 0.5)));
  CHECK(scored.step("a", "h", "doubted") == 0);
  CHECK(scored.step("a", "i", "doubted") == Approx(2 - 2 * (0.5 * (0.6 - 0.5) + 0.5)));
  CHECK(scored.step("a", "i", "evidence") == Approx(std::log(1 + 0.5) / 5));
  CHECK(scored.step("a", "b", "evidence") == Approx(std::log(1 + 0.9) / 5));
}

TEST_CASE("a step has the quarters of the cosine of its names' embeddings", "[core][paths]") {
  Memory memory = samples::told(
      {"<a --> b>.", "<b --> c>.", "<c --> d>.", "<d --> a>.", "<(*,a,e) --> r>.", "<e --> f>."});
  const Readings readings(memory);
  const RelationRules rules(readings);
  const EmbeddingSpec spec{EmbeddingKind::svd, 6};
  const PathScorer scorer(readings, rules, {}, embedded(readings, spec)), without(readings, rules, {});
  const Matrix x = embed(readings, spec);
  for (const std::string from : {"a", "b", "e"}) {
    const ConceptId a = samples::concept_of(memory, from);
    for (const Pass& pass : readings.passes().from(a)) {
      std::array<double, embedding_bands> found{};
      scorer.bands(a, pass.to, [&](PathFeature f, double value) {
        found[static_cast<std::size_t>(f) - static_cast<std::size_t>(PathFeature::embedding_1)] = value;
      });
      const auto i = static_cast<Index>(a), j = static_cast<Index>(pass.to);
      const double lengths = x.row(i).norm() * x.row(j).norm();
      const std::array<std::pair<Index, Index>, embedding_bands> quarters{{{0, 1}, {1, 3}, {3, 4}, {4, 6}}};
      for (std::size_t band = 0; band < embedding_bands; ++band) {
        const auto [begin, end] = quarters[band];
        CHECK(std::abs(found[band] -
                       x.row(i).segment(begin, end - begin).dot(x.row(j).segment(begin, end - begin)) /
                           lengths) < 1e-12);
      }
      int told = 0;
      without.step(pass, a, [&](PathFeature f, double) { told += f >= PathFeature::embedding_1 ? 1 : 0; });
      CHECK(told == 0);
    }
  }
}

TEST_CASE("weights are a vector and back", "[core][paths]") {
  const Vector theta = vector_of(shipped_path_weights);
  CHECK(theta[static_cast<Index>(PathFeature::derived)] == at(shipped_path_weights, PathFeature::derived));
  CHECK(path_weights_in(theta) == shipped_path_weights);
  CHECK_THROWS_AS(path_weights_in(Vector::Zero(3)), std::invalid_argument);
}

TEST_CASE("the link is the cosine of incidence embeddings, unless something is denied", "[core][paths]") {
  const std::vector<std::string> lines{"<a --> b>.", "<a --> c>. %1.0;0.5%", "<a --> c>.",
                                       "<(*,b,c) --> r>."};
  const auto link_and_cosine = [](const std::vector<std::string>& told) {
    Scored scored(told);
    const Matrix x = embed(Readings(scored.memory()), {});
    const auto a = static_cast<Index>(samples::concept_of(scored.memory(), "a")),
               c = static_cast<Index>(samples::concept_of(scored.memory(), "c"));
    return std::pair(scored.step("a", "c", "link"),
                     x.row(a).dot(x.row(c)) / (x.row(a).norm() * x.row(c).norm()));
  };
  const auto [link, cosine] = link_and_cosine(lines);
  CHECK(link == Approx(cosine).epsilon(1e-12));
  CHECK(link > 0.3);
  CHECK(link < 0.9);
  std::vector<std::string> denied = lines;
  denied.push_back("<a --> c>. %0.0;0.5%");
  const auto [less, other] = link_and_cosine(denied);
  CHECK(less < other - 0.01);
}

TEST_CASE("a step has the Hebbian link of its names", "[core][paths]") {
  Scored scored({"<a --> b>.", "<a --> c>.", "<a --> c>."});
  const Matrix w = samples::dense(Readings(scored.memory()).links());
  const auto link = [&](const char* x, const char* y) {
    const auto i = samples::concept_of(scored.memory(), x), j = samples::concept_of(scored.memory(), y);
    const Vector activity = Readings(scored.memory()).activity();
    return w(i, j) / std::sqrt(activity[i] * activity[j]);
  };
  CHECK(link("a", "c") > link("a", "b"));
  CHECK(scored.step("a", "b", "link") == Approx(link("a", "b")));
  CHECK(scored.step("c", "a", "link") == Approx(link("a", "c")));
}

TEST_CASE("a joint has how many mention its name, and one more feature at most", "[core][paths]") {
  Scored scored({"<a --> b>.", "<b --> c>.", "<x --> b>.", "<b <-> d>.", "<d <-> e>.", "<(*,b,f) --> p>.",
                 "<(*,f,g) --> q>.", "<(*,g,h) --> q>.",
                 "<(<($1 * #2) --> p> && <(#2 * $3) --> q>) ==> <($1 * $3) --> r>>."});
  scored.ask(StepKind::relation, "r");
  CHECK(scored.hub("b") == Approx(std::log(1 + 5.0) / 5));
  CHECK(scored.hub("h") == Approx(std::log(2.0) / 5));
  CHECK(scored.joint("a", "b", "c") == Found{{"upwards", 1}});
  CHECK(scored.joint("c", "b", "a") == Found{});
  CHECK(scored.joint("a", "b", "x") == Found{{"turn", 1}});
  CHECK(scored.joint("a", "b", "d") == Found{{"change", 1}});
  CHECK(scored.joint("b", "d", "e") == Found{});
  CHECK(scored.joint("b", "f", "g") == Found{{"rule_for_asked", 1}});
  CHECK(scored.joint("g", "f", "b") == Found{{"rule", 1}});  // it makes r the other way round
  CHECK(scored.joint("f", "g", "h") == Found{{"no_rule", 1}});
  CHECK(scored.starts("b", "f"));
  CHECK_FALSE(scored.starts("f", "g"));
  CHECK(scored.ends("f", "g"));
  CHECK_FALSE(scored.ends("b", "f"));
  scored.ask(StepKind::relation, "q");
  CHECK(scored.joint("b", "f", "g") == Found{{"rule", 1}});
  scored.ask_any_relation();
  CHECK(scored.joint("b", "f", "g") == Found{{"rule_for_asked", 1}});
  CHECK(scored.starts("b", "f"));
  CHECK_FALSE(scored.starts("g", "h"));
  CHECK(scored.ends("g", "h"));
  scored.ask(StepKind::inheritance);
  CHECK(scored.starts("a", "b"));
  CHECK_FALSE(scored.starts("b", "a"));
  CHECK(scored.ends("b", "c"));
}

}  // namespace engram::core
