// SPDX-License-Identifier: MIT
#include "core/paths/derivations.hpp"

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <map>
#include <optional>
#include <tuple>

#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_other_names = 64;  // chosen: names above a relation that are looked at

// A symbol, or the first `used` premises of a rule, and then of what it wants beside them.
struct Item {
  StepSymbol symbol;
  const RelationRule* rule = nullptr;
  std::size_t used = 0;
  int turns = 0;  // by rules of one premise, in a row

  friend bool operator<(const Item& a, const Item& b) {
    return std::tie(a.symbol, a.rule, a.used, a.turns) < std::tie(b.symbol, b.rule, b.used, b.turns);
  }
};

bool is(const StepSymbol& symbol, StepKind kind, bool back) {
  return symbol.kind == kind && symbol.back == back;
}

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
      : passes_(passes), rules_(rules), question_(question), weight_(weight), statements_(statements) {
    constexpr std::size_t usual = 64;
    inside_.reserve(usual);
    fewest_.reserve(usual);
    best_joining_.reserve(usual);
    joinings_.reserve(usual);
  }

  Derivations of(const std::vector<Pass>& steps) {
    const std::size_t n = steps.size();
    names_ = {question_.from};
    for (const Pass& step : steps) names_.push_back(step.to);
    cells_.assign(n + 1, std::vector<Cell>(n));  // [length][begin]
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t of_step = value(cells_[1][i], {symbol_of(steps[i])});
      inside_[of_step] = 1;
      fewest_[of_step] = 0;
      add_turned(cells_[1][i]);
    }
    for (std::size_t length = 2; length <= n; ++length)
      for (std::size_t i = 0; i + length <= n; ++i) {
        for (std::size_t left = 1; left < length; ++left)
          join(cells_[left][i], cells_[length - left][i + left], cells_[length][i]);
        add_beside(cells_[length][i], i, length);
        add_turned(cells_[length][i]);
      }
    return outside(cells_[n][0]);
  }

 private:
  using Cell = boost::container::flat_map<Item, std::size_t>;  // places of values

  std::size_t value(Cell& cell, const Item& item) {
    const auto [at, is_new] = cell.emplace(item, inside_.size());
    if (is_new) {
      inside_.push_back(0);
      fewest_.push_back(none_yet);
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
    const std::size_t used =
        (statement != nullptr ? 1 : 0) + fewest_[left] + (right == Joining::none ? 0 : fewest_[right]);
    if (used >= fewest_[out]) return;
    fewest_[out] = used;
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
          if (a.used < a.rule->premises.size() && a.rule->premises[a.used] == b.symbol)
            go_on(out, *a.rule, a.used + 1, x, y);
          continue;
        }
        for (const RelationRule* rule : rules_.of_two(a.symbol, b.symbol)) go_on(out, *rule, 2, x, y);
        if (const StepSymbol* stays = without_rule(a.symbol, b.symbol)) add(out, {*stays}, x, y, nullptr);
      }
  }

  // What two make without a rule; nothing where they make none.
  static const StepSymbol* without_rule(const StepSymbol& a, const StepSymbol& b) {
    const bool is_transitive = a == b && a.kind != StepKind::relation && a.kind != StepKind::other;
    const bool is_passed_on = a.kind == StepKind::relation && is(b, StepKind::inheritance, true);
    if (b.kind == StepKind::similarity || is_transitive || is_passed_on) return &a;
    if (a.kind == StepKind::similarity) return &b;
    return is(a, StepKind::inheritance, false) && b.kind == StepKind::relation ? &b : nullptr;
  }

  void go_on(Cell& out, const RelationRule& rule, std::size_t used, std::size_t left, std::size_t right) {
    if (used < rule.premises.size() || !rule.beside.empty())
      add(out, {{}, &rule, used}, left, right, nullptr);
    else
      add(out, {rule.conclusion}, left, right, rule.is_step ? nullptr : &rule.statement);
  }

  // Of rules whose row is whole: what they want beside it.
  void add_beside(Cell& cell, std::size_t begin, std::size_t length) {
    std::vector<Item> whole;
    for (const auto& [item, x] : cell)
      if (item.rule != nullptr && item.used == item.rule->premises.size()) whole.push_back(item);
    for (Item item : whole) {
      const RelationRule& rule = *item.rule;
      std::vector<const StatementId*> beside;
      for (const RelationRule::Beside& wanted : rule.beside)
        if (const auto name = name_at(wanted.premises_before, rule, begin, length))
          if (const StatementId* said = membership(*name, wanted.of)) beside.push_back(said);
      if (beside.size() < rule.beside.size()) continue;
      for (const StatementId* said : beside) {
        const std::size_t before = cell.at(item);
        ++item.used;
        const bool is_last = said == beside.back();
        add(cell, is_last ? Item{rule.conclusion} : item, before, Joining::none, said);
      }
    }
  }

  // The name between two premises; nothing where it cannot be told, since premises take several steps.
  std::optional<ConceptId> name_at(std::size_t premises_before, const RelationRule& rule, std::size_t begin,
                                   std::size_t length) const {
    if (premises_before == 0) return names_[begin];
    if (premises_before == rule.premises.size()) return names_[begin + length];
    return length == rule.premises.size() ? std::optional(names_[begin + premises_before]) : std::nullopt;
  }

  // The first statement that says that a name is in a class.
  const StatementId* membership(ConceptId name, ConceptId of) const {
    const auto said = passes_.from(name);
    spend(said.size());
    const auto found = std::ranges::find_if(said, [&](const Pass& pass) {
      return is(symbol_of(pass), StepKind::inheritance, false) && pass.to == of &&
             statements_.may_use(pass.statement);
    });
    return found == said.end() ? nullptr : &found->statement;
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
      if (cell.size() == before.size()) return;  // nothing is new that could be turned once more
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
        if (best == Joining::none || fewest_[x] < fewest_[best]) best = x;
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
  std::vector<ConceptId> names_;  // between which the steps lead
  std::vector<std::vector<Cell>> cells_;
  std::vector<double> inside_;
  static constexpr std::size_t none_yet = static_cast<std::size_t>(-1);
  std::vector<std::size_t> fewest_;        // statements that are used
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
