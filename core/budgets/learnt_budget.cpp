// SPDX-License-Identifier: MIT
#include "core/budgets/learnt_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/budgets/ranked_memory.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

constexpr double unseen_share = 0.5, least_relevance = 0.03;

void require_shares(const std::vector<double>& shares, const char* rule) {
  for (const double share : shares) require(share > 0 && share < 1, rule);
}

Index size(const std::vector<double>& list) { return static_cast<Index>(list.size()); }

// More rows, and perhaps columns, of zeros.
void grow(Matrix& m, Index rows, Index columns) {
  Matrix larger = Matrix::Zero(rows, columns);
  larger.topLeftCorner(m.rows(), m.cols()) = m;
  m = std::move(larger);
}

class ByLearntBudget : public RankedMemory {
 public:
  ByLearntBudget(std::size_t capacity, const LearntBudgetRule& rule)
      : RankedMemory(capacity), budgets_(rule), ghosts_(ghosts_of(capacity, rule)) {}
  void experience(std::span<const Id> active) override {
    budgets_.experience(active);
    const auto worth = [&](Id id) { return budgets_.log_budget(id); };
    keep(active, worth);
    budgets_.forget(beyond_ghosts(budgets_.known(), held(), ghosts_, worth));
  }

 private:
  static std::size_t ghosts_of(std::size_t capacity, const LearntBudgetRule& rule) {
    require(rule.ghosts >= 0 && rule.ghosts <= 1e6, "ghosts must be in [0, 1e6]", rule.ghosts);
    return std::max(rule.fewest_ghosts,
                    static_cast<std::size_t>(rule.ghosts * static_cast<double>(capacity)));
  }

  LearntBudgets budgets_;
  std::size_t ghosts_;
};

}  // namespace

LearntBudgets::LearntBudgets(LearntBudgetRule rule) : rule_(std::move(rule)) {
  require(!rule_.durabilities.empty(), "there must be a durability");
  require_shares(rule_.durabilities, "durabilities must be in (0, 1)");
  require_shares(rule_.discounts, "discounts must be in (0, 1)");
  require(rule_.rate >= 0 && std::isfinite(rule_.rate), "rate must be finite and not negative", rule_.rate);
  require(rule_.farthest >= 1, "farthest must be at least 1", rule_.farthest);
  const Index priors = size(rule_.durabilities), links = size(rule_.discounts);
  weights_.resize(priors + links);
  weights_.head(priors).setConstant(1 / static_cast<double>(priors));
  weights_.tail(links).setConstant(1 / static_cast<double>(std::max<Index>(links, 1)));
  squares_ = Vector::Ones(priors + links);  // so that the first steps are not the longest
  budgets_.resize(0, priors);
  traces_.resize(0, links);
  relevances_.resize(0, links);
  followers_.resize(rule_.discounts.size());
  episodes_ = Vector::Zero(priors);
  actives_ = Vector::Zero(links);
  add_slots();
}

void LearntBudgets::experience(std::span<const Id> active) {
  for (std::size_t ago = 1; ago <= given_.size(); ago *= 2) learn(given_[ago - 1], active);
  std::vector<Index> slots;
  for (const Id id : active) slots.push_back(slot_of(id));
  fade();
  for (const Index slot : slots) {
    budgets_.row(slot).array() += 1;
    times_[slot] += 1;
  }
  follow(slots);
  given_.push_front(give());
  if (given_.size() > static_cast<std::size_t>(rule_.farthest)) given_.pop_back();
  scores_ = multiply(given_.front().features, weights_);
}

double LearntBudgets::log_budget(Id id) const {
  const auto place = std::ranges::lower_bound(known(), id);
  if (place == known().end() || *place != id || !slots_.contains(id))
    return -std::numeric_limits<double>::infinity();
  return scores_[place - known().begin()];
}

void LearntBudgets::forget(std::span<const Id> ids) {
  for (const Id id : ids) {
    const auto place = slots_.find(id);
    if (place == slots_.end()) continue;
    const Index slot = place->second;
    budgets_.row(slot).setZero();
    for (Index l = 0; l < traces_.cols(); ++l) traces_(slot, l) = relevances_(slot, l) = 0;
    times_[slot] = 0;
    for (Matrix& followers : followers_) {
      followers.row(slot).setZero();
      followers.col(slot).setZero();
    }
    free_.push_back(slot);
    slots_.erase(place);
  }
}

// A concept's slot; of a new one a free slot, all zeros.
Index LearntBudgets::slot_of(Id id) {
  if (const auto place = slots_.find(id); place != slots_.end()) return place->second;
  if (free_.empty()) add_slots();
  const Index slot = free_.back();
  free_.pop_back();
  return slots_[id] = slot;
}

void LearntBudgets::add_slots() {
  const Index before = times_.size(), after = std::max<Index>(16, 2 * before);
  grow(budgets_, after, budgets_.cols());
  grow(traces_, after, traces_.cols());
  grow(relevances_, after, relevances_.cols());
  for (Matrix& followers : followers_) grow(followers, after, after);
  times_.conservativeResize(after);
  times_.tail(after - before).setZero();
  for (Index slot = after; slot-- > before;) free_.push_back(slot);
}

// A step up the gradient of the sum of log p over active concepts known then: their features less the mean
// ones under p.
void LearntBudgets::learn(const Given& given, std::span<const Id> active) {
  if (given.ids.empty()) return;
  const Vector p = apply(SimplexMap::softmax, multiply(given.features, weights_));
  const Vector mean = multiply_transposed(given.features, p);
  Vector gradient = Vector::Zero(weights_.size());
  for (const Id id : active)
    if (const auto place = std::ranges::lower_bound(given.ids, id); place != given.ids.end() && *place == id)
      gradient += given.features.row(place - given.ids.begin()).transpose() - mean;
  for (Index k = 0; k < weights_.size(); ++k) {
    squares_[k] += gradient[k] * gradient[k];
    weights_[k] += rule_.rate * gradient[k] / std::sqrt(squares_[k]);
  }
}

void LearntBudgets::fade() {
  for (Index k = 0; k < size(rule_.durabilities); ++k) {
    const double d = rule_.durabilities[static_cast<std::size_t>(k)];
    budgets_.col(k) *= d;
    episodes_[k] = d * episodes_[k] + 1;
  }
}

void LearntBudgets::follow(const std::vector<Index>& active) {
  for (Index l = 0; l < size(rule_.discounts); ++l) {
    const double discount = rule_.discounts[static_cast<std::size_t>(l)];
    Matrix& followers = followers_[static_cast<std::size_t>(l)];
    for (const Index slot : active) followers.col(slot) += traces_.col(l);
    traces_.col(l) *= discount;
    relevances_.col(l) *= discount;
    actives_[l] = discount * actives_[l] + static_cast<double>(active.size());
    for (const Index slot : active) {
      traces_(slot, l) += 1;
      relevances_.col(l) += followers.row(slot).transpose() / (times_[slot] + 1);
    }
  }
}

LearntBudgets::Given LearntBudgets::give() const {
  const Index priors = size(rule_.durabilities);
  Given given{{}, Matrix(static_cast<Index>(slots_.size()), weights_.size())};
  for (const auto& [id, slot] : slots_) {
    const auto row = static_cast<Index>(given.ids.size());
    for (Index k = 0; k < priors; ++k)
      given.features(row, k) = log((budgets_(slot, k) + unseen_share) / (episodes_[k] + 1));
    for (Index l = 0; l < size(rule_.discounts); ++l) {
      const double kept = 1 - rule_.discounts[static_cast<std::size_t>(l)];
      given.features(row, priors + l) =
          log(least_relevance + kept * relevances_(slot, l) / std::max(actives_[l], 1.0));
    }
    given.ids.push_back(id);
  }
  return given;
}

std::unique_ptr<BoundedMemory> keep_by_learnt_budget(std::size_t capacity, const LearntBudgetRule& rule) {
  return std::make_unique<ByLearntBudget>(capacity, rule);
}

}  // namespace engram::core
