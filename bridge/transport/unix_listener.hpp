// SPDX-License-Identifier: MIT
// Listening Unix socket with access only for the owner.
#pragma once

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

namespace engram::bridge {

/// Listening Unix socket. Its file has mode 0600 and replaces a socket without a listener. The destructor removes the
/// file, unless another one has taken its place.
class UnixListener {
 public:
  explicit UnixListener(boost::asio::io_context& context) : acceptor(context) {}
  ~UnixListener() { remove_file(); }
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  /// Creates the file and starts listening.  Errors  std::system_error
  void open(const std::string& path);
  /// Removes the file if it is still the original one.
  void remove_file();

  boost::asio::local::stream_protocol::acceptor acceptor;

 private:
  std::string path_;
  struct stat file_ {};  // identity of the created file
};

}  // namespace engram::bridge
