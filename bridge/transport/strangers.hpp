// SPDX-License-Identifier: MIT
// Who makes room where all come from anywhere. For the .cpp files of this folder, and their test.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>

namespace engram::bridge {

class Client;

/// The places of connections that have not shown yet that they may be clients. Nobody is refused: where all
/// places are taken, one is cut, and while none has had its least stay, who comes next waits to be accepted.
/// So one that shows what it must within its least stay is never cut, and waits behind A others for at most
/// A * least_stay / places, however fast they come back.
class Strangers {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Strangers(std::size_t places, std::chrono::milliseconds least_stay)
      : places_(places), least_stay_(least_stay) {}

  /// One more, from that address.
  void come(Client* who, std::string address, Time now);
  /// It has become a client, or has gone. Unknown ones are none of ours.
  void go(const Client* who);

  /// Who is to go next, and when.
  struct Next {
    Client* who;
    Time from;  // its least stay is over then
  };
  /// Who makes room for the next that comes: of the address with the most places, the one that came first.
  /// So an address keeps its share, whatever others do. Nothing as long as there is room.
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
  std::list<Stranger> here_;  // in the order in which they came
};

}  // namespace engram::bridge
