// SPDX-License-Identifier: MIT
#include "experiments/statistics.hpp"

#include <algorithm>
#include <numeric>

#include "core/numeric.hpp"
#include "core/random.hpp"

namespace engram::experiments {

using core::Index;

std::optional<Estimate> bootstrap_mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = core::sum(values) / n;
  if (values.size() == 1) return Estimate{mean, mean, mean};
  constexpr std::size_t resamples = 2000;
  core::Rng rng(0, "bootstrap_mean", values.size());
  std::vector<double> means(resamples), sample(values.size());
  for (double& resampled : means) {
    for (double& value : sample) value = values[rng.below(values.size())];
    resampled = core::sum(sample) / n;
  }
  std::sort(means.begin(), means.end());
  return Estimate{mean, means[resamples / 40], means[resamples - 1 - resamples / 40]};
}

bool clearly_higher(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) difference.push_back(a[i] - b[i]);
  return difference.size() >= fewest_pairs && bootstrap_mean(difference)->low > 0;
}

double tied_rank(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted) {
  double above = 0, tied = 0;
  const double score = scores[static_cast<Index>(item)];
  for (std::size_t j = 0; j < counted.size(); ++j) {
    if (!counted[j] || j == item) continue;
    above += scores[static_cast<Index>(j)] > score ? 1 : 0;
    tied += scores[static_cast<Index>(j)] == score ? 1 : 0;
  }
  return 1 + above + 0.5 * tied;
}

std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto score = [&](std::size_t k) { return scores[static_cast<Index>(order[k])]; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double x = scores[static_cast<Index>(a)], y = scores[static_cast<Index>(b)];
    return x != y ? x < y : a < b;
  });
  double wanted_count = 0, unwanted_below = 0, won = 0;
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    double group_wanted = 0, group_unwanted = 0;
    for (to = from; to < order.size() && score(to) == score(from); ++to)
      (wanted[order[to]] ? group_wanted : group_unwanted) += 1;
    won += group_wanted * (unwanted_below + 0.5 * group_unwanted);
    wanted_count += group_wanted;
    unwanted_below += group_unwanted;
  }
  if (wanted_count == 0 || unwanted_below == 0) return {};
  return won / (wanted_count * unwanted_below);
}

}  // namespace engram::experiments
