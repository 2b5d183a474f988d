// SPDX-License-Identifier: MIT
// Sources of connections: a Unix socket, standard input and output, and the policy that evicts pending connections.
#pragma once

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>

namespace engram::bridge {

/// Closes the socket in child processes, for example a NARS, which would keep it open otherwise.
void set_close_on_exec(int socket);

/// Listening Unix socket. Its file has mode 0600 and replaces a socket without a listener. The destructor removes the
/// file, unless another one has taken its place.
class UnixListener {
 public:
  explicit UnixListener(boost::asio::io_context& context) : acceptor(context) {}
  ~UnixListener() { remove_file(); }
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  /// Creates the file and starts listening.  Errors  std::system_error
  void open(const std::string& path);
  /// Removes the file if it is still the original one.
  void remove_file();

  boost::asio::local::stream_protocol::acceptor acceptor;

 private:
  std::string path_;
  struct stat file_ {};  // identity of the created file
};

/// A socket connected to standard input and output. The end of one side ends the other. Two threads copy the bytes. A
/// blocking read of standard input cannot be cancelled, so nobody waits for these threads, and they only own two file
/// descriptors.
/// Errors  std::system_error
boost::asio::local::stream_protocol::socket standard_streams(boost::asio::io_context& context);

class Client;

/// Bounded set of pending connections, which have not authenticated yet. No connection is refused. If all slots are
/// occupied, one is evicted; while none has had its minimum stay, new connections wait to be accepted.
///
/// A connection that authenticates within its minimum stay is never evicted. Behind A others, a connection waits at
/// most A * min_stay / slots, however fast the others reconnect.
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
