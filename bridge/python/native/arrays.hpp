// SPDX-License-Identifier: MIT
// Conversion between NumPy arrays and the vectors and matrices of core, without a copy if the layout allows it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // every file of the module must include this

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/attention/attention.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::python {

namespace py = pybind11;
using core::Index;
using core::Matrix;
using core::Vector;

/// Converts an argument to a C-contiguous array of doubles with `axes` axes. Copies only if necessary.
/// Errors   std::invalid_argument, with the name of the argument, if it is not an array of real numbers or has another
///          number of axes
py::array_t<double> doubles(const char* name, py::handle given, int axes);

/// A shape in the notation of NumPy: (3, 4).
std::string shape_text(const py::array& array);

/// View of a NumPy array as a Dense (core::Vector or core::Matrix) during its life. Functions of core require these
/// types, which own their numbers. If the alignment of the array allows it, the view therefore constructs a Dense that
/// points into the array, and never destroys it. The view checks that the Dense really points there. Otherwise, or if
/// the array has another layout, the view copies the numbers.
/// Cost  none, or the copy
template <class Dense>
class Lent {
 public:
  static constexpr int axes = Dense::ColsAtCompileTime == 1 ? 1 : 2;

  Lent(const char* name, py::handle given) : array_(doubles(name, given, axes)) {
    new (place_.data()) Dense();
    const Index rows = array_.shape(0), columns = axes == 2 ? array_.shape(1) : 1;
    if (points_into(rows, columns)) return;
    Dense* own = new (place_.data()) Dense(rows, columns);
    owns_ = true;
    if (own->size() > 0)
      std::memcpy(own->data(), array_.data(), static_cast<std::size_t>(own->size()) * sizeof(double));
  }
  ~Lent() {
    if (owns_) std::launder(reinterpret_cast<Dense*>(place_.data()))->~Dense();
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const Dense& operator*() const { return *std::launder(reinterpret_cast<const Dense*>(place_.data())); }
  const Dense* operator->() const { return &**this; }

 private:
  // The layout of Eigen's types (DenseStorage).
  struct StoredVector {
    const double* data;
    Index rows;
  };
  struct StoredMatrix {
    const double* data;
    Index rows, columns;
  };

  bool points_into(Index rows, Index columns) {
    const auto address = reinterpret_cast<std::uintptr_t>(array_.data());
    if (array_.size() == 0 || address % EIGEN_MAX_ALIGN_BYTES != 0) return false;
    if constexpr (axes == 1) {
      static_assert(sizeof(StoredVector) == sizeof(Dense));
      const StoredVector stored{array_.data(), rows};
      std::memcpy(place_.data(), &stored, sizeof stored);
    } else {
      static_assert(sizeof(StoredMatrix) == sizeof(Dense));
      const StoredMatrix stored{array_.data(), rows, columns};
      std::memcpy(place_.data(), &stored, sizeof stored);
    }
    const Dense& seen = **this;
    return seen.data() == array_.data() && seen.rows() == rows && seen.cols() == columns;
  }

  py::array_t<double> array_;
  alignas(Dense) std::array<std::byte, sizeof(Dense)> place_;
  bool owns_ = false;
};

/// View of an argument that may be None, which becomes a Dense without entries.
template <class Dense>
class LentOrNone {
 public:
  LentOrNone(const char* name, py::handle given) : some_(name, given.is_none() ? nothing() : given) {}
  const Dense& operator*() const { return *some_; }

 private:
  static py::object nothing() {
    return py::array_t<double>(std::vector<py::ssize_t>(static_cast<std::size_t>(Lent<Dense>::axes), 0));
  }
  Lent<Dense> some_;
};

/// Converts a mask (q, k) of booleans. None becomes an empty mask.  Errors  std::invalid_argument
core::Mask mask(const char* name, py::handle given);
/// Converts an array of whole numbers below 2^32.  Errors  std::invalid_argument
std::vector<std::uint32_t> indices(const char* name, py::handle given);

/// Moves the numbers into a NumPy array, without a copy.
py::array_t<double> given_away(Vector numbers);
py::array_t<double> given_away(Matrix numbers);
py::array_t<double> array_of(const std::vector<double>& numbers);
template <class Integer>
py::array_t<std::int64_t> array_of_whole(const std::vector<Integer>& numbers) {
  py::array_t<std::int64_t> array(static_cast<py::ssize_t>(numbers.size()));
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

}  // namespace engram::python
