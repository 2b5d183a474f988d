// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <mutex>

#include "bridge/protocol/protocol.hpp"
#include "bridge/systems/navm_server.hpp"
#include "bridge/transport/server.hpp"
#include "experiments/commands/commands.hpp"

namespace engram::experiments {
namespace {

using bridge::Conversation;
using bridge::Transport;
using core::Session;

core::MemoryOptions memory_options(const ServeArguments& arguments) {
  core::MemoryOptions memory = memory_of_bytes(arguments.memory);
  if (!arguments.learning.empty())
    memory.learning = core::LinkLearning{.rule = *core::learning_rule_named(arguments.learning)};
  return memory;
}

// All memories together may become as large as one alone.
core::MemoryOptions share_of(core::MemoryOptions memory, std::size_t clients) {
  for (std::size_t* limit : {&memory.limits.max_concepts, &memory.limits.max_hebbian_links,
                             &memory.limits.max_statements, &memory.limits.max_bytes})
    *limit = std::max<std::size_t>(*limit / clients, 1);
  return memory;
}

// A talk about a memory of which others talk as well: one message at a time.
class InTurn : public Conversation {
 public:
  InTurn(std::shared_ptr<bridge::Turn> turn, std::unique_ptr<Conversation> talk)
      : turn_(std::move(turn)), talk_(std::move(talk)) {}

  std::vector<std::string> answer(std::string_view message) override {
    const std::lock_guard<bridge::Turn> lock(*turn_);
    return talk_->answer(message);
  }
  std::string refusal(const std::string& why) const override { return talk_->refusal(why); }
  bool finished() const override { return talk_->finished(); }
  std::size_t max_message_bytes() const override { return talk_->max_message_bytes(); }

 private:
  std::shared_ptr<bridge::Turn> turn_;
  std::unique_ptr<Conversation> talk_;
};

// `turn`: where others talk about the same memory.
std::unique_ptr<Conversation> conversation_on(std::shared_ptr<Session> session, const std::string& dialect,
                                              Transport transport, bool files,
                                              std::shared_ptr<bridge::Turn> turn = {}) {
  if (dialect != "navm") {
    bridge::ProtocolLimits limits{.files = files};
    limits.work.bytes = session->limits().max_bytes;
    return std::make_unique<bridge::Protocol>(
        bridge::Protocol::on(std::move(session), limits, std::move(turn)));
  }
  auto talk =
      std::make_unique<bridge::NavmConversation>(std::move(session), transport == Transport::websocket);
  if (!turn) return talk;
  return std::make_unique<InTurn>(std::move(turn), std::move(talk));
}

bridge::NewConversation conversations(const ServeArguments& arguments) {
  const core::MemoryOptions whole = memory_options(arguments);
  if (!arguments.shared)
    return [memory = share_of(whole, arguments.max_clients), dialect = arguments.dialect,
            files = arguments.files](Transport by) {
      return conversation_on(std::make_shared<Session>(memory), dialect, by, files);
    };
  return [session = std::make_shared<Session>(whole), turn = std::make_shared<bridge::Turn>(),
          dialect = arguments.dialect, files = arguments.files](Transport by) {
    return conversation_on(session, dialect, by, files, turn);
  };
}

bridge::ServerOptions server_options(const ServeArguments& arguments) {
  bridge::ServerOptions options;
  options.unix_path = arguments.unix_path;
  if (arguments.websocket_port >= 0)
    options.websocket_port = static_cast<std::uint16_t>(arguments.websocket_port);
  options.address = arguments.address;
  options.token = arguments.token;
  options.origins = arguments.origins;
  options.max_clients = arguments.max_clients;
  options.patience = std::chrono::milliseconds(arguments.patience_ms);
  return options;
}

}  // namespace

ExitCode serve_command(const ServeArguments& arguments) {
  if (arguments.unix_path.empty() && arguments.websocket_port < 0) {
    const auto session = std::make_shared<Session>(memory_options(arguments));
    // Whoever writes to our standard input is, or was started by, the user whose files these are.
    const auto talk = conversation_on(session, arguments.dialect, Transport::lines, true);
    return bridge::serve(*talk, std::cin, std::cout) ? done : outside_failure;
  }
  try {
    bridge::Server server(server_options(arguments), conversations(arguments));
    if (!arguments.unix_path.empty()) std::cerr << "listening on " << arguments.unix_path << '\n';
    if (arguments.websocket_port >= 0) {
      const bool six = arguments.address.find(':') != std::string::npos;
      std::cerr << "listening on ws://" << (six ? "[" + arguments.address + "]" : arguments.address) << ':'
                << server.websocket_port() << "/\n";
    }
    if (!server.run()) {
      std::cerr << "engram: error: a request that could not be ended was cut off" << std::endl;
      std::_Exit(outside_failure);  // it still has the memory that a destructor would take
    }
  } catch (const std::invalid_argument& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  }
  return done;
}

}  // namespace engram::experiments
