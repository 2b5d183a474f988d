// SPDX-License-Identifier: MIT
// Experiment `capacity`: how many patterns can each memory store? The experiment is a table of figures from the
// literature. A figure has several points, each with a function that measures a number. A point can have the value of a
// theory, and a claim, which consists of bounds for the measured mean. In addition, the experiment stores statements of
// real files in concept graphs, and records the energies of single recalls.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/random_cases.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::capacity {

// --- figures of the literature

/// Runs one repetition. Returns a value for each pattern or case, or a single value.
using Measurement = std::function<std::vector<double>(Rng& rng)>;

/// A measurement at one setting, with or without a claim on its mean.
struct Point {
  std::string label;             // unique within the figure, such as "load 0.10"
  double x = 0;                  // position on the x axis
  std::optional<double> theory;  // empty if no formula covers this size
  double low = 1, high = 0;      // inclusive bounds of the mean; without a claim, low > high
  std::size_t repetitions = 1;
  Measurement measure;

  /// Returns this point with a claim: the mean must be within these bounds.
  Point within(double least, double most) && {
    low = least;
    high = most;
    return std::move(*this);
  }
};

/// Creates a point with a claim: the mean differs from the theory by at most `tolerance`.
Point claim(std::string label, double x, double theory, double tolerance, std::size_t repetitions,
            Measurement measure);
/// Creates a point without a claim.
Point shown(std::string label, double x, std::optional<double> theory, std::size_t repetitions,
            Measurement measure);

/// A claim about several points, such as an order or a crossing. `means` has the order of the figure's points.
struct Relation {
  std::string label;
  std::optional<double> theory;
  double low = 0, high = 0;  // inclusive bounds of `value`
  std::function<double(const std::vector<double>& means)> value;
};

/// Whether a point or relation has bounds.
template <class Claim>
bool is_claimed(const Claim& claim) {
  return claim.low <= claim.high;
}

/// Creates a function for Relation::value: the mean of one point minus the mean of another.
std::function<double(const std::vector<double>&)> difference(std::size_t point, std::size_t subtracted);
/// Creates a function for Relation::value: the x at which the means of the points from index `first` on fall below one
/// half, or NaN if they do not. `xs` has the x of each of these points.
std::function<double(const std::vector<double>&)> crossing(std::size_t first, std::vector<double> xs);

struct Figure {
  std::string name;   // name in rows, such as "overlap"
  std::string title;  // title in reports, such as "Overlap with the pattern after recall"
  std::string axis, quantity;
  std::string source;
  std::string note;  // set-up of the measurement, and its differences from the source
  std::vector<Point> points = {};
  std::vector<Relation> relations = {};
  /// Name of another figure that supplies the rows, or empty. `statistic` is applied to each value before the mean; a
  /// NaN leaves the value out.
  std::string rows_of = {};
  std::function<double(double)> statistic = {};
  std::string plot = {};  // name of the plot, which may be shared by several figures; empty: no plot
  /// Name of the figure's line in the plot. If empty, each point labelled "NAME, ..." belongs to the line NAME.
  std::string series = {};
  std::function<double(double x)> curve = {};  // theory, drawn as a curve

  /// The figure name in the rows that this figure uses.
  const std::string& measured_as() const { return rows_of.empty() ? name : rows_of; }
};

/// All figures in the order of tables.
std::vector<Figure> all_figures();
/// The groups of figures, one for each file.
std::vector<Figure> classical_figures();  // random patterns with Hebb's rule, with and without noise
std::vector<Figure> rule_figures();       // other rules: Storkey, pseudo-inverse, dilution, sparse coding
std::vector<Figure> dense_figures();      // dense associative memories, and modern Hopfield networks

/// The number of patterns at a load, rounded.
Index patterns_at(Index spins, double load);
/// Overlap of a state with a pattern of +1 and -1: 1 if they are equal.
double overlap(const Vector& pattern, const Vector& state);

// --- the other trials

/// Stores `stored` statements of a file, and removes a concept from each of `cues` statements. Measures how often each
/// method, and networks of spins over the concepts of the file, recall exactly the removed concept.
/// A row has    file, stored, method, recalled (share), possible (the largest share that the cues allow)
TrialResult episode_trial(const Spec& spec, std::size_t cues, const Corpus& corpus, std::uint64_t seed,
                          std::size_t stored);

/// The numbers of statements to store, up to all statements of the file.
std::vector<std::size_t> episode_loads(const Corpus& corpus);

/// Runs recalls by several memories and records every step.
/// A row has    recall (its label), group, x (steps or sweeps), energy, overlap with the pattern
TrialResult energy_trial(std::uint64_t seed);

/// Adds the plots and the table of the episode rows to a conclusion, and a sentence to its answer.
void conclude_episodes(const std::vector<Json>& rows, Conclusion& conclusion);
/// Adds the plots and the table of the energy rows to a conclusion.
void conclude_energies(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::capacity
