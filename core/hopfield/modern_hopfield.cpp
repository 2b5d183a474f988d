// SPDX-License-Identifier: MIT
#include "core/hopfield/modern_hopfield.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/single_precision/float_scan.hpp"

namespace engram::core {
namespace {

void check_options(const ModernHopfieldOptions& options) {
  require_positive("beta", options.beta);
  require(options.max_steps >= 1, "max_steps must be at least 1", options.max_steps);
}

// The terms of the energy that do not depend on the state, for `count` patterns with this largest squared norm.
double energy_constant(const ModernHopfieldOptions& options, Index count, double largest_square) {
  // A budget's weights sum to k, so its result may be k times as long as a pattern.
  if (options.map.map == SimplexMap::budget)
    largest_square *= static_cast<double>(options.map.k) * static_cast<double>(options.map.k);
  return 0.5 * largest_square - omega_uniform(options.map, count) / options.beta;
}

// Common interface of dense and sparse patterns.
struct DensePatterns {
  const Matrix& x;
  Index count() const { return x.rows(); }
  Index dimensions() const { return x.cols(); }
  Vector similarity(const Vector& state) const { return multiply(x, state); }
  Vector project(const Vector& weights) const { return multiply_transposed(x, weights); }
  double square_norm(Index row) const { return dot(row_span(x, row), row_span(x, row)); }
};

struct SparsePatterns {
  const SparseRows& x;
  Index count() const { return x.rows(); }
  Index dimensions() const { return x.columns(); }
  Vector similarity(const Vector& state) const { return x.multiply(state); }
  Vector project(const Vector& weights) const { return x.multiply_transposed(weights); }
  double square_norm(Index row) const { return dot(x.values_of(row), x.values_of(row)); }
};

template <class Patterns>
ModernRecall iterate(const Patterns& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                     const Vector& field, const StepObserver& observer) {
  require(patterns.count() > 0, "a modern Hopfield network needs at least one pattern");
  require_size("cue", cue.size(), patterns.dimensions());
  if (field.size() > 0) require_size("field", field.size(), patterns.dimensions());
  check_options(options);

  double largest_square = 0;
  for (Index i = 0; i < patterns.count(); ++i)
    largest_square = std::max(largest_square, patterns.square_norm(i));
  const double constant = energy_constant(options, patterns.count(), largest_square);
  const auto energy = [&](const Vector& state, const Vector& scores) {
    const double coupling = field.size() > 0 ? dot(field, state) : 0.0;
    // beta^-1 Omega*(beta s) is the value of the optimisation problem with scores s at temperature 1/beta.
    return constant - programme_value(options.map, scores, 1.0 / options.beta) + 0.5 * dot(state, state) -
           coupling;
  };

  ModernRecall recall;
  recall.state = cue;
  Vector scores = patterns.similarity(recall.state);
  recall.energies.push_back(energy(recall.state, scores));
  recall.certificate = certify_retrieval(options.map, scores, options.beta);
  while (recall.iterations < options.max_steps && (options.every_step || !recall.converged)) {
    recall.weights = apply(options.map, scores, 1.0 / options.beta);
    Vector next = patterns.project(recall.weights);
    if (field.size() > 0) next += field;
    const double change = (next - recall.state).lpNorm<Eigen::Infinity>();
    recall.state = std::move(next);
    scores = patterns.similarity(recall.state);
    recall.energies.push_back(energy(recall.state, scores));
    ++recall.iterations;
    recall.converged = change <= options.tolerance;
    if (observer) observer(recall.state, recall.weights);
  }
  return recall;
}

}  // namespace

double separating_beta(const Regulariser& map, Index patterns, double separation) {
  require(separation > 0 && separation <= 2, "patterns of length 1 are more than 0 and at most 2 apart",
          separation);
  const double needed = margin(map);
  if (needed == 0) return 1 / separation;
  const auto k = static_cast<double>(std::max<Index>(patterns, 2));
  // Fixed-point iteration from below: the right side times beta grows more slowly than beta.
  double beta = 1 / separation;
  for (double before = 0; beta > before * (1 + 1e-14);) {
    before = beta;
    beta = (2 / k + log(2 * (k - 1) * k * beta)) / separation;
  }
  return std::min(beta, needed / separation);
}

RetrievalCertificate certify_retrieval(const Regulariser& map, const Vector& similarity, double beta) {
  const Index winners = map.map == SimplexMap::budget ? map.k : 1;
  require(winners >= 1 && winners <= similarity.size(), "the map needs as many patterns as it selects");
  RetrievalCertificate certificate{std::numeric_limits<double>::infinity(), margin(map), true, beta};
  if (winners < similarity.size()) {
    Vector sorted = similarity;
    std::partial_sort(sorted.begin(), sorted.begin() + winners + 1, sorted.end(), std::greater<>());
    certificate.gap = sorted[winners - 1] - sorted[winners];
    certificate.exact = beta * certificate.gap >= certificate.margin;
  }
  return certificate;
}

ModernRecall recall_modern(const Matrix& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                           const Vector& field, const StepObserver& observer) {
  return iterate(DensePatterns{patterns}, cue, options, field, observer);
}

ModernRecall recall_modern(const SparseRows& patterns, const Vector& cue,
                           const ModernHopfieldOptions& options, const Vector& field,
                           const StepObserver& observer) {
  return iterate(SparsePatterns{patterns}, cue, options, field, observer);
}

namespace {

using namespace packed;

// Patterns in a block: as many as fit in the L2 cache with the other data, because work per block is amortised. Chosen
// by experiment.
std::size_t block_rows(Index columns) {
  constexpr std::size_t numbers = std::size_t{1} << 16, fewest = 64;
  return std::clamp(numbers / size(columns) / lane_keys * lane_keys, fewest, block_keys);
}

std::size_t winners_of(const Regulariser& map) { return map.map == SimplexMap::budget ? size(map.k) : 1; }

// The certificate from the scores of the winners and the next pattern, which are beta s times `unit`. Compares as the
// map itself does.
RetrievalCertificate certify(const Regulariser& map, const std::vector<ScoredKey>& best, double beta,
                             double unit) {
  const std::size_t winners = winners_of(map);
  RetrievalCertificate certificate{std::numeric_limits<double>::infinity(), margin(map), true, beta};
  if (best.size() <= winners) return certificate;
  const double gap = (double{best[winners - 1].score} - double{best[winners].score}) / unit;
  certificate.gap = gap / beta;
  certificate.exact = gap >= certificate.margin;
  return certificate;
}

// Softmax

// A worker's buffers: sum p and sum p x of the current span in 16 parts, p = 2^(s - top).
struct Room {
  Block block;
  std::vector<float> sums;  // (d, 16)
  float top = 0;
  double total = 0;
  BestKeys best{2};  // of all patterns that the worker scored

  explicit Room(const KeyScan& scan) : block(scan.make_block()), sums(scan.queries.size() * lane_keys) {}
};

// 2^x with the kernels' rounding.
float power(const FloatKernels& kernels, float x) {
  std::array<float, lane_keys> powers{x};
  kernels.exponentials(powers.data(), powers.size(), 0);
  return powers[0];
}

void raise_top(const FloatKernels& kernels, float top, Room& room) {
  const float kept = power(kernels, room.top - top);
  for (float& part : room.sums) part *= kept;
  room.total *= double{kept};
  room.top = top;
}

void add_block(const KeyScan& scan, Room& room) {
  Block& block = room.block;
  const FloatKernels& kernels = scan.kernels;
  const float largest = kernels.largest(block.scores_of(0), block.padded());
  room.best.add(block.scores_of(0), block, largest);
  if (largest > room.top) raise_top(kernels, largest, room);
  room.total += double{kernels.exponentials(block.scores_of(0), block.padded(), room.top)};
  with_stored(scan.keys.precision(), [&](auto stored) {
    const auto* panels = scan.keys.from_row<decltype(stored)>(static_cast<Index>(block.first_key));
    kernels_for(kernels, stored)
        .weigh_panels(block.scores_of(0), size(scan.keys.columns()), panels, block.padded() / lane_keys,
                      room.sums.data());
  });
}

// Sums sixteen parts pairwise.
double whole(const float* parts) {
  std::array<double, lane_keys> sums{};
  std::copy_n(parts, lane_keys, sums.begin());
  for (std::size_t half = lane_keys / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

void add_span(const KeyScan& scan, std::size_t span, Room& room, SpanSums& spans) {
  room.top = -std::numeric_limits<float>::infinity();  // multiplies the last span's sums by 0
  scan.for_each_block(span, room.block, [&] { add_block(scan, room); });
  spans.tops[span] = room.top;
  spans.totals[span] = room.total;
  for (std::size_t j = 0; j < spans.width; ++j)
    spans.sums[span * spans.width + j] = whole(room.sums.data() + j * lane_keys);
}

FloatStep step_softly(const PackedKeys& patterns, const Vector& state, double beta, const FloatOptions& how) {
  const std::vector<float> rounded = rounded_queries(patterns, state.transpose(), beta * log2_e);
  const KeyScan scan(patterns, rounded, how, block_rows(patterns.columns()));
  const std::size_t columns = size(patterns.columns());
  SpanSums spans(scan.spans, 1, columns);
  std::vector<Room> rooms(scan.threads, Room(scan));
  for_each_task(scan.spans, scan.threads,
                [&](std::size_t span, unsigned worker) { add_span(scan, span, rooms[worker], spans); });
  BestKeys best(2);
  for (const Room& of_worker : rooms) best.add(of_worker.best);
  FloatStep step{Vector(patterns.columns()), 0,
                 certify(SimplexMap::softmax, std::move(best).sorted(), beta, log2_e)};
  std::vector<double> sums(columns);
  step.value = combine_spans(spans, 1, 0, sums, {step.state.data(), columns}) / beta;
  return step;
}

// Sparse maps

FloatStep step_sparsely(const PackedKeys& patterns, const Vector& state, double beta, const Regulariser& map,
                        const FloatOptions& how) {
  const std::vector<float> rounded = rounded_queries(patterns, state.transpose(), beta);
  const KeyScan scan(patterns, rounded, how);
  const Candidates candidates(scan, winners_of(map), margin(map));
  const WeighedKeys weighed = weigh(map, candidates.of(0));
  FloatStep step{Vector::Zero(patterns.columns()), weighed.value / beta,
                 certify(map, candidates.best(0), beta, 1.0)};
  add_rows(patterns, weighed, {step.state.data(), size(patterns.columns())});
  return step;
}

}  // namespace

FloatStep modern_step(const PackedKeys& patterns, const Vector& state, double beta, const Regulariser& map,
                      const FloatOptions& how) {
  require(patterns.rows() > 0, "a modern Hopfield network needs at least one pattern");
  require_positive("beta", beta);
  require(map.map != SimplexMap::budget || map.k <= patterns.rows(),
          "the map needs as many patterns as it selects");
  if (std::isinf(margin(map))) return step_softly(patterns, state, beta, how);
  return step_sparsely(patterns, state, beta, map, how);
}

FloatRecall recall_modern(const PackedKeys& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                          const Vector& field, const FloatOptions& how) {
  check_options(options);
  if (field.size() > 0) require_size("field", field.size(), patterns.columns());
  const double constant = energy_constant(options, patterns.rows(), patterns.largest_square());
  const double tolerance = std::max(options.tolerance, 0x1p-20 * double{patterns.largest()});
  FloatRecall recall;
  recall.state = cue;
  while (recall.iterations < options.max_steps && (options.every_step || !recall.converged)) {
    FloatStep step = modern_step(patterns, recall.state, options.beta, options.map, how);
    double energy = constant - step.value + 0.5 * dot(recall.state, recall.state);
    if (field.size() > 0) {
      energy -= dot(field, recall.state);
      step.state += field;
    }
    recall.energies.push_back(energy);
    if (recall.iterations == 0) recall.certificate = step.certificate;
    recall.converged = (step.state - recall.state).lpNorm<Eigen::Infinity>() <= tolerance;
    recall.state = std::move(step.state);
    ++recall.iterations;
  }
  return recall;
}

}  // namespace engram::core
