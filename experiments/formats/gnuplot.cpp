// SPDX-License-Identifier: MIT
#include "experiments/formats/gnuplot.hpp"

#include "experiments/formats/outside_program.hpp"

namespace engram::experiments {

bool has_gnuplot() { return has_program("gnuplot"); }

std::optional<std::string> run_gnuplot(const std::filesystem::path& folder, const std::string& name) {
  return draw("gnuplot", {"--default-settings", name + ".gp"}, folder, name);
}

}  // namespace engram::experiments
