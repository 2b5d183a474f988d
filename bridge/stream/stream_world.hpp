// SPDX-License-Identifier: MIT
// Worlds: files, pipes and sockets that give lines to a stream and read its replies.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "bridge/stream/world_stream.hpp"

namespace engram::bridge {

constexpr std::size_t max_unread_bytes = std::size_t{4} << 20;  // unread reply bytes of a live world; chosen
constexpr std::chrono::seconds max_idle_time{5};  // wait at the end for a world that reads nothing; chosen

/// The world stopped reading replies.
struct WorldError : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A source of lines that also gets replies. One thread calls read(); any thread may call send().
class World {
 public:
  /// The outcome of read().
  enum class ReadStatus : std::uint8_t {
    bytes,
    nothing,
    disconnected,  // this client has left; another may connect
    end,           // no more input will come
  };

  virtual ~World() = default;
  /// Waits for input for at most `time`, and appends it to `bytes`.
  /// Errors  std::system_error; WorldError
  virtual ReadStatus read(std::string& bytes, std::chrono::milliseconds time) = 0;
  /// Sends a reply line, given without line break. Never waits for a live world.
  virtual void send(const std::string& line) = 0;
  /// Waits until the world has read all replies. Gives up when it stops reading.  Errors  WorldError
  virtual void end() {}
};

/// World that reads a file, or standard input if the name is "-". Replies go to `send`, a line at a time.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> open_file_world(const std::string& name, std::function<void(const std::string&)> send);

/// Live variant: replies go to the file descriptor `output`, without waiting until they are read. The world fails with
/// WorldError in three cases, because operations of the NARS must not be lost silently: it leaves max_unread_bytes
/// unread, reads nothing for max_idle_time at the end, or closes its input.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> open_live_file_world(const std::string& name, int output);

/// World that listens on a Unix socket (mode 0600; a socket left by a dead server is replaced). One client is served at
/// a time; others wait. A client that leaves max_unread_bytes unread is disconnected. Replies while no client is
/// connected are lost.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> open_socket_world(const std::string& path);

/// Runs a stream until the world ends, then sends what still waits. If the world is live, another thread talks with the
/// NARS. Otherwise each line is sent before the next is read.
/// Errors  ReasonerError if the NARS failed too often in a row; core::WorkStopped; WorldError if the world stops
///         reading replies; std::system_error if the world cannot be read
void run_stream(WorldStream& stream, World& world, bool live);

}  // namespace engram::bridge
