// SPDX-License-Identifier: MIT
// Eviction policy for connections that have not authenticated yet. Private to this folder and its test.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>

namespace engram::bridge {

class Client;

/// Bounded set of pending connections, which have not authenticated yet. No connection is refused. If all places are
/// occupied, one is evicted; while none has had its minimum stay, new connections wait to be accepted.
///
/// A connection that authenticates within its minimum stay is never evicted. Behind A others, a connection waits at
/// most A * least_stay / places, however fast the others reconnect.
class PendingConnections {
 public:
  using Time = std::chrono::steady_clock::time_point;
  PendingConnections(std::size_t places, std::chrono::milliseconds least_stay)
      : places_(places), least_stay_(least_stay) {}

  /// Adds a connection from this address.
  void come(Client* who, std::string address, Time now);
  /// Removes a connection that was authenticated or closed. Does nothing for unknown ones.
  void go(const Client* who);

  /// The next connection to evict, and the earliest time for it.
  struct Next {
    Client* who;
    Time from;  // end of its minimum stay
  };
  /// The connection to evict for a new one: the oldest one of the address with the most connections. Every address thus
  /// keeps its share, whatever others do. Empty if there is a free place.
  /// Cost  O(places^2)
  std::optional<Next> next_to_go() const;
  std::size_t size() const { return here_.size(); }

 private:
  struct Stranger {
    Client* who;
    std::string address;
    Time since;
  };
  std::size_t places_;
  std::chrono::milliseconds least_stay_;
  std::list<Stranger> here_;  // oldest first
};

}  // namespace engram::bridge
