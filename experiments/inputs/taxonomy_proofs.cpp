// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {
namespace {

using core::Rng;
using Node = std::uint32_t;

// Numbers of statements of each kind in a tree. The shares are chosen, not derived.
struct TreePlan {
  explicit TreePlan(std::size_t size)
      : individuals(std::max<std::size_t>(2, size / 4)),
        second_classes(size / 20),
        told(std::max<std::size_t>(2, size * 7 / 25)),
        denied(std::max<std::size_t>(1, size / 12)),
        classes(1 + size - individuals - second_classes - told - denied) {}
  std::size_t individuals, second_classes, told, denied, classes;
};

// Generator of a taxonomy. Nodes are numbered: classes, individuals, properties.
class Taxonomy {
 public:
  Taxonomy(std::size_t size, Rng& rng)
      : trees_(std::max<std::size_t>(1, size / tree_size)),
        properties_(std::min<std::size_t>(20, trees_ + 2)),
        counts_(count(size)),
        class_names_("c", counts_.first, rng),
        individual_names_("i", counts_.second, rng),
        property_names_("p", properties_, rng),
        graph_(counts_.first + counts_.second + properties_) {
    Node first_class = 0, first_individual = 0;
    for (std::size_t t = 0; t < trees_; ++t) {
      const TreePlan plan(part_of(size, trees_, t));
      grow(plan, first_class, rng);
      fill(plan, first_class, first_individual, rng);
      first_class += static_cast<Node>(plan.classes);
      first_individual += static_cast<Node>(plan.individuals);
    }
  }

  ProofSet& set() { return set_; }

  void ask(std::size_t questions, Rng& rng) {
    std::vector<Node> individuals(counts_.second);
    for (std::size_t i = 0; i < individuals.size(); ++i) individuals[i] = individual(static_cast<Node>(i));
    ask_ways(set_, graph_, individuals, {questions, 2, 5}, rng, [&](Node start, const LinkGraph::Way& way) {
      if (way.end < property(0)) return std::string();
      for (const Node above : graph_.reached(start))
        if (denied_.contains({above, way.end})) return std::string();
      return inheritance_text(text(start), text(way.end));
    });
  }

 private:
  std::pair<std::size_t, std::size_t> count(std::size_t size) const {
    std::pair<std::size_t, std::size_t> classes_individuals;
    for (std::size_t t = 0; t < trees_; ++t) {
      const TreePlan plan(part_of(size, trees_, t));
      classes_individuals.first += plan.classes;
      classes_individuals.second += plan.individuals;
    }
    return classes_individuals;
  }

  Node individual(Node i) const { return static_cast<Node>(counts_.first) + i; }
  Node property(Node p) const { return static_cast<Node>(counts_.first + counts_.second) + p; }
  Node any_property(Rng& rng) const { return property(static_cast<Node>(rng.below(properties_))); }

  std::string text(Node node) const {
    if (node >= property(0)) return "[" + property_names_(node - property(0)) + "]";
    return node >= individual(0) ? "{" + individual_names_(node - individual(0)) + "}" : class_names_(node);
  }

  // Adds an inheritance. Returns false if the statement exists.
  bool inherit(Node from, Node to) {
    if (!said_.insert({from, to}).second) return false;
    graph_.add(from, to, set_.statements.size());
    say(set_, inheritance_text(text(from), text(to)));
    return true;
  }

  // Adds the classes of a tree, then their properties. Each class is below one of the three before it, so that trees
  // are deep.
  void grow(const TreePlan& plan, Node first, Rng& rng) {
    const auto any_class = [&] { return first + static_cast<Node>(rng.below(plan.classes)); };
    for (Node c = 1; c < plan.classes; ++c)
      inherit(first + c, first + c - 1 - static_cast<Node>(rng.below(std::min<Node>(c, 3))));
    std::vector<Node> told;
    while (told.size() < plan.told) {
      const Node p = any_property(rng);
      if (inherit(any_class(), p)) told.push_back(p);
    }
    for (std::size_t i = 0; i < plan.denied;) {
      const std::pair<Node, Node> pair{any_class(), told[rng.below(told.size())]};
      if (!said_.insert(pair).second) continue;
      denied_.insert(pair);
      say(set_, inheritance_text(text(pair.first), text(pair.second)), " %0.0;0.9%");
      ++i;
    }
  }

  // Adds the individuals of a tree, preferably to deep classes. Second classes may be in any tree.
  void fill(const TreePlan& plan, Node first_class, Node first_individual, Rng& rng) {
    for (std::size_t i = 0; i < plan.individuals; ++i)
      inherit(individual(first_individual + static_cast<Node>(i)),
              first_class + static_cast<Node>(std::max(rng.below(plan.classes), rng.below(plan.classes))));
    for (std::size_t i = 0; i < plan.second_classes;) {
      const Node who = individual(first_individual + static_cast<Node>(rng.below(plan.individuals)));
      i += inherit(who, static_cast<Node>(rng.below(counts_.first))) ? 1 : 0;
    }
  }

  std::size_t trees_, properties_;
  std::pair<std::size_t, std::size_t> counts_;  // numbers of classes and individuals
  Names class_names_, individual_names_, property_names_;
  LinkGraph graph_;
  ProofSet set_;
  std::set<std::pair<Node, Node>> said_, denied_;
};

}  // namespace

ProofSet generate_taxonomies(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  // The smallest sets may have no question. Draw again in that case.
  for (std::uint64_t draw = 0;; ++draw) {
    Rng rng(seed, "taxonomies", draw);
    Taxonomy taxonomy(size, rng);
    taxonomy.ask(questions, rng);
    if (questions > 0 && taxonomy.set().questions.empty()) continue;
    shuffle(taxonomy.set(), rng);
    return std::move(taxonomy.set());
  }
}

}  // namespace engram::experiments
