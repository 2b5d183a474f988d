// SPDX-License-Identifier: MIT
// The options --page and --token: the port of a page that shows a live memory, and the secret that visitors need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bridge/transport/server.hpp"
#include "experiments/commands/command_line.hpp"

namespace engram::experiments {

/// Adds --page. `what` is its help text: what the page shows, and for how long.
CLI::Option* add_page(CLI::App* command, std::optional<std::uint16_t>& port, const std::string& what);
void add_token(CLI::App* command, std::string& token);

/// The address of a server, as URLs contain it: 127.0.0.1:8000, [::1]:8000.
std::string place_of(const bridge::Server& server, const bridge::ServerOptions& options);
/// Prints the URL of the page on standard error, without the token.
void tell_page(const bridge::Server& server, const bridge::ServerOptions& options);

}  // namespace engram::experiments
