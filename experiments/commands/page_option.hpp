// SPDX-License-Identifier: MIT
// --page: the port of a page that shows a live memory, and who may see it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bridge/transport/server.hpp"
#include "experiments/commands/command_line.hpp"

namespace engram::experiments {

/// `what`: what the page shows, and until when.
CLI::Option* add_page(CLI::App* command, std::optional<std::uint16_t>& port, const std::string& what);
void add_token(CLI::App* command, std::string& token);

/// Where a server listens, as it stands in an address of the web: 127.0.0.1:8000, [::1]:8000.
std::string place_of(const bridge::Server& server, const bridge::ServerOptions& options);
/// Where the page is, on standard error. The token is not told.
void tell_page(const bridge::Server& server, const bridge::ServerOptions& options);

}  // namespace engram::experiments
