// SPDX-License-Identifier: MIT
// A value or an error. (g++ 12 has no std::expected.)
#pragma once

#include <utility>
#include <variant>

namespace engram::narsese {

/// Holds a T or an E. Access to the missing one throws std::bad_variant_access.
template <class T, class E>
class Result {
 public:
  Result(const T& value) : state_(std::in_place_index<0>, value) {}
  Result(T&& value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(const E& error) : state_(std::in_place_index<1>, error) {}
  Result(E&& error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// The value. Check has_value() first.
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  /// The value, to move from.
  T&& value() && { return std::get<0>(std::move(state_)); }
  const E& error() const { return std::get<1>(state_); }

  const T& operator*() const { return value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, E> state_;
};

}  // namespace engram::narsese
