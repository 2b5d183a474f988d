// SPDX-License-Identifier: MIT
// Worlds: files, pipes and sockets that give lines to a stream and read its replies.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace engram::bridge {

constexpr std::size_t most_unread = std::size_t{4} << 20;  // unread reply bytes of a live world; chosen
constexpr std::chrono::seconds most_idle{5};  // wait at the end for a world that reads nothing; chosen

/// The world stopped reading replies.
struct WorldError : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A source of lines that also gets replies. One thread calls read(); any thread may call say().
class World {
 public:
  /// The outcome of read().
  enum class Came : std::uint8_t {
    bytes,
    nothing,
    gone,  // this client has left; another may connect
    end,   // no more input will come
  };

  virtual ~World() = default;
  /// Waits for input for at most `time`, and appends it to `bytes`.
  /// Errors  std::system_error; WorldError
  virtual Came read(std::string& bytes, std::chrono::milliseconds time) = 0;
  /// Sends a reply line, given without line break. Never waits for a live world.
  virtual void say(const std::string& line) = 0;
  /// Ends the replies: waits until the world has read them, as long as it keeps reading.  Errors  WorldError
  virtual void end() {}
};

/// World that reads a file, or standard input if the name is "-". Replies go to `say`, a line at a time.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> world_of_file(const std::string& name, std::function<void(const std::string&)> say);

/// Live variant: replies go to the file descriptor `output`, without waiting until they are read. The world fails with
/// WorldError in three cases, because operations of the NARS must not be lost silently: it leaves most_unread bytes
/// unread, reads nothing for most_idle at the end, or closes its input.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> live_world_of_file(const std::string& name, int output);

/// World that listens on a Unix socket (mode 0600; a socket left by a dead server is replaced). One client is served at
/// a time; others wait. A client that leaves most_unread bytes unread is disconnected. Replies while no client is
/// connected are lost.
/// Errors  std::system_error if it cannot be opened
std::unique_ptr<World> world_of_socket(const std::string& path);

}  // namespace engram::bridge
