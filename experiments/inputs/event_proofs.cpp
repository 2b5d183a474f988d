// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {
namespace {

using core::Rng;
using Event = std::uint32_t;

// Frequencies: chosen, not derived.
constexpr double by_operation = 0.3, shared = 0.5, leaving = 0.4, arriving = 0.3;
constexpr std::uint64_t operations = 5;
constexpr std::array<const char*, 4> truths{"", " %1.0;0.8%", " %1.0;0.6%", " %1.0;0.45%"};

struct EventLink {
  Event from = 0, to = 0;
  std::uint32_t operation = 0;  // 0: none
  const char* truth = "";
};

class EventWorld {
 public:
  EventWorld(std::size_t size, Rng& rng) {
    const std::size_t groups = std::max<std::size_t>(1, size / event_group_size);
    for (std::size_t g = 0; g < groups; ++g) draw_group(part_of(size, groups, g), rng);
  }

  const std::vector<EventLink>& links() const { return links_; }
  std::size_t events() const { return events_; }

 private:
  void draw_group(std::size_t size, Rng& rng) {
    const std::size_t full = links_.size() + size;
    const std::vector<Event> chain = draw_chain(size, rng);
    while (links_.size() < full) {
      const double kind = rng.uniform();
      const Event place = chain[rng.below(chain.size())];
      if (kind < leaving)
        leave(chain, place, rng);
      else if (kind < leaving + arriving)
        link(events_++, place, rng);
      else if (full - links_.size() >= 2)
        go_around(chain, rng);
    }
    chain_events_.insert(chain_events_.end(), chain.begin(), chain.end());
  }

  // Draws a chain of at least five links. One inner event may belong to an earlier chain.
  std::vector<Event> draw_chain(std::size_t size, Rng& rng) {
    std::vector<Event> chain(6 + (size - 10) / 10);
    for (Event& event : chain) event = events_++;
    if (!chain_events_.empty() && rng.uniform() < shared)
      chain[1 + rng.below(chain.size() - 2)] = chain_events_[rng.below(chain_events_.size())];
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) link(chain[i], chain[i + 1], rng);
    return chain;
  }

  // Adds a link to a new event, from `place` or from the end of the last such link.
  void leave(const std::vector<Event>& chain, Event place, Rng& rng) {
    const Event last = links_.back().to;
    const bool on = rng.below(3) == 0 && std::ranges::find(chain, last) == chain.end();
    link(on ? last : place, events_++, rng);
  }

  // Adds a detour of two links around one link. It is longer, so no shortest proof uses it.
  void go_around(const std::vector<Event>& chain, Rng& rng) {
    const std::size_t i = rng.below(chain.size() - 1);
    const Event between = events_++;
    link(chain[i], between, rng);
    link(between, chain[i + 1], rng);
  }

  void link(Event from, Event to, Rng& rng) {
    const bool operates = rng.uniform() < by_operation;
    links_.push_back({from, to, operates ? static_cast<std::uint32_t>(1 + rng.below(operations)) : 0,
                      truths[rng.below(truths.size())]});
  }

  Event events_ = 0;
  std::vector<EventLink> links_;
  std::vector<Event> chain_events_;  // events of the chains of earlier groups
};

std::string implication_text(const std::string& from, std::uint32_t operation, const std::string& to) {
  const std::string cause = operation == 0 ? from : "(&/, " + from + ", ^o" + std::to_string(operation) + ")";
  return "<" + cause + " =/> " + to + ">";
}

void ask_events(ProofSet& set, const EventWorld& world, const Names& names, std::size_t questions, Rng& rng) {
  LinkGraph graph(world.events());
  std::vector<Event> starts(world.events());
  for (std::size_t i = 0; i < world.links().size(); ++i)
    graph.add(world.links()[i].from, world.links()[i].to, i);
  for (std::size_t e = 0; e < starts.size(); ++e) starts[e] = static_cast<Event>(e);
  ask_ways(set, graph, starts, {questions, 2, 5}, rng, [&](Event start, const LinkGraph::Way& way) {
    std::uint32_t operation = 0;
    for (const std::size_t id : way.statements) {
      const std::uint32_t next = world.links()[id].operation;
      if (operation != 0 && next != 0) return std::string();
      operation = std::max(operation, next);
    }
    return implication_text(names(start), operation, names(way.end));
  });
}

}  // namespace

ProofSet generate_events(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  // In the smallest sets, all paths may have several operations. Draw again if no question remains.
  for (std::uint64_t draw = 0;; ++draw) {
    Rng rng(seed, "events", draw);
    const EventWorld world(size, rng);
    const Names names("e", world.events(), rng);
    ProofSet set;
    for (const EventLink& link : world.links())
      say(set, implication_text(names(link.from), link.operation, names(link.to)), link.truth);
    ask_events(set, world, names, questions, rng);
    if (questions > 0 && set.questions.empty()) continue;
    shuffle(set, rng);
    return set;
  }
}

}  // namespace engram::experiments
