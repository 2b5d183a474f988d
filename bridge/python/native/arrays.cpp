// SPDX-License-Identifier: MIT
#include "bridge/python/native/arrays.hpp"

#include <cmath>
#include <memory>
#include <string_view>

namespace engram::python {
namespace {

constexpr const char* kinds_of_axes[] = {"a number", "a vector", "a matrix"};

[[noreturn]] void refuse(const char* name, const std::string& wanted, const std::string& found) {
  throw std::invalid_argument(std::string(name) + " must be " + wanted + ", found " + found);
}

std::string type_name(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

// Converts the argument to an array with one of the kinds of numbers in `kinds` (NumPy's letters).
py::array array_in(const char* name, py::handle given, std::string_view kinds, const char* wanted) {
  if (given.is_none()) refuse(name, wanted, "None");
  const py::array array = py::array::ensure(given);
  if (!array) {
    PyErr_Clear();
    refuse(name, wanted, "a " + type_name(given) + " that NumPy makes no array of");
  }
  const char kind = array.dtype().kind();
  const bool is_empty_list = array.size() == 0 && kind == 'f';  // an empty list has no element type
  if (kinds.find(kind) == std::string_view::npos && !is_empty_list)
    refuse(name, wanted, "an array of " + std::string(py::str(array.dtype())));
  return array;
}

template <class Dense>
py::array_t<double> owned_by_python(Dense numbers, std::vector<py::ssize_t> shape) {
  auto own = std::make_unique<Dense>(std::move(numbers));
  const double* data = own->data();
  if (own->size() == 0) return py::array_t<double>(shape);
  const py::capsule owner(own.get(), [](void* dense) { delete static_cast<Dense*>(dense); });
  own.release();
  return py::array_t<double>(std::move(shape), data, owner);
}

}  // namespace

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis)
    text += (axis > 0 ? ", " : "") + std::to_string(array.shape(axis));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

py::array_t<double> doubles(const char* name, py::handle given, int axes) {
  const py::array array = array_in(name, given, "biuf", "an array of real numbers");
  if (array.ndim() != axes)
    refuse(name, std::string(kinds_of_axes[axes]) + " of numbers", "the shape " + shape_text(array));
  auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!numbers) throw py::error_already_set();
  return py::array_t<double>(numbers);
}

core::Mask mask(const char* name, py::handle given) {
  if (given.is_none()) return {};
  const py::array array = array_in(name, given, "b", "an array of true or false");
  if (array.ndim() != 2) refuse(name, "a matrix of true or false", "the shape " + shape_text(array));
  const auto bytes = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!bytes) throw py::error_already_set();
  core::Mask mask(bytes.shape(0), bytes.shape(1));
  for (Index i = 0; i < mask.size(); ++i) mask.data()[i] = bytes.data()[i] != 0;
  return mask;
}

std::vector<std::uint32_t> indices(const char* name, py::handle given) {
  const py::array array = array_in(name, given, "iu", "an array of whole numbers");
  if (array.ndim() != 1) refuse(name, "a list of whole numbers", "the shape " + shape_text(array));
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!wide) throw py::error_already_set();
  std::vector<std::uint32_t> all(static_cast<std::size_t>(wide.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t one = wide.data()[i];
    if (one < 0 || one > 0xffff'ffffLL) refuse(name, "whole numbers of at least 0", std::to_string(one));
    all[i] = static_cast<std::uint32_t>(one);
  }
  return all;
}

py::array_t<double> given_away(Vector numbers) {
  const py::ssize_t size = numbers.size();
  return owned_by_python(std::move(numbers), {size});
}

py::array_t<double> given_away(Matrix numbers) {
  const py::ssize_t rows = numbers.rows(), columns = numbers.cols();
  return owned_by_python(std::move(numbers), {rows, columns});
}

py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

}  // namespace engram::python
