// SPDX-License-Identifier: MIT
#include "core/paths/path_training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/paths/path_samples.hpp"

namespace engram::core {
namespace {

// People with mothers, fathers and friends, drawn; a grandmother is asked for. Each is a memory of its own.
struct Family {
  Memory memory;
  std::optional<Readings> readings;
  std::optional<RelationRules> rules;
  PathExample example;

  Family(Rng& rng, bool says_it) {
    const auto name = [](std::uint64_t i) { return "p" + std::to_string(i); };
    std::vector<std::string> lines{
        "<(*,p0,p1) --> mother>.", "<(*,p1,p2) --> father>.",
        "<(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.",
        "<(<($1 * #2) --> father> && <(#2 * $3) --> mother>) ==> <($1 * $3) --> grandfather>>."};
    for (int i = 0; i < 24; ++i) {
      const char* const relations[] = {"mother", "father", "friend"};
      const auto a = rng.below(8), b = rng.below(8);
      if (a != b)
        lines.push_back("<(*," + name(a) + "," + name(b) + ") --> " + relations[rng.below(3)] + ">.");
    }
    if (says_it) lines.push_back("<(*,p0,p2) --> grandmother>.");
    for (const std::string& line : lines) samples::say(memory, line);
    const auto id = [&](const char* text) { return samples::concept_of(memory, text); };
    example.question = {id("p0"), id("p2"), {StepKind::relation, id("grandmother"), false}, true};
    if (says_it) example.without = {static_cast<StatementId>(memory.statements().size() - 1)};
    readings.emplace(memory);
    rules.emplace(*readings);
    example.memory = &*readings;
    example.rules = &*rules;
    example.proofs = {{0, 1, 2}};
  }
};

std::vector<std::unique_ptr<Family>> families(const char* stream, int count, bool says_it = false) {
  Rng rng(21, stream);
  std::vector<std::unique_ptr<Family>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Family>(rng, says_it));
  return all;
}

std::vector<PathExample> examples_of(const std::vector<std::unique_ptr<Family>>& all) {
  std::vector<PathExample> examples;
  for (const auto& family : all) examples.push_back(family->example);
  return examples;
}

double mean_log_p(const std::vector<PathExample>& examples, const PathWeights& theta) {
  double sum = 0;
  for (const PathExample& example : examples) sum += path_likelihood(example, theta, {})->log_p;
  return sum / static_cast<double>(examples.size());
}

PathWeights weights_of(const Training& training) { return path_weights_of(training.parameters); }

}  // namespace

TEST_CASE("the gradient of log p(proof) is that of finite differences, on every weight", "[core][paths]") {
  PathAttentionOptions options;
  options.paths.width = 100000;
  options.paths.steps = 4;
  Rng rng(22, "path_training_test");
  int others = 0;
  for (const auto& family : families("gradient", 6)) {
    for (const double temperature : {1.0, 0.5}) {
      options.paths.temperature = temperature;
      PathWeights theta = samples::random_path_weights(rng);
      at(theta, PathFeature::derived) = samples::uniform(rng, 0, 3);
      const auto found = path_likelihood(family->example, theta, options);
      REQUIRE(found);
      CHECK(found->log_p < 0);
      others += samples::check_gradient(
          theta, found->gradient, [&] { return path_likelihood(family->example, theta, options)->log_p; });
    }
  }
  CHECK(others > 100);
}

TEST_CASE("so it is with embeddings, whose weights count as well", "[core][paths]") {
  PathAttentionOptions options;
  options.paths.width = 100000;
  options.paths.steps = 3;
  Rng rng(23, "path_training_test");
  for (const EmbeddingKind kind :
       {EmbeddingKind::svd, EmbeddingKind::laplacian, EmbeddingKind::random_indexing}) {
    options.embedding = {kind, 8};
    int bands = 0;
    for (const auto& family : families("embedded", 2)) {
      PathWeights theta = samples::random_path_weights(rng);
      const auto found = path_likelihood(family->example, theta, options);
      REQUIRE(found);
      samples::check_gradient(theta, found->gradient,
                              [&] { return path_likelihood(family->example, theta, options)->log_p; });
      for (std::size_t band = 0; band < embedding_bands; ++band)
        bands += found->gradient[static_cast<std::size_t>(PathFeature::embedding_1) + band] != 0 ? 1 : 0;
    }
    CHECK(bands == 2 * embedding_bands);
  }
}

TEST_CASE("how sure a guess is, is counted", "[core][paths]") {
  const auto all = families("certainty", 12);
  std::vector<PathExample> examples = examples_of(all);
  // Of some another path is the proof, of some nothing that is found.
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const PathExample& e = examples[i];
    const PathAttention paths(*e.memory, *e.rules, e.question, shipped_path_weights, {});
    if (i % 3 == 1) examples[i].proofs = {paths.guesses().back().statements()};
    if (i % 3 == 2) examples[i].question.to.reset();
  }
  examples.back().proofs = {{3}};
  std::array<std::array<double, 2>, 3> counts{};  // of each kind: seen, complete
  for (const PathExample& e : examples) {
    const PathAttention paths(*e.memory, *e.rules, e.question, shipped_path_weights, {});
    std::vector<StatementId> given;
    for (const PathGuess& guess : paths.guesses()) {
      for (const StatementId s : guess.statements()) given.push_back(s);
      bool whole = true;
      for (const StatementId s : e.proofs[0]) whole = whole && std::ranges::find(given, s) != given.end();
      auto& [seen, complete] = counts[guess.is_derived ? (e.question.to ? 0U : 1U) : 2U];
      ++seen;
      complete += whole ? 1 : 0;
      if (whole) break;
    }
  }
  const auto expected = [&](std::size_t kind) { return (counts[kind][1] + 1) / (counts[kind][0] + 2); };
  for (const auto& [seen, complete] : counts) CHECK(seen > 2);
  const GuessCertainty found = learnt_certainty(examples, shipped_path_weights, {});
  CHECK(found.derived == Approx(expected(0)));
  CHECK(found.open == Approx(expected(1)));
  CHECK(found.alone == Approx(expected(2)));
  CHECK(learnt_certainty({}, shipped_path_weights, {}) == GuessCertainty{0.5, 0.5, 0.5});
}

TEST_CASE("log p(proof) is the proof's share of all paths and derivations, whatever pruning loses",
          "[core][paths]") {
  for (const auto& family : families("share", 6)) {
    const PathExample& example = family->example;
    PathAttentionOptions options;
    options.paths.steps = 3;
    options.paths.width = 100000;
    options.ways = 1000;
    // By hand: of all guesses, those over the proof's statements alone.
    const PathAttention all(*example.memory, *example.rules, example.question, shipped_path_weights, options);
    double share = 0;
    for (const PathGuess& guess : all.guesses())
      if (std::ranges::all_of(guess.statements(), [&](StatementId e) { return e < 3; })) share += guess.share;
    CHECK(path_likelihood(example, shipped_path_weights, options)->log_p == Approx(std::log(share)));
    for (const std::size_t narrow : {std::size_t{1}, std::size_t{3}}) {
      options.paths.width = narrow;
      options.ways = narrow;
      PathWeights theta = shipped_path_weights;
      at(theta, PathFeature::relation_on) = -6;  // the proof is the least likely of all
      const auto found = path_likelihood(example, theta, options);
      REQUIRE(found);
      CHECK(found->log_p <= 0);
      CHECK(std::isfinite(found->log_p));
    }
  }
}

TEST_CASE("training makes proofs likely that it has not seen, the same for each number of threads",
          "[core][paths]") {
  const auto learnt = families("learnt", 12), held = families("held out", 6), other = families("other", 12);
  const auto examples = examples_of(learnt), held_out = examples_of(held), unseen = examples_of(other);
  PathTrainingOptions options;
  options.descent.max_epochs = 60;
  options.threads = 1;
  const PathWeights start{};
  const Training training = train_paths(start, examples, held_out, options);
  CHECK(training.best_epoch > 5);
  CHECK(mean_log_p(unseen, start) < -1);
  CHECK(mean_log_p(unseen, weights_of(training)) > mean_log_p(unseen, start) + 1);
  CHECK(training.validation_loss[static_cast<std::size_t>(training.best_epoch)] ==
        Approx(-mean_log_p(held_out, weights_of(training))));
  options.threads = 3;
  CHECK(weights_of(train_paths(start, examples, held_out, options)) == weights_of(training));
  // What no example has stays where it was.
  CHECK(weights_of(training)[static_cast<std::size_t>(PathFeature::inheritance_on)] == 0);
  options.prior = 1e6;
  for (const double x : weights_of(train_paths(start, examples, held_out, options))) CHECK(std::abs(x) < 0.1);
}

TEST_CASE("what says the answer is not seen, and labels that mean nothing teach nothing", "[core][paths]") {
  const auto plain = families("leak", 6), telling = families("leak", 6, true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    PathExample seen = telling[i]->example;
    const double hidden = path_likelihood(seen, shipped_path_weights, {})->log_p;
    seen.without.clear();
    // The statement takes most of the distribution where it is seen; hidden, it is a mention of its names.
    CHECK(path_likelihood(seen, shipped_path_weights, {})->log_p < hidden - 0.5);
    CHECK(hidden == Approx(path_likelihood(plain[i]->example, shipped_path_weights, {})->log_p).margin(0.3));
  }
  PathExample wrong = plain[0]->example;
  wrong.proofs = {{3}};  // no path from end to end
  CHECK_FALSE(path_likelihood(wrong, shipped_path_weights, {}));
  const std::vector<PathExample> none{wrong};
  CHECK_THROWS_AS(train_paths(shipped_path_weights, none, none, {}), std::invalid_argument);
}

// Of each family, each statement of two names that is left out, from either end.
std::vector<PathExample> left_out_of(const std::vector<std::unique_ptr<Family>>& all) {
  std::vector<PathExample> examples;
  for (const auto& family : all)
    for (StatementId e = 0; e < family->readings->statement_terms().size(); ++e)
      for (const bool from_second : {false, true})
        if (const auto example = left_out(*family->readings, *family->rules, e, from_second))
          examples.push_back(*example);
  return examples;
}

TEST_CASE("a statement that is left out is asked of either name, and nothing that says it is seen",
          "[core][paths]") {
  Memory memory;
  for (const char* line :
       {"<(*,a,b) --> r>.", "<(*,b,a) --> r>.", "<(*,a,b) --> s>.", "<c --> d>.", "<{c} --> [d]>.",
        "<d --> c>.", "<e <-> c>.", "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> s>>.",
        "<e --> d>. %0;0.9%", "<(*,a,f) --> s>.", "<(*,f,b) --> s>."})
    samples::say(memory, line);
  const Readings readings(memory);
  const RelationRules rules(readings);
  const auto id = [&](const char* text) { return samples::concept_of(memory, text); };
  const auto first = left_out(readings, rules, 0, false), second = left_out(readings, rules, 0, true);
  REQUIRE((first && second));
  CHECK(first->question.from == id("a"));
  CHECK(first->answer == id("b"));
  CHECK(first->question.asked == StepSymbol{StepKind::relation, id("r"), false});
  CHECK(first->without == std::vector<StatementId>{0, 1, 2});
  CHECK_FALSE(first->question.to);
  CHECK(second->question.from == id("b"));
  CHECK(second->answer == id("a"));
  CHECK(second->question.asked == StepSymbol{StepKind::relation, id("r"), true});
  const auto inheritance = left_out(readings, rules, 4, false);
  REQUIRE(inheritance);
  CHECK(inheritance->without == std::vector<StatementId>{3, 4, 5});  // the way back may say as much
  for (const StatementId e : {6U, 7U, 8U}) CHECK_FALSE(left_out(readings, rules, e, false));
  // Hidden, only the other ways lead to b: of two steps or more.
  const PathAttention hidden(readings, rules, first->question, plain_path_weights, {},
                             {{}, first->without, {}});
  std::vector<StatementId> passed;
  for (const auto& [e, share] : hidden.marginals()) passed.push_back(e);
  CHECK(passed == std::vector<StatementId>{9, 10});
}

TEST_CASE("log p(answer) is the share of the paths that lead there, by enumeration", "[core][paths]") {
  PathAttentionOptions options;
  options.paths.width = 100000;
  options.paths.steps = 3;
  options.ways = 100000;
  int compared = 0;
  const auto all_families = families("answers", 3);
  for (const PathExample& example : left_out_of(all_families)) {
    const PathAttention all(*example.memory, *example.rules, example.question, shipped_path_weights, options,
                            {{}, example.without, {}});
    double there = 0, elsewhere = 0;  // every path with its derivations is a guess
    for (const PathGuess& guess : all.guesses()) {
      const bool arrives = guess.steps.back().second.to == *example.answer;
      const bool returns = std::any_of(guess.steps.begin(), guess.steps.end() - 1,
                                       [&](const auto& step) { return step.second.to == *example.answer; });
      if (!arrives) elsewhere += guess.share;
      if (arrives && !returns) there += guess.share;
    }
    const auto found = path_likelihood(example, shipped_path_weights, options);
    REQUIRE(found.has_value() == (there > 0));
    if (!found) continue;
    CHECK(found->log_p == Approx(std::log(there / (there + elsewhere))));
    ++compared;
  }
  CHECK(compared > 50);
}

TEST_CASE("the gradient of log p(answer), and of a proof that leads to it, is that of finite differences",
          "[core][paths]") {
  PathAttentionOptions options;
  options.paths.width = 100000;
  options.paths.steps = 3;
  options.ways = 100000;
  Rng rng(23, "path_training_test");
  int others = 0, checked = 0;
  const auto family = families("answer gradient", 1);
  std::vector<PathExample> examples = left_out_of(family);
  PathExample proven = family.front()->example;
  proven.answer = proven.question.to;
  proven.question.to.reset();
  examples.insert(examples.begin(), proven);
  for (const double temperature : {1.0, 0.5})
    for (std::size_t i = 0; i < examples.size(); i += 5) {
      options.paths.temperature = temperature;
      PathWeights theta = samples::random_path_weights(rng);
      const auto found = path_likelihood(examples[i], theta, options);
      if (!found) continue;
      CHECK(found->log_p < 0);
      others += samples::check_gradient(theta, found->gradient,
                                        [&] { return path_likelihood(examples[i], theta, options)->log_p; });
      ++checked;
    }
  CHECK(checked > 5);
  CHECK(others > 50);
}

}  // namespace engram::core
