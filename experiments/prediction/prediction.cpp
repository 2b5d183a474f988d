// SPDX-License-Identifier: MIT
// Trials of the experiment `prediction`.
#include "experiments/prediction/prediction.hpp"

#include <algorithm>

#include "core/methods/recall.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/prediction/prediction_model.hpp"

namespace engram::experiments::prediction {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

// Reads {"model": FILE, "label": NAME}.
LabelledModel read_labelled_model(const JsonValue& given, const SpecReader& reader, Spec& spec) {
  SpecObject entry(given);
  const JsonValue file = entry["model"];
  const std::string name = file.required("a model's file").text("a model's file");
  const std::filesystem::path path = reader.found(name);
  LabelledModel read{entry.label(path.stem().string()), {}};
  entry.refuse_others();
  if (read.label == true_structure ||
      std::ranges::find(prediction_methods(), read.label, &PredictionMethod::name) !=
          prediction_methods().end())
    throw SpecError(entry.at("label"),
                    "must not be a method's name, found '" + read.label + "'" + other_label);
  try {
    read.model = read_prediction_model(path);
  } catch (const InputError& error) {
    throw SpecError(file.pointer(), error.what());
  } catch (const std::system_error& error) {
    throw SpecError(file.pointer(), error.what());
  }
  if (std::ranges::find(spec.vectors, name, &Input::name) == spec.vectors.end())
    spec.vectors.push_back({name, path});
  return read;
}

// Reads the list of methods: names, and models with labels.
void read_predictors(SpecReader& reader, Spec& spec, PredictionOptions& prediction) {
  Json all = Json::array();
  for (const PredictionMethod& method : prediction_methods()) all.push_back(method.name);
  reader.labelled("methods", all, "a list of methods", 1, [&](const JsonValue& given, auto label) -> Json {
    const bool is_model = given.json().is_object() && given.json().contains("model");
    if (is_model) {
      prediction.models.push_back(read_labelled_model(given, reader, spec));
      prediction.methods.push_back(prediction.models.back().label);
    } else {
      prediction.methods.push_back(given.choice("", prediction_methods(), &PredictionMethod::name).name);
    }
    label(prediction.methods.back());
    if (!is_model) return given.json();
    return {{"model", given.json().at("model")}, {"label", prediction.methods.back()}};
  });
}

PredictionOptions read(SpecReader& reader, Spec& spec) {
  PredictionOptions prediction;
  read_inputs(reader, spec, true);
  read_predictors(reader, spec, prediction);
  prediction.generated = read_story(reader, "generated", prediction.generator);
  reader.ascending("origins", prediction.origins, 0.01, 0.99);
  reader.number("validation", prediction.validation, 0.01, 0.9);
  reader.counts("recall_at", prediction.recall_at, 1, 1000);
  read_fitting(reader, prediction.fitting);
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

constexpr Index examples = 24;  // predictions to print as examples

struct Setting {
  std::size_t stream = 0;  // index of a file, or the number of files for the generated stream
  std::uint64_t seed = 1;
  std::size_t origin = 0;
};

class PredictionTrials : public TrialsOf<PredictionOptions> {
 public:
  PredictionTrials(const Spec& spec, const PredictionOptions& options)
      : TrialsOf(spec, options), methods_(with_prediction_baselines(options.methods)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs)
      if (auto stream = file_stream(input, spec_.memory, rejections)) files_.push_back(*std::move(stream));
    for (std::size_t stream = 0; stream < files_.size() + (options_.generated ? 1 : 0); ++stream)
      for (const std::uint64_t seed : spec_.seeds)
        for (std::size_t origin = 0; origin < options_.origins.size(); ++origin)
          settings_.push_back({stream, seed, origin});
    require_unseen();
    return rejections;
  }

  std::size_t count() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    const bool generated = setting.stream == files_.size();
    const EventStream stream = stream_of(setting);
    const bool last = setting.origin + 1 == options_.origins.size();
    const Split split = split_of(setting, stream);
    FittingOptions fitting = options_.fitting;
    fitting.seed = setting.seed;
    const bool shown = last && setting.seed == spec_.seeds.front();  // only one run gets pictures

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
    for (const LabelledModel& model : options_.models) {
      Predictor predictor;
      result.time(trial, model.label, [&] { predictor = predictor_of(model.model, stream); });
      add(model.label, predictor, fitting.smoothing);
    }
    if (generated) add(true_structure, known_structure(stream), 0);
    return result;
  }

 private:
  EventStream stream_of(const Setting& setting) const {
    return setting.stream == files_.size() ? generate_stream(options_.generator, setting.seed)
                                           : files_[setting.stream];
  }

  Split split_of(const Setting& setting, const EventStream& stream) const {
    const bool last = setting.origin + 1 == options_.origins.size();
    const double end = last ? 1.0 : options_.origins[setting.origin + 1];
    return split_stream(stream.episodes.rows(), options_.origins[setting.origin], end, options_.validation);
  }

  // Rejects models that were trained on an episode they would have to predict.
  void require_unseen() const {
    if (options_.models.empty()) return;
    for (const Setting& setting : settings_) {
      const EventStream stream = stream_of(setting);
      const Index first = split_of(setting, stream).held_out.first;
      for (const auto& [label, model] : options_.models)
        if (first < model.seen.episodes && begins_with(stream, model.seen))
          throw SpecError("/methods: " + label,
                          "was trained on the first " + std::to_string(model.seen.episodes) +
                              " episodes of " + stream.name + ", and would predict from number " +
                              std::to_string(first + 1) +
                              " on; choose other /origins, or /inputs that were not used for its training");
    }
  }

  // Predictor that knows the process behind a generated stream and returns the true distribution of each episode.
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
      // Mean prediction for the episode after each situation.
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

std::unique_ptr<Experiment> experiment() {
  return make_experiment<PredictionOptions>(
      {"prediction",
       read,
       make_trials<PredictionTrials>,
       conclude_prediction,
       {"stream by stream, in files block of episodes by block of episodes", observe},
       [](const PredictionOptions& options) { return options.methods; }});
}

}  // namespace engram::experiments::prediction
