// SPDX-License-Identifier: MIT
#include <poll.h>

#include <array>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "bridge/transport/client.hpp"
#include "bridge/transport/line_splitter.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;

class LineClient : public Client, public std::enable_shared_from_this<LineClient> {
 public:
  LineClient(ServerState& state, std::shared_ptr<Talk> talk, asio::local::stream_protocol::socket socket,
             bool hurried)
      : state_(state),
        socket_(std::move(socket)),
        timer_(state.context),
        lines_(talk->max_message_bytes()),
        hurried_(hurried) {
    talk_ = std::move(talk);
  }

  void start() override { read(); }

  void stop() override {
    if (!busy_) close();
  }

  void close() override {
    if (!socket_.is_open()) return;
    Error ignored;
    timer_.cancel();
    socket_.shutdown(socket_.shutdown_both, ignored);
    socket_.close(ignored);
    state_.leave(shared_from_this());
  }

  // Whether both directions are closed. A client like `nc -N` closes only its own direction and still waits for
  // replies.
  bool gone() override { return tells(socket_.native_handle(), 0); }
  bool waits_to_be_read() override { return tells(socket_.native_handle(), POLLIN); }

 private:
  void read() {
    busy_ = false;
    if (lines_.begun()) have_patience();
    socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](Error error, std::size_t size) {
      self->timer_.cancel();
      if (error == asio::error::eof)
        self->lines_.end();
      else if (error)
        return self->close();
      self->ended_ = error == asio::error::eof;
      self->lines_.feed({self->piece_.data(), size});
      self->go_on();
    });
  }

  void go_on() {
    if (!socket_.is_open()) return;
    if (talk_->finished() || state_.stopping) return close();
    auto line = lines_.next();
    if (!line && ended_) return close();
    if (!line) {
      if (!talk_->hold(lines_.held())) lines_.drop();
      return read();
    }
    busy_ = true;
    talk_->answer(std::move(line->text), line->too_long,
                  [self = shared_from_this()](auto replies) { self->write(std::move(replies)); });
  }

  void write(std::vector<std::string> replies) {
    if (!socket_.is_open()) return;
    out_.clear();
    for (std::string& reply : replies) {
      reply += '\n';
      out_.empty() ? out_.swap(reply) : void(out_ += reply);
    }
    if (out_.empty()) return go_on();
    have_patience();
    asio::async_write(socket_, asio::buffer(out_), [self = shared_from_this()](Error error, std::size_t) {
      self->timer_.cancel();
      std::string().swap(self->out_);  // frees the buffer while the client is idle
      error ? self->close() : self->go_on();
    });
  }

  // Starts the timeout for reading replies or finishing a line.
  void have_patience() {
    if (!hurried_) return;
    timer_.expires_after(state_.options.patience);
    timer_.async_wait([self = shared_from_this()](Error error) {
      if (!error) self->close();
    });
  }

  ServerState& state_;
  asio::local::stream_protocol::socket socket_;
  asio::steady_timer timer_;
  LineSplitter lines_;
  bool hurried_;
  std::array<char, 1 << 16> piece_{};
  std::string out_;
  bool busy_ = false;   // a message is being answered, or replies are being sent
  bool ended_ = false;  // the client has closed its direction
};

}  // namespace

std::shared_ptr<Client> line_client(ServerState& state, std::shared_ptr<Talk> talk,
                                    asio::local::stream_protocol::socket socket, bool hurried) {
  return std::make_shared<LineClient>(state, std::move(talk), std::move(socket), hurried);
}

}  // namespace engram::bridge
