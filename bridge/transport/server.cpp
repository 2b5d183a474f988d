// SPDX-License-Identifier: MIT
#include "bridge/transport/server.hpp"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "bridge/files/files.hpp"
#include "bridge/transport/client.hpp"
#include "bridge/transport/listeners.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;
using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;

constexpr int accepted_at_once = 256;
constexpr std::chrono::milliseconds pause_after_error{100};  // for example, if no more files can be opened

// The key by which pending connections are counted. A single user may have 2^64 IPv6 addresses, so these count by
// network.
std::string pending_key(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const auto six = address.to_v6();
  if (six.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, six).to_string();
  auto network = six.to_bytes();
  std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
  return asio::ip::make_address_v6(network).to_string();
}

// Reduces the slots for pending connections if the limit on open files is low, after reserving files for clients and
// for the server.
ServerOptions fit_file_limit(ServerOptions options) {
  constexpr std::size_t ours = 24;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return options;
  const std::size_t taken = options.max_clients + ours;
  const std::size_t left = files.rlim_cur > taken ? files.rlim_cur - taken : 0;
  options.max_pending = std::max<std::size_t>(std::min(options.max_pending, left), 1);
  return options;
}

}  // namespace

class Server::Listeners {
 public:
  Listeners(ServerOptions options, NewConversation make_conversation)
      : state(fit_file_limit(std::move(options)), std::move(make_conversation)),
        refusal_line_(state.make_conversation(Transport::lines)->refusal(state.too_many_clients()) + "\n") {
    if (state.options.unix_path.empty() && !state.options.websocket_port)
      throw std::invalid_argument("a server needs a Unix socket or a websocket");
    if (state.options.websocket_port) open_websocket(*state.options.websocket_port);
    if (!state.options.unix_path.empty())
      unix_acceptor_.assign(Local(), unix_file_.listen(state.options.unix_path));
    if (state.options.ends_by_signals)
      for (const int number : {SIGINT, SIGTERM}) signals_.add(number);
  }

  ~Listeners() {
    for (const auto& conversation : state.conversations) conversation->join();
  }
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  bool run() {
    state.pending_removed = [this] { websocket_pause_.cancel(); };
    wait_for_signals();
    if (state.options.standard_streams) serve_standard_streams();
    if (unix_acceptor_.is_open()) accept_lines();
    if (websocket_.is_open()) accept_websockets();
    state.context.run();
    unix_file_.remove();
    return std::ranges::none_of(state.conversations, &ClientConversation::working);
  }

  void stop() {
    if (std::exchange(state.stopping, true)) return;
    Error ignored;
    unix_acceptor_.close(ignored);
    websocket_.close(ignored);
    unix_pause_.cancel();
    websocket_pause_.cancel();
    for (const auto& client : std::set(state.clients)) client->stop();
    grace_.expires_after(state.options.grace);
    grace_.async_wait([this](Error) { cancel_work(); });
    state.check_end();
  }

  std::uint16_t port() const { return websocket_.is_open() ? websocket_.local_endpoint().port() : 0; }

  ServerState state;

 private:
  // The first signal stops the server, the second one ends it at once.
  void wait_for_signals() {
    signals_.async_wait([this](Error error, int) {
      if (error) return;
      if (state.stopping) return state.context.stop();
      stop();
      wait_for_signals();
    });
  }

  // The grace period is over: cancels the remaining work. After a second period the caller of run() decides.
  void cancel_work() {
    for (const auto& client : std::set(state.clients))
      client->conversation() && client->conversation()->working()
          ? client->conversation()->cancel("the server is ending")
          : client->close();
    grace_.expires_after(state.options.grace);
    grace_.async_wait([this](Error) { state.context.stop(); });
  }

  void open_websocket(std::uint16_t port) {
    Error error;
    const auto address = asio::ip::make_address(state.options.address, error);
    if (error)
      throw std::invalid_argument("'" + state.options.address +
                                  "' is not a numeric address such as 127.0.0.1 or ::1");
    if (!address.is_loopback() && state.options.token.empty())
      throw std::invalid_argument("beyond loopback addresses a token is needed");
    const Tcp::endpoint endpoint(address, port);
    websocket_.open(endpoint.protocol());
    set_close_on_exec(websocket_.native_handle());
    websocket_.set_option(Tcp::acceptor::reuse_address(true));
    websocket_.bind(endpoint, error);
    if (error)
      throw std::system_error(error.value(), std::generic_category(),
                              state.options.address + ":" + std::to_string(port));
    websocket_.listen();
    websocket_.non_blocking(true);
  }

  // Calls `then` at the given time.
  void pause(asio::steady_timer& timer, std::chrono::steady_clock::time_point until,
             void (Listeners::*then)()) {
    timer.expires_at(until);
    timer.async_wait([this, then](Error) {
      if (!state.stopping) (this->*then)();
    });
  }
  static std::chrono::steady_clock::time_point after_error() {
    return std::chrono::steady_clock::now() + pause_after_error;
  }

  void start(const std::shared_ptr<Client>& client) {
    state.clients.insert(client);
    client->start();
  }

  void accept_lines() {
    unix_acceptor_.async_accept([this](Error error, Local::socket socket) {
      if (state.stopping) return;
      if (error) return pause(unix_pause_, after_error(), &Listeners::accept_lines);
      if (auto conversation = state.start_conversation(Transport::lines))
        start(line_client(state, std::move(conversation), std::move(socket)));
      else
        refuse(socket);
      accept_lines();
    });
  }

  void serve_standard_streams() {
    if (auto conversation = state.start_conversation(Transport::standard))
      start(line_client(state, std::move(conversation),
                        Local::socket(state.context, Local(), standard_streams()), false));
  }

  void accept_websockets() {
    websocket_.async_wait(Tcp::acceptor::wait_read, [this](Error error) {
      if (state.stopping) return;
      // Accepts several waiting connections at once. Otherwise only one would be accepted for each pass over all other
      // sockets.
      for (int more = 0; !error && more < accepted_at_once; ++more) {
        if (!make_room()) return;
        error = accept_websocket();
      }
      if (error && error != asio::error::would_block)
        return pause(websocket_pause_, after_error(), &Listeners::accept_websockets);
      accept_websockets();
    });
  }

  // Accepts a waiting connection. If it has ended already, as many have when connections flood the server, this takes
  // three system calls, less than a socket of Asio.
  Error accept_websocket() {
    auto size = static_cast<socklen_t>(peer_.capacity());
    Descriptor accepted(::accept4(websocket_.native_handle(), peer_.data(), &size, SOCK_CLOEXEC));
    if (accepted.number() < 0)
      return errno == ECONNABORTED || errno == EINTR ? Error()
                                                     : Error(errno, asio::error::get_system_category());
    peer_.resize(size);
    if (has_event(accepted.number(), 0)) return {};
    Tcp::socket socket(state.context);
    Error error;
    if (socket.assign(peer_.protocol(), accepted.number(), error)) return error;
    accepted.release();
    const auto client = websocket_client(state, std::move(socket));
    state.add_pending(client, pending_key(peer_.address()));
    client->start();
    return {};
  }

  // Frees a slot for a pending connection. If that is not possible yet, schedules accept_websockets() and returns
  // false.
  bool make_room() {
    const auto next = state.pending.next_to_evict();
    if (!next) return true;
    if (std::chrono::steady_clock::now() < next->from) {
      pause(websocket_pause_, next->from, &Listeners::accept_websockets);
      return false;
    }
    if (next->client->has_input()) {  // the server is late, not the connection
      pause(websocket_pause_, std::chrono::steady_clock::now(), &Listeners::accept_websockets);
      return false;
    }
    next->client->close();
    return true;
  }

  // Sends the refusal without waiting until the client reads it.
  void refuse(Local::socket& socket) const {
    Error ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(refusal_line_), ignored);
    socket.shutdown(Local::socket::shutdown_both, ignored);
  }

  SocketFile unix_file_;
  Local::acceptor unix_acceptor_{state.context};
  Tcp::acceptor websocket_{state.context};
  Tcp::endpoint peer_;  // address of the connection being accepted
  asio::steady_timer unix_pause_{state.context}, websocket_pause_{state.context}, grace_{state.context};
  asio::signal_set signals_{state.context};
  std::string refusal_line_;
};

Server::Server(ServerOptions options, NewConversation make_conversation)
    : listeners_(std::make_unique<Listeners>(std::move(options), std::move(make_conversation))) {}

Server::~Server() = default;

std::uint16_t Server::websocket_port() const { return listeners_->port(); }

bool Server::run() { return listeners_->run(); }

void Server::stop() {
  asio::post(listeners_->state.context, [this] { listeners_->stop(); });
}

}  // namespace engram::bridge
