// SPDX-License-Identifier: MIT
// Economic attention networks (ECAN): attention as a currency that concepts earn, pay and pass on. Concepts own
// short-term importance (STI). A bank pays wages to useful concepts and collects rent; STI diffuses to Hebbian
// neighbours. The total of all concepts and the bank is constant.
//
// Long-term importance, ECAN's second currency, has no accounts here: it decides what a full AtomSpace forgets, does
// not affect recall, and our sources define only its prices (BankPolicy).
#pragma once

#include <list>
#include <vector>

#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {

/// Wage policy of a bank that aims at funds of `target`, give or take `buffer` > 0.
/// Source   OpenCog's AttentionBank and RentCollectionBaseAgent
struct BankPolicy {
  double target = 0, buffer = 1;
  /// The wage to pay, if `wage` is the normal one and the bank has `funds`: wage (1 + clip((funds - target) / buffer,
  /// -1, 1)). The richer the bank, the higher the wage.
  double wage(double wage, double funds) const;
};

/// Rent that a concept with STI s pays in one cycle: rate/2 log(20 s / recent_max), clipped to [0, s]; 0 for s <=
/// recent_max / 20. `recent_max` is the recent maximum of the STI of all concepts.
/// Source  Ikle, Pitt, Sellman and Goertzel 2009, as in hyperon-ecan
double logarithmic_rent(double s, double recent_max, double rate);

/// Rates of an Ecan economy.
struct EcanOptions {
  double rent = 0.8;          // rate of logarithmic_rent
  double conjunction = 0.35;  // weight of the conjunction of both ends in the update of a link, in [0, 1]
  /// Largest share of a concept's STI above the poorest that diffuses in a cycle, in [0, 1].
  double max_spread = 0.4;
  std::size_t focus = 0;  // number of richest concepts that spread and learn; 0: all
};

/// Simulation of an economy of concepts and a bank, cycle by cycle. Link strengths c_ij in [0, 1] exist for the given
/// links only; no links are created. Only concepts that have ever owned STI (owners) are simulated. The others neither
/// pay, learn nor give, so results are equal to a full simulation. If a concept has negative STI, all concepts become
/// owners. Use linear_ecan() if only the final distribution matters.
class Ecan {
 public:
  /// Creates an economy whose bank owns all STI: `funds`. Rent of the first cycle is computed by the recent maximum of
  /// STI `recent_max`.
  /// Shapes   strengths (n, n), entries in [0, 1]; the update keeps a symmetric matrix symmetric. Each row is read
  ///          once, when its concept becomes an owner
  /// Ranges   initial funds > 0, recent_max > 0
  /// Errors   std::invalid_argument outside these ranges or the ranges of the options, and later for an invalid row
  Ecan(Index concepts, LinkRows strengths, double funds, double recent_max, const EcanOptions& options = {});

  /// Transfers `amount` of STI from the bank to a concept: a wage, or a fine if negative. Call it before cycle() for
  /// the concepts of the cue.
  void stimulate(Index concept_index, double amount);
  /// Runs one cycle in which concepts pay rent, links are updated, and STI diffuses. With s_i the STI of concept i and
  /// c_ij the strength of a link:
  ///   rent       each concept pays logarithmic_rent() to the bank
  ///   update     c_ij <- conjunction conj + (1 - conj) c_ij, at most 1, with conj = s_i s_j / recent_max^2, if both
  ///              ends are in focus (EcanOptions::focus) and conj >= 0
  ///   diffusion  each concept in focus gives neighbour j the share c_ij of its STI above that of the poorest concept.
  ///              Shares are scaled down to a total of at most max_spread (left-stochastic)
  /// At the end, recent_max becomes the largest STI, at least 1.
  /// Errors  WorkStopped; the network must not be used afterwards
  /// Cost    O(m + their links) for m owners, and O(m log m) with a focus; 40 bytes a link of owners, about 100 a
  ///         neighbour
  void cycle();

  SparseVector sti() const;
  double funds() const { return funds_; }
  SparseRows strengths() const;  // strengths of the links in all rows

 private:
  // Links of an owner.
  struct Row {
    std::vector<std::uint32_t> neighbours;  // numbers, in the order of the row
    std::vector<double> strengths;
  };

  std::uint32_t number_of(Index concept_index);
  void make_owner(std::uint32_t number);
  void read_row(std::uint32_t number);
  void merge_new_owners();
  void collect_rent();
  double poorest() const;
  void set_focus();
  void update_strengths();
  void diffuse(double poorest);

  Index concepts_;
  LinkRows rows_;
  EcanOptions options_;
  IdNumbers numbers_;
  // Indexed by number. Separate arrays, because neighbours are read in random order.
  std::vector<double> sti_;
  std::vector<char> is_owner_, in_focus_;
  std::vector<Row> owned_rows_;
  std::vector<std::uint32_t> owners_;      // numbers, ordered by id
  std::vector<std::uint32_t> new_owners_;  // numbers, in order of arrival
  double funds_, recent_max_;
  std::list<Reservation> claims_;
};

/// Result of linear_ecan(): the fixed point of the linear economy.
struct LinearEcan {
  Vector sti;  // (n), sums to the wealth 1
  int iterations = 0;
  bool converged = false;
};

/// ECAN with linear rent and wages, solved for its fixed point without simulation. In each cycle every concept pays the
/// share `rent` of its STI, and the bank pays it out as wages by v (the normalised cue). Then every concept gives the
/// share `spread` to its neighbours by weight; a concept without neighbours keeps all:
///     s <- A ((1 - rent) s + rent S v),   A = (1 - spread) I + spread P'
/// with s the STI, S = 1 the total wealth and P the transition probabilities w_ij / sum_j w_ij of the link weights w.
/// The fixed point is  s* = rent S (I - (1 - rent) A)^-1 A v:  S times one step of the lazy walk A from its
/// personalised PageRank with damping 1 - rent.
/// Shapes   links (n, n) with weights >= 0, cue (n) >= 0 with a positive sum
/// Ranges   rent in (0, 1], spread in [0, 1]
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(n + links) an iteration, about log(1e-14) / log(1 - rent) iterations
/// Source   the AttentionBroker of SingularityNET's DAS, without its loss at concepts without neighbours
LinearEcan linear_ecan(const SparseRows& links, const Vector& cue, double rent, double spread);

/// Result of push_linear_ecan(): lower bounds on the fixed point of linear_ecan(). Wages below the threshold of their
/// concept are not pushed; rank.missing includes them.
struct PushedEcan {
  PushedRank rank;
  SparseVector paid;  // (n), the part of the wages v that was pushed
};
/// Computes lower bounds on the fixed point of linear_ecan() from the neighbourhood of the wages v, which sum to 1. Use
/// it for large graphs. See push_rank() for `threshold`.
PushedEcan push_linear_ecan(const LinkRows& links, const LinkCounts& counts, const SparseVector& v,
                            double rent, double spread, double threshold);

}  // namespace engram::core
