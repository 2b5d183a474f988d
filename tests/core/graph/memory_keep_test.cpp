// SPDX-License-Identifier: MIT
// Forgetting, compared with sums over the kept statements and judgements.

#include "core/graph/memory.hpp"
#include "core/graph/memory_image.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

std::string random_input(Rng& rng, int names) {
  const auto name = [&] { return "n" + std::to_string(rng.below(static_cast<std::uint64_t>(names))); };
  const std::string truth =
      rng.below(2) == 0 ? " %" + std::to_string(static_cast<double>(rng.below(10)) / 9) + ";0.7%" : "";
  switch (rng.below(6)) {
    case 0:
      return "<(*," + name() + ",{" + name() + "}) --> (&," + name() + "," + name() + ")>." + truth;
    case 1:
      return "<(&/," + name() + ",^" + name() + ") =/> " + name() + ">. :|:" + truth;
    case 2:
      return "<<$1 --> " + name() + "> ==> <$1 --> " + name() + ">>." + truth;
    case 3:
      return name() + "!" + truth;
    default:
      return "<" + name() + " --> " + name() + ">." + truth;
  }
}

void tell_some(Memory& memory, Rng& rng, int names) {
  const auto name = [&] { return "n" + std::to_string(rng.below(static_cast<std::uint64_t>(names))); };
  const std::string text = "<(*," + name() + "," + name() + ") --> associated>. %0.8;0.6%";
  (void)memory.accept_link(sentence(memory, text));  // refuses a link of a name with itself
}

Memory with_history(double decay, std::optional<LearningRule> rule, Rng& rng, int inputs, int names) {
  MemoryOptions options = with_decay(decay);
  if (rule) options.learning = LinkLearning{.rule = *rule};
  Memory memory(options);
  for (int i = 0; i < inputs; ++i) {
    say(memory, random_input(rng, names));
    if (rng.below(5) == 0) tell_some(memory, rng, names);
    if (rng.below(7) == 0) memory.advance(rng.below(20));
  }
  return memory;
}

// Activity and link evidence of the kept statements, by the definition of keep().
struct Sums {
  std::map<std::string, double> activity;
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> links;  // affirmed and denied
  double total = 0;
};

Sums sums_of(const Memory& memory, const std::vector<bool>& kept) {
  Sums sums;
  for (StatementId e = 0; e < memory.statements().size(); ++e) {
    if (!kept[e]) continue;
    const Statement said = memory.statements()[e];
    const double share =
        std::pow(1 - memory.graph().decay(), static_cast<double>(memory.now() - said.updated));
    sums.total += said.evidence * share;
    for (const ConceptId a : said.active) {
      sums.activity[narsese::print(memory.graph().term(a))] += said.evidence * share;
      for (const ConceptId b : said.active) {
        auto& [pro, contra] =
            sums.links[{narsese::print(memory.graph().term(a)), narsese::print(memory.graph().term(b))}];
        pro += (said.evidence - said.denied) * share;
        contra += said.denied * share;
      }
    }
  }
  return sums;
}

void collect_concepts(narsese::Term term, std::vector<std::string>& order, std::set<std::string>& met) {
  if (term.kind() == narsese::TermKind::variable || met.contains(narsese::print(term))) return;
  for (const narsese::Term component : term.components()) collect_concepts(component, order, met);
  met.insert(narsese::print(term));
  order.push_back(narsese::print(term));
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

std::vector<std::string> texts_of(const Memory& memory) {
  std::vector<std::string> texts;
  for (const Statement& said : memory.statements())
    texts.push_back(narsese::print(said.sentence) + " " + std::to_string(said.times) + " " +
                    std::to_string(said.updated) + " " + std::to_string(said.evidence));
  return texts;
}

TEST_CASE("the rest equals a memory of the kept statements only", "[memory_keep]") {
  for (const double decay : {0.0, 0.01})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Rng rng(seed, "kept", decay > 0 ? 1 : 0);
      Memory memory = with_history(decay, std::nullopt, rng, 120, 15);
      std::vector<bool> kept(memory.statements().size()), links(memory.graph().hebbian_links().size());
      for (std::size_t e = 0; e < kept.size(); ++e) kept[e] = rng.below(3) > 0;
      for (std::size_t k = 0; k < links.size(); ++k) links[k] = rng.below(2) == 0;

      const Sums sums = sums_of(memory, kept);
      std::vector<std::string> said, concepts;
      std::set<std::string> met;
      for (StatementId e = 0; e < kept.size(); ++e)
        if (kept[e]) {
          said.push_back(texts_of(memory)[e]);
          collect_concepts(memory.statements().term(e), concepts, met);
        }
      std::map<std::pair<std::string, std::string>, double> judged;
      const HebbianLinks all = memory.graph().hebbian_links();
      for (std::uint32_t k = 0; k < links.size(); ++k) {
        const HebbianLink link = all[k];
        const double evidence = memory.graph().judged_evidence(k, memory.now());
        if (!links[k] || !(evidence > 0)) continue;
        for (const ConceptId end : {link.source, link.target})
          collect_concepts(memory.graph().term(end), concepts, met);
        judged[{narsese::print(memory.graph().term(link.source)),
                narsese::print(memory.graph().term(link.target))}] = evidence;
      }
      std::vector<std::string> before;
      for (ConceptId id = 0; id < memory.graph().size(); ++id)
        before.push_back(narsese::print(memory.graph().term(id)));

      const Renumbering numbers = memory.keep(kept, links, ForgettingReason::statements);

      CHECK(texts_of(memory) == said);
      const ConceptGraph& graph = memory.graph();
      REQUIRE(graph.size() == concepts.size());
      double judged_in_all = 0;
      for (const auto& [ends, evidence] : judged) judged_in_all += evidence;
      CHECK(near(memory.total_evidence(), sums.total + judged_in_all));
      std::map<std::string, double> told_to_end;
      for (const auto& [ends, evidence] : judged)
        for (const std::string& end : {ends.first, ends.second})
          told_to_end[end] += 0.8 * evidence + 0.2 * evidence / 2;
      for (ConceptId id = 0; id < graph.size(); ++id) {
        const std::string name = narsese::print(graph.term(id));
        CHECK(name == concepts[id]);
        CHECK(graph.find(graph.term(id)) == id);
        const auto sum = sums.activity.find(name);
        const double lived = sum == sums.activity.end() ? 0 : sum->second;
        CHECK(near(graph.activity(id, memory.now()), lived + told_to_end[name]));
      }
      std::size_t expected_links = 0;
      for (const auto& [ends, sum] : sums.links) expected_links += ends.first < ends.second;
      for (const auto& [ends, evidence] : judged)
        expected_links += !sums.links.contains(ends) && !sums.links.contains({ends.second, ends.first});
      CHECK(graph.hebbian_links().size() == expected_links);
      const HebbianLinks left = graph.hebbian_links();
      for (std::uint32_t k = 0; k < left.size(); ++k) {
        const HebbianLink link = left[k];
        const std::pair ends{narsese::print(graph.term(link.source)),
                             narsese::print(graph.term(link.target))};
        const double share = graph.retention(memory.now() - link.updated);
        const auto sum = sums.links.find(ends);
        CHECK(near(link.together * share, sum == sums.links.end() ? 0 : sum->second.first));
        CHECK(near(link.denied * share, sum == sums.links.end() ? 0 : sum->second.second));
        const auto either = judged.contains(ends) ? judged[ends] : judged[{ends.second, ends.first}];
        CHECK(near(graph.judged_evidence(k, memory.now()), either));
      }
      for (std::size_t old = 0; old < before.size(); ++old) {
        const auto at = std::ranges::find(concepts, before[old]);
        CHECK(numbers.concepts[old] ==
              (at == concepts.end() ? Renumbering::gone : static_cast<std::uint32_t>(at - concepts.begin())));
      }
      std::uint32_t next = 0;
      for (std::size_t e = 0; e < kept.size(); ++e)
        CHECK(numbers.statements[e] == (kept[e] ? next++ : Renumbering::gone));
    }
}

TEST_CASE("a memory can learn and be restored after forgetting", "[memory_keep]") {
  std::vector<std::optional<LearningRule>> rules{std::nullopt};
  for (const LearningRuleFacts& facts : learning_rules) rules.emplace_back(facts.value);
  for (const auto rule : rules) {
    Rng rng(3, "goes on");
    Memory memory = with_history(0.001, rule, rng, 200, 20);
    for (int round = 0; round < 4; ++round) {
      std::vector<bool> kept(memory.statements().size()), links(memory.graph().hebbian_links().size(), true);
      for (std::size_t e = 0; e < kept.size(); ++e) kept[e] = rng.below(3) > 0;
      memory.keep(kept, links, ForgettingReason::statements);
      memory.release_forgotten_terms();
      MemoryOptions options = memory.options();
      Memory other(options);
      MemoryImage image = memory.image();
      for (Concept& node : image.graph.concepts) node.term = samples::term(other, narsese::print(node.term));
      for (Statement& said : image.statements)
        said.sentence.term = samples::term(other, narsese::print(said.sentence.term));
      REQUIRE_NOTHROW(other.restore(image));
      for (int i = 0; i < 60; ++i) {
        const std::string next = random_input(rng, 20);
        say(memory, next);
        say(other, next);
      }
      CHECK(texts_of(memory) == texts_of(other));
      CHECK(memory.total_evidence() == other.total_evidence());
      const HebbianLinks own = memory.graph().hebbian_links(), others = other.graph().hebbian_links();
      REQUIRE(own.size() == others.size());
      for (std::size_t k = 0; k < own.size(); ++k) CHECK(own[k].together == others[k].together);
      if (!rule) continue;
      const auto n = static_cast<Index>(memory.graph().size());
      CHECK(memory.learner()->weights(n).dense() == other.learner()->weights(n).dense());
    }
  }
}

TEST_CASE("terms of forgotten statements are released, and the others stay valid", "[memory_keep]") {
  Memory memory;
  for (int i = 0; i < 6000; ++i) {
    const std::string n = std::to_string(i);
    say(memory, "<(*,{a" + n + "},b" + n + ") --> (/,likes,_,c" + std::to_string(i % 7) + ")>.");
  }
  const std::size_t terms = memory.terms().size(), bytes = memory.terms().reserved_bytes();
  std::vector<bool> kept(memory.statements().size(), false);
  for (std::size_t e = 0; e < kept.size(); e += 10) kept[e] = true;
  memory.keep(kept, std::vector<bool>(memory.graph().hebbian_links().size()), ForgettingReason::statements);
  CHECK(memory.terms().size() == terms);  // keep() releases no terms, because handles may still be in use
  memory.release_forgotten_terms();
  CHECK(memory.terms().size() == memory.graph().size());
  CHECK(memory.terms().reserved_bytes() < bytes / 3);
  for (StatementId e = 0; e < memory.statements().size(); ++e) {
    const std::string n = std::to_string(10 * e), text = "<(*,{a" + n + "},b" + n + ") --> (/,likes,_,c" +
                                                         std::to_string(10 * e % 7) + ")>";
    const narsese::Term term = memory.statements().term(e);
    CHECK(samples::term(memory, text) == term);  // the same handle
    CHECK(memory.graph().find(term).has_value());
  }
  CHECK(memory.terms().size() == memory.graph().size());
  memory.release_forgotten_terms();  // a no-op
  CHECK(memory.terms().size() == memory.graph().size());
}

TEST_CASE("keeping nothing empties a memory, and keeping all changes nothing", "[memory_keep]") {
  Rng rng(5, "all or nothing");
  Memory memory = with_history(0, std::nullopt, rng, 80, 12);
  const auto said = texts_of(memory);
  const std::size_t links = memory.graph().hebbian_links().size(), concepts = memory.graph().size();
  memory.keep(std::vector<bool>(said.size(), true), std::vector<bool>(links, true),
              ForgettingReason::decayed);
  CHECK(texts_of(memory) == said);
  CHECK(memory.graph().hebbian_links().size() == links);
  CHECK(memory.graph().size() == concepts);
  memory.keep(std::vector<bool>(said.size(), false), std::vector<bool>(links, false),
              ForgettingReason::decayed);
  CHECK(memory.statements().empty());
  CHECK(memory.graph().size() == 0);
  CHECK(memory.total_evidence() == 0);
  CHECK_INVALID(memory.keep({true}, {}, ForgettingReason::decayed));
}

}  // namespace
}  // namespace engram::core
