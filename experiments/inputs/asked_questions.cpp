// SPDX-License-Identifier: MIT
#include "experiments/inputs/asked_questions.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "core/budgets/budget_update.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

using core::StatementId;

namespace {

constexpr std::size_t most_exact = 12, draws = 9999;

// Statements with the same score as the last selected one: `statements` is their number, and `places` is how many of
// them are selected.
struct Ties {
  std::size_t statements = 0, places = 0;

  // Probability that n particular tied statements are all selected.
  double chance_of_all(std::size_t n) const {
    double chance = 1;
    for (std::size_t i = 0; i < n; ++i)
      chance *= i < places ? static_cast<double>(places - i) / static_cast<double>(statements - i) : 0.0;
    return chance;
  }
};

using TiedSets = std::vector<std::set<StatementId>>;

// Removes every set that contains another one: if the larger set is selected completely, so is the smaller one.
TiedSets smallest(TiedSets sets) {
  std::ranges::sort(
      sets, [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  TiedSets kept;
  for (auto& set : sets)
    if (std::ranges::none_of(kept, [&](const auto& other) { return std::ranges::includes(set, other); }))
      kept.push_back(std::move(set));
  return kept;
}

// Probability that at least one set is selected completely, by inclusion-exclusion or by sampling.
double chance_of_any(const Ties& ties, const TiedSets& sets) {
  if (sets.empty()) return 0;
  if (sets.front().empty()) return 1;
  double chance = 0;
  if (sets.size() <= most_exact) {
    for (std::size_t chosen = 1; chosen < std::size_t{1} << sets.size(); ++chosen) {
      std::set<StatementId> all;
      for (std::size_t i = 0; i < sets.size(); ++i)
        if ((chosen >> i & 1) != 0) all.insert(sets[i].begin(), sets[i].end());
      chance += (std::popcount(chosen) % 2 == 1 ? 1 : -1) * ties.chance_of_all(all.size());
    }
    return std::clamp(chance, 0.0, 1.0);
  }
  std::set<StatementId> all;
  for (const auto& set : sets) all.insert(set.begin(), set.end());
  core::Rng rng(0, "ties");
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::set<StatementId> given;
    std::size_t left = ties.statements, places = ties.places;
    for (const StatementId id : all)
      if (rng.below(left--) < places) {
        given.insert(id);
        --places;
      }
    if (std::ranges::any_of(sets, [&](const auto& set) { return std::ranges::includes(given, set); }))
      chance += 1;
  }
  return chance / static_cast<double>(draws);
}

}  // namespace

std::string Gate::name() const {
  return std::to_string(amount) + (multiple ? "x" : "") +
         (share > 0 ? " above " + narsese::print_number(share) : "");
}

std::span<const StatementId> selected_statements(const Gate& gate, std::size_t needed,
                                                 std::span<const StatementId> ranked,
                                                 const core::Vector& scores) {
  const auto first = ranked.first(std::min(ranked.size(), gate.capacity(needed)));
  core::Vector best_first(static_cast<core::Index>(first.size()));
  for (std::size_t i = 0; i < first.size(); ++i) best_first[static_cast<core::Index>(i)] = scores[first[i]];
  return first.first(core::leading_count(best_first, gate.share));
}

ProofCoverage proof_coverage(std::span<const StatementId> given, const std::vector<Question::Proof>& proofs) {
  core::require(!proofs.empty(), "there must be a proof", proofs.size());
  const auto holds = [&](StatementId id) { return std::ranges::find(given, id) != given.end(); };
  const Question::Proof& first = proofs.front();
  const bool whole = std::ranges::any_of(
      proofs, [&](const Question::Proof& proof) { return std::ranges::all_of(proof, holds); });
  return {static_cast<double>(std::ranges::count_if(first, holds)) / static_cast<double>(first.size()),
          whole ? 1.0 : 0.0};
}

ProofCoverage expected_coverage(std::span<const StatementId> given, const core::Vector& scores,
                                const std::vector<Question::Proof>& proofs) {
  core::require(!proofs.empty(), "there must be a proof", proofs.size());
  if (given.empty()) return {};
  const double cut = scores[given.back()];
  const Ties ties{static_cast<std::size_t>((scores.array() == cut).count()),
                  given.size() - static_cast<std::size_t>((scores.array() > cut).count())};
  const auto is_ranked = [&](StatementId id) { return id < static_cast<std::size_t>(scores.size()); };
  const auto is_above = [&](StatementId id) { return is_ranked(id) && scores[id] > cut; };
  const auto is_tied = [&](StatementId id) { return is_ranked(id) && scores[id] == cut; };

  const Question::Proof& first = proofs.front();
  const double kept = static_cast<double>(std::ranges::count_if(first, is_above)) +
                      static_cast<double>(std::ranges::count_if(first, is_tied)) *
                          static_cast<double>(ties.places) / static_cast<double>(ties.statements);
  std::vector<std::set<StatementId>> all;  // for each proof that can be complete: its tied statements
  for (const Question::Proof& proof : proofs) {
    std::set<StatementId> tied;
    bool possible = true;
    for (const StatementId id : proof) {
      possible = possible && (is_above(id) || is_tied(id));
      if (is_tied(id)) tied.insert(id);
    }
    if (possible && tied.size() <= ties.places) all.push_back(std::move(tied));
  }
  return {kept / static_cast<double>(first.size()), chance_of_any(ties, smallest(std::move(all)))};
}

std::vector<StatementId> order_of_ties(std::size_t statements, std::uint64_t seed) {
  return core::Rng(seed, "ties").permutation(static_cast<std::uint32_t>(statements));
}

namespace {

using core::ConceptId;

template <class Id>
void sort_once(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// Sets the members of `asked` that follow from its cue, its proofs and its answers.
AskedQuestion completed(const Corpus& corpus, AskedQuestion asked) {
  asked.names = asked.cue.names();
  for (Question::Proof& proof : asked.proofs) sort_once(proof);
  asked.unit = asked.needed();
  std::vector<ConceptId> mentioned = asked.answers;
  if (!asked.proofs.empty())
    for (const StatementId id : asked.proofs.front()) {
      if (!corpus.is_held(id)) continue;
      const auto& members = corpus.session->memory().statements()[id].active;
      mentioned.insert(mentioned.end(), members.begin(), members.end());
    }
  const core::Vector& activity = corpus.session->index().activity();
  std::erase_if(mentioned, [&](ConceptId id) { return asked.cue.activation[id] != 0 || activity[id] <= 0; });
  sort_once(mentioned);
  asked.wanted = std::move(mentioned);
  return asked;
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::find_first_of(a, b) != a.end();
}

}  // namespace

AskedQuestion asked_question(const Corpus& corpus, const Question& question) {
  const core::Memory& memory = corpus.session->memory();
  AskedQuestion asked{question};
  asked.text = narsese::print(question.sentence);
  asked.cue = core::cue_for(memory, question.sentence.term);
  for (const narsese::Sentence& expected : question.expected) {
    asked.expected_texts.push_back(narsese::print(expected));
    asked.expected_terms.push_back(narsese::print(expected.term));
    for (const ConceptId id : memory.known_concepts(expected.term))
      if (asked.cue.activation[id] == 0 && std::ranges::find(asked.answers, id) == asked.answers.end())
        asked.answers.push_back(id);
  }
  return completed(corpus, std::move(asked));
}

AskedQuestion held_out_question(const Corpus& corpus, StatementId statement, ConceptId concept_id) {
  const core::Memory& memory = corpus.session->memory();
  const core::Statement& whole = memory.statements()[statement];
  AskedQuestion asked{{corpus.lines[statement], whole.sentence, {}, {{statement}}}};
  core::Vector activation = core::Vector::Zero(static_cast<core::Index>(memory.graph().size()));
  for (const ConceptId member : whole.active) activation[member] = member == concept_id ? 0.0 : 1.0;
  asked.cue = core::Cue(std::move(activation));
  const std::string answer = narsese::print(memory.graph()[concept_id].term);
  asked.text = narsese::print(whole.sentence.term) + " without " + answer;
  asked.expected_texts = asked.expected_terms = {answer};
  asked.answers = {concept_id};
  return completed(corpus, std::move(asked));
}

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

}  // namespace engram::experiments
