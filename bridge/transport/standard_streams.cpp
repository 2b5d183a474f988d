// SPDX-License-Identifier: MIT
#include "bridge/transport/standard_streams.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>

namespace engram::bridge {
namespace {

bool write_all(int to, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

void carry(int from, int to) {
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t size = ::read(from, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0 || !write_all(to, piece.data(), static_cast<std::size_t>(size))) return;
  }
}

}  // namespace

boost::asio::local::stream_protocol::socket standard_streams(boost::asio::io_context& context) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "standard input as a client");
  boost::asio::local::stream_protocol::socket socket(context, boost::asio::local::stream_protocol(), ends[0]);
  const std::shared_ptr<int> other(new int(ends[1]), [](const int* end) {
    ::close(*end);
    delete end;
  });
  // A background process that reads from a terminal would be stopped. With this signal ignored, reading fails and ends
  // the input.
  std::signal(SIGTTIN, SIG_IGN);
  std::thread([other] {
    carry(STDIN_FILENO, *other);
    ::shutdown(*other, SHUT_WR);
  }).detach();
  std::thread([other] {
    carry(*other, STDOUT_FILENO);
    ::shutdown(*other, SHUT_RD);  // if nobody reads the output, the writer gets an error
    // Closes standard output for its reader, but keeps the descriptor number in use, so that no socket gets it.
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0) return;
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  }).detach();
  return socket;
}

}  // namespace engram::bridge
