// SPDX-License-Identifier: MIT
#include "core/graph/memory.hpp"

#include "core/index/memory_index.hpp"
#include "core/methods/method.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using narsese::TruthValue;

constexpr std::size_t all = 1000000;

std::string print(const LinkJudgement& link, std::string_view relation = narsese::link_relation) {
  return narsese::print_link(link.source, link.target, link.truth, relation);
}

std::vector<std::string> written(const Memory& memory, std::optional<ConceptId> of = {},
                                 std::size_t top = all) {
  std::vector<std::string> lines;
  for (const LinkJudgement& link : best_links(memory, of, top)) lines.push_back(print(link));
  return lines;
}

// The names of each link, such as "ab", best first.
std::vector<std::string> ends_of_links(const Memory& memory) {
  std::vector<std::string> ends;
  for (const LinkJudgement& link : best_links(memory, {}, all))
    ends.push_back(narsese::print(link.source) + narsese::print(link.target));
  return ends;
}

void tell(Memory& memory, const std::string& line) {
  const auto judgement = sentence(memory, line);
  REQUIRE(narsese::has_link_form(judgement));
  REQUIRE(memory.accept_link(judgement));
}

std::string link_line(Memory& memory, const char* a, const char* b, TruthValue truth) {
  return narsese::print_link(samples::term(memory, a), samples::term(memory, b), truth);
}

TruthValue truth_between(Memory& memory, const char* a, const char* b) {
  const std::pair<ConceptId, ConceptId> names = std::minmax(concept_of(memory, a), concept_of(memory, b));
  for (const HebbianLink& link : memory.graph().hebbian_links())
    if (link.source == names.first && link.target == names.second)
      return memory.graph().truth(link, memory.now());
  return {0.5, 0};
}

// A memory of random sentences and some link judgements over few names.
void tell_and_link(Memory& memory, Rng& rng, int sentences) {
  const auto name = [&] { return "n" + std::to_string(rng.below(9)); };
  for (int i = 0; i < sentences; ++i) {
    const double c = uniform(rng, 1e-6, 0.999);
    const std::string truth =
        " %" + narsese::print_number(rng.uniform()) + ";" + narsese::print_number(c) + "%";
    if (rng.below(4) == 0) {
      const auto judgement = sentence(memory, "<" + name() + " <-> " + name() + ">." + truth);
      memory.accept_link(judgement);  // refuses a link of a name with itself
    } else {
      say(memory, "<(*," + name() + "," + name() + ") --> " + name() + ">." + truth);
    }
    memory.advance(rng.below(3));
  }
}

TEST_CASE("exported links survive import into an empty memory, bit for bit", "[link_evidence]") {
  Rng rng(501, "links");
  std::size_t links = 0;
  for (int round = 0; round < 400; ++round) {
    const MemoryOptions options = with_decay(round % 2 == 0 ? 0.0 : uniform(rng, 0, 0.3));
    Memory memory(options);
    tell_and_link(memory, rng, 1 + static_cast<int>(rng.below(30)));
    if (round % 5 == 0)  // enough evidence for a confidence above 0.99
      for (int i = 0; i < 500; ++i) say(memory, "<n1 --> n2>. %1;0.9%");
    auto lines = written(memory);
    links += lines.size();
    Memory other(options);
    other.advance(rng.below(1000));
    auto shuffled = lines;
    for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[rng.below(i)]);
    for (const std::string& line : shuffled) tell(other, line);
    REQUIRE(written(other) == lines);
    CHECK(other.statements().empty());
    // The truth values are equal as numbers, not only as printed decimals.
    const auto before = best_links(memory, {}, all), after = best_links(other, {}, all);
    for (std::size_t k = 0; k < before.size(); ++k) {
      REQUIRE(before[k].truth == after[k].truth);
      CHECK(after[k].weight == Approx(before[k].weight).epsilon(1e-9));
    }
  }
  CHECK(links > 4000);
}

TEST_CASE("the truth of a link revises experience with judgements", "[link_evidence]") {
  Memory memory = told({"<a --> b>. %1;0.8%", "<a --> c>. %1;0.4%"});
  // The evidence of a and b: both were active in 0.8, and at least one of them in 1.2.
  CHECK(truth_between(memory, "a", "b").frequency == Approx(0.8 / 1.2).epsilon(1e-15));
  CHECK(truth_between(memory, "a", "b").confidence == Approx(1.2 / 2.2).epsilon(1e-15));
  const TruthValue lived = truth_between(memory, "a", "b"), other = truth_between(memory, "a", "c");
  tell(memory, link_line(memory, "b", "a", {0.25, 0.75}));
  const TruthValue both = narsese::revise(lived, {0.25, 0.75});
  CHECK(truth_between(memory, "a", "b").frequency == Approx(both.frequency).epsilon(1e-14));
  CHECK(truth_between(memory, "a", "b").confidence == Approx(both.confidence).epsilon(1e-14));
  CHECK(truth_between(memory, "a", "c") == other);  // a judgement about one link does not change other links
  // The judgement has evidence 3, of which 0.75 is positive. The weight of the link grows by 0.75, and the activity of
  // a and of b by 0.75 plus half of the negative 2.25.
  const MemoryIndex index(memory);
  const ConceptId a = concept_of(memory, "a"), b = concept_of(memory, "b");
  CHECK(index.links().dense()(a, b) == Approx(1.55).epsilon(1e-14));
  CHECK(index.activity(a) == Approx(1.2 + 1.875).epsilon(1e-14));
  CHECK(index.activity(b) == Approx(0.8 + 1.875).epsilon(1e-14));
  CHECK(index.total() == Approx(1.2 + 3).epsilon(1e-14));
  // New experience is added to the earlier experience and the judgement.
  say(memory, "<a --> b>. %1;0.8%");
  CHECK(truth_between(memory, "a", "b").frequency == Approx((1.6 + 0.75) / (2.0 + 3)).epsilon(1e-14));
}

TEST_CASE("a link is printed with any relation name and read back as a link", "[link_evidence]") {
  Memory memory = told({"<bird --> fish>. %0;0.5%", "<robin --> bird>. %1;0.5%"});
  const auto links = best_links(memory, {}, all);
  REQUIRE(links.size() == 2);
  CHECK(print(links[0]).find("<(*,bird,robin) --> associated>. %0.5") == 0);
  CHECK(print(links[1]).find("<(*,bird,fish) --> associated>. %0;0.") == 0);
  CHECK(print(links[0], "goes_with").find("<(*,bird,robin) --> goes_with>. %0.5") == 0);
  Memory other;
  for (const LinkJudgement& link : links) tell(other, print(link, "goes_with"));
  CHECK(written(other) == written(memory));
  // A similarity with this truth value is read as a link, too.
  Memory third;
  for (const LinkJudgement& link : links) {
    const std::string line = print(link);
    tell(third, "<" + narsese::print(link.source) + " <-> " + narsese::print(link.target) +
                    line.substr(line.find(">. %")));
  }
  CHECK(written(third) == written(memory));
}

TEST_CASE("two judgements are revised in any order", "[link_evidence]") {
  Rng rng(502, "links");
  for (int round = 0; round < 200; ++round) {
    const TruthValue x{rng.uniform(), uniform(rng, 0.01, 0.98)}, y{rng.uniform(), uniform(rng, 0.01, 0.98)};
    Memory one, two;
    tell(one, link_line(one, "a", "b", x));
    tell(one, link_line(one, "b", "a", y));
    tell(two, link_line(two, "a", "b", y));
    tell(two, link_line(two, "a", "b", x));
    CHECK(truth_between(one, "a", "b") == narsese::revise(x, y));
    CHECK(written(one) == written(two));
  }
}

TEST_CASE("judgements decay like experience", "[link_evidence]") {
  Memory memory(with_decay(0.5));
  tell(memory, link_line(memory, "a", "b", {0.25, 0.8}));  // the judgement has evidence 4
  CHECK(memory.now() == 0);
  memory.advance(3);
  CHECK(truth_between(memory, "a", "b").frequency == 0.25);
  CHECK(truth_between(memory, "a", "b").confidence == Approx(0.5 / 1.5).epsilon(1e-15));
  CHECK(memory.total_evidence() == Approx(0.5).epsilon(1e-14));
  CHECK(memory.graph().activity(0, memory.now()) == Approx(0.5 * 0.625).epsilon(1e-14));
  CHECK(memory.graph().weight(*memory.graph().find_link(0, 1), memory.now()) == Approx(0.125).epsilon(1e-14));
  tell(memory, link_line(memory, "a", "b", {1, 0.5}));  // this judgement adds evidence 1
  CHECK(truth_between(memory, "a", "b").frequency == Approx(1.125 / 1.5).epsilon(1e-14));
  memory.advance(5000);
  CHECK(written(memory).empty());  // links without evidence are not exported
}

TEST_CASE("links are sorted by their truth values only", "[link_evidence]") {
  Memory memory;
  tell(memory, link_line(memory, "z", "y", {0.5, 0.9}));
  tell(memory, link_line(memory, "z", "a", {0.9, 0.5}));
  tell(memory, link_line(memory, "b", "a", {0.9, 0.5}));
  tell(memory, link_line(memory, "y", "a", {1, 0.9}));
  tell(memory, link_line(memory, "y", "b", {0.5, 0.1}));
  CHECK(ends_of_links(memory) == std::vector<std::string>{"ay", "yz", "ab", "az", "by"});
  const auto lines = written(memory);
  CHECK(written(memory, {}, 2) == std::vector<std::string>(lines.begin(), lines.begin() + 2));
  CHECK(written(memory, concept_of(memory, "z")) == std::vector<std::string>{lines[1], lines[3]});
  CHECK(written(Memory()).empty());
}

TEST_CASE("links without positive evidence are sorted by confidence, then by terms", "[link_evidence]") {
  Memory memory;
  tell(memory, link_line(memory, "z", "y", {0, 0.5}));
  tell(memory, link_line(memory, "d", "c", {0, 0.75}));
  tell(memory, link_line(memory, "e", "b", {0, 0.75}));
  CHECK(ends_of_links(memory) == std::vector<std::string>{"be", "cd", "yz"});
}

TEST_CASE("best_links of a concept are all links with that end", "[link_evidence]") {
  Memory memory =
      told({"<c --> d>. %1;0.6%", "<(*,a,b) --> c>. %1;0.8%", "<<a --> d> ==> <(*,a,b) --> d>>. %1;0.7%"});
  const auto links = best_links(memory, {}, all);
  for (ConceptId id = 0; id < memory.graph().size(); ++id) {
    const narsese::Term& term = memory.graph()[id].term;
    std::vector<std::string> lines;
    for (const LinkJudgement& link : links)
      if (link.source == term || link.target == term) lines.push_back(print(link));
    INFO(narsese::print(term));
    CHECK(written(memory, id) == lines);
  }
}

TEST_CASE("an invalid link judgement is refused and changes nothing", "[link_evidence]") {
  Memory memory = told({"<a --> b>."});
  for (const char* line : {"<a <-> a>. %0.5;0.5%", "<(*,a,a) --> associated>. %0.5;0.5%",
                           "<(*,a,b,c) --> associated>. %0.5;0.5%", "<(*,a,b) --> {associated}>. %0.5;0.5%",
                           "<a <-> {b}>. %0.5;0.5%", "<a <-> $1>. %0.5;0.5%", "<a --> b>. %0.5;0.5%",
                           "<SELF <-> b>. %0.5;0.5%", "<a <-> b>.", "<a <-> b>?", "<a <-> b>. %0.5;0%",
                           "<a <-> b>. %0.5;1%", "<a <-> <b --> c>>. %0.5;0.5%", "<a <-> c>. %0.5;0%"}) {
    INFO(line);
    const auto refused = memory.accept_link(sentence(memory, line));
    REQUIRE_FALSE(refused);
    CHECK_FALSE(refused.error().empty());
    CHECK(memory.graph().size() == 3);
    CHECK(memory.graph().hebbian_links().size() == 1);
    CHECK(memory.total_evidence() == 0.9);
  }
  Memory full(with_limits({.max_hebbian_links = 1}));
  tell(full, link_line(full, "a", "b", {0.5, 0.5}));
  CHECK_FALSE(full.accept_link(sentence(full, "<a <-> c>. %0.5;0.5%")));
  Memory small(with_limits({.max_concepts = 1}));
  CHECK_FALSE(small.accept_link(sentence(small, "<a <-> b>. %0.5;0.5%")));
  CHECK(small.graph().size() == 0);
  Memory two(with_limits({.max_concepts = 2}));  // the relation adds no concept
  tell(two, link_line(two, "a", "b", {0.5, 0.5}));
  CHECK(two.graph().size() == 2);
  MemoryOptions options;
  options.activation.compounds = true;
  Memory compounds(options);
  tell(compounds, link_line(compounds, "{a}", "(*,b,c)", {0.5, 0.5}));
  CHECK(compounds.graph().size() == 5);
}

TEST_CASE("every method recalls from a memory of link judgements only", "[link_evidence]") {
  Memory memory;
  tell(memory, link_line(memory, "a", "b", {0.9, 0.9}));
  tell(memory, link_line(memory, "b", "c", {0.9, 0.5}));
  const MemoryIndex index(memory);
  const Vector cue = cue_for(memory, samples::term(memory, "a")).activation;
  REQUIRE(cue.sum() == 1);
  for (const Method& method : methods()) {
    std::vector<Options> variants{{}};
    if (method.name == "concept_attention")
      for (const char* kind : {"random_indexing", "svd", "laplacian", "oja", "sanger"})
        variants.push_back({{"embedding", std::string(kind)}});
    for (const Options& options : variants) {
      const Recall recall = ConfiguredMethod(method, options).recall(index, Cue(cue));
      INFO(method.name);
      CHECK(recall.statements.size() == 0);
      CHECK(recall.concepts.size() == 3);
      for (const double x : recall.concepts.whole()) CHECK(std::isfinite(x));
    }
  }
  const Vector walk = ConfiguredMethod("pagerank").recall(index, Cue(cue)).concepts;
  CHECK(walk[concept_of(memory, "b")] > walk[concept_of(memory, "c")]);
  CHECK(walk[concept_of(memory, "c")] > 0);
}

}  // namespace
}  // namespace engram::core
