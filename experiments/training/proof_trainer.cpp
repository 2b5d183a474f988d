// SPDX-License-Identifier: MIT
// Trainer of proof_attention and trained_hopfield for `engram train`. Both learn from questions with known proofs.
// proof_attention can also learn to complete statements with a hidden name.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/numbers/random.hpp"
#include "core/proofs/proof_methods.hpp"
#include "core/proofs/proof_training.hpp"
#include "experiments/answering/answering.hpp"
#include "experiments/answering/question_sets.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/training/checkpoint.hpp"
#include "experiments/training/trainer.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using bridge::JsonValue;
using core::ProofExample;

// Training spec. Examples come from the questions of every seed of a set, and from the first part of the questions of
// each file. With the objective "statements", examples are randomly drawn statements with one of their names left out.
struct TrainingSpec {
  std::string method;
  std::vector<answering::SeededSet> sets;
  std::vector<Input> inputs;
  answering::Half half = answering::Half::all;  // half of the questions of a file to use
  double input_share = 0.5;  // share of the questions of a file, or of drawn statements, to use
  std::vector<std::uint64_t> seeds{1, 2, 3, 4};
  // Seeds of the held-out sets. The last fifth of the used questions of a file is also held out.
  std::vector<std::uint64_t> held_out{11, 12};
  double distractors = 1;          // distractors for each statement of a set
  std::size_t questions = 10'000;  // limit of examples; they come from the sets in turn
  std::string start = "plain";
  std::string labels = "proofs";
  std::string objective = "proofs";
  std::size_t statements = 100;  // limit of statements drawn from each memory
  core::ProofTrainingOptions training;
  int steps = 4;  // number of retrieval steps, only for trained_hopfield
  core::MemoryOptions memory;
  Json resolved;  // the complete spec with defaults; it reproduces the model
};

struct Trained {
  bridge::Model model;
  core::Training training;
  std::vector<std::string> names;  // names of the parameters
  core::Vector start;              // initial parameters
  std::size_t examples = 0,
              held_out = 0;  // numbers of training and held-out examples
};

// A question set with its examples, which refer to its memory.
struct Lesson {
  QuestionSet set;
  std::vector<core::ProofExample> examples;
};

struct Examples {
  std::vector<std::unique_ptr<Lesson>> lessons;
  std::vector<core::ProofExample> learnt, held_out;
};

// Index from the text of a term to the statements with this term.
using ByText = std::multimap<std::string, core::StatementId>;

// Statements that already contain the answer to a question, except those that a known proof needs.
std::vector<core::StatementId> revealing_statements(const ByText& statements, const AskedQuestion& asked) {
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

// Adds two examples for each question about exactly one pair of names: with and without the term of the question. Other
// questions are skipped, because they have several sets of guesses or none.
void add_examples(Lesson& lesson) {
  core::Session& session = *lesson.set.corpus.session;
  const core::MemoryIndex& memory = session.index();
  ByText statements;
  for (core::StatementId e = 0; e < memory.statement_terms().size(); ++e)
    statements.emplace(narsese::print(memory.statement_term(e)), e);
  for (const AskedQuestion& asked : lesson.set.questions) {
    if (asked.needed() == 0) continue;
    core::ProofQuery question =
        core::proof_query(memory, core::cue_for(session.memory(), asked.sentence.term));
    if (question.pairs.size() != 1) continue;
    question.question.without = revealing_statements(statements, asked);
    lesson.examples.push_back({&memory, question, asked.proofs});
    question.question.term = {};  // without its term, the question trains guesses only
    lesson.examples.push_back({&memory, std::move(question), asked.proofs});
  }
}

// Adds at most `wanted` examples with one statement left out, drawn from the first `known` statements.
void add_left_out(Lesson& lesson, std::size_t known, std::size_t wanted) {
  const core::MemoryIndex& memory = lesson.set.corpus.session->index();
  core::Rng rng(lesson.set.seed.value_or(0), "statements left out");
  for (const core::StatementId e : rng.permutation(static_cast<std::uint32_t>(known))) {
    const bool from_second = rng.below(2) == 1;
    if (lesson.examples.size() == wanted) break;
    if (auto example = core::left_out_example(memory, e, from_second))
      lesson.examples.push_back(*std::move(example));
  }
}

// Adds distractors: statements of random relations that no rule uses, in which some names occur often. They make a
// generated set, which has only one kind of knowledge, more similar to real knowledge, which is mixed.
void add_distractors(Lesson& lesson, double share, std::uint64_t seed) {
  core::Session& session = *lesson.set.corpus.session;
  std::vector<narsese::Term> names;
  for (const core::ConceptId id : session.index().active_concepts())
    if (const narsese::Term term = session.memory().graph()[id].term; term.kind() == narsese::TermKind::atom)
      names.push_back(term);
  const auto count =
      static_cast<std::size_t>(share * static_cast<double>(session.memory().statements().size()));
  core::Rng rng(seed, "distractors");
  core::Memory& memory = session.mutable_memory();
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

// Replaces the known proofs of each example by one of the best proofs found, drawn at random. Training on such labels
// is a control, because they have no information.
void draw_labels(std::vector<ProofExample>& examples, const core::ProofTrainingOptions& options) {
  core::Rng rng(0, "drawn labels");
  for (ProofExample& example : examples) {
    const core::ProofAttention found(*example.memory, example.query, core::plain_proof_weights,
                                     options.attention);
    if (!found.proofs().empty())
      example.proofs = {found.proofs()[rng.below(found.proofs().size())].statements};
  }
}

// Interleaves the lists: the first of each, then the second of each, and so on, at most `most` in all.
std::vector<ProofExample> in_turn(const std::vector<std::vector<ProofExample>>& lists, std::size_t most) {
  std::vector<ProofExample> all;
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  for (std::size_t i = 0; i < longest; ++i)
    for (const auto& list : lists)
      if (i < list.size() && all.size() < most) all.push_back(list[i]);
  return all;
}

// Creates training and held-out examples, taken from the sets and files in turn. Statements that give the answer to a
// question are hidden, unless a proof needs them.
// Errors  InputError, SpecError
Examples examples_of(const TrainingSpec& spec) {
  Examples all;
  std::vector<std::vector<ProofExample>> learnt, held_out;
  const bool of_statements = spec.objective == "statements";
  const auto add = [&](QuestionSet set, double distractors) -> std::vector<ProofExample>& {
    all.lessons.push_back(std::make_unique<Lesson>(Lesson{std::move(set), {}}));
    Lesson& lesson = *all.lessons.back();
    const std::size_t known = lesson.set.corpus.session->memory().statements().size();
    add_distractors(lesson, distractors, lesson.set.seed.value_or(0));
    of_statements ? add_left_out(lesson, known, spec.statements) : add_examples(lesson);
    return lesson.examples;
  };
  // Loads a file with its questions. With the objective "statements", the file needs no questions.
  const auto of_file = [&](const Input& input) {
    answering::AnsweringOptions options;
    options.half = spec.half;
    if (!of_statements) return file_set(input, options, spec.memory);
    QuestionSet set{input.name, {}};
    set.corpus = load_corpus(input, spec.memory);
    return set;
  };
  for (const answering::SeededSet& set : spec.sets) {
    for (const std::uint64_t seed : spec.seeds)
      learnt.push_back(add(answering::seeded_set(set, seed, true, false, spec.memory), spec.distractors));
    for (const std::uint64_t seed : spec.held_out)
      held_out.push_back(add(answering::seeded_set(set, seed, true, false, spec.memory), spec.distractors));
  }
  for (const Input& input : spec.inputs) {
    std::vector<ProofExample>& examples = add(of_file(input), 0);
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
  if (spec.objective == "proofs")  // learnt from held-out examples, which are not overfitted
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

// Parses and validates a training spec.  Errors  SpecError
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
      if (training.labels != "proofs")
        throw SpecError("/labels", "must be \"proofs\" if the objective is \"statements\"");
      if (training.half != answering::Half::all)
        throw SpecError("/half", "must be \"all\" if the objective is \"statements\"");
    } else {
      reader.resolved.erase("objective");  // omits the default, so that old models keep their bytes
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
    read_memory(reader, spec, true, false);  // no limits on size, so that specs in model files stay the same
    training.memory = spec.memory;
    reader.refuse_others();
    training.resolved = reader.resolved;
    return training;
  });
}

// Digests of the input files, including WordNet if a set uses it.  Errors  InputError; std::system_error
Json sha256_of_inputs(const TrainingSpec& spec) {
  Json inputs = sha256_of(spec.inputs);
  for (const answering::SeededSet& set : spec.sets)
    if (set.kind == answering::wordnet_kind)
      for (const std::filesystem::path& file : answering::require_wordnet())
        inputs[file.string()] = sha256_of_file(file);
  return inputs;
}

// Trains a model. With `labels` "drawn", the proofs are replaced by other paths between the same names. Use this
// control to see how little meaningless labels improve the held-out examples.
// Errors  InputError if an input cannot be read or no example can be learnt from
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

// Sentence for the user about the learnt confidences. Empty if the training does not learn confidences.
std::string confidence_of(const Trained& trained, const TrainingSpec& spec) {
  if (spec.method != core::proof_attention_name || spec.objective != "proofs") return "";
  const core::ProofConfidence of = core::proof_settings(trained.model.options).options.confidence;
  return "probability that a proof suffices if no better one does: " + fixed(of.proof, 3) + ", for a guess " +
         fixed(of.guess, 3) + "\n";
}

std::string summary_of(const Trained& trained, const TrainingSpec& spec) {
  Table table{"weights", "", {"feature", "before", "learnt"}};
  for (std::size_t f = 0; f < trained.names.size(); ++f) {
    const auto at = static_cast<core::Index>(f);
    table.rows.push_back(
        {cell(trained.names[f]), cell(trained.start[at], 2), cell(trained.training.parameters[at], 2)});
  }
  const Json& loss = trained.model.made.at("loss_held_out");
  return to_text(table) + "\nlog p of " +
         (spec.objective == "proofs" ? "a known proof" : "the name left out") + ", mean over " +
         std::to_string(trained.held_out) +
         " examples held out: " + fixed(-loss.at("before").get<double>(), 3) + " before, " +
         fixed(-loss.at("after").get<double>(), 3) + " after " + std::to_string(trained.training.best_epoch) +
         " epochs with " + std::to_string(trained.examples) + " examples\n" + confidence_of(trained, spec);
}

class ProofTrainer : public Trainer {
 public:
  explicit ProofTrainer(TrainingSpec spec) : spec_(std::move(spec)) {}

  const Json& spec() const override { return spec_.resolved; }
  Json sha256_of_inputs() const override { return experiments::sha256_of_inputs(spec_); }
  // The initial parameters count as an epoch, because their loss is computed.
  std::size_t steps() const override {
    return static_cast<std::size_t>(spec_.training.descent.max_epochs) + 1;
  }
  std::string units() const override { return "epochs"; }

  std::size_t resume(const JsonValue& state) override {
    spec_.training.descent.resumed = training_state_in(state);
    return static_cast<std::size_t>(spec_.training.descent.resumed->epoch());
  }

  FinishedTraining run(unsigned threads, const OnTrainingStep& on_step) override {
    TrainingSpec spec = spec_;
    spec.training.threads = threads;
    spec.training.descent.each_step = [&](const core::TrainingState& state) {
      on_step(static_cast<std::size_t>(state.epoch()), [&] { return json_of(state); });
    };
    const Trained trained = train(spec);
    return {bridge::to_text(trained.model), summary_of(trained, spec)};
  }

 private:
  TrainingSpec spec_;
};

}  // namespace

std::unique_ptr<Trainer> proof_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders) {
  return std::make_unique<ProofTrainer>(read_training_spec(spec, folders));
}

}  // namespace engram::experiments
