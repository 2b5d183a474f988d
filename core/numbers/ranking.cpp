// SPDX-License-Identifier: MIT
#include "core/numbers/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

std::vector<std::uint32_t> rank(const SparseVector& scores, std::size_t capacity) {
  charge(4 * scores.held());
  if (capacity == 0) return {};
  // Heap of the best entries so far, the worst one in front.
  std::vector<SparseVector::Entry> best;
  const auto better = [](const SparseVector::Entry& a, const SparseVector::Entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  scores.each([&](std::uint32_t i, double x) {
    if (!(x > 0)) return;
    if (best.size() < capacity) {
      best.emplace_back(i, x);
      std::push_heap(best.begin(), best.end(), better);
    } else if (better({i, x}, best.front())) {
      std::pop_heap(best.begin(), best.end(), better);
      best.back() = {i, x};
      std::push_heap(best.begin(), best.end(), better);
    }
  });
  std::sort_heap(best.begin(), best.end(), better);
  std::vector<std::uint32_t> ids;
  for (const auto& [i, x] : best) ids.push_back(i);
  return ids;
}

namespace {

// Indices ordered by a, ties by b, then by index. Usually a and b are both 0 at most indices. These are in order
// already, so only the others are sorted.
std::vector<std::size_t> order_by(const Vector& a, const Vector& b) {
  struct Item {
    double a, b;
    std::size_t index;
    auto operator<=>(const Item&) const = default;
  };
  const auto n = static_cast<std::size_t>(a.size());
  charge(n);
  std::vector<Item> nonzero;
  for (std::size_t i = 0; i < n; ++i)
    if (const auto x = static_cast<Index>(i); a[x] != 0 || b[x] != 0) nonzero.push_back({a[x], b[x], i});
  charge(32 * nonzero.size());
  if (!std::ranges::is_sorted(nonzero, std::less())) std::ranges::sort(nonzero, std::less());
  const auto zeros = std::ranges::lower_bound(nonzero, Item{0, 0, 0}, std::less());
  std::vector<std::size_t> order;
  order.reserve(n);
  for (auto item = nonzero.begin(); item != zeros; ++item) order.push_back(item->index);
  for (std::size_t i = 0; i < n; ++i)
    if (const auto x = static_cast<Index>(i); !(a[x] != 0 || b[x] != 0)) order.push_back(i);
  for (auto item = zeros; item != nonzero.end(); ++item) order.push_back(item->index);
  return order;
}

// Calls visit(from, to) for each run of equal values along the order.
template <class Equal, class Visit>
void for_each_run(std::size_t n, Equal equal, Visit visit) {
  for (std::size_t from = 0, to = 0; from < n; from = to) {
    for (to = from + 1; to < n && equal(from, to);) ++to;
    visit(from, to);
  }
}

Vector average_ranks(const Vector& a) {
  const auto order = order_by(a, a);
  const auto at = [&](std::size_t k) { return a[static_cast<Index>(order[k])]; };
  Vector ranks(a.size());
  for_each_run(
      order.size(), [&](std::size_t i, std::size_t j) { return at(i) == at(j); },
      [&](std::size_t from, std::size_t to) {
        const double mean = 0.5 * static_cast<double>(from + to - 1) + 1.0;
        for (std::size_t k = from; k < to; ++k) ranks[static_cast<Index>(order[k])] = mean;
      });
  return ranks;
}

// Number of pairs (i < j) with values[i] > values[j], by merge sort. Sorts `values`.
std::uint64_t count_inversions(std::vector<double>& values, std::vector<double>& scratch, std::size_t from,
                               std::size_t to) {
  if (to - from < 2) return 0;
  const std::size_t middle = from + (to - from) / 2;
  std::uint64_t count =
      count_inversions(values, scratch, from, middle) + count_inversions(values, scratch, middle, to);
  std::size_t i = from, j = middle, out = from;
  while (i < middle || j < to) {
    const bool left = j == to || (i < middle && values[i] <= values[j]);
    if (!left) count += middle - i;
    scratch[out++] = left ? values[i++] : values[j++];
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(from),
            scratch.begin() + static_cast<std::ptrdiff_t>(to),
            values.begin() + static_cast<std::ptrdiff_t>(from));
  return count;
}

double pairs(std::size_t n) { return 0.5 * static_cast<double>(n) * (static_cast<double>(n) - 1.0); }

template <class Equal>
double tied_pairs(std::size_t n, Equal equal) {
  double tied = 0;
  for_each_run(n, equal, [&](std::size_t from, std::size_t to) { tied += pairs(to - from); });
  return tied;
}

}  // namespace

std::optional<double> spearman(const Vector& a, const Vector& b) {
  require_size("second ranking", b.size(), a.size());
  if (a.size() < 2) return {};
  const double mean = 0.5 * (static_cast<double>(a.size()) + 1.0);
  const Vector x = average_ranks(a).array() - mean;
  const Vector y = average_ranks(b).array() - mean;
  const double scale = std::sqrt(dot(x, x) * dot(y, y));
  if (scale == 0) return {};
  return std::clamp(dot(x, y) / scale, -1.0, 1.0);
}

std::optional<double> kendall(const Vector& a, const Vector& b) {
  require_size("second ranking", b.size(), a.size());
  const auto n = static_cast<std::size_t>(a.size());
  const auto order = order_by(a, b);
  const auto a_at = [&](std::size_t k) { return a[static_cast<Index>(order[k])]; };
  const auto b_at = [&](std::size_t k) { return b[static_cast<Index>(order[k])]; };
  const double tied_a = tied_pairs(n, [&](std::size_t i, std::size_t j) { return a_at(i) == a_at(j); });
  const double tied_both =
      tied_pairs(n, [&](std::size_t i, std::size_t j) { return a_at(i) == a_at(j) && b_at(i) == b_at(j); });

  std::vector<double> values(n), scratch(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = b_at(k);
  const auto discordant = static_cast<double>(count_inversions(values, scratch, 0, n));
  const double tied_b = tied_pairs(n, [&](std::size_t i, std::size_t j) { return values[i] == values[j]; });

  const double all = pairs(n);
  if (all == tied_a || all == tied_b || n < 2) return {};
  // C + D = all - tied_a - tied_b + tied_both
  const double difference = all - tied_a - tied_b + tied_both - 2.0 * discordant;
  return std::clamp(difference / std::sqrt((all - tied_a) * (all - tied_b)), -1.0, 1.0);
}

double top_overlap(const Vector& a, const Vector& b, std::size_t k) {
  auto first = rank(a, k);
  auto second = rank(b, k);
  const std::size_t larger = std::max(first.size(), second.size());
  if (larger == 0) return 1.0;
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::vector<std::uint32_t> shared;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(shared));
  return static_cast<double>(shared.size()) / static_cast<double>(larger);
}

std::optional<double> jensen_shannon(const Vector& a, const Vector& b) {
  require_size("second distribution", b.size(), a.size());
  const double total_a = sum(a), total_b = sum(b);
  if (!(total_a > 0) || !(total_b > 0)) return {};
  Vector terms(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    // Divides by p + q rather than by its half, because half of the smallest double is 0.
    const double p = a[i] / total_a, q = b[i] / total_b, both = p + q;
    terms[i] = (p > 0 ? p * log(2.0 * p / both) : 0.0) + (q > 0 ? q * log(2.0 * q / both) : 0.0);
  }
  constexpr double ln2 = 0.69314718055994530942;
  return std::clamp(0.5 * sum(terms) / ln2, 0.0, 1.0);
}

}  // namespace engram::core
