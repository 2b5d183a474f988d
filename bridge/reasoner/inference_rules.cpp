// SPDX-License-Identifier: MIT
#include "bridge/reasoner/inference_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "bridge/reasoner/rule_pattern.hpp"
#include "bridge/reasoner/rule_table.hpp"
#include "bridge/reasoner/unifier.hpp"
#include "bridge/reasoner/variable_introduction.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/truth_functions.hpp"
#include "narsese/variables.hpp"

namespace engram::bridge {
namespace {

using narsese::Punctuation;
using narsese::Term;
using narsese::TermKind;
using narsese::TermTable;
using narsese::TruthValue;

// What a term is at its top: a copula, a connector, or neither. Patterns that are a letter are any of them.
constexpr std::size_t heads = narsese::copulas.size() + narsese::connectors.size() + 1;

std::size_t head_of(narsese::TermLabel label) {
  if (label.kind == TermKind::statement) return label.symbol;
  if (label.kind == TermKind::compound) return narsese::copulas.size() + label.symbol;
  return heads - 1;
}

bool matches_head(const TermPattern& pattern, std::size_t head) {
  return pattern.letter != TermPattern::no_letter || head_of(pattern.label) == head;
}

// Where two statements have the same term: a bit for each pair of their sides.
using Figure = std::uint8_t;

Figure bit_of(std::size_t first, std::size_t second) {
  return static_cast<Figure>(1U << (2 * first + second));
}

// What both premises must have in common for the rule, of plain sides.
Figure required_figure(const Rule& rule) {
  Figure figure = 0;
  const TermPattern &a = rule.premises[0].term, &b = rule.premises[1].term;
  if (a.label.kind != TermKind::statement || b.label.kind != TermKind::statement) return 0;
  if (narsese::is_commutative(a.label) || narsese::is_commutative(b.label)) return 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      if (a.parts[i].letter != TermPattern::no_letter && a.parts[i].letter == b.parts[j].letter)
        figure |= bit_of(i, j);
  return figure;
}

Figure figure_of(Term a, Term b) {
  if (a.kind() != TermKind::statement || b.kind() != TermKind::statement) return 0xFF;
  Figure figure = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const Term x = a.components()[i], y = b.components()[j];
      if (x == y || x.has_variables() || y.has_variables()) figure |= bit_of(i, j);
    }
  return figure;
}

// Whether the variables have their canonical numbers for certain: of each kind there is one, the first.
bool is_numbered(Term term) {
  if (!term.has_variables()) return true;
  if (term.kind() == TermKind::variable) return term.number() == 1;
  return std::ranges::all_of(term.components(), is_numbered);
}

// Letters of one premise by those of the other that stand in the same places; false where their patterns differ.
bool exchange(const TermPattern& a, const TermPattern& b,
              std::array<std::uint8_t, Rule::most_letters>& letters) {
  const bool is_letter = a.letter != TermPattern::no_letter;
  if (is_letter != (b.letter != TermPattern::no_letter)) return false;
  if (is_letter) {
    if (letters[a.letter] == TermPattern::no_letter) letters[a.letter] = b.letter;
    return letters[a.letter] == b.letter;
  }
  if (a.label != b.label) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!exchange(a.parts[i], b.parts[i], letters)) return false;
  return true;
}

// Whether a pattern is another one with its letters exchanged.
bool same(const TermPattern& a, const TermPattern& b,
          const std::array<std::uint8_t, Rule::most_letters>& letters) {
  if (a.letter != TermPattern::no_letter)
    return b.letter != TermPattern::no_letter && letters[a.letter] == b.letter;
  if (a.label != b.label || b.letter != TermPattern::no_letter) return false;
  if (same(a.parts[0], b.parts[0], letters) && a.parts.size() == 1) return true;
  if (a.parts.size() != 2) return false;
  return (same(a.parts[0], b.parts[0], letters) && same(a.parts[1], b.parts[1], letters)) ||
         (narsese::is_commutative(a.label) && same(a.parts[0], b.parts[1], letters) &&
          same(a.parts[1], b.parts[0], letters));
}

// Whether it concludes the same when its premises are exchanged: once is enough then.
bool is_symmetric(const Rule& rule) {
  const bool symmetric_truth = rule.truth == narsese::comparison || rule.truth == narsese::resemblance ||
                               rule.truth == narsese::intersection || rule.truth == narsese::set_union;
  if (!symmetric_truth || rule.premises[0].punctuation != rule.premises[1].punctuation) return false;
  std::array<std::uint8_t, Rule::most_letters> letters;
  letters.fill(TermPattern::no_letter);
  const TermPattern &a = rule.premises[0].term, &b = rule.premises[1].term;
  return exchange(a, b, letters) && exchange(b, a, letters) &&
         same(rule.conclusion.term, rule.conclusion.term, letters);
}

// What a task is: a judgment, a question or quest, or a goal.
constexpr std::size_t task_kinds = 3;
std::size_t kind_of(Punctuation task) {
  return task == Punctuation::judgment ? 0 : task == Punctuation::goal ? 2 : 1;
}

// A rule in one of the roles that its premises may have.
struct Role {
  std::uint16_t rule = 0;
  bool turned = false;  // the task is the second premise
  Figure figure = 0;    // of task and belief
};

// From a question that is the rule's conclusion and a judgment that is premise `known`, the other one is asked.
struct Asking {
  std::uint16_t rule = 0;
  std::uint8_t known = 0;
};

// The rules up to a level, found by what premises are at their top. Made once: every reasoner of the level has it.
class RuleIndex {
 public:
  explicit RuleIndex(int level) : two_(task_kinds * heads * heads), asking_(heads * heads), one_(heads) {
    for (Rule& rule : read_rules(rule_table()))
      if (rule.level <= level) rules.push_back(std::move(rule));
    for (std::size_t i = 0; i < rules.size(); ++i) add(static_cast<std::uint16_t>(i));
  }

  static const RuleIndex& up_to(int level) {
    static std::mutex mutex;
    static std::map<int, RuleIndex> known;
    const std::lock_guard lock(mutex);
    return known.try_emplace(level, level).first->second;
  }

  const std::vector<Role>& of_two(Punctuation task, std::size_t task_head, std::size_t belief_head) const {
    return two_[(kind_of(task) * heads + task_head) * heads + belief_head];
  }
  const std::vector<Asking>& asking(std::size_t question_head, std::size_t belief_head) const {
    return asking_[question_head * heads + belief_head];
  }
  const std::vector<std::uint16_t>& of_one(std::size_t head) const { return one_[head]; }

  std::vector<Rule> rules;

 private:
  void add(std::uint16_t number) {
    const Rule& rule = rules[number];
    for (std::size_t a = 0; a < heads; ++a) {
      if (!matches_head(rule.premises[0].term, a)) continue;
      if (rule.premises.size() == 1) {
        one_[a].push_back(number);
        continue;
      }
      for (std::size_t b = 0; b < heads; ++b)
        if (matches_head(rule.premises[1].term, b)) add_roles(number, a, b);
    }
    if (!rule.asks) return;
    for (std::size_t asked = 0; asked < heads; ++asked)
      for (std::size_t known = 0; known < heads; ++known)
        for (std::uint8_t i = 0; i < 2; ++i)
          if (matches_head(rule.conclusion.term, asked) && head_of(rule.premises[i].term.label) == known &&
              rule.premises[i].term.letter == TermPattern::no_letter)
            asking_[asked * heads + known].push_back({number, i});
  }

  void add_roles(std::uint16_t number, std::size_t a, std::size_t b) {
    const Rule& rule = rules[number];
    const Figure figure = required_figure(rule);
    const Figure turned = static_cast<Figure>((figure & 9) | (figure & 2) << 1 | (figure & 4) >> 1);
    const Punctuation first = rule.premises[0].punctuation, second = rule.premises[1].punctuation;
    const auto roles = [&](Punctuation task, std::size_t task_head, std::size_t belief_head) -> auto& {
      return two_[(kind_of(task) * heads + task_head) * heads + belief_head];
    };
    // The belief is always a judgment.
    if (second == Punctuation::judgment) roles(first, a, b).push_back({number, false, figure});
    if (is_symmetric(rule)) return;
    if (first == Punctuation::judgment) roles(second, b, a).push_back({number, true, turned});
  }

  std::vector<std::vector<Role>> two_;
  std::vector<std::vector<Asking>> asking_;
  std::vector<std::vector<std::uint16_t>> one_;
};

}  // namespace

class InferenceRules::Work {
 public:
  Work(TermTable& table, int level, const TermLimits& limits)
      : table_(table),
        limits_(limits),
        unifier_(table),
        index_(RuleIndex::up_to(level)),
        rules_(index_.rules) {}

  void apply(const Premise& task, const Premise& belief, bool overlap, std::vector<Conclusion>& conclusions) {
    if (task.punctuation == Punctuation::quest) return;
    begin(task, belief, conclusions);
    const std::size_t own = head_of(task.term.label()), other = head_of(belief.term.label());
    const Figure figure = figure_of(task.term, belief.apart);
    for (const Role& role : index_.of_two(task.punctuation, own, other))
      if ((role.figure & ~figure) == 0 && (!overlap || rules_[role.rule].overlap)) try_role(role);
    if (task.punctuation == Punctuation::question)
      for (const Asking& asking : index_.asking(own, other)) try_asking(asking);
  }

  void apply(const Premise& task, std::vector<Conclusion>& conclusions) {
    if (task.punctuation != Punctuation::judgment) return;
    begin(task, task, conclusions);
    for (const std::uint16_t rule : index_.of_one(head_of(task.term.label()))) {
      start(rule, {});
      goals_.push_back({&rules_[rule].premises[0].term, task.term});
      solve(0);
    }
  }

  const Rule& rule(std::uint16_t number) const { return rules_[number]; }
  std::size_t size() const { return rules_.size(); }

 private:
  struct Goal {
    const TermPattern* pattern;
    Term term;
  };

  void begin(const Premise& task, const Premise& belief, std::vector<Conclusion>& conclusions) {
    task_ = &task;
    belief_ = &belief;
    conclusions_ = &conclusions;
    first_ = conclusions.size();
  }

  void start(std::uint16_t rule, Bindable bindable) {
    rule_ = rule;
    letters_.fill(Term());
    goals_.clear();
    steps_ = 0;
    asking_for_ = none;
    unifier_.begin(bindable);
  }

  void try_role(const Role& role) {
    const Rule& rule = rules_[role.rule];
    // Of a condition, or of what is known of something, but not of what else is known.
    const bool second = rule.premises[1].term.letter == TermPattern::no_letter &&
                        rule.premises[0].term.letter != TermPattern::no_letter;
    const auto own = role.turned != second ? Bindable::Dependent::apart : Bindable::Dependent::own;
    const bool asked = task_->punctuation == Punctuation::question;
    start(role.rule, {true, rule.dependent || rule.either ? own : Bindable::Dependent::none, asked});
    turned_ = role.turned;
    goals_.push_back({&rule.premises[0].term, role.turned ? belief_->apart : task_->term});
    goals_.push_back({&rule.premises[1].term, role.turned ? task_->term : belief_->apart});
    solve(0);
  }

  void try_asking(const Asking& asking) {
    const Rule& rule = rules_[asking.rule];
    start(asking.rule, {});
    asking_for_ = 1U - asking.known;
    goals_.push_back({&rule.conclusion.term, task_->term});
    goals_.push_back({&rule.premises[asking.known].term, belief_->apart});
    solve(0);
  }

  // Matches all goals from `at` on, in every way there is, and draws the conclusion of each.
  void solve(std::size_t at) {
    if (++steps_ > most_matching || conclusions_->size() - first_ >= most_conclusions) return;
    if (at == goals_.size()) {
      conclude();
      return;
    }
    const auto [pattern, term] = goals_[at];
    if (pattern->letter != TermPattern::no_letter) {
      solve_letter(*pattern, term, at);
    } else if (pattern->label.kind == TermKind::statement) {
      if (term.kind() != TermKind::statement || term.label().symbol != pattern->label.symbol) return;
      with_goals(*pattern, {term.subject(), term.predicate()}, at);
      if (narsese::is_commutative(term.label())) with_goals(*pattern, {term.predicate(), term.subject()}, at);
    } else if (term.kind() == TermKind::compound && term.label().symbol == pattern->label.symbol) {
      solve_compound(*pattern, term, at);
    }
  }

  void solve_letter(const TermPattern& pattern, Term term, std::size_t at) {
    Term& letter = letters_[pattern.letter];
    if (!letter) {
      letter = term;
      solve(at + 1);
      letters_[pattern.letter] = Term();
      return;
    }
    const std::size_t before = unifier_.size();
    if (unifier_.unify(letter, term)) solve(at + 1);
    unifier_.go_back(before);
  }

  void with_goals(const TermPattern& pattern, std::array<Term, 2> terms, std::size_t at) {
    const std::size_t before = goals_.size();
    goals_.push_back({&pattern.parts[0], terms[0]});
    goals_.push_back({&pattern.parts[1], terms[1]});
    solve(at + 1);
    goals_.resize(before);
  }

  void solve_compound(const TermPattern& pattern, Term term, std::size_t at) {
    const auto components = term.components();
    if (narsese::is_commutative(pattern.label) && pattern.parts.size() == 2) {
      solve_split(pattern, term, at);
      return;
    }
    if (components.size() != pattern.parts.size() || term.label().position != pattern.label.position) return;
    const std::size_t before = goals_.size();
    for (std::size_t i = 0; i < components.size(); ++i) goals_.push_back({&pattern.parts[i], components[i]});
    solve(at + 1);
    goals_.resize(before);
  }

  // One component, and what is left of the others.
  void solve_split(const TermPattern& pattern, Term term, std::size_t at) {
    const auto components = term.components();
    if (components.size() < 2) return;
    std::vector<Term> others;
    for (std::size_t i = 0; i < components.size(); ++i) {
      others.clear();
      for (std::size_t j = 0; j < components.size(); ++j)
        if (j != i) others.push_back(components[j]);
      const Term rest = others.size() == 1 ? others[0] : table_.compound(term.connector(), others);
      with_goals(pattern, {components[i], rest}, at);
      const bool set =
          term.is(narsese::Connector::extensional_set) || term.is(narsese::Connector::intensional_set);
      if (components.size() > 2 && !set) with_goals(pattern, {rest, components[i]}, at);
    }
  }

  Term build(const TermPattern& pattern) {
    if (pattern.letter != TermPattern::no_letter) {
      const Term letter = letters_[pattern.letter];
      return letter ? unifier_.substitute(letter, limits_) : Term();
    }
    Components parts;
    parts.reserve(pattern.parts.size());
    for (const TermPattern& part : pattern.parts) {
      parts.push_back(build(part));
      if (!parts.back()) return {};
    }
    return make_term(table_, pattern.label, {parts.data(), parts.size()}, limits_);
  }

  void conclude() {
    const Rule& rule = rules_[rule_];
    if (asking_for_ != none) {
      ask(build(rule.premises[asking_for_].term));
      return;
    }
    if (rule.dependent && !unifier_.binds_dependent()) return;
    const TruthValue truth = truth_of(rule);
    if (truth.confidence < min_confidence) return;
    // A difference is worth a thought where it holds.
    if (rule.truth == narsese::difference && truth.frequency <= 0.5) return;
    if (rule.introducing) {
      introduce(rule, truth);
      return;
    }
    const Term term = build(rule.conclusion.term);
    if (term && term.complexity() <= limits_.max_complexity && term.depth() <= limits_.max_depth)
      draw(term, truth);
  }

  void introduce(const Rule& rule, TruthValue truth) {
    const TermPattern& pattern = rule.conclusion.term;
    Components parts;
    for (const TermPattern& part : pattern.parts) {
      parts.push_back(build(part));
      if (!parts.back()) return;
    }
    for (const Generalization& general :
         introduce_variables(table_, pattern.label, {parts.data(), parts.size()}, limits_)) {
      TruthValue weaker = truth;
      for (std::size_t i = 1; i < general.variables; ++i) weaker.confidence *= confidence_for_variable;
      draw(general.term, weaker);
    }
  }

  TruthValue truth_of(const Rule& rule) const {
    if (rule.premises.size() == 1) return rule.truth(task_->truth, {});
    return turned_ ? rule.truth(belief_->truth, task_->truth) : rule.truth(task_->truth, belief_->truth);
  }

  void draw(Term term, TruthValue truth) {
    if (truth.confidence < min_confidence || !says_something(term)) return;
    if (!is_numbered(term)) term = narsese::number_variables(table_, term);
    const Punctuation punctuation = rules_[rule_].conclusion.punctuation;
    if (task_->punctuation == Punctuation::question && !fits(table_, task_->term, term)) return;
    if (term == belief_->term && punctuation == Punctuation::judgment) return;
    if (term == task_->term && punctuation == task_->punctuation) return;
    for (std::size_t i = first_; i < conclusions_->size(); ++i) {
      const Conclusion& other = (*conclusions_)[i];
      if (other.term == term && other.punctuation == punctuation && other.truth == truth) return;
    }
    conclusions_->push_back({term, punctuation, truth, rule_, rules_[rule_].strong});
  }

  void ask(Term term) {
    if (!term || term.kind() == TermKind::variable) return;
    // What holds of everything is asked of anything.
    if (!says_something(term) && !narsese::is_higher_order(term))
      term = narsese::with_leaves(table_, term, [&](Term leaf) {
        const bool free =
            leaf.kind() == TermKind::variable && leaf.variable_kind() == narsese::VariableKind::independent;
        return free ? table_.variable(narsese::VariableKind::query, leaf.number() + 2 * most_variables)
                    : leaf;
      });
    term = narsese::number_variables(table_, term);
    if (term == task_->term || term == belief_->term) return;
    if (term.kind() == TermKind::statement && term.subject().kind() == TermKind::variable &&
        term.predicate().kind() == TermKind::variable)
      return;
    for (std::size_t i = first_; i < conclusions_->size(); ++i)
      if ((*conclusions_)[i].term == term && (*conclusions_)[i].punctuation == Punctuation::question) return;
    conclusions_->push_back({term, Punctuation::question, {}, rule_, true});
  }

  static constexpr std::size_t none = 2;

  TermTable& table_;
  TermLimits limits_;
  Unifier unifier_;
  const RuleIndex& index_;
  const std::vector<Rule>& rules_;

  // Of the pair, and of the rule, at hand.
  const Premise* task_ = nullptr;
  const Premise* belief_ = nullptr;
  std::vector<Conclusion>* conclusions_ = nullptr;
  std::size_t first_ = 0;
  std::uint16_t rule_ = 0;
  bool turned_ = false;
  std::size_t asking_for_ = none;
  std::array<Term, Rule::most_letters> letters_;
  std::vector<Goal> goals_;
  std::size_t steps_ = 0;
};

InferenceRules::InferenceRules(TermTable& table, int level, const TermLimits& limits)
    : work_(std::make_unique<Work>(table, level, limits)) {}
InferenceRules::InferenceRules(InferenceRules&&) noexcept = default;
InferenceRules& InferenceRules::operator=(InferenceRules&&) noexcept = default;
InferenceRules::~InferenceRules() = default;

void InferenceRules::apply(const Premise& task, const Premise& belief, bool overlap,
                           std::vector<Conclusion>& conclusions) {
  work_->apply(task, belief, overlap, conclusions);
}
void InferenceRules::apply(const Premise& task, std::vector<Conclusion>& conclusions) {
  work_->apply(task, conclusions);
}

std::string_view InferenceRules::name(std::uint16_t rule) const { return work_->rule(rule).truth_name; }
std::string_view InferenceRules::line(std::uint16_t rule) const { return work_->rule(rule).line; }
std::size_t InferenceRules::size() const { return work_->size(); }

}  // namespace engram::bridge
