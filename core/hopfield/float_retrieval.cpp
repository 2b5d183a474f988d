// SPDX-License-Identifier: MIT
#include "core/hopfield/float_retrieval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/parallel.hpp"
#include "core/single_precision/float_questions.hpp"
#include "core/single_precision/float_support.hpp"

namespace engram::core {
namespace {

using namespace packed;

// Patterns in a block: as many as a second-level cache holds beside what else is there, for what is decided
// for a block is decided once; chosen by trial.
std::size_t block_rows(Index columns) {
  constexpr std::size_t numbers = std::size_t{1} << 16, fewest = 64;
  return std::clamp(numbers / size(columns) / lane_keys * lane_keys, fewest, block_keys);
}

std::size_t winners_of(const Regulariser& map) { return map.map == SimplexMap::budget ? size(map.k) : 1; }

// From the winners' scores and the next, which are beta s times `unit`. Decided as the map itself decides.
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

// A worker's room: for the span it is at, sum p and sum p x in 16 parts, p = 2^(s - top).
struct Room {
  Block block;
  std::vector<float> sums;  // (d, 16)
  float top = 0;
  double total = 0;
  BestKeys best{2};  // of all that the worker has met

  explicit Room(const Questions& questions)
      : block(questions.room()), sums(questions.queries.size() * lane_keys) {}
};

// 2^x as the kernels have it.
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

void add_block(const Questions& questions, Room& room) {
  Block& block = room.block;
  const FloatKernels& kernels = questions.kernels;
  const float largest = kernels.largest(block.scores_of(0), block.padded());
  room.best.add(block.scores_of(0), block, largest);
  if (largest > room.top) raise_top(kernels, largest, room);
  room.total += double{kernels.exponentials(block.scores_of(0), block.padded(), room.top)};
  with_stored(questions.keys.precision(), [&](auto stored) {
    const auto* panels = questions.keys.from_row<decltype(stored)>(static_cast<Index>(block.first_key));
    kernels_for(kernels, stored)
        .weigh_panels(block.scores_of(0), size(questions.keys.columns()), panels, block.padded() / lane_keys,
                      room.sums.data());
  });
}

// Sixteen parts to one, by halves.
double whole(const float* parts) {
  std::array<double, lane_keys> sums{};
  std::copy_n(parts, lane_keys, sums.begin());
  for (std::size_t half = lane_keys / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

void add_span(const Questions& questions, std::size_t span, Room& room, Means& means) {
  room.top = -std::numeric_limits<float>::infinity();  // what the last span left counts 2^-infinity times
  questions.for_each_block(span, room.block, [&] { add_block(questions, room); });
  means.tops[span] = room.top;
  means.totals[span] = room.total;
  for (std::size_t j = 0; j < means.width; ++j)
    means.sums[span * means.width + j] = whole(room.sums.data() + j * lane_keys);
}

FloatStep step_softly(const PackedKeys& patterns, const Vector& state, double beta, const FloatOptions& how) {
  const std::vector<float> rounded = rounded_queries(patterns, state.transpose(), beta * log2_e);
  const Questions questions(patterns, rounded, how, block_rows(patterns.columns()));
  const std::size_t columns = size(patterns.columns());
  Means spans(questions.spans, 1, columns);
  std::vector<Room> rooms(questions.threads, Room(questions));
  for_each_task(questions.spans, questions.threads,
                [&](std::size_t span, unsigned worker) { add_span(questions, span, rooms[worker], spans); });
  BestKeys best(2);
  for (const Room& of_worker : rooms) best.add(of_worker.best);
  FloatStep step{Vector(patterns.columns()), 0,
                 certify(SimplexMap::softmax, std::move(best).sorted(), beta, log2_e)};
  std::vector<double> sums(columns);
  step.value = answer(spans, 1, 0, sums, {step.state.data(), columns}) / beta;
  return step;
}

// Sparse maps

FloatStep step_sparsely(const PackedKeys& patterns, const Vector& state, double beta, const Regulariser& map,
                        const FloatOptions& how) {
  const std::vector<float> rounded = rounded_queries(patterns, state.transpose(), beta);
  const Questions questions(patterns, rounded, how);
  const Candidates candidates(questions, winners_of(map), margin(map));
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
  check(options);
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
