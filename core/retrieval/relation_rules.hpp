// SPDX-License-Identifier: MIT
// Rules as productions: which rows of steps between two names a rule makes one step of.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/retrieval/passes.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

class Readings;

/// What a step, or a row of steps that a rule makes one of, says of the names at its two ends.
struct StepSymbol {
  StepKind kind = StepKind::other;
  ConceptId relation = 0;  // of a relation; of a step over a rule: rule_step
  bool back = false;

  friend auto operator<=>(const StepSymbol&, const StepSymbol&) = default;
  StepSymbol turned() const { return {kind, relation, !back && kind != StepKind::similarity}; }
};

/// What a step says, as rules read it.
inline StepSymbol symbol_of(const Pass& pass) { return {pass.kind, pass.relation, pass.back}; }

/// A rule read as a production: whoever is joined by this row of steps is joined by the conclusion.
struct RelationRule {
  StatementId statement = 0;
  StepSymbol conclusion;
  std::vector<StepSymbol> premises = {};  // one to five
  /// Of a rule about classes, which is the step at one end of the row itself.
  bool is_step = false;
  /// What must be said beside the row, <a --> of> of the name a between two premises.
  struct Beside {
    std::size_t premises_before = 0;
    ConceptId of = 0;
  };
  std::vector<Beside> beside = {};
};

/// Two kinds of rules, of at most four premises:
/// * about relations: all parts are <(*, $x, $y) --> r>, and the premises lead from one variable of the
///   conclusion to the other in a row;
/// * about classes: the conclusion is <$x --> c>. The row leads from $x by all premises <(*, $y, $z) --> r> to a
///   variable of which one premise, <$y --> b>, says a class, by that to b, and over the rule itself
///   (core/retrieval/passes.hpp) to c. What other premises say of a variable of the row stands beside it. For
///   each premise that can be the row's last there is a production.
/// Each row is read both ways.
class RelationRules {
 public:
  RelationRules() = default;
  /// Cost  O(size of all rules)
  explicit RelationRules(const Readings& memory);

  /// Reads those of the memory's rules (ascending) that are new; where one that was read has lost all its
  /// evidence, or another has got some, all of them again.
  /// Cost  that of those it reads; of a memory that decays, a look at each
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  const std::vector<RelationRule>& all() const { return rules_; }
  /// Those of one premise, of this one.
  std::vector<const RelationRule*> of_one(const StepSymbol& premise) const;
  /// Those whose first two premises are these.
  std::vector<const RelationRule*> of_two(const StepSymbol& first, const StepSymbol& second) const;
  /// Whether some rule makes one step of two, and whether one of these concludes what is asked.
  struct Joined {
    bool any = false, asked = false;
  };
  /// What rules make of two steps.
  Joined joined(const StepSymbol& first, const StepSymbol& second, const StepSymbol& asked) const;
  /// What can be the first, or the last, step of a row that rules make one of.
  std::set<StepSymbol> begin(const StepSymbol& asked) const { return corners(asked, true); }
  /// What can be the last step of a row that rules make one of.
  std::set<StepSymbol> end(const StepSymbol& asked) const { return corners(asked, false); }
  /// Rules of the memory that are read so, ascending.
  const std::vector<StatementId>& statements() const { return statements_; }
  /// About so many.
  std::size_t bytes() const { return bytes_; }

 private:
  void add(RelationRule rule);
  std::set<StepSymbol> corners(const StepSymbol& asked, bool first) const;

  std::size_t known_ = 0;                      // of the memory's rules
  std::vector<StatementId> without_evidence_;  // of these
  std::size_t bytes_ = 0;
  std::vector<RelationRule> rules_;
  std::vector<StatementId> statements_;
  std::map<StepSymbol, std::vector<std::size_t>> by_one_;  // rules by their only premise
  std::map<std::pair<StepSymbol, StepSymbol>, std::vector<std::size_t>> by_two_;
  std::map<StepSymbol, std::vector<std::size_t>> by_conclusion_;
  std::map<std::pair<StepSymbol, StepSymbol>, std::set<StepSymbol>> conclusions_;  // of neighbours in a rule
};

}  // namespace engram::core
