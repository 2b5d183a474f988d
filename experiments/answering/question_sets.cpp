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
#include "narsese/printer.hpp"

namespace engram::experiments::answering {
namespace {

using core::ConceptId;
using core::StatementId;

AskedQuestion asked_question(const Corpus& corpus, const Question& question) {
  const core::Memory& memory = corpus.session->memory();
  AskedQuestion asked;
  asked.sentence = question.sentence;
  asked.text = narsese::print(question.sentence);
  asked.asked = core::cue_for(memory, question.sentence.term);
  asked.names = asked.asked.names();
  asked.refuted = question.refuted;
  asked.proofs = question.proofs;
  for (Question::Proof& proof : asked.proofs) {
    std::ranges::sort(proof);
    proof.erase(std::unique(proof.begin(), proof.end()), proof.end());
  }
  asked.statements.resize(memory.statements().size());
  asked.concepts.resize(memory.graph().size());
  asked.others.resize(memory.graph().size());
  for (const ConceptId id : corpus.session->readings().holders())
    asked.others[id] = asked.asked.activation[id] == 0;
  if (!asked.proofs.empty())
    asked.lost = static_cast<std::size_t>(std::ranges::count_if(
        asked.proofs.front(), [&](const StatementId id) { return !corpus.is_held(id); }));
  for (const StatementId id : question.needed()) {
    if (!corpus.is_held(id)) continue;
    asked.statements[id] = true;
    for (const ConceptId member : memory.statements()[id].active) asked.concepts[member] = true;
  }
  for (const narsese::Sentence& expected : question.expected) {
    asked.expected.push_back(narsese::print(expected));
    asked.expected_terms.push_back(narsese::print(expected.term));
    for (const ConceptId id : memory.known_concepts(expected.term)) asked.concepts[id] = true;
  }
  return asked;
}

// Questions of which the file says neither what they need nor what answers them are passed over, and those of
// whose needed concepts nothing is known.
bool is_measured(const AskedQuestion& asked) {
  if (asked.needed() > 0 || asked.refuted) return true;
  for (std::size_t id = 0; id < asked.concepts.size(); ++id)
    if (asked.concepts[id] && asked.others[id]) return true;
  return false;
}

// A NARS is asked as much that nothing answers as what something does.
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

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::find_first_of(a, b) != a.end();
}

// WordNet's nouns, with questions. Returns the SHA-256 of its files.
std::vector<std::string> write_nouns(std::ostream& out, const SeededSet& set, std::uint64_t seed) {
  Knowledge knowledge([](const Finding&) {});  // names that are told apart: `engram import` tells of them
  read_wordnet(nouns(), knowledge, [](std::size_t) {});
  const auto questions = inheritance_questions(knowledge, set.options.questions, seed);
  add_wrong_claims(knowledge, set.wrong, seed);
  out << write_knowledge(knowledge, {}, questions, {}).text;
  std::vector<std::string> sha256;
  for (const Knowledge::File& file : knowledge.files()) sha256.push_back(file.sha256);
  return sha256;
}

}  // namespace

std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked) {
  std::vector<core::SolvedQuestion> solved;
  for (const AskedQuestion& other : set.questions) {
    const bool may_be_known =
        other.needed() > 0 && (other.training || !asked.training) && set.corpus.is_held(other.proofs.front());
    const bool tells =
        other.sentence.term == asked.sentence.term || have_common(other.expected_terms, asked.expected_terms);
    if (may_be_known && !tells) solved.push_back({other.names, other.proofs.front()});
  }
  return solved;
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

}  // namespace engram::experiments::answering
