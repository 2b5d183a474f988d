// SPDX-License-Identifier: MIT
// Trials of the experiment `links`.
#include "experiments/links/links.hpp"

#include <algorithm>
#include <memory>

#include "core/index/memory_index.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/links/link_predictors.hpp"

namespace engram::experiments::links {
namespace {

using core::Fact;
using core::Index;
using core::RelationalAttention;
using core::Vector;

void read_models(SpecReader& reader, Spec& spec, LinksOptions& options) {
  const Json none = Json::array();
  const JsonValue given = reader["models"], list = given.or_else(none);
  std::vector<std::string> labels;
  for (const MethodChoice& method : spec.methods) labels.push_back(method.label);
  for (const char* taken : {trained_links, link_baselines[0], link_baselines[1], link_baselines[2]})
    labels.emplace_back(taken);
  for (std::size_t i = 0; i < list.list("a list of models").size(); ++i) {
    const std::string file = list[i].text("a model's file");
    const std::filesystem::path path = reader.found(file);
    LinksModel model{path.stem().string(), file, nullptr};
    if (std::ranges::find(labels, model.label) != labels.end())
      throw SpecError(list[i].pointer(), "another row is called '" + model.label + "'; rename the file");
    labels.push_back(model.label);
    try {
      model.model = std::make_shared<LinkModel>(read_link_model(path));
    } catch (const bridge::ModelError& error) {
      throw SpecError(list[i].pointer(), error.what());
    }
    spec.vectors.push_back({file, path});
    options.models.push_back(std::move(model));
  }
  reader.keep("models", list.json());
}

LinksOptions read(SpecReader& reader, Spec& spec) {
  LinksOptions options;
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "spreading_activation", "pagerank"});
  read_seeds(reader, spec, 3);
  if (spec.inputs.size() % 3 != 0)
    throw SpecError("/inputs", "must be three files for each set (training, validation, test), found " +
                                   std::to_string(spec.inputs.size()));
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    for (const char* taken : {trained_links, link_baselines[0], link_baselines[1], link_baselines[2]})
      if (spec.methods[i].label == taken)
        throw SpecError("/methods/" + std::to_string(i),
                        std::string("'") + taken + "' is measured anyway; give this method another label");
  const JsonValue published = reader["published"];
  options.published = reader.keep("published", published ? published.text("a file's name, or \"\"") : "");
  if (!options.published.empty()) {
    options.published_path = reader.found(options.published);
    published_figures(options.published_path, {});
    spec.vectors.push_back({options.published, options.published_path});
  }
  reader.numbers("regularisation", options.regularisations, 0, 100);
  core::RelationalTrainingOptions& training = options.training;
  reader.count("pairs", training.pairs, 4096);
  reader.count("batch", training.batch, 100'000);
  reader.number("learning_rate", training.learning_rate, 1e-6, 10);
  reader.count("epochs", training.epochs, 100'000);
  reader.count("check_every", training.check_every, 100'000);
  reader.count("patience", training.patience, 100'000);
  reader.flag("train", options.train);
  read_models(reader, spec, options);
  read_memory(reader, spec);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  const Json& ranks = row.at("ranks");
  std::vector<Observation> all;
  for (std::size_t i = 0; i < ranks.size(); ++i)  // each fact has two questions: its tail, its head
    all.push_back({"MRR", row.at("method").get<std::string>(), std::to_string(i),
                   tied_ranks_in(row, i).expected_reciprocal(), row.at("set").get<std::string>()});
  return all;
}

// Limit for training, which stores gradients and their squares for each entity.
constexpr std::size_t most_entities = 100'000;

enum class Part { baselines, training, model, retrieval };

struct Setting {
  std::size_t set = 0;
  Part part = Part::baselines;
  std::size_t number = 0;  // index of the method, model or seed, depending on `part`
};

// Scores of a trained attention for the given questions. Computes the scores of all questions at once.
LinkScores trained_scores(const RelationalAttention& model, std::span<const Fact> questions) {
  std::map<LinkQuestion, Index> rows;
  for (std::size_t i = 0; i < questions.size(); ++i)
    rows.emplace(LinkQuestion(questions[i].head, questions[i].relation), static_cast<Index>(i));
  return [scores = model.scores(questions), rows = std::move(rows)](const Fact& question) -> Vector {
    return scores.row(rows.at({question.head, question.relation})).transpose();
  };
}

// Trained attention with the regularisation that is best on the validation split. The first regularisation wins ties.
struct Chosen {
  core::RelationalTraining training;
  double regularisation = 0, validation = -1;
};

Chosen train_and_choose(const LinkSet& set, const LinksOptions& options, std::uint64_t seed) {
  const auto facts = set.questions(0), held_back = set.questions(1);
  const auto validate = [&](const RelationalAttention& model) {
    return mean_reciprocal_rank(filtered_ranks(set.answers, held_back, trained_scores(model, held_back)));
  };
  std::optional<Chosen> chosen;
  for (const double regularisation : options.regularisations) {
    core::RelationalTrainingOptions training = options.training;
    training.regularisation = regularisation;
    auto trained =
        core::train_relations(static_cast<Index>(set.entities.size()),
                              2 * static_cast<Index>(set.relations.size()), facts, validate, training, seed);
    const double best = *std::ranges::max_element(trained.validation);
    if (!chosen || best > chosen->validation) chosen = Chosen{std::move(trained), regularisation, best};
  }
  return std::move(*chosen);
}

void require_known(const LinkModel& model, const LinkSet& set, const std::string& file) {
  try {
    (void)model.facts({}, set.relations);
  } catch (const std::out_of_range& unknown) {
    throw InputError(file + ": was not trained on facts of the relation " + unknown.what() + " of " +
                     set.name);
  }
}

// Scores of a model that reads the graph of the training split.
LinkScores model_scores(const LinkSet& set, const LinkModel& model) {
  const auto graph = std::make_shared<core::RelationalGraph>(
      static_cast<std::uint32_t>(set.entities.size()), static_cast<std::uint32_t>(model.relations.size()),
      model.facts(set.splits[0], set.relations));
  return [&set, &model, graph, scores = network_scores(model.network, *graph)](const Fact& question) {
    return scores({question.head, model.number_of(question.relation, set.relations), question.tail});
  };
}

class LinksTrials : public TrialsOf<LinksOptions> {
 public:
  using TrialsOf::TrialsOf;

  Rejections prepare() override {
    Rejections rejections;
    for (std::size_t first = 0; first < spec_.inputs.size(); first += 3) {
      LinkSet set = load_link_set({spec_.inputs[first], spec_.inputs[first + 1], spec_.inputs[first + 2]},
                                  spec_.memory, rejections);
      if (std::ranges::any_of(set.splits, [](const auto& split) { return split.empty(); })) continue;
      if (set.entities.size() > most_entities) {
        rejections.emplace_back(set.files[0].name,
                                core::RejectedLine{1, 1,
                                                   "a set must have at most 100000 entities, found " +
                                                       std::to_string(set.entities.size())});
        continue;
      }
      for (const LinksModel& model : options_.models) require_known(*model.model, set, model.file);
      readings_.push_back(std::make_unique<core::MemoryIndex>(set.memory->memory()));
      sets_.push_back(std::move(set));
    }
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      settings_.push_back({set, Part::baselines, 0});
      for (std::size_t i = 0; options_.train && i < spec_.seeds.size(); ++i)
        settings_.push_back({set, Part::training, i});
      for (std::size_t i = 0; i < options_.models.size(); ++i) settings_.push_back({set, Part::model, i});
      for (std::size_t i = 0; i < spec_.methods.size(); ++i) settings_.push_back({set, Part::retrieval, i});
    }
    return rejections;
  }

  std::size_t count() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    const LinkSet& set = sets_[setting.set];
    const auto questions = set.questions(2);
    TrialResult result;
    const auto add = [&](const std::string& name, const LinkScores& scores) -> Json& {
      Json row = {{"trial", trial}, {"set", set.name}, {"files", Json::array()}, {"method", name}};
      for (const Input& file : set.files) row["files"].push_back(file.name);
      row["ranks"] = Json::array();
      std::vector<TiedRanks> ranks;
      result.time(trial, name, [&] { ranks = filtered_ranks(set.answers, questions, scores); });
      for (const TiedRanks& rank : ranks) {
        row["ranks"].push_back(rank.average);
        row["tied"].push_back(rank.pessimistic - rank.optimistic);
      }
      result.rows.push_back(std::move(row));
      return result.rows.back();
    };
    if (setting.part == Part::baselines) {
      Json& row = add(link_baselines[0], constant_scores(set));
      describe(row, set);
      add(link_baselines[1], relation_frequency(set));
      add(link_baselines[2], pair_rules(set));
    } else if (setting.part == Part::retrieval) {
      const MethodChoice& choice = spec_.methods[setting.number];
      add(choice.label, retrieved_scores(set, *readings_[setting.set], choice));
    } else if (setting.part == Part::model) {
      const LinksModel& model = options_.models[setting.number];
      Json& row = add(model.label, model_scores(set, *model.model));
      row["model"] = {{"file", model.file},
                      {"parameters", model.model->network.parameters().size()},
                      {"made", model.model->made}};
    } else {
      const std::uint64_t seed = spec_.seeds[setting.number];
      std::optional<Chosen> chosen;
      const double time = seconds([&] { chosen = train_and_choose(set, options_, seed); });
      Json& row = add(trained_links, trained_scores(chosen->training.model, questions));
      row["seed"] = seed;
      row["chosen"] = {{"regularisation", chosen->regularisation},
                       {"epoch", chosen->training.best_epoch},
                       {"validation", chosen->validation}};
      row["curve"] = {{"loss", chosen->training.loss}, {"validation", chosen->training.validation}};
      result.timings.back()["training"] = time;
    }
    return result;
  }

 private:
  void describe(Json& row, const LinkSet& set) const {
    row["sha256"] = set.sha256;
    row["facts"] = Json::array();
    for (const auto& split : set.splits) row["facts"].push_back(split.size());
    row["entities"] = set.entities.size();
    row["relations"] = set.relations.size();
    if (!options_.published.empty())
      row["published"] = published_figures(options_.published_path, {set.sha256.begin(), set.sha256.end()});
  }

  std::vector<LinkSet> sets_;
  std::vector<std::unique_ptr<core::MemoryIndex>> readings_;  // one index for the memory of each set
  std::vector<Setting> settings_;
};

}  // namespace

Json published_figures(const std::filesystem::path& file, const std::vector<std::string>& sha256) {
  const Json json = read_json(file);
  const std::string place = file.string();
  return checked([&] {
    const JsonValue root(json, bridge::JsonPlace(place));
    const JsonValue sets = root.object()["sets"];
    Json found = Json::array();
    for (std::size_t s = 0; s < sets.list().size(); ++s) {
      const JsonValue set = sets[s];
      const JsonValue digests = set.object()["sha256"], figures = set["figures"];
      for (std::size_t f = 0; f < figures.list().size(); ++f) {
        const JsonValue figure = figures[f];
        for (const char* name : {"model", "source", "setup"}) figure.object()[name].text();
        for (const char* name : {"mrr", "hits@1", "hits@10"})
          if (const JsonValue number = figure[name]) number.number();
      }
      const bool same = std::ranges::all_of(sha256, [&](const std::string& digest) {
        return std::ranges::count(digests.list().json(), Json(digest)) > 0;
      });
      if (same) found.insert(found.end(), figures.json().begin(), figures.json().end());
    }
    return found;
  });
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<LinksOptions>(
      {"links", read, make_trials<LinksTrials>, conclude_links, {"test fact by test fact", observe}});
}

}  // namespace engram::experiments::links
