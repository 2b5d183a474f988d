// SPDX-License-Identifier: MIT
// Worlds of an event stream: files, pipes and sockets that give lines to a stream and read its replies.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "bridge/stream/world_stream.hpp"

namespace engram::bridge {

/// Most bytes of replies that a live world may leave unread. Chosen.
constexpr std::size_t max_unread_bytes = std::size_t{4} << 20;

/// Error of a live world that stopped reading replies.
struct WorldError : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Connection to a world: a source of lines that receives replies. One thread calls read(); any thread may call send().
class World {
 public:
  /// Outcome of read().
  enum class ReadStatus : std::uint8_t {
    bytes,
    nothing,       // no input came in time
    disconnected,  // this client has left; another may connect
    end,           // no more input will come
  };

  virtual ~World() = default;
  /// Waits for input for at most `time`, and stores it in `bytes`.
  /// Errors  std::system_error; WorldError
  virtual ReadStatus read(std::string& bytes, std::chrono::milliseconds time) = 0;
  /// Sends a reply line, which has no line end. Never waits for a live world.
  virtual void send(const std::string& line) = 0;
  /// Waits until the world has read all replies.  Errors  WorldError if the world stops reading
  virtual void end() {}
};

// All three functions throw std::system_error if the world cannot be opened.

/// World that is a file, or standard input if the name is "-". Replies go to `send`, a line at a time.
std::unique_ptr<World> open_file_world(const std::string& name, std::function<void(const std::string&)> send);

/// Live world that reads a file, or standard input if the name is "-". Replies go to the file descriptor `output`. The
/// operations of the NARS must not be lost silently. So read() and end() throw WorldError if the reader of `output`
/// closes it, leaves max_unread_bytes unread, or reads nothing for five seconds at the end.
std::unique_ptr<World> open_live_file_world(const std::string& name, int output);

/// Live world that connects to a Unix socket at this path (mode 0600; a socket of a dead server is replaced). One
/// client is served at a time, and others wait. A client that leaves max_unread_bytes unread is disconnected. Replies
/// while no client is connected are lost.
std::unique_ptr<World> open_socket_world(const std::string& path);

/// Runs a stream until the world ends, and then sends the waiting input to the NARS. If the world is live, another
/// thread talks with the NARS. Otherwise the NARS processes each line before the next is read.
/// Errors  ReasonerError if the NARS failed too often in a row; core::WorkStopped; WorldError if the world stops
///         reading replies; std::system_error if the world cannot be read
void run_stream(WorldStream& stream, World& world, bool live);

}  // namespace engram::bridge
