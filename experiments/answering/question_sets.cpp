// SPDX-License-Identifier: MIT
#include "experiments/answering/question_sets.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "experiments/answering/counterparts.hpp"
#include "experiments/imports/inheritance_questions.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/wordnet.hpp"
#include "experiments/imports/wrong_claims.hpp"

namespace engram::experiments::answering {
namespace {

using core::StatementId;

// Whether a question can be measured. Skips questions without needed statements or answers in the file, and questions
// whose needed concepts are unknown.
bool is_measured(const AskedQuestion& asked) {
  return asked.needed() > 0 || asked.refuted || !asked.wanted.empty();
}

// Adds the measurable questions of the corpus. For a NARS, adds counterparts first, so that it gets questions with and
// without answers.
void add_questions(QuestionSet& set, bool asks_nars) {
  if (asks_nars) add_counterparts(set.corpus, set.seed.value_or(0));
  set.drawn = order_of_ties(set.corpus.session->memory().statements().size(), set.seed.value_or(0));
  std::size_t unit = 0;
  for (const Question& question : set.corpus.questions) {
    AskedQuestion asked = asked_question(set.corpus, question);
    if (asked.needed() > 0) unit = asked.needed();
    asked.unit = unit;
    if (is_measured(asked)) set.questions.push_back(std::move(asked));
  }
}

WordNetOptions nouns() {
  WordNetOptions options;
  options.parts = {"noun"};
  return options;
}

// Writes the nouns of WordNet with questions. Returns the SHA-256 of its files.
std::vector<std::string> write_nouns(std::ostream& out, const SeededSet& set, std::uint64_t seed) {
  Knowledge knowledge([](const Finding&) {});  // ignore findings; `engram import` reports them
  read_wordnet(nouns(), knowledge, [](std::size_t) {});
  const auto questions = inheritance_questions(knowledge, set.options.questions, seed);
  add_wrong_claims(knowledge, set.wrong, seed);
  out << write_knowledge(knowledge, {}, questions, {}).text;
  std::vector<std::string> sha256;
  for (const Knowledge::File& file : knowledge.files()) sha256.push_back(file.sha256);
  return sha256;
}

}  // namespace

std::vector<int> halves(const std::vector<AskedQuestion>& questions) {
  std::array<std::set<StatementId>, 2> seen;
  std::array<std::size_t, 2> counts{};
  std::vector<int> half;
  for (const AskedQuestion& question : questions) {
    if (question.needed() == 0) {
      half.push_back(half.empty() ? 0 : half.back());
      continue;
    }
    std::array<bool, 2> shares{};
    for (const Question::Proof& proof : question.proofs)
      for (const StatementId e : proof)
        for (const std::size_t h : {0U, 1U}) shares[h] = shares[h] || seen[h].contains(e);
    if (shares[0] && shares[1]) {
      half.push_back(2);
      continue;
    }
    const std::size_t own = shares[1] || (!shares[0] && counts[1] < counts[0]) ? 1 : 0;
    half.push_back(static_cast<int>(own));
    ++counts[own];
    for (const Question::Proof& proof : question.proofs) seen[own].insert(proof.begin(), proof.end());
  }
  return half;
}

QuestionSet file_set(const Input& input, const AnsweringOptions& options, const core::MemoryOptions& memory,
                     CorpusForgetting forgetting) {
  QuestionSet set{input.name, options.gates};
  set.corpus = load_corpus(input, memory, forgetting);
  auto& questions = set.corpus.questions;
  questions.resize(std::min(questions.size(), options.most_questions));
  add_questions(set, options.system.has_value());
  if (options.half != Half::all) {
    const std::vector<int> half = halves(set.questions);
    const int wanted = options.half == Half::second ? 1 : 0;
    std::vector<AskedQuestion> kept;
    for (std::size_t i = 0; i < set.questions.size(); ++i)
      if (half[i] == wanted) kept.push_back(std::move(set.questions[i]));
    set.questions = std::move(kept);
  }
  if (std::ranges::all_of(set.questions, &AskedQuestion::refuted))
    throw SpecError("/inputs", "no question of " + input.name +
                                   " says what it needs (//needed:) or expects (//expected:)");
  if (!options.tuning.methods.empty())
    for (std::size_t i = 0; i < set.questions.size() / 2; ++i) set.questions[i].training = true;
  return set;
}

QuestionSet seeded_set(const SeededSet& of, std::uint64_t seed, bool training, bool asks_nars,
                       const core::MemoryOptions& memory, CorpusForgetting forgetting) {
  std::stringstream text;
  QuestionSet set{of.label, of.gates, of.ablation, seed};
  if (of.kind == wordnet_kind)
    set.sha256 = write_nouns(text, of, seed);
  else
    write_nal(text, generate(of.kind, of.options, seed), of.label);
  set.corpus = read_corpus(text, of.label, memory, forgetting);
  add_questions(set, asks_nars);
  for (AskedQuestion& question : set.questions) question.training = training;
  return set;
}

std::vector<std::filesystem::path> require_wordnet() { return wordnet_files(nouns()); }

TrialSets::TrialSets(const Spec& spec, const AnsweringOptions& options, CorpusForgetting forgetting)
    : spec_(spec), options_(options), forgetting_(forgetting) {
  if (!options.tuning.methods.empty())
    for (const std::uint64_t seed : options.tuning.seeds) seeds_.push_back({0, seed, true});
  for (const std::uint64_t seed : spec.seeds) seeds_.push_back({0, seed, false, seed == spec.seeds.front()});
}

Rejections TrialSets::prepare() {
  Rejections rejections;
  if (std::ranges::find(options_.sets, wordnet_kind, &SeededSet::kind) != options_.sets.end())
    require_wordnet();
  for (std::size_t file = 0; file < spec_.inputs.size(); ++file) {
    files_.push_back(std::make_shared<QuestionSet>(made({file}, forgetting_)));
    add_rejections(rejections, files_.back()->corpus);
  }
  return rejections;
}

TrialSets::Place TrialSets::place(std::size_t trial) const {
  if (trial < spec_.inputs.size()) return {.set = trial, .shown = true};
  Place place = seeds_[(trial - spec_.inputs.size()) % seeds_.size()];
  place.set = (trial - spec_.inputs.size()) / seeds_.size();
  return place;
}

Json TrialSets::setting(std::size_t trial) const {
  Json json = {{"spec", spec_.resolved}};
  for (const char* other : {"seeds", "sets"}) json.at("spec").erase(other);
  if (json.at("spec").contains("tuning")) json.at("spec").at("tuning").erase("seeds");
  const Place at = place(trial);
  if (!at.seed) {
    json["file"] = at.set;
    return json;
  }
  json["set"] = spec_.resolved.at("sets").at(at.set);
  json["seed"] = *at.seed;
  json["training"] = at.training;
  json["shown"] = at.shown;
  return json;
}

std::shared_ptr<const QuestionSet> TrialSets::set(std::size_t trial) const {
  if (trial < files_.size()) return files_[trial];
  return std::make_shared<QuestionSet>(made(place(trial), forgetting_));
}

QuestionSet TrialSets::made(const Place& place, CorpusForgetting forgetting) const {
  if (!place.seed) return file_set(spec_.inputs[place.set], options_, spec_.memory, forgetting);
  return seeded_set(options_.sets[place.set], *place.seed, place.training, options_.system.has_value(),
                    spec_.memory, forgetting);
}

}  // namespace engram::experiments::answering
