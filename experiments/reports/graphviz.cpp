// SPDX-License-Identifier: MIT
#include "experiments/reports/graphviz.hpp"

#include "experiments/reports/outside_program.hpp"

namespace engram::experiments {

void run_graphviz(const std::filesystem::path& folder, const std::string& name) {
  run_program("dot", {"-Tsvg", "-o", name + ".svg", "-Tpdf", "-o", name + ".pdf", name + ".dot"}, folder);
  drop_pdf_date(folder / (name + ".pdf"));
}

}  // namespace engram::experiments
