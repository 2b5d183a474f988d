// SPDX-License-Identifier: MIT
#include "bridge/python/native/arrays.hpp"

#include <string_view>

namespace engram::python {
namespace {

[[noreturn]] void refuse(const char* name, const std::string& wanted, const std::string& found) {
  throw std::invalid_argument(std::string(name) + " must be " + wanted + ", found " + found);
}

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

// Converts the argument to an array with one of the kinds of numbers in `kinds` (NumPy's letters).
py::array array_in(const char* name, py::handle given, std::string_view kinds, const char* wanted) {
  if (given.is_none()) refuse(name, wanted, "None");
  const py::array array = py::array::ensure(given);
  if (!array) {
    PyErr_Clear();
    const std::string type = py::str(py::type::of(given).attr("__name__"));
    refuse(name, wanted, "a " + type + " that NumPy cannot convert to an array");
  }
  const char kind = array.dtype().kind();
  const bool is_empty_list = array.size() == 0 && kind == 'f';  // NumPy assumes float for an empty list
  if (kinds.find(kind) == std::string_view::npos && !is_empty_list)
    refuse(name, wanted, "an array of " + std::string(py::str(array.dtype())));
  return array;
}

// Converts the array to a C-contiguous array of Number.
template <class Number>
py::array_t<Number> contiguous(const py::array& array) {
  auto numbers = py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!numbers) throw py::error_already_set();
  return numbers;
}

}  // namespace

py::array_t<double> doubles(const char* name, py::handle given, int axes) {
  constexpr const char* kinds_of_axes[] = {"a number", "a vector", "a matrix"};
  const py::array array = array_in(name, given, "biuf", "an array of real numbers");
  if (array.ndim() != axes)
    refuse(name, std::string(kinds_of_axes[axes]) + " of numbers", "the shape " + shape_text(array));
  return contiguous<double>(array);
}

core::Mask mask(const char* name, py::handle given) {
  if (given.is_none()) return {};
  const py::array array = array_in(name, given, "b", "an array of booleans");
  if (array.ndim() != 2) refuse(name, "a matrix of booleans", "the shape " + shape_text(array));
  const auto bytes = contiguous<std::uint8_t>(array);
  core::Mask mask(bytes.shape(0), bytes.shape(1));
  for (Index i = 0; i < mask.size(); ++i) mask.data()[i] = bytes.data()[i] != 0;
  return mask;
}

std::vector<std::uint32_t> indices(const char* name, py::handle given) {
  const py::array array = array_in(name, given, "iu", "an array of whole numbers");
  if (array.ndim() != 1) refuse(name, "a list of whole numbers", "the shape " + shape_text(array));
  const auto wide = contiguous<std::int64_t>(array);
  std::vector<std::uint32_t> all(static_cast<std::size_t>(wide.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t one = wide.data()[i];
    if (one < 0 || one > 0xffff'ffffLL) refuse(name, "whole numbers of at least 0", std::to_string(one));
    all[i] = static_cast<std::uint32_t>(one);
  }
  return all;
}

}  // namespace engram::python
