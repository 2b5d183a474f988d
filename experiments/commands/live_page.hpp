// SPDX-License-Identifier: MIT
// Web page that shows a session while it runs.
#pragma once

#include <future>
#include <string>

#include "bridge/attach/session_viewers.hpp"
#include "bridge/transport/server.hpp"

namespace engram::experiments {

/// RAII server of the page, on a loopback address, in its own thread.
class LivePage {
 public:
  /// Starts the server and prints its address.  Errors  as bridge::Server
  LivePage(bridge::SessionViewers& viewers, std::uint16_t port, const std::string& token);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Waits for Ctrl-C or SIGTERM. Call this after the session, so that users can still see its result on the page.
  static void keep();

 private:
  bridge::Server server_;
  std::future<bool> ended_;
};

}  // namespace engram::experiments
