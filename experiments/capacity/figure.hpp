// SPDX-License-Identifier: MIT
// Figures of the literature that the experiment `capacity` reproduces. Each is a number at several points, with the
// value of the theory and the bounds for the measured mean.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/inputs/random_cases.hpp"

namespace engram::experiments::capacity {

/// Runs one repetition. Returns a value for each pattern or case, or a single value.
using Measurement = std::function<std::vector<double>(core::Rng& rng)>;

struct Point {
  std::string label;             // unique within the figure, such as "load 0.10"
  double x = 0;                  // position on the x axis
  std::optional<double> theory;  // empty: no formula, or a formula for other sizes
  double low = 1, high = 0;      // inclusive bounds of the mean; low > high: no claim, only shown
  std::size_t repetitions = 1;
  Measurement measure;

  /// Returns this point with bounds.
  Point within(double least, double most) && {
    low = least;
    high = most;
    return std::move(*this);
  }
};

/// A claim about several points at once, such as an order or a crossing. `means` has the order of the points.
struct Relation {
  std::string label;
  std::optional<double> theory;
  double low = 0, high = 0;
  std::function<double(const std::vector<double>& means)> value;
};

struct Figure {
  std::string name;   // name in rows, such as "overlap"
  std::string title;  // title in reports, such as "Overlap with the pattern after recall"
  std::string axis, quantity;
  std::string source;
  std::string note;  // set-up, and its differences from the source
  std::vector<Point> points = {};
  std::vector<Relation> relations = {};
  /// If set, this figure uses the rows of another figure. `statistic` is applied to each value before the mean; NaN
  /// drops the value.
  std::string rows_of = {};
  std::function<double(double)> statistic = {};
  std::string plot = {};    // name of the plot; figures with equal names share it; empty: none
  std::string series = {};  // its line in the plot; points labelled "name, ..." get their own lines
  std::function<double(double x)> curve = {};  // theory as a curve between the points

  /// The name of the figure whose rows this figure uses.
  const std::string& measured_as() const { return rows_of.empty() ? name : rows_of; }
};

/// All figures in the order of tables. Each group has its own file.
std::vector<Figure> all_figures();
std::vector<Figure> classical_figures();  // random patterns with Hebb's rule, with and without noise
std::vector<Figure> rule_figures();       // other rules: Storkey, pseudo-inverse, dilution, sparse coding
std::vector<Figure> dense_figures();      // dense associative memories
std::vector<Figure> modern_figures();     // modern Hopfield networks and their certificates

/// Whether there is a claim on the mean of a point or relation.
template <class Claim>
bool is_claimed(const Claim& claim) {
  return claim.low <= claim.high;
}

/// claim() creates a point whose mean must lie within a tolerance of the theory; shown() creates one without a claim.
Point claim(std::string label, double x, double theory, double tolerance, std::size_t repetitions,
            Measurement measure);
Point shown(std::string label, double x, std::optional<double> theory, std::size_t repetitions,
            Measurement measure);

/// Returns the x at which the falling means of the points from `first` on cross one half, or NaN. `xs` are the
/// positions of the points.
std::function<double(const std::vector<double>&)> crossing(std::size_t first, std::vector<double> xs);

}  // namespace engram::experiments::capacity
