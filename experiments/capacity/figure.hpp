// SPDX-License-Identifier: MIT
// What the experiment `capacity` reproduces: figures of the literature, each a number at some points, what
// theory says there, and within which bounds the mean of what is measured has to lie.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/inputs/random_cases.hpp"

namespace engram::experiments::capacity {

/// Values of one repetition: one for each pattern or case that was tried, or one alone.
using Measurement = std::function<std::vector<double>(core::Rng& rng)>;

struct Point {
  std::string label;             // unique within its figure: "load 0.10"
  double x = 0;                  // its place on the axis
  std::optional<double> theory;  // none: no formula, or it speaks of other sizes
  double low = 1, high = 0;      // bounds of the mean, both included; low > high: no claim, it is shown only
  std::size_t repetitions = 1;
  Measurement measure;

  /// The same with bounds.
  Point within(double least, double most) && {
    low = least;
    high = most;
    return std::move(*this);
  }
};

/// A claim about several points at once: an order, a crossing. `means` are in the order of the points.
struct Relation {
  std::string label;
  std::optional<double> theory;
  double low = 0, high = 0;
  std::function<double(const std::vector<double>& means)> value;
};

struct Figure {
  std::string name;   // of its rows: "overlap"
  std::string title;  // "Overlap with the pattern after recall"
  std::string axis, quantity;
  std::string source;
  std::string note;  // set-up, and where it differs from the source's
  std::vector<Point> points = {};
  std::vector<Relation> relations = {};
  /// Read another figure's rows instead of measuring, and take this of each value before the mean; NaN: leave
  /// the value out.
  std::string rows_of = {};
  std::function<double(double)> statistic = {};
  std::string plot = {};                       // figures of one name share a plot; empty: none
  std::string series = {};                     // its line there; points "name, ..." are lines of their own
  std::function<double(double x)> curve = {};  // theory, drawn between the points as well

  /// The name of the figure whose rows these are.
  const std::string& measured_as() const { return rows_of.empty() ? name : rows_of; }
};

/// All of them, a file each group, in the order of the tables.
std::vector<Figure> all_figures();
std::vector<Figure> classical_figures();  // random patterns under Hebb's rule, with and without noise
std::vector<Figure> rule_figures();       // other rules: Storkey, pseudo-inverse, dilution, sparse coding
std::vector<Figure> dense_figures();      // dense associative memories
std::vector<Figure> modern_figures();     // modern Hopfield networks and their certificates

/// Whether the mean of a point or a relation is claimed to lie within bounds.
template <class Claim>
bool is_claimed(const Claim& claim) {
  return claim.low <= claim.high;
}

/// Bounds for a claim of theory plus or minus a tolerance; and for none.
Point claim(std::string label, double x, double theory, double tolerance, std::size_t repetitions,
            Measurement measure);
Point shown(std::string label, double x, std::optional<double> theory, std::size_t repetitions,
            Measurement measure);

/// Where the falling means of the points from `first` on, at these places, cross one half; NaN: nowhere.
std::function<double(const std::vector<double>&)> crossing(std::size_t first, std::vector<double> xs);

}  // namespace engram::experiments::capacity
