// SPDX-License-Identifier: MIT
#include "experiments/training/training.hpp"

#include <algorithm>

#include "core/proofs/proof_methods.hpp"
#include "experiments/answering/question_sets.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/training/examples.hpp"

namespace engram::experiments {
namespace {

const std::string proof_attention(core::proof_attention_name), trained_hopfield(core::trained_hopfield_name);
const std::vector<std::string> starts{"plain", "shipped"}, label_kinds{"proofs", "drawn"};
const std::vector<std::string> objectives{"proofs", "statements"};

// Reads "frozen": names of features that training does not change.
std::vector<core::ProofFeature> read_frozen(SpecObject& reader) {
  std::vector<std::string> names;
  for (const auto& facts : core::proof_feature_facts) names.emplace_back(facts.name);
  const Json none = Json::array();
  const JsonValue given = reader["frozen"], list = given.or_else(none);
  std::vector<core::ProofFeature> frozen;
  for (std::size_t i = 0; i < list.list("a list of features").size(); ++i)
    frozen.push_back(static_cast<core::ProofFeature>(&list[i].choice("", names) - names.data()));
  reader.keep("frozen", list.json());
  return frozen;
}

// Reads the options that only proof_attention has.
void read_proof_options(SpecObject& reader, TrainingSpec& training) {
  core::ProofTrainingOptions& options = training.training;
  options.frozen = read_frozen(reader);
  reader.number("slack", options.attention.search.slack, 0, 100);
  core::EmbeddingSpec& embedding = options.attention.embedding;
  std::vector<std::string> kinds;
  for (const auto& facts : core::proof_embeddings) kinds.emplace_back(facts.name);
  const std::string kind = reader.choice("embedding", kinds.front(), kinds);
  embedding.kind = core::value_named(core::proof_embeddings, kind).value();
  reader.count("dimensions", embedding.dimensions, core::most_proof_dimensions,
               core::fewest_proof_dimensions);
}

core::Vector vector_of(std::span<const double> numbers) {
  core::Vector vector(static_cast<core::Index>(numbers.size()));
  std::ranges::copy(numbers, vector.begin());
  return vector;
}

core::Options train_proof_attention(const TrainingSpec& spec, const Examples& examples, Trained& trained) {
  const core::ProofWeights start =
      spec.start == "plain" ? core::plain_proof_weights : core::shipped_proof_weights;
  for (const auto& facts : core::proof_feature_facts) trained.names.emplace_back(facts.name);
  trained.start = vector_of(start);
  trained.training = core::train_proofs(start, examples.learnt, examples.held_out, spec.training);
  const core::ProofWeights theta = core::proof_weights_of(trained.training.parameters);
  core::Options options = core::options_of(theta);
  options.merge(core::options_of(spec.training.attention.embedding));
  if (spec.objective == "proofs")  // on held-out examples, because training examples are fitted too well
    options.merge(
        core::options_of(core::learnt_confidence(examples.held_out, theta, spec.training.attention)));
  return options;
}

core::Options train_trained_hopfield(const TrainingSpec& spec, const Examples& examples, Trained& trained) {
  const core::HopfieldMaps start = core::plain_hopfield_maps();
  for (std::size_t i = 0; i < core::hopfield_maps; ++i) trained.names.push_back(core::hopfield_map_name(i));
  trained.start = vector_of(start);
  const core::ProofTrainingOptions& shared = spec.training;
  trained.training = core::train_hopfield(start, examples.learnt, examples.held_out,
                                          {spec.steps, shared.descent, shared.prior, shared.threads});
  return core::options_of(core::hopfield_maps_of(trained.training.parameters), spec.steps);
}

}  // namespace

TrainingSpec read_training_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  return checked([&] {
    TrainingSpec training;
    Spec spec;
    SpecReader reader(JsonValue(json), folders);
    training.method = reader.choice("method", "", {proof_attention, trained_hopfield});
    const bool of_proofs = training.method == proof_attention;
    read_inputs(reader, spec, true);
    training.inputs = spec.inputs;
    reader.number("input_share", training.input_share, 0, 1);
    training.half = answering::read_half(reader);
    training.sets = answering::read_sets(reader, Json::array(), false);
    if (training.sets.empty() && training.inputs.empty())
      throw SpecError("/sets", "must be a set, or /inputs a file: there is nothing to learn from");
    reader.seeds("seeds", training.seeds);
    reader.seeds("held_out", training.held_out);
    for (std::size_t i = 0; i < training.held_out.size(); ++i)
      if (std::ranges::find(training.seeds, training.held_out[i]) != training.seeds.end())
        throw SpecError("/held_out/" + std::to_string(i),
                        "must be none of /seeds, found " + std::to_string(training.held_out[i]));
    reader.number("distractors", training.distractors, 0, 100);
    reader.count("questions", training.questions, 1'000'000);
    if (of_proofs) training.start = reader.choice("start", training.start, starts);
    training.labels = reader.choice("labels", training.labels, label_kinds);
    if (of_proofs) training.objective = reader.choice("objective", training.objective, objectives);
    if (training.objective == "statements") {
      reader.count("statements", training.statements, 1'000'000);
      if (training.labels != "proofs") throw SpecError("/labels", "statements that are left out have none");
      if (training.half != answering::Half::all)
        throw SpecError("/half", "statements that are left out are no questions");
    } else {
      reader.resolved.erase("objective");  // the default is not recorded, so that models keep their bytes
    }
    core::ProofTrainingOptions& options = training.training;
    reader.number("prior", options.prior, 0, 1e6);
    reader.number("learning_rate", options.descent.adam.learning_rate, 1e-6, 10);
    reader.count("epochs", options.descent.max_epochs, 100'000);
    reader.count("patience", options.descent.patience, 100'000);
    if (of_proofs)
      read_proof_options(reader, training);
    else
      reader.count("steps", training.steps, 100);
    read_memory(reader, spec, true, false);  // no new members, because a model file contains its spec
    training.memory = spec.memory;
    reader.refuse_others();
    training.resolved = reader.resolved;
    return training;
  });
}

Json sha256_of_inputs(const TrainingSpec& spec) {
  Json inputs = Json::object();
  for (const Input& input : spec.inputs) inputs[input.name] = sha256_of_file(input.path);
  for (const answering::SeededSet& set : spec.sets)
    if (set.kind == answering::wordnet_kind)
      for (const std::filesystem::path& file : answering::require_wordnet())
        inputs[file.string()] = sha256_of_file(file);
  return inputs;
}

Trained train(const TrainingSpec& spec) {
  const Examples examples = examples_of(spec);
  Trained trained;
  trained.examples = examples.learnt.size();
  trained.held_out = examples.held_out.size();
  if (trained.examples == 0 || trained.held_out == 0)
    throw InputError("there must be " +
                     std::string(spec.objective == "proofs" ? "questions with a known proof between two names"
                                                            : "statements of two names") +
                     ", to learn from and to hold out; found " + std::to_string(trained.examples) + " and " +
                     std::to_string(trained.held_out));
  core::Options options;
  try {
    options = spec.method == proof_attention ? train_proof_attention(spec, examples, trained)
                                             : train_trained_hopfield(spec, examples, trained);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  trained.model = {spec.method, core::ConfiguredMethod(spec.method, options).options(), Json::object()};
  const core::Training& training = trained.training;
  trained.model.made = {
      {"by", "engram train"},
      {"spec", spec.resolved},
      {"sha256_of_inputs", sha256_of_inputs(spec)},
      {"examples", trained.examples},
      {"held_out", trained.held_out},
      {"epochs", training.best_epoch},
      {"loss_held_out",
       {{"before", training.validation_loss.front()},
        {"after", training.validation_loss[static_cast<std::size_t>(training.best_epoch)]}}}};
  return trained;
}

}  // namespace engram::experiments
