// SPDX-License-Identifier: MIT
// Interfaces between a server and its clients. Private to this folder.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bridge/transport/pending_connections.hpp"
#include "bridge/transport/server.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

namespace asio = boost::asio;
struct ServerState;

/// The conversation of one client, with its own thread for answers, so no client waits for the work of another. A talk
/// occupies one of the server's places until its work has ended and its memory is freed. All calls and handlers run in
/// the server's I/O thread.
class Talk : public std::enable_shared_from_this<Talk> {
 public:
  /// Starts the thread.  Errors  std::system_error if no more threads are possible
  Talk(ServerState& state, Transport transport);

  using Done = std::function<void(std::vector<std::string> replies)>;
  /// Charges the bytes of an incomplete message (Conversation::hold). Returns false if there is no room. The caller
  /// must then drop the message and answer it as too long.
  bool hold(std::size_t bytes);
  /// Answers a message, or rejects it if it is `too_long`, then calls `done`. Only one message at a time.
  void answer(std::string message, bool too_long, Done done);
  bool at_work() const { return at_work_; }
  bool finished() const { return conversation_->finished(); }
  std::size_t max_message_bytes() const { return max_message_bytes_; }
  /// Cancels the current work with this reason as the error. The parameter must be a literal.
  void end_work(const char* why) { ended_by_ = why; }
  /// Cancels the work of a client that has left, then frees its place.
  void leave();
  /// Waits until the thread has ended.
  void join() { thread_->join(); }

 private:
  std::vector<std::string> replies(const std::string& message, bool too_long);

  ServerState& state_;
  std::unique_ptr<Conversation> conversation_;
  std::size_t max_message_bytes_;
  std::optional<core::WorkStopped> no_room_;  // reason to reject the message that is being read
  std::atomic<const char*> ended_by_ = nullptr;
  std::atomic<bool> at_work_ = false;
  std::unique_ptr<asio::thread_pool> thread_;
};

/// One connection. All calls run in the I/O thread.
class Client {
 public:
  virtual ~Client() = default;
  /// Starts reading.
  virtual void start() = 0;
  /// Ends the connection after the current message was answered.
  virtual void stop() = 0;
  /// Ends the connection at once and drops the current message.
  virtual void close() = 0;
  /// Whether the client has disconnected. Used while nothing is read from the socket.
  virtual bool gone() = 0;
  /// Whether unread input is available.
  virtual bool waits_to_be_read() = 0;
  const std::shared_ptr<Talk>& talk() const { return talk_; }

 protected:
  Client() = default;
  Client(const Client&) = default;
  Client& operator=(const Client&) = default;
  std::shared_ptr<Talk> talk_;  // null: the connection is still pending
};

/// State of the server that its clients share.
struct ServerState {
  ServerState(ServerOptions server_options, NewConversation new_conversation);

  /// Starts a conversation; null if all places are taken.
  std::shared_ptr<Talk> new_talk(Transport transport);
  void come(const std::shared_ptr<Client>& client, std::string address);  // adds a pending connection
  /// Marks a connection as authenticated.
  void no_stranger(const Client* client);
  /// Removes a connection.
  void leave(const std::shared_ptr<Client>& client);
  /// Ends a stopping server if nothing is left. Call this after every removal.
  void check_end();
  /// Checks periodically for disconnected clients with running work, as long as there is any. Afterwards returns free
  /// memory to the system.
  void watch();
  std::string too_many() const;

  ServerOptions options;
  std::string page_policy;  // content security policy of options.page
  NewConversation converse;
  asio::io_context context{1};
  std::set<std::shared_ptr<Client>> clients;  // pending connections included
  std::set<std::shared_ptr<Talk>> talks;
  // Threads of former clients, kept for reuse, because ending a thread would block.
  std::vector<std::unique_ptr<asio::thread_pool>> idle_threads;
  PendingConnections strangers;
  std::function<void()> room_was_made = [] {};  // called when a pending connection has left
  asio::steady_timer watch_timer{context};
  bool watching = false, stopping = false;
};

/// Whether poll(2) reports one of these events for the socket, an error, or the end of both directions.
bool tells(int socket, short events);

/// A client that sends lines. If `hurried`, it has options.patience to finish each line and to read its replies.
std::shared_ptr<Client> line_client(ServerState& state, std::shared_ptr<Talk> talk,
                                    asio::local::stream_protocol::socket socket, bool hurried = true);
/// A client that sends HTTP requests: for the page, or for a websocket with one frame per message.
std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket);

}  // namespace engram::bridge
