// SPDX-License-Identifier: MIT
// Checks that parsing work is linear in the length of a text of any shape. This program compiles the narsese layer
// with counters of executed code blocks, whose sum is the same in every run, unlike time. Loops within the C library
// (memcpy, memchr) count as one.
#include <cstdint>
#include <string>

#include "tests/narsese/parsing.hpp"
#include "tests/narsese/shapes.hpp"
#include "tests/narsese/work_counter.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

constexpr std::size_t bytes = 16 * 1024;  // beyond the limit of 256 variables of most shapes
// The bound of the work for four times the length: four times the work, plus a logarithmic factor for sorting and
// growing tables. Work that grows as n^1.5 would reach 8. The value 6 is chosen, not derived.
constexpr double most_growth = 6;

template <class Read>
double growth(const HostileShape& shape, Read read) {
  const auto work = [&](std::size_t length) {
    const std::string text = shape.text(length);
    const std::uint64_t before = work_done();
    read(text);
    return static_cast<double>(work_done() - before);
  };
  return work(4 * bytes) / work(bytes);
}

}  // namespace

TEST_CASE("parsing work is linear in the length of a line of any shape", "[narsese][work]") {
  for (const Dialect dialect : dialects)
    for (const HostileShape& shape : hostile_lines) {
      CAPTURE(facts(dialect).name, shape.name);
      CHECK(growth(shape, [&](const std::string& text) { read_line_alone(text, dialect); }) < most_growth);
    }
}

TEST_CASE("parsing work is linear in the length of a file of any shape", "[narsese][work]") {
  for (const HostileShape& shape : hostile_files) {
    CAPTURE(shape.name);
    CHECK(growth(shape, read_file_alone) < most_growth);
  }
}

TEST_CASE("the work counter detects superlinear work", "[narsese][work]") {
  // Without a limit, each new variable is compared with all earlier ones.
  const HostileShape shape{"different variables", "(*", ",$%", ")."};
  const double without_limit = growth(shape, [](const std::string& text) {
    TermTable table;
    ParseLimits limits = limits_of_long_lines();
    limits.max_variables = text.size();
    CHECK(parse_sentence(text, table, limits));
  });
  CHECK(without_limit > 2 * most_growth);
}
