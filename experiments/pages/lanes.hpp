// SPDX-License-Identifier: MIT
// Pictures of what went on from left to right: entries of a session, cycles of a stream.
#pragma once

#include <algorithm>
#include <string>

namespace engram::experiments {

/// Places in a picture whose x go from 0 to `last`, and whose y from 0 to `most`.
struct Lane {
  double last = 1, most = 1;

  static constexpr double width = 360, height = 150, left = 44, right = 8, top = 8, bottom = 22;
  double x(double at) const { return left + (width - left - right) * at / std::max(1.0, last); }
  double y(double value) const { return height - bottom - (height - top - bottom) * value / most; }
};

/// An upright line; its title is told where the pointer rests. `kind` is a class of lanes.css.
std::string lane_mark(const Lane& lane, double at, const char* kind, const std::string& title);

/// The lane's axes with what the ends of x are, `marks` behind what is `drawn`; both SVG.
std::string lane_picture(const Lane& lane, const std::string& name, const std::string& first,
                         const std::string& last, const std::string& marks, const std::string& drawn);

}  // namespace engram::experiments
