// SPDX-License-Identifier: MIT
// What the clients of a server share. For the .cpp files of this folder.
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

#include "bridge/transport/server.hpp"
#include "bridge/transport/strangers.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

namespace asio = boost::asio;
struct ServerState;

/// The conversation of one client, and a thread of its own that answers: so no client waits for the work of
/// another. It is one of the server's places until its work has ended and what it held is freed. All calls,
/// and all handlers, run in the server's one thread of input and output.
class Talk : public std::enable_shared_from_this<Talk> {
 public:
  /// Errors  std::system_error where there can be no more threads
  Talk(ServerState& state, Transport transport);

  using Done = std::function<void(std::vector<std::string> replies)>;
  /// Counts the bytes that are kept of an incomplete message (Conversation::hold). False if there is no room for
  /// them: nothing may be kept, and the message is to be answered as one that is too long.
  bool hold(std::size_t bytes);
  /// Answers a message, or if it is `too_long` refuses it; then calls `done`. One at a time.
  void answer(std::string message, bool too_long, Done done);
  bool at_work() const { return at_work_; }
  bool finished() const { return conversation_->finished(); }
  std::size_t max_message_bytes() const { return max_message_bytes_; }
  /// The work is to end, soon and with an error that says why; `why` is a literal.
  void end_work(const char* why) { ended_by_ = why; }
  /// Nobody will ask anything more. Ends the work, then gives the place back.
  void leave();
  /// Waits until its thread has ended.
  void join() { thread_->join(); }

 private:
  std::vector<std::string> replies(const std::string& message, bool too_long);

  ServerState& state_;
  std::unique_ptr<Conversation> conversation_;
  std::size_t max_message_bytes_;
  std::optional<core::WorkStopped> no_room_;  // for the message that is being read
  std::atomic<const char*> ended_by_ = nullptr;
  std::atomic<bool> at_work_ = false;
  std::unique_ptr<asio::thread_pool> thread_;
};

/// One connection. As Talk, of the thread of input and output alone.
class Client {
 public:
  virtual ~Client() = default;
  /// Begins to talk.
  virtual void start() = 0;
  /// Goodbye, as soon as what is in work has been answered.
  virtual void stop() = 0;
  /// Goodbye at once; what is in work is dropped.
  virtual void close() = 0;
  /// Whether no one is there any more who could take a reply, though nothing is read.
  virtual bool gone() = 0;
  /// Whether it has said something that has not been read yet.
  virtual bool waits_to_be_read() = 0;
  const std::shared_ptr<Talk>& talk() const { return talk_; }

 protected:
  Client() = default;
  Client(const Client&) = default;
  Client& operator=(const Client&) = default;
  std::shared_ptr<Talk> talk_;  // none: it has not shown yet that it may
};

/// The server as its clients see it.
struct ServerState {
  ServerState(ServerOptions server_options, NewConversation new_conversation);

  /// A place for one who may talk; none where none is left.
  std::shared_ptr<Talk> new_talk(Transport transport);
  void come(const std::shared_ptr<Client>& client, std::string address);  // a stranger
  /// It has shown itself.
  void no_stranger(const Client* client);
  /// It is gone.
  void leave(const std::shared_ptr<Client>& client);
  /// To be called when something is gone: the last one ends a server that is to stop.
  void check_end();
  /// Looks now and then whether those whose messages are in work are still there, as long as there are any. When there
  /// are none, memory that is free goes back to the system.
  void watch();
  std::string too_many() const;

  ServerOptions options;
  std::string page_policy;  // of options.page
  NewConversation converse;
  asio::io_context context{1};
  std::set<std::shared_ptr<Client>> clients;  // strangers too
  std::set<std::shared_ptr<Talk>> talks;
  // Of clients that have left, kept for the next ones: to end one is to wait for it.
  std::vector<std::unique_ptr<asio::thread_pool>> idle_threads;
  Strangers strangers;
  std::function<void()> room_was_made = [] {};  // among the strangers
  asio::steady_timer watch_timer{context};
  bool watching = false, stopping = false;
};

/// Whether poll(2) tells one of these events of the socket; errors and the end of both directions always are.
bool tells(int socket, short events);

/// A client that speaks lines; `hurried`: it has options.patience for each line, and to take its replies.
std::shared_ptr<Client> line_client(ServerState& state, std::shared_ptr<Talk> talk,
                                    asio::local::stream_protocol::socket socket, bool hurried = true);
/// One that asks over HTTP: for the page, or for a websocket, where it then speaks a frame a request.
std::shared_ptr<Client> websocket_client(ServerState& state, asio::ip::tcp::socket socket);

}  // namespace engram::bridge
