// SPDX-License-Identifier: MIT
#include "core/graph/link_learning.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/memory_image.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

// base^steps; 0 once that is below any double that matters.
double faded(double base, std::uint64_t steps) {
  return power(base, static_cast<unsigned>(std::min<std::uint64_t>(steps, 0xffffffffU)));
}

// With whom one of the active is joined: those next to it in the order of ids.
std::span<const ConceptId> partners(std::span<const ConceptId> active, std::size_t i) {
  const std::size_t from = i - std::min(i, max_partners);
  return active.subspan(from, std::min(active.size(), i + 1 + max_partners) - from);
}
std::span<const ConceptId> partners_behind(std::span<const ConceptId> active, std::size_t i) {
  return active.subspan(i + 1, std::min(active.size() - i - 1, max_partners));
}

// Those of another list that stand about the place that the i-th of `active` has among its own: all of a few.
constexpr std::size_t most_about = 2 * max_partners + 1;
std::span<const ConceptId> about(std::span<const ConceptId> list, std::size_t i, std::size_t active) {
  if (list.size() <= most_about) return list;
  const std::size_t place = i * list.size() / active;
  return list.subspan(std::min(place - std::min(place, max_partners), list.size() - most_about), most_about);
}

bool contains(std::span<const ConceptId> ascending, ConceptId id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

}  // namespace

LinkLearner::LinkLearner(const LinkLearning& options)
    : options_(options), symmetric_(learning_rules[static_cast<std::size_t>(options.rule)].symmetric) {
  require(options.rate > 0 && options.rate <= 1, "the rate of learning must be in (0, 1]", options.rate);
  require(options.decay >= 0 && options.decay <= 1, "the decay must be in [0, 1]", options.decay);
  require(options.time >= 1 && std::isfinite(options.time),
          "the time of a rule must be finite and at least 1", options.time);
  require_positive("the reach", options.reach);
  require(options.bound > 0, "the bound of weights must be above 0", options.bound);
}

void LinkLearner::make_units(std::size_t units) {
  while (units_.size() < units) units_.push_back({});
  links_of_.resize(units_.size());
}

LinkLearner::Link& LinkLearner::link(ConceptId to, ConceptId from) {
  const auto index = index_.find_or_insert(
      pair_hash(to, from), [&](std::uint32_t i) { return links_[i].to == to && links_[i].from == from; },
      [&] {
        const auto made = static_cast<std::uint32_t>(links_.size());
        links_.push_back({to, from, 0, step_});
        for (const ConceptId end : {to, from}) {
          if (end == from && !symmetric_) break;
          links_of_.push(end, made);
          longest_list_ = std::max(longest_list_, links_of(end).size());
        }
        return made;
      });
  return links_[index];
}

double LinkLearner::value(const Link& link) const {
  double w = link.weight;
  if (options_.rule == LearningRule::decay) w *= faded(1 - options_.decay, step_ - link.step);
  if (options_.rule == LearningRule::covariance)
    w = total_ > 0 ? w / total_ - (units_[link.to].level / total_) * (units_[link.from].level / total_) : 0.0;
  return std::clamp(w, -options_.bound, options_.bound);
}

void LinkLearner::change(Link& link, double by) {
  const double bound = std::min(options_.bound, most_evidence);
  link.weight = std::clamp(link.weight + by, -bound, bound);
}

void LinkLearner::learn(std::span<const ConceptId> active, double evidence, Time now) {
  require(evidence >= 0 && evidence <= 1, "evidence must be in [0, 1]", evidence);
  require(step_ == 0 || now > last_, "episodes must stand in the order of time");
  if (!active.empty()) make_units(active.back() + std::size_t{1});
  const double rate = options_.rate * evidence;
  ++step_;
  switch (options_.rule) {
    case LearningRule::hebb:
    case LearningRule::decay:
      learn_pairs(active, rate);
      break;
    case LearningRule::covariance:
      total_ = added_evidence(total_, evidence);
      for (const ConceptId i : active) units_[i].level = added_evidence(units_[i].level, evidence);
      for (std::size_t i = 0; i < active.size(); ++i)
        for (const ConceptId j : partners_behind(active, i)) {
          Link& pair = link(active[i], j);
          pair.weight = added_evidence(pair.weight, evidence);
        }
      break;
    case LearningRule::oja:
      learn_oja(active, rate);
      break;
    case LearningRule::bcm:
      learn_bcm(active, rate);
      break;
    case LearningRule::storkey:
      learn_storkey(active, rate);
      break;
    case LearningRule::sequence:
      for (std::size_t i = 0; i < active.size(); ++i)
        for (const ConceptId from : about(before_, i, active.size()))
          if (active[i] != from) change(link(active[i], from), rate);
      before_.assign(active.begin(), active.end());
      break;
    case LearningRule::stdp:
      learn_stdp(active, rate, now);
      break;
  }
  last_ = now;
}

void LinkLearner::learn_pairs(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId j : partners_behind(active, i)) {
      Link& pair = link(active[i], j);
      pair.weight = value(pair);
      pair.step = step_;
      change(pair, rate);
    }
}

void LinkLearner::learn_oja(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    const ConceptId to = active[i];
    for (const ConceptId from : partners(active, i))
      if (to != from) link(to, from);
    for (const std::uint32_t k : links_of(to)) {
      const double target = contains(active, links_[k].from) ? 1.0 : 0.0;
      change(links_[k], rate * (target - links_[k].weight));
    }
  }
}

void LinkLearner::learn_bcm(std::span<const ConceptId> active, double rate) {
  const double kept = 1 - 1 / options_.time;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const ConceptId to = active[i];
    Unit& unit = units_[to];
    const double theta = unit.level * faded(kept, step_ - 1 - unit.step);  // the episodes without it
    for (const ConceptId from : partners(active, i))
      if (to != from) change(link(to, from), rate * (1 - theta));
    unit.level = theta + (1 - theta) / options_.time;
    unit.step = step_;
  }
}

void LinkLearner::learn_storkey(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId j : partners_behind(active, i)) link(active[i], j);
  field_.resize(units_.size(), 0.0);
  const auto other_end = [&](const Link& pair, ConceptId end) {
    return pair.to == end ? pair.from : pair.to;
  };
  for (const ConceptId i : active)
    for (const std::uint32_t k : links_of(i)) field_[other_end(links_[k], i)] += links_[k].weight;
  for (const ConceptId i : active)
    for (const std::uint32_t k : links_of(i)) {
      const ConceptId j = other_end(links_[k], i);
      if (!contains(active, j))
        change(links_[k], -rate * field_[j]);
      else if (i < j)  // once a pair
        change(links_[k], rate * (1 - field_[i] - field_[j]));
    }
  for (const ConceptId i : active)
    for (const std::uint32_t k : links_of(i)) field_[other_end(links_[k], i)] = 0;
}

void LinkLearner::learn_stdp(std::span<const ConceptId> active, double rate, Time now) {
  const auto trace = [&](const Unit& unit) {
    return unit.level * exp(-static_cast<double>(now - unit.time) / options_.time);
  };
  std::erase_if(before_, [&](ConceptId id) {
    const bool gone = static_cast<double>(now - units_[id].time) > options_.reach * options_.time;
    if (gone) units_[id].level = 0;
    return gone;
  });
  for (const ConceptId earlier : traces()) {
    const double by = rate * trace(units_[earlier]);
    for (const ConceptId later : active) {
      if (later == earlier) continue;
      change(link(later, earlier), by);
      change(link(earlier, later), -by);
    }
  }
  for (const ConceptId id : active) {
    Unit& unit = units_[id];
    if (unit.level == 0) before_.push_back(id);
    unit.level = (unit.level == 0 ? 0.0 : trace(unit)) + 1;
    unit.time = now;
  }
}

std::span<const ConceptId> LinkLearner::traces() const {
  return std::span(before_).last(std::min(before_.size(), most_traces));
}

std::uint64_t LinkLearner::links_passed(std::span<const ConceptId> active) const {
  if (options_.rule != LearningRule::oja && options_.rule != LearningRule::storkey) return 0;
  std::uint64_t links = 0;
  for (const ConceptId id : active)
    if (id < units_.size()) links += links_of(id).size();
  return links;
}

std::size_t LinkLearner::new_links_at_most(std::size_t active) const {
  if (options_.rule == LearningRule::sequence) return active * std::min(before_.size(), most_about);
  if (options_.rule == LearningRule::stdp) return 2 * active * traces().size();
  return (symmetric_ ? 1 : 2) * pairs_joined(active);
}

std::size_t LinkLearner::bytes() const {
  return links_.bytes() + index_.bytes() + units_.bytes() + links_of_.bytes() + bytes_of(before_) +
         bytes_of(field_);
}

// How many links an episode can add to the list of one unit.
std::size_t LinkLearner::new_ends_at_most(std::size_t active) const {
  if (options_.rule == LearningRule::sequence) return most_about;
  if (options_.rule == LearningRule::stdp) return std::max(active, traces().size());
  return 2 * max_partners;
}

void LinkLearner::add_growth(Growth& growth, std::size_t active, std::size_t ids,
                             const GrowingRows<std::uint32_t>::Growth& ends) const {
  const std::size_t links = new_links_at_most(active), units = ids - std::min(ids, units_.size());
  growth.add(links_.bytes_with(links));
  growth.add(index_, links);
  growth.add(units_.bytes_with(units));
  growth.add(links_of_.bytes_with(units, ends));
  growth.add(before_, active);
  growth.add(bytes_of(field_), std::max(bytes_of(field_), 2 * ids * sizeof(double)));
}

void LinkLearner::add_growth(Growth& growth, std::size_t active, std::size_t ids) const {
  // As if each end were in the longest list, and made it double.
  const std::size_t links = new_links_at_most(active);
  GrowingRows<std::uint32_t>::Growth ends;
  ends.add(longest_list_, std::min(links, new_ends_at_most(active)));
  ends.bytes *= 2 * links;
  ends.pieces *= 2 * links;
  add_growth(growth, active, ids, ends);
}

void LinkLearner::add_growth(Growth& growth, std::span<const ConceptId> active, std::size_t fresh,
                             std::size_t ids) const {
  const std::size_t all = active.size() + fresh, links = new_links_at_most(all);
  const std::size_t more = std::min(links, new_ends_at_most(all));
  GrowingRows<std::uint32_t>::Growth ends;
  const auto grows = [&](ConceptId id) { ends.add(id < units_.size() ? links_of(id).size() : 0, more); };
  for (const ConceptId id : active) grows(id);
  if (options_.rule == LearningRule::stdp)
    for (const ConceptId id : traces()) grows(id);
  for (std::size_t i = 0; i < fresh; ++i) ends.add(0, more);
  add_growth(growth, all, ids, ends);
}

SparseRows LinkLearner::weights(Index n) const {
  SparseRows rows(n);
  rows.reserve(n, (symmetric_ ? 2 : 1) * links_.size());
  std::vector<std::pair<ConceptId, double>> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) {
    row.clear();
    if (static_cast<std::size_t>(i) < units_.size())
      for (const std::uint32_t k : links_of(static_cast<ConceptId>(i)))
        row.emplace_back(links_[k].to == i ? links_[k].from : links_[k].to, value(links_[k]));
    std::sort(row.begin(), row.end());
    columns.clear();
    values.clear();
    for (const auto& [column, weight] : row) {
      columns.push_back(column);
      values.push_back(weight);
    }
    rows.push_row(columns, values);
  }
  return rows;
}

SparseRows walkable(const SparseRows& weights) {
  const SparseRows out = weights.transposed();
  SparseRows rows(out.columns());
  rows.reserve(out.rows(), out.entries());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < out.rows(); ++i) {
    columns.clear();
    values.clear();
    for (std::size_t k = 0; k < out.columns_of(i).size(); ++k)
      if (out.values_of(i)[k] > 0) {
        columns.push_back(out.columns_of(i)[k]);
        values.push_back(out.values_of(i)[k]);
      }
    rows.push_row(columns, values);
  }
  return rows;
}

}  // namespace engram::core
