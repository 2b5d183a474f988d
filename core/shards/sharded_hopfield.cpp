// SPDX-License-Identifier: MIT
// The classical network of k winners (core/methods/hopfield.cpp, core/hopfield/hopfield.hpp) over the names of a sharded
// memory: every peer knows the active units, and the fields of its own names.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/hopfield/hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "core/shards/fetched_links.hpp"
#include "core/shards/split.hpp"

namespace engram::core {
namespace {

// A unit as all peers know it.
struct Unit {
  std::uint64_t number = 0;
  double activity = 0, gain = 0, external = 0, field = 0;
};

class Winners {
 public:
  Winners(const Split& split, bool correlation)
      : memory_(split.memory),
        links_(split.memory),
        fields_(memory_.own_names()),
        is_active_(memory_.own_names(), 0) {
    const double total = memory_.total(), strength = split.number("cue_strength");
    std::vector<Unit> own;
    for (std::size_t i = 0; i < memory_.own_names(); ++i) {
      const double activity = memory_.activity(i) / total, variance = activity * (1.0 - activity);
      const double gain = !correlation ? 1.0 : variance > 0 ? 1.0 / std::sqrt(variance) : 0.0;
      units_.push_back({memory_.name_numbers()[i], activity, gain, split.cue[i] * strength, 0});
      if (split.cue[i] > 0 && activity > 0) own.push_back(units_.back());
    }
    active_ = gather(memory_.peers(), std::span<const Unit>(own)).items;
    std::ranges::sort(active_, {}, &Unit::number);
    refresh();
  }

  Index count() const { return static_cast<Index>(active_.size()); }
  const std::vector<Unit>& active() const { return active_; }
  void add(const Unit& unit) {
    active_.insert(std::ranges::lower_bound(active_, unit.number, {}, &Unit::number), unit);
  }
  void remove(const Unit& unit) {
    std::erase_if(active_, [&](const Unit& each) { return each.number == unit.number; });
  }

  // Fields from the state, and who comes next.
  void refresh() {
    std::vector<std::uint64_t> numbers;
    SumInOrder background;
    for (const Unit& unit : active_) {
      numbers.push_back(unit.number);
      background.add(unit.number, unit.activity * unit.gain);
    }
    links_.fetch(numbers);
    std::ranges::fill(is_active_, 0);
    std::ranges::fill(fields_, 0.0);
    for (const Unit& unit : active_) {
      if (const auto own = memory_.own_name(unit.number)) is_active_[*own] = 1;
      for (const auto& [other, weight] : links_.of(unit.number))
        if (const auto own = memory_.own_name(other)) fields_[*own] += weight / memory_.total() * unit.gain;
    }
    std::vector<Unit> own;
    std::optional<Unit> best;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto& [number, activity, gain, external, unknown] = units_[i];
      const double gated = is_active_[i] != 0 ? gain : 0.0;
      fields_[i] = gain * (fields_[i] - activity * (background.total() - activity * gated)) + external;
      const Unit unit{number, activity, gain, external, fields_[i]};
      if (is_active_[i] != 0)
        own.push_back(unit);
      else if (activity > 0 && (!best || unit.field > best->field))
        best = unit;
    }
    active_ = gather(memory_.peers(), std::span<const Unit>(own)).items;
    std::ranges::sort(active_, {}, &Unit::number);
    const auto losers =
        gather(memory_.peers(), best ? std::span<const Unit>(&*best, 1) : std::span<const Unit>()).items;
    loser_.reset();
    for (const Unit& unit : losers)
      if (!loser_ || unit.field > loser_->field ||
          (unit.field == loser_->field && unit.number < loser_->number))
        loser_ = unit;
  }

  std::optional<Unit> strongest_loser() const { return loser_; }
  std::optional<Unit> weakest_winner() const {
    std::optional<Unit> worst;
    for (const Unit& unit : active_)
      if (!worst || unit.field <= worst->field) worst = unit;
    return worst;
  }
  double energy() const {
    SumInOrder fields, external;
    for (const Unit& unit : active_) {
      fields.add(unit.number, unit.field);
      external.add(unit.number, unit.external);
    }
    return -0.5 * (fields.total() + external.total());
  }
  // The coupling of a unit with an active one.
  double weight(const Unit& in, const Unit& active) const {
    const auto row = links_.of(active.number);
    const auto found = std::ranges::lower_bound(row, in.number, {}, &ShardedMemory::Link::other);
    const double shared =
        found != row.end() && found->other == in.number ? found->weight / memory_.total() : 0.0;
    return in.gain * active.gain * (shared - in.activity * active.activity);
  }

 private:
  ShardedMemory& memory_;
  FetchedLinks links_;
  std::vector<Unit> units_;  // own names, without fields
  OwnValues fields_;
  std::vector<char> is_active_;
  std::vector<Unit> active_;  // of all peers, ascending
  std::optional<Unit> loser_;
};

}  // namespace

SplitScores split_hopfield(const Split& split) {
  ShardedMemory& memory = split.memory;
  auto k = static_cast<Index>(split.number("winners"));
  if (k == 0) {
    const Share cue_units = share_of(memory.peers(), split.names.size());
    const Share mentions = share_of(memory.peers(), memory.own_mentions());
    const double mean = static_cast<double>(mentions.all) / static_cast<double>(memory.statements());
    k = static_cast<Index>(cue_units.all) + static_cast<Index>(std::lround(2 * mean));
  }
  Winners units(split, split.choice("couplings") == "correlation");
  const auto change = [&](const std::optional<Unit>& in, const std::optional<Unit>& out) {
    if (in) units.add(*in);
    if (out) units.remove(*out);
    units.refresh();
  };
  while (units.count() > k) change({}, units.weakest_winner());

  // recall_winners, one change at a time.
  constexpr int max_changes = 1000;
  SplitScores scored{{}, OwnValues(memory.own_names(), 0.0), {}};
  Recall& course = scored.course;
  course.converged = false;
  course.energies.push_back(units.energy());
  while (course.iterations < max_changes) {
    const auto in = units.strongest_loser(), out = units.weakest_winner();
    const double join = in && units.count() < k ? -in->field : 0.0;
    const double leave = out ? out->field : 0.0;
    const double exchange = in && out ? out->field - in->field + units.weight(*in, *out) : 0.0;
    const double lowest = std::min({join, leave, exchange});
    course.converged = lowest >= -zero_field;
    if (course.converged) break;
    const bool joins = join == lowest, leaves = !joins && leave == lowest;
    change(leaves ? std::nullopt : in, joins ? std::nullopt : out);
    course.energies.push_back(units.energy());
    ++course.iterations;
  }
  double strongest = 0;
  for (const Unit& unit : units.active()) strongest = std::max(strongest, unit.field);
  for (const Unit& unit : units.active())
    if (const auto own = memory.own_name(unit.number))
      (*scored.concepts)[*own] = strongest > 0 ? std::max(unit.field, 0.0) / strongest : 1.0;
  return scored;
}

}  // namespace engram::core
