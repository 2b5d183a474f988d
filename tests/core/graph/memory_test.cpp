// SPDX-License-Identifier: MIT
#include "core/graph/memory.hpp"

#include <tuple>

#include "core/index/memory_index.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Names = std::vector<std::string>;

Names names(const std::vector<narsese::Term>& terms) {
  Names all;
  for (const auto t : terms) all.push_back(narsese::print(t));
  return all;
}

Names active(Memory& memory, const char* text) { return names(memory.active_terms(term(memory, text))); }

Names sorted(Names all) {
  std::sort(all.begin(), all.end());
  return all;
}

Memory with(ActivationPolicy activation) {
  MemoryOptions options;
  options.activation = activation;
  return Memory(options);
}

TEST_CASE("active_terms() lists each atom and operator once, in order of mention", "[memory]") {
  Memory memory;
  CHECK(active(memory, "<tim --> cat>") == Names{"tim", "cat"});
  CHECK(active(memory, "<(*,{tim},tom) --> (/,likes,_,tim)>") == Names{"tim", "tom", "likes"});
  CHECK(active(memory, "<(*,{robot},door) --> ^open>") == Names{"robot", "door", "^open"});
  CHECK(active(memory, "tim") == Names{"tim"});
}

TEST_CASE("variables, intervals, copulas and SELF hold no activation", "[memory]") {
  for (const bool switched_on : {false, true}) {
    Memory memory = with({switched_on, switched_on});
    CHECK(active(memory, "$x").empty());
    CHECK(active(memory, "<$1 --> #2>").empty());
    CHECK(active(memory, "<?what <-> $1>").empty());
    CHECK(active(memory, "SELF").empty());
    CHECK(active(memory, "{SELF}").empty());
    CHECK(active(memory, "<{SELF} --> [SELF]>").empty());
    CHECK(active(memory, "(*,{SELF},$1)").empty());
    CHECK(active(memory, "(&/,{SELF},+5)").empty());
  }
  Memory memory;
  CHECK(active(memory, "(&/,a,+5,b)") == Names{"a", "b"});
  CHECK(active(memory, "<<$1 --> bird> ==> <$1 --> animal>>") == Names{"bird", "animal"});
  CHECK(active(memory, "<SELF2 --> self>") ==
        Names{"SELF2", "self"});  // only the exact name SELF is excluded
}

TEST_CASE("compounds and statements hold activation if the policy allows it", "[memory]") {
  const char* text = "<(*,{tim},tom) --> parent>";
  Memory plain = with({false, false}), compounds = with({true, false}), statements = with({false, true}),
         both = with({true, true});
  CHECK(sorted(active(plain, text)) == Names{"parent", "tim", "tom"});
  CHECK(sorted(active(compounds, text)) == Names{"(*,{tim},tom)", "parent", "tim", "tom", "{tim}"});
  CHECK(sorted(active(statements, text)) == Names{"<(*,{tim},tom) --> parent>", "parent", "tim", "tom"});
  CHECK(active(both, text).size() == 6);
  // Terms with variables hold no activation, nor do terms whose only atom is SELF.
  CHECK(sorted(active(both, "<(*,$1,tom) --> parent>")) == Names{"parent", "tom"});
  CHECK(sorted(active(both, "<(*,{SELF},tom) --> {SELF}>")) ==
        Names{"(*,{SELF},tom)", "<(*,{SELF},tom) --> {SELF}>", "tom"});
}

TEST_CASE("a sentence adds concepts, a statement and links", "[memory]") {
  Memory memory;
  const StatementId id = say(memory, "<tim --> cat>. %1.0;0.8%");
  REQUIRE(memory.statements().size() == 1);
  const Statement& statement = memory.statements()[id];
  const ConceptId tim = concept_of(memory, "tim"), cat = concept_of(memory, "cat");
  CHECK(memory.graph().size() == 3);  // the statement's term is also a concept, which only conducts
  CHECK(std::ranges::equal(statement.active, std::vector{std::min(tim, cat), std::max(tim, cat)}));
  CHECK(statement.times == 1);
  CHECK(memory.evidence(statement) == 0.8);
  CHECK(memory.total_evidence() == 0.8);
  CHECK(memory.now() == 1);
  REQUIRE(memory.graph().hebbian_links().size() == 1);
  CHECK(memory.graph().weight(*memory.graph().find_link(tim, cat), memory.now()) == 0.8);
  CHECK(memory.graph().activity(tim, memory.now()) == 0.8);
  CHECK(memory.graph().activity(concept_of(memory, "<tim --> cat>"), memory.now()) == 0);

  say(memory, "<tom --> cat>!");  // a goal with the default confidence 0.9
  CHECK(memory.graph().activity(cat, memory.now()) == 0.8 + 0.9);
  CHECK(memory.total_evidence() == 0.8 + 0.9);
}

TEST_CASE("questions add nothing but a cycle", "[memory]") {
  Memory memory = told({"<tim --> cat>."});
  for (const char* question : {"<tom --> dog>?", "<tim --> cat>?", "<?1 --> cat>?", "<tom --> dog>@"}) {
    const Time before = memory.now();
    const auto accepted = memory.accept(sentence(memory, question));
    REQUIRE(accepted.has_value());
    CHECK_FALSE(accepted.value().has_value());
    CHECK(memory.now() == before + 1);  // each question takes one cycle
  }
  CHECK(memory.statements().size() == 1);
  CHECK(memory.graph().size() == 3);
  CHECK(memory.total_evidence() == 0.9);
  CHECK_FALSE(memory.graph().find(term(memory, "dog")).has_value());
}

TEST_CASE("a repeated sentence adds evidence and revises its eternal truth", "[memory]") {
  Memory memory;
  const StatementId id = say(memory, "<tim --> cat>. %1.0;0.9%");
  CHECK(say(memory, "<tim --> cat>. %0.0;0.9%") == id);
  REQUIRE(memory.statements().size() == 1);
  const Statement& statement = memory.statements()[id];
  CHECK(statement.times == 2);
  CHECK(memory.evidence(statement) == 1.8);
  CHECK(memory.total_evidence() == 1.8);
  // Evidence 9 for and 9 against: f = 9/18, c = 18/19, up to rounding.
  CHECK(std::abs(statement.sentence.truth_or_default().frequency - 0.5) < 1e-15);
  CHECK(std::abs(statement.sentence.truth_or_default().confidence - 18.0 / 19) < 1e-15);
  CHECK(memory.graph().weight(*memory.graph().find_link(0, 1), memory.now()) == Approx(0.9));

  say(memory, "<tim --> cat>.");  // 18 of 27 for; the default truth is (1, 0.9)
  CHECK(std::abs(memory.statements()[id].sentence.truth_or_default().frequency - 18.0 / 27) < 1e-14);
  CHECK(std::abs(memory.statements()[id].sentence.truth_or_default().confidence - 27.0 / 28) < 1e-14);
}

TEST_CASE("statements differ by punctuation, not by spelling or variable names", "[memory]") {
  Memory memory;
  const StatementId id = say(memory, "<<$x --> bird> ==> <$x --> animal>>.");
  CHECK(say(memory, "<<$y --> bird> ==> <$y --> animal>>.") == id);
  CHECK(say(memory, "<<$x --> bird> ==> <$x --> animal>>!") != id);
  const StatementId same = say(memory, "<cat <-> dog>.");
  CHECK(say(memory, "<dog <-> cat>.") == same);
  CHECK(memory.statements().size() == 3);
}

// The current weight, evidence and truth value of a link.
struct LinkNow {
  double weight = 0;
  narsese::Evidence evidence;
  narsese::TruthValue truth;
};

LinkNow link_between(Memory& memory, const std::string& a, const std::string& b) {
  const ConceptId x = concept_of(memory, a), y = concept_of(memory, b);
  const ConceptGraph& graph = memory.graph();
  for (const HebbianLink& link : graph.hebbian_links())
    if (link.source == std::min(x, y) && link.target == std::max(x, y))
      return {graph.weight(link, memory.now()), graph.evidence(link, memory.now()),
              graph.truth(link, memory.now())};
  FAIL("there is no link of " << a << " and " << b);
  return {};
}

TEST_CASE("denied statements are no evidence for links", "[memory]") {
  Memory memory = told({"<bird --> fish>. %0;0.9%"});
  const LinkNow denied = link_between(memory, "bird", "fish");
  CHECK(denied.weight == 0);
  CHECK(denied.truth.frequency == 0);
  CHECK(denied.truth.confidence == Approx(0.9 / 1.9).epsilon(1e-15));
  CHECK(memory.graph().activity(concept_of(memory, "bird"), memory.now()) == 0.9);
  CHECK(memory.total_evidence() == 0.9);
  CHECK(MemoryIndex(memory).links().entries() == 0);  // a denied link has no weight for a walk

  say(memory, "<cat --> animal>. %0.75;0.8%");
  CHECK(link_between(memory, "cat", "animal").weight == Approx(0.6).epsilon(1e-15));
  CHECK(link_between(memory, "cat", "animal").truth.frequency == Approx(0.75).epsilon(1e-15));
}

TEST_CASE("a contradiction removes earlier support, in either order", "[memory]") {
  for (const bool denied_first : {false, true}) {
    Memory memory;
    say(memory, denied_first ? "<tim --> cat>. %0;0.9%" : "<tim --> cat>. %1;0.9%");
    say(memory, denied_first ? "<tim --> cat>. %1;0.9%" : "<tim --> cat>. %0;0.9%");
    const LinkNow half = link_between(memory, "tim", "cat");
    CHECK(half.truth.frequency == Approx(0.5).epsilon(1e-14));
    CHECK(half.evidence.total == Approx(1.8).epsilon(1e-14));
    CHECK(half.weight == Approx(0.9).epsilon(1e-14));
  }
  // The evidence is 1 for and 9 against. The weight falls from 0.5 to a tenth of 1.4, the sum of both confidences.
  Memory memory = told({"<tim --> cat>. %1;0.5%"});
  CHECK(link_between(memory, "tim", "cat").weight == 0.5);
  say(memory, "<tim --> cat>. %0;0.9%");
  CHECK(link_between(memory, "tim", "cat").weight == Approx(0.14).epsilon(1e-14));
  CHECK(link_between(memory, "tim", "cat").truth.frequency == Approx(0.1).epsilon(1e-14));
  CHECK(memory.graph().activity(concept_of(memory, "tim"), memory.now()) == 1.4);
}

TEST_CASE("goals count by desire, events keep their frequency, questions count nothing", "[memory]") {
  Memory memory = told({"<door --> [open]>! %1;0.8%", "<hand --> [burnt]>! %0;0.8%"});
  CHECK(link_between(memory, "door", "open").truth.frequency == 1);
  CHECK(link_between(memory, "door", "open").weight == 0.8);
  CHECK(link_between(memory, "hand", "burnt").truth.frequency == 0);
  CHECK(link_between(memory, "hand", "burnt").weight == 0);
  for (const char* question : {"<door --> [burnt]>?", "<hand --> [open]>@"})
    memory.accept(sentence(memory, question));
  CHECK(memory.graph().hebbian_links().size() == 2);
  CHECK(link_between(memory, "door", "open").weight == 0.8);

  say(memory, "<light --> [on]>. :|: %1;0.9%");
  // This event does not contradict the earlier one, so the weight stays.
  say(memory, "<light --> [on]>. :|: %0;0.6%");
  CHECK(link_between(memory, "light", "on").weight == Approx(0.9).epsilon(1e-14));
  CHECK(link_between(memory, "light", "on").evidence.total == Approx(1.5).epsilon(1e-14));
}

TEST_CASE("links match a brute-force sum over statements", "[memory]") {
  struct Said {
    std::string narsese;
    std::vector<std::string> names;
    narsese::TruthValue truth{0.5, 0};
    double evidence = 0, denied = 0;
  };
  Rng rng(77, "truthful links");
  for (int round = 0; round < 60; ++round) {
    const MemoryOptions options = with_decay(round % 2 == 0 ? 0.0 : 0.05);
    Memory memory(options);
    std::vector<Said> statements{{"<a --> b>", {"a", "b"}},
                                 {"<(*,a,b) --> c>", {"a", "b", "c"}},
                                 {"<b --> d>", {"b", "d"}},
                                 {"<d <-> a>", {"a", "d"}},
                                 {"<(*,c,d) --> a>", {"a", "c", "d"}}};
    for (int i = 0; i < 40; ++i) {
      Said& said = statements[rng.below(statements.size())];
      const narsese::TruthValue truth{static_cast<double>(rng.below(5)) / 4, uniform(rng, 0.05, 0.95)};
      say(memory, said.narsese + ". %" + narsese::print_number(truth.frequency) + ";" +
                      narsese::print_number(truth.confidence) + "%");
      const Time idle = rng.below(3);
      memory.advance(idle);
      said.truth = said.evidence > 0 ? narsese::revise(said.truth, truth) : truth;
      for (Said& each : statements) {
        each.evidence *= 1 - options.decay;
        if (&each == &said) each.evidence += truth.confidence;
        each.evidence *= std::pow(1 - options.decay, static_cast<double>(idle));
      }
    }
    for (const auto& [x, y] :
         {std::pair{"a", "b"}, {"a", "c"}, {"a", "d"}, {"b", "d"}, {"c", "d"}, {"b", "c"}}) {
      narsese::Evidence expected;
      for (const Said& said : statements) {
        const auto has = [&](const char* name) {
          return std::find(said.names.begin(), said.names.end(), name) != said.names.end();
        };
        if (has(x) && has(y)) expected.positive += said.truth.frequency * said.evidence;
        if (has(x) || has(y)) expected.total += said.evidence;
      }
      const LinkNow found = link_between(memory, x, y);
      INFO(round << " " << x << " " << y);
      CHECK(found.weight == Approx(expected.positive).margin(1e-12));
      CHECK(found.evidence.total == Approx(expected.total).margin(1e-12));
    }
  }
}

TEST_CASE("a repeated event has the truth of its last sentence", "[memory]") {
  Memory memory;
  const StatementId id = say(memory, "<door --> [open]>. :|: %1.0;0.9%");
  say(memory, "<door --> [open]>. :|: %0.0;0.6%");
  const Statement& statement = memory.statements()[id];
  CHECK(statement.sentence.truth_or_default().frequency == 0.0);
  CHECK(statement.sentence.truth_or_default().confidence == 0.6);
  CHECK(statement.sentence.tense.kind == narsese::Tense::Kind::present);
  CHECK(std::abs(memory.evidence(statement) - 1.5) < 1e-15);
  CHECK(statement.times == 2);
}

TEST_CASE("evidence decays with each cycle of input or idle time", "[memory]") {
  Memory memory(with_decay(0.5));
  const StatementId id = say(memory, "<tim --> cat>. %1.0;0.8%");
  CHECK(memory.evidence(memory.statements()[id]) == 0.8);
  memory.advance(2);
  CHECK(memory.now() == 3);
  CHECK(memory.evidence(memory.statements()[id]) == 0.2);
  CHECK(memory.total_evidence() == 0.2);
  memory.accept(sentence(memory, "<tim --> ?1>?"));
  CHECK(memory.evidence(memory.statements()[id]) == 0.1);
  say(memory, "<tim --> cat>. %1.0;0.8%");  // this sentence takes one more cycle
  CHECK(std::abs(memory.evidence(memory.statements()[id]) - 0.85) < 1e-15);
  say(memory, "<tom --> dog>. %1.0;0.5%");
  CHECK(std::abs(memory.total_evidence() - (0.425 + 0.5)) < 1e-15);
  CHECK(std::abs(memory.graph().activity(concept_of(memory, "tim"), memory.now()) - 0.425) < 1e-15);
  memory.advance(5000);
  CHECK(memory.total_evidence() == 0);  // decayed below the smallest double
}

TEST_CASE("known_concepts() returns the known active terms, ascending", "[memory]") {
  Memory memory = told({"<tim --> cat>.", "<tom --> cat>."});
  const ConceptId cat = concept_of(memory, "cat"), tom = concept_of(memory, "tom");
  CHECK(memory.known_concepts(term(memory, "<tom --> ?1>")) == std::vector<ConceptId>{tom});
  const auto known = memory.known_concepts(term(memory, "(*,tom,cat,nobody,tom)"));
  CHECK(known == std::vector<ConceptId>{std::min(cat, tom), std::max(cat, tom)});
  CHECK(memory.known_concepts(term(memory, "nobody")).empty());
  CHECK(memory.known_concepts(term(memory, "?1")).empty());
}

TEST_CASE("sentences without active concepts become statements, too", "[memory]") {
  Memory memory;
  const StatementId id = say(memory, "<$1 --> $2>.");
  CHECK(memory.statements()[id].active.empty());
  CHECK(memory.total_evidence() == 0.9);
  say(memory, "$x.");
  say(memory, "SELF!");
  CHECK(memory.statements().size() == 3);
  CHECK(memory.graph().hebbian_links().empty());
}

// State that a refused sentence must not change.
auto counts_of(const Memory& m) {
  return std::tuple(m.graph().size(), m.graph().hebbian_links().size(), m.statements().size(),
                    m.total_evidence(), m.now());
}

void refused(MemoryLimits limits, const char* line, const std::string& reason) {
  Memory memory(with_limits(limits));
  say(memory, "<a --> b>.");
  const auto before = counts_of(memory);
  const auto result = memory.accept(sentence(memory, line));
  REQUIRE_FALSE(result.has_value());
  INFO(result.error());
  CHECK(result.error().find(reason) != std::string::npos);
  CHECK(counts_of(memory) == before);
}

TEST_CASE("a sentence beyond a limit is refused with a reason and changes nothing", "[memory]") {
  refused({.max_active = 2}, "<(*,a,b) --> c>.", "3 concepts, the limit is 2");
  refused({.max_concepts = 5}, "<(*,c,d) --> (*,e,f)>.", "the limit is 5 concepts");
  refused({.max_hebbian_links = 4}, "<(*,c,d) --> (*,e,f)>.", "the limit is 4 Hebbian links");
  for (const char* line : {"<a --> c>.", "<a --> b>!"})
    refused({.max_statements = 1}, line, "the limit is 1 statements");
}

TEST_CASE("a memory accepts everything up to its limits", "[memory]") {
  Memory memory(with_limits({.max_concepts = 20, .max_statements = 2, .max_active = 4}));
  say(memory, "<(*,c,d) --> (*,e,f)>.");
  say(memory, "<a --> b>.");
  say(memory, "<a --> b>.");  // a known statement needs no room
  CHECK(memory.statements().size() == 2);
  CHECK(memory.statements()[1].times == 2);
  CHECK(memory.accept(sentence(memory, "<a --> c>?")).has_value());  // a question needs no room
}

TEST_CASE("a full memory learns from known sentences", "[memory]") {
  Memory memory(with_limits({.max_concepts = 3, .max_hebbian_links = 1, .max_statements = 1}));
  say(memory, "<a --> b>.");  // three concepts and one link reach the limits
  say(memory, "<a --> b>.");
  CHECK(memory.statements()[0].times == 2);
  CHECK_FALSE(memory.accept(sentence(memory, "<a --> c>.")).has_value());
}

TEST_CASE("many statements are found", "[memory]") {
  Memory memory;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 400; ++i) {
      const auto id = say(memory, "<a" + std::to_string(i) + " --> b" + std::to_string(i % 7) + ">.");
      CHECK(id == static_cast<StatementId>(i));
    }
  CHECK(memory.statements().size() == 400);
  CHECK(memory.now() == 800);
}

}  // namespace
}  // namespace engram::core
