// SPDX-License-Identifier: MIT
// Attention over paths: a Gibbs distribution over the ways from one name to another, and what it gives each
// statement.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/work.hpp"
#include "core/paths/path_features.hpp"

namespace engram::core {

/// Which paths are summed over.
struct PathOptions {
  int steps = 6;            // statements of a path, at most
  std::size_t width = 120;  // steps that are gone on from at each length, at most
  double temperature = 1;   // T, in [0.1, 100]: below, weights of paths leave the range of numbers
};

/// A path is a row of at most `steps` statements, each entered by the name at which the one before was left
/// (core/retrieval/passes.hpp), no two neighbours the same statement; it leaves `from`, comes to `to`, and to
/// neither on the way. With f(path) the sums of its features (core/paths/path_features.hpp)
///   E(path) = - theta . f(path),    p(path) = exp(-E(path) / T) / Z
/// A lattice holds what is kept of the paths: from one of the ends on, of all steps of a length the `width`
/// of which the sums over the ways to them are largest (ties: by their terms, then their names), and those that
/// arrive. Sums over all ways to a step (forward) and from it on (backward) give Z, and of every statement
///   marginal(e) = sum over its steps of forward backward / Z, the mean number of times that a path passes e
/// Errors   std::invalid_argument for a temperature out of range, a width of 0, and to go back without an end;
///          WorkStopped
/// Names in more than most_left_by statements are not left again, but where they are an end.
/// Cost     for each length, `width` times the statements that mention a name of it, of which those of few names
///          are looked at once for all lengths; memory `width * steps`, 24 bytes for each two kept steps that
///          meet, and 3 MB for steps that are looked at once
/// Source   Lafferty, McCallum and Pereira 2001, "Conditional Random Fields" (forward and backward sums);
///          Backstrom and Leskovec 2011, "Supervised Random Walks"; Lao and Cohen 2010, "Relational retrieval
///          using a combination of path-constrained random walks"
class PathLattice {
 public:
  /// A step of a path in the direction from -> to, whichever end the lattice begins at.
  struct Step {
    Pass pass;
    ConceptId from = 0;
    bool arrives = false;
    bool goes_on = false;              // whether a path may leave where it leads; of steps that are kept
    std::uint8_t symbol = 0;           // its number among those that were met
    double weight = 0;                 // of the step alone
    double forward = 0, backward = 0;  // sums of exp(-E/T) of ways to it, with it; and of those on from it
  };
  /// `from_end`: it is gone from `to` backwards.
  PathLattice(const Readings& memory, const Passes& passes, const PathScorer& scorer,
              const PathWeights& theta, const PathOptions& options, bool from_end,
              const PathStatements& statements = {});

  /// Z; 0 where no path is kept.
  double total() const { return total_; }
  /// Of each statement that is passed, ascending by statement.
  std::vector<std::pair<StatementId, double>> marginals() const;
  /// E[f] under p: T times the derivative of log Z by theta.
  PathWeights expected_features() const;

  /// A path, in the order from `from` to `to`, and exp(-E/T).
  struct Way {
    std::vector<const Step*> steps;
    double weight = 0;
  };
  /// The `count` of largest weight, the largest first.
  std::vector<Way> best(std::size_t count) const;

 private:
  // From a step to one of the next layer, by their places: the weight of the joint and of the farther step.
  struct Edge {
    std::size_t from = 0, to = 0;
    double weight = 0;
  };
  struct Layer {
    std::vector<Step> steps;  // ascending by tail, but for the first, which has one
    std::vector<Edge> edges;  // ascending
    std::span<const Edge> edges_of(std::size_t step) const;
  };
  // The names that some steps lead to, ascending, their weights, and of each step that goes on the number of its name.
  struct Heads {
    std::vector<ConceptId> names;
    std::vector<double> hubs;       // by name
    std::vector<std::uint32_t> of;  // by step
  };
  // A step, by where it leads.
  struct ByHead {
    ConceptId name = 0;
    std::uint32_t step = 0;
    friend auto operator<=>(const ByHead&, const ByHead&) = default;
  };
  // The steps that come to a name: of one symbol all have the same joint with what follows.
  struct Coming {
    /// The steps of one symbol: one of them, the sum of their forward weights, and their places in `steps`.
    struct OfSymbol {
      const Step* first = nullptr;  // any of them
      double forward = 0;           // of all
      std::size_t begin = 0, end = 0;
    };
    std::vector<const Step*> steps;  // by symbol, then as they stand
    std::vector<OfSymbol> by_symbol;
    std::vector<StatementId> statements;  // ascending
    std::vector<double> onwards;          // by the symbol of the step on, of several here; below 0: not yet
  };
  std::vector<Step> first_steps();
  std::vector<Step> next_steps(const std::vector<Step>& steps, Heads& heads);
  static void gather(std::span<const ByHead> here, const std::vector<Step>& steps, Coming& coming);
  double forward_over(Coming& coming, const Step& out, bool returns) const;
  void look_ahead(std::span<const ConceptId> names) const;
  void find_arriving(std::span<const ConceptId> names, std::size_t passes);
  std::span<const Step> steps_from(ConceptId name, bool must_arrive);
  void add_step_over(const Pass& out, ConceptId name, std::vector<Step>& steps);
  bool arrives(ConceptId name) const { return goal_ ? name == *goal_ : name != scorer_.question().not_to; }
  void say(Step& step);
  std::uint8_t number_of(const StepSymbol& symbol);
  void make_room_to_leave(std::size_t more);
  void keep(std::vector<Step>& steps) const;
  double keep_best(std::vector<Step>& steps) const;
  std::optional<double> least_of_best(const std::vector<Step>& steps) const;
  bool is_kept_anyway(const Step& step) const;
  void add_edges(Layer& layer, const Heads& heads, const std::vector<Step>& next);
  void add_backward();
  bool goes_on(const Step& step) const;
  double weight_of_step(const Pass& pass, ConceptId from) const;
  // Without that of the name between.
  double weight_of_joint(const Step& nearer, const Step& farther) const {
    if (nearer.symbol == most_symbols || farther.symbol == most_symbols)
      return worked_out_joint(nearer, farther);
    double& known = joints_[std::size_t{nearer.symbol} * most_symbols + farther.symbol];
    if (known < 0) known = worked_out_joint(nearer, farther);
    return known;
  }
  double worked_out_joint(const Step& nearer, const Step& farther) const;
  double weight_of_hub(ConceptId between) const;
  double weight_of_edge(const Step& step, bool of_start) const;
  bool may_use(StatementId e) const;
  double weight_of(double score) const;
  ConceptId source() const { return from_end_ ? *scorer_.question().to : scorer_.question().from; }
  ConceptId head(const Step& step) const { return from_end_ ? step.from : step.pass.to; }  // the farther name
  ConceptId tail(const Step& step) const { return from_end_ ? step.pass.to : step.from; }

  const Readings& memory_;
  const Passes& passes_;
  const PathScorer& scorer_;
  const PathWeights& theta_;
  PathOptions options_;
  bool from_end_;
  const PathStatements statements_;
  std::optional<ConceptId> goal_;                    // where paths arrive; none: anywhere
  std::array<double, path_features> weight_of_one_;  // of a feature that is 1
  // What was worked out a moment ago: most steps say what others do, and joints are of few symbols.
  struct Known {
    double score = 0, weight = 1;
  };
  mutable std::array<Known, 128> weights_{};
  bool has_own_features_ =
      false;  // whether steps that say the same, and are believed as far, may weigh differently
  struct Said {
    StepSymbol symbol;
    double expectation = -1;  // of no statement
    double weight = 1;
    std::uint8_t number = 0;
  };
  std::array<Said, 64> said_{};
  std::size_t last_said_ = 0;              // its place there
  mutable std::array<double, 64> hubs_{};  // by how many mention a name; 0: not yet
  // Of more the joints are not kept. Chosen: relations are seldom so many where a question leads.
  static constexpr std::uint8_t most_symbols = 48;
  std::vector<StepSymbol> symbols_;
  mutable std::vector<double> joints_;  // by the numbers of two symbols; below 0: not yet
  IdNumbers known_names_;               // and where the steps that leave them stand
  std::vector<std::pair<std::size_t, std::size_t>> ranges_;
  std::vector<Step> leaving_, passing_;  // of names that are known; of one that is not
  // The last steps' way back, by the name that they leave; nothing where they are not looked for from the goal.
  std::optional<std::vector<Pass>> arriving_;
  std::list<Claim> claims_;  // of edges, and of these
  std::vector<Layer> layers_;
  double total_ = 0;
};

}  // namespace engram::core
