// SPDX-License-Identifier: MIT
#include "bridge/transport/listeners.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "bridge/files/files.hpp"

namespace engram::bridge {
namespace {

using Local = boost::asio::local::stream_protocol;

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

// Removes a socket without a listener. Any other file stays.
void remove_stale_socket(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) fail(EEXIST, path + " is not a socket");
  boost::asio::io_context context;
  Local::socket socket(context);
  boost::system::error_code error;
  socket.connect(Local::endpoint(path), error);
  if (error != boost::asio::error::connection_refused) fail(EADDRINUSE, path);
  if (unlink(path.c_str()) != 0) fail(errno, path);
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

void UnixListener::open(const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) fail(ENAMETOOLONG, path);
  remove_stale_socket(path);
  acceptor.open();
  const mode_t others = umask(S_IXUSR | S_IRWXG | S_IRWXO);  // the file has mode 0600 from its creation
  boost::system::error_code error;
  acceptor.bind(Local::endpoint(path), error);
  umask(others);
  if (error) fail(error.value(), path);
  path_ = path;
  lstat(path.c_str(), &file_);
  acceptor.listen();
}

void UnixListener::remove_file() {
  struct stat found {};
  if (file_.st_ino != 0 && lstat(path_.c_str(), &found) == 0 && found.st_ino == file_.st_ino &&
      found.st_dev == file_.st_dev)
    unlink(path_.c_str());
  file_ = {};
}

// --- standard streams ----------------------------------------------------------------------------------------

Local::socket standard_streams(boost::asio::io_context& context) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "standard input as a client");
  Local::socket socket(context, Local(), ends[0]);
  const std::shared_ptr<int> other(new int(ends[1]), [](const int* end) {
    ::close(*end);
    delete end;
  });
  // A background process that reads from a terminal would be stopped. With this signal ignored, reading fails and ends
  // the input.
  std::signal(SIGTTIN, SIG_IGN);
  std::thread([other] {
    copy_bytes(STDIN_FILENO, *other);
    ::shutdown(*other, SHUT_WR);
  }).detach();
  std::thread([other] {
    copy_bytes(*other, STDOUT_FILENO);
    ::shutdown(*other, SHUT_RD);  // if nobody reads the output, the writer gets an error
    // Closes standard output for its reader, but keeps the descriptor number in use, so that no socket gets it.
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0) return;
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  }).detach();
  return socket;
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
