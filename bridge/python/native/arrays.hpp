// SPDX-License-Identifier: MIT
// Conversion of Python arguments to vectors, matrices and named values of core, without a copy if the layout of an
// array allows it. Every error names the argument.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bridge/python/native/module.hpp"
#include "core/attention/attention.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::python {

using core::Index;
using core::Matrix;
using core::Vector;

/// Converts an argument to a C-contiguous array of doubles with `axes` axes. Copies only if necessary.
/// Errors   std::invalid_argument if it is not an array of real numbers, or has another number of axes
py::array_t<double> doubles(const char* name, py::handle given, int axes);

/// View of a NumPy array as `Dense`, a core::Vector or core::Matrix. Use it to pass an array to a function of core
/// without a copy. These types own their numbers. The view therefore builds a Dense object that points into the array,
/// and never destroys it. If the array has another layout or alignment, the view copies the numbers instead.
/// Cost  none, or the copy
template <class Dense>
class ArrayView {
 public:
  ArrayView(const char* name, py::handle given) : array_(doubles(name, given, axes)) {
    new (place_.data()) Dense();
    const Index rows = array_.shape(0), columns = axes == 2 ? array_.shape(1) : 1;
    if (points_into(rows, columns)) return;
    Dense* own = new (place_.data()) Dense(rows, columns);
    owns_ = true;
    if (own->size() > 0)
      std::memcpy(own->data(), array_.data(), static_cast<std::size_t>(own->size()) * sizeof(double));
  }
  ~ArrayView() {
    if (owns_) std::launder(reinterpret_cast<Dense*>(place_.data()))->~Dense();
  }
  ArrayView(const ArrayView&) = delete;
  ArrayView& operator=(const ArrayView&) = delete;

  const Dense& operator*() const { return *std::launder(reinterpret_cast<const Dense*>(place_.data())); }
  const Dense* operator->() const { return &**this; }

 protected:
  static constexpr int axes = Dense::ColsAtCompileTime == 1 ? 1 : 2;

 private:
  // The members of Eigen's matrices, in their order. A vector has only the first two.
  struct Stored {
    const double* data;
    Index rows, columns;
  };
  static_assert(sizeof(Dense) == sizeof(double*) + axes * sizeof(Index));

  // Makes the Dense object point into the array if the alignment allows it. Checks that it really does.
  bool points_into(Index rows, Index columns) {
    const auto address = reinterpret_cast<std::uintptr_t>(array_.data());
    if (array_.size() == 0 || address % EIGEN_MAX_ALIGN_BYTES != 0) return false;
    const Stored stored{array_.data(), rows, columns};
    std::memcpy(place_.data(), &stored, sizeof(Dense));
    const Dense& seen = **this;
    return seen.data() == array_.data() && seen.rows() == rows && seen.cols() == columns;
  }

  py::array_t<double> array_;
  alignas(Dense) std::array<std::byte, sizeof(Dense)> place_;
  bool owns_ = false;
};

/// View of an array that may be None. None becomes a vector or matrix without entries.
template <class Dense>
class OptionalArrayView : public ArrayView<Dense> {
 public:
  OptionalArrayView(const char* name, py::handle given)
      : ArrayView<Dense>(name, given.is_none() ? empty() : py::reinterpret_borrow<py::object>(given)) {}

 private:
  static py::object empty() {
    return py::array_t<double>(std::vector<py::ssize_t>(static_cast<std::size_t>(ArrayView<Dense>::axes), 0));
  }
};

/// Converts a mask (q, k) of booleans. The mask is empty for None.  Errors  std::invalid_argument
core::Mask mask(const char* name, py::handle given);
/// Converts an array of whole numbers below 2^32.  Errors  std::invalid_argument
std::vector<std::uint32_t> indices(const char* name, py::handle given);

/// Converts a list of numbers to a NumPy array of float64 or, for whole numbers, of int64.
template <class Number>
auto array_of(const std::vector<Number>& numbers) {
  using Item = std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>;
  py::array_t<Item> array(static_cast<py::ssize_t>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), array.mutable_data());
  return array;
}

/// The value with this name in a table of core.  Errors  std::invalid_argument with all names
template <class Table>
core::ValueOf<Table> named(const char* what, const Table& table, const std::string& name) {
  if (const auto value = core::value_named(table, name)) return *value;
  std::string known;
  for (const std::string& one : core::names_in(table)) known += (known.empty() ? "" : ", ") + one;
  throw std::invalid_argument(std::string(what) + " must be one of " + known + "; found '" + name + "'");
}

/// A simplex map in Python: its name, alpha and k.
using MapArguments = std::tuple<std::string, double, Index>;
/// Converts a simplex map.  Errors  std::invalid_argument for an unknown name; core checks the ranges
inline core::Regulariser regulariser(const MapArguments& given) {
  const auto& [name, alpha, k] = given;
  return {named("a map", core::simplex_maps, name), alpha, k};
}

}  // namespace engram::python
