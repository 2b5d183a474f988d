// SPDX-License-Identifier: MIT
#include "bridge/transport/unix_listener.hpp"

#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/error.hpp>
#include <cerrno>
#include <system_error>

namespace engram::bridge {
namespace {

using Local = boost::asio::local::stream_protocol;

[[noreturn]] void fail_at(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

// Removes a socket without a listener. Any other file stays.
void make_way(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) fail_at(EEXIST, path + " is no socket");
  boost::asio::io_context context;
  Local::socket socket(context);
  boost::system::error_code error;
  socket.connect(Local::endpoint(path), error);
  if (error != boost::asio::error::connection_refused) fail_at(EADDRINUSE, path);
  if (unlink(path.c_str()) != 0) fail_at(errno, path);
}

}  // namespace

void UnixListener::open(const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) fail_at(ENAMETOOLONG, path);
  make_way(path);
  acceptor.open();
  const mode_t others = umask(S_IXUSR | S_IRWXG | S_IRWXO);  // the file has mode 0600 from its creation
  boost::system::error_code error;
  acceptor.bind(Local::endpoint(path), error);
  umask(others);
  if (error) fail_at(error.value(), path);
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

}  // namespace engram::bridge
