// SPDX-License-Identifier: MIT
#include "core/walks/ecan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {
namespace {

// Row `node` of the lazy walk A of linear_ecan().
std::vector<SparseVector::Entry> lazy_row(const std::vector<SparseVector::Entry>& links, Index node,
                                          double spread) {
  std::vector<double> shares;
  for (const auto& [j, weight] : links) shares.push_back(weight);
  normalise_shares(shares);
  const double stays = sum(shares) > 0 ? 1 - spread : 1.0;
  std::vector<SparseVector::Entry> row;
  for (std::size_t k = 0; k < links.size(); ++k) row.emplace_back(links[k].first, (1 - stays) * shares[k]);
  const auto self = static_cast<std::uint32_t>(node);
  const auto place = std::ranges::lower_bound(row, self, {}, &SparseVector::Entry::first);
  if (place != row.end() && place->first == self)
    place->second += stays;
  else
    row.insert(place, {self, stays});
  return row;
}

SparseRows lazy_walk(const SparseRows& links, double spread) {
  const LinkRows rows = rows_of(links);
  SparseRows walk(links.columns());
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  for (Index i = 0; i < links.rows(); ++i) {
    columns.clear();
    values.clear();
    for (const auto& [j, share] : lazy_row(rows(i), i, spread)) {
      columns.push_back(j);
      values.push_back(share);
    }
    walk.push_row(columns, values);
  }
  return walk;
}

void require_linear(const SparseRows& links, const Vector& cue, double rent, double spread) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  require(rent > 0 && rent <= 1, "the rent must be in (0, 1]", rent);
  require(spread >= 0 && spread <= 1, "the spread must be in [0, 1]", spread);
  const double total = sum(cue);
  require(total > 0 && std::isfinite(total) && (cue.array() >= 0).all(), "a cue needs a positive sum");
}

}  // namespace

double BankPolicy::wage(double wage, double funds) const {
  return wage + wage * std::clamp((funds - target) / buffer, -1.0, 1.0);
}
double logarithmic_rent(double s, double recent_max, double rate) {
  if (!(s > 0)) return 0;
  return std::clamp(0.5 * rate * log(20 * s / recent_max), 0.0, s);
}

Ecan::Ecan(Index concepts, LinkRows strengths, double funds, double recent_max, const EcanOptions& options)
    : concepts_(concepts),
      rows_(std::move(strengths)),
      options_(options),
      funds_(funds),
      recent_max_(recent_max) {
  require(funds > 0 && std::isfinite(funds), "a bank needs funds");
  require_positive("the recent maximum", recent_max);
  require(options.rent >= 0 && std::isfinite(options.rent), "the rent must be finite and not negative",
          options.rent);
  require(options.conjunction >= 0 && options.conjunction <= 1, "the conjunction's share must be in [0, 1]",
          options.conjunction);
  require(options.max_spread >= 0 && options.max_spread <= 1, "the spread must be in [0, 1]",
          options.max_spread);
}

std::uint32_t Ecan::number_of(Index concept_index) {
  const auto [number, is_new] = numbers_.insert(static_cast<std::uint32_t>(concept_index));
  if (is_new) {
    sti_.push_back(0);
    is_owner_.push_back(0);
    in_focus_.push_back(0);
    owned_rows_.emplace_back();
  }
  return number;
}

void Ecan::stimulate(Index concept_index, double amount) {
  require(concept_index >= 0 && concept_index < concepts_, "the concept is unknown");
  require(std::isfinite(amount), "an amount must be finite", amount);
  const std::uint32_t number = number_of(concept_index);
  sti_[number] += amount;
  funds_ -= amount;
  make_owner(number);
}

void Ecan::make_owner(std::uint32_t number) {
  if (std::exchange(is_owner_[number], 1) == 0) new_owners_.push_back(number);
}

void Ecan::read_row(std::uint32_t number) {
  const auto row = rows_(numbers_.ids()[number]);
  charge(8 * row.size());
  claims_.emplace_back(row.size() * 40 + 2 * (sizeof(Row) + 16) * row.size());
  Row held;
  held.neighbours.reserve(row.size());
  held.strengths.reserve(row.size());
  for (const auto& [j, c] : row) {
    require(c >= 0 && c <= 1, "strengths must be in [0, 1]", c);
    held.neighbours.push_back(number_of(j));
    held.strengths.push_back(c);
  }
  owned_rows_[number] = std::move(held);
}

// Owners are ordered by id, which fixes the order of the sums.
void Ecan::merge_new_owners() {
  const auto id = [&](std::uint32_t number) { return numbers_.ids()[number]; };
  std::ranges::sort(new_owners_, {}, id);
  for (const std::uint32_t number : new_owners_) read_row(number);
  const auto before = static_cast<std::ptrdiff_t>(owners_.size());
  owners_.insert(owners_.end(), new_owners_.begin(), new_owners_.end());
  std::ranges::inplace_merge(owners_, owners_.begin() + before, {}, id);
  new_owners_.clear();
}

void Ecan::collect_rent() {
  for (const std::uint32_t number : owners_) {
    double& s = sti_[number];
    const double rent = logarithmic_rent(s, recent_max_, options_.rent);
    s -= rent;
    funds_ += rent;
  }
}

double Ecan::poorest() const {
  double least = owners_.size() < static_cast<std::size_t>(concepts_) ? 0 : sti_[owners_.front()];
  for (const std::uint32_t number : owners_) least = std::min(least, sti_[number]);
  return least;
}

// Non-owners have STI 0, so their focus does not matter.
void Ecan::set_focus() {
  const bool is_all = options_.focus == 0 || options_.focus >= owners_.size();
  for (const std::uint32_t number : owners_) in_focus_[number] = static_cast<char>(is_all);
  if (is_all) return;
  std::vector<std::uint32_t> richest = owners_;
  std::ranges::stable_sort(richest, std::greater<>(), [&](std::uint32_t number) { return sti_[number]; });
  for (std::size_t k = 0; k < options_.focus; ++k) in_focus_[richest[k]] = 1;
}

void Ecan::update_strengths() {
  // NaN outside the focus: conjunctions with NaN are not applied.
  std::vector<double> shares(sti_.size());
  for (std::size_t k = 0; k < shares.size(); ++k)
    shares[k] = in_focus_[k] != 0 ? sti_[k] / recent_max_ : std::numeric_limits<double>::quiet_NaN();
  for (const std::uint32_t number : owners_) {
    auto& [neighbours, strengths] = owned_rows_[number];
    charge(8 * neighbours.size() + 64);
    if (in_focus_[number] == 0) continue;
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const double conj = std::min(shares[number] * shares[neighbours[k]], 1.0);
      double& c = strengths[k];
      if (conj >= 0) c = std::min(options_.conjunction * conj + (1 - conj) * c, 1.0);
    }
  }
}

void Ecan::diffuse(double poorest) {
  const bool all_own = owners_.size() == static_cast<std::size_t>(concepts_);
  std::vector<double> next = sti_;
  for (const std::uint32_t number : owners_) {
    const auto& [neighbours, strengths] = owned_rows_[number];
    const double given = sum(strengths);
    if (in_focus_[number] == 0 || !(given > 0)) continue;
    const double scale = std::min(1.0, options_.max_spread / given) * (sti_[number] - poorest);
    double own = next[number];  // in a register: link by link, gifts are subtracted
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const std::uint32_t to = neighbours[k];
      const double amount = scale * strengths[k];
      (to == number ? own : next[to]) += amount;
      own -= amount;
      if (!all_own && amount > 0) make_owner(to);
    }
    next[number] = own;
  }
  sti_ = std::move(next);
}

void Ecan::cycle() {
  if (concepts_ == 0) return;
  merge_new_owners();
  collect_rent();
  if (poorest() < 0) {  // concepts with STI 0 are above the poorest and give, too
    for (Index i = 0; i < concepts_; ++i) make_owner(number_of(i));
    merge_new_owners();
  }
  set_focus();
  update_strengths();
  diffuse(poorest());
  recent_max_ = 1;
  for (const double sti : sti_) recent_max_ = std::max(recent_max_, sti);
}

SparseVector Ecan::sti() const {
  std::vector<SparseVector::Entry> entries;
  for (std::size_t k = 0; k < sti_.size(); ++k)
    if (sti_[k] != 0) entries.emplace_back(numbers_.ids()[k], sti_[k]);
  std::ranges::sort(entries);
  return {concepts_, std::move(entries)};
}

SparseRows Ecan::strengths() const {
  SparseRows all(concepts_);
  for (Index i = 0; i < concepts_; ++i) {
    const auto number = numbers_.find(static_cast<std::uint32_t>(i));
    const bool is_changed = number && !owned_rows_[*number].strengths.empty();
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    for (const auto& [j, c] : rows_(i)) {
      columns.push_back(j);
      values.push_back(c);
    }
    all.push_row(columns, is_changed ? owned_rows_[*number].strengths : values);
  }
  return all;
}

LinearEcan linear_ecan(const SparseRows& links, const Vector& cue, double rent, double spread) {
  require_linear(links, cue, rent, spread);
  const SparseRows walk = lazy_walk(links, spread);
  constexpr double error = 1e-14;
  const PageRank rank =
      personalized_page_rank(walk, cue, 1 - rent, error * rent, page_rank_steps_needed(1 - rent, error) + 1);
  return {walk.multiply_transposed(rank.rank), rank.iterations, rank.converged};
}

// One lazy step takes v to the start of linear_ecan's walk.
PushedEcan push_linear_ecan(const LinkRows& links, const LinkCounts& counts, const SparseVector& v,
                            double rent, double spread, double threshold) {
  require(rent > 0 && rent <= 1, "the rent must be in (0, 1]", rent);
  require(spread >= 0 && spread <= 1, "the spread must be in [0, 1]", spread);
  require_positive("the threshold", threshold);
  positive_sum(v, "a walk needs a start of positive sum");
  const LinkRows lazy = [&](Index i) { return lazy_row(links(i), i, spread); };
  const LinkCounts more = [&](Index i) { return counts(i) + 1; };
  SparseSums begun;
  std::vector<SparseVector::Entry> paid;
  double unpaid = 0;
  v.each([&](std::uint32_t i, double x) {
    if (x < push_threshold(more, i, threshold)) {
      unpaid += x;
      return;
    }
    paid.emplace_back(i, x);
    const auto row = lazy(i);
    charge(8 * row.size());
    for (const auto& [j, share] : row)
      if (share > 0) begun.add(j, x * share);
  });
  PushedEcan result;
  result.paid = {v.size(), std::move(paid)};
  result.rank.rank = result.rank.residual = SparseVector::zero(v.size());
  if (!begun.empty()) result.rank = push_rank(lazy, more, {v.size(), begun.ascending()}, 1 - rent, threshold);
  result.rank.missing += unpaid;
  return result;
}

}  // namespace engram::core
