// SPDX-License-Identifier: MIT
#include "core/graph/memory_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Prefetch distance, in items. Chosen.
constexpr std::size_t ahead = 32;

void require_evidence(double evidence, const char* what) {
  require(evidence >= 0 && evidence <= max_evidence, what);
}

// Lower bound on the bytes of a memory with this image, without its terms.
std::size_t bytes_at_least(const MemoryImage& image) {
  const std::size_t links = image.graph.links.size();
  constexpr std::size_t of_concept = 16, of_link = 24, of_statement = 32;
  std::size_t bytes =
      image.graph.concepts.size() * of_concept + links * of_link + image.statements.size() * of_statement;
  if (image.learner)
    bytes += image.learner->links.size() * sizeof(LearnerImage::Link) +
             narsese::HashIndex().bytes_with(image.learner->links.size());
  return bytes;
}

// Requires part <= whole up to rounding: over long times, decay computed in different steps differs by up to a factor
// of 2.
void require_part(double part, double whole, const char* what) {
  constexpr double least = 1e-300;  // below it, relative rounding errors are unbounded
  require(part <= 2 * whole + least, what);
}

// Requires that no link occurs twice: groups the sources by target (counting sort) and looks for duplicates.
void require_different(std::span<const HebbianLink> links, std::size_t concepts) {
  const Reservation claim((links.size() + concepts) * sizeof(std::uint32_t));
  charge(8 * (links.size() + concepts));
  narsese::LargeVector<std::uint32_t> ends(concepts + 1), sources(links.size());
  for (const HebbianLink& link : links) {
    require(link.target < concepts, "a link must join two concepts, the lower id first");
    ++ends[link.target];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (const HebbianLink& link : links) sources[--ends[link.target]] = link.source;
  for (std::size_t target = 0; target < concepts; ++target) {
    const auto own = std::span(sources).subspan(ends[target], ends[target + 1] - ends[target]);
    if (own.size() > 1) std::ranges::sort(own);
    require(std::ranges::adjacent_find(own) == own.end(), "a link occurs twice");
  }
}

}  // namespace

GraphImage ConceptGraph::image() const {
  GraphImage image;
  image.concepts.reserve(size());
  for (ConceptId id = 0; id < size(); ++id) image.concepts.push_back((*this)[id]);
  const HebbianLinks links = hebbian_links();
  image.links.reserve(links.size());
  image.links.assign(links.begin(), links.end());
  image.concepts_before.reserve(links.size());
  std::size_t before = 0;
  for (const HebbianLink& link : links) {
    before = std::max(before, link.target + std::size_t{1});
    image.concepts_before.push_back(before);
  }
  return image;
}

// Changes only terms_ and concept_index_, which restore_links() does not read on its thread.
ConceptGraph::Components ConceptGraph::restore_concepts(const GraphImage& image) {
  require(terms_.empty(), "only an empty graph can be restored");
  const std::span concepts(image.concepts);
  concept_index_.reserve(concepts.size());
  Components components;
  components.begin_.reserve(concepts.size() + 1);
  components.ids_.reserve(image.components.size());
  for (std::size_t k = 0; k < concepts.size(); ++k) {
    if (k + ahead < concepts.size() && concepts[k + ahead].term)
      concept_index_.prefetch(concepts[k + ahead].term.hash());
    const Concept& node = concepts[k];
    charge(64);
    const auto id = static_cast<ConceptId>(k);
    require(node.term && node.term.kind() != narsese::TermKind::variable, "a variable names no concept");
    add_components(node.term, image.components, components);
    terms_.push_back(node.term);
    require(concept_index_.find_or_insert(
                node.term.hash(), [&](ConceptId other) { return terms_[other] == node.term; },
                [&] { return id; }) == id,
            "a concept occurs twice");
  }
  return components;
}

void ConceptGraph::restore_levels(const GraphImage& image, Time now) {
  for (std::size_t k = 0; k < image.concepts.size(); ++k) {
    const Concept& node = image.concepts[k];
    charge(16);
    level_of_.push_back(none);
    require_evidence(node.activity, "the activity of a concept is out of range");
    require_evidence(node.judged, "the judged evidence of a concept is out of range");
    require(node.updated <= now, "a concept was changed later than now");
    if (node.activity != 0 || node.judged != 0 || node.updated != 0)
      set_level(static_cast<ConceptId>(k), {node.activity, node.judged, node.updated});
  }
}

// Appends the components of the next concept. They must be concepts already.
void ConceptGraph::add_components(narsese::Term term, std::span<const ConceptId> likely,
                                  Components& components) const {
  auto& [ids, begin] = components;
  for (const narsese::Term component : term.components()) {
    if (const std::size_t next = ids.size() + ahead; next < likely.size() && likely[next] < size())
      __builtin_prefetch(&terms_[likely[next]]);
    const auto id = find(component, ids.size() < likely.size() ? likely[ids.size()] : none);
    require(id.has_value() || component.kind() == narsese::TermKind::variable,
            "a concept must come after its components");
    ids.push_back(id.value_or(none));
  }
  begin.push_back(ids.size());
}

void ConceptGraph::restore_links(const GraphImage& image, Time now) {
  require(level_of_.empty(), "only an empty graph can be restored");
  require(image.concepts_before.size() == image.links.size(),
          "each link needs a count of the concepts before it");
  restore_levels(image, now);
  const std::span links(image.links);
  const std::size_t concepts = level_of_.size();
  const auto ends_of = [&](const HebbianLink& link) { return std::array{link.source, link.target}; };
  std::size_t before = 0;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (k % ahead == 0) prefetch(links.subspan(k, std::min(ahead, links.size() - k)));
    const HebbianLink& link = links[k];
    charge(64);
    before = std::max(before, image.concepts_before[k]);
    require(before <= concepts, "a link comes after more concepts than there are");
    require(link.source < link.target && link.target < before,
            "a link must join two concepts, the lower id first");
    require_evidence(link.together, "the evidence of a link is out of range");
    require_evidence(link.denied, "the evidence against a link is out of range");
    require(link.judged.frequency >= 0 && link.judged.frequency <= 1 && link.judged.confidence >= 0 &&
                link.judged.confidence < 1,
            "the judged truth of a link is out of range");
    require(link.updated <= now, "a link was changed later than now");
    const double evidence = (link.together + link.denied) * retention(now - link.updated);
    for (const ConceptId end : ends_of(link)) {
      const Level node = level(end);
      require_part(evidence, node.activity * retention(now - node.updated),
                   "a link has more evidence than one of its ends");
      links_of_.push(ensure_active(end).level, static_cast<std::uint32_t>(k));
    }
    links_.push_back({.ends = link.source ^ link.target});
    set_link(static_cast<std::uint32_t>(k), link);
  }
  index_links();
}

// Prefetches what restore_links() needs for up to `ahead` links.
void ConceptGraph::prefetch(std::span<const HebbianLink> links) const {
  const std::size_t concepts = level_of_.size();
  if (concepts == 0) return;
  std::array<ConceptId, 2 * ahead> ends;
  std::array<std::uint32_t, 2 * ahead> levels;
  std::size_t count = 0;
  for (const HebbianLink& link : links)
    for (const ConceptId end : {link.source, link.target})
      if (end < concepts) ends[count++] = end;
  prefetch_levels(std::span(ends).first(count), levels);
}

// Fills link_index_ after all link lists are complete.
void ConceptGraph::index_links() {
  for (ConceptId source = 0; source < level_of_.size(); ++source) {
    const std::span numbers = links_of(source);
    if (numbers.size() <= max_scan) continue;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i + ahead < numbers.size()) __builtin_prefetch(&std::as_const(links_)[numbers[i + ahead]]);
      const ConceptId target = std::as_const(links_)[numbers[i]].ends ^ source;
      if (source < target && links_of(target).size() > max_scan)
        link_index_.insert(link_hash(source, target), numbers[i]);
    }
  }
}

LearnerImage LinkLearner::image() const {
  LearnerImage image{{}, {}, recent_, total_, step_, last_};
  image.links.reserve(links_.size());
  image.units.reserve(units_.size());
  for (const Link& link : links_) image.links.push_back({link.to, link.from, link.weight, link.step});
  for (const Unit& unit : units_) image.units.push_back({unit.level, unit.step, unit.time});
  return image;
}

void LinkLearner::restore(const LearnerImage& image, Time now) {
  require(step_ == 0 && units_.empty(), "only an empty learner can be restored");
  require_evidence(image.total, "the evidence of a learner is out of range");
  require(image.step <= image.last && image.last <= now, "a learner has learnt later than now");
  step_ = image.step;
  last_ = image.last;
  total_ = image.total;
  for (const LearnerImage::Unit& unit : image.units) {
    require(unit.level >= 0 && unit.level <= max_level(), "the level of a unit is out of range");
    require(unit.step <= step_ && unit.time <= last_, "a unit has learnt later than its learner");
    units_.push_back({unit.level, unit.step, unit.time});
  }
  resize_units(units_.size());
  for (const LearnerImage::Link& made : image.links) {
    require(made.to < units_.size() && made.from < units_.size() && made.to != made.from &&
                (!symmetric_ || made.to < made.from),
            "a learnt link must join two units, the lower first if the rule is symmetric");
    require(std::abs(made.weight) <= max_evidence, "a learnt weight is out of range");
    require(options_.rule != LearningRule::covariance ||
                (made.weight >= 0 && made.weight <= std::min(units_[made.to].level, units_[made.from].level)),
            "a learnt link has more evidence than one of its ends");
    require(made.step <= step_, "a learnt link has changed later than its learner");
    charge(64);
    const std::size_t links = links_.size();
    Link& own = find_or_add(made.to, made.from);
    require(links_.size() > links, "a learnt link occurs twice");
    own.weight = made.weight;
    own.step = made.step;
  }
  std::vector<bool> met(units_.size(), false);
  for (const ConceptId id : image.before) {
    require(id < units_.size() && !met[id], "a recently active unit is unknown or occurs twice");
    met[id] = true;
  }
  const bool looks_back = options_.rule == LearningRule::sequence || options_.rule == LearningRule::stdp;
  require(looks_back || image.before.empty(), "this learning rule has no recently active units");
  for (std::size_t id = 0; id < units_.size(); ++id)
    require(options_.rule != LearningRule::stdp || met[id] == (units_[id].level > 0),
            "exactly the recently active units must have a trace");
  recent_ = image.before;
}

// Upper bound on the level of a unit, 0 if the rule uses no levels.
double LinkLearner::max_level() const {
  constexpr double rounded = 1e-6;
  if (options_.rule == LearningRule::covariance) return total_;
  if (options_.rule == LearningRule::bcm) return 1 + rounded;
  if (options_.rule == LearningRule::stdp) return (options_.time + 1) * (1 + rounded);  // 1/(1 - e^(-1/time))
  return 0;
}

std::size_t image_bytes(const Memory& memory) {
  const ConceptGraph& graph = memory.graph();
  std::size_t bytes = graph.size() * sizeof(Concept) + memory.statements().size() * sizeof(Statement) +
                      graph.hebbian_links().size() * (sizeof(HebbianLink) + sizeof(std::size_t));
  if (const auto& learner = memory.learner())  // with at most one unit for each concept
    bytes += learner->links() * sizeof(LearnerImage::Link) +
             graph.size() * (sizeof(LearnerImage::Unit) + sizeof(ConceptId));
  return bytes;
}

MemoryImage Memory::image() const {
  MemoryImage image;
  image.graph = graph_.image();
  image.now = now_;
  image.total = total_;
  image.total_updated = total_updated_;
  image.statements.reserve(statements_.size());
  for (const Statement& s : statements_)
    image.statements.push_back({s.sentence, {}, s.evidence, s.times, s.updated, s.denied});
  if (learner_) image.learner = learner_->image();
  return image;
}

void Memory::restore(const MemoryImage& image) {
  ++version_;
  const MemoryLimits& limits = options_.limits;
  require(graph_.size() == 0 && statements_.empty() && now_ == 0, "only an empty memory can be restored");
  require(image.now <= last_moment && image.total_updated <= image.now, "the time is out of range");
  require_evidence(image.total, "the evidence of all episodes is out of range");
  require(image.graph.concepts.size() <= limits.max_concepts, "there are more concepts than the limit");
  require(image.graph.links.size() <= limits.max_hebbian_links, "there are more links than the limit");
  require(image.statements.size() <= limits.max_statements, "there are more statements than the limit");
  require(bytes() + bytes_at_least(image) <= limits.max_bytes, "there are more bytes than the limit");
  require(image.learner.has_value() == learner_.has_value(),
          "a learner must be present exactly if a learning rule is set");
  if (image.learner) {
    require(image.learner->links.size() <= limits.max_hebbian_links,
            "there are more learnt links than the limit");
    require(image.learner->units.size() <= image.graph.concepts.size(),
            "a learner has more units than there are concepts");
  }
  now_ = image.now;
  total_ = image.total;
  total_updated_ = image.total_updated;
  // The two parts take about equally long.
  run_both(
      [&] {
        restore_statements(image, graph_.restore_concepts(image.graph));
        require_different(image.graph.links, image.graph.concepts.size());
      },
      [&] {
        graph_.restore_links(image.graph, image.now);
        if (learner_) learner_->restore(*image.learner, image.now);
      });
  for (const core::Concept& node : image.graph.concepts)
    require_part((node.activity + node.judged) * graph_.retention(now_ - node.updated), total_evidence(),
                 "a concept has more evidence than all episodes together");
  require(bytes() <= limits.max_bytes, "there are more bytes than the limit");
  limit_terms();
}

// Runs on another thread than ConceptGraph::restore_links().
void Memory::restore_statements(const MemoryImage& image, const ConceptGraph::Components& components) {
  const Activation activation = activation_by_concept(components);
  std::vector<ConceptId> active;
  statement_index_.reserve(image.statements.size());
  for (std::size_t e = 0; e < image.statements.size(); ++e) {
    require(
        terms_.reserved_bytes() + statements_.bytes() + statement_index_.bytes() <= options_.limits.max_bytes,
        "there are more bytes than the limit");
    if (e + ahead < image.statements.size())
      if (const narsese::Sentence& next = image.statements[e + ahead].sentence; next.term)
        statement_index_.prefetch(statement_hash(next));
    restore_statement(image.statements[e],
                      e < image.statement_concepts.size() ? image.statement_concepts[e] : 0, components,
                      activation, active);
  }
}

void Memory::restore_statement(const Statement& statement, ConceptId likely,
                               const ConceptGraph::Components& components, const Activation& activation,
                               std::vector<ConceptId>& active) {
  const narsese::Sentence& sentence = statement.sentence;
  require(sentence.term && !sentence.asks(), "a statement is a judgment or a goal");
  const bool is_variable = sentence.term.kind() == narsese::TermKind::variable;
  const auto concept_id = is_variable ? std::nullopt : graph_.find(sentence.term, likely);
  require(is_variable || concept_id.has_value(), "a statement must be a concept");
  require_evidence(statement.evidence, "the evidence of a statement is out of range");
  require(statement.denied >= 0 && statement.denied <= statement.evidence,
          "a statement has more denied evidence than evidence");
  require(statement.times >= 1 && statement.times <= statement.updated && statement.updated <= now_,
          "a statement must occur at least once, at most once a cycle, and not after now");
  require_part(evidence(statement), total_evidence(),
               "a statement has more evidence than all episodes together");
  const auto e = static_cast<StatementId>(statements_.size());
  require(statement_index_.find_or_insert(
              statement_hash(sentence), [&](StatementId other) { return is_statement(other, sentence); },
              [&] { return e; }) == e,
          "a statement occurs twice");
  charge(16 * sentence.term.complexity());
  active.clear();
  if (concept_id) collect(*concept_id, components, activation, active);
  std::ranges::sort(active);
  active.erase(std::unique(active.begin(), active.end()), active.end());
  require(active.size() <= std::min(options_.limits.max_active, Statements::max_active),
          "a statement has more concepts than the limit");
  Statement own = statement;
  own.active = active;
  statements_.push_back(own);
}

Memory::Activation Memory::activation_by_concept(const ConceptGraph::Components& components) const {
  Activation activation{std::vector<bool>(graph_.size()), std::vector<bool>(graph_.size())};
  for (ConceptId id = 0; id < graph_.size(); ++id) {
    const bool inner = std::ranges::any_of(components.of(id), [&](ConceptId component) {
      return component < id && (activation.itself[component] || activation.inner[component]);
    });
    activation.inner[id] = inner;
    activation.itself[id] = holds_activation(graph_.term(id), inner);
  }
  return activation;
}

void Memory::collect(ConceptId id, const ConceptGraph::Components& components, const Activation& activation,
                     std::vector<ConceptId>& found) const {
  if (activation.inner[id])
    for (const ConceptId component : components.of(id))
      if (component < id) collect(component, components, activation, found);
  if (activation.itself[id]) found.push_back(id);
}

}  // namespace engram::core
