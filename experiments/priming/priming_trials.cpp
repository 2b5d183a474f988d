// SPDX-License-Identifier: MIT
// Priming: a question in: are the statements and the concepts that its answer needs ranked first?
#include <algorithm>
#include <span>
#include <sstream>

#include "core/numbers/random.hpp"
#include "experiments/imports/inheritance_questions.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/wordnet.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "experiments/priming/priming.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::StatementId;

// A question, and what is wanted of every method.
struct PrimingCue {
  std::string text;
  core::Cue asked;
  std::vector<std::string> expected;
  std::vector<StatementId> needed;
  std::vector<Question::Proof> proofs;
  std::size_t needed_count = 0;        // each statement once
  std::vector<bool> statements;        // the needed ones
  std::vector<bool> concepts, others;  // needed ones; all that the question does not name
};

// What is known, and what is asked of it.
struct World {
  std::string label;
  bool generated = false;
  std::uint64_t seed = 0;
  std::vector<StatementCapacity> capacities;
  bool ablation = false;
  Corpus corpus;
  std::vector<PrimingCue> cues;
  std::vector<std::string> sha256 = {};   // of the files that others made, where it is of such
  std::vector<std::uint32_t> drawn = {};  // all statements, in an order for those with equal scores
};

// Concepts that the needed statements and the answer mention, and the question does not.
PrimingCue make_cue(const World& world, const Question& question) {
  const core::Memory& memory = world.corpus.session->memory();
  const core::Readings& readings = world.corpus.session->readings();
  PrimingCue cue;
  cue.text = narsese::print(question.sentence);
  cue.asked = core::cue_for(memory, question.sentence.term);
  cue.needed = question.needed();
  cue.proofs = question.proofs;
  cue.statements.resize(memory.statements().size());
  cue.concepts.resize(memory.graph().size());
  cue.others.resize(memory.graph().size());
  for (const ConceptId id : readings.holders()) cue.others[id] = cue.asked.activation[id] == 0;
  for (const StatementId id : cue.needed) {
    cue.statements[id] = true;
    for (const ConceptId member : memory.statements()[id].active) cue.concepts[member] = true;
  }
  cue.needed_count = static_cast<std::size_t>(std::ranges::count(cue.statements, true));
  for (const narsese::Sentence& expected : question.expected) {
    cue.expected.push_back(narsese::print(expected));
    for (const ConceptId id : memory.known_concepts(expected.term)) cue.concepts[id] = true;
  }
  return cue;
}

// Questions of which nothing is known that their answer needs are passed over.
void add_cues(World& world) {
  const std::size_t statements = world.corpus.session->memory().statements().size();
  world.drawn = core::Rng(world.seed, "priming ties").permutation(static_cast<std::uint32_t>(statements));
  for (const Question& question : world.corpus.questions) {
    PrimingCue cue = make_cue(world, question);
    bool wanted = cue.needed_count > 0;
    for (std::size_t id = 0; id < cue.concepts.size() && !wanted; ++id)
      wanted = cue.concepts[id] && cue.others[id];
    if (wanted) world.cues.push_back(std::move(cue));
  }
}

WordNetOptions nouns() {
  WordNetOptions options;
  options.parts = {"noun"};
  return options;
}

// WordNet's nouns, with questions. Returns the SHA-256 of its files.
std::vector<std::string> write_nouns(std::ostream& out, std::size_t questions, std::uint64_t seed) {
  Knowledge knowledge([](const Finding&) {});  // names that are told apart: `engram import` tells of them
  read_wordnet(nouns(), knowledge, [](std::size_t) {});
  out << write_knowledge(knowledge, {}, inheritance_questions(knowledge, questions, seed), {}).text;
  std::vector<std::string> sha256;
  for (const Knowledge::File& file : knowledge.files()) sha256.push_back(file.sha256);
  return sha256;
}

// Whether a proof is among the first so many.
bool holds_proof(const PrimingCue& cue, const std::vector<StatementId>& first, std::size_t capacity) {
  const std::span given = std::span(first).first(std::min(capacity, first.size()));
  return std::ranges::any_of(cue.proofs, [&](const Question::Proof& proof) {
    return std::ranges::all_of(proof,
                               [&](StatementId id) { return std::ranges::find(given, id) != given.end(); });
  });
}

World generated_world(const GeneratedSet& set, std::uint64_t seed, const core::MemoryOptions& memory) {
  std::stringstream text;
  World world{set.label, true, seed, set.capacities, set.ablation, {}, {}};
  if (set.kind == wordnet_kind)
    world.sha256 = write_nouns(text, set.options.questions, seed);
  else
    write_nal(text, generate(set.kind, set.options, seed), set.label);
  world.corpus = read_corpus(text, set.label, memory);
  add_cues(world);
  return world;
}

// Measures by name, each a list with a value a cue.
class Measured {
 public:
  void add(const std::string& name, double value) { json_[name].push_back(value); }
  void add_ranking(const std::string& of, const RankingMeasures& ranking,
                   const std::vector<std::size_t>& cutoffs) {
    add(of + " MRR", ranking.reciprocal_rank());
    for (const std::size_t k : cutoffs) {
      add(of + " nDCG@" + std::to_string(k), ranking.ndcg(k));
      add(of + " recall@" + std::to_string(k), ranking.recall(k));
    }
  }
  const Json& json() const { return json_; }

 private:
  Json json_ = Json::object();
};

class PrimingTrials : public TrialsOf<PrimingOptions> {
 public:
  PrimingTrials(const Spec& spec, const PrimingOptions& options)
      : TrialsOf(spec, options), methods_(with_baselines(spec.methods)) {
    for (const Ablation& ablation : options.ablation) {
      configurations_.push_back(ablation.base);
      configurations_.insert(configurations_.end(), ablation.changed.begin(), ablation.changed.end());
    }
    for (MethodChoice& choice : configurations_) choice.label = configuration_name(choice.label);
  }

  Rejections prepare() override {
    Rejections rejections;
    for (const GeneratedSet& set : options_.generated)
      if (set.kind == wordnet_kind) wordnet_files(nouns());
    for (const Input& input : spec_.inputs) {
      World world{input.name, false, 0, options_.capacities, false, {}, {}};
      world.corpus = load_corpus(input, spec_.memory);
      add_rejections(rejections, world.corpus);
      add_cues(world);
      if (world.cues.empty())
        throw SpecError("/inputs", "no question of " + input.name +
                                       " says what it needs (//needed:) or expects (//expected:)");
      files_.push_back(std::move(world));
    }
    return rejections;
  }

  std::size_t count() const override {
    return files_.size() + options_.generated.size() * spec_.seeds.size();
  }

  // Which other seeds and sets there are makes no difference to a trial.
  Json setting(std::size_t trial) const override {
    Json json = {{"spec", spec_.resolved}};
    for (const char* other : {"seeds", "generated"}) json.at("spec").erase(other);
    if (trial < files_.size()) {
      json["file"] = trial;
    } else {
      const auto [set, seed] = place_of(trial);
      json["set"] = spec_.resolved.at("generated").at(set);
      json["seed"] = spec_.seeds[seed];
      json["first"] = seed == 0;
    }
    return json;
  }

  TrialResult run(std::size_t trial) const override {
    if (trial < files_.size()) return run(trial, files_[trial], true);
    const auto [set, seed] = place_of(trial);
    const World world = generated_world(options_.generated[set], spec_.seeds[seed], spec_.memory);
    return run(trial, world, seed == 0);
  }

 private:
  std::pair<std::size_t, std::size_t> place_of(std::size_t trial) const {
    const std::size_t number = trial - files_.size();
    return {number / spec_.seeds.size(), number % spec_.seeds.size()};
  }

  TrialResult run(std::size_t trial, const World& world, bool shows_example) const {
    std::vector<MethodChoice> choices = methods_;
    if (world.ablation) choices.insert(choices.end(), configurations_.begin(), configurations_.end());
    TrialResult result;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const bool shown = shows_example && i < methods_.size() && !world.cues.empty();
      Json row = {{"trial", trial}};
      result.time(trial, choices[i].label, [&] { row.update(measure(world, choices[i], shown)); });
      result.rows.push_back(std::move(row));
    }
    return result;
  }

  Json measure(const World& world, const MethodChoice& choice, bool shown) const {
    const core::Readings& readings = world.corpus.session->readings();
    const core::AnyRetriever retriever = core::make_retriever(*choice.method, choice.options);
    Json row = {{"set", world.label},
                {"generated", world.generated},
                {"statements", readings.statements()},
                {"cues", world.cues.size()},
                {"method", choice.label}};
    if (world.generated) row["seed"] = world.seed;
    if (!world.sha256.empty()) row["sha256"] = world.sha256;
    Measured measured;
    for (const PrimingCue& cue : world.cues) {
      const core::Recall recall = retriever(readings, cue.asked);
      if (cue.needed_count > 0) {
        const RankingMeasures ranking(recall.statements, cue.statements);
        std::size_t most = 0;
        for (const StatementCapacity& capacity : world.capacities)
          most = std::max(most, capacity.of(cue.needed_count));
        const auto first = first_items(recall.statements, most, world.drawn);
        for (const StatementCapacity& capacity : world.capacities) {
          measured.add("kept " + capacity.name(), ranking.recall(capacity.of(cue.needed_count)));
          measured.add("whole " + capacity.name(), holds_proof(cue, first, capacity.of(cue.needed_count)));
        }
        measured.add_ranking("statements", ranking, options_.cutoffs);
      }
      const RankingMeasures concepts(recall.concepts, cue.concepts, cue.others);
      if (concepts.wanted() > 0) measured.add_ranking("concepts", concepts, options_.cutoffs);
      if (shown && &cue == &world.cues.front()) row["example"] = example(world, cue, recall);
    }
    row["measures"] = measured.json();
    return row;
  }

  // Where the needed statements of the first question stand.
  static Json example(const World& world, const PrimingCue& cue, const core::Recall& recall) {
    Json needed = Json::array();
    for (const StatementId id : cue.needed) {
      std::vector<bool> alone(cue.statements.size());
      alone[id] = true;
      const auto ranks = RankingMeasures(recall.statements, alone).ranks();
      needed.push_back({{"narsese", narsese::print(world.corpus.session->memory().statements()[id].sentence)},
                        {"rank", ranks.empty() ? Json(nullptr) : Json(ranks.front())}});
    }
    return {{"cue", cue.text}, {"expected", cue.expected}, {"needed", needed}};
  }

  std::vector<MethodChoice> methods_, configurations_;
  std::vector<World> files_;
};

}  // namespace

std::unique_ptr<Trials> priming_trials(const Spec& spec, const PrimingOptions& options) {
  return std::make_unique<PrimingTrials>(spec, options);
}

}  // namespace engram::experiments
