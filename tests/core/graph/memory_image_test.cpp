// SPDX-License-Identifier: MIT
// Restoring memories from images with correct, wrong or missing hints.
#include "core/graph/memory_image.hpp"

#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/text.hpp"

namespace engram::core {
namespace {

using namespace samples;

std::string random_statement(Rng& rng) {
  const auto name = [&] { return "n" + std::to_string(rng.below(25)); };
  switch (rng.below(5)) {
    case 0:
      return "<(*,{" + name() + "}," + name() + ") --> (&," + name() + "," + name() + ")>.";
    case 1:
      return "<<$1 --> " + name() + "> ==> <$1 --> (/," + name() + ",_," + name() + ")>>.";
    case 2:
      return "<(&/," + name() + ",^" + name() + ") =/> <SELF --> [" + name() + "]>>. :|:";
    case 3:
      return "?x!";
    default:
      return "<" + name() + " <-> " + name() + ">.";
  }
}

Memory learnt_with(const ActivationPolicy& activation, std::uint64_t seed) {
  MemoryOptions options;
  options.decay = 0.01;
  options.activation = activation;
  Memory memory(options);
  Rng rng(seed, "memory_image");
  for (int i = 0; i < 300; ++i) say(memory, random_statement(rng));
  return memory;
}

// An image without hints, with the terms of another table.
MemoryImage image_for(const Memory& memory, Memory& other) {
  MemoryImage image = memory.image();
  for (Concept& node : image.graph.concepts) node.term = samples::term(other, narsese::print(node.term));
  for (Statement& said : image.statements)
    said.sentence.term = samples::term(other, narsese::print(said.sentence.term));
  return image;
}

void say_where(MemoryImage& image, const Memory& memory, const std::function<ConceptId(ConceptId)>& as) {
  constexpr ConceptId no_concept = 0xffffffffU;
  const auto id_of = [&](narsese::Term term) {
    return term.kind() == narsese::TermKind::variable ? no_concept : as(*memory.graph().find(term));
  };
  for (ConceptId id = 0; id < memory.graph().size(); ++id)
    for (const narsese::Term component : memory.graph().term(id).components())
      image.graph.components.push_back(id_of(component));
  for (StatementId e = 0; e < memory.statements().size(); ++e)
    image.statement_concepts.push_back(id_of(memory.statements().term(e)));
}

void check_same(const Memory& a, const Memory& b) {
  REQUIRE(a.graph().size() == b.graph().size());
  for (ConceptId id = 0; id < a.graph().size(); ++id) {
    REQUIRE(narsese::print(a.graph().term(id)) == narsese::print(b.graph().term(id)));
    REQUIRE(b.graph().find(b.graph().term(id)) == id);
    REQUIRE(a.graph()[id].activity == b.graph()[id].activity);
    REQUIRE(std::ranges::equal(a.graph().links_of(id), b.graph().links_of(id)));
  }
  const HebbianLinks own = a.graph().hebbian_links(), others = b.graph().hebbian_links();
  REQUIRE(own.size() == others.size());
  for (std::size_t k = 0; k < own.size(); ++k) {
    REQUIRE(own[k].together == others[k].together);
    const auto found = b.graph().find_link(own[k].source, own[k].target);
    REQUIRE((found && found->together == own[k].together));
  }
  REQUIRE(a.statements().size() == b.statements().size());
  for (StatementId e = 0; e < a.statements().size(); ++e) {
    REQUIRE(std::ranges::equal(a.statements().active(e), b.statements().active(e)));
    REQUIRE(b.find(b.statements()[e].sentence) == e);
  }
}

}  // namespace

TEST_CASE("a restored memory is the same with correct, wrong and missing hints", "[memory_image]") {
  for (const ActivationPolicy activation :
       {ActivationPolicy{}, ActivationPolicy{true, false, true}, ActivationPolicy{true, true, false}}) {
    const Memory memory = learnt_with(activation, 1);
    Rng rng(2, "memory_image");
    const std::vector<std::function<ConceptId(ConceptId)>> ways{
        [](ConceptId id) { return id; }, [](ConceptId id) { return id + 1; },
        [](ConceptId) { return ConceptId{0xfffffff0U}; },
        [&](ConceptId id) { return rng.below(3) == 0 ? static_cast<ConceptId>(rng.below(400)) : id; }};
    for (std::size_t way = 0; way <= ways.size(); ++way) {
      Memory other(memory.options());
      MemoryImage image = image_for(memory, other);
      if (way < ways.size()) say_where(image, memory, ways[way]);
      if (way == 1) image.graph.components.resize(image.graph.components.size() / 2);
      other.restore(image);
      check_same(memory, other);
      CHECK(other.bytes() <= memory.bytes());
    }
  }
}

TEST_CASE("images with duplicates or compounds before components are refused", "[memory_image]") {
  const Memory memory = learnt_with({}, 3);
  const auto refusal_of = [&](const std::function<void(MemoryImage&)>& change) {
    Memory other(memory.options());
    MemoryImage image = image_for(memory, other);
    say_where(image, memory, [](ConceptId id) { return id; });
    change(image);
    return testing::message_of<std::invalid_argument>([&] { other.restore(image); });
  };
  CHECK(refusal_of([](MemoryImage&) {}) == "no error");
  CHECK(refusal_of([](MemoryImage& image) {
          image.graph.concepts.clear();
          image.graph.components.clear();
          image.statements.clear();  // otherwise a missing concept is reported first
          for (std::size_t& before : image.graph.concepts_before) before = 0;
        }).find("a link must join two concepts") == 0);
  for (const std::size_t which : {std::size_t{0}, std::size_t{7}, std::size_t{100}})
    CHECK(refusal_of([&](MemoryImage& image) {
            image.graph.links.push_back(image.graph.links[which]);
            image.graph.concepts_before.push_back(image.graph.concepts_before.back());
          }).find("a link occurs twice") == 0);
  CHECK(refusal_of([](MemoryImage& image) {
          image.graph.concepts.push_back(image.graph.concepts[3]);
        }).find("a concept occurs twice") == 0);
  CHECK(refusal_of([](MemoryImage& image) {
          image.statements.push_back(image.statements[3]);
          image.statement_concepts.push_back(image.statement_concepts[3]);
        }).find("a statement occurs twice") == 0);
  CHECK(refusal_of([](MemoryImage& image) {
          std::ranges::reverse(image.graph.concepts);
        }).find("a concept must come after its components") == 0);
}

}  // namespace engram::core
