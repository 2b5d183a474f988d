// SPDX-License-Identifier: MIT
#include "experiments/runs/spec.hpp"

#include <algorithm>
#include <numeric>

#include "core/embeddings/word_vectors.hpp"
#include "experiments/capacity/figure.hpp"
#include "experiments/forgetting/policies.hpp"
#include "experiments/links/links.hpp"
#include "experiments/prediction/predictors.hpp"
#include "experiments/runs/object_reader.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// What each experiment compares if it is not told.
struct ExperimentDefaults {
  std::string name;
  std::vector<std::string> methods;
};

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

const std::vector<ExperimentDefaults>& experiment_defaults() {
  static const std::vector<ExperimentDefaults> all{
      {"comparison",
       {"attention", "sparsemax_attention", "argmax_attention", "concept_attention", "continuous_attention",
        "hopfield", "modern_hopfield", "pagerank", "cosine", "overlap", "frequency", "uniform"}},
      {"completion",
       {"attention", "entmax_attention", "sparsemax_attention", "concept_attention", "hopfield",
        "graph_spins", "dense_memory", "modern_hopfield", "pagerank", "cosine", "frequency", "uniform"}},
      {"priming", all_methods()},
      {"prediction", {}},   // has methods of its own
      {"equivalence", {}},  // compares no methods
      {"capacity",
       {"attention", "concept_attention", "hopfield", "modern_hopfield", "pagerank", "cosine", "uniform"}},
      {"links",
       {"attention", "concept_attention", "hopfield", "modern_hopfield", "spreading_activation", "pagerank"}},
      {"forgetting", {}},  // has policies
      {"icons", {"hopfield", "attention", "sparsemax_attention", "argmax_attention", "modern_hopfield"}},
  };
  return all;
}

std::vector<MethodChoice> read_methods(ObjectReader& reader, const std::vector<std::string>& fallback) {
  const Json* given = reader.find("methods");
  const Json list = given != nullptr ? *given : Json(fallback);
  const std::string pointer = reader.at("methods");
  if (!list.is_array() || list.empty()) throw SpecError(pointer, "expected a list of methods");
  std::vector<MethodChoice> methods;
  Json resolved = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    methods.push_back(read_method(list[i], place));
    for (std::size_t j = 0; j < i; ++j)
      if (methods[j].label == methods[i].label)
        throw SpecError(
            place, "the label '" + methods[i].label + "' stands twice; give one of them another \"label\"");
    resolved.push_back(method_json(methods.back()));
  }
  reader.keep("methods", resolved);
  return methods;
}

using Folders = std::vector<fs::path>;

// In one of the folders, or the current one.
fs::path found_in(const Folders& folders, const std::string& name) {
  for (const fs::path& folder : folders)
    if (fs::exists(folder / name)) return folder / name;
  return name;
}

// Files of vectors are inputs as well: found like them, read once before a run begins, named in its manifest.
std::vector<Input> find_vectors(std::vector<MethodChoice>& methods, const std::string& pointer,
                                const Folders& folders) {
  std::vector<Input> vectors;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    core::Options& options = methods[i].options;
    if (!options.contains("file") || options.at("embedding") != core::OptionValue("file")) continue;
    const auto name = std::get<std::string>(options.at("file"));
    const fs::path path = found_in(folders, name);
    try {
      core::load_word_vectors(path);
    } catch (const core::WordVectorError& error) {
      throw SpecError(pointer + "/" + std::to_string(i) + "/options/file", error.what());
    }
    options["file"] = path.string();
    if (std::ranges::find(vectors, name, &Input::name) == vectors.end()) vectors.push_back({name, path});
  }
  return vectors;
}

std::vector<Input> read_inputs(ObjectReader& reader, const Folders& folders, bool may_be_empty) {
  const Json* given = reader.find("inputs");
  const std::string pointer = reader.at("inputs");
  if (given == nullptr || !given->is_array() || (given->empty() && !may_be_empty))
    throw SpecError(pointer, "expected a list of files");
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    if (!(*given)[i].is_string()) throw SpecError(place, "expected a file name, found " + (*given)[i].dump());
    const auto name = (*given)[i].get<std::string>();
    inputs.push_back({name, found_in(folders, name)});
    for (std::size_t j = 0; j < i; ++j)
      if (inputs[j].name == name) throw SpecError(place, "the file '" + name + "' stands twice");
  }
  reader.keep("inputs", *given);
  return inputs;
}

// A story that is generated; false: none.
bool read_story(ObjectReader& reader, const std::string& name, GeneratorOptions& g) {
  const Json* given = reader.find(name);
  const Json empty = Json::object();
  if (given != nullptr && *given == Json(false)) {
    reader.keep(name, false);
    return false;
  }
  ObjectReader inner(given != nullptr ? *given : empty, reader.at(name));
  g.episodes = inner.count("episodes", g.episodes, 20'000);
  g.situations = inner.count("situations", g.situations, 1000);
  g.concepts = inner.count("concepts", g.concepts, 1000);
  g.active = inner.count("active", g.active, 64);
  g.distractors = inner.count("distractors", g.distractors, 1000);
  g.distraction = inner.number("distraction", g.distraction, 0, 1);
  g.jump = inner.number("jump", g.jump, 0, 1);
  inner.refuse_others();
  double sets = g.active <= g.concepts ? 1 : 0;  // how many there are: concepts over active
  for (std::size_t i = 0; i < g.active && sets < 1e9; ++i)
    sets = sets * static_cast<double>(g.concepts - i) / static_cast<double>(i + 1);
  if (sets < static_cast<double>(g.situations))
    throw SpecError(inner.at("situations"), "expected no more situations than there are sets of " +
                                                std::to_string(g.active) + " out of " +
                                                std::to_string(g.concepts) + " concepts, found " +
                                                std::to_string(g.situations));
  reader.keep(name, inner.resolved);
  return true;
}

std::vector<std::string> read_prediction_methods(ObjectReader& reader) {
  std::vector<std::string> known;
  for (const PredictionMethod& method : prediction_methods()) known.push_back(method.name);
  return reader.names("methods", known);
}

void read_prediction(ObjectReader& reader, PredictionSpec& prediction) {
  prediction.methods = read_prediction_methods(reader);
  prediction.generated = read_story(reader, "generated", prediction.generator);
  prediction.origins = reader.numbers("origins", {0.4, 0.6, 0.8}, 0.01, 0.99);
  for (std::size_t i = 1; i < prediction.origins.size(); ++i)
    if (!(prediction.origins[i] > prediction.origins[i - 1]))
      throw SpecError("/origins/" + std::to_string(i), "expected more than the one before");
  prediction.validation = reader.number("validation", prediction.validation, 0.01, 0.9);
  for (const double k : reader.numbers("recall_at", {3, 10}, 1, 1000, true))
    prediction.recall_at.push_back(static_cast<std::size_t>(k));
  reader.keep("recall_at", prediction.recall_at);
  PredictionOptions& options = prediction.options;
  options.smoothing = reader.number("smoothing", options.smoothing, 1e-6, 0.5);
  options.dimensions = static_cast<core::Index>(reader.count("dimensions", 48, 1024));
  options.temperature = reader.number("temperature", options.temperature, 1e-3, 1e3);
  options.alpha = reader.number("alpha", options.alpha, 1.001, 1.999);
  core::TrainingOptions& training = options.training;
  training.adam.learning_rate = reader.number("learning_rate", training.adam.learning_rate, 1e-6, 10);
  training.max_epochs = static_cast<int>(reader.count("epochs", 400, 100'000));
  training.patience = static_cast<int>(reader.count("patience", 30, 100'000));
}

// Files come by threes: to learn from, to choose by, held out.
void read_links(ObjectReader& reader, Spec& spec, const Folders& folders) {
  if (spec.inputs.size() % 3 != 0)
    throw SpecError(reader.at("inputs"), "expected three files a set: train, valid and test");
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    for (const char* taken : {trained_links, link_floors[0], link_floors[1], link_floors[2]})
      if (spec.methods[i].label == taken)
        throw SpecError(reader.at("methods") + "/" + std::to_string(i),
                        std::string("'") + taken + "' is measured anyway; expected another label");
  LinksSpec& links = spec.links;
  const Json* published = reader.find("published");
  if (published != nullptr && !published->is_string())
    throw SpecError(reader.at("published"), "expected a file name, or nothing, found " + published->dump());
  links.published = reader.keep("published", published != nullptr ? published->get<std::string>() : "");
  if (!links.published.empty()) {
    links.published_path = found_in(folders, links.published);
    published_figures(links.published_path, {});
    spec.vectors.push_back({links.published, links.published_path});
  }
  links.regularisations = reader.numbers("regularisation", {0.005, 0.01}, 0, 100);
  core::RelationalTrainingOptions& training = links.training;
  training.pairs = static_cast<core::Index>(reader.count("pairs", 100, 4096));
  training.batch = reader.count("batch", training.batch, 100'000);
  training.learning_rate = reader.number("learning_rate", training.learning_rate, 1e-6, 10);
  training.epochs = static_cast<int>(reader.count("epochs", 40, 100'000));
  training.check_every = static_cast<int>(reader.count("check_every", 5, 100'000));
  training.patience = static_cast<int>(reader.count("patience", 3, 100'000));
}

bool read_zipf(ObjectReader& reader, ZipfOptions& zipf) {
  const Json* given = reader.find("zipf");
  const Json empty = Json::object();
  if (given != nullptr && *given == Json(false)) {
    reader.keep("zipf", false);
    return false;
  }
  ObjectReader inner(given != nullptr ? *given : empty, reader.at("zipf"));
  zipf.episodes = inner.count("episodes", zipf.episodes, 20'000);
  zipf.concepts = inner.count("concepts", zipf.concepts, 2000);
  zipf.active = inner.count("active", zipf.active, 64);
  zipf.exponent = inner.number("exponent", zipf.exponent, 0, 4);
  zipf.swaps = inner.number("swaps", zipf.swaps, 0, 100);
  inner.refuse_others();
  if (zipf.active > zipf.concepts)
    throw SpecError(inner.at("active"), "expected at most as many as there are concepts");
  reader.keep("zipf", inner.resolved);
  return true;
}

void read_forgetting(ObjectReader& reader, ForgettingSpec& forgetting) {
  std::vector<std::string> known;
  for (const Policy& policy : policies()) known.push_back(policy.name);
  forgetting.policies = reader.names("policies", known);
  forgetting.shares = reader.numbers("shares", {0.05, 0.1, 0.2, 0.4}, 0.001, 1);
  for (std::size_t i = 1; i < forgetting.shares.size(); ++i)
    if (!(forgetting.shares[i] > forgetting.shares[i - 1]))
      throw SpecError("/shares/" + std::to_string(i), "expected more than the one before");
  forgetting.zipf = read_zipf(reader, forgetting.drifting);
  forgetting.story = read_story(reader, "story", forgetting.told);
}

// A rule by name, or an object with its numbers; "none" by default.
std::optional<core::LinkLearning> read_learning(ObjectReader& memory) {
  const Json* given = memory.find("learning");
  if (given == nullptr || *given == Json("none")) {
    memory.keep("learning", "none");
    return {};
  }
  const Json object = given->is_string() ? Json{{"rule", *given}} : *given;
  ObjectReader reader(object, memory.at("learning"));
  std::vector<std::string> names;
  for (const core::LearningRuleFacts& facts : core::learning_rules) names.emplace_back(facts.name);
  core::LinkLearning learning;
  learning.rule = *core::learning_rule_named(reader.choice("rule", "", names));
  learning.rate = reader.number("rate", learning.rate, 1e-9, 1);
  learning.decay = reader.number("decay", learning.decay, 0, 1);
  learning.time = reader.number("time", learning.time, 1, 1e9);
  learning.reach = reader.number("reach", learning.reach, 1e-3, 1e3);
  if (reader.find("bound") != nullptr) learning.bound = reader.number("bound", 1, 1e-9, 1e9);
  reader.refuse_others();
  memory.keep("learning", reader.resolved);
  return learning;
}

// `decays`: whether decay, and how links are learnt, make a difference to the experiment.
void read_memory(ObjectReader& reader, core::MemoryOptions& memory, bool decays) {
  const Json* given = reader.find("memory");
  const Json empty = Json::object();
  ObjectReader inner(given != nullptr ? *given : empty, reader.at("memory"));
  if (decays) memory.decay = inner.number("decay", 0, 0, 0.999999);
  if (decays) memory.learning = read_learning(inner);
  memory.activation.compounds = inner.flag("compounds", memory.activation.compounds);
  memory.activation.statements = inner.flag("statements", memory.activation.statements);
  inner.refuse_others();
  reader.keep("memory", inner.resolved);
}

// By default 1, 2, ... as many as said.
std::vector<std::uint64_t> read_seeds(ObjectReader& reader, std::size_t count) {
  std::vector<double> fallback(count);
  std::iota(fallback.begin(), fallback.end(), 1.0);
  std::vector<std::uint64_t> seeds;
  for (const double seed : reader.numbers("seeds", fallback, 0, 9007199254740991.0, true))
    seeds.push_back(static_cast<std::uint64_t>(seed));
  return reader.keep("seeds", seeds);
}

// Which figures of the literature, and how much of each is measured.
void read_figures(ObjectReader& reader, Spec& spec) {
  std::vector<std::string> known;
  for (const Figure& figure : all_figures())
    if (figure.rows_of.empty()) known.push_back(figure.name);
  spec.figures = reader.names("figures", known);
  spec.effort = reader.number("effort", 1, 0.001, 100);
}

void check_learnt_links(const Spec& spec) {
  if (spec.memory.learning) return;
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    const auto& options = spec.methods[i].options;
    if (options.contains("links") && options.at("links") == core::OptionValue("learnt"))
      throw SpecError("/methods/" + std::to_string(i) + "/options/links",
                      "nothing is learnt: /memory/learning names no rule");
  }
}

}  // namespace

Spec resolve_spec(const Json& json, const Folders& folders) {
  ObjectReader reader(json, "");
  Spec spec;
  std::vector<std::string> names;
  for (const ExperimentDefaults& experiment : experiment_defaults()) names.push_back(experiment.name);
  spec.experiment = reader.choice("experiment", "", names);
  const auto& defaults =
      *std::ranges::find(experiment_defaults(), spec.experiment, &ExperimentDefaults::name);

  if (spec.experiment == "equivalence") {
    spec.seeds = read_seeds(reader, 20);
    for (const double size : reader.numbers("sizes", {1, 2, 7, 24, 60}, 1, 500, true))
      spec.sizes.push_back(static_cast<std::size_t>(size));
    reader.keep("sizes", spec.sizes);
    reader.refuse_others();
    spec.resolved = reader.resolved;
    return spec;
  }
  const bool predicts = spec.experiment == "prediction";
  const bool holds = spec.experiment == "capacity", links = spec.experiment == "links";
  const bool primes = spec.experiment == "priming", forgets = spec.experiment == "forgetting";
  spec.inputs = read_inputs(reader, folders, predicts || holds || primes || forgets);
  if (predicts) {
    read_prediction(reader, spec.prediction);
  } else if (forgets) {
    read_forgetting(reader, spec.forgetting);
  } else {
    spec.methods = read_methods(reader, defaults.methods);
    spec.vectors = find_vectors(spec.methods, reader.at("methods"), folders);
  }
  if (predicts && spec.inputs.empty() && !spec.prediction.generated)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  if (primes) spec.priming = read_priming(reader);
  if (primes && spec.inputs.empty() && spec.priming.generated.empty())
    throw SpecError("/inputs", "expected a list of files, since nothing is generated");
  if (forgets && spec.inputs.empty() && !spec.forgetting.zipf && !spec.forgetting.story)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  if (spec.experiment == "icons")
    for (std::size_t i = 0; i < spec.methods.size(); ++i)
      if (std::ranges::find(defaults.methods, spec.methods[i].method->name) == defaults.methods.end())
        throw SpecError("/methods/" + std::to_string(i),
                        "'" + spec.methods[i].method->name + "' does not work on pictures" +
                            hint(spec.methods[i].method->name, defaults.methods));
  spec.seeds = read_seeds(reader, spec.experiment == "comparison" ? 1 : links ? 3 : holds ? 5 : 10);
  if (spec.experiment == "icons") {
    spec.damage = reader.numbers("damage", {0.1, 0.2, 0.3, 0.4}, 0, 1);
  } else if (links) {
    read_links(reader, spec, folders);
  } else if (!predicts && !primes && !forgets) {
    if (!holds) spec.top = reader.count("top", 10, 1000);
    spec.cues = reader.count("cues", 50, 1e6);
  }
  if (spec.experiment != "icons") read_memory(reader, spec.memory, !predicts && !forgets);
  check_learnt_links(spec);
  if (holds) read_figures(reader, spec);
  if (spec.experiment == "comparison") spec.capacity = reader.count("capacity", 12, 1e6);
  if (spec.experiment == "completion") {
    spec.corruption = reader.numbers("corruption", {0.34, 0.67}, 0, 1);
    for (const double count : reader.numbers("noise", {0, 1, 2}, 0, 100, true))
      spec.noise.push_back(static_cast<std::size_t>(count));
    reader.keep("noise", spec.noise);
    spec.load = reader.numbers("load", {0.25, 0.5, 1}, 0.001, 1);
  }
  reader.refuse_others();
  spec.resolved = reader.resolved;
  return spec;
}

}  // namespace engram::experiments
