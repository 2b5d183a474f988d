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

namespace engram::bridge {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using beast::error_code;

using Head = http::request<http::empty_body>;
constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::uint32_t max_head_bytes = 8192;
constexpr std::chrono::seconds idle{300};  // then pings, so that clients that are gone leave their places

std::string_view field(const Head& head, http::field name) {
  const auto value = head[name];
  return {value.data(), value.size()};
}

// In a time that does not tell how much of it is right.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned>(given[i] != secret[i % secret.size()]);
  return difference == 0;
}

// Tells of each read from the socket, as the websocket itself tells of whole pieces of messages alone.
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

struct Denial {
  http::status status;
  std::string reason;
};

// Why a client may not talk; nothing where it may.
std::optional<Denial> denied(const Head& head, const ServerOptions& options) {
  const std::string_view target(head.target().data(), head.target().size());
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(question + 1, target.size()));
  if (head.count(http::field::origin) > 0 &&
      std::ranges::find(options.origins, field(head, http::field::origin)) == options.origins.end())
    return Denial{http::status::forbidden, "this Origin may not connect; see --origin"};
  if (!options.token.empty()) {
    const std::string_view given = field(head, http::field::authorization);
    constexpr std::string_view bearer = "Bearer ", parameter = "token=";
    const bool right =
        (given.starts_with(bearer) && same_secret(given.substr(bearer.size()), options.token)) ||
        (query.starts_with(parameter) && same_secret(query.substr(parameter.size()), options.token));
    if (!right)
      return Denial{http::status::unauthorized,
                    "a token is needed: Authorization: Bearer TOKEN, or /?token=TOKEN"};
  }
  if (target.substr(0, question) != "/") return Denial{http::status::not_found, "there is / alone"};
  if (!websocket::is_upgrade(head))
    return Denial{http::status::upgrade_required, "a websocket is served here"};
  return std::nullopt;
}

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
    if (!talk_ && !denied_)
      socket().set_option(asio::socket_base::linger(true, 0), ignored);  // nothing stays of it
    beast::get_lowest_layer(stream_).close();
    state_.leave(shared_from_this());
  }

  // Who cannot write any more cannot say goodbye either: that is no end of a websocket but a loss.
  bool gone() override { return tells(socket().native_handle(), POLLRDHUP); }
  bool waits_to_be_read() override { return tells(socket().native_handle(), POLLIN); }

 private:
  asio::ip::tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }

  void admit() {
    if (const auto denial = denied(head_.get(), state_.options)) return deny(*denial);
    talk_ = state_.new_talk(Transport::websocket);
    if (!talk_) return deny({http::status::service_unavailable, state_.too_many()});
    state_.no_stranger(this);
    beast::get_lowest_layer(stream_).expires_never();  // the websocket has clocks of its own
    stream_.set_option(websocket::stream_base::timeout{state_.options.handshake_patience, idle, true});
    stream_.read_message_max(0);  // read() sees to it, so that a refusal can be sent
    stream_.text(true);
    stream_.async_accept(head_.get(), [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      self->buffer_.consume(self->buffer_.size());
      self->mind_what_is_begun();
      self->go_on();
    });
  }

  // A message that has begun must go on. A read from the socket may have begun one, or the head of a frame;
  // where it ends a message, or a frame of control between two, nothing is begun.
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

  void deny(const Denial& denial) {
    response_.result(denial.status);
    response_.version(11);
    response_.keep_alive(false);
    denied_ = true;
    response_.set(http::field::content_type, "text/plain");
    if (denial.status == http::status::unauthorized) response_.set(http::field::www_authenticate, "Bearer");
    if (denial.status == http::status::service_unavailable) response_.set(http::field::retry_after, "1");
    if (denial.status == http::status::upgrade_required) response_.set(http::field::upgrade, "websocket");
    response_.body() = denial.reason + "\n";
    response_.prepare_payload();
    http::async_write(stream_.next_layer(), response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      beast::get_lowest_layer(self->stream_).socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
      self->close();
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

  // There is always one read under way, but for a piece that came ahead: so a goodbye is heard while a
  // message is in work.
  void read() {
    if (std::exchange(reading_, true)) return;
    stream_.async_read_some(buffer_, piece_bytes, [self = shared_from_this()](error_code error, std::size_t) {
      self->reading_ = false;
      if (self->closed_) return;
      if (error) return self->close();
      if (!self->busy_) return self->take();
      self->ahead_ = true;
      self->expect_nothing();  // it waits for us
    });
  }

  // A piece of a message has come.
  void take() {
    if (leaving_) return pass_over();
    if (!stream_.got_text()) return say_goodbye(websocket::close_code::unknown_data);
    too_long_ = too_long_ || buffer_.size() > talk_->max_message_bytes();
    if (too_long_) buffer_.consume(buffer_.size());
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

  // What comes behind a goodbye is not answered.
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
      if (!error) self->close();  // it does not read
    });
    write_next();
  }

  void write_next() {
    if (sent_ == replies_.size()) {
      timer_.cancel();
      replies_ = {};  // not kept while the client thinks
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
  http::response<http::string_body> response_;
  std::vector<std::string> replies_;
  std::size_t sent_ = 0;   // of them
  bool too_long_ = false;  // the message that is being read
  bool busy_ = false;      // a message is in work, or its replies are on their way
  bool reading_ = false, within_message_ = false;
  bool ahead_ = false;  // a piece has come while the last message is in work
  bool denied_ = false, leaving_ = false, closed_ = false;
};

}  // namespace

std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket) {
  return std::make_shared<WebsocketClient>(state, std::move(socket));
}

}  // namespace engram::bridge
