// SPDX-License-Identifier: MIT
// Prints the parse times of hostile texts, for people: narsese_test "[.time]". parser_work_test.cpp asserts that the
// work is linear in the length.
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "tests/narsese/shapes.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

using Clock = std::chrono::steady_clock;

/// The minimum of several runs, because disturbances only add time.
double milliseconds(std::size_t (*read)(const std::string&), const std::string& text) {
  double least = 1e9;
  const auto begin = Clock::now();
  for (int run = 0; run < 50 && (run < 3 || Clock::now() - begin < std::chrono::milliseconds(20)); ++run) {
    const auto start = Clock::now();
    read(text);
    least = std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return least;
}

void print_times(const std::vector<HostileShape>& shapes, std::size_t (*read)(const std::string&)) {
  for (const HostileShape& shape : shapes) {
    std::cout << std::left << std::setw(42) << shape.name << std::right << std::fixed << std::setprecision(3);
    double at_2k = 0, at_64k = 0;
    for (std::size_t k = 1; k <= 64; k *= 2) {
      const double time = milliseconds(read, shape.text(k << 10));
      std::cout << std::setw(9) << time;
      (k == 2 ? at_2k : at_64k) = time;
    }
    std::cout << std::setprecision(2) << std::setw(9) << at_64k / (32 * at_2k) << '\n' << std::flush;
  }
}

}  // namespace

TEST_CASE("parse times of hostile texts of 1 to 64 KiB in milliseconds", "[.time]") {
  std::cout << std::left << std::setw(42) << "milliseconds" << std::right;
  for (std::size_t k = 1; k <= 64; k *= 2) std::cout << std::setw(6) << k << "KiB";
  std::cout << "    a byte at 64 KiB to one at 2 KiB\n";
  print_times(hostile_lines, [](const std::string& text) { return read_line_alone(text); });
  print_times(hostile_files, read_file_alone);
  SUCCEED("for people");
}
