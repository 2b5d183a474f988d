// SPDX-License-Identifier: MIT
// Each file of this folder adds its functions to the module. They are called by the Python files of the package, which
// define their meaning and defaults, with positional arguments only.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // every file of the module must include this

namespace engram::python {

void bind_narsese(pybind11::module_& module);
void bind_memory(pybind11::module_& module);
void bind_maps(pybind11::module_& module);
void bind_attention(pybind11::module_& module);
void bind_hopfield(pybind11::module_& module);
void bind_learning(pybind11::module_& module);
void bind_graphs(pybind11::module_& module);

}  // namespace engram::python
