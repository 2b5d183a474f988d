// SPDX-License-Identifier: MIT
#include "experiments/prediction/prediction.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/rank.hpp"
#include "core/retrieval/retriever.hpp"

namespace engram::experiments {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

PredictionOptions read(SpecReader& reader, Spec& spec) {
  PredictionOptions prediction;
  read_inputs(reader, spec, true);
  std::vector<std::string> known;
  for (const PredictionMethod& method : prediction_methods()) known.push_back(method.name);
  prediction.methods = reader.names("methods", known);
  prediction.generated = read_story(reader, "generated", prediction.generator);
  reader.ascending("origins", prediction.origins, 0.01, 0.99);
  reader.number("validation", prediction.validation, 0.01, 0.9);
  reader.counts("recall_at", prediction.recall_at, 1, 1000);
  FittingOptions& options = prediction.fitting;
  reader.number("smoothing", options.smoothing, 1e-6, 0.5);
  reader.count("dimensions", options.dimensions, 1024);
  reader.number("temperature", options.temperature, 1e-3, 1e3);
  reader.number("alpha", options.alpha, 1.001, 1.999);
  core::TrainingOptions& training = options.training;
  reader.number("learning_rate", training.adam.learning_rate, 1e-6, 10);
  reader.count("epochs", training.max_epochs, 100'000);
  reader.count("patience", training.patience, 100'000);
  require_inputs(spec, prediction.generated);
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
  return prediction;
}

std::vector<Observation> observe(const Json& row) {
  const bool generated = row.at("generated").get<bool>();
  const auto first = whole(row.at("held_out").at(0));
  std::vector<Observation> all;
  if (!row.contains("log_loss")) return all;
  const Json& losses = row.at("log_loss");
  for (std::size_t i = 0; i < losses.size(); ++i)
    all.push_back(
        {"log-loss", row.at("method").get<std::string>(),
         generated ? "seed " + row.at("seed").dump() : "block " + std::to_string((first + i) / episode_block),
         losses[i].get<double>(), row.at("stream").get<std::string>()});
  return all;
}

// Counts and couplings of the methods grow with the square of the concepts.
constexpr std::size_t most_concepts = 2048;
constexpr Index fewest_episodes = 20;
constexpr Index examples = 24;  // predictions that are written out in words

struct Setting {
  std::size_t stream = 0;  // of a file; the number of files: generated
  std::uint64_t seed = 1;
  std::size_t origin = 0;
};

class PredictionTrials : public TrialsOf<PredictionOptions> {
 public:
  PredictionTrials(const Spec& spec, const PredictionOptions& options)
      : TrialsOf(spec, options), methods_(with_prediction_baselines(options.methods)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      const Corpus corpus = load_corpus(input, spec_.memory);
      add_rejections(rejections, corpus);
      EventStream stream = event_stream(corpus);
      if (stream.episodes.rows() < fewest_episodes)
        rejections.emplace_back(
            input.name,
            core::RejectedLine{1, 1,
                               "the file must hold at least 20 judgments or goals with a tense, found " +
                                   std::to_string(stream.episodes.rows())});
      else if (stream.concepts.size() > most_concepts)
        rejections.emplace_back(input.name,
                                core::RejectedLine{1, 1,
                                                   "the file must name at most 2048 concepts, found " +
                                                       std::to_string(stream.concepts.size())});
      else
        files_.push_back(std::move(stream));
    }
    for (std::size_t stream = 0; stream < files_.size() + (options_.generated ? 1 : 0); ++stream)
      for (const std::uint64_t seed : spec_.seeds)
        for (std::size_t origin = 0; origin < options_.origins.size(); ++origin)
          settings_.push_back({stream, seed, origin});
    return rejections;
  }

  std::size_t count() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    const bool generated = setting.stream == files_.size();
    const EventStream stream =
        generated ? generate_stream(options_.generator, setting.seed) : files_[setting.stream];
    const bool last = setting.origin + 1 == options_.origins.size();
    const double end = last ? 1.0 : options_.origins[setting.origin + 1];
    const Split split =
        split_stream(stream.episodes.rows(), options_.origins[setting.origin], end, options_.validation);
    FittingOptions fitting = options_.fitting;
    fitting.seed = setting.seed;
    const bool shown = last && setting.seed == spec_.seeds.front();  // pictures are made of one run

    TrialResult result;
    const auto add = [&](const std::string& name, const Predictor& predictor, double smoothing) {
      Json row = {{"trial", trial},
                  {"stream", stream.name},
                  {"generated", generated},
                  {"seed", setting.seed},
                  {"origin", options_.origins[setting.origin]},
                  {"method", name},
                  {"held_out", {split.held_out.first, split.held_out.last}}};
      if (generated) row["floor"] = stream.floor;
      const Matrix p = predictor.predict(split.held_out);
      add_measures(row, stream, split.held_out, p, smoothing);
      for (const auto& [what, value] : predictor.chosen) row["chosen"][what] = value;
      if (shown) add_pictures(row, stream, split.held_out, p, predictor);
      result.rows.push_back(std::move(row));
    };
    for (const PredictionMethod& method : prediction_methods()) {
      if (std::ranges::find(methods_, method.name) == methods_.end()) continue;
      Predictor predictor;
      result.time(trial, method.name, [&] { predictor = method.fit(stream, split, fitting); });
      add(method.name, predictor, fitting.smoothing);
    }
    if (generated) add(true_structure, known_structure(stream), 0);
    return result;
  }

 private:
  // What one would predict who knew the world that made the stream.
  static Predictor known_structure(const EventStream& stream) {
    return {[&stream](core::EpisodeRange range) {
      Matrix p(range.size(), stream.truth.cols());
      for (Index i = 0; i < range.size(); ++i)
        p.row(i) = stream.truth.row(
            static_cast<Index>(stream.situation[static_cast<std::size_t>(range.first + i - 1)]));
      return p;
    }};
  }

  void add_measures(Json& row, const EventStream& stream, core::EpisodeRange range, const Matrix& p,
                    double smoothing) const {
    row["log_loss"] = Json::array();
    for (const std::size_t k : options_.recall_at) row["recall"][std::to_string(k)] = Json::array();
    for (Index i = 0; i < range.size(); ++i) {
      const Vector prediction = p.row(i).transpose();
      const Vector truth = core::episode_distribution(stream.episodes, range.first + i);
      row["log_loss"].push_back(core::smoothed_log_loss(prediction, truth, smoothing));
      for (const std::size_t k : options_.recall_at)
        row["recall"][std::to_string(k)].push_back(
            recall_at(prediction, stream.episodes.columns_of(range.first + i), k));
    }
  }

  static Json names(const EventStream& stream, std::span<const std::uint32_t> ids) {
    Json list = Json::array();
    for (const std::uint32_t id : ids) list.push_back(stream.concepts[id]);
    return list;
  }

  static void add_pictures(Json& row, const EventStream& stream, core::EpisodeRange range, const Matrix& p,
                           const Predictor& predictor) {
    if (!predictor.training.training_loss.empty())
      row["curve"] = {{"training", predictor.training.training_loss},
                      {"validation", predictor.training.validation_loss},
                      {"best_epoch", predictor.training.best_epoch},
                      {"stopped_early", predictor.training.stopped_early}};
    if (!stream.situation.empty()) {
      // The mean prediction after each situation, as far as it came up.
      Matrix mean = Matrix::Zero(stream.truth.rows(), p.cols());
      Vector times = Vector::Zero(mean.rows());
      for (Index i = 0; i < range.size(); ++i) {
        const auto z = static_cast<Index>(stream.situation[static_cast<std::size_t>(range.first + i - 1)]);
        mean.row(z) += p.row(i);
        times[z] += 1;
      }
      for (Index z = 0; z < mean.rows(); ++z) {
        const Vector share = mean.row(z).transpose() / std::max(times[z], 1.0);
        row["after_situation"].push_back(std::vector<double>(share.begin(), share.end()));
      }
      row["concepts"] = stream.concepts;
    }
    for (Index i = 0; i < std::min(examples, range.size()); ++i) {
      Json best = Json::array();
      for (const auto id : core::rank(p.row(i).transpose(), 3))
        best.push_back({stream.concepts[id], p(i, static_cast<Index>(id))});
      row["examples"].push_back({{"present", names(stream, stream.episodes.columns_of(range.first + i - 1))},
                                 {"next", names(stream, stream.episodes.columns_of(range.first + i))},
                                 {"predicted", best}});
    }
  }

  std::vector<std::string> methods_;
  std::vector<EventStream> files_;
  std::vector<Setting> settings_;
};

}  // namespace

std::unique_ptr<Experiment> prediction_experiment() {
  return make_experiment<PredictionOptions>(
      {"prediction",
       read,
       make_trials<PredictionTrials>,
       conclude_prediction,
       {"stream by stream, in files block of episodes by block of episodes", observe},
       [](const PredictionOptions& options) { return options.methods; }});
}

}  // namespace engram::experiments
