// SPDX-License-Identifier: MIT
// A world at the other end: a file, a pipe or a socket, whose lines are read as they come.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace engram::bridge {

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
  /// Waits for more, so long at most; `bytes` are what came.  Errors  std::system_error
  virtual Came read(std::string& bytes, std::chrono::milliseconds time) = 0;
  /// A line for it, without its end. Never waits for a world behind a socket.
  virtual void say(const std::string& line) = 0;
};

/// A file, or standard input where the name is "-"; what is said goes to `say`, a line at a time.
/// Errors  std::system_error where it cannot be opened
std::unique_ptr<World> world_of_file(const std::string& name, std::function<void(const std::string&)> say);

/// A Unix socket of this path (0600; a file that a dead server left is replaced), for one world at a time: who comes
/// meanwhile waits until it leaves. A world that does not read is cut off once 4 MB wait for it; what is said while there
/// is none is lost.
/// Errors  std::system_error where it cannot be opened
std::unique_ptr<World> world_of_socket(const std::string& path);

}  // namespace engram::bridge
