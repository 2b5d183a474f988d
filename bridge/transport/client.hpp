// SPDX-License-Identifier: MIT
// Connections and conversations of a server's clients. Private to this folder, because it needs Boost.Asio.
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

#include "bridge/transport/listeners.hpp"
#include "bridge/transport/server.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

namespace asio = boost::asio;
struct ServerState;

/// The conversation of one client, with a thread for its answers, so no client waits for the work of another. A
/// conversation occupies one of the server's slots until its work has ended and its memory is freed. All members must be
/// called in the server's I/O thread.
class ClientConversation : public std::enable_shared_from_this<ClientConversation> {
 public:
  /// Starts the thread.  Errors  std::system_error if no more threads are possible
  ClientConversation(ServerState& state, Transport transport);

  using Done = std::function<void(std::vector<std::string> replies)>;
  /// Charges the bytes of an incomplete message (Conversation::charge_message_bytes). If the result is false, the memory
  /// is full, and the caller must drop the message and answer it as too long.
  bool charge_message_bytes(std::size_t bytes);
  /// Answers a message, or rejects it if it is `too_long`, then calls `done`. Only one message at a time.
  void answer(std::string message, bool too_long, Done done);
  bool working() const { return working_; }
  bool finished() const { return conversation_->finished(); }
  std::size_t max_message_bytes() const { return max_message_bytes_; }
  /// Cancels the current work with this reason as the error. The parameter must be a literal.
  void cancel(const char* why) { cancelled_by_ = why; }
  /// Cancels the work of a client that has left, then frees its slot.
  void close();
  /// Waits until the thread has ended.
  void join() { thread_->join(); }

 private:
  std::vector<std::string> replies(const std::string& message, bool too_long);

  ServerState& state_;
  std::unique_ptr<Conversation> conversation_;
  std::size_t max_message_bytes_;
  std::optional<core::WorkStopped> rejection_;  // reason to reject the message that is being read
  std::atomic<const char*> cancelled_by_ = nullptr;
  std::atomic<bool> working_ = false;
  std::unique_ptr<asio::thread_pool> thread_;
};

/// One connection, by a Unix socket or a websocket. All members must be called in the server's I/O thread.
class Client {
 public:
  virtual ~Client() = default;
  /// Starts reading.
  virtual void start() = 0;
  /// Ends the connection after the current message was answered.
  virtual void stop() = 0;
  /// Ends the connection at once and drops the current message.
  virtual void close() = 0;
  /// Whether the client has disconnected. The server polls this during work, while it does not read from the socket.
  virtual bool disconnected() = 0;
  /// Whether unread input is available.
  virtual bool has_input() = 0;
  const std::shared_ptr<ClientConversation>& conversation() const { return conversation_; }

 protected:
  std::shared_ptr<ClientConversation> conversation_;  // null: the connection is still pending
};

/// State of the server that its clients share.
struct ServerState {
  ServerState(ServerOptions server_options, NewConversation new_conversation);

  /// Starts a conversation; null if all slots are occupied.
  std::shared_ptr<ClientConversation> start_conversation(Transport transport);
  /// Adds a pending connection.
  void add_pending(const std::shared_ptr<Client>& client, std::string address);
  /// Marks a connection as authenticated.
  void remove_pending(const Client* client);
  /// Removes a connection.
  void remove(const std::shared_ptr<Client>& client);
  /// Ends a stopping server after its last client has left. Call this after every remove().
  void check_end();
  /// Starts a periodic check that closes disconnected clients with running work. The check ends with the last work, and
  /// then returns free memory to the system.
  void watch();
  std::string too_many_clients() const;

  ServerOptions options;
  std::string page_policy;  // content security policy of options.page
  NewConversation make_conversation;
  asio::io_context context{1};
  std::set<std::shared_ptr<Client>> clients;  // pending connections included
  std::set<std::shared_ptr<ClientConversation>> conversations;
  // Threads of former clients, kept for reuse, because ending a thread would block.
  std::vector<std::unique_ptr<asio::thread_pool>> idle_threads;
  PendingConnections pending;
  std::function<void()> pending_removed = [] {};  // called when a pending connection has left
  asio::steady_timer watch_timer{context};
  bool watching = false, stopping = false;
};

/// Whether poll(2) reports one of `events` for the socket, an error, or the end of both directions.
bool has_event(int socket, short events);

/// A client that sends lines. If `is_timed`, it has options.patience to finish each line and to read its replies.
std::shared_ptr<Client> line_client(ServerState& state, std::shared_ptr<ClientConversation> conversation,
                                    asio::local::stream_protocol::socket socket, bool is_timed = true);
/// A client that sends HTTP requests: for the page, or for a websocket with one frame per message.
std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket);

}  // namespace engram::bridge
