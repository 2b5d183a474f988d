// SPDX-License-Identifier: MIT
#include "bridge/transport/client.hpp"

#include <poll.h>

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "bridge/transport/http_rules.hpp"
#include "bridge/transport/line_splitter.hpp"

namespace engram::bridge {
namespace {

using Error = boost::system::error_code;

constexpr std::chrono::milliseconds watch_interval{200};

std::unique_ptr<asio::thread_pool> reuse_or_start_thread(
    std::vector<std::unique_ptr<asio::thread_pool>>& idle) {
  if (idle.empty()) return std::make_unique<asio::thread_pool>(1);
  auto thread = std::move(idle.back());
  idle.pop_back();
  return thread;
}

class LineClient : public Client, public std::enable_shared_from_this<LineClient> {
 public:
  LineClient(ServerState& state, std::shared_ptr<ClientConversation> conversation,
             asio::local::stream_protocol::socket socket, bool is_timed)
      : state_(state),
        socket_(std::move(socket)),
        timer_(state.context),
        lines_(conversation->max_message_bytes()),
        is_timed_(is_timed) {
    conversation_ = std::move(conversation);
  }

  void start() override { read(); }

  void stop() override {
    if (!busy_) close();
  }

  void close() override {
    if (!socket_.is_open()) return;
    Error ignored;
    timer_.cancel();
    socket_.shutdown(socket_.shutdown_both, ignored);
    socket_.close(ignored);
    state_.remove(shared_from_this());
  }

  // Whether both directions are closed. A client like `nc -N` closes only its own direction and still waits for
  // replies.
  bool disconnected() override { return has_event(socket_.native_handle(), 0); }
  bool has_input() override { return has_event(socket_.native_handle(), POLLIN); }

 private:
  void read() {
    busy_ = false;
    if (lines_.has_partial_line()) start_timer();
    socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](Error error, std::size_t size) {
      self->timer_.cancel();
      if (error == asio::error::eof)
        self->lines_.end();
      else if (error)
        return self->close();
      self->input_ended_ = error == asio::error::eof;
      self->lines_.feed({self->piece_.data(), size});
      self->process_next();
    });
  }

  void process_next() {
    if (!socket_.is_open()) return;
    if (conversation_->finished() || state_.stopping) return close();
    auto line = lines_.next();
    if (!line && input_ended_) return close();
    if (!line) {
      if (!conversation_->charge_message_bytes(lines_.partial_bytes())) lines_.drop();
      return read();
    }
    busy_ = true;
    conversation_->answer(std::move(line->text), line->too_long,
                          [self = shared_from_this()](auto replies) { self->write(std::move(replies)); });
  }

  void write(std::vector<std::string> replies) {
    if (!socket_.is_open()) return;
    out_.clear();
    for (std::string& reply : replies) {
      reply += '\n';
      out_.empty() ? out_.swap(reply) : void(out_ += reply);
    }
    if (out_.empty()) return process_next();
    start_timer();
    asio::async_write(socket_, asio::buffer(out_), [self = shared_from_this()](Error error, std::size_t) {
      self->timer_.cancel();
      std::string().swap(self->out_);  // frees the buffer while the client is idle
      error ? self->close() : self->process_next();
    });
  }

  // Starts the timeout for reading replies or finishing a line.
  void start_timer() {
    if (!is_timed_) return;
    timer_.expires_after(state_.options.patience);
    timer_.async_wait([self = shared_from_this()](Error error) {
      if (!error) self->close();
    });
  }

  ServerState& state_;
  asio::local::stream_protocol::socket socket_;
  asio::steady_timer timer_;
  LineSplitter lines_;
  bool is_timed_;
  std::array<char, 1 << 16> piece_{};
  std::string out_;
  bool busy_ = false;         // a message is being answered, or replies are being sent
  bool input_ended_ = false;  // the client has closed its direction
};

}  // namespace

bool has_event(int socket, short events) {
  pollfd asked{socket, events, 0};
  return poll(&asked, 1, 0) > 0;
}

ClientConversation::ClientConversation(ServerState& state, Transport transport)
    : state_(state),
      conversation_(state.make_conversation(transport)),
      max_message_bytes_(conversation_->max_message_bytes()),
      thread_(reuse_or_start_thread(state.idle_threads)) {}

// Charges twice the bytes, because a growing buffer and a complete websocket message are copied.
bool ClientConversation::charge_message_bytes(std::size_t bytes) try {
  conversation_->charge_message_bytes(2 * bytes);
  return true;
} catch (const core::WorkStopped& why) {
  conversation_->charge_message_bytes(0);
  rejection_ = why;
  return false;
}

void ClientConversation::answer(std::string message, bool too_long, Done done) {
  charge_message_bytes(0);
  working_ = true;
  asio::post(*thread_, [self = shared_from_this(), message = std::move(message), too_long,
                        done = std::move(done), guard = asio::make_work_guard(state_.context)]() mutable {
    auto replies = self->replies(message, too_long);
    std::string().swap(message);
    self->working_ = false;
    // The client must be destroyed in the I/O thread, which owns its socket.
    asio::post(guard.get_executor(), [self = std::move(self), done = std::move(done),
                                      replies = std::move(replies)]() mutable { done(std::move(replies)); });
  });
  state_.watch();
}

std::vector<std::string> ClientConversation::replies(const std::string& message, bool too_long) try {
  if (const auto why = std::exchange(rejection_, {})) return {conversation_->refusal(*why)};
  if (too_long) return {conversation_->refuse_too_long()};
  const core::WorkBudget work({}, [this] {
    if (const char* why = cancelled_by_) throw core::WorkStopped(core::WorkStopped::Reason::cancelled, why);
  });
  core::check_cancelled();
  return conversation_->when_durable(conversation_->answer(message));
} catch (const std::exception& problem) {  // cancelled, or out of memory
  return {conversation_->refusal(problem.what())};
}

void ClientConversation::close() {
  charge_message_bytes(0);
  cancel("the client has left");
  // Freeing the memory of a client may take long, so its own thread does it.
  asio::post(*thread_, [self = shared_from_this(), guard = asio::make_work_guard(state_.context)]() mutable {
    self->conversation_.reset();
    asio::post(guard.get_executor(), [self = std::move(self)] {
      self->state_.idle_threads.push_back(std::move(self->thread_));
      self->state_.conversations.erase(self);
      self->state_.check_end();
    });
  });
}

ServerState::ServerState(ServerOptions server_options, NewConversation new_conversation)
    : options(std::move(server_options)),
      page_policy(content_security_policy(options.page)),
      make_conversation(std::move(new_conversation)),
      pending(options.max_pending, options.pending_stay) {}

std::string ServerState::too_many_clients() const {
  return "there are " + std::to_string(options.max_clients) + " clients, and no more are served";
}

std::shared_ptr<ClientConversation> ServerState::start_conversation(Transport transport) try {
  if (conversations.size() >= options.max_clients) return nullptr;
  return *conversations.insert(std::make_shared<ClientConversation>(*this, transport)).first;
} catch (const std::exception&) {  // out of threads or memory
  return nullptr;
}

void ServerState::add_pending(const std::shared_ptr<Client>& client, std::string address) {
  clients.insert(client);
  pending.add(client.get(), std::move(address), std::chrono::steady_clock::now());
}

void ServerState::remove_pending(const Client* client) {
  pending.remove(client);
  pending_removed();
}

void ServerState::remove(const std::shared_ptr<Client>& client) {
  remove_pending(client.get());
  if (client->conversation()) client->conversation()->close();
  clients.erase(client);
  check_end();
}

void ServerState::check_end() {
  if (stopping && clients.empty() && conversations.empty()) context.stop();
}

void ServerState::watch() {
  if (std::exchange(watching, true)) return;
  watch_timer.expires_after(watch_interval);
  watch_timer.async_wait([this](boost::system::error_code error) {
    watching = false;
    if (error) return;
    bool working = false;
    for (const auto& client : std::set(clients)) {
      if (!client->conversation() || !client->conversation()->working()) continue;
      client->disconnected() ? client->close() : void(working = true);
    }
    working ? watch() : core::trim_heap();
  });
}

std::shared_ptr<Client> line_client(ServerState& state, std::shared_ptr<ClientConversation> conversation,
                                    asio::local::stream_protocol::socket socket, bool is_timed) {
  return std::make_shared<LineClient>(state, std::move(conversation), std::move(socket), is_timed);
}

}  // namespace engram::bridge
