// SPDX-License-Identifier: MIT
// Rows of NumPy arrays, of doubles or floats, into core's keys and values of single precision.
#pragma once

#include <memory>
#include <span>

#include "bridge/python/native/arrays.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::python {

/// The rows of a matrix of Number, one after the other, without a copy of the matrix where it is C-contiguous.
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

/// Errors   std::invalid_argument for what is no matrix of numbers, another width, and what core refuses; the rows
///          before that are kept
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
  if (!array || array.ndim() != 2) doubles("rows", rows, 2);  // says what is wrong
  auto all = std::make_unique<Packed>(array.shape(1), stored);
  append(*all, rows);
  return all;
}

}  // namespace engram::python
