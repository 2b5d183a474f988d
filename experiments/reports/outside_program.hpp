// SPDX-License-Identifier: MIT
// Programs that draw: called where they are installed, missed by nothing but pictures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace engram::experiments {

/// Whether a program is found on PATH.
bool has_program(const std::string& name);

/// Runs a program in a folder, its input empty and its output dropped. Does nothing where it is not
/// installed. Errors  std::runtime_error that names it if it fails
void run_program(const std::string& name, const std::vector<std::string>& arguments,
                 const std::filesystem::path& folder);

/// Sets the date of making within a PDF to 1970, if it holds one: the same picture is to be the same bytes.
/// Does nothing where the file is not there.   Errors  std::system_error
void drop_pdf_date(const std::filesystem::path& pdf);

}  // namespace engram::experiments
