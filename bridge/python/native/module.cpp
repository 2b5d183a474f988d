// SPDX-License-Identifier: MIT
// The Python module engram._engram.
#include "bridge/python/native/bindings.hpp"

PYBIND11_MODULE(_engram, module) {
  using namespace engram::python;
  module.doc() = "What of Engram is compiled. For the package's own files: use these.";
  bind_narsese(module);
  bind_memory(module);
  bind_maps(module);
  bind_attention(module);
  bind_hopfield(module);
  bind_learning(module);
  bind_graphs(module);
}
