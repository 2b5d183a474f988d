// SPDX-License-Identifier: MIT
// Economic attention networks: concepts own short-term importance (STI), a currency. A bank pays wages to
// what is useful and takes rent from what is in attention; what concepts own spreads to their Hebbian
// neighbours. Atoms and bank together own the same at all times.
//
// Long-term importance, ECAN's other currency, has its prices here (BankPolicy) and no accounts: it decides
// what a full AtomSpace forgets and bears on no recall, and in our sources its flows are not defined beyond
// the prices.
#pragma once

#include <list>
#include <vector>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/spreading_activation.hpp"

namespace engram::core {

/// How a bank that wants to own `target`, give or take `buffer` > 0, sets its prices.
/// Source   OpenCog's AttentionBank and RentCollectionBaseAgent
struct BankPolicy {
  double target = 0, buffer = 1;
  /// wage (1 + clip((funds - target) / buffer, -1, 1)): it pays more while it is rich.
  double wage(double wage, double funds) const;
};

/// Rent of what owns s: rate/2 log(20 s / recent_max), 0 for s up to recent_max / 20, at most s.
/// Source  Ikle, Pitt, Sellman and Goertzel 2009, as hyperon-ecan has it
double logarithmic_rent(double s, double recent_max, double rate);

/// Taxes and spreading of the economy.
struct EcanOptions {
  double rent = 0.8;          // rate of logarithmic_rent
  double conjunction = 0.35;  // what a link comes to of the conjunction of its ends, in [0, 1]
  double max_spread = 0.4;    // of what a concept owns above the poorest, to its neighbours, in [0, 1]
  std::size_t focus = 0;      // only the richest so many spread and learn; 0: all
};

/// A network with its bank. Strengths c_ij in [0, 1] lie on the links there are; none are made. Who owns nothing
/// pays nothing, teaches its links nothing and gives nothing, unless another owns less than nothing, when all
/// are looked at: so a network costs what STI has come to, and its results are those of all.
class Ecan {
 public:
  /// Shapes   strengths (n, n), entries in [0, 1]; of a symmetric matrix the update keeps it symmetric. A row
  ///          is asked for once, when its concept first owns something
  /// Ranges   funds > 0: what the bank owns at first; recent_max > 0
  /// Errors   std::invalid_argument outside these ranges or those of the options, of a row when it is asked for
  Ecan(Index concepts, LinkRows strengths, double funds, double recent_max, const EcanOptions& options = {});
  /// Of a matrix, which is checked at once.
  Ecan(SparseRows strengths, double funds, double recent_max, const EcanOptions& options = {});

  /// Moves `amount` from the bank to a concept (a wage; below 0: a fine).
  void stimulate(Index concept_index, double amount);
  /// rent, then the links' update, then diffusion, then the extremes that the next cycle goes by:
  ///   rent       of every concept by logarithmic_rent, to the bank
  ///   update     c_ij <- conjunction conj + (1 - conj) c_ij, at most 1, conj = s_i s_j / recent_max^2, where
  ///              both are in focus and conj >= 0
  ///   diffusion  each in focus gives of what it owns above the poorest the share c_ij to neighbour j, all
  ///              its shares together at most max_spread, and keeps the rest: left-stochastic
  /// Errors  WorkStopped: then it is of no use any more
  /// Cost  O(m + their links) of m concepts that have ever owned anything, and O(m log m) with a focus; 40 bytes
  ///       a link of these, and some 100 a neighbour
  void cycle();

  SparseVector sti() const;
  double funds() const { return funds_; }
  SparseRows strengths() const;  // all rows

 private:
  // Of who has ever owned anything.
  struct Row {
    std::vector<std::uint32_t> neighbours;  // by number, in the order of the row
    std::vector<double> strengths;
  };

  std::uint32_t number_of(Index concept_index);
  void make_owner(std::uint32_t number);
  void take_row(std::uint32_t number);
  void take_in_new_owners();
  void collect_rent();
  double poorest() const;
  void set_focus();
  void update_strengths();
  void diffuse(double poorest);

  Index concepts_;
  LinkRows rows_;
  EcanOptions options_;
  IdNumbers numbers_;
  // By number. What is asked of neighbours stands by itself: they lie anywhere.
  std::vector<double> sti_;
  std::vector<char> is_owner_, in_focus_;  // owner: that has ever owned anything
  std::vector<Row> held_;
  std::vector<std::uint32_t> owners_, new_owners_;  // numbers, by id; of those that are new, as they came
  double funds_, recent_max_;
  std::list<Reservation> claims_;
};

/// A row of the lazy walk A of linear_ecan: who goes from a node to where.
std::vector<SparseVector::Entry> lazy_row(const std::vector<SparseVector::Entry>& links, Index node,
                                          double spread);

/// Where the economy comes to rest.
struct LinearEcan {
  Vector sti;  // (n), sums to the wealth
  int iterations = 0;
  bool converged = false;
};

/// ECAN where everything is in proportion: each cycle everyone pays the share `rent`, the bank pays it out as
/// wages by v (the cue, normalised), then everyone gives the share `spread` to the neighbours by weight; who
/// has none keeps it:
///     s <- A ((1 - rent) s + rent S v),   A = (1 - spread) I + spread P'
/// It need not be simulated: the fixed point is  s* = rent S (I - (1 - rent) A)^-1 A v,  S times a step of
/// the lazy walk from its Personalized PageRank with damping 1 - rent. Wealth S = 1.
/// Shapes   links (n, n) with weights >= 0, cue (n) >= 0 with a positive sum
/// Ranges   rent in (0, 1], spread in [0, 1]
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(n + links) an iteration, about log(1e-14) / log(1 - rent) of them
/// Source   the AttentionBroker of SingularityNET's DAS, without its loss at concepts without neighbours
LinearEcan linear_ecan(const SparseRows& links, const Vector& cue, double rent, double spread);

}  // namespace engram::core
