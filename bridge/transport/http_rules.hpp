// SPDX-License-Identifier: MIT
// Rules for HTTP requests: whether a request gets a websocket, the page, or an error. Private to this folder and its
// test.
#pragma once

#include <boost/beast/core/span.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/transport/server.hpp"

namespace engram::bridge {

namespace http = boost::beast::http;
/// An HTTP request without body.
using HttpHead = http::request<http::empty_body>;

/// An HTTP reply, if the request does not get a websocket.
struct HttpReply {
  http::status status;
  std::string reason;  // error message; empty for the page
};

/// The reply to a request; empty if it gets a websocket. The checks are, in this order:
///   400, 421    if there is a page: the Host is not a name of this server. Otherwise a foreign page whose name
///               resolves to this server ("DNS rebinding") would have the same origin as our page
///   403         the Origin is neither listed nor, if there is a page, its own
///   401         the token is missing or wrong, if one is required
///   404         the path is not /
///   405, 426    the method is neither GET nor HEAD; or there is no page, and the request is not for a websocket
std::optional<HttpReply> reply_to(const HttpHead& head, const ServerOptions& options);

/// The Content-Security-Policy of a page, without the hosts to connect to. The policy allows the <script> and <style>
/// elements of the page by their SHA-256, images and workers that the page creates itself, and nothing else.
/// Cost  O(page)
std::string content_security_policy(std::string_view page);

/// Sets all header fields of a reply whose body has `body_bytes` bytes. `policy` is the content_security_policy() of
/// the page.
void set_fields(http::fields& fields, const HttpReply& reply, const HttpHead& head, const std::string& policy,
                std::size_t body_bytes);

}  // namespace engram::bridge
