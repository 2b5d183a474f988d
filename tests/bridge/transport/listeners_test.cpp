// SPDX-License-Identifier: MIT
#include "bridge/transport/listeners.hpp"

#include <array>

#include "tests/support/catch.hpp"

using namespace engram;
using bridge::PendingConnections;
using std::chrono::milliseconds;

namespace {

std::array<char, 8> names;  // their addresses serve as distinct client pointers
bridge::Client* client(std::size_t number) { return reinterpret_cast<bridge::Client*>(&names.at(number)); }
PendingConnections::Time at(int ms) { return PendingConnections::Time{} + milliseconds(ms); }

}  // namespace

TEST_CASE("PendingConnections evicts nobody while a slot is free", "[bridge][sockets]") {
  PendingConnections pending(3, milliseconds(100));
  pending.add(client(0), "a", at(0));
  pending.add(client(1), "a", at(1));
  CHECK_FALSE(pending.next_to_evict());
  pending.add(client(2), "a", at(2));
  REQUIRE(pending.next_to_evict());
  pending.remove(client(0));
  pending.remove(client(0));
  CHECK_FALSE(pending.next_to_evict());
}

TEST_CASE("PendingConnections evicts the oldest connection after its minimum stay", "[bridge][sockets]") {
  PendingConnections pending(2, milliseconds(100));
  pending.add(client(0), "a", at(5));
  pending.add(client(1), "b", at(6));
  CHECK(pending.next_to_evict()->client == client(0));
  CHECK(pending.next_to_evict()->from == at(105));
}

TEST_CASE("an address with too many pending connections evicts its own, so others keep their share",
          "[bridge][sockets]") {
  PendingConnections pending(4, milliseconds(100));
  pending.add(client(0), "alone", at(0));
  for (std::size_t i = 1; i < 4; ++i) pending.add(client(i), "many", at(static_cast<int>(i)));
  for (std::size_t round = 1; round < 5; ++round) {
    const auto next = pending.next_to_evict();
    REQUIRE(next);
    // Client 0 is the oldest, but is never evicted, because all others come from one address.
    CHECK(next->client == client(round));
    pending.remove(next->client);
    pending.add(client(round + 3), "many", at(static_cast<int>(round) + 3));
  }
}
