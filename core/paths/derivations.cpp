// SPDX-License-Identifier: MIT
#include "core/paths/derivations.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_other_names = 64;  // chosen: names above a relation that are looked at

// A symbol, or the first `used` premises of a rule.
struct Item {
  StepSymbol symbol;
  const RelationRule* rule = nullptr;
  std::size_t used = 0;
  int turns = 0;  // by rules of one premise, in a row

  friend bool operator<(const Item& a, const Item& b) {
    return std::tie(a.symbol, a.rule, a.used, a.turns) < std::tie(b.symbol, b.rule, b.used, b.turns);
  }
};

// How a value comes of one or two others: their product, times the weight where a statement is used.
struct Joining {
  std::size_t out = 0, left = 0, right = none;
  const StatementId* statement = nullptr;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

class Chart {
 public:
  Chart(const Passes& passes, const RelationRules& rules, const PathQuestion& question, double weight,
        const PathStatements& statements)
      : passes_(passes), rules_(rules), question_(question), weight_(weight), statements_(statements) {}

  Derivations of(const std::vector<Pass>& steps) {
    const std::size_t n = steps.size();
    cells_.assign(n + 1, std::vector<Cell>(n));  // [length][begin]
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t of_step = value(cells_[1][i], {symbol_of(steps[i])});
      inside_[of_step] = best_[of_step] = 1;
      add_turned(cells_[1][i]);
    }
    for (std::size_t length = 2; length <= n; ++length)
      for (std::size_t i = 0; i + length <= n; ++i) {
        for (std::size_t left = 1; left < length; ++left)
          join(cells_[left][i], cells_[length - left][i + left], cells_[length][i]);
        add_turned(cells_[length][i]);
      }
    return outside(cells_[n][0]);
  }

 private:
  using Cell = std::map<Item, std::size_t>;  // places of values

  std::size_t value(Cell& cell, const Item& item) {
    const auto [at, is_new] = cell.emplace(item, inside_.size());
    if (is_new) {
      inside_.push_back(0);
      best_.push_back(0);
      best_joining_.push_back(Joining::none);
    }
    return at->second;
  }

  void add(Cell& cell, const Item& item, std::size_t left, std::size_t right, const StatementId* statement) {
    spend(16);
    if (statement != nullptr && !statements_.may_use(*statement)) return;
    const std::size_t out = value(cell, item);
    joinings_.push_back({out, left, right, statement});
    const double factor = statement != nullptr ? weight_ : 1;
    inside_[out] += factor * inside_[left] * (right == Joining::none ? 1 : inside_[right]);
    const double best = factor * best_[left] * (right == Joining::none ? 1 : best_[right]);
    if (best <= best_[out]) return;
    best_[out] = best;
    best_joining_[out] = joinings_.size() - 1;
  }

  void add_used(std::size_t of, std::vector<StatementId>& used) const {
    if (best_joining_[of] == Joining::none) return;
    const Joining& joining = joinings_[best_joining_[of]];
    if (joining.statement != nullptr) used.push_back(*joining.statement);
    add_used(joining.left, used);
    if (joining.right != Joining::none) add_used(joining.right, used);
  }

  void join(const Cell& left, const Cell& right, Cell& out) {
    for (const auto& [a, x] : left)
      for (const auto& [b, y] : right) {
        if (b.rule != nullptr) continue;  // a rule's premises are taken from the left
        if (a.rule != nullptr) {
          if (a.rule->premises[a.used] == b.symbol) go_on(out, *a.rule, a.used + 1, x, y);
          continue;
        }
        for (const RelationRule* rule : rules_.of_two(a.symbol, b.symbol)) go_on(out, *rule, 2, x, y);
        const bool is_transitive =
            a.symbol == b.symbol && a.symbol.kind != StepKind::relation && a.symbol.kind != StepKind::other;
        const bool is_by_rule = a.symbol.kind == StepKind::inheritance && !a.symbol.back &&
                                b.symbol.kind == StepKind::implication && !b.symbol.back;
        if (b.symbol.kind == StepKind::similarity || is_transitive || is_by_rule)
          add(out, {a.symbol}, x, y, nullptr);
        else if (a.symbol.kind == StepKind::similarity)
          add(out, {b.symbol}, x, y, nullptr);
      }
  }

  void go_on(Cell& out, const RelationRule& rule, std::size_t used, std::size_t left, std::size_t right) {
    if (used == rule.premises.size())
      add(out, {rule.conclusion}, left, right, &rule.statement);
    else
      add(out, {{}, &rule, used}, left, right, nullptr);
  }

  // By rules of one premise, and by what is said of the relation.
  void add_turned(Cell& cell) {
    constexpr int most_turns = 2;  // chosen
    for (int turn = 0; turn < most_turns; ++turn) {
      const Cell before = cell;
      for (const auto& [item, x] : before) {
        if (item.rule != nullptr || item.turns != turn) continue;
        for (const RelationRule* rule : rules_.of_one(item.symbol))
          add(cell, {rule->conclusion, nullptr, 0, turn + 1}, x, Joining::none, &rule->statement);
        if (item.symbol.kind != StepKind::relation) continue;
        const auto said = passes_.from(item.symbol.relation);
        for (std::size_t i = 0; i < std::min(said.size(), most_other_names); ++i)
          if (said[i].kind == StepKind::similarity ||
              (said[i].kind == StepKind::inheritance && !said[i].back))
            add(cell, {{StepKind::relation, said[i].to, item.symbol.back}, nullptr, 0, turn + 1}, x,
                Joining::none, &said[i].statement);
      }
    }
  }

  bool is_asked(const Item& item) const {
    const StepSymbol& asked = question_.asked;
    if (item.rule != nullptr || item.symbol.kind != asked.kind || item.symbol.back != asked.back)
      return false;
    return question_.relation_known ? item.symbol == asked : true;
  }

  Derivations outside(const Cell& whole) const {
    Derivations found;
    std::vector<double> share(inside_.size(), 0);
    std::size_t best = Joining::none;
    for (const auto& [item, x] : whole)
      if (is_asked(item)) {
        found.total += inside_[x];
        share[x] = 1;
        if (best == Joining::none || best_[x] > best_[best]) best = x;
      }
    if (!(found.total > 0)) return found;
    add_used(best, found.best);
    std::ranges::sort(found.best);
    std::map<StatementId, double> used;
    for (auto joining = joinings_.rbegin(); joining != joinings_.rend(); ++joining) {
      const double of_out = share[joining->out];
      if (of_out == 0) continue;
      const double factor = joining->statement != nullptr ? weight_ : 1;
      const double left = inside_[joining->left];
      const double right = joining->right == Joining::none ? 1 : inside_[joining->right];
      const double mean = of_out * factor * left * right / found.total;
      if (joining->statement != nullptr) {
        used[*joining->statement] += mean;
        found.uses += mean;
      }
      share[joining->left] += of_out * factor * right;
      if (joining->right != Joining::none) share[joining->right] += of_out * factor * left;
    }
    found.used.assign(used.begin(), used.end());
    return found;
  }

  const Passes& passes_;
  const RelationRules& rules_;
  const PathQuestion& question_;
  double weight_;
  const PathStatements& statements_;
  std::vector<std::vector<Cell>> cells_;
  std::vector<double> inside_, best_;
  std::vector<std::size_t> best_joining_;  // none: of a step
  std::vector<Joining> joinings_;          // each after those that its parts come of
};

}  // namespace

Derivations derivations(const Passes& passes, const RelationRules& rules, const PathQuestion& question,
                        const std::vector<Pass>& steps, double weight, const PathStatements& statements) {
  if (steps.empty()) return {};
  return Chart(passes, rules, question, weight, statements).of(steps);
}

}  // namespace engram::core
