// SPDX-License-Identifier: MIT
#include "bridge/transport/server.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "bridge/transport/client.hpp"
#include "bridge/transport/standard_streams.hpp"
#include "bridge/transport/unix_listener.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;
using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;

constexpr int accepted_at_once = 256;
constexpr std::chrono::milliseconds pause_after_error{100};  // for example, if no more files can be opened

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

// Child processes, for example a NARS, would keep the socket open otherwise.
void not_for_children(int socket) { fcntl(socket, F_SETFD, FD_CLOEXEC); }

// The key by which pending places are counted. A single user may have 2^64 IPv6 addresses, so these count by network.
std::string share_of(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const auto six = address.to_v6();
  if (six.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, six).to_string();
  auto network = six.to_bytes();
  std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
  return asio::ip::make_address_v6(network).to_string();
}

// Reduces the places for pending connections if the limit on open files is low, after reserving files for clients and
// for the server.
ServerOptions fitting(ServerOptions options) {
  constexpr std::size_t ours = 24;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return options;
  const std::size_t taken = options.max_clients + ours;
  const std::size_t left = files.rlim_cur > taken ? files.rlim_cur - taken : 0;
  options.max_strangers = std::max<std::size_t>(std::min(options.max_strangers, left), 1);
  return options;
}

}  // namespace

class Server::Listeners {
 public:
  Listeners(ServerOptions options, NewConversation converse)
      : state(fitting(std::move(options)), std::move(converse)),
        turned_away_line_(state.converse(Transport::lines)->refusal(state.too_many()) + "\n") {
    if (state.options.unix_path.empty() && !state.options.websocket_port)
      throw std::invalid_argument("a server needs a Unix socket or a websocket");
    if (state.options.websocket_port) open_websocket(*state.options.websocket_port);
    if (!state.options.unix_path.empty()) unix_.open(state.options.unix_path);
    if (state.options.ends_by_signals)
      for (const int number : {SIGINT, SIGTERM}) signals_.add(number);
  }

  ~Listeners() {
    for (const auto& talk : state.talks) talk->join();
  }
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  bool run() {
    state.room_was_made = [this] { websocket_pause_.cancel(); };
    wait_for_signals();
    if (state.options.standard_streams) take_standard_streams();
    if (unix_.acceptor.is_open()) accept_lines();
    if (websocket_.is_open()) accept_websockets();
    state.context.run();
    unix_.remove_file();
    return std::ranges::none_of(state.talks, &Talk::at_work);
  }

  void stop() {
    if (std::exchange(state.stopping, true)) return;
    Error ignored;
    unix_.acceptor.close(ignored);
    websocket_.close(ignored);
    unix_pause_.cancel();
    websocket_pause_.cancel();
    for (const auto& client : std::set(state.clients)) client->stop();
    grace_.expires_after(state.options.grace);
    grace_.async_wait([this](Error) { end_work(); });
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
  void end_work() {
    for (const auto& client : std::set(state.clients))
      client->talk() && client->talk()->at_work() ? client->talk()->end_work("the server is ending")
                                                  : client->close();
    grace_.expires_after(state.options.grace);
    grace_.async_wait([this](Error) { state.context.stop(); });
  }

  void open_websocket(std::uint16_t port) {
    Error error;
    const auto address = asio::ip::make_address(state.options.address, error);
    if (error)
      throw std::invalid_argument("'" + state.options.address + "' is no address such as 127.0.0.1 or ::1");
    if (!address.is_loopback() && state.options.token.empty())
      throw std::invalid_argument("beyond loopback addresses a token is needed");
    const Tcp::endpoint endpoint(address, port);
    websocket_.open(endpoint.protocol());
    not_for_children(websocket_.native_handle());
    websocket_.set_option(Tcp::acceptor::reuse_address(true));
    websocket_.bind(endpoint, error);
    if (error) fail(error.value(), state.options.address + ":" + std::to_string(port));
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

  void accept_lines() {
    unix_.acceptor.async_accept([this](Error error, Local::socket socket) {
      if (state.stopping) return;
      if (error) return pause(unix_pause_, after_error(), &Listeners::accept_lines);
      if (auto talk = state.new_talk(Transport::lines))
        (*state.clients.insert(line_client(state, std::move(talk), std::move(socket))).first)->start();
      else
        turn_away(socket);
      accept_lines();
    });
  }

  void take_standard_streams() {
    if (auto talk = state.new_talk(Transport::standard))
      (*state.clients.insert(line_client(state, std::move(talk), standard_streams(state.context), false))
            .first)
          ->start();
  }

  void accept_websockets() {
    if (!make_room()) return;
    websocket_.async_accept(peer_, [this](Error error, Tcp::socket socket) {
      if (state.stopping) return;
      if (error) return pause(websocket_pause_, after_error(), &Listeners::accept_websockets);
      welcome(std::move(socket));
      // Accepts several waiting connections at once. Otherwise only one would be accepted for each pass over all other
      // sockets.
      for (int more = 0; more < accepted_at_once; ++more) {
        if (!make_room()) return;
        Tcp::socket next(state.context);
        if (websocket_.accept(next, peer_, error)) break;
        welcome(std::move(next));
      }
      accept_websockets();
    });
  }

  // Makes a place for a pending connection. If there is none yet, schedules accept_websockets() and returns false.
  bool make_room() {
    const auto next = state.strangers.next_to_go();
    if (!next) return true;
    if (std::chrono::steady_clock::now() < next->from) {
      pause(websocket_pause_, next->from, &Listeners::accept_websockets);
      return false;
    }
    if (next->who->waits_to_be_read()) {  // the server is late, not the connection
      pause(websocket_pause_, std::chrono::steady_clock::now(), &Listeners::accept_websockets);
      return false;
    }
    next->who->close();
    return true;
  }

  void welcome(Tcp::socket socket) {
    if (tells(socket.native_handle(), 0)) return;  // already disconnected, at almost no cost
    not_for_children(socket.native_handle());
    const auto client = websocket_client(state, std::move(socket));
    state.come(client, share_of(peer_.address()));
    client->start();
  }

  // Sends the refusal without waiting until the client reads it.
  void turn_away(Local::socket& socket) const {
    Error ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(turned_away_line_), ignored);
    socket.shutdown(Local::socket::shutdown_both, ignored);
  }

  UnixListener unix_{state.context};
  Tcp::acceptor websocket_{state.context};
  Tcp::endpoint peer_;  // address of the connection being accepted
  asio::steady_timer unix_pause_{state.context}, websocket_pause_{state.context}, grace_{state.context};
  asio::signal_set signals_{state.context};
  std::string turned_away_line_;
};

Server::Server(ServerOptions options, NewConversation converse)
    : listeners_(std::make_unique<Listeners>(std::move(options), std::move(converse))) {}

Server::~Server() = default;

std::uint16_t Server::websocket_port() const { return listeners_->port(); }

bool Server::run() { return listeners_->run(); }

void Server::stop() {
  asio::post(listeners_->state.context, [this] { listeners_->stop(); });
}

}  // namespace engram::bridge
