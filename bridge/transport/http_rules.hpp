// SPDX-License-Identifier: MIT
// Rules for HTTP requests: whether a request gets a websocket, the page, or an error. Private to this folder and its
// test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/transport/server.hpp"

namespace engram::bridge {

/// The parts of an HTTP request that decide about its reply.
struct HttpRequest {
  std::string method = "GET", target = "/";
  std::vector<std::string> hosts = {}, origins = {};  // values of all fields Host, and Origin
  std::string authorization = {};                     // value of the first such field
  bool is_upgrade = false;                            // the request is for a websocket
};

/// An HTTP reply to a request that does not get a websocket.
struct HttpReply {
  unsigned status = 200;
  std::string reason = {};  // error message; empty for the page
};

/// The reply to a request; empty if it gets a websocket. The checks are, in this order:
///   400, 421  The Host is not a name of this server. This check protects the page against DNS rebinding: a foreign name
///             that resolves to this server would give a foreign page the same origin. It needs a page.
///   403       The Origin is not in `origins`, nor the page's own.
///   401       The token is missing or wrong.
///   404       The path is not /.
///   426       The request is not for a websocket, and the server has no page.
///   405       The method is neither GET nor HEAD.
std::optional<HttpReply> reply_to(const HttpRequest& request, const ServerOptions& options);

/// The Content-Security-Policy of a page, without the hosts to connect to. The policy allows the <script> and <style>
/// elements of the page by their SHA-256, images and workers that the page creates itself, and nothing else.
/// Cost  O(page)
std::string content_security_policy(std::string_view page);

/// The status line and the header fields of a reply with a body of `body_bytes` bytes. `policy` is the page's
/// content_security_policy().
std::string reply_head(const HttpReply& reply, const HttpRequest& request, const std::string& policy,
                       std::size_t body_bytes);

}  // namespace engram::bridge
