// SPDX-License-Identifier: MIT
#include <poll.h>

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <limits>
#include <optional>
#include <string_view>

#include "bridge/transport/client.hpp"
#include "bridge/transport/http_rules.hpp"

namespace engram::bridge {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using beast::error_code;

constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::uint32_t max_head_bytes = 8192;
constexpr std::size_t max_discarded_bytes = 1 << 16;  // bytes ignored after a request that was answered
constexpr std::chrono::seconds idle{300};             // before a ping, which detects disconnected clients

// Rate policy that reports each read from the socket. The websocket itself only reports pieces of messages.
class ReadObserver {
 public:
  std::function<void()> on_read = [] {};

 private:
  friend class beast::rate_policy_access;
  static std::size_t available_read_bytes() { return std::numeric_limits<std::size_t>::max(); }
  static std::size_t available_write_bytes() { return std::numeric_limits<std::size_t>::max(); }
  void transfer_read_bytes(std::size_t) const { on_read(); }
  static void transfer_write_bytes(std::size_t) {}
  static void on_timer() {}
};
using Stream = beast::basic_stream<asio::ip::tcp, asio::any_io_executor, ReadObserver>;

HttpRequest request_of(const http::request<http::empty_body>& head) {
  HttpRequest request{.method = std::string(head.method_string()),
                      .target = std::string(head.target()),
                      .authorization = std::string(head[http::field::authorization]),
                      .is_upgrade = websocket::is_upgrade(head)};
  for (const auto& field : head) {
    if (field.name() == http::field::host) request.hosts.emplace_back(field.value());
    if (field.name() == http::field::origin) request.origins.emplace_back(field.value());
  }
  return request;
}

class WebsocketClient : public Client, public std::enable_shared_from_this<WebsocketClient> {
 public:
  WebsocketClient(ServerState& state, asio::ip::tcp::socket socket)
      : state_(state), stream_(std::move(socket)), timer_(state.context), message_timer_(state.context) {}

  void start() override {
    beast::get_lowest_layer(stream_).expires_after(state_.options.handshake_patience);
    head_.header_limit(max_head_bytes);
    http::async_read_header(stream_.next_layer(), buffer_, head_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              error ? self->close() : self->admit();
                            });
  }

  void stop() override {
    if (!conversation_)
      close();
    else if (!busy_)
      close_websocket(websocket::close_code::going_away);
  }

  void close() override {
    if (closed_) return;
    closed_ = true;
    timer_.cancel();
    stop_message_timer();
    error_code ignored;
    if (!conversation_ && !reply_)
      socket().set_option(asio::socket_base::linger(true, 0), ignored);  // closes without a TIME_WAIT state
    beast::get_lowest_layer(stream_).close();
    state_.remove(shared_from_this());
  }

  // A peer that has closed its sending direction cannot close the websocket properly, so it counts as disconnected.
  bool disconnected() override { return has_event(socket().native_handle(), POLLRDHUP); }
  bool has_input() override { return !reply_ && has_event(socket().native_handle(), POLLIN); }

 private:
  asio::ip::tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }

  void admit() {
    if (auto instead = reply_to(request_of(head_.get()), state_.options)) return reply(*std::move(instead));
    conversation_ = state_.start_conversation(Transport::websocket);
    if (!conversation_) return reply({503, state_.too_many_clients()});
    state_.remove_pending(this);
    beast::get_lowest_layer(stream_).expires_never();  // the websocket has its own timers
    stream_.set_option(websocket::stream_base::timeout{state_.options.handshake_patience, idle, true});
    stream_.read_message_max(0);  // handle_piece() limits the size, so that an error can be sent
    stream_.text(true);
    stream_.async_accept(head_.get(), [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      self->buffer_.consume(self->buffer_.size());
      self->watch_incomplete_messages();
      self->process_next();
    });
  }

  // Enforces progress of an incomplete message. Any read from the socket may have started a message or a frame. The end
  // of a message, or a control frame between messages, clears this state.
  void watch_incomplete_messages() {
    stream_.next_layer().rate_policy().on_read = [this] { start_message_timer(); };
    stream_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (!within_message_) stop_message_timer();
    });
  }

  void start_message_timer() {
    message_timer_.expires_after(state_.options.message_patience);
    message_timer_.async_wait([self = weak_from_this()](error_code) {
      const auto client = self.lock();
      if (client && client->message_timer_.expiry() <= asio::steady_timer::clock_type::now()) client->close();
    });
  }
  void stop_message_timer() { message_timer_.expires_at(asio::steady_timer::time_point::max()); }

  // Sends a reply. The connection stays pending and can be evicted.
  void reply(HttpReply reply) {
    reply_ = std::move(reply);
    const bool is_page = reply_->status == 200;
    if (!is_page) reply_->reason += '\n';
    std::string_view body = is_page ? state_.options.page : reply_->reason;
    const HttpRequest request = request_of(head_.get());
    reply_head_ = reply_head(*reply_, request, state_.page_policy, body.size());
    if (request.method == "HEAD") body = {};
    if (is_page) beast::get_lowest_layer(stream_).expires_after(state_.options.patience);
    const std::array<asio::const_buffer, 2> parts{asio::buffer(reply_head_), asio::buffer(body)};
    asio::async_write(stream_.next_layer(), parts,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->close();
                        error_code ignored;
                        self->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
                        self->discard_until_end();
                      });
  }

  // Reads until the end, because closing a socket with unread input would discard data in transit.
  void discard_until_end() {
    stream_.next_layer().async_read_some(
        buffer_.prepare(piece_bytes), [self = shared_from_this()](error_code error, std::size_t size) {
          self->discarded_ += size;
          error || self->discarded_ > max_discarded_bytes ? self->close() : self->discard_until_end();
        });
  }

  void process_next() {
    if (closed_) return;
    busy_ = false;
    if (conversation_->finished()) return close_websocket(websocket::close_code::normal);
    if (state_.stopping) return close_websocket(websocket::close_code::going_away);
    if (std::exchange(piece_waits_, false)) return handle_piece();
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
      if (!self->busy_) return self->handle_piece();
      self->piece_waits_ = true;
      self->stop_message_timer();  // the client waits for the server
    });
  }

  // Handles a piece of a message.
  void handle_piece() {
    if (closing_) {  // ignores input after a close frame
      buffer_.consume(buffer_.size());
      return read();
    }
    if (!stream_.got_text()) return close_websocket(websocket::close_code::unknown_data);
    too_long_ = too_long_ || buffer_.size() > conversation_->max_message_bytes() ||
                !conversation_->charge_message_bytes(buffer_.size());
    if (too_long_) {
      buffer_.consume(buffer_.size());
      buffer_.shrink_to_fit();
      conversation_->charge_message_bytes(0);
    }
    within_message_ = !stream_.is_message_done();
    if (within_message_) {
      start_message_timer();
      return read();
    }
    stop_message_timer();
    std::string message = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    buffer_.shrink_to_fit();
    busy_ = true;
    conversation_->answer(std::move(message), std::exchange(too_long_, false),
                          [self = shared_from_this()](auto replies) { self->write(std::move(replies)); });
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
      return process_next();
    }
    stream_.async_write(asio::buffer(replies_[sent_]),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return self->close();
                          ++self->sent_;
                          self->write_next();
                        });
  }

  void close_websocket(websocket::close_code code) {
    if (closed_ || closing_) return;
    closing_ = true;
    timer_.expires_after(state_.options.handshake_patience);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    stream_.async_close(code, [self = shared_from_this()](error_code) { self->close(); });
  }

  ServerState& state_;
  websocket::stream<Stream, false> stream_;  // false: without compression
  asio::steady_timer timer_, message_timer_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> head_;
  std::optional<HttpReply> reply_;  // reply instead of a websocket
  std::string reply_head_;
  std::size_t discarded_ = 0;
  std::vector<std::string> replies_;
  std::size_t sent_ = 0;   // replies sent
  bool too_long_ = false;  // the current message is too long
  bool busy_ = false;      // a message is being answered, or replies are being sent
  bool reading_ = false, within_message_ = false;
  bool piece_waits_ = false;  // a piece has arrived while the last message is being answered
  bool closing_ = false, closed_ = false;
};

}  // namespace

std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket) {
  return std::make_shared<WebsocketClient>(state, std::move(socket));
}

}  // namespace engram::bridge
