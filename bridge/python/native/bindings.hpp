// SPDX-License-Identifier: MIT
// What each file of this folder adds to the module: functions as the package's Python files call them, by position and
// with everything given. What they mean, and their defaults, stand there.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // in every file of the module alike

namespace engram::python {

void bind_narsese(pybind11::module_& module);
void bind_memory(pybind11::module_& module);
void bind_maps(pybind11::module_& module);
void bind_attention(pybind11::module_& module);
void bind_hopfield(pybind11::module_& module);
void bind_learning(pybind11::module_& module);
void bind_graphs(pybind11::module_& module);

}  // namespace engram::python
