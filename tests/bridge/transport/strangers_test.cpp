// SPDX-License-Identifier: MIT
#include "bridge/transport/pending_connections.hpp"

#include <array>

#include "tests/support/catch.hpp"

using namespace engram;
using bridge::PendingConnections;
using std::chrono::milliseconds;

namespace {

std::array<char, 8> names;  // only their addresses are used
bridge::Client* stranger(std::size_t number) { return reinterpret_cast<bridge::Client*>(&names.at(number)); }
PendingConnections::Time at(int ms) { return PendingConnections::Time{} + milliseconds(ms); }

}  // namespace

TEST_CASE("PendingConnections evicts nobody while a slot is free", "[bridge][sockets]") {
  PendingConnections strangers(3, milliseconds(100));
  strangers.come(stranger(0), "a", at(0));
  strangers.come(stranger(1), "a", at(1));
  CHECK_FALSE(strangers.next_to_go());
  strangers.come(stranger(2), "a", at(2));
  REQUIRE(strangers.next_to_go());
  strangers.go(stranger(0));
  strangers.go(stranger(0));
  CHECK_FALSE(strangers.next_to_go());
  CHECK(strangers.size() == 2);
}

TEST_CASE("PendingConnections evicts the oldest connection after its minimum stay", "[bridge][sockets]") {
  PendingConnections strangers(2, milliseconds(100));
  strangers.come(stranger(0), "a", at(5));
  strangers.come(stranger(1), "b", at(6));
  CHECK(strangers.next_to_go()->who == stranger(0));
  CHECK(strangers.next_to_go()->from == at(105));
}

TEST_CASE("an address with too many pending connections evicts its own, so others keep their share",
          "[bridge][sockets]") {
  PendingConnections strangers(4, milliseconds(100));
  strangers.come(stranger(0), "alone", at(0));
  for (std::size_t i = 1; i < 4; ++i) strangers.come(stranger(i), "many", at(static_cast<int>(i)));
  for (std::size_t round = 1; round < 5; ++round) {
    const auto next = strangers.next_to_go();
    REQUIRE(next);
    CHECK(next->who == stranger(round));  // never 0, although it is the oldest
    strangers.go(next->who);
    strangers.come(stranger(round + 3), "many", at(static_cast<int>(round) + 3));
  }
}
