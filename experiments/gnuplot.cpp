// SPDX-License-Identifier: MIT
#include "experiments/gnuplot.hpp"

#include <boost/process.hpp>
#include <stdexcept>

namespace engram::experiments {

namespace bp = boost::process;

bool has_gnuplot() { return !bp::search_path("gnuplot").empty(); }

void run_gnuplot(const std::filesystem::path& folder, const std::string& script) {
  const auto program = bp::search_path("gnuplot");
  if (program.empty()) return;
  std::error_code error;
  const int status = bp::system(program, script, bp::start_dir(folder.string()),
                                bp::std_in<bp::null, bp::std_out> bp::null, bp::std_err > bp::null, error);
  if (error || status != 0) throw std::runtime_error("gnuplot failed on " + (folder / script).string());
}

}  // namespace engram::experiments
