// SPDX-License-Identifier: MIT
#include "experiments/statistics/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/numbers/lazy.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::experiments {

namespace {

constexpr std::size_t most_arranged = 20;  // enumerating 2^19 sums takes a few milliseconds
constexpr std::uint64_t arranged_at_random = 9999;

// Absolute values of the non-zero differences; zeros do not affect any sum.
std::vector<double> sizes_of(const std::vector<double>& differences) {
  std::vector<double> sizes;
  for (const double difference : differences) {
    core::require(std::isfinite(difference), "a difference must be finite");
    if (difference != 0) sizes.push_back(std::abs(difference));
  }
  return sizes;
}

// Counts the sign arrangements of the sizes from index `next` on with a total of at least `bound` or at most -`bound`.
// `sum` is the total of the earlier sizes.
std::uint64_t arrangements_beyond(const std::vector<double>& sizes, std::size_t next, double sum,
                                  double bound) {
  if (next == sizes.size()) return std::abs(sum) >= bound ? 1 : 0;
  return arrangements_beyond(sizes, next + 1, sum + sizes[next], bound) +
         arrangements_beyond(sizes, next + 1, sum - sizes[next], bound);
}

RearrangementTest rearrange(const std::vector<double>& sizes, double observed) {
  const double bound = observed - 1e-12 * core::sum(sizes);
  if (sizes.size() <= most_arranged) {
    // Negating all signs preserves the distance from 0, so the first sign is fixed.
    const std::uint64_t half = std::uint64_t{1} << (sizes.size() - 1);
    const auto hits = static_cast<double>(arrangements_beyond(sizes, 1, sizes[0], bound));
    return {hits / static_cast<double>(half), 2 * half, true};
  }
  core::Rng rng(0, "paired_permutation", sizes.size());
  std::uint64_t hits = 0;
  for (std::uint64_t draw = 0; draw < arranged_at_random; ++draw) {
    core::charge(sizes.size());
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      bits = i % 64 == 0 ? rng.bits() : bits >> 1;
      sum += (bits & 1) != 0 ? sizes[i] : -sizes[i];
    }
    hits += std::abs(sum) >= bound ? 1 : 0;
  }
  return {static_cast<double>(1 + hits) / static_cast<double>(1 + arranged_at_random), arranged_at_random,
          false};
}

// Standard normal distribution function.
double normal_below(double x) { return 0.5 * core::erfc(-x / std::sqrt(2.0)); }

// Inverse of normal_below(), by bisection.
double normal_quantile(double chance) {
  double low = -40, high = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (normal_below(middle) < chance ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Shares of the resampled means that lie below and above the confidence interval.
struct Tails {
  double below = 0.025, above = 0.025;
};

Tails bca_tails(const std::vector<double>& values, double mean, const std::vector<double>& means) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - mean));
  if (values.size() < fewest_for_bca || largest == 0) return {};
  std::vector<double> squares, cubes;
  for (const double value : values) {
    const double d = (value - mean) / largest;  // avoids overflow of cubes
    squares.push_back(d * d);
    cubes.push_back(d * d * d);
  }
  const double square = core::sum(squares), a = core::sum(cubes) / (6 * square * std::sqrt(square));
  double below = 0;  // means that differ only by rounding are ties
  for (const double resampled : means)
    below += std::abs(resampled - mean) <= 1e-12 * largest ? 0.5 : resampled < mean ? 1 : 0;
  const double share = below / static_cast<double>(means.size());
  if (share <= 0 || share >= 1) return {};
  const double z0 = normal_quantile(share), z = normal_quantile(0.975);
  const auto shifted = [&](double at) { return z0 + at / (1 - a * at); };  // always |a| <= 1/6
  return {normal_below(shifted(z0 - z)), normal_below(-shifted(z0 + z))};
}

constexpr std::size_t resamples = 2000;
constexpr std::size_t most_kept = 64;  // most values with a stored table; all tables take 4 MB

// Draws the indices of the values in each resample of n values. The indices of a resample are adjacent.
std::vector<std::uint8_t> draw_indices(std::size_t n) {
  core::Rng rng(0, "bootstrap_mean", n);
  std::vector<std::uint8_t> indices(resamples * n);
  for (std::uint8_t& index : indices) index = static_cast<std::uint8_t>(rng.below(n));
  return indices;
}

// Means of the resamples. The drawn indices depend only on the number n of values. For small n they are stored in a
// table and reused, because drawing is slower than adding.
std::vector<double> resampled_means(const std::vector<double>& values) {
  static const std::array<core::Lazy<std::vector<std::uint8_t>>, most_kept + 1> tables;
  const std::size_t n = values.size();
  const std::uint8_t* index =
      n <= most_kept ? tables[n].get([&] { return draw_indices(n); }).data() : nullptr;
  core::Rng rng(0, "bootstrap_mean", n);
  std::vector<double> means(resamples), sample(n);
  for (double& mean : means) {
    core::charge(16 * n);
    for (double& value : sample) value = values[index != nullptr ? *index++ : rng.below(n)];
    mean = core::sum(sample) / static_cast<double>(n);
  }
  return means;
}

}  // namespace

double mean(const std::vector<double>& values) {
  return core::sum(values) / static_cast<double>(values.size());
}

std::optional<Estimate> bootstrap_mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = core::sum(values) / n;
  if (values.size() == 1) return Estimate{mean, mean, mean};
  std::vector<double> means = resampled_means(values);
  const Tails tails = bca_tails(values, mean, means);
  const auto left_out = [&](double share) {
    return std::min(resamples - 1, static_cast<std::size_t>(share * static_cast<double>(resamples)));
  };
  const auto of_rank = [&](std::size_t rank) {
    std::nth_element(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(rank), means.end());
    return means[rank];
  };
  return Estimate{mean, of_rank(left_out(tails.below)), of_rank(resamples - 1 - left_out(tails.above))};
}

std::optional<Estimate> wilson_interval(std::size_t k, std::size_t n) {
  core::require(k <= n, "k must be at most n", k);
  if (n == 0) return {};
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the standard normal distribution
  const auto did = static_cast<double>(k), all = static_cast<double>(n);
  const double middle = did + z * z / 2;
  const double half = z * std::sqrt(did * (all - did) / all + z * z / 4);
  const double low = k == 0 ? 0 : (middle - half) / (all + z * z);  // avoids rounding errors at 0 and 1
  const double high = k == n ? 1 : (middle + half) / (all + z * z);
  return Estimate{did / all, low, high};
}

RearrangementTest paired_permutation(const std::vector<double>& differences) {
  std::vector<double> sizes = sizes_of(differences);
  const double largest = core::max(sizes);
  if (sizes.empty()) return {};
  double observed = 0;
  for (const double difference : differences) observed += difference / largest;
  for (double& size : sizes) size /= largest;  // avoids overflow of sums
  return rearrange(sizes, std::abs(observed));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double least = 0;  // a larger p must not get a smaller corrected p
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, static_cast<double>(p.size() - i) * p[order[i]]);
    corrected[order[i]] = std::min(1.0, least);
  }
  return corrected;
}

double cliffs_delta(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<double> sorted = b;
  std::sort(sorted.begin(), sorted.end());
  std::ptrdiff_t won = 0;
  for (const double value : a) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    won += (first - sorted.begin()) - (sorted.end() - last);
  }
  return static_cast<double>(won) / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

std::optional<double> effect_size(const std::vector<double>& differences) {
  if (differences.size() < 2 ||
      std::ranges::all_of(differences, [&](double d) { return d == differences[0]; }))
    return {};
  const auto n = static_cast<double>(differences.size());
  const double mean = core::sum(differences) / n;
  double squares = 0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  if (squares == 0) return {};
  return mean / std::sqrt(squares / (n - 1));
}

namespace {

constexpr double level = 0.05;  // significance level for all leads together

std::optional<std::size_t> best_of(const Measure& measure) {
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t i = 0; i < measure.values.size(); ++i) {
    if (measure.values[i].empty()) continue;
    const double own = mean(measure.values[i]);
    if (best && (measure.higher_is_better ? own <= best_mean : own >= best_mean)) continue;
    best = i;
    best_mean = own;
  }
  return best;
}

void correct(Leads& all) {
  std::vector<double> p;
  for (const Lead& lead : all.leads) p.push_back(lead.test.p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Lead& lead = all.leads[i];
    lead.corrected = corrected[i];
    const bool beyond_zero =
        all.measures[lead.measure].higher_is_better ? lead.difference.low > 0 : lead.difference.high < 0;
    lead.clear = is_clear(lead, beyond_zero);
  }
}

}  // namespace

Lead paired_lead(const std::vector<double>& a, const std::vector<double>& b) {
  core::require(!a.empty() && a.size() == b.size(),
                "paired lists must have the same number of values, at least one");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  Lead lead;
  lead.pairs = a.size();
  lead.difference = *bootstrap_mean(differences);
  lead.test = paired_permutation(differences);
  lead.delta = cliffs_delta(a, b);
  lead.d_z = effect_size(differences);
  return lead;
}

bool is_clear(const Lead& lead, bool beyond_zero) {
  return lead.pairs >= fewest_pairs && beyond_zero && lead.corrected <= level;
}

bool Leads::has_winner(std::size_t measure) const {
  return best[measure] && std::ranges::any_of(leads, [&](const Lead& l) { return l.measure == measure; }) &&
         std::ranges::all_of(leads, [&](const Lead& l) { return l.measure != measure || l.clear; });
}

Leads find_leads(std::vector<std::string> labels, std::vector<Measure> measures) {
  Leads all{std::move(labels), std::move(measures), {}, {}};
  for (std::size_t m = 0; m < all.measures.size(); ++m) {
    const Measure& measure = all.measures[m];
    const auto best = best_of(measure);
    all.best.push_back(best);
    if (!best) continue;
    for (std::size_t other = 0; other < measure.values.size(); ++other) {
      if (other == *best || measure.values[other].size() != measure.values[*best].size()) continue;
      Lead lead = paired_lead(measure.values[*best], measure.values[other]);
      lead.measure = m;
      lead.best = *best;
      lead.other = other;
      all.leads.push_back(lead);
    }
  }
  correct(all);
  return all;
}

std::string lead_clause(const Leads& leads, std::size_t measure) {
  std::string equal, open;
  std::size_t clear = 0, equals = 0;
  for (const Lead& lead : leads.leads) {
    if (lead.measure != measure) continue;
    const bool is_equal = lead.difference.mean == 0;
    std::string& list = is_equal ? equal : open;
    if (!lead.clear) list += (list.empty() ? "" : ", ") + leads.labels[lead.other];
    clear += lead.clear ? 1 : 0;
    equals += is_equal ? 1 : 0;
  }
  std::string text;
  if (equals > 0) text = equal + (equals == 1 ? " has" : " have") + " the same mean";
  if (open.empty() && clear == 0) return text.empty() ? "no other method can be compared" : text;
  text += text.empty() ? "" : "; ";
  if (open.empty()) return text + "its lead over every other method is clear of zero";
  if (std::ranges::any_of(leads.leads, [&](const Lead& lead) {
        return lead.measure == measure && lead.pairs < fewest_pairs;
      }))
    return text + "with so few values, every lead may be chance";
  return text + "its lead over " + open + " may be chance";
}

}  // namespace engram::experiments
