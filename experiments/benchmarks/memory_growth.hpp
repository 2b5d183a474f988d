// SPDX-License-Identifier: MIT
// Growth of times and bytes with the number of statements of a memory: rows, exponents, plots.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace engram::benchmarks {

/// Measurements of one memory.
struct MemoryRow {
  std::string kind;
  double statements = 0;
  double question = 0, ingest = 0;  // seconds: median CPU time of a question, wall time of the whole input
  double memory_bytes = 0, all_bytes = 0;  // bytes per statement, without and with the indexes
};

/// Writes a row as a line of tab-separated values.
void write(std::ostream& out, const MemoryRow& row);
/// Reads rows and skips lines that begin with #.  Errors  std::invalid_argument with the number of the line
std::vector<MemoryRow> read_rows(std::istream& in);

/// The exponent b of the best power law y = a x^b, by least squares of log y on log x.
/// Shapes  x (n), y (n).   Ranges  n >= 2, all above 0, at least two different x; otherwise the result is NaN
double exponent(const std::vector<double>& x, const std::vector<double>& y);

/// Returns a line for each kind, with the exponents of its times and bytes. Every line starts with `prefix`. A kind
/// with only one size has no line.
std::string exponents(const std::vector<MemoryRow>& rows, const std::string& prefix);

/// Writes the gnuplot scripts memory_time.gp and memory_bytes.gp with these numbers and the fitted power laws, and
/// draws them if gnuplot is installed. Equal rows give identical files.
/// Errors  std::system_error if a file cannot be written
void draw(const std::vector<MemoryRow>& rows, const std::filesystem::path& folder);

}  // namespace engram::benchmarks
