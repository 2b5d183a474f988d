// SPDX-License-Identifier: MIT
// Plots, and the scripts that draw them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// Lines with error bars over one x axis, or, with categories, one point with its bar for each of them.
struct Plot {
  struct Point {
    double x = 0, y = 0, low = 0, high = 0;
  };
  struct Series {
    std::string label;
    std::vector<Point> points = {};
    bool theory = false;  // a dashed grey line without marks

    void add(double x, double y) { points.push_back({x, y, y, y}); }
    /// Nothing where nothing was measured.
    void add(double x, const std::optional<Estimate>& e) {
      if (e) points.push_back({x, e->mean, e->low, e->high});
    }
  };
  std::string name, title, x_label, y_label;
  std::vector<Series> series = {};
  std::vector<std::string> categories = {};  // names of x = 1, 2, ...
  std::vector<Plot> panels{};  // small plots in rows of three, in place of series; the last one's
                               // labels serve all, in the cell after it
  std::string note_html{};     // what stands under it in the report
  bool shares = true;          // y is a share, within [0, 1]; else from 0 as far as the points go
  bool from_zero = true;       // else y from the lowest point
  bool bars = true;            // else bare lines: points without intervals, too many to mark each
  bool log_x = false;          // the x axis logarithmic, from the first point on: x must be above 0
  bool log_log = false;        // both axes logarithmic, as far as the points go: they must be above 0
  bool joined = true;          // else bare points, of things that have no order
  std::vector<std::pair<double, std::string>> marks = {};  // x of vertical lines, and what they say
};

/// A gnuplot script with its data inside that writes `<name>.svg` and `<name>.pdf`: legible in grey, safe for
/// the colour-blind. Texts stand in it as data too, each at most 200 code points: no command holds any.
std::string to_gnuplot(const Plot& plot);

}  // namespace engram::experiments
