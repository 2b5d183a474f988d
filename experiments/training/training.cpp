// SPDX-License-Identifier: MIT
#include "experiments/training/training.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "core/numbers/random.hpp"
#include "core/paths/path_questions.hpp"
#include "experiments/answering/question_sets.hpp"
#include "experiments/formats/files.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::PathExample;

const std::string method_name = "path_attention";
const std::vector<std::string> starts{"plain", "shipped"}, label_kinds{"proofs", "drawn"};

// Rows share what examples point to.
struct Lesson {
  QuestionSet set;
  std::unique_ptr<core::RelationRules> rules;
  std::vector<PathExample> examples;
};

// Statements by what they are written as.
using ByText = std::multimap<std::string, core::StatementId>;

// What says the answer, unless a proof needs it.
std::vector<core::StatementId> telling(const ByText& statements, const AskedQuestion& asked) {
  std::vector<std::string> answers = asked.expected_terms;
  answers.push_back(narsese::print(asked.sentence.term));
  std::set<core::StatementId> found;
  for (const std::string& answer : answers)
    for (auto [at, end] = statements.equal_range(answer); at != end; ++at) found.insert(at->second);
  std::erase_if(found, [&](core::StatementId e) {
    return std::ranges::any_of(asked.proofs,
                               [&](const auto& proof) { return std::ranges::binary_search(proof, e); });
  });
  return {found.begin(), found.end()};
}

// Of a question that says something of two names; others have several paths to learn, or none.
void add_examples(Lesson& lesson) {
  core::Session& session = *lesson.set.corpus.session;
  const core::Readings& memory = session.readings();
  ByText statements;
  for (core::StatementId e = 0; e < memory.statement_terms.size(); ++e)
    statements.emplace(narsese::print(memory.statement_terms[e]), e);
  lesson.rules = std::make_unique<core::RelationRules>(memory);
  for (const AskedQuestion& asked : lesson.set.questions) {
    if (asked.needed() == 0) continue;
    const auto questions = core::path_questions(memory, core::cue_for(session.memory(), asked.sentence.term));
    if (questions.size() == 1)
      lesson.examples.push_back(
          {&memory, lesson.rules.get(), questions.front(), asked.proofs, telling(statements, asked)});
  }
}

// Relations that no rule uses, between names that are drawn, a few of them often: the knowledge of a set is of
// one sort, that of the world is mixed.
void add_distractors(Lesson& lesson, double share, std::uint64_t seed) {
  core::Session& session = *lesson.set.corpus.session;
  std::vector<narsese::Term> names;
  for (const core::ConceptId id : session.readings().holders())
    if (const narsese::Term term = session.memory().graph()[id].term; term.kind() == narsese::TermKind::atom)
      names.push_back(term);
  const auto count =
      static_cast<std::size_t>(share * static_cast<double>(session.memory().statements().size()));
  core::Rng rng(seed, "distractors");
  core::Memory& memory = session.change();
  narsese::TermTable& table = memory.terms();
  const auto uniform = [&] { return names[rng.below(names.size())]; };
  const auto skewed = [&] {
    const double x = rng.uniform();
    return names[static_cast<std::size_t>(x * x * x * static_cast<double>(names.size()))];
  };
  for (std::size_t i = 0; i < count && names.size() > 1; ++i) {
    const narsese::Term a = uniform(), b = skewed();
    const narsese::Term product = table.compound(narsese::Connector::product, std::array{a, b});
    const narsese::Term relation = table.atom("distractor_" + std::to_string(rng.below(6)));
    if (a == b) continue;
    const auto accepted =
        memory.accept({table.statement(narsese::Copula::inheritance, product, relation), {}, {}, {}, {}});
    if (!accepted) throw InputError("distractors: " + accepted.error());
  }
}

// One of the best paths between the same names, whatever it proves.
void draw_labels(std::vector<PathExample>& examples, const core::PathTrainingOptions& options) {
  core::Rng rng(0, "drawn labels");
  for (PathExample& example : examples) {
    const core::PathAttention paths(*example.memory, *example.rules, example.question,
                                    core::plain_path_weights, options.attention, {{}, example.without, {}});
    if (!paths.guesses().empty())
      example.proofs = {paths.guesses()[rng.below(paths.guesses().size())].statements()};
  }
}

// The first of each list, then the second of each, as many as are wanted.
std::vector<PathExample> in_turn(const std::vector<std::vector<PathExample>>& lists, std::size_t most) {
  std::vector<PathExample> all;
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  for (std::size_t i = 0; i < longest; ++i)
    for (const auto& list : lists)
      if (i < list.size() && all.size() < most) all.push_back(list[i]);
  return all;
}

struct Examples {
  std::vector<std::unique_ptr<Lesson>> lessons;
  std::vector<PathExample> learnt, held_out;
};

Examples examples_of(const TrainingSpec& spec) {
  Examples all;
  std::vector<std::vector<PathExample>> learnt, held_out;
  const auto add = [&](QuestionSet set, double distractors) -> std::vector<PathExample>& {
    all.lessons.push_back(std::make_unique<Lesson>(Lesson{std::move(set), nullptr, {}}));
    add_distractors(*all.lessons.back(), distractors, all.lessons.back()->set.seed.value_or(0));
    add_examples(*all.lessons.back());
    return all.lessons.back()->examples;
  };
  for (const SeededSet& set : spec.sets) {
    for (const std::uint64_t seed : spec.seeds)
      learnt.push_back(add(seeded_set(set, seed, true, false, spec.memory), spec.distractors));
    for (const std::uint64_t seed : spec.held_out)
      held_out.push_back(add(seeded_set(set, seed, true, false, spec.memory), spec.distractors));
  }
  for (const Input& input : spec.inputs) {
    std::vector<PathExample>& examples = add(file_set(input, {}, spec.memory), 0);
    const auto seen = static_cast<std::ptrdiff_t>(static_cast<double>(examples.size()) * spec.input_share);
    const auto begin = examples.begin(), middle = begin + (seen - seen / 5);
    learnt.emplace_back(begin, middle);
    held_out.emplace_back(middle, begin + seen);
  }
  all.learnt = in_turn(learnt, spec.questions);
  all.held_out = in_turn(held_out, spec.questions);
  if (spec.labels == "drawn") draw_labels(all.learnt, spec.training);
  return all;
}

// Names of features.
std::vector<core::PathFeature> read_frozen(SpecObject& reader) {
  std::vector<std::string> names;
  for (const auto& facts : core::path_feature_facts) names.emplace_back(facts.name);
  const Json none = Json::array();
  const JsonValue given = reader["frozen"], list = given.or_else(none);
  std::vector<core::PathFeature> frozen;
  for (std::size_t i = 0; i < list.list("a list of features").size(); ++i)
    frozen.push_back(static_cast<core::PathFeature>(&list[i].choice("", names) - names.data()));
  reader.keep("frozen", list.json());
  return frozen;
}

core::PathWeights weights_of(const core::Vector& parameters) {
  core::PathWeights theta;
  for (std::size_t f = 0; f < core::path_features; ++f) theta[f] = parameters[static_cast<core::Index>(f)];
  return theta;
}

}  // namespace

TrainingSpec read_training_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  return checked([&] {
    TrainingSpec training;
    Spec spec;
    SpecReader reader(JsonValue(json), folders);
    reader.choice("method", "", {method_name});
    read_inputs(reader, spec, true);
    training.inputs = spec.inputs;
    reader.number("input_share", training.input_share, 0, 1);
    training.sets = read_sets(reader, Json::array(), false);
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
    training.start = reader.choice("start", training.start, starts);
    training.labels = reader.choice("labels", training.labels, label_kinds);
    core::PathTrainingOptions& options = training.training;
    reader.number("prior", options.prior, 0, 1e6);
    reader.number("learning_rate", options.descent.adam.learning_rate, 1e-6, 10);
    reader.count("epochs", options.descent.max_epochs, 100'000);
    reader.count("patience", options.descent.patience, 100'000);
    options.frozen = read_frozen(reader);
    reader.count("width", options.attention.paths.width, 100'000);
    read_memory(reader, spec);
    training.memory = spec.memory;
    reader.refuse_others();
    training.resolved = reader.resolved;
    return training;
  });
}

Trained train(const TrainingSpec& spec) {
  const Examples examples = examples_of(spec);
  const core::PathWeights start =
      spec.start == "plain" ? core::plain_path_weights : core::shipped_path_weights;
  Trained trained;
  trained.examples = examples.learnt.size();
  trained.held_out = examples.held_out.size();
  if (trained.examples == 0 || trained.held_out == 0)
    throw InputError(
        "there must be questions with a known proof between two names, to learn from and to hold out; "
        "found " +
        std::to_string(trained.examples) + " and " + std::to_string(trained.held_out));
  try {
    trained.training = core::train_paths(start, examples.learnt, examples.held_out, spec.training);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  const core::PathWeights theta = weights_of(trained.training.parameters);
  core::Options options;
  for (std::size_t f = 0; f < core::path_features; ++f)
    options[std::string(core::path_feature_facts[f].name)] = theta[f];
  const core::Method& method = *core::find_method(method_name);
  trained.model = {method_name, core::complete_options(method, options), Json::object()};
  Json inputs = Json::object();
  for (const Input& input : spec.inputs) inputs[input.name] = sha256_of_file(input.path);
  const core::Training& training = trained.training;
  trained.model.made = {
      {"by", "engram train"},
      {"spec", spec.resolved},
      {"sha256_of_inputs", inputs},
      {"examples", trained.examples},
      {"held_out", trained.held_out},
      {"epochs", training.best_epoch},
      {"loss_held_out",
       {{"before", training.validation_loss.front()},
        {"after", training.validation_loss[static_cast<std::size_t>(training.best_epoch)]}}}};
  return trained;
}

}  // namespace engram::experiments
