// SPDX-License-Identifier: MIT
// Conversations over sockets: lines over a Unix socket, messages over a websocket, many clients at a time.
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

/// By what a client talks.
enum class Transport : std::uint8_t { lines, websocket, standard };  // the last: standard input and output

/// What a new client talks with. Called in the thread that runs the server.
using NewConversation = std::function<std::unique_ptr<Conversation>(Transport)>;

/// Where a server listens, whom it lets in, and how many.
struct ServerOptions {
  std::string unix_path = {};                           // empty: no Unix socket
  std::optional<std::uint16_t> websocket_port = {};     // 0: any that is free
  std::string address = "127.0.0.1";                    // of the websocket, as numbers
  std::string token = {};                               // empty: none is asked for
  std::vector<std::string> origins = {};                // of web pages that may connect; of no others
  std::string_view page = {};                           // that browsers get (page.hpp); outlives the server
  bool standard_streams = false;                        // are a client, too
  bool ends_by_signals = true;                          // else who runs it sees to them
  std::size_t max_clients = 16;                         // at a time, each with a thread of its own
  std::size_t max_strangers = 64;                       // connections that are no clients yet
  std::chrono::milliseconds stranger_stay{100};         // that is left to one who has no place else
  std::chrono::milliseconds handshake_patience{5'000};  // for a websocket to be opened
  std::chrono::milliseconds message_patience{5'000};    // for more of a websocket's message that has begun
  std::chrono::milliseconds patience{30'000};           // for a client to take its replies, or finish a line
  std::chrono::milliseconds grace{1'000};               // for what is in work when the server is to end
};

/// A server. Each client has one conversation, at most one message in work, and of the next no more than a
/// piece is read before the replies to the last one have been taken: so what a client can make the server
/// hold is bounded by one message and its replies. A message that is too long gets a refusal, and the next
/// one is read. A client that leaves is noticed within a quarter of a second: its work is ended
/// (core::WorkStopped).
///
/// Unix socket   a line a message; for its owner alone (0600), who is a client at once. A file that an
///               earlier server left is replaced. Who has closed one direction alone still gets its replies.
/// Websocket     a text frame a message, each reply a frame; RFC 6455 over HTTP/1.1, target "/". A token is
///               taken from "Authorization: Bearer TOKEN", or where no header can be set from
///               "/?token=TOKEN". A request with an Origin that is not among `origins` is refused: browsers
///               name the page that connects, programs name none. Not encrypted: beyond this machine, go
///               through a tunnel.
/// Page          what GET / gets where there is one, at the websocket's port, by the same rules. The page's own
///               Origin may connect; a Host that is no name of this server is refused (http_rules.hpp). One reply a
///               connection, which stays a stranger's.
/// Standard input and output are one client more, whose end ends nobody else; it has all the time it wants.
/// Strangers     are connections that have not shown yet, by a whole request with the token where one is
///               asked for, that they may be clients. They take no client's place or thread, and hold at most
///               a head of 8 KiB each. Where their places are taken, the address with most of them gives up
///               its oldest, once that has had `stranger_stay`; until then who comes next waits in the
///               kernel's queue: behind A others for at most A * stranger_stay / max_strangers (0.16 s behind
///               100). There are fewer places where few files may be open.
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
  /// Serves until stop(), SIGINT or SIGTERM: then lets what is in work be answered for a `grace`, ends what
  /// is left of it, which is told to its client, says goodbye, and removes the Unix socket. After another
  /// grace, or at a second signal, all is cut.
  /// Returns  whether all work has ended; where it has not, this object cannot be destroyed before it has, so
  ///          a program that is to end must end by std::_Exit
  bool run();
  /// From any thread.
  void stop();

 private:
  class Listeners;
  std::unique_ptr<Listeners> listeners_;
};

}  // namespace engram::bridge
