// SPDX-License-Identifier: MIT
// Conversations over sockets: lines over a Unix socket, messages over a websocket, many clients at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/conversation.hpp"

namespace engram::bridge {

enum class Transport : std::uint8_t { lines, websocket };

/// What a new client talks with. Called in the thread that runs the server.
using NewConversation = std::function<std::unique_ptr<Conversation>(Transport)>;

struct ServerOptions {
  std::string unix_path = {};                           // empty: no Unix socket
  std::optional<std::uint16_t> websocket_port = {};     // 0: any that is free
  std::string address = "127.0.0.1";                    // of the websocket, as numbers
  std::string token = {};                               // empty: none is asked for
  std::vector<std::string> origins = {};                // of web pages that may connect; of no others
  std::size_t max_clients = 16;                         // at a time
  std::size_t threads = 2;                              // requests worked on at a time
  std::chrono::milliseconds patience{30'000};           // for a client to take its replies
  std::chrono::milliseconds handshake_patience{5'000};  // for a websocket to be opened
};

/// A server. Each client has one conversation, at most one message in work, and no message is read before the
/// replies to the last one have been taken: so what a client can make the server hold is bounded by one
/// message and its replies. A message that is too long gets a refusal, and the next one is read.
///
/// Unix socket   a line a message; for its owner alone (0600). A file that an earlier server left is
/// replaced. Websocket     a text frame a message, each reply a frame; RFC 6455 over HTTP/1.1, target "/". A
/// token is
///               taken from "Authorization: Bearer TOKEN", or where no header can be set from
///               "/?token=TOKEN". A request with an Origin that is not among `origins` is refused: browsers
///               name the page that connects, programs name none. Not encrypted: beyond this machine, go
///               through a tunnel.
class Server {
 public:
  /// Opens the sockets; clients are waited for from then on.
  /// Errors  std::invalid_argument for options that do not go together: no socket at all, an address that is
  ///         none, one that is not loopback without a token; std::system_error where a socket cannot be
  ///         opened
  Server(ServerOptions options, NewConversation converse);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The port of the websocket; 0 without one.
  std::uint16_t websocket_port() const;
  /// Serves until stop(), SIGINT or SIGTERM: then lets what is being answered be answered, says goodbye, and
  /// removes the Unix socket.
  void run();
  /// From any thread.
  void stop();

 private:
  class Listeners;
  std::unique_ptr<Listeners> listeners_;
};

}  // namespace engram::bridge
