// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/paths/path_questions.hpp"
#include "narsese/printer.hpp"
#include "tests/core/paths/path_samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Statements of all kinds about a few names, with rules, denials and things said twice.
Memory random_memory(Rng& rng) {
  Memory memory;
  const auto name = [&] { return "a" + std::to_string(rng.below(6)); };
  const auto relation = [&] { return "r" + std::to_string(rng.below(3)); };
  for (int i = 0; i < 11; ++i) {
    const std::string a = name(), b = name();
    const char* const truths[] = {".", ".", ". %0.1;0.9%", ". %0.7;0.8%"};
    const std::string texts[] = {"<" + a + " --> " + b + ">",
                                 "<(*," + a + "," + b + ") --> " + relation() + ">",
                                 "<" + a + " <-> " + b + ">",
                                 "<{" + a + "} --> [" + b + "]>",
                                 "<" + a + " =/> " + b + ">",
                                 "<(&/," + a + ",^go) =/> " + b + ">",
                                 "<(*," + a + "," + b + ",c) --> " + relation() + ">"};
    samples::say(memory, texts[rng.below(7)] + truths[rng.below(4)]);
  }
  samples::say(memory, "<(<($1 * #2) --> r0> && <(#2 * $3) --> r1>) ==> <($1 * $3) --> r2>>.");
  samples::say(memory, "<(<(#1 * $2) --> r1> && <($3 * #1) --> r0>) ==> <($2 * $3) --> r0>>.");
  return memory;
}

// All paths by recursion, each with its features added up step by step.
struct EveryPath {
  const Readings& memory;
  const PathScorer& scorer;
  const PathWeights& theta;
  PathOptions options;
  PathStatements statements;
  struct Path {
    std::vector<std::pair<ConceptId, Pass>> steps;
    PathWeights features{};
    double weight = 0;
  };
  std::vector<Path> paths = {};

  void extend(std::vector<std::pair<ConceptId, Pass>>& steps) {
    const PathQuestion& question = scorer.question();
    const ConceptId at = steps.empty() ? question.from : steps.back().second.to;
    const bool arrived = !steps.empty() && (!question.to || at == *question.to);
    if (arrived) add(steps);
    if (arrived && question.to) return;
    if (steps.size() == static_cast<std::size_t>(options.steps)) return;
    for (const Pass& pass : memory.passes().from(at)) {
      if (pass.to == question.from || !statements.may_use(pass.statement)) continue;
      if (!steps.empty() && steps.back().second.statement == pass.statement) continue;
      steps.emplace_back(at, pass);
      extend(steps);
      steps.pop_back();
    }
  }
  void add(const std::vector<std::pair<ConceptId, Pass>>& steps) {
    Path path{steps};
    const auto count = [&](PathFeature f, double x) { path.features[static_cast<std::size_t>(f)] += x; };
    scorer.first(steps.front().second, count);
    scorer.last(steps.back().second, count);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      scorer.step(steps[i].second, steps[i].first, count);
      if (i > 0) scorer.joint(steps[i - 1].second, steps[i].first, steps[i].second, count);
    }
    double score = 0;
    for (std::size_t f = 0; f < path_features; ++f) score += theta[f] * path.features[f];
    path.weight = std::exp(score / options.temperature);
    paths.push_back(path);
  }
  double total() const {
    double sum = 0;
    for (const Path& path : paths) sum += path.weight;
    return sum;
  }
};

// The steps that a narrow lattice keeps, length by length: each sum by itself, all of them sorted.
struct EveryStep {
  const Readings& memory;
  const PathScorer& scorer;
  const PathWeights& theta;
  PathOptions options;
  struct Kept {
    ConceptId from = 0;
    Pass pass;
    double forward = 0;
  };

  double weight(auto visit_features) const {
    double score = 0;
    visit_features([&](PathFeature f, double x) { score += at(theta, f) * x; });
    return std::exp(score / options.temperature);
  }
  double of_step(ConceptId from, const Pass& pass) const {
    return weight([&](auto add) { scorer.step(pass, from, add); });
  }
  std::vector<Kept> best(std::vector<Kept> steps) const {
    std::ranges::stable_sort(steps, std::greater(), &Kept::forward);
    const auto goal = *scorer.question().to;
    std::vector<Kept> kept;
    std::size_t on = 0;
    for (const Kept& step : steps)
      if (step.pass.to == goal || on++ < options.width) kept.push_back(step);
    return kept;
  }
  std::vector<Kept> first() const {
    std::vector<Kept> steps;
    const ConceptId from = scorer.question().from;
    for (const Pass& pass : memory.passes().from(from))
      if (pass.to != from)
        steps.push_back(
            {from, pass, of_step(from, pass) * weight([&](auto add) { scorer.first(pass, add); })});
    return best(steps);
  }
  std::vector<Kept> next(const std::vector<Kept>& before, std::size_t& most) const {
    std::map<std::tuple<ConceptId, StatementId, ConceptId>, Kept> steps;
    for (const Kept& step : before) {
      const ConceptId name = step.pass.to;
      if (name == *scorer.question().to) continue;
      for (const Pass& pass : memory.passes().from(name)) {
        if (pass.to == scorer.question().from || pass.statement == step.pass.statement) continue;
        Kept& next = steps.try_emplace({name, pass.statement, pass.to}, Kept{name, pass}).first->second;
        next.forward += step.forward * of_step(name, pass) *
                        weight([&](auto add) { scorer.joint(step.pass, name, pass, add); });
      }
    }
    most = std::max(most, steps.size());
    std::vector<Kept> all;
    for (const auto& [key, step] : steps) all.push_back(step);
    return best(all);
  }
  // Z: what arrives at each length.
  double total(std::size_t& most) const {
    double sum = 0;
    std::vector<Kept> steps = first();
    for (int length = 1; length <= options.steps; ++length) {
      for (const Kept& step : steps)
        if (step.pass.to == *scorer.question().to)
          sum += step.forward * weight([&](auto add) { scorer.last(step.pass, add); });
      if (length < options.steps) steps = next(steps, most);
    }
    return sum;
  }
};

std::optional<ConceptId> known(Memory& memory, const std::string& name) {
  return memory.graph().find(samples::term(memory, name));
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

}  // namespace

TEST_CASE("sums over a lattice are those over all paths, from either end, and so are the best",
          "[core][paths]") {
  Rng rng(11, "path_lattice_test");
  std::size_t seen = 0, open = 0, longest = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Memory memory = random_memory(rng);
    const Readings readings(memory);
    const RelationRules rules(readings);
    const auto from = known(memory, "a0"), to = known(memory, "a1"), r = known(memory, "r2");
    if (!from || !to || !r) continue;
    PathQuestion question{*from, *to, {StepKind::relation, *r, false}, trial % 3 != 0};
    if (trial % 4 == 3) question.to.reset();
    if (trial % 4 == 2) question.asked = {StepKind::inheritance, 0, false};
    PathStatements statements;
    if (trial % 5 == 0) statements.without = {3};
    if (trial % 5 == 1) statements.only = {0, 1, 2, 4, 5, 6, 8, 9};
    const PathWeights theta = samples::random_path_weights(rng);
    const PathOptions options{trial % 2 == 0 ? 4 : 3, 100000, trial % 2 == 0 ? 1.0 : 0.4};
    const PathScorer scorer(readings, rules, question);
    EveryPath every{readings, scorer, theta, options, statements};
    std::vector<std::pair<ConceptId, Pass>> none;
    every.extend(none);
    for (const bool from_end : {false, true}) {
      if (from_end && !question.to) continue;
      INFO(trial << " " << from_end);
      const PathLattice lattice(readings, readings.passes(), scorer, theta, options, from_end, statements);
      REQUIRE(near(lattice.total(), every.total()));
      if (every.paths.empty()) continue;
      ++seen;
      open += question.to ? 0 : 1;
      std::map<StatementId, double> marginals;
      PathWeights expected{};
      for (const auto& path : every.paths) {
        longest = std::max(longest, path.steps.size());
        for (const auto& [at, pass] : path.steps) marginals[pass.statement] += path.weight / every.total();
        for (std::size_t f = 0; f < path_features; ++f)
          expected[f] += path.features[f] * path.weight / every.total();
      }
      const auto found = lattice.marginals();
      REQUIRE(found.size() == marginals.size());
      for (const auto& [e, share] : found) CHECK(near(share, marginals.at(e)));
      const PathWeights features = lattice.expected_features();
      for (std::size_t f = 0; f < path_features; ++f) {
        INFO(path_feature_facts[f].name);
        CHECK(near(features[f], expected[f]));
      }
      std::vector<double> weights;
      for (const auto& path : every.paths) weights.push_back(path.weight);
      std::ranges::sort(weights, std::greater());
      const auto best = lattice.best(10);
      REQUIRE(best.size() == std::min<std::size_t>(10, weights.size()));
      for (std::size_t i = 0; i < best.size(); ++i) {
        CHECK(near(best[i].weight, weights[i]));
        CHECK(best[i].steps.front()->from == question.from);
        if (question.to) CHECK(best[i].steps.back()->pass.to == *question.to);
      }
    }
  }
  CHECK(seen > 60);
  CHECK(open > 5);
  CHECK(longest == 4);
}

TEST_CASE("the mean features are the gradient of log Z, by finite differences", "[core][paths]") {
  Rng rng(12, "path_lattice_test");
  int checked = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Memory memory = random_memory(rng);
    const Readings readings(memory);
    const RelationRules rules(readings);
    const auto from = known(memory, "a0"), to = known(memory, "a1"), r = known(memory, "r2");
    if (!from || !to || !r) continue;
    const PathQuestion question{*from, *to, {StepKind::relation, *r, false}, true};
    const PathScorer scorer(readings, rules, question);
    PathWeights theta = samples::random_path_weights(rng);
    const auto log_total = [&] {
      return std::log(PathLattice(readings, readings.passes(), scorer, theta, {4, 100000, 1}, false).total());
    };
    const PathWeights gradient =
        PathLattice(readings, readings.passes(), scorer, theta, {4, 100000, 1}, false).expected_features();
    if (!std::isfinite(log_total())) continue;
    checked += samples::check_gradient(theta, gradient, log_total);
  }
  CHECK(checked > 100);
}

TEST_CASE("towards temperature 0 the best path has all of the distribution", "[core][paths]") {
  Memory memory;
  for (const char* line :
       {"<a --> b>.", "<b --> c>.", "<a --> x>.", "<c --> x>.", "<a --> y>. %0.1;0.9%", "<y --> c>."})
    samples::say(memory, line);
  const Readings readings(memory);
  const RelationRules rules(readings);
  const PathQuestion question{
      *known(memory, "a"), known(memory, "c"), {StepKind::inheritance, 0, false}, true};
  const PathScorer scorer(readings, rules, question);
  const PathLattice warm(readings, readings.passes(), scorer, shipped_path_weights, {6, 120, 1}, false);
  const PathLattice cold(readings, readings.passes(), scorer, shipped_path_weights, {6, 120, 0.1}, false);
  const auto share = [](const PathLattice& lattice, StatementId e) {
    for (const auto& [id, x] : lattice.marginals())
      if (id == e) return x;
    return 0.0;
  };
  CHECK(share(warm, 2) > 1e-6);
  CHECK(share(cold, 0) == Approx(1));
  CHECK(share(cold, 1) == Approx(1));
  CHECK(share(cold, 2) < 1e-6);
  CHECK_THROWS_AS(
      PathLattice(readings, readings.passes(), scorer, shipped_path_weights, {6, 120, 0.01}, false),
      std::invalid_argument);
  CHECK(share(warm, 0) > share(warm, 4));  // what is denied is passed less
}

TEST_CASE("one step with nothing but the Hebbian link is a step of spreading along the links",
          "[core][paths]") {
  Rng rng(13, "path_lattice_test");
  for (int trial = 0; trial < 10; ++trial) {
    Memory memory;
    for (int i = 0; i < 12; ++i) {
      const auto a = rng.below(6), b = rng.below(6);
      if (a != b) samples::say(memory, "<a" + std::to_string(a) + " <-> a" + std::to_string(b) + ">.");
    }
    samples::say(memory, "<a0 <-> a1>.");
    const Readings readings(memory);
    const RelationRules rules(readings);
    PathQuestion question{*known(memory, "a0"), {}, {}, true};
    const PathScorer scorer(readings, rules, question);
    PathWeights theta{};
    theta[static_cast<std::size_t>(PathFeature::link)] = 1;
    const PathLattice lattice(readings, readings.passes(), scorer, theta, {1, 1000, 1}, false);
    // exp of the normalised links of a0, shared out: each statement <a0 <-> x> once, as each pair is said in
    // one.
    double total = 0;
    std::map<StatementId, double> by_hand;
    for (StatementId e = 0; e < readings.statement_terms().size(); ++e) {
      const auto ids = readings.episode(e);
      if (!std::ranges::binary_search(ids, question.from)) continue;
      const ConceptId other = ids[0] == question.from ? ids[1] : ids[0];
      const Matrix w = samples::dense(readings.links());
      by_hand[e] = std::exp(w(question.from, other) /
                            std::sqrt(readings.activity(question.from) * readings.activity(other)));
      total += by_hand[e];
    }
    const auto found = lattice.marginals();
    REQUIRE(found.size() == by_hand.size());
    for (const auto& [e, share] : found) CHECK(near(share, by_hand.at(e) / total));
  }
}

TEST_CASE("a narrow lattice keeps the best, and the order of statements makes no difference",
          "[core][paths]") {
  const std::vector<std::string> lines{"<a --> b>.", "<b --> c>.", "<a --> d>.",
                                       "<d --> e>.", "<e --> c>.", "<(*,a,c) --> r>.",
                                       "<f --> b>.", "<g --> b>.", "<h --> b>."};
  std::map<std::string, double> first;
  for (int turn = 0; turn < 3; ++turn) {
    Memory memory;
    for (std::size_t i = 0; i < lines.size(); ++i)
      samples::say(memory, lines[(i * (turn == 1 ? 2 : turn == 2 ? 4 : 1)) % 9]);
    const Readings readings(memory);
    const RelationRules rules(readings);
    const PathQuestion question{
        *known(memory, "a"), known(memory, "c"), {StepKind::inheritance, 0, false}, true};
    const PathScorer scorer(readings, rules, question);
    const PathLattice lattice(readings, readings.passes(), scorer, shipped_path_weights, {6, 3, 1}, false);
    std::map<std::string, double> by_text;
    const auto marginals = lattice.marginals();
    for (const std::string& line : lines)
      for (const auto& one : marginals)
        if (readings.statement_term(one.first) == samples::term(memory, line.substr(0, line.size() - 1)))
          by_text[line] = one.second;
    CHECK(by_text.at("<a --> b>.") > by_text.at("<a --> d>."));
    if (turn == 0) first = by_text;
    REQUIRE(by_text.size() == first.size());
    for (const auto& [text, share] : by_text) CHECK(near(share, first.at(text)));
  }
}

TEST_CASE("a narrow lattice sums over the best steps of each length, as one by one", "[core][paths]") {
  Rng rng(13, "path_lattice_test");
  std::size_t most = 0, narrow = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory;
    const int names = 8 + trial % 5;
    const auto name = [&] { return "a" + std::to_string(rng.below(static_cast<std::uint64_t>(names))); };
    for (int i = 0; i < 60; ++i) {  // each believed as far as no other, so that no two sums are the same
      const std::string a = name(), b = name();
      const std::string said = rng.below(3) == 0
                                   ? "<" + a + " --> " + b + ">"
                                   : "<(*," + a + "," + b + ") --> r" + std::to_string(rng.below(4)) + ">";
      if (a != b) samples::say(memory, said + ". %1.0;" + std::to_string(0.5 + 0.4 * rng.uniform()) + "%");
    }
    samples::say(memory, "<(<($1 * #2) --> r0> && <(#2 * $3) --> r1>) ==> <($1 * $3) --> r2>>.");
    const Readings readings(memory);
    const RelationRules rules(readings);
    const auto from = known(memory, "a0"), to = known(memory, "a1"), r = known(memory, "r2");
    if (!from || !to || !r) continue;
    const PathScorer scorer(readings, rules, {*from, *to, {StepKind::relation, *r, false}});
    const PathWeights theta = samples::random_path_weights(rng);
    const PathOptions options{4, 1 + static_cast<std::size_t>(trial) % 7, 1};
    const PathOptions wide{4, 100000, 1};
    const double total = EveryStep{readings, scorer, theta, options}.total(most);
    INFO(trial);
    const PathLattice lattice(readings, readings.passes(), scorer, theta, options, false);
    CHECK(near(lattice.total(), total));
    narrow += PathLattice(readings, readings.passes(), scorer, theta, wide, false).total() > 1.01 * total;
  }
  CHECK(most > 40);
  CHECK(narrow > 20);
}

TEST_CASE("of steps that weigh the same a narrow lattice keeps those whose terms stand first",
          "[core][paths]") {
  Memory memory;
  for (const char* b : {"b9", "b5", "b1"}) samples::say(memory, "<a --> " + std::string(b) + ">.");
  for (const char* b : {"b9", "b5", "b1"})  // x1_10 stands before all others, and is met last
    for (int i = 49; i >= 10; --i) {
      const std::string x = "x" + std::string(b).substr(1) + "_" + std::to_string(i);
      samples::say(memory, "<" + std::string(b) + " --> " + x + ">.");
      samples::say(memory, "<" + x + " --> c>.");
    }
  const Readings readings(memory);
  const RelationRules rules(readings);
  const PathScorer scorer(readings, rules,
                          {*known(memory, "a"), known(memory, "c"), {StepKind::inheritance, 0, false}});
  const PathLattice lattice(readings, readings.passes(), scorer, shipped_path_weights, {3, 4, 1}, false);
  std::vector<std::string> kept;
  for (const auto& [e, share] : lattice.marginals())
    if (const std::string text = narsese::print(readings.statement_term(e)); text.starts_with("<b"))
      kept.push_back(text);
  std::ranges::sort(kept);
  CHECK(kept ==
        std::vector<std::string>{"<b1 --> x1_10>", "<b1 --> x1_11>", "<b1 --> x1_12>", "<b1 --> x1_13>"});
}

TEST_CASE("a length takes memory for what is kept of it, not for all that is looked at", "[core][paths]") {
  Memory memory;
  constexpr int hubs = 40, names = 1500;
  for (int hub = 0; hub < hubs; ++hub) {
    const std::string h = "h" + std::to_string(hub);
    samples::say(memory, "<a --> " + h + ">.");
    for (int i = 0; i < names; ++i)
      samples::say(memory, "<x" + std::to_string(hub * names + i) + " --> " + h + ">.");
  }
  samples::say(memory, "<x7 --> c>.");
  const Readings readings(memory);
  const RelationRules rules(readings);
  readings.passes();
  const PathScorer scorer(readings, rules,
                          {*known(memory, "a"), known(memory, "c"), {StepKind::inheritance, 0, false}});
  constexpr std::size_t all = std::size_t{hubs} * names * sizeof(PathLattice::Step);
  const Work work({.bytes = 2 * all - all / 4});  // what leaves the hubs is kept for other lengths, too
  const PathLattice lattice(readings, readings.passes(), scorer, shipped_path_weights, {3, 120, 1}, false);
  CHECK(lattice.marginals().empty());  // x7 is not among the first
  CHECK(work.claimed() > 0);
}

}  // namespace engram::core
