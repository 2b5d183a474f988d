// SPDX-License-Identifier: MIT
// A server for many concurrent clients: lines over a Unix socket, messages over a websocket.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"

namespace engram::bridge {

/// The transport of a client.
enum class Transport : std::uint8_t { lines, websocket, standard };  // standard: standard input and output

/// Creates the conversation for a new client. Called in the thread that runs the server.
using NewConversation = std::function<std::unique_ptr<Conversation>(Transport)>;

/// Addresses, access rules and limits of a server.
struct ServerOptions {
  std::string unix_path = {};                        // path of the Unix socket; empty: none
  std::optional<std::uint16_t> websocket_port = {};  // 0: any free port
  std::string address = "127.0.0.1";                 // numeric address of the websocket
  std::string token = {};                            // empty: no token is required
  std::vector<std::string> origins = {};             // origins of the web pages that may connect
  std::string_view page = {};                   // page for browsers (window_page()); must outlive the server
  bool standard_streams = false;                // serve standard input and output as a client
  bool ends_by_signals = true;                  // otherwise the caller handles signals
  std::size_t max_clients = 16;                 // concurrent clients, each with its own thread
  std::size_t max_pending = 64;                 // pending connections
  std::chrono::milliseconds pending_stay{100};  // minimum stay of a pending connection
  std::chrono::milliseconds handshake_patience{5'000};  // time limit for opening a websocket
  std::chrono::milliseconds message_patience{5'000};    // time limit for the next part of a websocket message
  std::chrono::milliseconds patience{30'000};  // time limit for a client to read its replies or finish a line
  std::chrono::milliseconds grace{1'000};      // time for running work when the server stops
};

/// The page for ServerOptions::page. The build combines the files of bridge/window into one self-contained page
/// (bridge/window/embed.cmake).
std::string_view window_page();

/// A server. Each client has one conversation, and one message at a time. The server reads at most a piece of the next
/// message before the client has received the replies to the last one. The memory that a client can occupy is therefore
/// bounded by one message and its replies. A message that is too long is rejected, and the next one is read. A
/// disconnected client is noticed within a quarter of a second, and its work is cancelled (core::WorkStopped).
///
/// Unix socket   One message per line. Only the owner has access (0600), and connections are clients at once. A file
///               left by an earlier server is replaced. A client that closes only its own direction still gets replies.
/// Websocket     One message per text frame, one frame per reply; RFC 6455 over HTTP/1.1, target "/". The token is in
///               "Authorization: Bearer TOKEN", or in "/?token=TOKEN" if the client cannot set headers. A request from
///               an Origin outside of `origins` is rejected: browsers send the origin of the page, programs send none.
///               The connection is not encrypted. Use a tunnel to other machines.
/// Page          The reply to GET / on the port of the websocket, with the same rules. The page's own Origin may
///               connect. A Host that is not a name of this server is rejected (http_rules.hpp). Each connection gets
///               one reply and stays pending.
/// Standard input and output are an additional client without time limits. The end of this client does not affect
/// others.
///
/// Pending connections have not authenticated yet by a complete request, with the token if one is required. They occupy
/// no place or thread of a client, and have at most a header of 8 KiB each. If their slots are full, the address with
/// the most connections loses its oldest one, once that has stayed for `pending_stay`. Until then new connections wait
/// in the kernel's queue: behind A others for at most A * pending_stay / max_pending (0.16 s behind 100). There are
/// fewer slots if the limit on open files is low.
class Server {
 public:
  /// Opens the sockets. Clients can connect from then on.
  /// Errors  std::invalid_argument for inconsistent options: no socket, an invalid address, or an address that is not
  ///         loopback without a token; std::system_error if a socket cannot be opened
  Server(ServerOptions options, NewConversation make_conversation);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The port of the websocket; 0 without one.
  std::uint16_t websocket_port() const;
  /// Serves until stop(), SIGINT or SIGTERM. Then waits up to `grace` for running work, cancels the rest and reports
  /// that to the clients, closes all connections, and removes the Unix socket. After another `grace`, or at a second
  /// signal, it disconnects everything.
  /// Returns  whether all work has ended. If not, this object cannot be destroyed, so the program must exit with
  ///          std::_Exit
  bool run();
  /// Stops the server. May be called from any thread.
  void stop();

 private:
  class Listeners;
  std::unique_ptr<Listeners> listeners_;
};

}  // namespace engram::bridge
