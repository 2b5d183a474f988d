// SPDX-License-Identifier: MIT
#include "experiments/reports/outside_program.hpp"

#include <boost/process.hpp>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace engram::experiments {

namespace bp = boost::process;

bool has_program(const std::string& name) { return !bp::search_path(name).empty(); }

void run_program(const std::string& name, const std::vector<std::string>& arguments,
                 const std::filesystem::path& folder) {
  const auto program = bp::search_path(name);
  if (program.empty()) return;
  std::error_code error;
  const int status = bp::system(program, bp::args(arguments), bp::start_dir(folder.string()),
                                bp::std_in<bp::null, bp::std_out> bp::null, bp::std_err > bp::null, error);
  if (error || status != 0)
    throw std::runtime_error(name + " failed on " +
                             (folder / (arguments.empty() ? "" : arguments.back())).string());
}

void drop_pdf_date(const std::filesystem::path& pdf) {
  if (!std::filesystem::exists(pdf)) return;
  std::fstream file(pdf, std::ios::binary | std::ios::in | std::ios::out);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  constexpr std::string_view key = "/CreationDate (D:", beginning = "19700101000000";
  const auto at = text.find(key);
  // In place and as long as it was: the file says at which bytes its other parts are.
  const auto end = text.find(')', at == std::string::npos ? 0 : at);
  if (at != std::string::npos && end != std::string::npos && end >= at + key.size() + beginning.size()) {
    file.clear();
    file.seekp(static_cast<std::streamoff>(at + key.size()));
    file << beginning;
  }
  file.close();
  if (!file) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), pdf.string());
}

}  // namespace engram::experiments
