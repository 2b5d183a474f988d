// SPDX-License-Identifier: MIT
// Plots, and gnuplot scripts that draw them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// A plot: lines with error bars over one x axis. With categories: one point with its bar for each category and series.
struct Plot {
  struct Point {
    double x = 0, y = 0, low = 0, high = 0;
  };
  struct Series {
    std::string label;
    std::vector<Point> points = {};
    bool theory = false;  // drawn as a dashed grey line without marks

    void add(double x, double y) { points.push_back({x, y, y, y}); }
    /// Adds a point, unless the estimate is empty.
    void add(double x, const std::optional<Estimate>& e) {
      if (e) points.push_back({x, e->mean, e->low, e->high});
    }
  };
  std::string name, title, x_label, y_label;
  std::vector<Series> series = {};
  std::vector<std::string> categories = {};  // names of the values x = 1, 2, ...
  std::vector<Plot> panels{};  // small plots in rows of three, in place of series; the labels of the last one
                               // are the common key, in the cell after it
  std::string note_html{};     // HTML below the plot in the report
  bool shares = true;          // y axis is [0, 1]; otherwise from 0 to the largest point
  bool from_zero = true;       // y axis begins at 0; otherwise at the lowest point
  bool bars = true;            // error bars; false for many points without intervals
  bool log_x = false;          // logarithmic x axis, from the first point; x must be positive
  bool log_log = false;        // logarithmic axes that fit the points, which must be positive
  bool joined = true;          // points are joined by lines; false for items without order
  std::vector<std::pair<double, std::string>> marks = {};  // vertical lines: x and label
};

/// A gnuplot script, including the data, that writes `<name>.svg` and `<name>.pdf`. The plot is legible in grey and for
/// colour-blind readers. Texts are data of at most 200 code points each, so that they cannot inject commands.
std::string to_gnuplot(const Plot& plot);

}  // namespace engram::experiments
