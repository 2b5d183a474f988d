// SPDX-License-Identifier: MIT
// What the clients of a server share. For the .cpp files of this folder.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bridge/transport/server.hpp"

namespace engram::bridge {

namespace asio = boost::asio;

/// One client. All calls, and all handlers, run in the server's one thread of input and output.
class Client {
 public:
  virtual ~Client() = default;
  virtual void start() = 0;
  /// Goodbye, as soon as what is in work has been answered.
  virtual void stop() = 0;
  /// Goodbye at once.
  virtual void close() = 0;

 protected:
  Client() = default;
  Client(const Client&) = default;
  Client& operator=(const Client&) = default;
};

/// The server as its clients see it.
struct ServerState {
  ServerState(ServerOptions server_options, NewConversation new_conversation)
      : options(std::move(server_options)),
        converse(std::move(new_conversation)),
        workers(std::max<std::size_t>(options.threads, 1)) {}

  using Done = std::function<void(std::vector<std::string> replies)>;
  /// Answers a message, or where it is `too_long` refuses it, in a worker; then calls `done` in the thread of
  /// input and output. `client` lives until then.
  void work(const std::shared_ptr<Client>& client, Conversation& conversation, std::string message,
            bool too_long, Done done);
  void leave(const std::shared_ptr<Client>& client) { clients.erase(client); }

  ServerOptions options;
  NewConversation converse;
  asio::io_context context{1};
  asio::thread_pool workers;
  std::set<std::shared_ptr<Client>> clients;
  bool stopping = false;
};

std::shared_ptr<Client> line_client(ServerState& state, asio::local::stream_protocol::socket socket);
std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket);

}  // namespace engram::bridge
