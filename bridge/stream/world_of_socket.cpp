// SPDX-License-Identifier: MIT
#include <fcntl.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <string>
#include <utility>

#include "bridge/stream/world.hpp"
#include "bridge/transport/unix_listener.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;
using Socket = boost::asio::local::stream_protocol::socket;

// All members except say() run in the reading thread, which runs the I/O context.
class SocketWorld : public World {
 public:
  explicit SocketWorld(const std::string& path) { listener_.open(path); }

  Came read(std::string& bytes, std::chrono::milliseconds time) override {
    const auto until = std::chrono::steady_clock::now() + time;
    if (!world_ && !accepting_) accept();
    if (world_ && !reading_ && !gone_) read_more();
    context_.restart();
    while (came_.empty() && !gone_) {
      context_.run_one_until(until);
      if (std::chrono::steady_clock::now() >= until) break;
      if (world_ && !reading_ && came_.empty() && !gone_) read_more();
    }
    if (!came_.empty()) {
      bytes = std::exchange(came_, {});
      return Came::bytes;
    }
    if (!gone_) return Came::nothing;
    gone_ = false;
    world_.reset();
    outgoing_.clear();
    return Came::gone;
  }

  void say(const std::string& line) override {
    boost::asio::post(context_, [this, line] {
      if (!world_ || gone_) return;
      outgoing_ += line + "\n";
      if (outgoing_.size() + writing_.size() > most_unread) return leave();
      write_more();
    });
  }

 private:
  void accept() {
    accepting_ = true;
    listener_.acceptor.async_accept([this](Error error, Socket socket) {
      accepting_ = false;
      if (error) return;
      ::fcntl(socket.native_handle(), F_SETFD,
              FD_CLOEXEC);  // child processes must not inherit it
      world_.emplace(std::move(socket));
    });
  }
  void read_more() {
    reading_ = true;
    world_->async_read_some(boost::asio::buffer(buffer_), [this](Error error, std::size_t size) {
      reading_ = false;
      came_.append(buffer_.data(), size);
      if (error) leave();
    });
  }
  void write_more() {
    if (!writing_.empty() || outgoing_.empty()) return;
    writing_ = std::exchange(outgoing_, {});
    boost::asio::async_write(*world_, boost::asio::buffer(writing_), [this](Error error, std::size_t) {
      writing_.clear();
      if (error) return leave();
      if (!gone_) write_more();
    });
  }
  // Disconnects the client. The socket lives until its pending operations have ended.
  void leave() {
    if (std::exchange(gone_, true)) return;
    Error ignored;
    world_->close(ignored);
  }

  boost::asio::io_context context_;
  UnixListener listener_{context_};
  std::optional<Socket> world_;
  std::array<char, 1 << 16> buffer_{};
  std::string came_, outgoing_, writing_;
  bool accepting_ = false, reading_ = false, gone_ = false;
};

}  // namespace

std::unique_ptr<World> world_of_socket(const std::string& path) {
  return std::make_unique<SocketWorld>(path);
}

}  // namespace engram::bridge
