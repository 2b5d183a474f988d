// SPDX-License-Identifier: MIT
// A few numbers for each kind of event.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/events/event_kinds.hpp"

namespace engram::core {

/// Rows of `width` numbers by kind, all 0 until they are written.
class KindRows {
 public:
  explicit KindRows(std::size_t width = 1) : width_(width) {}

  /// The row, or null where nothing was written.
  const double* find(EventKind kind) const {
    return (kind + std::size_t{1}) * width_ <= values_.size() ? values_.data() + kind * width_ : nullptr;
  }
  /// The row, to write to; until the next call.
  double* at(EventKind kind) {
    if (find(kind) == nullptr) values_.resize((kind + std::size_t{1}) * width_);
    return values_.data() + kind * width_;
  }
  /// Their rows are 0 again.
  void forget(std::span<const EventKind> kinds) {
    for (const EventKind kind : kinds)
      if (find(kind) != nullptr) std::fill_n(at(kind), width_, 0.0);
  }
  /// Kinds that may have been written.
  std::size_t size() const { return values_.size() / width_; }
  std::size_t bytes() const { return values_.capacity() * sizeof(double); }

 private:
  std::size_t width_;
  std::vector<double> values_;
};

}  // namespace engram::core
