// SPDX-License-Identifier: MIT
#include "core/proofs/proof_training.hpp"

#include <Eigen/Dense>
#include "tests/core/proofs/proof_samples.hpp"
#include "tests/support/text.hpp"

namespace engram::core {
namespace {

using namespace samples;

// A memory of random people with mothers, fathers and friends. The question asks for a grandmother. Other proofs use a
// rule about two friends, which has counterevidence, or an elder.
struct Family : ProofWorld {
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
      if (a == b) continue;
      // One draw for each statement, because compilers evaluate the operands of + in different orders.
      const std::string relation = relations[rng.below(3)];
      const std::string confidence = std::to_string(50 + rng.below(49));
      lines.push_back("<(*," + name(a) + "," + name(b) + ") --> " + relation + ">. %1;0." + confidence + "%");
    }
    if (states_answer) lines.push_back("<(*,p0,p2) --> grandmother>.");
    read(lines);
    example.query = asked(memory, *index, "<(*,p0,p2) --> grandmother>");
    if (states_answer)
      example.query.question.without = {static_cast<StatementId>(memory.statements().size() - 1)};
  }
};

auto families(const char* stream, int count, bool states_answer = false) {
  return proof_worlds<Family>(21, stream, count, states_answer);
}

// All examples that leave out a statement about two names of a family, for each of the names.
std::vector<ProofExample> left_out_of(const std::vector<std::unique_ptr<Family>>& all) {
  std::vector<ProofExample> examples;
  for (const auto& family : all)
    for (StatementId e = 0; e < family->index->statement_terms().size(); ++e)
      for (const bool from_second : {false, true})
        if (const auto example = left_out_example(*family->index, e, from_second))
          examples.push_back(*example);
  return examples;
}

double mean_log_p(const std::vector<ProofExample>& examples, const ProofWeights& theta,
                  const ProofWeights& searched_with, const ProofAttentionOptions& options = {}) {
  double sum = 0;
  for (const ProofExample& example : examples)
    sum += ExampleProofs(example, searched_with, options).likelihood(theta)->log_p;
  return sum / static_cast<double>(examples.size());
}

ProofWeights weights_of(const Training& training) { return proof_weights_of(training.parameters); }

ProofAttentionOptions wide_options() {
  ProofAttentionOptions options;
  options.search.slack = 20;
  options.search.work = 3000;
  return options;
}

// A derivation that the search found. Its statements lead from the question to the premises.
struct Derivation {
  double log_weight = 0;
  std::vector<StatementId> statements;  // in the order of the edges of the proof
};
std::vector<Derivation> derivations(const ProofExample& example, const ProofWeights& theta,
                                    const ProofAttentionOptions& options) {
  const FoundProofs found(*example.memory, example.query, plain_proof_weights, options, true);
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

// A memory of random classes and similarities between them, with the question whether t0 is a t3.
struct Kinds : ProofWorld {
  explicit Kinds(Rng& rng) {
    const auto name = [](std::uint64_t i) { return "t" + std::to_string(i); };
    std::vector<std::string> lines{"<t0 --> t1>.",        "<t1 --> t2>.",           "<t2 --> t3>.",
                                   "<t0 <-> t4>.",        "<t4 --> t2>. %0.8;0.9%", "<t1 <-> t5>. %1;0.7%",
                                   "<t5 --> t3>. %1;0.4%"};
    for (int i = 0; i < 10; ++i) {
      const auto a = rng.below(7), b = rng.below(7);
      const std::string between = i % 2 == 0 ? " <-> " : " --> ";
      const bool is_answer = (a == 0 && b == 3) || (a == 3 && b == 0);
      if (a != b && !is_answer) lines.push_back("<" + name(a) + between + name(b) + ">. %1;0.8%");
    }
    read(lines);
    example.query = asked(memory, *index, "<t0 --> t3>");
  }
};

auto kinds(const char* stream, int count) { return proof_worlds<Kinds>(31, stream, count); }

auto likelihood_of(const ProofExample& example, const ProofWeights& theta) {
  return ExampleProofs(example, theta, {}).likelihood(theta);
}

const std::vector<StatementId> selected{0, 1, 2, 3, 4, 5, 6};

auto failure_of(const ProofExample& example, double reliability, const ProofWeights& theta) {
  return ExampleProofs(example, theta, {}).failure_likelihood(selected, reliability, theta);
}

double mean_log_p(const std::vector<std::unique_ptr<Kinds>>& all, const ProofWeights& theta) {
  double sum = 0;
  for (const auto& one : all) sum += likelihood_of(one->example, theta)->log_p;
  return sum / static_cast<double>(all.size());
}

}  // namespace

TEST_CASE("log p of a known proof is the share of the derivations that use only its statements", "[proofs]") {
  Rng rng(24, "proof_training_test");
  const ProofAttentionOptions options = wide_options();
  std::size_t more = 0;
  for (const auto& family : families("share", 6)) {
    const ProofWeights theta = random_proof_weights(rng);
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
      return ExampleProofs(example, plain_proof_weights, options).likelihood(theta)->log_p;
    };
    CHECK(log_p() == Approx(std::log(share({0, 1, 2}))));
    // Of several known proofs, the likeliest one counts.
    example.proofs = {{0, 1, 2}, friends};
    CHECK(log_p() == Approx(std::log(std::max(share({0, 1, 2}), share(friends)))));
    // The likelihood of a failure with these statements, if the reasoner finds a proof among them with probability 0.8
    // or 0.
    const ExampleProofs found(example, plain_proof_weights, options);
    CHECK(found.failure_likelihood(both, 0.8, theta)->log_p == Approx(std::log(1 - 0.8 * share(both))));
    CHECK(found.failure_likelihood(both, 0, theta)->log_p == 0);
    CHECK_FALSE(found.failure_likelihood(std::vector<StatementId>{0, 1}, 0.8, theta));
    // There is no likelihood if the search does not find the known proof.
    example.proofs = {{3}};
    CHECK_FALSE(ExampleProofs(example, plain_proof_weights, options).likelihood(theta));
  }
  CHECK(more > 18);
}

TEST_CASE("gradients of the likelihoods of proofs and failures equal finite differences", "[proofs]") {
  ProofAttentionOptions options = wide_options();
  Rng rng(22, "proof_training_test");
  int others = 0;
  for (const EmbeddingKind kind :
       {EmbeddingKind::incidence, EmbeddingKind::svd, EmbeddingKind::random_indexing})
    for (const auto& family : families("gradient", 3)) {
      options.temperature = kind == EmbeddingKind::svd ? 0.5 : 1;
      options.embedding = {kind, 4};
      ProofWeights theta = random_proof_weights(rng);
      const ExampleProofs found(family->example, plain_proof_weights, options);
      const auto likelihood = found.likelihood(theta);
      REQUIRE(likelihood);
      CHECK(likelihood->log_p < 0);
      others += check_gradient(theta, likelihood->gradient, [&] { return found.likelihood(theta)->log_p; });
      const std::vector<StatementId> given{0, 1, 2, 3, 4, 5};
      const auto failure = found.failure_likelihood(given, 0.9, theta);
      REQUIRE(failure);
      CHECK(failure->log_p < 0);
      others += check_gradient(theta, failure->gradient,
                               [&] { return found.failure_likelihood(given, 0.9, theta)->log_p; });
      CHECK((likelihood->gradient[static_cast<std::size_t>(ProofFeature::nearness)] != 0) ==
            (kind != EmbeddingKind::incidence));
    }
  CHECK(others > 80);
}

TEST_CASE("a statement that is left out asks for either name, without equivalent statements", "[proofs]") {
  Memory memory = samples::told({"<(*,a,b) --> r>.", "<(*,b,a) --> r>.", "<(*,a,b) --> s>.", "<c --> d>.",
                                 "<{c} --> [d]>.", "<d --> c>.", "<e <-> c>.",
                                 "<(<($1 * #2) --> s> && <(#2 * $3) --> s>) ==> <($1 * $3) --> s>>.",
                                 "<e --> d>. %0;0.9%", "<(*,a,f) --> s>.", "<(*,f,b) --> s>.", "<c ==> d>."});
  const MemoryIndex index(memory);
  const auto id = [&](const char* text) { return concept_of(memory, text); };
  const auto first = left_out_example(index, 0, false), second = left_out_example(index, 0, true);
  REQUIRE((first && second));
  const auto check = [&](const ProofExample& example, const char* from, const char* to, bool back) {
    const NamePair& pair = example.query.pairs.at(0);
    CHECK(pair.from == id(from));
    CHECK_FALSE(pair.to);
    CHECK(pair.kind == StepKind::relation);
    CHECK(pair.relation == id("r"));
    CHECK(pair.back == back);
    CHECK(example.query.answer == id(to));
    CHECK(example.query.question.open == term(memory, to));
    CHECK(example.query.question.term == term(memory, "<(*,a,b) --> r>"));
    CHECK(example.query.question.without == std::vector<StatementId>{0, 1, 2});
    CHECK(example.query.is_open());
    CHECK(example.proofs.empty());
  };
  check(*first, "a", "b", false);
  check(*second, "b", "a", true);
  const auto inheritance = left_out_example(index, 4, false);
  REQUIRE(inheritance);
  CHECK(inheritance->query.question.without == std::vector<StatementId>{3, 4, 5, 11});
  for (const StatementId e : {6U, 7U, 8U, 11U}) CHECK_FALSE(left_out_example(index, e, false));
  // The guesses use only other statements, in paths of two steps.
  ProofExample guessed = *first;
  const ProofAttention attention(index, guessed.query, plain_proof_weights, {});
  CHECK(attention.are_guesses());
  std::vector<StatementId> used;
  for (const auto& [e, uses] : attention.marginals()) used.push_back(e);
  CHECK(used == std::vector<StatementId>{9, 10});
  // A rule proves the statement that is left out, so there is a likelihood.
  const auto by_rule = left_out_example(index, 2, false);
  REQUIRE(by_rule);
  CHECK(ExampleProofs(*by_rule, plain_proof_weights, {}).likelihood(plain_proof_weights).has_value());
}

TEST_CASE("log p of the known answer is the share of the guesses that lead to it", "[proofs]") {
  Rng rng(25, "proof_training_test");
  const ProofAttentionOptions options = wide_options();
  int compared = 0;
  const auto all_families = families("answers", 4);
  for (const ProofExample& example : left_out_of(all_families)) {
    if (!FoundProofs(*example.memory, example.query, plain_proof_weights, options, true).are_guesses())
      continue;
    const ProofWeights theta = random_proof_weights(rng);
    double there = 0, total = 0;
    for (const Derivation& one : derivations(example, theta, options)) {
      // The last step comes first. The path ends at the other name of its last step.
      ConceptId at = example.query.pairs.at(0).from;
      for (std::size_t i = one.statements.size(); i-- > 0;)
        for (const Hop& hop : example.memory->hops().from(at))
          if (hop.statement == one.statements[i]) {
            at = hop.to;
            break;
          }
      total += std::exp(one.log_weight);
      if (at == example.query.answer) there += std::exp(one.log_weight);
    }
    const auto found = ExampleProofs(example, plain_proof_weights, options).likelihood(theta);
    REQUIRE(found.has_value() == (there > 0));
    if (!found) continue;
    CHECK(found->log_p == Approx(std::log(there / total)));
    ++compared;
  }
  CHECK(compared > 30);
}

TEST_CASE("the gradient of log p of the known answer equals finite differences, for guesses and proofs",
          "[proofs]") {
  ProofAttentionOptions options = wide_options();
  Rng rng(23, "proof_training_test");
  int others = 0, checked = 0;
  const auto all_families = families("answer gradient", 1);
  std::vector<ProofExample> examples = left_out_of(all_families);
  ProofExample proved = all_families.front()->example;
  proved.proofs.clear();
  proved.query.question.open = term(all_families.front()->memory, "p2");
  examples.insert(examples.begin(), proved);
  for (const double temperature : {1.0, 0.5})
    for (std::size_t i = 0; i < examples.size(); i += 3) {
      options.temperature = temperature;
      ProofWeights theta = random_proof_weights(rng);
      const ExampleProofs found(examples[i], plain_proof_weights, options);
      const auto likelihood = found.likelihood(theta);
      if (!likelihood) continue;
      others += check_gradient(theta, likelihood->gradient, [&] { return found.likelihood(theta)->log_p; });
      ++checked;
    }
  CHECK(checked > 5);
  CHECK(others > 40);
}

TEST_CASE("training makes unseen proofs likelier, to the same bits for each number of threads", "[proofs]") {
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
  // Training searches the proofs once, with twice the slack.
  ProofAttentionOptions wide;
  wide.search.slack *= 2;
  CHECK(training.validation_loss[static_cast<std::size_t>(training.best_epoch)] ==
        Approx(-mean_log_p(held_out, trained, plain_proof_weights, wide)));
  options.threads = 3;
  CHECK(weights_of(train_proofs(plain_proof_weights, examples, held_out, options)) == trained);
  // No example has these features, so training keeps their weights.
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
          "[proofs]") {
  const auto plain = families("leak", 6), telling = families("leak", 6, true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto likelihood = [](const ProofExample& example) {
      return ExampleProofs(example, plain_proof_weights, {}).likelihood(plain_proof_weights);
    };
    ProofExample seen = telling[i]->example;
    const double hidden = likelihood(seen)->log_p;
    seen.query.question.without.clear();
    // If the statement is not left out, it proves the question alone.
    if (const auto found = likelihood(seen)) CHECK(found->log_p < hidden - 0.5);
    CHECK(hidden == Approx(likelihood(plain[i]->example)->log_p).margin(0.3));
  }
  ProofExample wrong = plain[0]->example;
  wrong.proofs = {{3}};
  const std::vector<ProofExample> none{wrong}, one{plain[0]->example}, both{wrong, plain[0]->example};
  CHECK_INVALID(train_proofs(plain_proof_weights, none, one, {}));
  CHECK_INVALID(train_proofs(plain_proof_weights, one, none, {}));
  ProofTrainingOptions options;
  options.descent.max_epochs = 3;
  CHECK(train_proofs(plain_proof_weights, both, both, options).training_loss ==
        train_proofs(plain_proof_weights, one, one, options).training_loss);
}

TEST_CASE("the confidence of each kind of proof is counted over examples", "[proofs]") {
  const auto all = families("confidence", 12);
  std::vector<ProofExample> examples = examples_of(all);
  // One in four examples is an open question, one in four has only guesses, and one in four has another known proof.
  for (std::size_t i = 0; i < examples.size(); ++i) {
    ProofExample& example = examples[i];
    if (i % 4 == 1) example.query.question.open = term(all[i]->memory, "p2");
    if (i % 4 == 2) example.query.question.without = {2, 3, 8};
    if (i % 4 == 3) example.proofs = {{3, 4, 5}};
    if (i % 4 == 2) example.proofs = {{0, 1}};
  }
  examples.back().proofs = {{6}};
  std::array<std::array<double, 2>, 2> counts{};  // for each kind of proof: examples seen, and complete ones
  for (const ProofExample& e : examples) {
    const ProofAttention attention(*e.memory, e.query, plain_proof_weights, {});
    if (attention.answers() > 1) continue;
    std::vector<StatementId> given;
    for (const WeightedProof& guess : attention.proofs()) {
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
  examples.back().proofs.clear();  // an example without a known proof
  const ProofConfidence found = learnt_confidence(examples, plain_proof_weights, {});
  CHECK(found.proof == Approx(expected(0)));
  CHECK(found.guess == Approx(expected(1)));
  CHECK(learnt_confidence({}, plain_proof_weights, {}) == ProofConfidence{0.5, 0.5});
}

TEST_CASE("a step uses the inverse of the prior precision and the gradients so far", "[proofs]") {
  constexpr Index n = static_cast<Index>(proof_features);
  constexpr double precision = 0.7;
  ProofLearner learner(plain_proof_weights, {.precision = precision, .reliability = 0.5});
  Eigen::MatrixXd information = Eigen::MatrixXd::Identity(n, n) * precision;
  Eigen::VectorXd theta = vector_of(plain_proof_weights);
  std::uint64_t count = 0;
  for (const auto& one : kinds("steps", 12)) {
    const ProofWeights at = proof_weights_of(theta);
    const bool fails = count % 3 == 2;
    const auto told = fails ? failure_of(one->example, 0.5, at) : likelihood_of(one->example, at);
    const Eigen::VectorXd g = vector_of(told->gradient);
    information += g * g.transpose();
    theta += information.inverse() * g;
    REQUIRE((fails ? learner.failed(one->example, selected, {}) : learner.answered(one->example, {})));
    ++count;
    for (Index f = 0; f < n; ++f)
      CHECK(learner.weights()[static_cast<std::size_t>(f)] == Approx(theta[f]).epsilon(1e-9).margin(1e-9));
  }
  CHECK(learner.state().answered == 8);
  CHECK(learner.state().failed == 4);
  const Eigen::MatrixXd covariance = information.inverse();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      CHECK(learner.state().covariance[static_cast<std::size_t>(i * (i + 1) / 2 + j)] ==
            Approx(covariance(i, j)).epsilon(1e-9).margin(1e-9));
}

TEST_CASE("online learning makes unseen proofs likelier, and keeps precise and frozen weights", "[proofs]") {
  const auto seen = kinds("seen", 12), unseen = kinds("unseen", 12);
  ProofLearner learner(plain_proof_weights, {.frozen = {ProofFeature::similarity}}),
      sure(plain_proof_weights, {.precision = 1e6});
  for (const auto& one : seen) {
    REQUIRE(learner.answered(one->example, {}));
    REQUIRE(sure.answered(one->example, {}));
  }
  CHECK(mean_log_p(unseen, learner.weights()) > mean_log_p(unseen, plain_proof_weights) + 0.2);
  CHECK(at(learner.weights(), ProofFeature::similarity) == at(plain_proof_weights, ProofFeature::similarity));
  CHECK(at(learner.weights(), ProofFeature::counterevidence) !=
        at(plain_proof_weights, ProofFeature::counterevidence));
  for (std::size_t f = 0; f < proof_features; ++f)
    CHECK(std::abs(sure.weights()[f] - plain_proof_weights[f]) < 1e-3);
  CHECK(learner.state().start == plain_proof_weights);

  // Statements that were selected and did not suffice become less likely.
  const ProofExample& example = unseen[0]->example;
  const double before = failure_of(example, 0.9, learner.weights())->log_p;
  REQUIRE(learner.failed(example, selected, {}));
  CHECK(failure_of(example, 0.9, learner.weights())->log_p > before);
  ProofExample useless = example;
  useless.proofs = {{3}};
  const ProofLearnerState state = learner.state();
  CHECK_FALSE(learner.answered(useless, {}));
  CHECK_FALSE(learner.failed(useless, {1, 2}, {}));
  CHECK(learner.state() == state);
}

TEST_CASE("a learner continues from its state to the same bits, and rejects invalid states", "[proofs]") {
  const auto questions = kinds("goes on", 8);
  ProofLearner through(plain_proof_weights);
  for (const auto& one : questions) through.answered(one->example, {});
  ProofLearner half(plain_proof_weights);
  for (std::size_t i = 0; i < 4; ++i) half.answered(questions[i]->example, {});
  ProofLearner rest(half.state());
  for (std::size_t i = 4; i < 8; ++i) rest.answered(questions[i]->example, {});
  CHECK(rest.state() == through.state());

  const auto refused = [&](auto change) {
    ProofLearnerState state = through.state();
    change(state);
    return testing::message_of<std::invalid_argument>([&] { ProofLearner{state}; });
  };
  CHECK(refused([](auto&) {}) == "no error");
  CHECK(refused([](auto& state) { state.covariance.pop_back(); }) ==
        "there must be 78 covariances, found 77");
  CHECK(refused([](auto& state) { state.covariance[0] = -1; }) == "variances must be 0 or above, found -1");
  CHECK(refused([](auto& state) {
          state.covariance[1] = nan;
        }).starts_with("covariances must be in [-1e6, 1e6], found "));
  CHECK(refused([](auto& state) { state.weights[3] = 31; }) == "weights must be in [-30, 30], found 31");
  CHECK(refused([](auto& state) { state.start[3] = -31; }) == "weights must be in [-30, 30], found -31");
  CHECK_INVALID(ProofLearner(plain_proof_weights, {.precision = 0}));
}

}  // namespace engram::core
