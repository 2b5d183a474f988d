// SPDX-License-Identifier: MIT
// Conversion of NumPy rows of doubles or floats to the single-precision keys and values of core.
#pragma once

#include <memory>
#include <span>

#include "bridge/python/native/arrays.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::python {

/// Appends the rows of a matrix of Number. Does not copy the matrix if it is C-contiguous.
template <class Number, class Packed>
void append_rows(Packed& packed, const py::array& rows) {
  const auto numbers = py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(rows);
  if (!numbers) throw py::error_already_set();
  if (reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(Number) != 0)
    return append_rows<Number>(packed, py::array(numbers.attr("copy")()));
  const auto width = static_cast<std::size_t>(numbers.shape(1));
  packed.reserve(packed.rows() + numbers.shape(0));
  for (py::ssize_t i = 0; i < numbers.shape(0); ++i)
    packed.push_back(std::span(numbers.data() + static_cast<std::size_t>(i) * width, width));
}

/// Appends the rows of a matrix.
/// Errors   std::invalid_argument if the argument is not a matrix of numbers, has another width, or core rejects a row;
///          the earlier rows stay appended
template <class Packed>
void append(Packed& packed, py::handle rows) {
  const py::array array = py::array::ensure(rows);
  if (array && array.ndim() == 2 && py::isinstance<py::array_t<float>>(array))
    append_rows<float>(packed, array);
  else
    append_rows<double>(packed, doubles("rows", rows, 2));
}

template <class Packed>
std::unique_ptr<Packed> packed(py::handle rows, const std::string& precision) {
  const core::Precision stored = named("precision", core::precisions, precision);
  const py::array array = py::array::ensure(rows);
  if (!array || array.ndim() != 2) doubles("rows", rows, 2);  // reports the error
  auto all = std::make_unique<Packed>(array.shape(1), stored);
  append(*all, rows);
  return all;
}

}  // namespace engram::python
