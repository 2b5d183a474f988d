// SPDX-License-Identifier: MIT
// The command `engram serve`: a server for clients on standard input, a Unix socket or websockets.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/operations/operations_help.hpp"
#include "bridge/protocol/protocol.hpp"
#include "bridge/systems/navm.hpp"
#include "bridge/transport/server.hpp"
#include "core/numbers/work_budget.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/durable_option.hpp"
#include "experiments/commands/method_settings.hpp"
#include "experiments/commands/page_option.hpp"
#include "experiments/commands/telling.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

using bridge::Conversation;
using bridge::Transport;
using core::Session;

struct ServeArguments {
  std::vector<std::string> narsese;  // files to read before the first client
  bridge::ServerOptions server;
  std::optional<std::uint16_t>
      websocket_port;  // 0: any free port; without any socket the server uses standard input and output
  std::optional<std::uint16_t> page_port;  // serves the page and websockets; 0: any free port
  double decay = core::MemoryOptions{}.decay;
  std::string learning;            // rule of core/graph/link_learning.hpp; empty: none
  std::string dialect = "engram";  // "engram" (protocol of JSON lines) or "navm"
  bool shared = false;             // one memory for all clients
  std::vector<std::string> models;
  core::MemoryLimits memory;  // limits for all clients together
  ForgetArgument forget;
  DurableArguments durable;
  bool files = false;  // clients of sockets may name files; clients on standard input always may

  // A page shows the memory of all clients, so it needs a shared memory.
  bool is_shared() const { return shared || page_port; }
  bool by_sockets() const { return !server.unix_path.empty() || websocket_port || page_port; }
};

core::MemoryOptions memory_options(const ServeArguments& arguments) {
  core::MemoryOptions memory;
  memory.limits = arguments.memory;
  memory.decay = arguments.decay;
  if (!arguments.learning.empty())
    memory.learning = core::LinkLearning{.rule = *value_named(core::learning_rules, arguments.learning)};
  return memory;
}

// Persistent storage of a session, or null.
using Durable = std::shared_ptr<bridge::DurableMemory>;

std::shared_ptr<Session> session_with(core::MemoryOptions memory, const core::ForgettingOptions& forgetting,
                                      const std::vector<bridge::Model>& models, const Durable& durable = {}) {
  if (durable) memory.observer = durable->observer();
  auto session = std::make_shared<Session>(memory, forgetting);
  if (durable) durable->attend(*session);
  for (const bridge::Model& model : models) session->use(core::ConfiguredMethod(model.method, model.options));
  return session;
}

// Divides the limits of a memory among the clients.
core::MemoryOptions share_of(core::MemoryOptions memory, std::size_t clients) {
  for (std::size_t* limit : {&memory.limits.max_concepts, &memory.limits.max_hebbian_links,
                             &memory.limits.max_statements, &memory.limits.max_bytes})
    *limit = std::max<std::size_t>(*limit / clients, 1);
  return memory;
}

// Conversation that locks a shared memory for each message.
class InTurn : public Conversation {
 public:
  InTurn(std::shared_ptr<bridge::SharedSession> shared, std::unique_ptr<Conversation> talk)
      : shared_(std::move(shared)), talk_(std::move(talk)) {}

  std::vector<std::string> answer(std::string_view message) override {
    const bridge::SharedSession::WriteLock change(*shared_);
    return talk_->answer(message);
  }
  std::string refusal(const std::string& why) const override { return talk_->refusal(why); }
  std::string refusal(const core::WorkStopped& why) const override { return talk_->refusal(why); }
  bool finished() const override { return talk_->finished(); }
  std::vector<std::string> when_durable(std::vector<std::string> replies) override {
    return talk_->when_durable(std::move(replies));
  }
  std::size_t max_message_bytes() const override { return talk_->max_message_bytes(); }
  void charge_message_bytes(std::size_t bytes) override {
    shared_->charge_message_bytes(held_, bytes, small_message_bytes());
  }

 private:
  std::shared_ptr<bridge::SharedSession> shared_;
  std::unique_ptr<Conversation> talk_;
  std::size_t held_ = 0;  // bytes counted by charge_message_bytes()
};

// Limits the size of a request to its client's share of all bytes, but allows small requests always.
bridge::ProtocolLimits protocol_limits(const Session& session, std::size_t clients, bool files) {
  constexpr std::size_t least = std::size_t{1} << 16;
  bridge::ProtocolLimits limits{.files = files};
  limits.work.bytes = session.limits().max_bytes;
  limits.max_request_bytes =
      std::min(limits.max_request_bytes, std::max(session.limits().max_bytes / clients, least));
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
  const bridge::ProtocolLimits limits = protocol_limits(*session, 1, files);
  return std::make_unique<bridge::Protocol>(
      bridge::Protocol::on(std::move(session), limits, std::move(durable)));
}

// Creates a conversation about a memory that several clients share.
std::unique_ptr<Conversation> conversation_on(std::shared_ptr<bridge::SharedSession> shared,
                                              const std::string& dialect, Transport transport,
                                              std::size_t clients, bool files, Durable durable) {
  if (dialect == "navm")
    return std::make_unique<InTurn>(shared, navm_on(shared->session(), transport, std::move(durable)));
  const bridge::ProtocolLimits limits = protocol_limits(*shared->session(), clients, files);
  return std::make_unique<bridge::Protocol>(
      bridge::Protocol::on(std::move(shared), limits, std::move(durable)));
}

// Creates the shared session and reads its files. Lines that are not Narsese are printed as errors.
std::shared_ptr<Session> session_of(const ServeArguments& arguments, const std::vector<bridge::Model>& models,
                                    const Durable& durable) {
  auto session = session_with(memory_options(arguments), arguments.forget.options(), models, durable);
  if (!arguments.narsese.empty()) {
    const Session::Request reading(*session);
    read_files(arguments.narsese, *session);
  }
  return session;
}

bridge::NewConversation conversations(const ServeArguments& arguments,
                                      const std::vector<bridge::Model>& models, const Durable& durable) {
  if (!arguments.is_shared())
    return [memory = share_of(memory_options(arguments), arguments.server.max_clients),
            forgetting = arguments.forget.options(), models, dialect = arguments.dialect,
            files = arguments.files](Transport by) {
      return conversation_on(session_with(memory, forgetting, models), dialect, by, files);
    };
  auto shared = std::make_shared<bridge::SharedSession>(session_of(arguments, models, durable));
  return [shared = std::move(shared), dialect = arguments.dialect, clients = arguments.server.max_clients,
          files = arguments.files, has_page = arguments.page_port.has_value(), durable](Transport by) {
    const bool of_page = has_page && by == Transport::websocket;  // the page uses only this protocol
    return conversation_on(shared, of_page ? "engram" : dialect, by, clients,
                           files || by == Transport::standard, durable);
  };
}

bridge::ServerOptions server_options(const ServeArguments& arguments) {
  bridge::ServerOptions options = arguments.server;
  options.websocket_port = arguments.page_port ? arguments.page_port : arguments.websocket_port;
  if (arguments.page_port) {
    options.page = bridge::window_page();
    options.standard_streams = true;
  }
  return options;
}

ExitCode serve(const ServeArguments& arguments) {
  core::unmap_freed_large_blocks();
  const std::vector<bridge::Model> models = read_models(arguments.models);
  if (arguments.by_sockets() && !arguments.is_shared() && !arguments.durable.folder.empty())
    throw InputError("--durable: clients of sockets need --shared, because only one memory can be durable");
  if (!arguments.narsese.empty() && arguments.by_sockets() && !arguments.is_shared())
    throw InputError(
        "files: clients of sockets share a memory only with --shared or --page, so the files need one of "
        "these");
  if (!arguments.narsese.empty() && !arguments.durable.folder.empty())
    throw InputError(
        "files: a durable memory (--durable) would learn them again at each start; send them by the "
        "operation `input`");
  if (!arguments.by_sockets() && std::ranges::find(arguments.narsese, "-") != arguments.narsese.end())
    throw InputError(
        "files: standard input (-) has the requests already; give a file, or serve a socket or a page");
  std::atomic<bridge::Server*> running = nullptr;
  const Durable durable = durable_memory(arguments.durable, [&] {
    if (bridge::Server* server = running) server->stop();
  });
  const auto is_kept = [&] { return !durable || !durable->is_lost(); };
  if (!arguments.by_sockets()) {
    const auto session = session_of(arguments, models, durable);
    // Standard input may name files: the process that writes to it belongs to the user who owns them.
    const auto talk = conversation_on(session, arguments.dialect, Transport::lines, true, durable);
    // The end of the input does not cancel requests, because a script may send all questions first and then read. A
    // closed output does.
    const core::WorkBudget while_it_reads({}, [] {
      pollfd output{STDOUT_FILENO, 0, 0};
      if (poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0)
        throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "standard output is closed");
    });
    return bridge::serve(*talk, std::cin, std::cout) && is_kept() ? done : outside_failure;
  }
  try {
    bridge::Server server(server_options(arguments), conversations(arguments, models, durable));
    running = &server;
    if (!arguments.server.unix_path.empty())
      std::cerr << "engram: listening on " << arguments.server.unix_path << '\n';
    if (server.websocket_port() != 0)
      std::cerr << "engram: listening on ws://" << place_of(server, arguments.server) << "/\n";
    if (arguments.page_port) tell_page(server, arguments.server);
    if (!server.run()) {
      std::cerr << "engram: error: a request that could not be cancelled was aborted" << std::endl;
      std::_Exit(outside_failure);  // the request still uses memory that destructors would free
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
  add_remark(
      sub,
      "SIGINT and SIGTERM stop a server of sockets: running requests have one second to finish, and\n"
      "are then cancelled. A second signal stops the server at once.\n\n"
      "Operations of the protocol, with their required and [optional] fields; `engram help serve OPERATION`\n"
      "describes one:\n" +
          bridge::operations_help());
  add_option(sub, "files", arguments->narsese, "Narsese files to learn before the first client")
      ->type_name(file_type);
  add_model(sub, arguments->models);
  add_option(sub, "--decay", arguments->decay,
             "share of the evidence that a memory loses per cycle, at least 0 and below 1")
      ->check(CLI::Validator(
          [](const std::string& text) {
            double decay = -1;
            const bool is_share = CLI::detail::lexical_cast(text, decay) && decay >= 0 && decay < 1;
            return is_share ? std::string() : "must be at least 0 and below 1, found " + text;
          },
          "SHARE"));
  add_option(sub, "--learning", arguments->learning,
             "rule that learns further links, for methods with the option \"links\": \"learnt\"")
      ->check(one_of(names_in(core::learning_rules)));
  add_option(sub, "--dialect", arguments->dialect, "engram, or navm, the protocol of BabelNAR's tools")
      ->check(one_of({"engram", "navm"}));
  add_option(sub, "--unix", arguments->server.unix_path,
             "serve clients of this user on a Unix socket, a file of this name")
      ->type_name(file_type);
  CLI::Option* websocket = add_option(sub, "--websocket", arguments->websocket_port,
                                      "serve websockets on this port; 0: a free one")
                               ->check(CLI::Range(0, 65535));
  add_page(
      sub, arguments->page_port,
      "serve a page that shows the memory as it learns, and websockets, on this port; 0: a free one. All\n"
      "clients share one memory (--shared). Standard input and output are a further client, and the end\n"
      "of the input does not stop the server")
      ->excludes(websocket);
  add_option(sub, "--address", arguments->server.address,
             "address of the websocket and the page; addresses other than loopback need a token");
  add_token(sub, arguments->server.token);
  add_option(
      sub, "--origin", arguments->server.origins,
      "origin of web pages that may connect, such as http://localhost:8000; may be repeated. The page may\n"
      "also be opened by the host names in these")
      ->take_all()
      ->allow_extra_args(false);
  add_option(sub, "--max-clients", arguments->server.max_clients, "most clients at a time; each has a thread")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  add_milliseconds(
      sub, "--patience", arguments->server.patience,
      "milliseconds that a client may pause while it reads a reply, or sends a line to the Unix\n"
      "socket");
  sub->add_flag(
      "--shared", arguments->shared,
      "share one memory between all clients and answer questions in parallel (default: a memory for each\n"
      "client)");
  sub->add_flag("--files", arguments->files,
                "let clients of sockets name files of this machine: snapshots and vectors of an embedding\n"
                "(default: only on standard input)");
  add_durable(sub, arguments->durable);
  add_memory_limits(sub, arguments->memory, "bytes that the memory and a request, for all clients together,");
  add_forget(sub, arguments->forget);
  sub->callback([&code, arguments, sub] {
    for (const char* option : {"--address", "--origin"})
      if (sub->count(option) > 0 && !arguments->websocket_port && !arguments->page_port)
        throw CLI::RequiresError(option, "--websocket or --page");
    code = serve(*arguments);
  });
}

}  // namespace engram::experiments
