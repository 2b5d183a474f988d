// SPDX-License-Identifier: MIT
#include <poll.h>

#include <algorithm>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <limits>
#include <optional>
#include <string_view>

#include "bridge/transport/client.hpp"
#include "bridge/transport/http_rules.hpp"

namespace engram::bridge {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;

constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::uint32_t max_head_bytes = 8192;
constexpr std::size_t most_passed_over = 1 << 16;  // bytes ignored after a request that was answered
constexpr std::chrono::seconds idle{300};          // before a ping, which detects disconnected clients

// Rate policy that reports each read from the socket. The websocket itself only reports pieces of messages.
class ToldReads {
 public:
  std::function<void()> told = [] {};

 private:
  friend class beast::rate_policy_access;
  static std::size_t available_read_bytes() { return std::numeric_limits<std::size_t>::max(); }
  static std::size_t available_write_bytes() { return std::numeric_limits<std::size_t>::max(); }
  void transfer_read_bytes(std::size_t) const { told(); }
  static void transfer_write_bytes(std::size_t) {}
  static void on_timer() {}
};
using Stream = beast::basic_stream<asio::ip::tcp, asio::any_io_executor, ToldReads>;

class WebsocketClient : public Client, public std::enable_shared_from_this<WebsocketClient> {
 public:
  WebsocketClient(ServerState& state, asio::ip::tcp::socket socket)
      : state_(state), stream_(std::move(socket)), timer_(state.context), begun_(state.context) {}

  void start() override {
    beast::get_lowest_layer(stream_).expires_after(state_.options.handshake_patience);
    head_.header_limit(max_head_bytes);
    http::async_read_header(stream_.next_layer(), buffer_, head_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              error ? self->close() : self->admit();
                            });
  }

  void stop() override {
    if (!talk_)
      close();
    else if (!busy_)
      say_goodbye(websocket::close_code::going_away);
  }

  void close() override {
    if (closed_) return;
    closed_ = true;
    timer_.cancel();
    expect_nothing();
    error_code ignored;
    if (!talk_ && !reply_)
      socket().set_option(asio::socket_base::linger(true, 0), ignored);  // closes without a TIME_WAIT state
    beast::get_lowest_layer(stream_).close();
    state_.leave(shared_from_this());
  }

  // A peer that has closed its sending direction cannot close the websocket properly, so it counts as disconnected.
  bool gone() override { return tells(socket().native_handle(), POLLRDHUP); }
  bool waits_to_be_read() override { return !reply_ && tells(socket().native_handle(), POLLIN); }

 private:
  asio::ip::tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }

  void admit() {
    if (auto instead = reply_to(head_.get(), state_.options)) return reply(*std::move(instead));
    talk_ = state_.new_talk(Transport::websocket);
    if (!talk_) return reply({http::status::service_unavailable, state_.too_many()});
    state_.no_stranger(this);
    beast::get_lowest_layer(stream_).expires_never();  // the websocket has its own timers
    stream_.set_option(websocket::stream_base::timeout{state_.options.handshake_patience, idle, true});
    stream_.read_message_max(0);  // take() limits the size, so that an error can be sent
    stream_.text(true);
    stream_.async_accept(head_.get(), [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      self->buffer_.consume(self->buffer_.size());
      self->mind_what_is_begun();
      self->go_on();
    });
  }

  // Enforces progress of an incomplete message. Any read from the socket may have started a message or a frame. The end
  // of a message, or a control frame between messages, clears this state.
  void mind_what_is_begun() {
    stream_.next_layer().rate_policy().told = [this] { expect_more(); };
    stream_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (!within_message_) expect_nothing();
    });
  }

  void expect_more() {
    begun_.expires_after(state_.options.message_patience);
    begun_.async_wait([self = weak_from_this()](error_code) {
      const auto client = self.lock();
      if (client && client->begun_.expiry() <= asio::steady_timer::clock_type::now()) client->close();
    });
  }
  void expect_nothing() { begun_.expires_at(asio::steady_timer::time_point::max()); }

  // Sends a reply. The connection stays pending and can be evicted.
  void reply(HttpReply reply) {
    reply_ = std::move(reply);
    const bool is_page = reply_->status == http::status::ok;
    if (!is_page) reply_->reason += '\n';
    const std::string_view body = is_page ? state_.options.page : reply_->reason;
    response_.result(reply_->status);
    response_.version(11);
    set_fields(response_, *reply_, head_.get(), state_.page_policy, body.size());
    response_.body() = {body.data(), body.size()};
    if (is_page) beast::get_lowest_layer(stream_).expires_after(state_.options.patience);
    const auto written = [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->close();
      error_code ignored;
      self->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
      self->pass_over_until_end();
    };
    head_.get().method() == http::verb::head
        ? http::async_write_header(stream_.next_layer(), serializer_, written)
        : http::async_write(stream_.next_layer(), serializer_, written);
  }

  // Reads until the end, because closing a socket with unread input would discard data in transit.
  void pass_over_until_end() {
    stream_.next_layer().async_read_some(
        buffer_.prepare(piece_bytes), [self = shared_from_this()](error_code error, std::size_t size) {
          self->passed_over_ += size;
          error || self->passed_over_ > most_passed_over ? self->close() : self->pass_over_until_end();
        });
  }

  void go_on() {
    if (closed_) return;
    busy_ = false;
    if (talk_->finished()) return say_goodbye(websocket::close_code::normal);
    if (state_.stopping) return say_goodbye(websocket::close_code::going_away);
    if (std::exchange(ahead_, false)) return take();
    read();
  }

  // Keeps one read active even while a message is processed, so that a close frame is noticed. The exception is a piece
  // that has already arrived.
  void read() {
    if (std::exchange(reading_, true)) return;
    stream_.async_read_some(buffer_, piece_bytes, [self = shared_from_this()](error_code error, std::size_t) {
      self->reading_ = false;
      if (self->closed_) return;
      if (error) return self->close();
      if (!self->busy_) return self->take();
      self->ahead_ = true;
      self->expect_nothing();  // the client waits for the server
    });
  }

  // Handles a piece of a message.
  void take() {
    if (leaving_) return pass_over();
    if (!stream_.got_text()) return say_goodbye(websocket::close_code::unknown_data);
    too_long_ = too_long_ || buffer_.size() > talk_->max_message_bytes() || !talk_->hold(buffer_.size());
    if (too_long_) {
      buffer_.consume(buffer_.size());
      buffer_.shrink_to_fit();
      talk_->hold(0);
    }
    within_message_ = !stream_.is_message_done();
    if (within_message_) {
      expect_more();
      return read();
    }
    expect_nothing();
    std::string message = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    buffer_.shrink_to_fit();
    busy_ = true;
    talk_->answer(std::move(message), std::exchange(too_long_, false),
                  [self = shared_from_this()](auto replies) { self->write(std::move(replies)); });
    read();
  }

  // Ignores input after a close frame.
  void pass_over() {
    buffer_.consume(buffer_.size());
    read();
  }

  void write(std::vector<std::string> replies) {
    if (closed_) return;
    replies_ = std::move(replies);
    sent_ = 0;
    timer_.expires_after(state_.options.patience);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();  // the client does not read its replies
    });
    write_next();
  }

  void write_next() {
    if (sent_ == replies_.size()) {
      timer_.cancel();
      replies_ = {};  // frees the buffer while the client is idle
      return go_on();
    }
    stream_.async_write(asio::buffer(replies_[sent_]),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return self->close();
                          ++self->sent_;
                          self->write_next();
                        });
  }

  void say_goodbye(websocket::close_code code) {
    if (closed_ || leaving_) return;
    leaving_ = true;
    timer_.expires_after(state_.options.handshake_patience);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    stream_.async_close(code, [self = shared_from_this()](error_code) { self->close(); });
  }

  ServerState& state_;
  websocket::stream<Stream> stream_;
  asio::steady_timer timer_, begun_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> head_;
  std::optional<HttpReply> reply_;  // reply instead of a websocket
  http::response<http::span_body<const char>> response_;
  http::response_serializer<http::span_body<const char>> serializer_{response_};
  std::size_t passed_over_ = 0;
  std::vector<std::string> replies_;
  std::size_t sent_ = 0;   // replies sent
  bool too_long_ = false;  // the current message is too long
  bool busy_ = false;      // a message is being answered, or replies are being sent
  bool reading_ = false, within_message_ = false;
  bool ahead_ = false;  // a piece has arrived while the last message is being answered
  bool leaving_ = false, closed_ = false;
};

}  // namespace

std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket) {
  return std::make_shared<WebsocketClient>(state, std::move(socket));
}

}  // namespace engram::bridge
