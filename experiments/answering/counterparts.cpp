// SPDX-License-Identifier: MIT
#include "experiments/answering/counterparts.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/index/unification.hpp"
#include "core/numbers/random.hpp"
#include "core/proofs/proof_attention.hpp"
#include "narsese/term_queries.hpp"

namespace engram::experiments::answering {
namespace {

using core::Leaf;
using narsese::Term;

constexpr std::size_t most_draws = 50;  // chosen

// Replaces leaf number `at` of a term; leaves are counted as in core::leaves.
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
  // Replaces one name of the answer by the name at the same place of another answer. Empty if the two do not fit.
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
  std::unordered_set<Term, narsese::HashOfTerm> taken_;  // only for lookups
};

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

}  // namespace engram::experiments::answering
