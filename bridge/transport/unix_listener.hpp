// SPDX-License-Identifier: MIT
// A Unix socket that is listened on, for its owner alone.
#pragma once

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

namespace engram::bridge {

/// Its file is made with 0600, in the place of one that nobody listens on any more, and is removed at the end unless
/// another one has taken its place.
class UnixListener {
 public:
  explicit UnixListener(boost::asio::io_context& context) : acceptor(context) {}
  ~UnixListener() { remove_file(); }
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  /// Errors  std::system_error
  void open(const std::string& path);
  /// If it is still the one that it made.
  void remove_file();

  boost::asio::local::stream_protocol::acceptor acceptor;

 private:
  std::string path_;
  struct stat file_ {};  // as it was made
};

}  // namespace engram::bridge
