// SPDX-License-Identifier: MIT
// The command `engram serve`: a server for clients on standard input, a Unix socket or websockets.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
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
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

using bridge::Conversation;
using bridge::Transport;
using core::Session;

struct ServeArguments {
  std::vector<std::string> narsese;  // files to read before the first client
  bridge::ServerOptions server;      // without sockets and pages, the server uses standard input and output
  std::optional<std::uint16_t> websocket_port,
      page_port;                             // 0: any free port; the port of the page also serves websockets
  std::vector<const CLI::Option*> of_ports;  // options that require one of the two ports
  double decay = core::MemoryOptions{}.decay;
  std::string learning;            // rule of core/graph/link_learning.hpp; empty: none
  std::string dialect = "engram";  // "engram" (protocol of JSON lines) or "navm"
  bool shared = false;             // whether all clients share one memory
  std::vector<std::string> models;
  core::MemoryLimits memory;  // limits of the memories of all clients together
  ForgetArgument forget;
  DurableArguments durable;
  bool files = false;  // whether clients of sockets may access files

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

// Divides the limits of a memory equally among the clients.
core::MemoryOptions share_of(core::MemoryOptions memory, std::size_t clients) {
  for (std::size_t* limit : {&memory.limits.max_concepts, &memory.limits.max_hebbian_links,
                             &memory.limits.max_statements, &memory.limits.max_bytes})
    *limit = std::max<std::size_t>(*limit / clients, 1);
  return memory;
}

// Conversation with a shared memory, which it locks while it answers a message.
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
  std::size_t held_ = 0;  // bytes that charge_message_bytes() has charged to the shared memory
};

// Limits the size of a request to the share of the memory that each client has, but at least to 64 KiB.
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
    const bool of_page = has_page && by == Transport::websocket;  // the page needs the JSON protocol
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

// The running server, which the thread of a durable memory may stop at any time.
class RunningServer {
 public:
  // RAII registration. Its destructor waits for a call of stop(), so no call uses a destroyed server.
  class Registration {
   public:
    Registration(RunningServer& running, bridge::Server& server) : running_(running) {
      running_.set(&server);
    }
    ~Registration() { running_.set(nullptr); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    RunningServer& running_;
  };

  // Stops the registered server, or the next one as soon as it is registered.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (server_ != nullptr) server_->stop();
  }

 private:
  void set(bridge::Server* server) {
    const std::lock_guard lock(mutex_);
    server_ = server;
    if (server_ != nullptr && stopped_) server_->stop();
  }

  std::mutex mutex_;
  bridge::Server* server_ = nullptr;
  bool stopped_ = false;
};

ExitCode serve(const ServeArguments& arguments) {
  for (const CLI::Option* option : arguments.of_ports)
    if (option->count() > 0 && !arguments.websocket_port && !arguments.page_port)
      throw CLI::RequiresError(option->get_name(), "--websocket or --page");
  core::unmap_freed_large_blocks();
  const std::vector<bridge::Model> models = read_models(arguments.models);
  if (arguments.by_sockets() && !arguments.is_shared() && !arguments.durable.folder.empty())
    throw InputError("--durable: clients of sockets need --shared, because only one memory can be durable");
  if (!arguments.narsese.empty() && arguments.by_sockets() && !arguments.is_shared())
    throw InputError(
        "files: clients of sockets share a memory only with --shared or --page, so the files need one "
        "of these options");
  if (!arguments.narsese.empty() && !arguments.durable.folder.empty())
    throw InputError(
        "files: a durable memory (--durable) would learn them again at each start; send them by the "
        "operation `input`");
  if (!arguments.by_sockets() && std::ranges::find(arguments.narsese, "-") != arguments.narsese.end())
    throw InputError(
        "files: standard input (-) has the requests already; give a file, or serve a socket or a page");
  RunningServer running;
  const Durable durable = durable_memory(arguments.durable, [&] { running.stop(); });
  const auto is_kept = [&] { return !durable || !durable->is_lost(); };
  if (!arguments.by_sockets()) {
    const auto session = session_of(arguments, models, durable);
    // Requests on standard input may name files, because the process that writes them belongs to the user who owns the
    // files.
    const auto talk = conversation_on(session, arguments.dialect, Transport::lines, true, durable);
    // The end of the input does not cancel requests, because a script may send all questions first and then read the
    // answers. A closed output does.
    const core::WorkBudget while_it_reads({}, [] {
      pollfd output{STDOUT_FILENO, 0, 0};
      if (poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0)
        throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "standard output is closed");
    });
    return bridge::serve(*talk, std::cin, std::cout) && is_kept() ? done : outside_failure;
  }
  try {
    bridge::Server server(server_options(arguments), conversations(arguments, models, durable));
    const RunningServer::Registration registration(running, server);
    if (!arguments.server.unix_path.empty())
      std::cerr << "engram: listening on " << arguments.server.unix_path << '\n';
    if (server.websocket_port() != 0)
      std::cerr << "engram: listening on ws://" << place_of(server, arguments.server) << "/\n";
    if (arguments.page_port) tell_page(server, arguments.server);
    if (!server.run()) {
      std::cerr << "engram: error: a request that could not be cancelled was aborted" << std::endl;
      std::_Exit(outside_failure);  // the request still uses memory that destructors would free
    }
  } catch (const std::invalid_argument& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  }
  return is_kept() ? done : outside_failure;
}

}  // namespace

void add_serve(CLI::App& app, ExitCode& code) {
  auto [command, arguments] = add_command(
      app, code, "serve", "answer the JSON lines protocol on standard input and output, or over sockets",
      "echo '{\"id\":1,\"op\":\"hello\"}' | engram serve", serve);
  add_remark(
      command,
      "SIGINT and SIGTERM stop a server of sockets: running requests have one second to finish, and\n"
      "are then cancelled. A second signal stops the server at once.\n\n"
      "Operations of the protocol, with their required and [optional] fields; `engram help serve OPERATION`\n"
      "describes one:\n" +
          bridge::operations_help());
  add_option(command, "files", arguments.narsese, "Narsese files to learn before the first client", is_file);
  add_model(command, arguments.models);
  add_option(command, "--decay", arguments.decay,
             "share of the evidence that a memory loses per cycle, at least 0 and below 1",
             CLI::Validator(
                 [](const std::string& text) {
                   double decay = -1;
                   const bool is_share = CLI::detail::lexical_cast(text, decay) && decay >= 0 && decay < 1;
                   return is_share ? std::string() : "must be at least 0 and below 1, found " + text;
                 },
                 "SHARE"));
  add_option(command, "--learning", arguments.learning,
             "rule that learns further links, for methods with the option \"links\": \"learnt\"",
             one_of(names_in(core::learning_rules)));
  add_option(command, "--dialect", arguments.dialect, "engram, or navm, the protocol of BabelNAR's tools",
             one_of({"engram", "navm"}));
  add_option(command, "--unix", arguments.server.unix_path,
             "serve clients of this user on a Unix socket at this path", is_file);
  CLI::Option* websocket = add_option(command, "--websocket", arguments.websocket_port,
                                      "serve websockets on this port; 0: a free one", is_port);
  add_page(
      command, arguments.page_port,
      "serve a page that shows the memory as it learns, and websockets, on this port; 0: a free one. All\n"
      "clients share one memory (--shared). Standard input and output are a further client, and the end\n"
      "of the input does not stop the server")
      ->excludes(websocket);
  arguments.of_ports.push_back(
      add_option(command, "--address", arguments.server.address,
                 "address of the websocket and the page; addresses other than loopback need a token"));
  add_token(command, arguments.server.token);
  arguments.of_ports.push_back(add_option(
      command, "--origin", arguments.server.origins,
      "origin of web pages that may connect, such as http://localhost:8000. The page may also be opened\n"
      "by the host names in these",
      is_repeated));
  add_option(command, "--max-clients", arguments.server.max_clients,
             "most clients at a time; each has a thread", in_range(1, 1000));
  add_option(
      command, "--patience", arguments.server.patience,
      "milliseconds that a client may pause while it reads a reply, or sends a line to the Unix socket");
  add_option(
      command, "--shared", arguments.shared,
      "share one memory between all clients and answer questions in parallel (default: a memory for each\n"
      "client)");
  add_option(command, "--files", arguments.files,
             "let clients of sockets name files of this machine: snapshots and vectors of an embedding\n"
             "(default: only on standard input)");
  add_durable(command, arguments.durable);
  add_memory_limits(command, arguments.memory, "the memories and requests of all clients");
  add_forget(command, arguments.forget);
}

}  // namespace engram::experiments
