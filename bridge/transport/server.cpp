// SPDX-License-Identifier: MIT
#include "bridge/transport/server.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <stdexcept>
#include <system_error>

#include "bridge/transport/client.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;
using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;

constexpr std::chrono::milliseconds pause_after_error{100};  // when no more files can be opened, for one

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

// A socket that nobody listens on any more makes way; anything else that stands there is left alone.
void make_way(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) fail(EEXIST, path + " is no socket");
  asio::io_context context;
  Local::socket socket(context);
  Error error;
  socket.connect(Local::endpoint(path), error);
  if (error != asio::error::connection_refused) fail(EADDRINUSE, path);
  if (unlink(path.c_str()) != 0) fail(errno, path);
}

}  // namespace

void ServerState::work(const std::shared_ptr<Client>& client, Conversation& conversation, std::string message,
                       bool too_long, Done done) {
  asio::post(workers, [this, client = client, &conversation, message = std::move(message), too_long,
                       done = std::move(done), guard = asio::make_work_guard(context)]() mutable {
    auto replies =
        too_long ? std::vector<std::string>{conversation.refuse_too_long()} : conversation.answer(message);
    // The last to let go of a client must be the thread that its socket belongs to.
    asio::post(context, [client = std::move(client), done = std::move(done),
                         replies = std::move(replies)]() mutable { done(std::move(replies)); });
  });
}

class Server::Listeners {
 public:
  Listeners(ServerOptions options, NewConversation converse)
      : state(std::move(options), std::move(converse)) {
    if (state.options.unix_path.empty() && !state.options.websocket_port)
      throw std::invalid_argument("a server needs a Unix socket or a websocket");
    if (state.options.websocket_port) open_websocket(*state.options.websocket_port);
    if (!state.options.unix_path.empty()) open_unix(state.options.unix_path);
  }

  ~Listeners() {
    state.workers.join();
    struct stat found {};  // another server may have taken the place
    const char* path = state.options.unix_path.c_str();
    if (file_.st_ino != 0 && lstat(path, &found) == 0 && found.st_ino == file_.st_ino &&
        found.st_dev == file_.st_dev)
      unlink(path);
  }
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  void run() {
    signals_.async_wait([this](Error error, int) {
      if (!error) stop();
    });
    if (unix_.is_open()) accept(unix_, line_client, unix_pause_);
    if (websocket_.is_open()) accept(websocket_, websocket_client, websocket_pause_);
    state.context.run();
  }

  void stop() {
    if (state.stopping) return;
    state.stopping = true;
    Error ignored;
    unix_.close(ignored);
    websocket_.close(ignored);
    signals_.cancel(ignored);
    unix_pause_.cancel();
    websocket_pause_.cancel();
    for (const auto& client : std::set(state.clients)) client->stop();
  }

  std::uint16_t port() const { return websocket_.is_open() ? websocket_.local_endpoint().port() : 0; }

  ServerState state;

 private:
  void open_websocket(std::uint16_t port) {
    Error error;
    const auto address = asio::ip::make_address(state.options.address, error);
    if (error)
      throw std::invalid_argument("'" + state.options.address + "' is no address such as 127.0.0.1 or ::1");
    if (!address.is_loopback() && state.options.token.empty())
      throw std::invalid_argument("beyond loopback addresses a token is needed");
    const Tcp::endpoint endpoint(address, port);
    websocket_.open(endpoint.protocol());
    websocket_.set_option(Tcp::acceptor::reuse_address(true));
    websocket_.bind(endpoint, error);
    if (error) fail(error.value(), state.options.address + ":" + std::to_string(port));
    websocket_.listen();
  }

  void open_unix(const std::string& path) {
    if (path.size() >= sizeof(sockaddr_un::sun_path)) fail(ENAMETOOLONG, path);
    make_way(path);
    unix_.open();
    const mode_t others = umask(S_IXUSR | S_IRWXG | S_IRWXO);  // 0600 from the beginning
    Error error;
    unix_.bind(Local::endpoint(path), error);
    umask(others);
    if (error) fail(error.value(), path);
    lstat(path.c_str(), &file_);
    unix_.listen();
  }

  template <class Acceptor, class NewClient>
  void accept(Acceptor& acceptor, NewClient new_client, asio::steady_timer& pause) {
    acceptor.async_accept([this, &acceptor, new_client, &pause](Error error, auto socket) {
      if (!acceptor.is_open()) return;
      if (error) {
        pause.expires_after(pause_after_error);
        pause.async_wait([this, &acceptor, new_client, &pause](Error cancelled) {
          if (!cancelled && acceptor.is_open()) accept(acceptor, new_client, pause);
        });
        return;
      }
      if (state.clients.size() < state.options.max_clients)
        (*state.clients.insert(new_client(state, std::move(socket))).first)->start();
      else
        turn_away(socket);
      accept(acceptor, new_client, pause);
    });
  }

  // What fits into the socket is sent, and no thought given to whether it is read.
  void turn_away(Local::socket& socket) {
    const std::string text = state.converse(Transport::lines)->refusal(too_many()) + "\n";
    send(socket, text);
  }
  void turn_away(Tcp::socket& socket) {
    send(socket,
         "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: "
         "1\r\n\r\n");
  }
  std::string too_many() const {
    return "there are " + std::to_string(state.options.max_clients) + " clients, and no more are served";
  }
  template <class Socket>
  static void send(Socket& socket, const std::string& text) {
    Error ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(Socket::shutdown_both, ignored);
  }

  Local::acceptor unix_{state.context};
  Tcp::acceptor websocket_{state.context};
  asio::steady_timer unix_pause_{state.context}, websocket_pause_{state.context};
  asio::signal_set signals_{state.context, SIGINT, SIGTERM};
  struct stat file_ {};  // of the Unix socket, as it was made
};

Server::Server(ServerOptions options, NewConversation converse)
    : listeners_(std::make_unique<Listeners>(std::move(options), std::move(converse))) {}

Server::~Server() = default;

std::uint16_t Server::websocket_port() const { return listeners_->port(); }

void Server::run() { listeners_->run(); }

void Server::stop() {
  asio::post(listeners_->state.context, [this] { listeners_->stop(); });
}

}  // namespace engram::bridge
