// SPDX-License-Identifier: MIT
// NumPy arrays as core's vectors and matrices and back, without a copy where the layout allows it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // in every file of the module alike

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/attention/masks.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::python {

namespace py = pybind11;
using core::Index;
using core::Matrix;
using core::Vector;

/// An argument as a C-contiguous array of doubles with so many axes: itself, where it is one, else a copy.
/// Errors   std::invalid_argument, which names it, for what is no array of real numbers or has other axes
py::array_t<double> doubles(const char* name, py::handle given, int axes);

/// What is said of a wrong shape, as NumPy writes it: (3, 4).
std::string shape_text(const py::array& array);

/// A NumPy array seen as a Dense, core's Vector or Matrix, as long as this lives. core's functions take these types
/// themselves, which own their numbers; so where an array is aligned as they are, a Dense that points into it is made
/// and never destroyed: it has nothing of its own. Whether it does point there is checked, and where it does not, or
/// the array has another layout, the numbers are copied.
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
  // As Eigen stores them (DenseStorage).
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

/// One that may be None, which is a Dense without entries.
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

/// (q, k) of true or false; None: an empty mask.  Errors  std::invalid_argument
core::Mask mask(const char* name, py::handle given);
/// Whole numbers below 2^32.  Errors  std::invalid_argument
std::vector<std::uint32_t> indices(const char* name, py::handle given);

/// The numbers as a NumPy array, which owns them from now on: nothing is copied.
py::array_t<double> given_away(Vector numbers);
py::array_t<double> given_away(Matrix numbers);
py::array_t<double> array_of(const std::vector<double>& numbers);
template <class Integer>
py::array_t<std::int64_t> array_of_whole(const std::vector<Integer>& numbers) {
  py::array_t<std::int64_t> array(static_cast<py::ssize_t>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), array.mutable_data());
  return array;
}

/// The value of that name in a table of core.  Errors  std::invalid_argument with all names
template <class Table>
core::ValueOf<Table> named(const char* what, const Table& table, const std::string& name) {
  if (const auto value = core::value_named(table, name)) return *value;
  std::string known;
  for (const std::string& one : core::names_in(table)) known += (known.empty() ? "" : ", ") + one;
  throw std::invalid_argument(std::string(what) + " must be one of " + known + "; found '" + name + "'");
}

}  // namespace engram::python
