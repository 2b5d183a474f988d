// SPDX-License-Identifier: MIT
// Tests of output to a live world that does not read its end of the pipe.
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

#include "bridge/stream/stream_world.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::world_tests {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends{};
};

std::string read_all(int file) {
  std::string all;
  std::array<char, 1 << 16> piece;
  for (ssize_t size; (size = ::read(file, piece.data(), piece.size())) > 0;)
    all.append(piece.data(), static_cast<std::size_t>(size));
  return all;
}

std::string line(std::size_t number) { return std::to_string(number) + std::string(100, '.'); }

}  // namespace

TEST_CASE("output to a slow live world does not block and arrives completely", "[bridge][stream]") {
  constexpr std::size_t lines = 10'000;  // 1 MB in total, more than a pipe holds
  Pipe pipe;
  const auto world = open_live_file_world("/dev/null", pipe.ends[1]);
  std::string sent, bytes;
  for (std::size_t i = 0; i < lines; ++i) {
    world->send(line(i));
    sent += line(i) + "\n";
  }
  // Input is still read: /dev/null is at its end.
  CHECK(world->read(bytes, milliseconds(0)) == World::ReadStatus::end);
  std::string received;
  std::thread reader([&] { received = read_all(pipe.ends[0]); });
  CHECK_NOTHROW(world->end());
  pipe.close(1);
  reader.join();
  CHECK(received == sent);
}

TEST_CASE("a line longer than the pipe's buffer arrives complete", "[bridge][stream]") {
  Pipe pipe;
  const auto world = open_live_file_world("/dev/null", pipe.ends[1]);
  const std::string long_line(300'000, 'x');
  world->send(long_line);
  world->send("");
  std::string received;
  std::thread reader([&] { received = read_all(pipe.ends[0]); });
  world->end();
  pipe.close(1);
  reader.join();
  CHECK(received == long_line + "\n\n");
}

TEST_CASE("the stream gives up on a live world that leaves too much output unread", "[bridge][stream]") {
  Pipe pipe;
  const auto world = open_live_file_world("/dev/null", pipe.ends[1]);
  std::string bytes;
  for (std::size_t size = 0; size < max_unread_bytes; size += line(0).size() + 1) world->send(line(0));
  // No error yet, because the pipe holds a part of the output.
  CHECK_NOTHROW(world->read(bytes, milliseconds(0)));
  for (std::size_t size = 0; size < max_unread_bytes; size += line(0).size() + 1) world->send(line(0));
  REQUIRE_THROWS_AS(world->read(bytes, milliseconds(0)), WorldError);
  try {
    world->end();
    FAIL("it must have been given up");
  } catch (const WorldError& error) {
    CHECK(std::string(error.what())
              .find("has not read the last " + std::to_string(max_unread_bytes / (line(0).size() + 1) + 1) +
                    " lines") != std::string::npos);
  }
}

TEST_CASE("a live world that has closed its input is reported", "[bridge][stream]") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  const auto world = open_live_file_world("/dev/null", pipe.ends[1]);
  std::string bytes;
  pipe.close(0);
  world->send("a");
  CHECK_THROWS_WITH(world->read(bytes, milliseconds(0)), "standard output: Broken pipe");
  CHECK_NOTHROW(world->send("b"));
  std::signal(SIGPIPE, before);
}

}  // namespace engram::bridge::world_tests
