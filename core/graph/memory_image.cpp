// SPDX-License-Identifier: MIT
#include "core/graph/memory_image.hpp"

#include <array>
#include <cmath>

#include "core/numbers/shapes.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

// Of so many things memory is asked for at a time what they need.
constexpr std::size_t ahead = 128;

void require_evidence(double evidence, const char* what) {
  require(evidence >= 0 && evidence <= most_evidence, what);
}

// What a memory of that image takes beside its terms, whatever its containers hold in reserve.
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

// What is part of something is no more than that, but for rounding: over long times, decay worked out in
// other steps differs by as much.
void require_part(double part, double whole, const char* what) {
  constexpr double least = 1e-300;  // below it, rounding may leave anything
  require(part <= 2 * whole + least, what);
}

}  // namespace

GraphImage ConceptGraph::image() const {
  GraphImage image;
  for (ConceptId id = 0; id < size(); ++id) image.concepts.push_back((*this)[id]);
  const HebbianLinks links = hebbian_links();
  image.links.assign(links.begin(), links.end());
  std::size_t before = 0;
  for (const HebbianLink& link : links) {
    before = std::max(before, link.target + std::size_t{1});
    image.concepts_before.push_back(before);
  }
  return image;
}

void ConceptGraph::become(const GraphImage& image, Time now) {
  require(terms_.empty(), "only an empty graph can become another");
  require(image.concepts_before.size() == image.links.size(), "each link has its place among the concepts");
  become_concepts(image.concepts, now);
  std::size_t before = 0;
  for (std::size_t k = 0; k < image.links.size(); ++k) {
    if (k % ahead == 0) {
      std::array<Pair, ahead> pairs;
      const auto next = std::span(image.links).subspan(k, std::min(ahead, image.links.size() - k));
      std::ranges::transform(next, pairs.begin(), [&](const HebbianLink& link) {
        return link.target < size() && link.source < size() ? Pair{link.source, link.target} : Pair{};
      });
      look_ahead(std::span<const Pair>(pairs).first(next.size()));
    }
    const HebbianLink& link = image.links[k];
    spend(64);
    before = std::max(before, image.concepts_before[k]);
    require(before <= size(), "a link stands behind concepts that there are not");
    require(link.source < link.target && link.target < before, "a link joins two concepts, the lower first");
    require_evidence(link.together, "the evidence of a link is out of range");
    require_evidence(link.apart, "the evidence against a link is out of range");
    require(link.told.frequency >= 0 && link.told.frequency <= 1 && link.told.confidence >= 0 &&
                link.told.confidence < 1,
            "what was told of a link is out of range");
    require(link.updated <= now, "a link was changed later than now");
    const double evidence = (link.together + link.apart) * kept(now - link.updated);
    for (const ConceptId end : {link.source, link.target}) {
      const Level node = level(end);
      require_part(evidence, node.activity * kept(now - node.updated),
                   "a link has more evidence than one of its ends");
    }
    const std::uint32_t number = link_between(link.source, link.target, link.updated);
    require(links_.size() == k + 1, "a link stands twice");
    set_link(number, link);
  }
}

void ConceptGraph::become_concepts(std::span<const Concept> concepts, Time now) {
  for (std::size_t id = 0; id < concepts.size(); ++id) {
    if (id % ahead == 0) {
      std::array<narsese::Term, ahead> terms;
      const auto next = concepts.subspan(id, std::min(ahead, concepts.size() - id));
      std::ranges::transform(next, terms.begin(), &Concept::term);
      look_ahead(std::span<const narsese::Term>(terms).first(next.size()));
    }
    const Concept& node = concepts[id];
    spend(64);
    require(intern(node.term) == id, "a concept stands twice, or before what it consists of");
    require_evidence(node.activity, "the activity of a concept is out of range");
    require_evidence(node.told, "the evidence told of a concept is out of range");
    require(node.updated <= now, "a concept was changed later than now");
    if (node.activity != 0 || node.told != 0 || node.updated != 0)
      set_level(static_cast<ConceptId>(id), {node.activity, node.told, node.updated});
  }
}

LearnerImage LinkLearner::image() const {
  LearnerImage image{{}, {}, before_, total_, step_, last_};
  for (const Link& link : links_) image.links.push_back({link.to, link.from, link.weight, link.step});
  for (const Unit& unit : units_) image.units.push_back({unit.level, unit.step, unit.time});
  return image;
}

void LinkLearner::become(const LearnerImage& image, Time now) {
  require(step_ == 0 && units_.empty(), "only a learner that has learnt nothing can become another");
  require_evidence(image.total, "the evidence of a learner is out of range");
  require(image.step <= image.last && image.last <= now, "a learner has learnt later than now");
  step_ = image.step;
  last_ = image.last;
  total_ = image.total;
  for (const LearnerImage::Unit& unit : image.units) {
    require(unit.level >= 0 && unit.level <= most_level(), "the level of a unit is out of range");
    require(unit.step <= step_ && unit.time <= last_, "a unit has learnt later than its learner");
    units_.push_back({unit.level, unit.step, unit.time});
  }
  make_units(units_.size());
  for (const LearnerImage::Link& made : image.links) {
    require(made.to < units_.size() && made.from < units_.size() && made.to != made.from &&
                (!symmetric_ || made.to < made.from),
            "a learnt link joins two units, of a symmetric rule the lower first");
    require(std::abs(made.weight) <= most_evidence, "a learnt weight is out of range");
    require(options_.rule != LearningRule::covariance ||
                (made.weight >= 0 && made.weight <= std::min(units_[made.to].level, units_[made.from].level)),
            "a learnt link has more evidence than one of its ends");
    require(made.step <= step_, "a learnt link has changed later than its learner");
    spend(64);
    const std::size_t links = links_.size();
    Link& own = link(made.to, made.from);
    require(links_.size() > links, "a learnt link stands twice");
    own.weight = made.weight;
    own.step = made.step;
  }
  std::vector<bool> met(units_.size(), false);
  for (const ConceptId id : image.before) {
    require(id < units_.size() && !met[id], "a unit that was active before stands twice, or is none");
    met[id] = true;
  }
  const bool looks_back = options_.rule == LearningRule::sequence || options_.rule == LearningRule::stdp;
  require(looks_back || image.before.empty(), "a rule that looks at one episode keeps none before");
  for (std::size_t id = 0; id < units_.size(); ++id)
    require(options_.rule != LearningRule::stdp || met[id] == (units_[id].level > 0),
            "what was active before has a trace, and nothing else");
  before_ = image.before;
}

// What the level of a unit comes to at most: of what a rule keeps no level of, 0.
double LinkLearner::most_level() const {
  constexpr double rounded = 1e-6;
  if (options_.rule == LearningRule::covariance) return total_;
  if (options_.rule == LearningRule::bcm) return 1 + rounded;
  if (options_.rule == LearningRule::stdp) return (options_.time + 1) * (1 + rounded);  // 1/(1 - e^(-1/time))
  return 0;
}

MemoryImage Memory::image() const {
  MemoryImage image{graph_.image(), {}, {}, now_, total_, total_updated_};
  image.statements.reserve(statements_.size());
  for (const Statement& s : statements_)
    image.statements.push_back({s.sentence, {}, s.evidence, s.times, s.updated, s.denied});
  if (learner_) image.learner = learner_->image();
  return image;
}

void Memory::become(const MemoryImage& image) {
  ++version_;
  const MemoryLimits& limits = options_.limits;
  require(graph_.size() == 0 && statements_.empty() && now_ == 0, "only an empty memory can become another");
  require(image.now <= last_moment && image.total_updated <= image.now, "the time is out of range");
  require_evidence(image.total, "the evidence of all episodes is out of range");
  require(image.graph.concepts.size() <= limits.max_concepts, "there are more concepts than the limit");
  require(image.graph.links.size() <= limits.max_hebbian_links, "there are more links than the limit");
  require(image.statements.size() <= limits.max_statements, "there are more statements than the limit");
  require(bytes() + bytes_at_least(image) <= limits.max_bytes, "there are more bytes than the limit");
  require(image.learner.has_value() == learner_.has_value(), "a learner goes with a rule of learning");
  graph_.become(image.graph, image.now);
  if (learner_) {
    require(image.learner->links.size() <= limits.max_hebbian_links,
            "there are more learnt links than the limit");
    require(image.learner->units.size() <= graph_.size(), "a learner has more units than there are concepts");
    learner_->become(*image.learner, image.now);
  }
  now_ = image.now;
  total_ = image.total;
  total_updated_ = image.total_updated;
  for (const core::Concept& node : image.graph.concepts)
    require_part((node.activity + node.told) * graph_.kept(now_ - node.updated), total_evidence(),
                 "a concept has more evidence than there is");
  for (std::size_t e = 0; e < image.statements.size(); ++e) {
    require(bytes() <= limits.max_bytes, "there are more bytes than the limit");
    if (e % ahead == 0)
      look_ahead(std::span(image.statements).subspan(e, std::min(ahead, image.statements.size() - e)));
    add(image.statements[e]);
  }
  require(bytes() <= limits.max_bytes, "there are more bytes than the limit");
  limit_terms();
}

void Memory::add(const Statement& statement) {
  const narsese::Sentence& sentence = statement.sentence;
  require(sentence.term && !sentence.asks(), "a statement is a judgment or a goal");
  require(sentence.term.kind() == narsese::TermKind::variable || graph_.find(sentence.term).has_value(),
          "a statement must be a concept");
  require_evidence(statement.evidence, "the evidence of a statement is out of range");
  require(statement.denied >= 0 && statement.denied <= statement.evidence,
          "more of a statement's evidence is against it than there is");
  require(statement.times >= 1 && statement.times <= statement.updated && statement.updated <= now_,
          "a statement was said never, more often than once a cycle, or later than now");
  require_part(evidence(statement), total_evidence(), "a statement has more evidence than there is");
  require(find_statement(sentence) == narsese::HashIndex::none, "a statement stands twice");
  spend(16 * sentence.term.complexity());
  const std::vector<narsese::Term> active = active_terms(sentence.term);
  require(active.size() <= std::min(options_.limits.max_active, Statements::most_active),
          "a statement has more concepts than the limit");
  statement_index_.insert(statement_hash(sentence), static_cast<StatementId>(statements_.size()));
  const std::vector<ConceptId> ids = ids_of(active);
  Statement own = statement;
  own.active = ids;
  statements_.push_back(own);
}

}  // namespace engram::core
