// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "bridge/systems/navm_server.hpp"
#include "bridge/transport/server.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/durable_option.hpp"
#include "experiments/commands/method_settings.hpp"
#include "experiments/formats/errors.hpp"

namespace engram::experiments {
namespace {

using bridge::Conversation;
using bridge::Transport;
using core::Session;

struct ServeArguments {
  bridge::ServerOptions server;
  std::optional<int> websocket_port;  // 0: any that is free; neither socket: standard input and output
  double decay = core::MemoryOptions{}.decay;
  std::string learning;            // a rule of core/graph/link_learning.hpp, or empty for none
  std::string dialect = "engram";  // the JSON lines protocol, or navm
  bool shared = false;             // one memory for all clients
  std::vector<std::string> models;
  core::MemoryLimits memory;  // of all clients together
  ForgetArgument forget;
  DurableArguments durable;
  bool files = false;  // clients of sockets may name files; on standard input they always may
};

core::MemoryOptions memory_options(const ServeArguments& arguments) {
  core::MemoryOptions memory;
  memory.limits = arguments.memory;
  memory.decay = arguments.decay;
  if (!arguments.learning.empty())
    memory.learning = core::LinkLearning{.rule = *value_named(core::learning_rules, arguments.learning)};
  return memory;
}

// What keeps a session, if anything does.
using Durable = std::shared_ptr<bridge::DurableMemory>;

std::shared_ptr<Session> session_with(core::MemoryOptions memory, const core::ForgettingOptions& forgetting,
                                      const std::vector<bridge::Model>& models, const Durable& durable = {}) {
  if (durable) memory.observer = durable->observer();
  auto session = std::make_shared<Session>(memory, forgetting);
  if (durable) durable->attend(*session);
  for (const bridge::Model& model : models) session->use(*core::find_method(model.method), model.options);
  return session;
}

// All memories together may become as large as one alone.
core::MemoryOptions share_of(core::MemoryOptions memory, std::size_t clients) {
  for (std::size_t* limit : {&memory.limits.max_concepts, &memory.limits.max_hebbian_links,
                             &memory.limits.max_statements, &memory.limits.max_bytes})
    *limit = std::max<std::size_t>(*limit / clients, 1);
  return memory;
}

// A talk about a memory of which others talk as well: each message may change it.
class InTurn : public Conversation {
 public:
  InTurn(std::shared_ptr<bridge::SharedSession> shared, std::unique_ptr<Conversation> talk)
      : shared_(std::move(shared)), talk_(std::move(talk)) {}

  std::vector<std::string> answer(std::string_view message) override {
    const bridge::SharedSession::Change change(*shared_);
    return talk_->answer(message);
  }
  std::string refusal(const std::string& why) const override { return talk_->refusal(why); }
  bool finished() const override { return talk_->finished(); }
  std::vector<std::string> kept(std::vector<std::string> replies) override {
    return talk_->kept(std::move(replies));
  }
  std::size_t max_message_bytes() const override { return talk_->max_message_bytes(); }

 private:
  std::shared_ptr<bridge::SharedSession> shared_;
  std::unique_ptr<Conversation> talk_;
};

bridge::ProtocolLimits protocol_limits(const Session& session, bool files) {
  bridge::ProtocolLimits limits{.files = files};
  limits.work.bytes = session.limits().max_bytes;
  return limits;
}

std::unique_ptr<Conversation> navm_on(std::shared_ptr<Session> session, Transport transport,
                                      Durable durable = {}) {
  return std::make_unique<bridge::NavmConversation>(std::move(session), transport == Transport::websocket,
                                                    std::move(durable));
}

std::unique_ptr<Conversation> conversation_on(std::shared_ptr<Session> session, const std::string& dialect,
                                              Transport transport, bool files, Durable durable = {}) {
  if (dialect == "navm") return navm_on(std::move(session), transport, std::move(durable));
  const bridge::ProtocolLimits limits = protocol_limits(*session, files);
  return std::make_unique<bridge::Protocol>(
      bridge::Protocol::on(std::move(session), limits, std::move(durable)));
}

// Where others talk about the same memory.
std::unique_ptr<Conversation> conversation_on(std::shared_ptr<bridge::SharedSession> shared,
                                              const std::string& dialect, Transport transport, bool files,
                                              Durable durable) {
  if (dialect == "navm")
    return std::make_unique<InTurn>(shared, navm_on(shared->session(), transport, std::move(durable)));
  const bridge::ProtocolLimits limits = protocol_limits(*shared->session(), files);
  return std::make_unique<bridge::Protocol>(
      bridge::Protocol::on(std::move(shared), limits, std::move(durable)));
}

bridge::NewConversation conversations(const ServeArguments& arguments,
                                      const std::vector<bridge::Model>& models, const Durable& durable) {
  const core::MemoryOptions whole = memory_options(arguments);
  const core::ForgettingOptions forgetting = arguments.forget.options();
  if (!arguments.shared)
    return [memory = share_of(whole, arguments.server.max_clients), forgetting, models,
            dialect = arguments.dialect, files = arguments.files](Transport by) {
      return conversation_on(session_with(memory, forgetting, models), dialect, by, files);
    };
  auto shared = std::make_shared<bridge::SharedSession>(session_with(whole, forgetting, models, durable));
  return [shared = std::move(shared), dialect = arguments.dialect, files = arguments.files,
          durable](Transport by) { return conversation_on(shared, dialect, by, files, durable); };
}

bridge::ServerOptions server_options(const ServeArguments& arguments) {
  bridge::ServerOptions options = arguments.server;
  if (arguments.websocket_port)
    options.websocket_port = static_cast<std::uint16_t>(*arguments.websocket_port);
  return options;
}

ExitCode serve(const ServeArguments& arguments) {
  const std::vector<bridge::Model> models = read_models(arguments.models);
  const bool by_sockets = !arguments.server.unix_path.empty() || arguments.websocket_port;
  if (by_sockets && !arguments.shared && !arguments.durable.folder.empty())
    throw InputError(
        "--durable: one memory is kept, so clients of sockets need --shared, one for all of them");
  std::atomic<bridge::Server*> running = nullptr;
  const Durable durable = durable_memory(arguments.durable, [&] {
    if (bridge::Server* server = running) server->stop();
  });
  const auto is_kept = [&] { return !durable || !durable->is_lost(); };
  if (!by_sockets) {
    const auto session = session_with(memory_options(arguments), arguments.forget.options(), models, durable);
    // Whoever writes to our standard input is, or was started by, the user whose files these are.
    const auto talk = conversation_on(session, arguments.dialect, Transport::lines, true, durable);
    return bridge::serve(*talk, std::cin, std::cout) && is_kept() ? done : outside_failure;
  }
  try {
    bridge::Server server(server_options(arguments), conversations(arguments, models, durable));
    running = &server;
    if (!arguments.server.unix_path.empty())
      std::cerr << "listening on " << arguments.server.unix_path << '\n';
    if (arguments.websocket_port) {
      const bool six = arguments.server.address.find(':') != std::string::npos;
      std::cerr << "listening on ws://"
                << (six ? "[" + arguments.server.address + "]" : arguments.server.address) << ':'
                << server.websocket_port() << "/\n";
    }
    if (!server.run()) {
      std::cerr << "engram: error: a request that could not be ended was cut off" << std::endl;
      std::_Exit(outside_failure);  // it still has the memory that a destructor would take
    }
    running = nullptr;
  } catch (const std::invalid_argument& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  }
  return is_kept() ? done : outside_failure;
}

}  // namespace

void add_serve(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<ServeArguments>();
  CLI::App* sub = add_command(app, "serve",
                              "answer the JSON lines protocol on standard input and output, or over sockets",
                              "echo '{\"id\":1,\"op\":\"hello\"}' | engram serve");
  sub->footer(
      "SIGINT and SIGTERM end a server of sockets: what is in work has a second to be answered, and\n"
      "another to be given up; a second signal cuts it.\n" +
      sub->get_footer());
  add_model(sub, arguments->models);
  add_option(sub, "--decay", arguments->decay,
             "share of all evidence that a memory loses a cycle, at least 0 and below 1")
      ->check(CLI::Validator(
          [](const std::string& text) {
            double decay = -1;
            const bool is_share = CLI::detail::lexical_cast(text, decay) && decay >= 0 && decay < 1;
            return is_share ? std::string() : "must be at least 0 and below 1, found " + text;
          },
          "SHARE"));
  add_option(sub, "--learning", arguments->learning,
             "a rule that learns links of its own, for \"links\": \"learnt\"")
      ->check(one_of(names_in(core::learning_rules)));
  add_option(sub, "--dialect", arguments->dialect, "engram, or navm: what BabelNAR's tools speak")
      ->check(one_of({"engram", "navm"}));
  add_option(sub, "--unix", arguments->server.unix_path,
             "serve clients of this user on a Unix socket, a file of this name");
  CLI::Option* websocket = add_option(sub, "--websocket", arguments->websocket_port,
                                      "serve websockets on this port; 0: a free one")
                               ->check(CLI::Range(0, 65535));
  add_option(sub, "--address", arguments->server.address,
             "address of the websocket; any that is not loopback needs a token")
      ->needs(websocket);
  add_option(sub, "--token", arguments->server.token,
             "token that websockets must show; better given as ENGRAM_TOKEN")
      ->envname("ENGRAM_TOKEN");
  add_option(sub, "--origin", arguments->server.origins,
             "origin of web pages that may connect, such as http://localhost:8000; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(websocket);
  add_option(sub, "--max-clients", arguments->server.max_clients,
             "clients at a time, each with a thread of its own")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  add_milliseconds(
      sub, "--patience", arguments->server.patience,
      "milliseconds that a client may take to read its replies, or to go on with a line of the Unix\n"
      "socket");
  sub->add_flag(
      "--shared", arguments->shared,
      "one memory for all clients, whose questions are answered side by side (default: each client has its\n"
      "own)");
  sub->add_flag("--files", arguments->files,
                "let clients of sockets name files of this machine: snapshot, restore, and vectors of an\n"
                "embedding (default: on standard input alone)");
  add_durable(sub, arguments->durable);
  add_memory_limits(sub, arguments->memory,
                    "bytes that what is learnt and a request, of all clients together,");
  add_forget(sub, arguments->forget);
  sub->callback([&code, arguments] { code = serve(*arguments); });
}

}  // namespace engram::experiments
