// SPDX-License-Identifier: MIT
#include "core/numbers/bytes.hpp"

#include <limits>

#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

TEST_CASE("numbers round-trip through little-endian bytes", "[numbers]") {
  std::string bytes;
  put_bytes(bytes, std::uint32_t{0x01020304});
  put_bytes(bytes, std::uint64_t{0xFF});
  CHECK(bytes == std::string("\x04\x03\x02\x01\xFF\0\0\0\0\0\0\0", 12));
  const std::vector<float> numbers{1.5F, -0.0F, std::numeric_limits<float>::denorm_min()};
  put_floats(bytes, numbers);
  std::string_view rest = bytes;
  CHECK(take_bytes<std::uint32_t>(rest) == 0x01020304);
  CHECK(take_bytes<std::uint64_t>(rest) == 0xFF);
  const std::vector<float> back = take_floats(rest, 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::bit_cast<std::uint32_t>(back[i]) == std::bit_cast<std::uint32_t>(numbers[i]));
  CHECK(rest.empty());
}

}  // namespace
}  // namespace engram::core
