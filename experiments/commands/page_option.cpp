// SPDX-License-Identifier: MIT
#include "experiments/commands/page_option.hpp"

#include <iostream>

namespace engram::experiments {

CLI::Option* add_page(CLI::App* command, std::optional<std::uint16_t>& port, const std::string& what) {
  return add_option(command, "--page", port, what)->check(CLI::Range(0, 65535));
}

void add_token(CLI::App* command, std::string& token) {
  CLI::Option* const option =
      add_option(command, "--token", token,
                 "token that websockets and browsers must show; better given as ENGRAM_TOKEN")
          ->envname("ENGRAM_TOKEN");
  refuse_empty(option);
}

std::string place_of(const bridge::Server& server, const bridge::ServerOptions& options) {
  const bool six = options.address.find(':') != std::string::npos;
  return (six ? "[" + options.address + "]" : options.address) + ":" +
         std::to_string(server.websocket_port());
}

void tell_page(const bridge::Server& server, const bridge::ServerOptions& options) {
  std::cerr << "engram: page: http://" << place_of(server, options) << '/'
            << (options.token.empty() ? "" : "?token=... (the token)") << std::endl;
}

}  // namespace engram::experiments
