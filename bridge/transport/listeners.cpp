// SPDX-License-Identifier: MIT
#include "bridge/transport/listeners.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "bridge/files/files.hpp"

namespace engram::bridge {
namespace {

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

Descriptor new_unix_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.number() < 0) fail(errno, "a Unix socket");
  return socket;
}

// Removes a socket without a listener. Any other file stays.
void remove_stale_socket(const sockaddr_un& address) {
  const char* const path = address.sun_path;
  struct stat found {};
  if (lstat(path, &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) fail(EEXIST, std::string(path) + " is not a socket");
  const Descriptor socket = new_unix_socket();
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
      errno != ECONNREFUSED)
    fail(EADDRINUSE, path);
  if (unlink(path) != 0) fail(errno, path);
}

// Copies bytes until the end of the input, or until nobody reads the output.
void copy_bytes(int from, int to) try {
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t size = ::read(from, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    write_all(to, {piece.data(), static_cast<std::size_t>(size)}, {});
  }
} catch (const std::system_error&) {
}

}  // namespace

void set_close_on_exec(int socket) { fcntl(socket, F_SETFD, FD_CLOEXEC); }

// --- Unix socket ---------------------------------------------------------------------------------------------

int SocketFile::listen(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) fail(ENAMETOOLONG, path);
  path.copy(address.sun_path, path.size());
  remove_stale_socket(address);
  Descriptor socket = new_unix_socket();
  const mode_t others = umask(S_IXUSR | S_IRWXG | S_IRWXO);  // the file has mode 0600 from its creation
  const int status = ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int problem = errno;
  umask(others);
  if (status != 0) fail(problem, path);
  struct stat file {};
  lstat(path.c_str(), &file);
  path_ = path;
  device_ = file.st_dev;
  inode_ = file.st_ino;
  if (::listen(socket.number(), SOMAXCONN) != 0) fail(errno, path);
  return socket.release();
}

void SocketFile::remove() {
  struct stat found {};
  if (inode_ != 0 && lstat(path_.c_str(), &found) == 0 && found.st_ino == inode_ && found.st_dev == device_)
    unlink(path_.c_str());
  inode_ = 0;
}

// --- standard streams ----------------------------------------------------------------------------------------

int standard_streams() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail(errno, "standard input as a client");
  Descriptor client(ends[0]);
  const auto other = std::make_shared<const Descriptor>(ends[1]);
  // A background process that reads from a terminal would be stopped. With this signal ignored, reading fails and ends
  // the input.
  std::signal(SIGTTIN, SIG_IGN);
  std::thread([other] {
    copy_bytes(STDIN_FILENO, other->number());
    ::shutdown(other->number(), SHUT_WR);
  }).detach();
  std::thread([other] {
    copy_bytes(other->number(), STDOUT_FILENO);
    ::shutdown(other->number(), SHUT_RD);  // if nobody reads the output, the writer gets an error
    // Closes standard output for its reader, but keeps the descriptor number in use, so that no socket gets it.
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0) return;
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  }).detach();
  return client.release();
}

// --- pending connections -------------------------------------------------------------------------------------

void PendingConnections::add(Client* client, std::string address, Time now) {
  connections_.push_back({client, std::move(address), now});
}

void PendingConnections::remove(const Client* client) {
  connections_.remove_if([client](const Connection& one) { return one.client == client; });
}

std::optional<PendingConnections::Eviction> PendingConnections::next_to_evict() const {
  if (connections_.size() < slots_) return std::nullopt;
  const auto connections_of_address = [this](const Connection& one) {
    return std::ranges::count(connections_, one.address, &Connection::address);
  };
  const auto first =
      std::ranges::max_element(connections_, {}, connections_of_address);  // among equals the oldest
  return Eviction{first->client, first->since + min_stay_};
}

}  // namespace engram::bridge
