// SPDX-License-Identifier: MIT
// Programs that draw pictures, in a sandbox. They are optional; without them, only pictures are missing.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engram::experiments {

/// Resource limits of a program. Chosen: hundreds of times the needs of our largest picture.
struct ProgramLimits {
  std::chrono::milliseconds time{60'000};            // limit on wall-clock time, and on processor time
  std::uint64_t memory = std::uint64_t{2} << 30;     // bytes of address space
  std::uint64_t file_size = std::uint64_t{1} << 28;  // bytes
  std::uint64_t open_files = 64;
};

/// Runs a program in a folder, without a shell, in a sandbox. The program cannot start other programs, whatever its
/// arguments or script contain. It has empty input, no output, no home and an environment of its own. This function
/// ends the process group of the program before it returns or throws, and does nothing if the program is not installed.
/// Returns  the reason of a failure ("gnuplot took more than 60 s"), or nothing
/// Errors   std::system_error if it cannot be started; exceptions of core::check_cancelled(), which is called while it
///          runs
std::optional<std::string> run_program(const std::string& name, const std::vector<std::string>& arguments,
                                       const std::filesystem::path& folder, const ProgramLimits& limits = {});

/// Sets the creation date of a PDF to 1970, so that equal pictures give equal files. Does nothing if the file does not
/// exist.  Errors  std::system_error
void drop_pdf_date(const std::filesystem::path& pdf);

/// Whether gnuplot is installed.
bool has_gnuplot();

/// Runs the script NAME.gp in its folder, which writes NAME.svg and NAME.pdf. Removes earlier files first, and partial
/// output after a failure. Does nothing if gnuplot is not installed; users can run the script elsewhere.
/// Returns, Errors  those of run_program(); std::system_error for the disk
std::optional<std::string> run_gnuplot(const std::filesystem::path& folder, const std::string& name);

/// Draws the script NAME.dot of a folder as NAME.svg with Graphviz. Otherwise like run_gnuplot().
std::optional<std::string> run_graphviz(const std::filesystem::path& folder, const std::string& name);

}  // namespace engram::experiments
