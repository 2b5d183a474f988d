// SPDX-License-Identifier: MIT
#include "core/graph/link_learning.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/memory_image.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

constexpr double at_chance = 1e-12;  // relative to C_ij; chosen above the rounding errors of decayed sums

// Weight from evidence counts divided by the total.
double scaled_weight(LinkRule rule, double c, double a, double b) {
  if (rule == LinkRule::cosine) {
    const double lengths = std::sqrt(a) * std::sqrt(b);  // the square root of a product could underflow to 0
    return lengths > 0 ? std::min(c / lengths, 1.0) : 0.0;
  }
  const double beyond = c - a * b;
  if (!(beyond > at_chance * c)) return 0;
  if (rule == LinkRule::covariance) return beyond;
  const double deviations = std::sqrt(a * std::max(1 - a, 0.0)) * std::sqrt(b * std::max(1 - b, 0.0));
  return deviations > 0 ? std::min(beyond / deviations, 1.0) : 0.0;
}

// The rows with each weight replaced by weight_of(row, column, weight), without weights of 0.
template <class WeightOf>
SparseRows mapped_entries(const SparseRows& rows, WeightOf weight_of) {
  SparseRows mapped(rows.columns());
  mapped.reserve(rows.rows(), rows.entries());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < rows.rows(); ++i) {
    columns.clear();
    values.clear();
    for (std::size_t k = 0; k < rows.columns_of(i).size(); ++k) {
      const std::uint32_t j = rows.columns_of(i)[k];
      const double weight = weight_of(i, j, rows.values_of(i)[k]);
      if (weight == 0) continue;
      columns.push_back(j);
      values.push_back(weight);
    }
    mapped.push_row(columns, values);
  }
  return mapped;
}

// base^steps, with steps clipped to 32 bits.
double decay_factor(double base, std::uint64_t steps) {
  return power(base, static_cast<unsigned>(std::min<std::uint64_t>(steps, 0xffffffffU)));
}

// The concepts that an episode links with its i-th concept: its neighbours in the order of ids.
std::span<const ConceptId> partners(std::span<const ConceptId> active, std::size_t i) {
  const std::size_t from = i - std::min(i, max_partners);
  return active.subspan(from, std::min(active.size(), i + 1 + max_partners) - from);
}
std::span<const ConceptId> later_partners(std::span<const ConceptId> active, std::size_t i) {
  return active.subspan(i + 1, std::min(active.size() - i - 1, max_partners));
}

// The concepts of `list` at about the same relative place as the i-th of `active` concepts: all of a short list.
constexpr std::size_t max_aligned = 2 * max_partners + 1;
std::span<const ConceptId> aligned_with(std::span<const ConceptId> list, std::size_t i, std::size_t active) {
  if (list.size() <= max_aligned) return list;
  const std::size_t place = i * list.size() / active;
  return list.subspan(std::min(place - std::min(place, max_partners), list.size() - max_aligned),
                      max_aligned);
}

bool contains(std::span<const ConceptId> ascending, ConceptId id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

}  // namespace

double link_weight(LinkRule rule, double c, double a, double b, double total) {
  if (rule == LinkRule::hebb) return c;
  if (!(c > 0)) return 0;  // below, total > 0
  const double scale = rule == LinkRule::covariance ? total : 1.0;
  const double weight = scale * scaled_weight(rule, c / total, a / total, b / total);
  return weight > 0 && std::isfinite(weight) ? weight : 0;  // infinite if the total has almost decayed to 0
}

SparseRows link_weights(LinkRule rule, const SparseRows& together, const Vector& activity, double total) {
  require_size("rows of links", together.rows(), together.columns());
  require_size("activity", activity.size(), together.rows());
  if (rule == LinkRule::hebb) return together;
  return mapped_entries(together, [&](Index i, std::uint32_t j, double weight) {
    return link_weight(rule, weight, activity[i], activity[j], total);
  });
}

LinkLearner::LinkLearner(const LinkLearning& options)
    : options_(options), symmetric_(learning_rules[static_cast<std::size_t>(options.rule)].symmetric) {
  require(options.rate > 0 && options.rate <= 1, "the learning rate must be in (0, 1]", options.rate);
  require(options.decay >= 0 && options.decay <= 1, "the decay must be in [0, 1]", options.decay);
  require(options.time >= 1 && std::isfinite(options.time),
          "the time constant of a rule must be finite and at least 1", options.time);
  require_positive("the reach", options.reach);
  require(options.bound > 0, "the bound of weights must be above 0", options.bound);
}

void LinkLearner::resize_units(std::size_t units) {
  while (units_.size() < units) units_.push_back({});
  links_of_.resize(units_.size());
}

LinkLearner::Link& LinkLearner::find_or_add(ConceptId to, ConceptId from) {
  const auto index = index_.find_or_insert(
      narsese::mix((std::uint64_t{to} << 32) | from),
      [&](std::uint32_t i) { return links_[i].to == to && links_[i].from == from; },
      [&] {
        const auto made = static_cast<std::uint32_t>(links_.size());
        links_.push_back({to, from, 0, step_});
        links_of_.push(to, made);
        if (symmetric_) links_of_.push(from, made);
        return made;
      });
  return links_[index];
}

double LinkLearner::value(const Link& link) const {
  double w = link.weight;
  if (options_.rule == LearningRule::decay) w *= decay_factor(1 - options_.decay, step_ - link.step);
  if (options_.rule == LearningRule::covariance)
    w = total_ > 0 ? w / total_ - (units_[link.to].level / total_) * (units_[link.from].level / total_) : 0.0;
  return std::clamp(w, -options_.bound, options_.bound);
}

void LinkLearner::change(Link& link, double by) {
  const double bound = std::min(options_.bound, max_evidence);
  link.weight = std::clamp(link.weight + by, -bound, bound);
}

void LinkLearner::learn(std::span<const ConceptId> active, double evidence, Time now) {
  require(evidence >= 0 && evidence <= 1, "evidence must be in [0, 1]", evidence);
  require(step_ == 0 || now > last_, "episodes must be in the order of time");
  if (!active.empty()) resize_units(active.back() + std::size_t{1});
  const double rate = options_.rate * evidence;
  ++step_;
  switch (options_.rule) {
    case LearningRule::hebb:
    case LearningRule::decay:
      learn_pairs(active, rate);
      break;
    case LearningRule::covariance:
      learn_covariance(active, evidence);
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
      learn_sequence(active, rate);
      break;
    case LearningRule::stdp:
      learn_stdp(active, rate, now);
      break;
  }
  last_ = now;
}

void LinkLearner::learn_pairs(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId j : later_partners(active, i)) {
      Link& pair = find_or_add(active[i], j);
      pair.weight = value(pair);
      pair.step = step_;
      change(pair, rate);
    }
}

void LinkLearner::learn_covariance(std::span<const ConceptId> active, double evidence) {
  total_ = add_capped(total_, evidence);
  for (const ConceptId i : active) units_[i].level = add_capped(units_[i].level, evidence);
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId j : later_partners(active, i)) {
      Link& pair = find_or_add(active[i], j);
      pair.weight = add_capped(pair.weight, evidence);
    }
}

void LinkLearner::learn_oja(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    const ConceptId to = active[i];
    for (const ConceptId from : partners(active, i))
      if (to != from) find_or_add(to, from);
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
    const double theta =
        unit.level * decay_factor(kept, step_ - 1 - unit.step);  // decayed over the episodes without it
    for (const ConceptId from : partners(active, i))
      if (to != from) change(find_or_add(to, from), rate * (1 - theta));
    unit.level = theta + (1 - theta) / options_.time;
    unit.step = step_;
  }
}

void LinkLearner::learn_storkey(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId j : later_partners(active, i)) find_or_add(active[i], j);
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
      else if (i < j)  // once for each pair
        change(links_[k], rate * (1 - field_[i] - field_[j]));
    }
  for (const ConceptId i : active)
    for (const std::uint32_t k : links_of(i)) field_[other_end(links_[k], i)] = 0;
}

void LinkLearner::learn_sequence(std::span<const ConceptId> active, double rate) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (const ConceptId from : aligned_with(recent_, i, active.size()))
      if (active[i] != from) change(find_or_add(active[i], from), rate);
  recent_.assign(active.begin(), active.end());
}

void LinkLearner::learn_stdp(std::span<const ConceptId> active, double rate, Time now) {
  const auto trace = [&](const Unit& unit) {
    return unit.level * exp(-static_cast<double>(now - unit.time) / options_.time);
  };
  std::erase_if(recent_, [&](ConceptId id) {
    const bool gone = static_cast<double>(now - units_[id].time) > options_.reach * options_.time;
    if (gone) units_[id].level = 0;
    return gone;
  });
  for (const ConceptId earlier : traces()) {
    const double by = rate * trace(units_[earlier]);
    for (const ConceptId later : active) {
      if (later == earlier) continue;
      change(find_or_add(later, earlier), by);
      change(find_or_add(earlier, later), -by);
    }
  }
  for (const ConceptId id : active) {
    Unit& unit = units_[id];
    if (unit.level == 0) recent_.push_back(id);
    unit.level = (unit.level == 0 ? 0.0 : trace(unit)) + 1;
    unit.time = now;
  }
}

std::span<const ConceptId> LinkLearner::traces() const {
  return std::span(recent_).last(std::min(recent_.size(), max_traces));
}

std::uint64_t LinkLearner::links_visited(std::span<const ConceptId> active) const {
  if (options_.rule != LearningRule::oja && options_.rule != LearningRule::storkey) return 0;
  std::uint64_t links = 0;
  for (const ConceptId id : active)
    if (id < units_.size()) links += links_of(id).size();
  return links;
}

std::size_t LinkLearner::max_new_links(std::size_t active) const {
  if (options_.rule == LearningRule::sequence) return active * std::min(recent_.size(), max_aligned);
  if (options_.rule == LearningRule::stdp) return 2 * active * traces().size();
  return (symmetric_ ? 1 : 2) * pairs_joined(active);
}

std::size_t LinkLearner::bytes() const {
  return links_.bytes() + index_.bytes() + units_.bytes() + links_of_.bytes() + bytes_of(recent_) +
         bytes_of(field_);
}

// Upper bound on the links that one episode adds to the list of one unit.
std::size_t LinkLearner::max_new_ends(std::size_t active) const {
  if (options_.rule == LearningRule::sequence) return max_aligned;
  if (options_.rule == LearningRule::stdp) return std::max(active, traces().size());
  return 2 * max_partners;
}

void LinkLearner::add_growth(GrowthBound& growth, std::span<const ConceptId> active, std::size_t fresh,
                             std::size_t ids) const {
  const std::size_t all = active.size() + fresh, links = max_new_links(all);
  const std::size_t more = std::min(links, max_new_ends(all)), units = ids - std::min(ids, units_.size());
  GrowingRows<std::uint32_t>::PlannedPushes ends;
  const auto add_list = [&](ConceptId id) { ends.add(id < units_.size() ? links_of(id).size() : 0, more); };
  for (const ConceptId id : active) add_list(id);
  if (options_.rule == LearningRule::stdp)
    for (const ConceptId id : traces()) add_list(id);
  for (std::size_t i = 0; i < fresh; ++i) ends.add(0, more);
  growth.add(links_.bytes_with(links));
  growth.add(index_, links);
  growth.add(units_.bytes_with(units));
  growth.add(links_of_.bytes_with(units, ends));
  growth.add(recent_, all);
  growth.add(bytes_of(field_), std::max(bytes_of(field_), 2 * ids * sizeof(double)));
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

void LinkLearner::keep(std::span<const ConceptId> numbers) {
  LinkLearner kept(options_);
  kept.total_ = total_;
  kept.step_ = step_;
  kept.last_ = last_;
  for (std::size_t id = 0; id < units_.size(); ++id) {
    if (numbers[id] == Renumbering::gone) continue;
    kept.resize_units(numbers[id] + std::size_t{1});
    kept.units_[numbers[id]] = units_[id];
  }
  for (const Link& before : links_) {
    ConceptId to = numbers[before.to], from = numbers[before.from];
    if (to == Renumbering::gone || from == Renumbering::gone) continue;
    if (symmetric_ && to > from) std::swap(to, from);
    Link& own = kept.find_or_add(to, from);
    own.weight = before.weight;
    own.step = before.step;
  }
  for (const ConceptId id : recent_)
    if (numbers[id] != Renumbering::gone) kept.recent_.push_back(numbers[id]);
  *this = std::move(kept);
}

SparseRows walk_weights(const SparseRows& weights) {
  return mapped_entries(weights.transposed(),
                        [](Index, std::uint32_t, double weight) { return weight > 0 ? weight : 0.0; });
}

}  // namespace engram::core
