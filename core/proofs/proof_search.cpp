// SPDX-License-Identifier: MIT
#include "core/proofs/proof_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "core/index/proof_rules.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::size_t most_premises = 8;

// The steps that may prove a goal. Each chain of inheritances is decomposed in only one order: facts are removed from
// the subject onwards up to the first link that a rule concludes, and then from the predicate backwards (rule_first).
enum class AllowedSteps : std::uint8_t { any, rule_first };

// A goal and the steps that may prove it. Parts of a goal are replaced from left to right, because replacing two parts
// in either order gives the same proof: only parts from `first_part` on may still be replaced.
struct Goal {
  GoalTerm pattern = 0;
  bool is_denied = false;
  AllowedSteps allowed = AllowedSteps::any;
  std::uint8_t first_part = 0;

  friend auto operator<=>(const Goal&, const Goal&) = default;
};

// A conclusion and the premises that prove it: a rule, a fact, or a step from a goal to another one.
struct Clause {
  StatementId statement = 0;
  ProofMove move = ProofMove::rule;
  GoalTerm conclusion = 0;
  std::vector<Goal> premises;  // patterns
  ProofFeatures features{};
  double cost = 0;
};

// A proved instance of a table's goal.
struct Answer {
  std::uint32_t table = 0, proved = 0;
  GoalTerm term = 0;
  double cost = 0;
  std::uint32_t depth = 0;  // of the proof that was found first
};

// A clause with some of its premises proved.
struct PartialProof {
  std::uint32_t table = 0;
  const Clause* clause = nullptr;
  GoalBindings bindings;
  std::uint32_t open = 0;                               // a bit for each premise that is not proved yet
  std::array<std::uint32_t, most_premises> premises{};  // indices into ProofForest::proved
  std::uint32_t next_premise = 0;                       // the premise whose answers it waits for
  std::uint32_t depth = 1;                              // one more than that of the deepest proved premise
  double cost = 0;
};

// The answers to one goal so far (tabling).
struct Table {
  Goal goal;
  // Lower bound on the cost of a proof of the question that uses this goal, without the cost of proving the goal.
  double outer = 0;
  std::vector<std::uint32_t> answers,
      waiting;  // numbers of answers, and of partial proofs that wait for more
  std::map<GoalTerm, std::uint32_t> by_term;
  bool is_open = false;  // whether the goal has variables
};

class Search {
 public:
  Search(const ProofScorer& scorer, const ProofQuestion& question, const ProofSearchOptions& options)
      : scorer_(scorer),
        memory_(scorer.memory()),
        rules_(memory_.proof_rules()),
        question_(question),
        options_(options),
        rule_clauses_(rules_.size(), nullptr) {}

  ProofForest run() {
    std::vector<Term> variables;
    const auto [term, is_negated] = without_negation(question_.term);
    const GoalTerm asked = terms_.of(term, variables);
    const GoalTerm pattern =
        question_.open ? terms_.replaced(asked, terms_.of(question_.open), terms_.variable(variables.size()))
                       : asked;
    roots_ = {table_of({pattern, is_negated, AllowedSteps::any}, 0)};
    if (!terms_.is_open(pattern)) roots_.push_back(table_of({pattern, !is_negated, AllowedSteps::any}, 0));
    while (!agenda_.empty() && work_ < options_.work) {
      const auto [estimate, number] = agenda_.top();
      if (estimate > cheapest_ + options_.slack) break;
      agenda_.pop();
      process(number);
    }
    forest_.work = work_;
    forest_.is_complete = agenda_.empty() && !is_depth_exceeded_;
    std::vector<std::uint32_t> order;
    for (const std::uint32_t root : roots_)
      for (const std::uint32_t answer : tables_[root].answers) order.push_back(answer);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t answer) { return answers_[answer].cost; });
    for (const std::uint32_t answer : order) {
      forest_.answers.push_back(answers_[answer].proved);
      if (question_.open && answers_[answer].term == asked) forest_.known_answer = answers_[answer].proved;
    }
    return std::move(forest_);
  }

 private:
  using Waiting = std::pair<double, std::uint32_t>;  // estimate, place in partials_

  void count_work(std::uint64_t looked_at) {
    work_ += looked_at;
    charge(16 * looked_at);
  }

  bool is_denied(StatementId e) const { return memory_.expectation(e) < 0.5; }
  bool is_usable(StatementId e) const {
    return memory_.evidence(e) > 0 && !std::ranges::binary_search(question_.without, e);
  }

  // Counts hops. These are contiguous in memory, so reading one costs less than reading a statement.
  void count_hops(std::size_t looked_at) {
    constexpr std::size_t as_one = 16;
    work_ += looked_at / as_one;
    charge(2 * looked_at);
  }

  std::uint32_t table_of(const Goal& goal, double outer) {
    const auto table = static_cast<std::uint32_t>(tables_.size());
    if (options_.is_tabled) {
      const auto [known, is_new] = table_by_goal_.emplace(goal, table);
      if (!is_new) {
        double& least = tables_[known->second].outer;
        least = std::min(least, outer);
        return known->second;
      }
    }
    tables_.push_back({goal, outer, {}, {}, {}, terms_.is_open(goal.pattern)});
    expand(table);
    return table;
  }

  void push(PartialProof partial) {
    if (partial.depth > most_proof_depth) {
      is_depth_exceeded_ = true;
      return;
    }
    const double left = scorer_.least_cost() * std::popcount(partial.open);
    const double estimate = tables_[partial.table].outer + partial.cost + left;
    reserve_memory();
    agenda_.emplace(estimate, static_cast<std::uint32_t>(partials_.size()));
    partials_.push_back(std::move(partial));
  }

  void reserve_memory() {
    constexpr std::size_t beside = 96;  // overhead of a tree node or a vector
    claim_.cover(partials_.size() * (sizeof(PartialProof) + sizeof(Waiting) + beside) +
                 tables_.size() * (sizeof(Table) + sizeof(Goal) + 2 * beside) +
                 answers_.size() *
                     (sizeof(Answer) + sizeof(ProofForest::Proved) + sizeof(ProofForest::Step) + 3 * beside) +
                 clauses_.size() * (sizeof(Clause) + beside) + terms_.bytes());
  }

  // Starts a proof of a goal by a clause, if the conclusion matches the goal.
  void add(std::uint32_t table, const Clause& clause) {
    count_work(1);
    PartialProof partial;
    partial.table = table;
    partial.clause = &clause;
    if (!terms_.match(clause.conclusion, tables_[table].goal.pattern, partial.bindings)) return;
    partial.open = (1U << clause.premises.size()) - 1;
    partial.cost = clause.cost;
    push(std::move(partial));
  }

  void process(std::uint32_t number) {
    count_work(1);
    PartialProof& partial = partials_[number];
    if (partial.open == 0) {
      finish(partial);
      return;
    }
    // Choose the premise with the fewest variables, and among these the one with the rarest name.
    std::uint32_t next = 0;
    std::pair<std::size_t, std::size_t> fewest{none, none};
    GoalTerm wanted = 0;
    for (std::uint32_t i = 0; i < partial.clause->premises.size(); ++i) {
      if ((partial.open >> i & 1U) == 0) continue;
      std::vector<GoalTerm> free;
      const GoalTerm pattern = terms_.filled_in(partial.clause->premises[i].pattern, partial.bindings, free);
      const std::pair<std::size_t, std::size_t> found{free.size(), rarest_name(pattern).mentions};
      if (found >= fewest) continue;
      fewest = found;
      next = i;
      wanted = pattern;
    }
    partial.next_premise = next;
    Goal goal = partial.clause->premises[next];
    goal.pattern = wanted;
    const double outer = tables_[partial.table].outer + partial.cost +
                         scorer_.least_cost() * (std::popcount(partial.open) - 1);
    const std::uint32_t table = table_of(goal, outer);
    tables_[table].waiting.push_back(number);
    for (std::size_t i = 0; i < tables_[table].answers.size(); ++i)
      advance(number, tables_[table].answers[i]);
  }

  // Copies a partial proof, with an answer as the proof of its next premise.
  void advance(std::uint32_t number, std::uint32_t answer) {
    count_work(1);
    PartialProof partial = partials_[number];
    const std::uint32_t i = partial.next_premise;
    if (!terms_.match(partial.clause->premises[i].pattern, answers_[answer].term, partial.bindings)) return;
    partial.open &= ~(1U << i);
    partial.premises[i] = answers_[answer].proved;
    partial.cost += answers_[answer].cost;
    partial.depth = std::max(partial.depth, answers_[answer].depth + 1);
    push(std::move(partial));
  }

  void finish(const PartialProof& partial) {
    std::vector<GoalTerm> free;
    const GoalTerm term = terms_.filled_in(partial.clause->conclusion, partial.bindings, free);
    GoalBindings bindings;
    if (!free.empty() || !terms_.match(tables_[partial.table].goal.pattern, term, bindings)) return;
    ProofForest::Step step{partial.clause->statement, partial.clause->move, partial.clause->features, {}};
    for (std::size_t i = 0; i < partial.clause->premises.size(); ++i)
      step.premises.push_back(partial.premises[i]);
    add_proof(partial.table, term, std::move(step), partial.cost, partial.depth);
  }

  // Adds a proof of a goal.
  void add_proof(std::uint32_t table, GoalTerm term, ProofForest::Step step, double cost,
                 std::uint32_t depth) {
    const auto [known, is_new] =
        tables_[table].by_term.emplace(term, static_cast<std::uint32_t>(answers_.size()));
    if (!is_new) {
      forest_.proved[answers_[known->second].proved].steps.push_back(std::move(step));
      return;
    }
    const auto proved = static_cast<std::uint32_t>(forest_.proved.size());
    forest_.proved.push_back({term, tables_[table].goal.is_denied, cost, {}});
    forest_.proved.back().steps.push_back(std::move(step));
    const auto answer = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back({table, proved, term, cost, depth});
    tables_[table].answers.push_back(answer);
    if (std::ranges::find(roots_, table) != roots_.end()) cheapest_ = std::min(cheapest_, cost);
    for (std::size_t i = 0; i < tables_[table].waiting.size(); ++i)
      advance(tables_[table].waiting[i], answer);
  }

  // Statements about names.

  std::optional<ConceptId> concept_of(GoalTerm term) const {
    const Term known = terms_.memory_term(term);
    return known ? memory_.memory().graph().find(known) : std::nullopt;
  }

  // The name that a part is, alone or in a set; nothing of any other part.
  std::optional<ConceptId> name_of(GoalTerm part) const {
    const Term known = terms_.memory_term(part);
    const Term name = known ? narsese::sole_name(known) : Term();
    return name ? memory_.memory().graph().find(name) : std::nullopt;
  }

  // The rarest name of a pattern. Empty if the pattern has no name, or if the memory does not know one of its names.
  struct Rarest {
    std::optional<ConceptId> name;
    std::size_t mentions = 0;
  };
  Rarest rarest_name(GoalTerm pattern) const {
    Rarest rarest;
    bool any = false, all_known = true;
    const std::function<void(GoalTerm)> visit = [&](GoalTerm part) {
      const TermKind kind = terms_.label(part).kind;
      for (const GoalTerm one : terms_.components(part))
        if (kind != TermKind::variable) visit(one);
      if (kind != TermKind::atom && kind != TermKind::op) return;
      const auto id = concept_of(part);
      all_known = all_known && id;
      if (!id) return;
      const std::size_t mentions = memory_.mentions(*id).size();
      if (any && mentions >= rarest.mentions) return;
      rarest = {id, mentions};
      any = true;
    };
    visit(pattern);
    return all_known ? rarest : Rarest();
  }

  // Starts all proofs of a new goal.
  void expand(std::uint32_t table) {
    const Goal goal = tables_[table].goal;
    if (goal.allowed == AllowedSteps::any) add_facts(table, goal);
    const auto label = terms_.label(goal.pattern);
    const bool is_statement = label.kind == TermKind::statement;
    Term predicate;
    if (is_statement) predicate = terms_.memory_term(terms_.components(goal.pattern)[1]);
    const bool is_named = is_statement && !terms_.is_open(terms_.components(goal.pattern)[1]);
    if (!is_named || predicate)
      rules_.concluding(is_named ? predicate : Term(), [&](std::uint32_t rule) {
        if (is_usable(rules_[rule].statement) && denies(rules_[rule]) == goal.is_denied)
          add(table, clause_of(rule));
      });
    if (is_statement) add_steps(table, goal);
  }

  // Whether the rule shows that its conclusion does not hold.
  bool denies(const RulePattern& rule) const {
    return without_negation(rule.conclusion).second != is_denied(rule.statement);
  }

  Clause& make_clause(StatementId e, ProofMove move) {
    Clause& clause = clauses_.emplace_back();
    clause.statement = e;
    clause.move = move;
    clause.features = scorer_.features(e, move);
    clause.cost = scorer_.cost(clause.features);
    return clause;
  }

  // Adds the features of the names that a step leads to.
  void add_names(ProofFeatures& features, std::optional<ConceptId> from,
                 std::span<const ConceptId> to) const {
    for (const ConceptId name : to) {
      scorer_.add_nearness(features, name);
      if (from) scorer_.add_link(features, *from, name);
    }
  }

  // The names that the variables of a pattern are bound to.
  std::vector<ConceptId> names_in(const GoalBindings& bindings) const {
    std::vector<ConceptId> names;
    for (const GoalTerm value : bindings)
      if (const auto name = value == no_goal_term ? std::nullopt : name_of(value)) names.push_back(*name);
    return names;
  }

  const Clause& clause_of_rule(const RulePattern& rule) {
    Clause& clause = make_clause(rule.statement, ProofMove::rule);
    std::vector<Term> variables;
    clause.conclusion = terms_.of(without_negation(rule.conclusion).first, variables);
    for (const Term premise : rule.premises) {
      const auto [term, is_negated] = without_negation(premise);
      clause.premises.push_back({terms_.of(term, variables), is_negated, AllowedSteps::any});
    }
    return clause;
  }

  const Clause& clause_of(std::uint32_t rule) {
    if (rule_clauses_[rule] == nullptr) rule_clauses_[rule] = &clause_of_rule(rules_[rule]);
    return *rule_clauses_[rule];
  }

  void add_fact(std::uint32_t table, const Goal& goal, StatementId e) {
    count_work(1);
    if (!is_usable(e)) return;
    const auto [term, is_negated] = without_negation(memory_.statement_term(e));
    if (term.has_variables() || (is_negated != is_denied(e)) != goal.is_denied) return;
    GoalBindings bindings;
    const GoalTerm stated = terms_.of(term);
    if (!terms_.match(goal.pattern, stated, bindings)) return;
    ProofForest::Step step{e, ProofMove::fact, scorer_.features(e, ProofMove::fact), {}};
    if (tables_[table].is_open) add_names(step.features, rarest_name(goal.pattern).name, names_in(bindings));
    const double cost = scorer_.cost(step.features);
    // A proof by another step uses at least two statements. A fact that costs more waits in the agenda.
    if (cost <= 2 * scorer_.least_cost()) {
      add_proof(table, stated, std::move(step), cost, 1);
      return;
    }
    Clause& clause = clauses_.emplace_back();
    clause = {e, ProofMove::fact, stated, {}, step.features, cost};
    add(table, clause);
  }

  // Adds facts, and rules without variables, that prove the goal.
  void add_facts(std::uint32_t table, const Goal& goal) {
    const auto ends = ends_of(goal.pattern);
    if (ends) {
      const auto [entered, left] = *ends;
      const auto hops = memory_.hops().from(entered);
      count_hops(hops.size());
      for (const Hop& hop : hops) {
        if ((!left || hop.to == *left) && hop.kind != StepKind::other) add_fact(table, goal, hop.statement);
      }
    }
    const Rarest rarest = rarest_name(goal.pattern);
    if (!rarest.name) return;
    for (const StatementId e : ends ? other_statements(*rarest.name) : memory_.mentions(*rarest.name)) {
      count_work(1);
      const Term term = memory_.statement_term(e);
      if (term.has_variables()) continue;
      if (!ends || !relation_of(term)) add_fact(table, goal, e);  // the others were among the hops
      if (!narsese::is_higher_order(term) || !is_usable(e)) continue;
      std::vector<RulePattern> patterns;
      add_rule_patterns(e, term, patterns);
      for (const RulePattern& rule : patterns)
        if (denies(rule) == goal.is_denied) add(table, clause_of_rule(rule));
    }
  }

  // For a goal about two names: the name with fewer hops, and the other name if it is known. Empty for other goals.
  std::optional<std::pair<ConceptId, std::optional<ConceptId>>> ends_of(GoalTerm pattern) const {
    const auto label = terms_.label(pattern);
    if (label.kind != TermKind::statement) return std::nullopt;
    std::span<const GoalTerm> sides = terms_.components(pattern);
    const auto subject = terms_.label(sides[0]);
    const bool is_product =
        subject.kind == TermKind::compound && static_cast<Connector>(subject.symbol) == Connector::product;
    if (is_product) {
      if (subject.size != 2) return std::nullopt;
      sides = terms_.components(sides[0]);
    }
    std::array<std::optional<ConceptId>, 2> names;
    for (std::size_t i = 0; i < 2; ++i) {
      if (terms_.is_open(sides[i])) continue;
      names[i] = name_of(sides[i]);
      if (!names[i]) return std::nullopt;
    }
    if (names[0] && names[0] == names[1]) return std::nullopt;
    if (!names[0] && !names[1]) return std::nullopt;
    const auto hops = [&](std::size_t i) { return memory_.hops().from(*names[i]).size(); };
    const bool from_first = names[0] && (!names[1] || hops(0) <= hops(1));
    return std::pair(*names[from_first ? 0 : 1], names[from_first ? 1 : 0]);
  }

  // Steps from one goal to another.

  // The inheritance, implication and similarity statements about a name. `up` leads to its superclasses, `down` to its
  // subclasses.
  struct Links {
    std::vector<StatementId> up, down, similar;
  };
  const Links& links_of(ConceptId id) {
    const auto [known, is_new] = links_.emplace(id, Links());
    if (!is_new) return known->second;
    const auto hops = memory_.hops().from(id);
    count_hops(hops.size());
    for (const Hop& hop : hops) {
      if (hop.kind == StepKind::relation || hop.kind == StepKind::other) continue;
      if (!is_usable(hop.statement) || is_denied(hop.statement)) continue;
      if (hop.kind == StepKind::similarity) known->second.similar.push_back(hop.statement);
      if (hop.kind == StepKind::similarity) continue;
      if (memory_.statement_term(hop.statement).has_variables()) continue;
      (hop.back ? known->second.down : known->second.up).push_back(hop.statement);
    }
    return known->second;
  }

  // The statements about a name that are not about two names, or may be rules, such as <(*, a, a) --> r> or <a ==> b>.
  std::span<const StatementId> other_statements(ConceptId id) {
    const auto [known, is_new] = other_statements_.emplace(id, std::vector<StatementId>());
    if (!is_new) return known->second;
    for (const StatementId e : memory_.mentions(id)) {
      count_work(1);
      const Term term = memory_.statement_term(e);
      if (!term.has_variables() && (narsese::is_higher_order(term) || !relation_of(term)))
        known->second.push_back(e);
    }
    return known->second;
  }

  // Subject and predicate of a statement.
  std::pair<GoalTerm, GoalTerm> sides_of(StatementId e) {
    const GoalTerm statement = terms_.of(memory_.statement_term(e));
    return {terms_.components(statement)[0], terms_.components(statement)[1]};
  }
  bool has_copula(StatementId e, Copula copula) const { return memory_.statement_term(e).is(copula); }

  // Adds a step that replaces the part `from` of the goal by `to`.
  void add_step(std::uint32_t table, const Goal& goal, StatementId e, ProofMove move, GoalTerm next,
                GoalTerm from, GoalTerm to, std::uint8_t first_part = 0,
                AllowedSteps allowed = AllowedSteps::any) {
    count_work(1);
    if (next == goal.pattern) return;
    Clause& clause = make_clause(e, move);
    if (const auto name = name_of(to)) {
      add_names(clause.features, name_of(from), std::array{*name});
      clause.cost = scorer_.cost(clause.features);
    }
    clause.conclusion = goal.pattern;
    clause.premises = {{next, goal.is_denied, allowed, first_part}};
    add(table, clause);
  }

  void add_steps(std::uint32_t table, const Goal& goal) {
    const auto label = terms_.label(goal.pattern);
    const auto copula = static_cast<Copula>(label.symbol);
    const GoalTerm subject = terms_.components(goal.pattern)[0];
    const auto of_subject = terms_.label(subject);
    const bool is_relation = of_subject.kind == TermKind::compound &&
                             static_cast<Connector>(of_subject.symbol) == Connector::product;
    const bool chains = copula == Copula::inheritance || narsese::is_implication(copula);
    if (chains && !is_relation) add_links(table, goal, copula);
    if (goal.allowed != AllowedSteps::any) return;
    // Replaces component `number` of `whole`, which is part `part_number` of the goal, by a similar or more general
    // one.
    const auto replace = [&](GoalTerm whole, std::size_t number, std::size_t part_number, bool inherits,
                             const std::function<GoalTerm(GoalTerm)>& with) {
      const GoalTerm part = terms_.components(whole)[number];
      if (terms_.is_open(part) || part_number < goal.first_part) return;
      const auto name = name_of(part);
      if (!name) return;
      const auto first = static_cast<std::uint8_t>(part_number);
      const Links& links = links_of(*name);
      for (const StatementId e : links.similar) {
        if (!has_copula(e, narsese::is_implication(copula) ? Copula::equivalence : Copula::similarity))
          continue;
        const auto [a, b] = sides_of(e);
        const GoalTerm other = a == part ? b : a;
        if (a == part || b == part)
          add_step(table, goal, e, ProofMove::similarity, with(other), part, other, first);
      }
      if (!inherits) return;
      for (const StatementId e : links.up) {
        if (!has_copula(e, Copula::inheritance)) continue;
        const auto [a, b] = sides_of(e);
        if (a == part) add_step(table, goal, e, ProofMove::inheritance, with(b), part, b, first);
      }
    };
    const auto with_subject = [&](GoalTerm other) { return terms_.with_component(goal.pattern, 0, other); };
    const auto with_predicate = [&](GoalTerm other) { return terms_.with_component(goal.pattern, 1, other); };
    const std::size_t arguments = is_relation ? std::min<std::size_t>(of_subject.size, 255) : 1;
    if (is_relation)
      for (std::size_t i = 0; i < arguments; ++i)
        replace(subject, i, i, true,
                [&, i](GoalTerm other) { return with_subject(terms_.with_component(subject, i, other)); });
    else
      replace(goal.pattern, 0, 0, false, with_subject);
    replace(goal.pattern, 1, arguments, false, with_predicate);
    if (!is_relation || goal.is_denied) return;
    // <q --> r>: all pairs in the relation q are in r.
    const GoalTerm relation = terms_.components(goal.pattern)[1];
    const auto name = terms_.is_open(relation) ? std::nullopt : name_of(relation);
    if (!name) return;
    for (const StatementId e : links_of(*name).down) {
      if (!has_copula(e, Copula::inheritance)) continue;
      const auto [a, b] = sides_of(e);
      if (b == relation)
        add_step(table, goal, e, ProofMove::inheritance, with_predicate(a), b, a,
                 static_cast<std::uint8_t>(arguments));
    }
  }

  // Adds the links of chains of one copula.
  void add_links(std::uint32_t table, const Goal& goal, Copula copula) {
    const GoalTerm subject = terms_.components(goal.pattern)[0],
                   predicate = terms_.components(goal.pattern)[1];
    const auto from_back = [&](GoalTerm side, AllowedSteps allowed, bool only_rules) {
      if (goal.is_denied) return;  // what is not in a class may still be in a class above it
      const auto name = terms_.is_open(side) ? std::nullopt : name_of(side);
      if (!name) return;
      for (const StatementId e : links_of(*name).down) {
        if (!has_copula(e, copula)) continue;
        const auto [a, b] = sides_of(e);
        if (b != side) continue;
        if (only_rules && !classes_above_rules().contains(a)) continue;
        add_step(table, goal, e, ProofMove::inheritance, terms_.with_component(goal.pattern, 1, a), b, a,
                 goal.first_part, allowed);
      }
    };
    if (terms_.is_open(subject)) {
      from_back(predicate, AllowedSteps::any, false);
      return;
    }
    if (goal.allowed == AllowedSteps::any && goal.first_part == 0)
      if (const auto name = name_of(subject))
        for (const StatementId e : links_of(*name).up) {
          if (!has_copula(e, copula)) continue;
          const auto [a, b] = sides_of(e);
          if (a == subject && b != predicate)
            add_step(table, goal, e, ProofMove::inheritance, terms_.with_component(goal.pattern, 0, b), a, b);
        }
    if (!classes_above_rules().empty()) from_back(predicate, AllowedSteps::rule_first, true);
  }

  // The classes in conclusions of rules, and all their superclasses by facts. The end of each chain with a link by a
  // rule is one of these.
  const std::set<GoalTerm>& classes_above_rules() {
    if (classes_above_rules_) return *classes_above_rules_;
    classes_above_rules_.emplace();
    std::vector<GoalTerm> waiting;
    const auto add = [&](GoalTerm part) {
      if (classes_above_rules_->insert(part).second) waiting.push_back(part);
    };
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
      const Term conclusion = without_negation(rules_[rule].conclusion).first;
      if (conclusion.is(Copula::inheritance) && !conclusion.subject().is(Connector::product) &&
          !conclusion.predicate().has_variables())
        add(terms_.of(conclusion.predicate()));
    }
    while (!waiting.empty()) {
      const GoalTerm part = waiting.back();
      waiting.pop_back();
      const auto name = name_of(part);
      if (!name) continue;
      const auto hops = memory_.hops().from(*name);
      count_hops(hops.size());
      for (const Hop& hop : hops) {
        if (hop.kind != StepKind::inheritance || hop.back || !is_usable(hop.statement)) continue;
        const auto [a, b] = sides_of(hop.statement);
        if (a == part) add(b);
      }
    }
    return *classes_above_rules_;
  }

  const ProofScorer& scorer_;
  const MemoryIndex& memory_;
  const ProofRules& rules_;
  const ProofQuestion& question_;
  const ProofSearchOptions& options_;
  GoalTerms terms_;
  std::deque<Clause> clauses_;
  std::vector<const Clause*> rule_clauses_;
  std::deque<Table> tables_;
  std::map<Goal, std::uint32_t> table_by_goal_;
  std::vector<Answer> answers_;
  std::deque<PartialProof> partials_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> agenda_;
  std::map<ConceptId, Links> links_;
  std::map<ConceptId, std::vector<StatementId>> other_statements_;
  std::optional<std::set<GoalTerm>> classes_above_rules_;
  GrowingReservation claim_;
  std::vector<std::uint32_t> roots_;
  bool is_depth_exceeded_ = false;  // whether a partial proof was given up because of its depth
  double cheapest_ = std::numeric_limits<double>::infinity();
  std::uint64_t work_ = 0;
  ProofForest forest_;
};

}  // namespace

ProofForest search_proofs(const ProofScorer& scorer, const ProofQuestion& question,
                          const ProofSearchOptions& options) {
  if (!question.term) return {};
  return Search(scorer, question, options).run();
}

}  // namespace engram::core
