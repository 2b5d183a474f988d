// SPDX-License-Identifier: MIT
#include "experiments/answering/question_sets.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "core/index/unification.hpp"
#include "core/numbers/random.hpp"
#include "core/proofs/proof_attention.hpp"
#include "experiments/imports/knowledge.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/questions.hpp"
#include "experiments/imports/wordnet.hpp"
#include "narsese/term_queries.hpp"

namespace engram::experiments::answering {
namespace {

using core::Leaf;
using narsese::Term;

constexpr std::size_t most_draws = 50;  // attempts to find a counterpart of a question; chosen

// Replaces the leaf with index `at` of a term. Leaves have the order of core::leaves.
Term with_leaf(narsese::TermTable& table, Term term, std::size_t at, Term leaf) {
  return narsese::with_leaves(
      table, term, [&](Term part) { return core::leaves(part).empty() || at-- != 0 ? part : leaf; });
}

class Counterparts {
 public:
  Counterparts(Corpus& corpus, std::uint64_t seed)
      : session_(*corpus.session), table_(session_.mutable_memory().terms()), rng_(seed, "counterparts") {
    for (const Question& question : corpus.questions)
      if (!question.proofs.empty() && !question.expected.empty())
        answers_.push_back(question.expected.front().term);
    for (const core::Statement& statement : session_.memory().statements())
      taken_.insert(statement.sentence.term);
    taken_.insert(answers_.begin(), answers_.end());
  }

  std::optional<Question> of(const Question& question) {
    if (question.proofs.empty() || question.expected.empty()) return std::nullopt;
    for (std::size_t draw = 0; draw < most_draws; ++draw) {
      const std::optional<Term> term = changed(question.expected.front().term);
      if (!term || taken_.contains(*term) || is_proven(*term)) continue;
      taken_.insert(*term);
      Question counterpart{question.line, question.sentence, {}, {}, true};
      counterpart.sentence.term = *term;
      return counterpart;
    }
    return std::nullopt;
  }

 private:
  // Replaces a random name of the answer by the name at the same place of another answer. Returns nothing if the other
  // answer has no name at this place, or if its name already occurs in the answer.
  std::optional<Term> changed(Term answer) {
    const std::vector<Leaf> leaves = core::leaves(answer), others = core::leaves(drawn());
    std::size_t at = rng_.below(leaves.size());
    const bool fits = at < others.size() && others[at].position == leaves[at].position &&
                      leaves[at].term.kind() == narsese::TermKind::atom &&
                      others[at].term.kind() == narsese::TermKind::atom;
    const auto is_other = [&](const Leaf& leaf) { return leaf.term == others[at].term; };
    if (!fits || std::ranges::any_of(leaves, is_other)) return std::nullopt;
    return with_leaf(table_, answer, at, others[at].term);
  }

  Term drawn() { return answers_[rng_.below(answers_.size())]; }

  bool is_proven(Term term) {
    core::ProofQuery asked;
    asked.question.term = term;
    return !core::FoundProofs(session_.index(), asked, core::shipped_proof_weights, {}, false).are_guesses();
  }

  core::Session& session_;
  narsese::TermTable& table_;
  core::Rng rng_;
  std::vector<Term> answers_;
  std::unordered_set<Term, narsese::HashOfTerm> taken_;  // terms that must not be counterparts
};

using core::StatementId;

// Whether a question can be measured: its file names needed statements or answers, or it has no answer.
bool is_measured(const AskedQuestion& asked) {
  return asked.needed() > 0 || asked.refuted || !asked.wanted.empty();
}

// Adds the questions of the corpus that can be measured. For a NARS, first adds counterparts (unanswerable questions),
// so that the NARS gets questions with and without answers.
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

// Writes the nouns of WordNet as Narsese, with questions. Returns the SHA-256 of the WordNet files.
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

void add_counterparts(Corpus& corpus, std::uint64_t seed) {
  if (std::ranges::any_of(corpus.questions, &Question::refuted)) return;
  Counterparts counterparts(corpus, seed);
  std::vector<Question> questions;
  for (Question& question : corpus.questions) {
    std::optional<Question> counterpart = counterparts.of(question);
    questions.push_back(std::move(question));
    if (counterpart) questions.push_back(std::move(*counterpart));
  }
  corpus.questions = std::move(questions);
}

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
                                   " has a proof (//needed:) or an expected answer (//expected:)");
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
