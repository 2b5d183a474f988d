// SPDX-License-Identifier: MIT
// A world at the other end: a file, a pipe or a socket, whose lines are read as they come.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace engram::bridge {

constexpr std::size_t most_unread = std::size_t{4} << 20;  // bytes that a live world may leave unread; chosen
constexpr std::chrono::seconds most_idle{5};               // at the end, without reading any of them; chosen

/// A world that does not hear any more what is said.
struct WorldError : std::runtime_error {
  using runtime_error::runtime_error;
};

/// One thread reads; any may say.
class World {
 public:
  /// What came of waiting.
  enum class Came : std::uint8_t {
    bytes,
    nothing,
    gone,  // this world has left; another one may come
    end,   // there will be no more
  };

  virtual ~World() = default;
  /// Waits for more, so long at most; `bytes` are what came.
  /// Errors  std::system_error; WorldError
  virtual Came read(std::string& bytes, std::chrono::milliseconds time) = 0;
  /// A line for it, without its end. Never waits for a live world.
  virtual void say(const std::string& line) = 0;
  /// No more will be said: waits until the world has read what was, as long as it reads.  Errors  WorldError
  virtual void end() {}
};

/// A file, or standard input where the name is "-"; what is said goes to `say`, a line at a time.
/// Errors  std::system_error where it cannot be opened
std::unique_ptr<World> world_of_file(const std::string& name, std::function<void(const std::string&)> say);

/// The same of a live world: what is said goes to this file descriptor, standard output, and nobody waits until it is read. A
/// world that leaves most_unread there, takes nothing for most_idle at the end, or has closed it, is a WorldError: what
/// a NARS executes must not be lost unseen.
/// Errors  std::system_error where it cannot be opened
std::unique_ptr<World> live_world_of_file(const std::string& name, int output);

/// A Unix socket of this path (0600; a file that a dead server left is replaced), for one world at a time: who comes
/// meanwhile waits until it leaves. A world that does not read is cut off once most_unread waits for it; what is said while
/// there is none is lost.
/// Errors  std::system_error where it cannot be opened
std::unique_ptr<World> world_of_socket(const std::string& path);

}  // namespace engram::bridge
