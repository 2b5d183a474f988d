// SPDX-License-Identifier: MIT
#include "experiments/statistics/ranking_measures.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::experiments {
namespace {

double discount(std::size_t rank) { return core::log(2.0) / core::log(1.0 + static_cast<double>(rank)); }

double as_double(std::size_t n) { return static_cast<double>(n); }

}  // namespace

RankingMeasures::RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted,
                                 const std::vector<bool>& counted, std::size_t missing)
    : wanted_(missing) {
  const auto n = static_cast<std::size_t>(scores.size());
  core::require(wanted.size() == n && counted.size() == n, "a flag for every score is needed");
  for (std::size_t i = 0; i < n; ++i) {
    if (!wanted[i] || !counted[i]) continue;
    ++wanted_;
    const double score = scores[static_cast<core::Index>(i)];
    if (!(score > 0)) continue;
    const auto group = std::ranges::find(groups_, score, &Group::score);
    if (group != groups_.end())
      ++group->wanted;
    else
      groups_.push_back({score, 0, 0, 1});
  }
  std::ranges::sort(groups_, std::ranges::greater(), &Group::score);
  for (Group& group : groups_)
    for (std::size_t i = 0; i < n; ++i) {
      if (!counted[i]) continue;
      const double score = scores[static_cast<core::Index>(i)];
      if (score > group.score) ++group.before;
      if (score == group.score) ++group.size;
    }
}

double RankingMeasures::reciprocal_rank() const {
  if (groups_.empty()) return 0.0;
  const auto& [score, before, size, wanted] = groups_.front();
  // Probability that the first wanted item is at place j among the tied items.
  double chance = as_double(wanted) / as_double(size), expected = 0;
  for (std::size_t j = 1; j + wanted <= size + 1; ++j) {
    expected += chance / as_double(before + j);
    if (j < size) chance *= as_double(size - j - wanted + 1) / as_double(size - j);
  }
  return expected;
}

double RankingMeasures::recall(std::size_t k) const {
  double found = 0;
  for (const Group& group : groups_) {
    const std::size_t places = k > group.before ? std::min(k - group.before, group.size) : 0;
    found += as_double(group.wanted) * as_double(places) / as_double(group.size);
  }
  return wanted_ > 0 ? found / as_double(wanted_) : 0.0;
}

double RankingMeasures::ndcg(std::size_t k) const {
  double gained = 0, best = 0;
  for (const Group& group : groups_) {
    double places = 0;
    for (std::size_t rank = group.before + 1; rank <= std::min(k, group.before + group.size); ++rank)
      places += discount(rank);
    gained += places * as_double(group.wanted) / as_double(group.size);
  }
  for (std::size_t rank = 1; rank <= std::min(k, wanted_); ++rank) best += discount(rank);
  return best > 0 ? gained / best : 0.0;
}

std::vector<std::uint32_t> first_items(const core::Vector& scores, std::size_t most,
                                       const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> items;
  for (const std::uint32_t item : order)
    if (scores[item] > 0) items.push_back(item);
  const auto score = [&](std::uint32_t item) { return scores[item]; };
  if (items.size() > most) {  // remove the items after the first `most`, so that fewer are sorted
    std::vector<double> all(items.size());
    std::ranges::transform(items, all.begin(), score);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(all, last, std::ranges::greater());
    std::size_t tied = most - static_cast<std::size_t>(
                                  std::count_if(all.begin(), last, [&](double x) { return x > *last; }));
    std::erase_if(items, [&](std::uint32_t item) {
      if (scores[item] != *last) return scores[item] < *last;
      if (tied == 0) return true;
      --tied;
      return false;
    });
  }
  std::ranges::stable_sort(items, std::ranges::greater(), score);
  items.resize(std::min(most, items.size()));
  return items;
}

TiedRanks tied_ranks(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted) {
  double above = 0, tied = 0;
  const double score = scores[static_cast<core::Index>(item)];
  for (std::size_t j = 0; j < counted.size(); ++j) {
    if (!counted[j] || j == item) continue;
    above += scores[static_cast<core::Index>(j)] > score ? 1 : 0;
    tied += scores[static_cast<core::Index>(j)] == score ? 1 : 0;
  }
  return {1 + above, 1 + above + 0.5 * tied, 1 + above + tied};
}

double TiedRanks::expected_reciprocal() const {
  const auto places = static_cast<std::size_t>(pessimistic - optimistic) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < places; ++i) sum += 1 / (optimistic + static_cast<double>(i));
  return sum / static_cast<double>(places);
}

double TiedRanks::chance_within(double k) const {
  return std::clamp(k - optimistic + 1, 0.0, pessimistic - optimistic + 1) / (pessimistic - optimistic + 1);
}

std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted) {
  // Usually few items are wanted, so only these are sorted. `won` is a sum of multiples of 1/2 and therefore exact in
  // any order of the items.
  std::vector<double> levels;  // scores of the wanted items
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) levels.push_back(scores[static_cast<core::Index>(i)]);
  std::ranges::sort(levels);
  const auto wanted_count = static_cast<double>(levels.size());
  double unwanted = 0, won = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) continue;
    const auto [tied, above] =
        std::equal_range(levels.begin(), levels.end(), scores[static_cast<core::Index>(i)]);
    won += static_cast<double>(levels.end() - above) + 0.5 * static_cast<double>(above - tied);
    ++unwanted;
  }
  if (wanted_count == 0 || unwanted == 0) return {};
  return won / (wanted_count * unwanted);
}

}  // namespace engram::experiments
