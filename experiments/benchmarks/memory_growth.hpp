// SPDX-License-Identifier: MIT
// How what was measured of memories grows with their statements: rows, exponents, pictures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace engram::benchmarks {

/// One memory.
struct MemoryRow {
  std::string kind;
  double statements = 0;
  double question = 0, ingest = 0;         // seconds: the median of CPU time, and of the clock
  double memory_bytes = 0, all_bytes = 0;  // a statement: of the memory, and with its readings
};

/// Tab-separated, a line each.
void write(std::ostream& out, const MemoryRow& row);
/// Lines that begin with # are none.  Errors  std::invalid_argument, which names the line
std::vector<MemoryRow> read_rows(std::istream& in);

/// The exponent b of the power law y = a x^b that fits best: the least squares of log y on log x.
/// Shapes  x (n), y (n).   Ranges  n >= 2, all above 0, two different x at least; else NaN
double exponent(const std::vector<double>& x, const std::vector<double>& y);

/// A line a kind with the exponents of its question, ingest and bytes, each behind `begin`; none of one size.
std::string exponents(const std::vector<MemoryRow>& rows, const std::string& begin);

/// memory_time.gp and memory_bytes.gp, gnuplot scripts with these numbers and the laws that fit them, and where
/// gnuplot is installed what these draw. The same rows give the same bytes.
/// Errors  std::system_error where a file cannot be written
void draw(const std::vector<MemoryRow>& rows, const std::filesystem::path& folder);

}  // namespace engram::benchmarks
