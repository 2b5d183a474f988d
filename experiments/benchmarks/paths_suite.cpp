// SPDX-License-Identifier: MIT
// The learnt allocator: questions answered by attention over paths, and what it takes to learn from them.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/paths/path_questions.hpp"
#include "core/paths/path_training.hpp"
#include "core/session/session.hpp"
#include "core/walks/shortest_paths.hpp"
#include "experiments/benchmarks/suites.hpp"
#include "narsese/parser.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

// A memory, and whether one class is below another, with the statements that say so.
struct Asked {
  Session session;
  std::vector<PathExample> examples;

  const Readings& readings() { return session.readings(); }
};

// A tree of classes, three below each, and as many relations between names that are drawn, half of them to some of
// each fifty that much mentions: around a name it looks alike however large the memory is, so that what differs
// is the memory's size. Asked is whether a class is below another, two to five steps up.
void make(Asked& asked, std::size_t statements, const Sizes& sizes) {
  Rng rng(sizes.seed, "path benchmark");
  const std::size_t names = std::max<std::size_t>(statements / 2, 2);
  const auto above = [](std::size_t i) { return (i - 1) / 3; };
  const auto name = [](std::size_t i) { return "c" + std::to_string(i); };
  const auto is_below = [&](std::size_t a, std::size_t b) { return "<" + name(a) + " --> " + name(b) + ">"; };
  std::string text;
  const auto say = [&] {
    asked.session.input(text);
    text.clear();
  };
  for (std::size_t i = 1; i < names; ++i) {
    text += is_below(i, above(i)) + ".\n";
    const std::size_t a = rng.below(names);
    const double x = rng.uniform();
    const std::size_t any = rng.below(names), hub = any / 50 * 50 + static_cast<std::size_t>(x * x * x * 50);
    const std::size_t b = i % 2 == 0 ? any : std::min(hub, names - 1);
    if (a != b) text += "<(*," + name(a) + "," + name(b) + ") --> r" + std::to_string(rng.below(6)) + ">.\n";
    if (text.size() > 1'000'000) say();
  }
  say();
  const auto said = [&](std::size_t a, std::size_t b) {
    return *asked.session.memory().find(
        *narsese::parse_sentence(is_below(a, b) + ".", asked.session.change().terms()));
  };
  const Readings& memory = asked.readings();
  for (std::size_t q = 0; q < sizes.questions; ++q) {
    const std::size_t from = names / 2 + rng.below(names - names / 2);
    std::size_t to = from;
    std::vector<StatementId> proof;
    for (std::size_t up = 2 + q % 4; up > 0 && to > 0; --up, to = above(to))
      proof.push_back(said(to, above(to)));
    if (from == to) continue;
    std::ranges::sort(proof);
    for (const PathQuestion& question : path_questions(memory, *asked.session.cue(is_below(from, to) + "?")))
      asked.examples.push_back({&memory, &memory.relation_rules(), question, {proof}, {}});
  }
}

PathAttention attention_to(const PathExample& example, bool features) {
  PathAttentionOptions options;
  options.features = features;
  return {*example.memory, *example.rules, example.question, shipped_path_weights, options};
}

// Names around an end, as many of each distance as an attention goes on from: it must look at all of their steps.
std::vector<ConceptId> names_around(const Readings& memory, ConceptId end) {
  const PathOptions options;
  std::vector<ConceptId> names{end}, last{end};
  for (int step = 1; step < options.steps; ++step) {
    std::vector<ConceptId> next;
    for (const ConceptId name : last)
      for (const Pass& pass : memory.passes().from(name))
        if (next.size() < options.width && memory.passes().from(pass.to).size() <= most_left_by &&
            std::ranges::find(names, pass.to) == names.end() &&
            std::ranges::find(next, pass.to) == next.end())
          next.push_back(pass.to);
    names.insert(names.end(), next.begin(), next.end());
    last = next;
  }
  return names;
}

void questions(const Sizes& sizes, std::size_t statements, Scoreboard& board) {
  Asked asked;
  make(asked, statements, sizes);
  const Readings& memory = asked.readings();
  const auto& examples = asked.examples;
  std::vector<std::vector<ConceptId>> around;
  for (const PathExample& example : examples)
    for (const ConceptId end : {example.question.from, *example.question.to})
      around.push_back(names_around(memory, end));
  const auto count = static_cast<double>(examples.size());
  Contest contest{"paths",
                  std::to_string(examples.size()) + " questions of " +
                      std::to_string(asked.session.memory().statements().size()) + " statements",
                  "question",
                  {}};
  contest.contestants.push_back(
      {.role = Role::limit, .name = "read the steps of as many names", .pieces = count, .run = [&] {
         double sum = 0;
         for (const auto& names : around)
           for (const ConceptId id : names)
             for (const Pass& pass : memory.passes().from(id)) sum += pass.to + pass.statement;
         return sum;
       }});
  contest.contestants.push_back(
      {.role = Role::peer, .name = "a breadth-first search (Boost.Graph)", .pieces = count, .run = [&] {
         double steps = 0;
         for (const PathExample& example : examples)
           for (const StatementPath& path :
                shortest_paths(memory, std::array{example.question.from, *example.question.to}, {.paths = 1}))
             steps += static_cast<double>(path.size());
         return steps;
       }});
  contest.contestants.push_back({.name = "attention over paths", .pieces = count, .run = [&] {
                                   double total = 0;
                                   for (const PathExample& example : examples)
                                     for (const auto& [e, budget] : budgets(attention_to(example, false)))
                                       total += budget;
                                   return total;
                                 }});
  contest.contestants.push_back({.name = "the same, with its features", .pieces = count, .run = [&] {
                                   double total = 0;
                                   for (const PathExample& example : examples)
                                     total += attention_to(example, true).expected_features()[0];
                                   return total;
                                 }});
  contest.contestants.push_back(
      {.name = "log-likelihood of a proof, and its gradient", .pieces = count, .run = [&] {
         double total = 0;
         for (const PathExample& example : examples)
           if (const auto learnt = path_likelihood(example, shipped_path_weights, {})) total += learnt->log_p;
         return total;
       }});
  board.hold(contest);
}

}  // namespace

void paths_suite(const Sizes& sizes, Scoreboard& board) {
  for (const std::size_t statements : sizes.statements) questions(sizes, statements, board);
}

}  // namespace engram::benchmarks
