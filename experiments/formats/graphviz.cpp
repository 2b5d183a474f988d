// SPDX-License-Identifier: MIT
#include "experiments/formats/graphviz.hpp"

#include "experiments/formats/outside_program.hpp"

namespace engram::experiments {

std::optional<std::string> run_graphviz(const std::filesystem::path& folder, const std::string& name) {
  // No PDF: its coordinates have six decimals of values with rounding errors, so two runs may differ.
  return draw("dot", {"-Tsvg", "-o", name + ".svg", name + ".dot"}, folder, name);
}

}  // namespace engram::experiments
