// SPDX-License-Identifier: MIT
// That the work is in proportion to the length of a text, whatever its shape. The narsese layer is compiled
// for this program so that it counts the blocks of code it runs through: the same number in every run, as no
// time is. Loops within the C library (memcpy, memchr) count as one.
#include <cstdint>
#include <string>

#include "tests/narsese/shapes.hpp"
#include "tests/narsese/work_counter.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

constexpr std::size_t bytes = 16 * 1024;  // where 256 variables are behind most shapes
// Four times the length is four times the work, and a sort's logarithm, the growth of tables and the like;
// twice that were more than n^1.5. Chosen, not derived.
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

TEST_CASE("a line of four times the length is four times the work, whatever its shape", "[narsese][work]") {
  for (const auto dialect : {Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars, Dialect::any})
    for (const HostileShape& shape : hostile_lines) {
      CAPTURE(facts(dialect).name, shape.name);
      CHECK(growth(shape, [&](const std::string& text) { read_line_alone(text, dialect); }) < most_growth);
    }
}

TEST_CASE("a file of four times the length is four times the work, whatever its shape", "[narsese][work]") {
  for (const HostileShape& shape : hostile_files) {
    CAPTURE(shape.name);
    CHECK(growth(shape, read_file_alone) < most_growth);
  }
}

TEST_CASE("the counter sees work that grows faster than the text", "[narsese][work]") {
  // Each of the different variables is looked for among all before it, where their number has no limit.
  const HostileShape shape{"different variables", "(*", ",$%", ")."};
  const double without_limit = growth(shape, [](const std::string& text) {
    TermTable table;
    ParseLimits limits = limits_of_long_lines();
    limits.max_variables = text.size();
    CHECK(parse_sentence(text, table, limits));
  });
  CHECK(without_limit > 2 * most_growth);
}
