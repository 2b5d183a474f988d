// SPDX-License-Identifier: MIT
#include "narsese/scanner.hpp"

#include <bit>
#include <charconv>
#include <string>

#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

/// Whether take_decimal consumes the same bytes as std::from_chars and returns the same bits.
bool agrees(std::string_view text) {
  Scanner scanner(Dialect::any);
  PaddedText copy;
  copy.restart(text.size());
  const Place start = scanner.start(text, 1000, copy);
  double ours = 0, theirs = 0;
  const Place stop = scanner.take_decimal(start, ours);
  const auto [end, code] = std::from_chars(start, scanner.end(), theirs);
  if (code != std::errc()) return stop == nullptr;
  return stop == end && std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(theirs);
}

}  // namespace

TEST_CASE("take_decimal gives the same bits as from_chars", "[narsese][scanner]") {
  CHECK(agrees(""));
  for (const std::string& text :
       words("0 1 . .5 5. 0.5 0.95 0.950 1.0 9.99 1e5 1e 1.5e-3 0.5e1 0.5E1 0.95e 0.9.5 0..5 1.2.3 00.10 007 "
             "0.5; 0.5f 0.95% 0.9; -0.5 inf nan 1e999 1e-999 0.1234567890123 0.12345678901234567890 "
             "123456789012345 1234567890123456 99999999999999.9 0.30000000000000004 9007199254740993 "
             "0.000000000000001 4.35 0.000001e300")) {
    CAPTURE(text);
    CHECK(agrees(text));
  }
  Random random(43);
  std::string counterexample;
  for (int i = 0; i < 300000 && counterexample.empty(); ++i) {
    std::string text;
    for (std::size_t n = random.below(random.one_in(4) ? 20 : 3); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    if (!random.one_in(4)) text += '.';
    for (std::size_t n = random.below(random.one_in(2) ? 20 : 4); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    if (random.one_in(4)) text += "eE.+-% ;5"[random.below(9)];
    if (random.one_in(4)) text += static_cast<char>('0' + random.below(10));
    if (!agrees(text)) counterexample = text;
  }
  CHECK(counterexample == "");
}
