// SPDX-License-Identifier: MIT
#include <poll.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "bridge/transport/client.hpp"
#include "bridge/transport/http_rules.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {
namespace {

constexpr std::chrono::milliseconds watch_interval{200};

std::unique_ptr<asio::thread_pool> idle_or_new(std::vector<std::unique_ptr<asio::thread_pool>>& idle) {
  if (idle.empty()) return std::make_unique<asio::thread_pool>(1);
  auto thread = std::move(idle.back());
  idle.pop_back();
  return thread;
}

}  // namespace

bool tells(int socket, short events) {
  pollfd asked{socket, events, 0};
  return poll(&asked, 1, 0) > 0;
}

Talk::Talk(ServerState& state, Transport transport)
    : state_(state),
      conversation_(state.converse(transport)),
      max_message_bytes_(conversation_->max_message_bytes()),
      thread_(idle_or_new(state.idle_threads)) {}

// Charges twice the bytes, because a growing buffer and a complete websocket message are copied.
bool Talk::hold(std::size_t bytes) try {
  conversation_->hold(2 * bytes);
  return true;
} catch (const core::WorkStopped& why) {
  conversation_->hold(0);
  no_room_ = why;
  return false;
}

void Talk::answer(std::string message, bool too_long, Done done) {
  hold(0);
  at_work_ = true;
  asio::post(*thread_, [self = shared_from_this(), message = std::move(message), too_long,
                        done = std::move(done), guard = asio::make_work_guard(state_.context)]() mutable {
    auto replies = self->replies(message, too_long);
    std::string().swap(message);
    self->at_work_ = false;
    // The client must be destroyed in the I/O thread, which owns its socket.
    asio::post(guard.get_executor(), [self = std::move(self), done = std::move(done),
                                      replies = std::move(replies)]() mutable { done(std::move(replies)); });
  });
  state_.watch();
}

std::vector<std::string> Talk::replies(const std::string& message, bool too_long) try {
  if (const auto why = std::exchange(no_room_, {})) return {conversation_->refusal(*why)};
  if (too_long) return {conversation_->refuse_too_long()};
  const core::WorkBudget work({}, [this] {
    if (const char* why = ended_by_) throw core::WorkStopped(core::WorkStopped::Reason::cancelled, why);
  });
  core::check_cancelled();
  return conversation_->kept(conversation_->answer(message));
} catch (const std::exception& problem) {  // cancelled, or out of memory
  return {conversation_->refusal(problem.what())};
}

void Talk::leave() {
  hold(0);
  end_work("the client has left");
  // Freeing the memory of a client may take long, so its own thread does it.
  asio::post(*thread_, [self = shared_from_this(), guard = asio::make_work_guard(state_.context)]() mutable {
    self->conversation_.reset();
    asio::post(guard.get_executor(), [self = std::move(self)] {
      self->state_.idle_threads.push_back(std::move(self->thread_));
      self->state_.talks.erase(self);
      self->state_.check_end();
    });
  });
}

ServerState::ServerState(ServerOptions server_options, NewConversation new_conversation)
    : options(std::move(server_options)),
      page_policy(policy_of(options.page)),
      converse(std::move(new_conversation)),
      strangers(options.max_strangers, options.stranger_stay) {}

std::string ServerState::too_many() const {
  return "there are " + std::to_string(options.max_clients) + " clients, and no more are served";
}

std::shared_ptr<Talk> ServerState::new_talk(Transport transport) try {
  if (talks.size() >= options.max_clients) return nullptr;
  return *talks.insert(std::make_shared<Talk>(*this, transport)).first;
} catch (const std::exception&) {  // out of threads or memory
  return nullptr;
}

void ServerState::come(const std::shared_ptr<Client>& client, std::string address) {
  clients.insert(client);
  strangers.come(client.get(), std::move(address), std::chrono::steady_clock::now());
}

void ServerState::no_stranger(const Client* client) {
  strangers.go(client);
  room_was_made();
}

void ServerState::leave(const std::shared_ptr<Client>& client) {
  no_stranger(client.get());
  if (client->talk()) client->talk()->leave();
  clients.erase(client);
  check_end();
}

void ServerState::check_end() {
  if (stopping && clients.empty() && talks.empty()) context.stop();
}

void ServerState::watch() {
  if (std::exchange(watching, true)) return;
  watch_timer.expires_after(watch_interval);
  watch_timer.async_wait([this](boost::system::error_code error) {
    watching = false;
    if (error) return;
    bool at_work = false;
    for (const auto& client : std::set(clients)) {
      if (!client->talk() || !client->talk()->at_work()) continue;
      client->gone() ? client->close() : void(at_work = true);
    }
    at_work ? watch() : core::trim_heap();
  });
}

}  // namespace engram::bridge
