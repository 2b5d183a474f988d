// SPDX-License-Identifier: MIT
#include "experiments/formats/graphviz.hpp"

#include "experiments/formats/outside_program.hpp"

namespace engram::experiments {

std::optional<std::string> run_graphviz(const std::filesystem::path& folder, const std::string& name) {
  // No PDF: there Graphviz writes six decimals of places that it knows to the last bit but one, so that two runs differ.
  return draw("dot", {"-Tsvg", "-o", name + ".svg", name + ".dot"}, folder, name);
}

}  // namespace engram::experiments
