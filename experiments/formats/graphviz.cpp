// SPDX-License-Identifier: MIT
#include "experiments/formats/graphviz.hpp"

#include "experiments/formats/outside_program.hpp"

namespace engram::experiments {

std::optional<std::string> run_graphviz(const std::filesystem::path& folder, const std::string& name) {
  return draw("dot", {"-Tsvg", "-o", name + ".svg", "-Tpdf", "-o", name + ".pdf", name + ".dot"}, folder,
              name);
}

}  // namespace engram::experiments
