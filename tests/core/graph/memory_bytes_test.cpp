// SPDX-License-Identifier: MIT
#include <tuple>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#endif

#include "core/graph/memory.hpp"
#include "core/graph/memory_image.hpp"
#include "core/index/concept_embedding.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Bytes that the allocator has handed out, or 0 if it does not report them (as under sanitizers). Tables of at least 2
// MiB are aligned to 2 MiB pages, so up to 2 MiB before each table may be handed out and never touched.
struct Allocated {
  std::size_t all = 0, untouched = 0;
};
Allocated allocated() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return {info.uordblks + info.hblkhd, info.hblks * (std::size_t{2} << 20)};
#else
  return {};
#endif
}

// A sentence of the concepts from `from` to from + count - 1.
std::string long_sentence(std::size_t from, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",c" : "c") + std::to_string(from + i);
  return text + "}.";
}

std::string some_sentence(Rng& rng, std::size_t names) {
  const auto name = [&] { return "n" + std::to_string(rng.below(static_cast<std::uint32_t>(names))); };
  if (rng.below(10) == 0)
    return long_sentence(rng.below(static_cast<std::uint32_t>(names)), 1 + rng.below(40));
  if (rng.below(3) == 0) return "<(*," + name() + ",{" + name() + "}) --> [" + name() + "]>.";
  return "<" + name() + " --> " + name() + ">.";
}

auto state_of(const Memory& memory) {
  return std::tuple(memory.graph().size(), memory.graph().hebbian_links().size(), memory.statements().size(),
                    memory.now(), memory.total_evidence(), memory.learner() ? memory.learner()->links() : 0);
}

TEST_CASE("bytes() is close to the bytes of the allocator", "[memory_bytes]") {
  for (const bool learns : {false, true}) {
    const auto [before, untouched_before] = allocated();
    Memory memory(with_rule(learns ? std::optional(LinkLearning{.rule = LearningRule::oja}) : std::nullopt));
    Rng rng(17, "bytes");
    for (int i = 0; i < 60'000; ++i) {
      say(memory, some_sentence(rng, 30'000));
      if (i % 10'000 != 9'999 || before == 0) continue;
      const auto [all, untouched] = allocated();
      const auto real = static_cast<double>(all - before), reported = static_cast<double>(memory.bytes());
      INFO(i << ": " << reported << " reported, " << real << " allocated");
      CHECK(reported > 0.85 * (real - static_cast<double>(untouched - untouched_before)));
      CHECK(reported < 1.15 * real);
    }
    CHECK(memory.graph().hebbian_links().size() > 100'000);
  }
}

TEST_CASE("a memory accepts what fits and never exceeds its limit of bytes", "[memory_bytes]") {
  std::vector<std::optional<LearningRule>> rules{std::nullopt};
  for (const LearningRuleFacts& facts : learning_rules) rules.emplace_back(facts.value);
  for (const auto rule : rules)
    for (const std::size_t limit : {std::size_t{1} << 20, std::size_t{3} << 20}) {
      MemoryOptions options = with_limits({.max_bytes = limit});
      if (rule) options.learning = LinkLearning{.rule = *rule};
      Memory memory(options);
      Rng rng(limit, "limited");
      std::size_t refused = 0, most = 0, changed = 0;
      for (int i = 0; i < 20'000 && refused < 200; ++i) {
        const auto parsed = narsese::parse_sentence(some_sentence(rng, 5'000), memory.terms());
        if (!parsed) {
          CHECK(parsed.error().message().find("the memory is full") == 0);
          ++refused;
          continue;
        }
        const auto state = state_of(memory);
        const auto accepted = memory.accept(*parsed);
        most = std::max(most, memory.bytes());
        if (accepted) continue;
        ++refused;
        changed += state_of(memory) != state;
        CHECK(accepted.error().find(std::to_string(limit) + " bytes") != std::string::npos);
      }
      INFO((rule ? static_cast<int>(*rule) : -1) << ", " << limit);
      CHECK(refused == 200);
      CHECK(changed == 0);
      CHECK(most <= limit);
      CHECK(most > limit / 3);  // the unused rest may be too small for the next growth of one container
      // Known sentences and questions are still accepted.
      const std::string known = narsese::print(memory.statements()[0].sentence.term);
      CHECK(memory.accept(sentence(memory, known + "?")).has_value());
      if (!rule) CHECK(memory.accept(memory.statements()[0].sentence).has_value());
    }
}

TEST_CASE("link judgements that do not fit are refused", "[memory_bytes]") {
  const MemoryOptions options = with_limits({.max_bytes = std::size_t{1} << 20});
  Memory memory(options);
  std::size_t reported = 0;
  for (; reported < 100'000; ++reported) {
    const auto link = narsese::parse_sentence(
        "<a" + std::to_string(reported) + " <-> b" + std::to_string(reported) + ">. %1;0.5%", memory.terms());
    if (!link || !memory.accept_link(*link)) break;
  }
  CHECK(reported > 1000);
  CHECK(reported < 20'000);
  CHECK(memory.bytes() <= options.limits.max_bytes);
}

TEST_CASE("an image beyond the limit of bytes is refused", "[memory_bytes]") {
  Memory memory;
  for (std::size_t i = 0; i < 3000; ++i) say(memory, "<s" + std::to_string(i) + " --> p>.");
  const MemoryOptions options = with_limits({.max_bytes = memory.bytes() / 2});
  Memory small(options), large;
  // The terms of an image must belong to the memory's table, so they are created there first.
  MemoryImage image = memory.image();
  for (Memory* one : {&small, &large}) {
    one->terms().limit(memory.bytes());
    std::size_t i = 0;
    for (const Concept& node : memory.graph().image().concepts)
      image.graph.concepts[i++].term = *narsese::parse_term(narsese::print(node.term), one->terms());
    i = 0;
    for (const Statement& statement : memory.statements())
      image.statements[i++].sentence.term =
          *narsese::parse_term(narsese::print(statement.sentence.term), one->terms());
    if (one == &small)
      CHECK_INVALID(one->restore(image));
    else
      one->restore(image);
  }
  CHECK(large.statements().size() == 3000);
  CHECK(large.bytes() > memory.bytes() / 2);
}

TEST_CASE("up to 17 concepts are linked in all pairs, more only with neighbours", "[memory_bytes]") {
  for (std::size_t active = 0; active < 60; ++active) {
    Memory memory;
    if (active > 0) say(memory, long_sentence(0, active));
    std::size_t expected = 0;
    for (std::size_t i = 0; i < active; ++i) expected += std::min(active - 1 - i, max_partners);
    CHECK(memory.graph().hebbian_links().size() == expected);
    CHECK(pairs_joined(active) == expected);
    if (active <= max_partners + 1)
      CHECK(expected == active * (active - std::min<std::size_t>(active, 1)) / 2);
    for (const HebbianLink& link : memory.graph().hebbian_links()) {
      const auto& known = memory.statements()[0].active;
      const auto place = [&](ConceptId id) {
        return std::find(known.begin(), known.end(), id) - known.begin();
      };
      CHECK(place(link.target) - place(link.source) <= static_cast<std::ptrdiff_t>(max_partners));
    }
  }
}

TEST_CASE("links grow linearly with the length of sentences under every rule", "[memory_bytes]") {
  const auto links_after = [](std::optional<LearningRule> rule, std::size_t length) {
    Memory memory(with_rule(rule ? std::optional(LinkLearning{.rule = *rule}) : std::nullopt));
    for (std::size_t i = 0; i < 3; ++i) say(memory, long_sentence(i * length, length));
    return static_cast<double>(rule ? memory.learner()->links() : memory.graph().hebbian_links().size());
  };
  CHECK(links_after({}, 240) < 2.2 * links_after({}, 120));
  for (const LearningRuleFacts& facts : learning_rules) {
    const double few = links_after(facts.value, 120);
    const double many = links_after(facts.value, 240);
    INFO(facts.name << ": " << few << " and " << many);
    // stdp links each concept with up to 256 traces in both directions.
    CHECK(many < (facts.value == LearningRule::stdp ? 4.4 : 2.2) * few);
    CHECK(many <= 3.0 * 240 * 2 * max_traces);
  }
}

TEST_CASE("the index and recalls reserve bytes before they allocate", "[memory_bytes]") {
  Memory memory(with_rule(LinkLearning{.rule = LearningRule::hebb}));
  Rng rng(4, "claims");
  for (int i = 0; i < 3'000; ++i) say(memory, some_sentence(rng, 2'000));
  const auto ask_for_all = [](const MemoryIndex& index) {
    index.keys();
    index.links();
    index.learnt();
    index.mentions();
    index.occurrences();
    index.hops();
    index.proof_rules();
  };
  const std::size_t before = allocated().all;
  const auto index = std::make_unique<MemoryIndex>(memory);
  ask_for_all(*index);
  const std::size_t reported = index->kept_bytes();
  if (before > 0) {
    const auto real = static_cast<double>(allocated().all - before);
    INFO(reported << " reported, " << real << " allocated");
    CHECK(static_cast<double>(reported) > 0.9 * real);
    CHECK(static_cast<double>(reported) < 1.5 * real);
  }
  {
    const WorkBudget work({.bytes = reported - 1});
    const MemoryIndex others(memory);
    CHECK_THROWS_AS(ask_for_all(others), WorkStopped);
  }
  {
    // The learner's weights exist three times for a short time.
    const WorkBudget work({.bytes = 4 * reported});
    const MemoryIndex others(memory);
    ask_for_all(others);
    CHECK(others.kept_bytes() == reported);
  }
  const Cue cue = cue_for(memory, term(memory, "n1"));
  for (const Method& method : methods()) {
    const WorkBudget work({.bytes = index->recall_bytes() - 1});
    INFO(method.name);
    if (method.is_local)  // a local method reserves only for the neighbourhood it reaches
      CHECK_NOTHROW(ConfiguredMethod(method).recall(*index, cue));
    else
      CHECK_THROWS_AS(ConfiguredMethod(method).recall(*index, cue), WorkStopped);
  }
  const WorkBudget work({.bytes = sizeof(double) * 64 * memory.graph().size() - 1});
  for (const EmbeddingFacts& kind : embedding_kinds)
    if (kind.value != EmbeddingKind::file) {
      INFO(kind.name);
      CHECK_THROWS_AS(embedded(*index, {.kind = kind.value, .dimensions = 64, .epochs = 1}), WorkStopped);
    }
  CHECK(index->embeddings().bytes() == 0);
  CHECK(embedded(*index, {.kind = EmbeddingKind::random_indexing, .dimensions = 16}) != nullptr);
  CHECK(index->embeddings().bytes() == sizeof(double) * 16 * memory.graph().size());
}

}  // namespace
}  // namespace engram::core
