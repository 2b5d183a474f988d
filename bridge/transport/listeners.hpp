// SPDX-License-Identifier: MIT
// Sources of connections: a Unix socket, standard input and output, and the policy that evicts pending connections.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>

namespace engram::bridge {

/// Sets a socket to be closed in child processes. Otherwise a NARS that this process starts would keep it open.
void set_close_on_exec(int socket);

/// File of a listening Unix socket. The file has mode 0600 and replaces a socket without a listener. The destructor
/// removes it, unless another file has taken its place.
class SocketFile {
 public:
  SocketFile() = default;
  ~SocketFile() { remove(); }
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  /// Creates the file. Returns the listening socket, which the caller must close.  Errors  std::system_error
  int listen(const std::string& path);
  /// Removes the file if it is still the original one.
  void remove();

 private:
  std::string path_;
  dev_t device_ = 0;  // device and inode: the identity of the created file
  ino_t inode_ = 0;
};

/// Returns a Unix socket that is connected to standard input and output; the caller must close it. The end of one side
/// ends the other. Two threads copy the bytes. A blocking read of standard input cannot be cancelled, so nobody waits
/// for these threads, and they only own two file descriptors.
/// Errors  std::system_error
int standard_streams();

class Client;

/// Bounded set of pending connections, which have not authenticated yet, and the policy that evicts them. If all slots
/// are occupied, a new connection evicts an old one, but only after its minimum stay. Until then new connections wait to
/// be accepted; none is refused.
///
/// A connection that authenticates within its minimum stay is never evicted. A connection that arrives after A others
/// waits at most A * min_stay / slots, however fast the others reconnect.
class PendingConnections {
 public:
  using Time = std::chrono::steady_clock::time_point;
  PendingConnections(std::size_t slots, std::chrono::milliseconds min_stay)
      : slots_(slots), min_stay_(min_stay) {}

  /// Adds a connection from this address.
  void add(Client* client, std::string address, Time now);
  /// Removes a connection that was authenticated or closed. Does nothing for unknown ones.
  void remove(const Client* client);

  /// The next connection to evict, and the earliest time for it.
  struct Eviction {
    Client* client;
    Time from;  // end of its minimum stay
  };
  /// The connection to evict for a new one: the oldest one of the address with the most connections. Every address thus
  /// keeps its share, whatever others do. Empty if there is a free slot.
  /// Cost  O(slots^2)
  std::optional<Eviction> next_to_evict() const;

 private:
  struct Connection {
    Client* client;
    std::string address;
    Time since;
  };
  std::size_t slots_;
  std::chrono::milliseconds min_stay_;
  std::list<Connection> connections_;  // oldest first
};

}  // namespace engram::bridge
