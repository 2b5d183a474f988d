// SPDX-License-Identifier: MIT
#include "experiments/reports/gnuplot.hpp"

#include "experiments/reports/outside_program.hpp"

namespace engram::experiments {

bool has_gnuplot() { return has_program("gnuplot"); }

void run_gnuplot(const std::filesystem::path& folder, const std::string& name) {
  run_program("gnuplot", {name + ".gp"}, folder);
  drop_pdf_date(folder / (name + ".pdf"));
}

}  // namespace engram::experiments
