// SPDX-License-Identifier: MIT
#include "core/retrieval/backward_chaining.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/numbers/work.hpp"
#include "core/retrieval/unification.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Copula;
using narsese::Term;
using narsese::TermKind;

// With variables filled in, what is shared may be written out without end: of terms of more nodes than this
// it is known no more than that they do not unify.
constexpr std::size_t most_nodes = 4096;

// A term as one use of a statement has it: its variables are others than those of the next use.
struct Instance {
  Term term;
  std::uint32_t use = 0;

  Instance part(std::size_t i) const { return {term.components()[i], use}; }
  friend bool operator==(const Instance&, const Instance&) = default;
};

// What variables stand for, structure shared: no term is made.
class Substitution {
 public:
  Instance value_of(Instance of) const {
    while (of.term.kind() == TermKind::variable) {
      const auto found = std::ranges::find(bound_, of, &Bound::variable);
      if (found == bound_.end()) break;
      of = found->value;
    }
    return of;
  }

  // Where it fails, it leaves things as they were.
  bool unify(Instance a, Instance b) {
    nodes_left_ = most_nodes;
    return unify_nodes(a, b);
  }

  std::size_t size() const { return bound_.size(); }
  std::size_t bytes() const { return bound_.size() * sizeof(Bound); }
  void undo_to(std::size_t size) { bound_.resize(size); }

  // Calls visit(Term) for each name in it, and returns whether a variable is left.
  template <class Visit>
  bool names_in(Instance of, const Visit& visit) const {
    nodes_left_ = most_nodes;
    return visit_names(of, visit);
  }

 private:
  struct Bound {
    Instance variable, value;
  };

  bool unify_nodes(Instance a, Instance b) {
    spend(8 + bound_.size());
    if (nodes_left_ == 0) return false;
    --nodes_left_;
    a = value_of(a);
    b = value_of(b);
    if (a == b || (a.term == b.term && !a.term.has_variables())) return true;
    if (a.term.kind() == TermKind::variable) return bind(a, b);
    if (b.term.kind() == TermKind::variable) return bind(b, a);
    if (!a.term.has_variables() && !b.term.has_variables()) return false;
    if (a.term.components().empty() || a.term.label().bits() != b.term.label().bits()) return false;
    const std::size_t before = bound_.size();
    if (unify_parts(a, b, false)) return true;
    bound_.resize(before);
    const bool turns = narsese::is_commutative(a.term.label()) && a.term.components().size() == 2 &&
                       std::max(a.term.complexity(), b.term.complexity()) <= most_turned;
    if (turns && unify_parts(a, b, true)) return true;
    bound_.resize(before);
    return false;
  }

  template <class Visit>
  bool visit_names(Instance of, const Visit& visit) const {
    of = value_of(of);
    spend(4);
    if (nodes_left_ == 0) return true;
    --nodes_left_;
    const TermKind kind = of.term.kind();
    if (kind == TermKind::variable) return true;
    if (kind == TermKind::atom || kind == TermKind::op) visit(of.term);
    bool open = false;
    for (std::size_t i = 0; i < of.term.components().size(); ++i) open |= visit_names(of.part(i), visit);
    return open;
  }

  bool unify_parts(Instance a, Instance b, bool turned) {
    const std::size_t n = a.term.components().size();
    for (std::size_t i = 0; i < n; ++i)
      if (!unify_nodes(a.part(i), b.part(turned ? n - 1 - i : i))) return false;
    return true;
  }

  bool bind(Instance variable, Instance value) {
    if (occurs(variable, value)) return false;
    bound_.push_back({variable, value});
    return true;
  }

  bool occurs(Instance variable, Instance in) const {
    in = value_of(in);
    spend(4);
    if (nodes_left_ == 0 || in == variable) return true;
    --nodes_left_;
    if (!in.term.has_variables()) return false;
    for (std::size_t i = 0; i < in.term.components().size(); ++i)
      if (occurs(variable, in.part(i))) return true;
    return false;
  }

  std::vector<Bound> bound_;
  mutable std::size_t nodes_left_ = most_nodes;
};

// Copulas of which <s C x> and <x C c> give <s C c>.
bool is_transitive(Term term) { return term.is(Copula::inheritance) || narsese::is_implication(term); }

// A goal: a statement, or <subject C predicate of it> where steps have gone on from its subject.
struct Goal {
  Instance of;
  std::optional<Instance> subject;
  int depth = 0;

  bool has_steps(const Substitution& known) const { return is_transitive(known.value_of(of).term); }
  Instance subject_in(const Substitution& known) const {
    return subject ? *subject : known.value_of(of).part(0);
  }
  Instance predicate_in(const Substitution& known) const { return known.value_of(of).part(1); }
  bool has_copula_of(Term term, const Substitution& known) const {
    return known.value_of(of).term.label().bits() == term.label().bits();
  }
  bool unify(Instance with, Substitution& known) const {
    if (!subject) return known.unify(of, with);
    if (!has_copula_of(with.term, known)) return false;
    const std::size_t before = known.size();
    if (known.unify(with.part(0), *subject) && known.unify(predicate_in(known), with.part(1))) return true;
    known.undo_to(before);
    return false;
  }
};

// A proof in the making.
struct Attempt {
  std::vector<Goal> goals;
  std::vector<StatementId> used;
  Substitution known;
  std::uint32_t uses = 0;  // numbers given to uses of statements

  std::size_t bytes() const {
    return sizeof(Attempt) + goals.size() * sizeof(Goal) + used.size() * sizeof(StatementId) + known.bytes();
  }
};

class Search {
 public:
  Search(const Readings& memory, const BackwardOptions& options) : memory_(memory), options_(options) {
    for (const StatementId e : memory.rules())
      if (is_believed(e)) add_rule_patterns(e, memory.statement_term(e), rules_);
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      learn_names(rules_[r].statement);
      const Term conclusion = rules_[r].conclusion;
      const bool keyed =
          conclusion.kind() == TermKind::statement && conclusion.predicate().kind() == TermKind::atom;
      (keyed ? by_predicate_[conclusion.predicate()] : of_any_predicate_).push_back(r);
    }
  }

  BackwardChaining of(Term question, const Cue& cue) {
    for (const ConceptId id : cue.names()) ids_.emplace(memory_.term(id), id);
    is_open_ = question.has_variables();
    push({{{{question, 0}, {}, 0}}, {}, {}, 1});
    std::size_t size = 0;  // of the proofs that are being looked for
    while (!waiting_.empty() && visits_ < options_.visits) {
      auto& [cost, attempts] = *waiting_.begin();
      if (cost > size) add_proofs_of_a_size();
      if (found_.proofs.size() >= options_.proofs) break;
      size = cost;
      Attempt attempt = std::move(attempts.front());
      attempts.pop_front();
      if (attempts.empty()) waiting_.erase(waiting_.begin());
      if (attempt.goals.empty())
        proofs_of_a_size_.push_back(proof_of(attempt));
      else
        go_on(attempt);
    }
    add_proofs_of_a_size();
    if (found_.proofs.size() > options_.proofs) found_.proofs.resize(options_.proofs);
    for (const auto& [statement, depth] : touched_) found_.touched.push_back({statement, depth});
    return std::move(found_);
  }

 private:
  bool is_believed(StatementId e) const { return memory_.evidence(e) > 0 && memory_.expectation(e) >= 0.5; }

  // Names are met in the question and in what was used: a goal has no others.
  void learn_names(StatementId e) {
    for (const ConceptId id : memory_.episode(e)) ids_.emplace(memory_.term(id), id);
  }

  void push(Attempt attempt) {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    for (bytes_ += attempt.bytes(); bytes_ > chunk * claims_.size();)
      claims_.push_back(std::make_unique<Claim>(chunk));
    waiting_[attempt.used.size() + attempt.goals.size()].push_back(std::move(attempt));
  }

  // In the order of terms, which is the same whatever was said first.
  bool comes_before(StatementId a, StatementId b) const {
    const auto order = narsese::compare(memory_.statement_term(a), memory_.statement_term(b));
    return order != 0 ? order < 0 : a < b;
  }

  std::vector<StatementId> proof_of(const Attempt& attempt) const {
    std::vector<StatementId> proof = attempt.used;
    std::ranges::sort(proof, [&](StatementId a, StatementId b) { return comes_before(a, b); });
    proof.erase(std::unique(proof.begin(), proof.end()), proof.end());
    return proof;
  }

  // One that goes in a circle, or repeats another with something besides, tells nothing; where the question
  // has variables, though, what is besides may lead to another answer.
  bool adds_nothing(const std::vector<StatementId>& proof) const {
    spend(proof.size() * found_.proofs.size());
    return std::ranges::any_of(found_.proofs, [&](const auto& other) {
      return is_open_ ? proof == other : std::ranges::includes(proof, other);
    });
  }

  void add_proofs_of_a_size() {
    std::ranges::sort(proofs_of_a_size_, [&](const auto& a, const auto& b) {
      return std::ranges::lexicographical_compare(
          a, b, [&](StatementId x, StatementId y) { return comes_before(x, y); });
    });
    for (std::vector<StatementId>& proof : proofs_of_a_size_) {
      std::ranges::sort(proof);
      if (!adds_nothing(proof)) found_.proofs.push_back(std::move(proof));
    }
    proofs_of_a_size_.clear();
  }

  // The statements that mention the rarest name of something; none where it names nothing known.
  struct Mentions {
    std::span<const StatementId> statements;
    bool is_open = false;  // whether it has a variable
  };

  Mentions mentioning(Instance asked, const Substitution& known) const {
    Mentions rarest;
    bool any = false;
    rarest.is_open = known.names_in(asked, [&](Term name) {
      const auto id = ids_.find(name);
      if (id == ids_.end()) return;
      const auto statements = memory_.mentions(id->second);
      if (!any || statements.size() < rarest.statements.size()) rarest.statements = statements;
      any = true;
    });
    return rarest;
  }

  // What may meet a goal; where its subject has no variable, steps may go on from there, too.
  Mentions candidates(const Goal& goal, const Substitution& known) const {
    if (!goal.has_steps(known)) return {mentioning(goal.of, known).statements, true};
    const Mentions by_subject = mentioning(goal.subject_in(known), known);
    if (!by_subject.is_open) return by_subject;
    const Mentions by_predicate = mentioning(goal.predicate_in(known), known);
    const std::size_t subject = by_subject.statements.size(), predicate = by_predicate.statements.size();
    return {subject > 0 && (predicate == 0 || subject < predicate) ? by_subject.statements
                                                                   : by_predicate.statements,
            true};
  }

  // What is tried is undone: an attempt is copied where something came of it.
  void go_on(Attempt& attempt) {
    std::size_t next = 0, fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t g = 0; g < attempt.goals.size(); ++g) {
      const std::size_t count = candidates(attempt.goals[g], attempt.known).statements.size();
      if (count > 0 && count < fewest) {
        next = g;
        fewest = count;
      }
    }
    const Goal goal = attempt.goals[next];
    const Mentions found = candidates(goal, attempt.known);
    for (const StatementId e : found.statements) {
      if (++visits_ > options_.visits) return;
      const bool is_rule = std::ranges::binary_search(memory_.rules(), e);
      if (!is_rule && is_believed(e))
        use_fact(attempt, next, e, !found.is_open);
      else if (!is_rule && !is_open_ && attempt.used.empty() && memory_.evidence(e) > 0)
        meet(attempt, next, e);  // the question itself is denied: an answer, too
    }
    if (goal.depth == options_.depth) return;
    const Instance asked = attempt.known.value_of(goal.of);
    const Term predicate =
        asked.term.kind() == TermKind::statement ? attempt.known.value_of(asked.part(1)).term : asked.term;
    if (predicate.kind() == TermKind::atom) {
      const auto rules = by_predicate_.find(predicate);
      if (rules != by_predicate_.end())
        for (const std::size_t r : rules->second) use_rule(attempt, next, rules_[r]);
      for (const std::size_t r : of_any_predicate_) use_rule(attempt, next, rules_[r]);
    } else {
      for (const RulePattern& rule : rules_) use_rule(attempt, next, rule);
    }
  }

  void use_fact(Attempt& attempt, std::size_t next, StatementId e, bool may_step) {
    const Term said = memory_.statement_term(e);
    const Goal& goal = attempt.goals[next];
    if (narsese::is_implication(said) || narsese::is_equivalence(said)) {  // one without variables
      std::vector<RulePattern> patterns;
      add_rule_patterns(e, said, patterns);
      for (const RulePattern& rule : patterns)
        if (goal.depth < options_.depth) use_rule(attempt, next, rule);
    }
    const bool is_met = meet(attempt, next, e);
    if (!may_step || goal.depth == options_.depth) return;
    const Instance wanted = attempt.known.value_of(goal.predicate_in(attempt.known));
    if (is_met && wanted.term.kind() != TermKind::variable) return;  // a step would lead from there to there
    if (goal.has_copula_of(said, attempt.known)) step(attempt, next, e, 0);
    if (!said.is(Copula::similarity) || std::ranges::count(attempt.used, e) > 0) return;  // else to and fro
    step(attempt, next, e, 0);
    step(attempt, next, e, 1);
  }

  bool meet(Attempt& attempt, std::size_t next, StatementId e) {
    const std::size_t known = attempt.known.size();
    const Goal& goal = attempt.goals[next];
    const bool is_met = goal.unify({memory_.statement_term(e), attempt.uses}, attempt.known);
    if (is_met) use(without(attempt, next), e, goal.depth);
    attempt.known.undo_to(known);
    return is_met;
  }

  // From the part of a statement that is the goal's subject to the other.
  void step(Attempt& attempt, std::size_t next, StatementId e, std::size_t part) {
    const std::size_t known = attempt.known.size();
    const Goal& goal = attempt.goals[next];
    const Instance fact{memory_.statement_term(e), attempt.uses};
    if (attempt.known.unify(fact.part(part), goal.subject_in(attempt.known))) {
      Attempt gone_on = attempt;
      gone_on.goals[next].subject = fact.part(1 - part);
      ++gone_on.goals[next].depth;
      use(std::move(gone_on), e, goal.depth);
    }
    attempt.known.undo_to(known);
  }

  void use_rule(Attempt& attempt, std::size_t next, const RulePattern& rule) {
    if (++visits_ > options_.visits) return;
    const std::size_t known = attempt.known.size();
    const int depth = attempt.goals[next].depth;
    if (attempt.goals[next].unify({rule.conclusion, attempt.uses}, attempt.known)) {
      Attempt met = without(attempt, next);
      for (const Term premise : rule.premises) met.goals.push_back({{premise, attempt.uses}, {}, depth + 1});
      use(std::move(met), rule.statement, depth);
    }
    attempt.known.undo_to(known);
  }

  static Attempt without(const Attempt& attempt, std::size_t goal) {
    Attempt rest = attempt;
    rest.goals.erase(rest.goals.begin() + static_cast<std::ptrdiff_t>(goal));
    return rest;
  }

  void use(Attempt attempt, StatementId e, int depth) {
    learn_names(e);
    const auto [touched, is_new] = touched_.emplace(e, depth);
    if (!is_new) touched->second = std::min(touched->second, depth);
    attempt.used.push_back(e);
    ++attempt.uses;
    push(std::move(attempt));
  }

  const Readings& memory_;
  const BackwardOptions& options_;
  std::vector<RulePattern> rules_;
  std::unordered_map<Term, std::vector<std::size_t>, narsese::HashOfTerm> by_predicate_;  // looked up alone
  std::unordered_map<Term, ConceptId, narsese::HashOfTerm> ids_;                          // likewise
  std::vector<std::size_t> of_any_predicate_;
  std::map<std::size_t, std::deque<Attempt>> waiting_;  // by statements used and goals left
  std::vector<std::unique_ptr<Claim>> claims_;
  std::size_t bytes_ = 0, visits_ = 0;
  std::map<StatementId, int> touched_;
  std::vector<std::vector<StatementId>> proofs_of_a_size_;
  bool is_open_ = false;
  BackwardChaining found_;
};

}  // namespace

BackwardChaining chain_backward(const Readings& memory, const Cue& question, const BackwardOptions& options) {
  if (!question.term || question.term.kind() != TermKind::statement) return {};
  return Search(memory, options).of(question.term, question);
}

}  // namespace engram::core
