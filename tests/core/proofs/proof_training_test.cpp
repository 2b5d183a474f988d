// SPDX-License-Identifier: MIT
#include "core/proofs/proof_training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

// Random people with mothers, fathers and friends, asked for a grandmother. Each is a memory of its own. Two friends prove one,
// too, by a rule with counterevidence, and so does an elder.
struct Family {
  Memory memory;
  std::optional<MemoryIndex> readings;
  ProofExample example;

  Family(Rng& rng, bool states_answer) {
    const auto name = [](std::uint64_t i) { return "p" + std::to_string(i); };
    std::vector<std::string> lines{
        "<(*,p0,p1) --> mother>.",
        "<(*,p1,p2) --> father>.",
        "<(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.",
        "<(<($1 * #2) --> friend> && <(#2 * $3) --> friend>) ==> <($1 * $3) --> grandmother>>. %0.7;0.9%",
        "<(*,p0,p3) --> friend>.",
        "<(*,p3,p2) --> friend>.",
        "<friend --> father>. %1;0.5%",
        "<(*,p0,p2) --> elder>. %1;0.8%",
        "<elder <-> grandmother>. %0.8;0.9%"};
    for (int i = 0; i < 18; ++i) {
      const char* const relations[] = {"mother", "father", "friend"};
      const auto a = rng.below(7), b = rng.below(7);
      if (a != b)
        lines.push_back("<(*," + name(a) + "," + name(b) + ") --> " + relations[rng.below(3)] + ">. %1;0." +
                        std::to_string(50 + rng.below(49)) + "%");
    }
    if (states_answer) lines.push_back("<(*,p0,p2) --> grandmother>.");
    for (const std::string& line : lines) samples::say(memory, line);
    if (states_answer)
      example.asked.question.without = {static_cast<StatementId>(memory.statements().size() - 1)};
    readings.emplace(memory);
    const auto without = example.asked.question.without;
    example.memory = &*readings;
    example.asked = samples::asked(memory, *readings, "<(*,p0,p2) --> grandmother>");
    example.asked.question.without = without;
    example.proofs = {{0, 1, 2}};
  }
};

std::vector<std::unique_ptr<Family>> families(const char* stream, int count, bool states_answer = false) {
  Rng rng(21, stream);
  std::vector<std::unique_ptr<Family>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Family>(rng, states_answer));
  return all;
}

std::vector<ProofExample> examples_of(const std::vector<std::unique_ptr<Family>>& all) {
  std::vector<ProofExample> examples;
  for (const auto& family : all) examples.push_back(family->example);
  return examples;
}

// Of each family, each statement of two names that is left out, from either end.
std::vector<ProofExample> left_out_of(const std::vector<std::unique_ptr<Family>>& all) {
  std::vector<ProofExample> examples;
  for (const auto& family : all)
    for (StatementId e = 0; e < family->readings->statement_terms().size(); ++e)
      for (const bool from_second : {false, true})
        if (const auto example = left_out(*family->readings, e, from_second)) examples.push_back(*example);
  return examples;
}

double mean_log_p(const std::vector<ProofExample>& examples, const ProofWeights& theta,
                  const ProofWeights& searched_with, const ProofAttentionOptions& options = {}) {
  double sum = 0;
  for (const ProofExample& example : examples)
    sum += LearntProofs(example, searched_with, options).likelihood(theta)->log_p;
  return sum / static_cast<double>(examples.size());
}

ProofWeights weights_of(const Training& training) { return proof_weights_of(training.parameters); }

ProofAttentionOptions wide_options() {
  ProofAttentionOptions options;
  options.search.slack = 20;
  options.search.work = 3000;
  return options;
}

// All derivations that the search found: log-weight, features, and statements from the question to its premises.
struct Derivation {
  double log_weight = 0;
  std::vector<StatementId> statements;  // in the order of their edges
};
std::vector<Derivation> derivations(const ProofExample& example, const ProofWeights& theta,
                                    const ProofAttentionOptions& options) {
  const FoundProofs found(*example.memory, example.asked, plain_proof_weights, options, true);
  std::vector<Derivation> all;
  if (found.is_empty()) return all;
  for (const ProofGraph::Proof& proof :
       found.graph().best(found.question(), 200'000, found.log_weights(theta, options.temperature))) {
    Derivation made;
    const auto add = [&](const auto& self, const ProofGraph::Proof& part) -> void {
      if (const auto e = found.graph().edges()[part.edge].statement) {
        made.statements.push_back(*e);
        made.log_weight += score_of(theta, found.features(part.edge)) / options.temperature;
      }
      for (const ProofGraph::Proof& premise : part.premises) self(self, premise);
    };
    add(add, proof);
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace

TEST_CASE("log p of a known proof is the share of the derivations that use only its statements",
          "[core][proofs]") {
  Rng rng(24, "proof_training_test");
  const ProofAttentionOptions options = wide_options();
  std::size_t more = 0;
  for (const auto& family : families("share", 6)) {
    const ProofWeights theta = samples::random_proof_weights(rng);
    ProofExample example = family->example;
    const auto all = derivations(example, theta, options);
    double total = 0;
    for (const Derivation& one : all) total += std::exp(one.log_weight);
    const auto share = [&](const std::vector<StatementId>& proof) {
      double sum = 0;
      for (const Derivation& one : all)
        if (std::ranges::all_of(one.statements,
                                [&](StatementId e) { return std::ranges::binary_search(proof, e); }))
          sum += std::exp(one.log_weight);
      return sum / total;
    };
    more += all.size();
    const std::vector<StatementId> friends{3, 4, 5}, both{0, 1, 2, 3, 4, 5};
    CHECK(share({0, 1, 2}) > 0);
    const auto log_p = [&] {
      return LearntProofs(example, plain_proof_weights, options).likelihood(theta)->log_p;
    };
    CHECK(log_p() == Approx(std::log(share({0, 1, 2}))));
    // Of several known proofs the likeliest counts.
    example.proofs = {{0, 1, 2}, friends};
    CHECK(log_p() == Approx(std::log(std::max(share({0, 1, 2}), share(friends)))));
    // A reasoner that finds a proof with probability r.
    const LearntProofs found(example, plain_proof_weights, options);
    CHECK(found.failure_likelihood(both, 0.8, theta)->log_p == Approx(std::log(1 - 0.8 * share(both))));
    CHECK(found.failure_likelihood(both, 0, theta)->log_p == 0);
    CHECK_FALSE(found.failure_likelihood(std::vector<StatementId>{0, 1}, 0.8, theta));
    // Known proofs that are none.
    example.proofs = {{3}};
    CHECK_FALSE(LearntProofs(example, plain_proof_weights, options).likelihood(theta));
  }
  CHECK(more > 18);
}

TEST_CASE("gradients of the likelihoods of known proofs and of failures are those of finite differences",
          "[core][proofs]") {
  ProofAttentionOptions options = wide_options();
  Rng rng(22, "proof_training_test");
  int others = 0;
  for (const EmbeddingKind kind :
       {EmbeddingKind::incidence, EmbeddingKind::svd, EmbeddingKind::random_indexing})
    for (const auto& family : families("gradient", 3)) {
      options.temperature = kind == EmbeddingKind::svd ? 0.5 : 1;
      options.embedding = {kind, 4};
      ProofWeights theta = samples::random_proof_weights(rng);
      const LearntProofs found(family->example, plain_proof_weights, options);
      const auto likelihood = found.likelihood(theta);
      REQUIRE(likelihood);
      CHECK(likelihood->log_p < 0);
      others += samples::check_gradient(theta, likelihood->gradient,
                                        [&] { return found.likelihood(theta)->log_p; });
      const std::vector<StatementId> given{0, 1, 2, 3, 4, 5};
      const auto failure = found.failure_likelihood(given, 0.9, theta);
      REQUIRE(failure);
      CHECK(failure->log_p < 0);
      others += samples::check_gradient(theta, failure->gradient,
                                        [&] { return found.failure_likelihood(given, 0.9, theta)->log_p; });
      CHECK((likelihood->gradient[static_cast<std::size_t>(ProofFeature::nearness)] != 0) ==
            (kind != EmbeddingKind::incidence));
    }
  CHECK(others > 80);
}

TEST_CASE("a statement that is left out is asked from either name, without all that may state the same",
          "[core][proofs]") {
  Memory memory = samples::told({"<(*,a,b) --> r>.", "<(*,b,a) --> r>.", "<(*,a,b) --> s>.", "<c --> d>.",
                                 "<{c} --> [d]>.", "<d --> c>.", "<e <-> c>.",
                                 "<(<($1 * #2) --> s> && <(#2 * $3) --> s>) ==> <($1 * $3) --> s>>.",
                                 "<e --> d>. %0;0.9%", "<(*,a,f) --> s>.", "<(*,f,b) --> s>.", "<c ==> d>."});
  const MemoryIndex readings(memory);
  const auto id = [&](const char* text) { return samples::concept_of(memory, text); };
  const auto first = left_out(readings, 0, false), second = left_out(readings, 0, true);
  REQUIRE((first && second));
  const auto check = [&](const ProofExample& example, const char* from, const char* to, bool back) {
    const NamePair& pair = example.asked.pairs.at(0);
    CHECK(pair.from == id(from));
    CHECK_FALSE(pair.to);
    CHECK(pair.kind == StepKind::relation);
    CHECK(pair.relation == id("r"));
    CHECK(pair.back == back);
    CHECK(example.asked.answer == id(to));
    CHECK(example.asked.question.open == samples::term(memory, to));
    CHECK(example.asked.question.term == samples::term(memory, "<(*,a,b) --> r>"));
    CHECK(example.asked.question.without == std::vector<StatementId>{0, 1, 2});
    CHECK(example.asked.is_open());
    CHECK(example.proofs.empty());
  };
  check(*first, "a", "b", false);
  check(*second, "b", "a", true);
  const auto inheritance = left_out(readings, 4, false);
  REQUIRE(inheritance);
  CHECK(inheritance->asked.question.without == std::vector<StatementId>{3, 4, 5, 11});
  for (const StatementId e : {6U, 7U, 8U, 11U}) CHECK_FALSE(left_out(readings, e, false));
  // Only other statements are used: here, paths of two steps.
  ProofExample guessed = *first;
  const ProofAttention attention(readings, guessed.asked, plain_proof_weights, {});
  CHECK(attention.are_guesses());
  std::vector<StatementId> used;
  for (const auto& [e, uses] : attention.marginals()) used.push_back(e);
  CHECK(used == std::vector<StatementId>{9, 10});
  // A rule proves it.
  const auto by_rule = left_out(readings, 2, false);
  REQUIRE(by_rule);
  CHECK(LearntProofs(*by_rule, plain_proof_weights, {}).likelihood(plain_proof_weights).has_value());
}

TEST_CASE("log p of the known answer is the share of the guesses that lead to it", "[core][proofs]") {
  Rng rng(25, "proof_training_test");
  const ProofAttentionOptions options = wide_options();
  int compared = 0;
  const auto all_families = families("answers", 2);
  for (const ProofExample& example : left_out_of(all_families)) {
    if (!FoundProofs(*example.memory, example.asked, plain_proof_weights, options, true).are_guesses())
      continue;
    const ProofWeights theta = samples::random_proof_weights(rng);
    double there = 0, total = 0;
    for (const Derivation& one : derivations(example, theta, options)) {
      // The last step comes first. The name in which the path ends is the other end of its only or last step.
      ConceptId at = example.asked.pairs.at(0).from;
      for (std::size_t i = one.statements.size(); i-- > 0;)
        for (const Hop& hop : example.memory->hops().from(at))
          if (hop.statement == one.statements[i]) {
            at = hop.to;
            break;
          }
      total += std::exp(one.log_weight);
      if (at == example.asked.answer) there += std::exp(one.log_weight);
    }
    const auto found = LearntProofs(example, plain_proof_weights, options).likelihood(theta);
    REQUIRE(found.has_value() == (there > 0));
    if (!found) continue;
    CHECK(found->log_p == Approx(std::log(there / total)));
    ++compared;
  }
  CHECK(compared > 30);
}

TEST_CASE("the gradient of log p of the known answer is that of finite differences, for guesses and proofs",
          "[core][proofs]") {
  ProofAttentionOptions options = wide_options();
  Rng rng(23, "proof_training_test");
  int others = 0, checked = 0;
  const auto all_families = families("answer gradient", 1);
  std::vector<ProofExample> examples = left_out_of(all_families);
  ProofExample proved = all_families.front()->example;
  proved.proofs.clear();
  proved.asked.question.open = samples::term(all_families.front()->memory, "p2");
  examples.insert(examples.begin(), proved);
  for (const double temperature : {1.0, 0.5})
    for (std::size_t i = 0; i < examples.size(); i += 3) {
      options.temperature = temperature;
      ProofWeights theta = samples::random_proof_weights(rng);
      const LearntProofs found(examples[i], plain_proof_weights, options);
      const auto likelihood = found.likelihood(theta);
      if (!likelihood) continue;
      others += samples::check_gradient(theta, likelihood->gradient,
                                        [&] { return found.likelihood(theta)->log_p; });
      ++checked;
    }
  CHECK(checked > 5);
  CHECK(others > 40);
}

TEST_CASE("training makes unseen proofs likelier, to the same bits for each number of threads",
          "[core][proofs]") {
  const auto learnt = families("learnt", 12), held = families("held out", 6), other = families("other", 12);
  const auto examples = examples_of(learnt), held_out = examples_of(held), unseen = examples_of(other);
  ProofTrainingOptions options;
  options.descent.max_epochs = 60;
  const Training training = train_proofs(plain_proof_weights, examples, held_out, options);
  const ProofWeights trained = weights_of(training);
  CHECK(training.best_epoch > 5);
  const double before = mean_log_p(unseen, plain_proof_weights, plain_proof_weights);
  CHECK(before < -0.3);
  CHECK(mean_log_p(unseen, trained, plain_proof_weights) > before + 0.15);
  // Proofs are searched once, with twice the slack.
  ProofAttentionOptions wide;
  wide.search.slack *= 2;
  CHECK(training.validation_loss[static_cast<std::size_t>(training.best_epoch)] ==
        Approx(-mean_log_p(held_out, trained, plain_proof_weights, wide)));
  options.threads = 3;
  CHECK(weights_of(train_proofs(plain_proof_weights, examples, held_out, options)) == trained);
  // No example has these features.
  for (const ProofFeature f : {ProofFeature::association, ProofFeature::asked, ProofFeature::hub})
    CHECK(at(trained, f) == at(plain_proof_weights, f));
  CHECK(at(trained, ProofFeature::counterevidence) < at(plain_proof_weights, ProofFeature::counterevidence));
  options.frozen = {ProofFeature::counterevidence, ProofFeature::rule};
  const ProofWeights frozen = weights_of(train_proofs(plain_proof_weights, examples, held_out, options));
  for (const ProofFeature f : options.frozen) CHECK(at(frozen, f) == at(plain_proof_weights, f));
  CHECK(frozen != plain_proof_weights);
  options.prior = 1e6;
  const ProofWeights kept = weights_of(train_proofs(plain_proof_weights, examples, held_out, options));
  for (std::size_t f = 0; f < proof_features; ++f) CHECK(std::abs(kept[f] - plain_proof_weights[f]) < 0.1);
}

TEST_CASE("a statement of the answer is not used, and examples without a likelihood are left out",
          "[core][proofs]") {
  const auto plain = families("leak", 6), telling = families("leak", 6, true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto likelihood = [](const ProofExample& example) {
      return LearntProofs(example, plain_proof_weights, {}).likelihood(plain_proof_weights);
    };
    ProofExample seen = telling[i]->example;
    const double hidden = likelihood(seen)->log_p;
    seen.asked.question.without.clear();
    // The statement proves it by itself.
    if (const auto found = likelihood(seen)) CHECK(found->log_p < hidden - 0.5);
    CHECK(hidden == Approx(likelihood(plain[i]->example)->log_p).margin(0.3));
  }
  ProofExample wrong = plain[0]->example;
  wrong.proofs = {{3}};
  const std::vector<ProofExample> none{wrong}, one{plain[0]->example}, both{wrong, plain[0]->example};
  CHECK_THROWS_AS(train_proofs(plain_proof_weights, none, one, {}), std::invalid_argument);
  CHECK_THROWS_AS(train_proofs(plain_proof_weights, one, none, {}), std::invalid_argument);
  ProofTrainingOptions options;
  options.descent.max_epochs = 3;
  CHECK(train_proofs(plain_proof_weights, both, both, options).training_loss ==
        train_proofs(plain_proof_weights, one, one, options).training_loss);
}

TEST_CASE("the confidence of each kind of proof is counted over examples", "[core][proofs]") {
  const auto all = families("confidence", 12);
  std::vector<ProofExample> examples = examples_of(all);
  // Some have another proof, some are open, and some have guesses alone.
  for (std::size_t i = 0; i < examples.size(); ++i) {
    ProofExample& example = examples[i];
    if (i % 4 == 1) example.asked.question.open = samples::term(all[i]->memory, "p2");
    if (i % 4 == 2) example.asked.question.without = {2, 3, 8};
    if (i % 4 == 3) example.proofs = {{3, 4, 5}};
    if (i % 4 == 2) example.proofs = {{0, 1}};
  }
  examples.back().proofs = {{6}};
  std::array<std::array<double, 2>, 2> counts{};  // of each kind: seen, complete
  for (const ProofExample& e : examples) {
    const ProofAttention attention(*e.memory, e.asked, plain_proof_weights, {});
    if (attention.answers() > 1) continue;
    std::vector<StatementId> given;
    for (const ProofGuess& guess : attention.guesses()) {
      for (const StatementId s : guess.statements) given.push_back(s);
      bool whole = true;
      for (const StatementId s : e.proofs[0]) whole = whole && std::ranges::find(given, s) != given.end();
      auto& [seen, complete] = counts[attention.are_guesses() ? 1U : 0U];
      ++seen;
      complete += whole ? 1 : 0;
      if (whole) break;
    }
  }
  const auto expected = [&](std::size_t kind) { return (counts[kind][1] + 1) / (counts[kind][0] + 2); };
  for (const auto& [seen, complete] : counts) {
    CHECK(seen > 2);
    CHECK(complete > 0);
  }
  examples.push_back(examples[0]);
  examples.back().proofs.clear();  // nothing is known of it
  const ProofConfidence found = learnt_confidence(examples, plain_proof_weights, {});
  CHECK(found.proof == Approx(expected(0)));
  CHECK(found.guess == Approx(expected(1)));
  CHECK(learnt_confidence({}, plain_proof_weights, {}) == ProofConfidence{0.5, 0.5});
}

}  // namespace engram::core
