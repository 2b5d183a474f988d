// SPDX-License-Identifier: MIT
// Timelines drawn from left to right: entries of a session, or cycles of a stream.
#pragma once

#include <algorithm>
#include <string>

namespace engram::experiments {

/// Coordinates of a timeline: x in 0 .. `last`, y in 0 .. `most`.
struct Lane {
  double last = 1, most = 1;

  static constexpr double width = 360, height = 150, left = 44, right = 8, top = 8, bottom = 22;
  double x(double at) const { return left + (width - left - right) * at / std::max(1.0, last); }
  double y(double value) const { return height - bottom - (height - top - bottom) * value / most; }
};

/// A vertical line with a tooltip. `kind` is a class of lanes.css.
std::string lane_mark(const Lane& lane, double at, const char* kind, const std::string& title);

/// A timeline with axes and labels of both ends of x. `marks` are behind `drawn`; both are SVG.
std::string lane_picture(const Lane& lane, const std::string& name, const std::string& first,
                         const std::string& last, const std::string& marks, const std::string& drawn);

}  // namespace engram::experiments
