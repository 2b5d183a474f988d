// SPDX-License-Identifier: MIT
#include "core/filters/rule_relevance.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

using narsese::Term;

constexpr int most_tries = 4096;  // chosen: most statements tried for the premises of one rule

double mean_of(double product, std::size_t factors) {
  if (!(product > 0) || factors == 0) return factors == 0 ? 1.0 : 0.0;
  if (factors == 1) return product;
  if (factors == 2) return std::sqrt(product);
  return exp(log(product) / static_cast<double>(factors));
}

// Kinds of patterns, by shape. There are far fewer kinds than patterns.
class Kinds {
 public:
  std::size_t kind_of(Term pattern) {
    const auto [place, is_new] = index_.emplace(shape_of(pattern), examples_.size());
    if (is_new) examples_.push_back(pattern);
    return place->second;
  }
  // Row i: the kinds that are compatible with kind i.
  std::vector<std::vector<std::size_t>> compatible_kinds() const {
    std::vector<std::vector<std::size_t>> rows(examples_.size());
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b)
        if (compatible(examples_[a], examples_[b])) rows[a].push_back(b);
    return rows;
  }
  const std::vector<Term>& examples() const { return examples_; }

 private:
  std::map<std::uint64_t, std::size_t> index_;
  std::vector<Term> examples_;
};

class Relevance {
 public:
  Relevance(const std::vector<RulePattern>& rules, const std::vector<Focused>& focus, Term question,
            const RelevanceOptions& options)
      : rules_(rules), focus_(focus), question_(question), options_(options) {
    Kinds kinds;
    for (const RulePattern& rule : rules) {
      premises_.emplace_back();
      for (const Term premise : rule.premises) premises_.back().push_back(kinds.kind_of(premise));
      conclusions_.push_back(kinds.kind_of(rule.conclusion));
    }
    compatible_ = kinds.compatible_kinds();
    matched_.assign(compatible_.size(), 0.0);
    for (std::size_t k = 0; k < matched_.size(); ++k)
      for (const Focused& f : focus) {
        if (f.score > matched_[k] && compatible(kinds.examples()[k], f.term)) matched_[k] = f.score;
      }
  }

  std::vector<double> scores() {
    spread_forward();
    spread_backward();
    std::vector<double> scores;
    for (std::size_t r = 0; r < rules_.size(); ++r) scores.push_back(forward_[r] * std::sqrt(backward_[r]));
    return scores;
  }

 private:
  void spread_forward() {
    std::vector<double> joint;
    for (const RulePattern& rule : rules_) {
      tries_ = 0;
      std::vector<std::size_t> used;
      Bindings bindings;
      joint.push_back(mean_of(best_joint(rule, 0, bindings, used), rule.premises.size()));
    }
    forward_ = joint;
    concluded_.assign(compatible_.size(), 0.0);
    for (int step = 0; step < options_.steps; ++step) {
      conclude();
      for (std::size_t r = 0; r < rules_.size(); ++r)
        forward_[r] = std::max(joint[r], options_.discount * by_rules(premises_[r]));
    }
    conclude();
  }

  // The largest product of scores over different statements that match the premises from `i` on.
  double best_joint(const RulePattern& rule, std::size_t i, Bindings& bindings,
                    std::vector<std::size_t>& used) {
    if (i == rule.premises.size()) return 1.0;
    double best = 0;
    for (std::size_t f = 0; f < focus_.size() && tries_ < most_tries; ++f) {
      if (focus_[f].score <= best || std::ranges::find(used, f) != used.end()) continue;
      const std::size_t bound = bindings.size();
      if (!match(rule.premises[i], focus_[f].term, bindings)) continue;
      ++tries_;
      used.push_back(f);
      best = std::max(best, focus_[f].score * best_joint(rule, i + 1, bindings, used));
      used.pop_back();
      bindings.resize(bound);
    }
    return best;
  }

  // For each kind of premise, the best forward score of a rule with a compatible conclusion.
  void conclude() {
    std::vector<double> of_conclusions(compatible_.size(), 0.0);
    for (std::size_t r = 0; r < rules_.size(); ++r)
      of_conclusions[conclusions_[r]] = std::max(of_conclusions[conclusions_[r]], forward_[r]);
    for (std::size_t k = 0; k < compatible_.size(); ++k) {
      concluded_[k] = 0;
      charge(compatible_[k].size());
      for (const std::size_t other : compatible_[k])
        concluded_[k] = std::max(concluded_[k], of_conclusions[other]);
    }
  }

  double support(std::size_t kind) const { return std::max(matched_[kind], concluded_[kind]); }

  // Supports one premise by a rule and each other premise by its best support.
  double by_rules(const std::vector<std::size_t>& premises) const {
    double best = 0;
    for (std::size_t i = 0; i < premises.size(); ++i)
      best = std::max(best, concluded_[premises[i]] * product_without(premises, i));
    return mean_of(best, premises.size());
  }

  double product_without(const std::vector<std::size_t>& premises, std::size_t left_out) const {
    double product = 1;
    for (std::size_t i = 0; i < premises.size(); ++i)
      if (i != left_out) product *= support(premises[i]);
    return product;
  }

  void spread_backward() {
    for (const RulePattern& rule : rules_) backward_.push_back(from_question(rule, backward_.size()));
    for (int step = 0; step < options_.steps; ++step) {
      std::vector<double> wanted(compatible_.size(), 0.0);
      for (std::size_t r = 0; r < rules_.size(); ++r)
        for (std::size_t i = 0; i < premises_[r].size(); ++i) {
          const double others = mean_of(product_without(premises_[r], i), premises_[r].size() - 1);
          double& most = wanted[premises_[r][i]];
          most = std::max(most, backward_[r] * others);
        }
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        charge(compatible_[conclusions_[r]].size() + 32);
        for (const std::size_t kind : compatible_[conclusions_[r]])
          backward_[r] = std::max(backward_[r], options_.discount * wanted[kind]);
      }
    }
  }

  double from_question(const RulePattern& rule, std::size_t number) const {
    Bindings asked;
    if (question_ && !match(rule.conclusion, question_, asked)) return 0.0;
    double product = 1;
    for (std::size_t i = 0; i < rule.premises.size(); ++i) {
      double best = options_.discount * concluded_[premises_[number][i]];
      for (const Focused& f : focus_) {
        if (f.score <= best) continue;
        Bindings bindings = asked;
        if (match(rule.premises[i], f.term, bindings)) best = f.score;
      }
      product *= best;
    }
    return mean_of(product, rule.premises.size());
  }

  const std::vector<RulePattern>& rules_;
  const std::vector<Focused>& focus_;
  Term question_;
  RelevanceOptions options_;
  int tries_ = 0;
  std::vector<std::vector<std::size_t>> premises_, compatible_;  // kinds
  std::vector<std::size_t> conclusions_;                         // kinds
  std::vector<double> matched_, concluded_;                      // for each kind
  std::vector<double> forward_, backward_;                       // for each rule
};

}  // namespace

std::vector<double> rule_relevance(const std::vector<RulePattern>& rules, const std::vector<Focused>& focus,
                                   Term question, const RelevanceOptions& options) {
  return Relevance(rules, focus, question, options).scores();
}

}  // namespace engram::core
