// SPDX-License-Identifier: MIT
#include "experiments/training/examples.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ProofExample;

// Statements by their text.
using ByText = std::multimap<std::string, core::StatementId>;

// Statements that state the answer and that no proof needs.
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

// Adds examples from questions with exactly one pair of names. Others have several sets of guesses, or none.
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
    question.question.without = telling(statements, asked);
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

// Adds distractors: random relations that no rule uses. Some names occur often. A generated set has only one kind of
// knowledge, real knowledge is mixed.
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

// Replaces each known proof by a random one of the best proofs found, as a control without information.
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

}  // namespace

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
  // If statements are left out, a file needs no questions.
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

}  // namespace engram::experiments
