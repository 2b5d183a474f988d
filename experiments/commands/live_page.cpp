// SPDX-License-Identifier: MIT
#include "experiments/commands/live_page.hpp"

#include <cstdlib>
#include <iostream>
#include <thread>

#include "bridge/transport/server.hpp"
#include "experiments/commands/page_option.hpp"
#include "experiments/runs/terminal.hpp"

namespace engram::experiments {
namespace {

bridge::ServerOptions options_for(std::uint16_t port, const std::string& token) {
  bridge::ServerOptions options;
  options.websocket_port = port;
  options.token = token;
  options.page = bridge::window_page();
  options.ends_by_signals = false;                 // signals end the session, not only the server
  options.grace = std::chrono::milliseconds(200);  // part of the one second that an interrupted session has
  return options;
}

}  // namespace

LivePage::LivePage(bridge::SessionViewers& viewers, std::uint16_t port, const std::string& token)
    : server_(options_for(port, token), [&](bridge::Transport) { return viewers.conversation(); }) {
  tell_page(server_, options_for(port, token));
  ended_ = std::async(std::launch::async, [this] { return server_.run(); });
}

LivePage::~LivePage() {
  server_.stop();
  if (ended_.get()) return;
  std::cerr << "engram: error: a question about the session that could not be ended was cut off" << std::endl;
  std::_Exit(outside_failure);  // the request still uses memory that destructors would free
}

void LivePage::keep() try {
  std::cerr << "engram: the session is over; its page stays until Ctrl-C" << std::endl;
  const Interruption interruption;
  for (;;) {
    core::check_cancelled();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
} catch (const core::WorkStopped&) {
}

}  // namespace engram::experiments
