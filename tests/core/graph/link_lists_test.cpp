// SPDX-License-Identifier: MIT
// Links in short and long lists, compared with a map of all links.

#include "core/graph/concept_graph.hpp"
#include "core/graph/memory_image.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Ids = std::vector<ConceptId>;

ConceptGraph graph_of(narsese::TermTable& terms, ConceptId concepts, double decay) {
  ConceptGraph graph(decay);
  for (ConceptId id = 0; id < concepts; ++id) graph.intern(terms.atom("a" + std::to_string(id)));
  return graph;
}

// Reference implementation of the links of a graph, with a map that adds in the same order.
class Reference {
 public:
  explicit Reference(const ConceptGraph& graph) : graph_(graph) {}

  void co_activate(const Ids& active, double evidence, Time now) {
    for_each_pair(active, now, [&](HebbianLink& link) { link.together += evidence; });
  }
  void deny(const Ids& active, double evidence, Time now) {
    for_each_pair(active, now, [&](HebbianLink& link) {
      link.together = std::max(link.together - evidence, 0.0);
      link.denied += evidence;
    });
  }

  void require_same() const {
    const HebbianLinks links = graph_.hebbian_links();
    REQUIRE(links.size() == order_.size());
    std::map<ConceptId, std::vector<std::uint32_t>> lists;
    std::size_t missing = 0;
    for (std::uint32_t number = 0; number < order_.size(); ++number) {
      const auto [a, b] = order_[number];
      const HebbianLink& expected = links_.at({a, b});
      for (const HebbianLink& found :
           {links[number], graph_.link(number, a), graph_.link(number, b), graph_.find_link(b, a).value()}) {
        REQUIRE(std::pair(found.source, found.target) == std::pair(a, b));
        REQUIRE(found.together == expected.together);
        REQUIRE(found.denied == expected.denied);
        REQUIRE(found.updated == expected.updated);
      }
      lists[a].push_back(number);
      lists[b].push_back(number);
    }
    for (ConceptId id = 0; id < graph_.size(); ++id)
      REQUIRE(std::ranges::equal(graph_.links_of(id), lists[id]));
    for (ConceptId a = 0; a < graph_.size(); ++a)
      for (ConceptId b = a + 1; b < graph_.size(); ++b)
        missing += static_cast<std::size_t>(graph_.find_link(a, b).has_value() != links_.contains({a, b}));
    REQUIRE(missing == 0);
  }

  std::size_t longest_list() const {
    std::size_t longest = 0;
    for (ConceptId id = 0; id < graph_.size(); ++id) longest = std::max(longest, graph_.links_of(id).size());
    return longest;
  }

 private:
  template <class Change>
  void for_each_pair(const Ids& active, Time now, const Change& change) {
    for (std::size_t i = 0; i < active.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
        const auto [place, is_new] = links_.try_emplace(
            {active[i], active[j]}, HebbianLink{.source = active[i], .target = active[j], .updated = now});
        if (is_new) order_.emplace_back(active[i], active[j]);
        HebbianLink& link = place->second;
        const double share = graph_.retention(now - link.updated);
        link.together *= share;
        link.denied *= share;
        link.updated = now;
        change(link);
      }
  }

  const ConceptGraph& graph_;
  std::map<std::pair<ConceptId, ConceptId>, HebbianLink> links_;
  std::vector<std::pair<ConceptId, ConceptId>> order_;
};

// Random concepts; half of the draws are one of three hubs.
Ids some_concepts(Rng& rng, ConceptId concepts, std::size_t most) {
  Ids ids;
  for (std::size_t i = 0; i < 1 + rng.below(most); ++i)
    ids.push_back(static_cast<ConceptId>(rng.below(2) == 0 ? rng.below(3) : rng.below(concepts)));
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

TEST_CASE("links match a map for link lists of every length", "[link_lists]") {
  for (const double decay : {0.0, 0.01})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Rng rng(seed, "link lists", decay > 0 ? 1 : 0);
      const auto concepts = static_cast<ConceptId>(20 + rng.below(100));
      narsese::TermTable terms;
      ConceptGraph graph = graph_of(terms, concepts, decay);
      Reference reference(graph);
      Time now = 0;
      for (int i = 0; i < 400; ++i) {
        // A rare long pause moves the time beyond 31 bits.
        now += rng.below(100) == 0 ? Time{1} << (29 + rng.below(5)) : rng.below(3);
        const Ids active = some_concepts(rng, concepts, i % 50 == 0 ? 40 : 5);
        const double evidence = uniform(rng, 0, 1);
        graph.co_activate(active, evidence, now);
        reference.co_activate(active, evidence, now);
        if (rng.below(10) == 0) {
          graph.deny(active, evidence / 2, now);
          reference.deny(active, evidence / 2, now);
        }
        if (i % 100 == 99) reference.require_same();
      }
      CHECK(reference.longest_list() > 16);
    }
}

TEST_CASE("a batch of episodes equals single episodes", "[link_lists]") {
  Rng rng(5, "many episodes");
  for (const double decay : {0.0, 0.1}) {
    narsese::TermTable terms;
    ConceptGraph one = graph_of(terms, 60, decay), many = graph_of(terms, 60, decay);
    std::vector<Ids> active;
    for (int i = 0; i < 500; ++i) active.push_back(some_concepts(rng, 60, i % 100 == 0 ? 60 : 4));
    std::vector<ConceptGraph::Episode> episodes;
    for (std::size_t i = 0; i < active.size(); ++i)
      episodes.push_back({active[i], 0.5 + static_cast<double>(i % 7), i});
    for (const auto& [ids, evidence, time] : episodes) one.co_activate(ids, evidence, time);
    many.co_activate(episodes);
    const HebbianLinks links = one.hebbian_links(), others = many.hebbian_links();
    REQUIRE(links.size() == others.size());
    for (std::size_t k = 0; k < links.size(); ++k) {
      REQUIRE(links[k].source == others[k].source);
      REQUIRE(links[k].target == others[k].target);
      REQUIRE(links[k].together == others[k].together);
    }
    for (ConceptId id = 0; id < 60; ++id) REQUIRE(one.activity(id, 500) == many.activity(id, 500));
  }
}

TEST_CASE("a restored graph has the same link lists", "[link_lists]") {
  Rng rng(6, "becomes");
  narsese::TermTable terms;
  ConceptGraph graph = graph_of(terms, 80, 0.01), other(0.01);
  for (Time now = 1; now < 300; ++now) graph.co_activate(some_concepts(rng, 80, 5), 1, now);
  const GraphImage image = graph.image();
  other.restore_concepts(image);
  other.restore_links(image, 300);
  REQUIRE(other.hebbian_links().size() == graph.hebbian_links().size());
  CHECK(other.bytes() == graph.bytes());
  for (ConceptId a = 0; a < 80; ++a) {
    REQUIRE(std::ranges::equal(graph.links_of(a), other.links_of(a)));
    for (ConceptId b = a + 1; b < 80; ++b) {
      const auto own = graph.find_link(a, b), found = other.find_link(a, b);
      REQUIRE(own.has_value() == found.has_value());
      if (own) REQUIRE(own->together == found->together);
    }
  }
}

TEST_CASE("a graph never grows beyond the bound of its growth", "[link_lists]") {
  Rng rng(7, "grows");
  narsese::TermTable terms;
  ConceptGraph graph = graph_of(terms, 400, 0);
  for (Time now = 1; now < 3000; ++now) {
    const Ids active = some_concepts(rng, 400, 6);
    std::vector<narsese::Term> named;
    for (const ConceptId id : active) named.push_back(graph.term(id));
    GrowthBound bound;
    graph.add_growth(bound, terms.compound(narsese::Connector::product, named), active,
                     pairs_joined(active.size()));
    graph.co_activate(active, 1, now);
    REQUIRE(graph.bytes() <= bound.bytes());
  }
  CHECK(graph.hebbian_links().size() > 2000);
}

}  // namespace
}  // namespace engram::core
