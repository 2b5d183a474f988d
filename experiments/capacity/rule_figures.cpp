// SPDX-License-Identifier: MIT
// Figures of other networks: learning rules besides Hebb's, diluted graphs, and sparse codes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/hopfield_theory.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/capacity.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::capacity {
namespace {

using core::WeightRule;

bool is_fixed(const Matrix& w, const Vector& x) {
  const Vector h = core::multiply(w, x);
  return (h.array() * x.array() >= -core::zero_field).all();
}

Measurement share_fixed(WeightRule rule, Index spins, Index patterns) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins), w = core::pattern_weights(rule, x);
    double fixed = 0;
    for (Index k = 0; k < patterns; ++k) fixed += is_fixed(w, x.row(k).transpose()) ? 1 : 0;
    return std::vector{fixed / static_cast<double>(patterns)};
  };
}

// Recalls 8 patterns from cues with a tenth of their bits flipped. The value is 1 if the exact pattern returns.
Measurement share_recalled(WeightRule rule, Index spins, Index patterns) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins), w = core::pattern_weights(rule, x);
    std::vector<double> recalled;
    for (Index k = 0; k < std::min<Index>(8, patterns); ++k) {
      const Vector state = core::recall_hopfield(w, damaged(rng, x, k, 0.1)).state;
      recalled.push_back(state == Vector(x.row(k).transpose()) ? 1 : 0);
    }
    return recalled;
  };
}

Figure storkey_figure() {
  Figure figure{"storkey",
                "Storkey's rule beside Hebb's, 128 spins: patterns that are fixed points",
                "patterns",
                "share fixed",
                "Storkey 1997: up to n/sqrt(2 ln n) = 41",
                "The claim is the number of patterns at which only half of the patterns are fixed points."};
  const std::vector<double> hebb{12, 16, 20, 24, 28, 32, 40}, storkey{40, 48, 56, 62, 68, 74, 82};
  for (const double p : hebb)
    figure.points.push_back(shown("Hebb, " + fixed(p, 0) + " patterns", p, std::nullopt, 20,
                                  share_fixed(WeightRule::hebb, 128, static_cast<Index>(p))));
  for (const double p : storkey)
    figure.points.push_back(shown("Storkey, " + fixed(p, 0) + " patterns", p, std::nullopt, 10,
                                  share_fixed(WeightRule::storkey, 128, static_cast<Index>(p))));
  figure.plot = "storkey";
  figure.relations = {{"Hebb: half are lost at", 24, 19, 29, crossing(0, hebb)},
                      {"Storkey: half are lost at", 66, 58, 74, crossing(hebb.size(), storkey)}};
  return figure;
}

Figure storkey_recall_figure() {
  Figure figure{"storkey_recall",
                "Recall of 32 patterns in 128 spins from 10 % noise",
                "",
                "share recalled",
                "Storkey 1997; OpenCog's variant of the rule",
                "A recall counts if it returns exactly the pattern."};
  figure.points = {
      shown("Hebb", 0, 0.03, 16, share_recalled(WeightRule::hebb, 128, 32)).within(0, 0.15),
      shown("Storkey", 1, 1.0, 16, share_recalled(WeightRule::storkey, 128, 32)).within(0.97, 1),
      shown("Storkey, full field", 2, 0.66, 16, share_recalled(WeightRule::storkey_full_field, 128, 32))};
  return figure;
}

// Learns four times as many patterns as spins, one after the other. Measures how many have at most 5 % wrong bits after
// recall, divided by the number of spins.
Measurement kept_of_a_stream(WeightRule rule, Index spins) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, 4 * spins, spins);
    Matrix w = Matrix::Zero(spins, spins);
    for (Index k = 0; k < x.rows(); ++k) core::learn_pattern(rule, w, x.row(k).transpose());
    double kept = 0;
    for (Index k = 0; k < x.rows(); ++k) {
      const Vector pattern = x.row(k).transpose();
      const auto wrong = (core::recall_hopfield(w, pattern).state.array() != pattern.array()).count();
      kept += static_cast<double>(wrong) <= 0.05 * static_cast<double>(spins) ? 1 : 0;
    }
    return std::vector{kept / static_cast<double>(spins)};
  };
}

Figure stream_figure() {
  Figure figure{
      "stream",
      "Patterns kept, per spin, after 4 N patterns",
      "",
      "patterns per spin",
      "Storkey and Valabregue 1999",
      "A pattern is kept if recall from the pattern changes at most 5 % of its bits. The rule with the full "
      "field keeps the newest patterns; with the cavity field the weights grow without bound."};
  const auto kept = [](const char* label, double x, double before, std::size_t repetitions, WeightRule rule,
                       Index spins) {
    const bool full = rule == WeightRule::storkey_full_field;
    return shown(label, x, before, repetitions, kept_of_a_stream(rule, spins))
        .within(full ? 0.18 : 0, full ? 1 : 0.05);
  };
  figure.points = {kept("full field, 100 spins", 0, 0.25, 6, WeightRule::storkey_full_field, 100),
                   kept("full field, 200 spins", 1, 0.223, 2, WeightRule::storkey_full_field, 200),
                   kept("cavity field, 100 spins", 2, 0.010, 6, WeightRule::storkey, 100),
                   kept("cavity field, 200 spins", 3, 0.003, 2, WeightRule::storkey, 200)};
  return figure;
}

Figure projector_fixed_figure() {
  Figure figure{"projector_fixed",
                "Pseudo-inverse: patterns that are fixed points, 200 spins",
                "load, patterns per spin",
                "share fixed",
                "Personnaz, Guyon and Dreyfus 1985",
                "Every pattern is a fixed point if the patterns are linearly independent."};
  for (const double load : {0.05, 0.3, 0.5, 0.7, 0.9})
    figure.points.push_back(claim("load " + fixed(load, 2), load, 1, 0, 2,
                                  share_fixed(WeightRule::pseudo_inverse, 200, patterns_at(200, load))));
  return figure;
}

Figure projector_recall_figure() {
  Figure figure{"projector_recall",
                "Pseudo-inverse: recall from 10 % noise, 200 spins",
                "load, patterns per spin",
                "share recalled",
                "Kanter and Sompolinsky 1987: basins up to load 1/2",
                "Basins are wider without the diagonal. A recall counts if it returns exactly the pattern."};
  const double loads[] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
  for (const WeightRule rule : {WeightRule::pseudo_inverse_zero_diag, WeightRule::pseudo_inverse})
    for (const double load : loads)
      figure.points.push_back(
          shown((rule == WeightRule::pseudo_inverse ? "with diagonal, load " : "zero diagonal, load ") +
                    fixed(load, 2),
                load, std::nullopt, 6, share_recalled(rule, 200, patterns_at(200, load))));
  figure.points[1].low = 0.95, figure.points[1].high = 1;
  figure.plot = "projector_recall";
  figure.relations = {
      {"zero diagonal above with diagonal, load 0.40", std::nullopt, 0.3, 1, difference(2, 8)}};
  return figure;
}

// Couplings of Hebb's rule on a directed random graph, in which every spin gets input from `heard` random other spins.
core::SparseRows diluted_weights(Rng& rng, const Matrix& patterns, Index heard) {
  const Index n = patterns.cols();
  const Matrix by_spin = patterns.transpose();
  core::SparseRows weights(n);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) {
    columns.clear();
    while (columns.size() < static_cast<std::size_t>(heard)) {
      const auto j = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(n)));
      const auto place = std::ranges::lower_bound(columns, j);
      if (j != static_cast<std::uint32_t>(i) && (place == columns.end() || *place != j))
        columns.insert(place, j);
    }
    values.clear();
    for (const std::uint32_t j : columns)
      values.push_back(by_spin.row(i).dot(by_spin.row(j)) /
                       static_cast<double>(heard));  // the dot product is an exact integer
    weights.push_row(columns, values);
  }
  return weights;
}

Measurement diluted_recall(Index spins, Index heard, double load) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns_at(heard, load), spins);
    const core::SparseRows w = diluted_weights(rng, x, heard);
    const Vector pattern = x.row(0).transpose();
    Vector state = pattern;
    for (int sweep = 0; sweep < 60; ++sweep) {  // fixed number: no energy shows convergence
      const Vector h = w.multiply(state);
      for (Index i = 0; i < spins; ++i)
        if (std::abs(h[i]) > core::zero_field) state[i] = h[i] > 0 ? 1 : -1;
    }
    return std::vector{overlap(pattern, state)};
  };
}

Figure diluted_figure() {
  Figure figure{"diluted",
                "Overlap on a sparse graph: 10,000 spins, each with input from 100 others",
                "load, patterns per link of a spin",
                "overlap",
                "Derrida, Gardner and Zippelius 1987",
                "Directed random graph, m = erf(m / sqrt(2 load)). Loads between 0.5 and 0.7 have no bounds, "
                "because networks of this size are too small for a test."};
  for (const double load : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9}) {
    const double theory = core::diluted_overlap(load);
    const std::string label = "load " + fixed(load, 1);
    Point point = load <= 0.4 ? claim(label, load, theory, 0.012, 2, diluted_recall(10000, 100, load))
                              : shown(label, load, theory, 2, diluted_recall(10000, 100, load));
    if (load == 0.9) point.low = -0.15, point.high = 0.15;
    figure.points.push_back(std::move(point));
  }
  figure.plot = "diluted";
  figure.series = "10,000 spins";
  figure.curve = core::diluted_overlap;
  return figure;
}

// Activates the `count` units with the strongest fields. The first unit wins ties.
Vector winners(const Vector& field, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(field.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return field[a] > field[b]; });
  Vector state = Vector::Zero(field.size());
  for (Index k = 0; k < count; ++k) state[order[static_cast<std::size_t>(k)]] = 1;
  return state;
}

// Recall of sparse 0/1 patterns with covariance couplings. There are as many patterns as units; `active` is the share
// of ones.
Measurement sparse_code_recall(Index units, double active) {
  return [=](Rng& rng) {
    const auto ones = static_cast<Index>(std::lround(active * static_cast<double>(units)));
    Matrix x = Matrix::Zero(units, units);
    for (Index k = 0; k < units; ++k) {
      const auto order = rng.permutation(static_cast<std::uint32_t>(units));
      for (Index i = 0; i < ones; ++i) x(k, order[static_cast<std::size_t>(i)]) = 1;
    }
    const Matrix w = core::covariance_weights(x);
    std::vector<double> overlaps;
    for (Index k = 0; k < 5; ++k) {
      const Vector pattern = x.row(k).transpose();
      Vector state = pattern;
      for (int sweep = 0; sweep < 30; ++sweep) {
        Vector next = winners(core::multiply(w, state), ones);
        if (next == state) break;
        state = std::move(next);
      }
      overlaps.push_back((core::dot(pattern, state) / static_cast<double>(ones) - active) / (1 - active));
    }
    return overlaps;
  };
}

Figure sparse_code_figure() {
  Figure figure{
      "sparse_code",
      "Overlap at load 1 for sparse 0/1 patterns, 1000 units",
      "share of active units",
      "overlap",
      "Tsodyks and Feigelman 1988: capacity grows as the code gets sparser",
      "Covariance rule with one winner for each 1 of a pattern. The claim is an order, not a number."};
  const double measured_before[][2] = {{0.5, 0.28}, {0.1, 0.47}, {0.02, 0.88}};
  for (const auto& [active, before] : measured_before)
    figure.points.push_back(
        shown("active " + fixed(active, 2), active, std::nullopt, 2, sparse_code_recall(1000, active)));
  figure.relations = {{"active 0.10 above 0.50", std::nullopt, 0.1, 1, difference(1, 0)},
                      {"active 0.02 above 0.10", std::nullopt, 0.1, 1, difference(2, 1)}};
  return figure;
}

}  // namespace

std::vector<Figure> rule_figures() {
  return {storkey_figure(),          storkey_recall_figure(), stream_figure(),     projector_fixed_figure(),
          projector_recall_figure(), diluted_figure(),        sparse_code_figure()};
}

}  // namespace engram::experiments::capacity
