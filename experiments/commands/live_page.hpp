// SPDX-License-Identifier: MIT
// The page of a live session, served while the session goes on.
#pragma once

#include <future>
#include <string>

#include "bridge/attach/onlookers.hpp"
#include "bridge/transport/server.hpp"

namespace engram::experiments {

/// Serves the page in a thread of its own, on a loopback address, as long as it lives.
class LivePage {
 public:
  /// Tells where it is.  Errors  as bridge::Server
  LivePage(bridge::Onlookers& onlookers, std::uint16_t port, const std::string& token);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Until Ctrl-C or SIGTERM: a page that went with its session would show nobody how that ended.
  static void keep();

 private:
  bridge::Server server_;
  std::future<bool> ended_;
};

}  // namespace engram::experiments
