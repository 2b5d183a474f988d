// SPDX-License-Identifier: MIT
#include "core/reasoner/inference_rules.hpp"

#include <algorithm>
#include <array>

#include "core/reasoner/rule_table.hpp"
#include "core/reasoner/term_making.hpp"
#include "core/reasoner/unifier.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

using narsese::Punctuation;
using narsese::Term;
using narsese::TermKind;
using narsese::TermTable;
using narsese::TruthValue;

namespace {

// Number of distinct heads. The head of a term is its copula, its connector, or neither.
constexpr std::size_t heads = narsese::copulas.size() + narsese::connectors.size() + 1;

std::size_t head_of(narsese::TermLabel label) {
  if (label.kind == TermKind::statement) return label.symbol;
  if (label.kind == TermKind::compound) return narsese::copulas.size() + label.symbol;
  return heads - 1;
}

bool matches_head(const TermPattern& pattern, std::size_t head) {
  return pattern.is_letter() || head_of(pattern.label) == head;
}

// Bit set over the pairs of sides of two statements: the pairs with the same term.
using Figure = std::uint8_t;

Figure bit_of(std::size_t first, std::size_t second) {
  return static_cast<Figure>(1U << (2 * first + second));
}

// The pairs of sides that must be equal for a rule to apply.
Figure required_figure(const Rule& rule) {
  Figure figure = 0;
  const TermPattern &a = rule.premises[0].term, &b = rule.premises[1].term;
  if (a.label.kind != TermKind::statement || b.label.kind != TermKind::statement) return 0;
  if (narsese::is_commutative(a.label) || narsese::is_commutative(b.label)) return 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      if (a.parts[i].is_letter() && a.parts[i].letter == b.parts[j].letter) figure |= bit_of(i, j);
  return figure;
}

// The pairs of sides that are equal or may become equal by unification.
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

// Whether a term is certainly in canonical form, because it has at most one variable of each kind, with number 1.
bool is_numbered(Term term) {
  if (!term.has_variables()) return true;
  if (term.kind() == TermKind::variable) return term.number() == 1;
  return std::ranges::all_of(term.components(), is_numbered);
}

// Maps the letters of one premise to the letters of the other in the same places. Returns false if the patterns differ.
bool exchange(const TermPattern& a, const TermPattern& b,
              std::array<std::uint8_t, Rule::max_letters>& letters) {
  if (a.is_letter() != b.is_letter()) return false;
  if (a.is_letter()) {
    if (letters[a.letter] == TermPattern::no_letter) letters[a.letter] = b.letter;
    return letters[a.letter] == b.letter;
  }
  if (a.label != b.label) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!exchange(a.parts[i], b.parts[i], letters)) return false;
  return true;
}

// Whether a pattern equals another one after its letters are mapped.
bool same(const TermPattern& a, const TermPattern& b,
          const std::array<std::uint8_t, Rule::max_letters>& letters) {
  if (a.is_letter()) return b.is_letter() && letters[a.letter] == b.letter;
  if (a.label != b.label || b.is_letter()) return false;
  if (same(a.parts[0], b.parts[0], letters) && a.parts.size() == 1) return true;
  if (a.parts.size() != 2) return false;
  return (same(a.parts[0], b.parts[0], letters) && same(a.parts[1], b.parts[1], letters)) ||
         (narsese::is_commutative(a.label) && same(a.parts[0], b.parts[1], letters) &&
          same(a.parts[1], b.parts[0], letters));
}

// Whether a rule gives the same conclusion for exchanged premises. Then one role is enough.
bool is_symmetric(const Rule& rule) {
  const bool symmetric_truth = rule.truth == narsese::comparison || rule.truth == narsese::resemblance ||
                               rule.truth == narsese::intersection || rule.truth == narsese::set_union;
  if (!symmetric_truth || rule.premises[0].punctuation != rule.premises[1].punctuation) return false;
  std::array<std::uint8_t, Rule::max_letters> letters;
  letters.fill(TermPattern::no_letter);
  const TermPattern &a = rule.premises[0].term, &b = rule.premises[1].term;
  return exchange(a, b, letters) && exchange(b, a, letters) &&
         same(rule.conclusion.term, rule.conclusion.term, letters);
}

// Kinds of tasks: judgments, questions and quests, goals.
constexpr std::size_t task_kinds = 3;
std::size_t kind_of(Punctuation task) {
  return task == Punctuation::judgment ? 0 : task == Punctuation::goal ? 2 : 1;
}

// A rule with an assignment of task and belief to its premises.
struct RuleRole {
  std::uint16_t rule = 0;
  bool turned = false;  // the task is the second premise
  Figure figure = 0;    // required of task and belief
};

// A rule used backward: the question matches its conclusion, the belief matches premise `known`, and the other premise
// is asked.
struct Asking {
  std::uint16_t rule = 0;
  std::uint8_t known = 0;
};

// All rules, indexed by the heads of their premises. All reasoners share one instance.
class RuleIndex {
 public:
  RuleIndex()
      : rules(read_rules(rule_table())),
        two_(task_kinds * heads * heads),
        asking_(heads * heads),
        one_(heads) {
    for (std::size_t i = 0; i < rules.size(); ++i) add(static_cast<std::uint16_t>(i));
  }

  static const RuleIndex& instance() {
    static const RuleIndex index;
    return index;
  }

  const std::vector<RuleRole>& of_two(Punctuation task, std::size_t task_head,
                                      std::size_t belief_head) const {
    return two_[place(task, task_head, belief_head)];
  }
  const std::vector<Asking>& asking(std::size_t question_head, std::size_t belief_head) const {
    return asking_[question_head * heads + belief_head];
  }
  const std::vector<std::uint16_t>& of_one(std::size_t head) const { return one_[head]; }

  std::vector<Rule> rules;

 private:
  static std::size_t place(Punctuation task, std::size_t task_head, std::size_t belief_head) {
    return (kind_of(task) * heads + task_head) * heads + belief_head;
  }

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
              !rule.premises[i].term.is_letter())
            asking_[asked * heads + known].push_back({number, i});
  }

  void add_roles(std::uint16_t number, std::size_t a, std::size_t b) {
    const Rule& rule = rules[number];
    const Figure figure = required_figure(rule);
    const Figure turned = static_cast<Figure>((figure & 9) | (figure & 2) << 1 | (figure & 4) >> 1);
    const Punctuation first = rule.premises[0].punctuation, second = rule.premises[1].punctuation;
    // A belief is always a judgment.
    if (second == Punctuation::judgment) two_[place(first, a, b)].push_back({number, false, figure});
    if (is_symmetric(rule)) return;
    if (first == Punctuation::judgment) two_[place(second, b, a)].push_back({number, true, turned});
  }

  std::vector<std::vector<RuleRole>> two_;
  std::vector<std::vector<Asking>> asking_;
  std::vector<std::vector<std::uint16_t>> one_;
};

}  // namespace

class InferenceRules::Engine {
 public:
  Engine(TermTable& table, const TermLimits& limits)
      : table_(table),
        limits_(limits),
        unifier_(table),
        index_(RuleIndex::instance()),
        rules_(index_.rules) {}

  void apply(const Premise& task, const Premise& belief, bool overlap, std::vector<Conclusion>& conclusions) {
    if (task.punctuation == Punctuation::quest) return;
    begin(task, belief, conclusions);
    const std::size_t own = head_of(task.term.label()), other = head_of(belief.term.label());
    const Figure figure = figure_of(task.term, belief.renamed);
    for (const RuleRole& role : index_.of_two(task.punctuation, own, other))
      if ((role.figure & ~figure) == 0 && (!overlap || rules_[role.rule].overlap)) try_role(role);
    if (task.punctuation == Punctuation::question)
      for (const Asking& asking : index_.asking(own, other)) try_asking(asking);
  }

  void apply(const Premise& task, std::vector<Conclusion>& conclusions) {
    if (task.punctuation != Punctuation::judgment) return;
    begin(task, task, conclusions);
    for (const std::uint16_t rule : index_.of_one(head_of(task.term.label()))) {
      start(rule, {});
      matches_.push_back({&rules_[rule].premises[0].term, task.term});
      solve(0);
    }
  }

  const Rule& rule(std::uint16_t number) const { return rules_[number]; }

 private:
  struct Match {
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
    matches_.clear();
    steps_ = 0;
    asking_for_ = none;
    unifier_.begin(bindable);
  }

  void try_role(const RuleRole& role) {
    const Rule& rule = rules_[role.rule];
    // Only #x of the implication, conjunction or equivalence may be bound, not #x of the other premise.
    const bool second = !rule.premises[1].term.is_letter() && rule.premises[0].term.is_letter();
    const auto own = role.turned != second ? Bindable::Dependent::renamed : Bindable::Dependent::own;
    const bool asked = task_->punctuation == Punctuation::question;
    start(role.rule, {true, rule.dependent || rule.either ? own : Bindable::Dependent::none, asked});
    turned_ = role.turned;
    matches_.push_back({&rule.premises[0].term, role.turned ? belief_->renamed : task_->term});
    matches_.push_back({&rule.premises[1].term, role.turned ? task_->term : belief_->renamed});
    solve(0);
  }

  void try_asking(const Asking& asking) {
    const Rule& rule = rules_[asking.rule];
    start(asking.rule, {});
    asking_for_ = 1U - asking.known;
    matches_.push_back({&rule.conclusion.term, task_->term});
    matches_.push_back({&rule.premises[asking.known].term, belief_->renamed});
    solve(0);
  }

  // Matches all pairs of pattern and term from `at` on in every possible way, and draws the conclusion of each.
  void solve(std::size_t at) {
    if (++steps_ > max_match_steps || conclusions_->size() - first_ >= max_conclusions) return;
    if (at == matches_.size()) {
      conclude();
      return;
    }
    const auto [pattern, term] = matches_[at];
    if (pattern->is_letter()) {
      solve_letter(*pattern, term, at);
    } else if (pattern->label.kind == TermKind::statement) {
      if (term.kind() != TermKind::statement || term.label().symbol != pattern->label.symbol) return;
      with_matches(*pattern, {term.subject(), term.predicate()}, at);
      if (narsese::is_commutative(term.label()))
        with_matches(*pattern, {term.predicate(), term.subject()}, at);
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

  void with_matches(const TermPattern& pattern, std::array<Term, 2> terms, std::size_t at) {
    const std::size_t before = matches_.size();
    matches_.push_back({&pattern.parts[0], terms[0]});
    matches_.push_back({&pattern.parts[1], terms[1]});
    solve(at + 1);
    matches_.resize(before);
  }

  void solve_compound(const TermPattern& pattern, Term term, std::size_t at) {
    const auto components = term.components();
    if (narsese::is_commutative(pattern.label) && pattern.parts.size() == 2) {
      solve_split(pattern, term, at);
      return;
    }
    if (components.size() != pattern.parts.size() || term.label().position != pattern.label.position) return;
    const std::size_t before = matches_.size();
    for (std::size_t i = 0; i < components.size(); ++i)
      matches_.push_back({&pattern.parts[i], components[i]});
    solve(at + 1);
    matches_.resize(before);
  }

  // Matches one component, and the compound of the others.
  void solve_split(const TermPattern& pattern, Term term, std::size_t at) {
    const auto components = term.components();
    if (components.size() < 2) return;
    std::vector<Term> others;
    for (std::size_t i = 0; i < components.size(); ++i) {
      others.clear();
      for (std::size_t j = 0; j < components.size(); ++j)
        if (j != i) others.push_back(components[j]);
      const Term rest = others.size() == 1 ? others[0] : table_.compound(term.connector(), others);
      with_matches(pattern, {components[i], rest}, at);
      const bool set =
          term.is(narsese::Connector::extensional_set) || term.is(narsese::Connector::intensional_set);
      if (components.size() > 2 && !set) with_matches(pattern, {rest, components[i]}, at);
    }
  }

  Term build(const TermPattern& pattern) {
    if (pattern.is_letter()) {
      const Term letter = letters_[pattern.letter];
      return letter ? unifier_.substitute(letter, limits_) : Term();
    }
    Components parts;
    if (!build_parts(pattern, parts)) return {};
    return make_term(table_, pattern.label, {parts.data(), parts.size()}, limits_);
  }

  // Returns false if the limits reject a part.
  bool build_parts(const TermPattern& pattern, Components& parts) {
    for (const TermPattern& part : pattern.parts) {
      parts.push_back(build(part));
      if (!parts.back()) return false;
    }
    return true;
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
    // A difference is concluded only if it is rather true.
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
    if (!build_parts(pattern, parts)) return;
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
    if (truth.confidence < min_confidence || !is_informative(term)) return;
    if (!is_numbered(term)) term = narsese::number_variables(table_, term);
    const Punctuation punctuation = rules_[rule_].conclusion.punctuation;
    if (task_->punctuation == Punctuation::question && !matches_question(table_, task_->term, term)) return;
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
    // A question about all $x becomes a question about some ?x.
    if (!is_informative(term) && !narsese::is_higher_order(term))
      term = narsese::with_leaves(table_, term, [&](Term leaf) {
        const bool free =
            leaf.kind() == TermKind::variable && leaf.variable_kind() == narsese::VariableKind::independent;
        return free ? table_.variable(narsese::VariableKind::query, leaf.number() + 2 * renamed_from) : leaf;
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

  // The current premises, the current rule, and the state of its matching.
  const Premise* task_ = nullptr;
  const Premise* belief_ = nullptr;
  std::vector<Conclusion>* conclusions_ = nullptr;
  std::size_t first_ = 0;
  std::uint16_t rule_ = 0;
  bool turned_ = false;
  std::size_t asking_for_ = none;
  std::array<Term, Rule::max_letters> letters_;
  std::vector<Match> matches_;
  std::size_t steps_ = 0;
};

InferenceRules::InferenceRules(TermTable& table, const TermLimits& limits)
    : engine_(std::make_unique<Engine>(table, limits)) {}
InferenceRules::~InferenceRules() = default;

void InferenceRules::apply(const Premise& task, const Premise& belief, bool overlap,
                           std::vector<Conclusion>& conclusions) {
  engine_->apply(task, belief, overlap, conclusions);
}
void InferenceRules::apply(const Premise& task, std::vector<Conclusion>& conclusions) {
  engine_->apply(task, conclusions);
}

std::string_view InferenceRules::name(std::uint16_t rule) const { return engine_->rule(rule).truth_name; }
std::string_view InferenceRules::line(std::uint16_t rule) const { return engine_->rule(rule).line; }

}  // namespace engram::core
