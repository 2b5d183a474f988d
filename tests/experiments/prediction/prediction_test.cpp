// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "core/numbers/random.hpp"
#include "experiments/prediction/predictors.hpp"
#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::prediction;
using core::Index;
using core::Matrix;
using core::Vector;

namespace {

EventStream stream_of(Index concepts, const std::vector<std::vector<std::uint32_t>>& episodes) {
  EventStream stream;
  stream.name = "test";
  stream.episodes = stream.background = core::SparseRows(concepts);
  for (const auto& active : episodes)
    stream.episodes.push_row(active, std::vector<double>(active.size(), 1.0));
  for (Index i = 0; i < concepts; ++i) stream.concepts.push_back("c" + std::to_string(i));
  return stream;
}

const PredictionMethod& method(const std::string& name) {
  for (const PredictionMethod& known : prediction_methods())
    if (known.name == name) return known;
  throw std::logic_error(name);
}

Vector before(const Predictor& predictor, Index t) {
  return predictor.predict({t, t + 1}).row(0).transpose();
}

FittingOptions quick() {
  FittingOptions options;
  options.dimensions = 12;
  options.training.max_epochs = 60;
  return options;
}

double chosen(const Predictor& predictor, const std::string& what) {
  for (const auto& [name, value] : predictor.chosen)
    if (name == what) return value;
  throw std::logic_error(what);
}

}  // namespace

TEST_CASE("a generated world follows its own probabilities", "[experiments][prediction]") {
  StoryOptions options;
  options.episodes = 60'000;
  options.situations = 5;
  options.concepts = 6;
  options.active = 2;
  options.distractors = 2;
  options.distraction = 0.4;
  options.jump = 0.3;
  const EventStream stream = generate_stream(options, 7);
  REQUIRE(stream.episodes.rows() == 60'000);
  REQUIRE(stream.truth.rows() == 5);
  REQUIRE(stream.truth.cols() == 8);
  Matrix mean = Matrix::Zero(5, 8);
  Vector times = Vector::Zero(5);
  double surprise = 0;
  for (Index t = 1; t < stream.episodes.rows(); ++t) {
    const auto z = static_cast<Index>(stream.situation[static_cast<std::size_t>(t - 1)]);
    const Vector y = core::episode_distribution(stream.episodes, t);
    mean.row(z) += y.transpose();
    times[z] += 1;
    for (Index c = 0; c < 8; ++c)
      if (y[c] > 0) surprise -= y[c] * std::log(stream.truth(z, c));
  }
  for (Index z = 0; z < 5; ++z) {
    CHECK(stream.truth.row(z).sum() == Approx(1).epsilon(1e-12));
    CHECK(times[z] / 60'000 == Approx(0.2).margin(0.02));
    // Each of the five situations has about 12,000 episodes, so the standard errors are about 0.004.
    for (Index c = 0; c < 8; ++c) CHECK(mean(z, c) / times[z] == Approx(stream.truth(z, c)).margin(0.02));
  }
  CHECK(surprise / 59'999 == Approx(stream.floor).margin(0.01));
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b < a; ++b) CHECK(stream.sets[a] != stream.sets[b]);
}

TEST_CASE("a deterministic world has the loss floor of its episode size, and seeds give different worlds",
          "[experiments][prediction]") {
  StoryOptions options;
  options.episodes = 30;
  options.distraction = options.jump = 0;
  const EventStream a = generate_stream(options, 1), b = generate_stream(options, 1),
                    c = generate_stream(options, 2);
  CHECK(a.floor == Approx(std::log(3.0)).epsilon(1e-12));
  CHECK(a.concepts.size() == 16);  // no distractors are added to the 16 concepts
  CHECK(a.sets == b.sets);
  CHECK(a.situation == b.situation);
  CHECK(a.sets != c.sets);
  for (std::size_t t = 1; t < 30; ++t) CHECK(a.situation[t] == (a.situation[t - 1] + 1) % 12);
  // Three concepts allow a single set of three, but twelve situations need distinct sets.
  options.concepts = options.active = 3;
  CHECK_THROWS_AS(generate_stream(options, 1), std::invalid_argument);
}

TEST_CASE("a file's stream has its tensed judgements, and the background has the sentences before them",
          "[experiments][prediction]") {
  std::istringstream narsese(
      "<cat --> animal>.\n<cat --> [here]>. :|:\n<cat --> [here]>? :|:\n<dog --> animal>.\n"
      "<dog --> [here]>! :|:\n<$1 --> $1>. :|:\n<cat --> [here]>. :|:\n");
  Corpus corpus;
  corpus.name = "a.nal";
  corpus.session = std::make_unique<core::Session>();
  corpus.session->read(narsese, [&](const narsese::NalLine& line) {
    if (line.kind == narsese::NalLine::Kind::sentence && !line.sentence.asks())
      corpus.said.push_back(line.sentence);
  });
  const EventStream stream = event_stream(corpus);
  CHECK(stream.concepts == std::vector<std::string>{"cat", "animal", "here", "dog"});
  REQUIRE(stream.episodes.rows() == 3);
  REQUIRE(stream.background.rows() == 1);
  const auto active = [&](const core::SparseRows& rows, Index t) {
    const auto ids = rows.columns_of(t);
    return std::vector<std::uint32_t>(ids.begin(), ids.end());
  };
  CHECK(active(stream.background, 0) == std::vector<std::uint32_t>{0, 1});
  CHECK(active(stream.episodes, 0) == std::vector<std::uint32_t>{0, 2});
  CHECK(active(stream.episodes, 1) == std::vector<std::uint32_t>{2, 3});
  CHECK(active(stream.episodes, 2) == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a stream is split in temporal order", "[experiments][prediction]") {
  const Split split = split_stream(100, 0.4, 0.6, 0.25);
  CHECK(split.training.first == 1);
  CHECK(split.training.last == 30);
  CHECK(split.validation.first == 30);
  CHECK(split.validation.last == 40);
  CHECK(split.held_out.first == 40);
  CHECK(split.held_out.last == 60);
  CHECK_THROWS_AS(split_stream(4, 0.4, 0.6, 0.25), std::invalid_argument);
}

TEST_CASE("every method returns probabilities and uses only the past", "[experiments][prediction]") {
  StoryOptions options;
  options.episodes = 60;
  const EventStream stream = generate_stream(options, 3);
  // The two streams are equal before episode 45 and differ from it on.
  EventStream other = stream;
  other.episodes = core::SparseRows(stream.episodes.columns());
  for (Index t = 0; t < 60; ++t) {
    const auto active = stream.episodes.columns_of(t < 45 ? t : 104 - t);
    other.episodes.push_row(active, std::vector<double>(active.size(), 1.0));
  }
  const Split split = split_stream(60, 0.7, 1, 0.25);
  for (const PredictionMethod& known : prediction_methods()) {
    INFO(known.name);
    const Predictor a = known.fit(stream, split, quick()), b = known.fit(other, split, quick());
    const Matrix p = a.predict(split.held_out), q = b.predict(split.held_out);
    REQUIRE(p.rows() == 18);
    for (Index i = 0; i < p.rows(); ++i) {
      CHECK(p.row(i).sum() == Approx(1).epsilon(1e-9));
      CHECK(p.row(i).minCoeff() >= 0);
    }
    // Held-out episodes 42 to 45 are predicted from episodes 0 to 44, which the streams share.
    CHECK(p.topRows(4) == q.topRows(4));
    CHECK(before(a, 50) == Vector(p.row(8).transpose()));
  }
}

TEST_CASE("counting methods match values computed by hand", "[experiments][prediction]") {
  // The concepts 0, 1 and 2 are a, b and c. The episodes are a, b, a, ab, a, b, then those for validation and the
  // held-out ones.
  const EventStream stream = stream_of(3, {{0}, {1}, {0}, {0, 1}, {0}, {1}, {0}, {1}, {0}, {2}});
  const Split split{{1, 6}, {6, 8}, {8, 10}};
  const FittingOptions options = quick();
  // The training targets are episodes 1 to 5: b, a, ab, a, b. In ab, each concept counts one half.
  const Vector frequency = (Vector(3) << 2.5 / 5, 2.5 / 5, 0).finished();
  CHECK(before(method("frequency").fit(stream, split, options), 8).isApprox(frequency, 1e-14));
  CHECK(before(method("uniform").fit(stream, split, options), 8).isApprox(Vector::Constant(3, 1.0 / 3)));

  const Predictor markov = method("markov").fit(stream, split, options);
  const double k = chosen(markov, "strength");
  // Episodes 0, 2, 3 and 4 contain a and are followed by b, ab, a and b. Episodes 1 and 3 contain b and are followed by
  // a and a. The frequencies enter with weight k.
  const Vector after_a = ((Vector(3) << 1.5, 2.5, 0).finished() + k * frequency) / (4 + k);
  const Vector after_b = ((Vector(3) << 2, 0, 0).finished() + k * frequency) / (2 + k);
  CHECK(before(markov, 9).isApprox(after_a, 1e-14));
  CHECK(before(markov, 8).isApprox(after_b, 1e-14));
  CHECK(before(markov, 4).isApprox((after_a + after_b) / 2, 1e-14));

  const Predictor episodes = method("episode_markov").fit(stream, split, options);
  const double s = chosen(episodes, "strength");
  CHECK(chosen(episodes, "strength_of_concepts") == k);
  // Episodes 0, 2 and 4 are exactly a and are followed by b, ab and b. The chain over concepts enters with weight s.
  CHECK(before(episodes, 9).isApprox(((Vector(3) << 0.5, 2.5, 0).finished() + s * after_a) / (3 + s), 1e-14));
  // No training episode follows c alone, so the prediction comes from the chain over concepts. For c that chain knows
  // only the frequencies.
  const EventStream longer = stream_of(3, {{0}, {1}, {0}, {0, 1}, {0}, {1}, {0}, {1}, {2}, {0}});
  const Predictor unseen = method("episode_markov").fit(longer, split, options);
  CHECK(before(unseen, 9).isApprox(frequency, 1e-14));

  const Predictor recency = method("recency").fit(stream, split, options);
  const double decay = chosen(recency, "decay");
  Vector trace = Vector::Zero(3);
  double weight = 0;
  for (Index t = 0; t < 9; ++t) {
    const double share = std::pow(decay, static_cast<double>(8 - t));
    trace += share * core::episode_distribution(stream.episodes, t);
    weight += share;
  }
  CHECK(before(recency, 9).isApprox(trace / weight, 1e-12));
}

TEST_CASE("the asymmetric Hopfield network recalls a sequence", "[experiments][prediction]") {
  std::vector<std::vector<std::uint32_t>> cycle;
  for (std::uint32_t t = 0; t < 40; ++t) cycle.push_back({t % 4, 4 + t % 4});
  const EventStream stream = stream_of(8, cycle);
  const Predictor network =
      method("asymmetric_hopfield").fit(stream, split_stream(40, 0.7, 1, 0.25), quick());
  for (Index t = 28; t < 40; ++t) {
    const Vector p = before(network, t);
    CHECK(recall_at(p, stream.episodes.columns_of(t), 2) == 1);
    CHECK(p[t % 4] == Approx(0.5).margin(0.01));
  }
}

TEST_CASE("training returns the model of the best epoch", "[experiments][prediction]") {
  StoryOptions options;
  options.episodes = 60;
  const EventStream stream = generate_stream(options, 3);
  const Split split = split_stream(60, 0.7, 1, 0.25);
  FittingOptions fitted = quick();
  fitted.training.patience = 10;
  for (const char* name : {"trained_attention", "trained_entmax", "trained_sparsemax"}) {
    const Predictor predictor = method(name).fit(stream, split, fitted);
    const auto& losses = predictor.training.validation_loss;
    const auto best = static_cast<std::size_t>(predictor.training.best_epoch);
    REQUIRE(best + 1 < losses.size());  // training continued after the best epoch
    CHECK(losses[best] < losses.back());
    CHECK(mean_log_loss(predictor, stream, split.validation, fitted.smoothing) ==
          Approx(losses[best]).epsilon(1e-12));
  }
}

TEST_CASE("recall is the mean over all orders of ties", "[experiments][prediction]") {
  const Vector p = (Vector(4) << 0.4, 0.3, 0.3, 0).finished();
  const std::vector<std::uint32_t> active{0, 1, 3};
  CHECK(recall_at(p, active, 1) == Approx(1.0 / 3));
  // The second place goes to either of two tied concepts, one of which is active.
  CHECK(recall_at(p, active, 2) == Approx(1.5 / 3));
  CHECK(recall_at(p, active, 3) == Approx(2.0 / 3));
  CHECK(recall_at(p, active, 4) == 1);
  CHECK(recall_at(p, active, 9) == 1);
  CHECK(recall_at(Vector::Constant(8, 0.125), active, 3) == Approx(3.0 / 8));
}

TEST_CASE("embeddings do not depend on held-out episodes, and every concept has one",
          "[experiments][prediction]") {
  const EventStream a = stream_of(4, {{0}, {1}, {0}, {1}, {0, 1}, {1}, {2, 3}, {0, 2}});
  const EventStream b = stream_of(4, {{0}, {1}, {0}, {1}, {0, 1}, {1}, {1, 3}, {0, 1}});
  const Split split{{1, 4}, {4, 5}, {5, 8}};
  const Matrix x = concept_embeddings(a, split, quick());
  CHECK(x == concept_embeddings(b, split, quick()));
  for (Index i = 0; i < 4; ++i) CHECK(x.row(i).norm() == Approx(1).epsilon(1e-14));
}

TEST_CASE(
    "on a generated world trained attention beats its initial state, frequency and the chain over concepts",
    "[experiments][prediction]") {
  const Spec spec =
      resolve_spec({{"experiment", "prediction"},
                    {"inputs", Json::array()},
                    // With fewer seeds, no difference could be significant after correction.
                    {"seeds", {1, 2, 3, 4, 5, 6, 7, 8}},
                    {"origins", {0.7}},
                    {"dimensions", 24},
                    {"methods", {"trained_attention", "untrained_attention", "markov", "frequency"}}},
                   "");
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  REQUIRE(trials->count() == 8);
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < 8; ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  // 8 trials with 6 rows: the four methods, the baseline `uniform` and `true_structure`.
  REQUIRE(rows.size() == 48);
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  const Json& summary = conclusion.summary.at("generated");
  for (const char* other : {"untrained_attention", "markov", "frequency"}) {
    CHECK(summary.at(other).at("clear_of_zero").get<bool>());
    CHECK(summary.at(other).at("above_trained_attention").at("low").get<double>() > 0);
  }
  CHECK(summary.at("true_structure").at("log_loss").at("mean").get<double>() <
        summary.at("trained_attention").at("log_loss").at("mean").get<double>());
  CHECK(conclusion.answer.find("less than frequency") != std::string::npos);
  CHECK(conclusion.plots.size() == 2);
  CHECK(conclusion.drawings.size() == 1);
  // The answer names the better method, even if the names of two methods are exchanged in the rows.
  for (Json& row : rows)
    if (row.at("method") == "frequency")
      row["method"] = "trained_attention";
    else if (row.at("method") == "trained_attention")
      row["method"] = "frequency";
  const std::string beaten = spec.experiment->conclude(spec, rows).answer;
  CHECK(beaten.find("trained_attention is beaten by ") != std::string::npos);
  CHECK(beaten.find("frequency on generated, by more than chance.") != std::string::npos);
}
