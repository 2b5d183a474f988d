// SPDX-License-Identifier: MIT
// What a request over HTTP gets: a websocket, the page, or why it gets neither. For the .cpp files of this folder, and
// their test.
#pragma once

#include <boost/beast/core/span.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/transport/server.hpp"

namespace engram::bridge {

namespace http = boost::beast::http;
/// What stands above the body of a request.
using HttpHead = http::request<http::empty_body>;

/// What is told in place of a websocket.
struct HttpReply {
  http::status status;
  std::string reason;  // of a refusal, for people; of the page nothing
};

/// Nothing: the websocket that is asked for may be opened. In this order are refused
///   with a page a Host that this server is not called by: a page of another site whose name was made to lead here
///               ("DNS rebinding") would be the page's own origin
///   403         an Origin that is neither named nor, with a page, that page's own
///   401         who does not show the token, where there is one
///   404         another path than /
///   405, 426    what is neither GET nor HEAD, and where there is no page, no websocket
std::optional<HttpReply> reply_to(const HttpHead& head, const ServerOptions& options);

/// The Content-Security-Policy of a page, but for where it may connect: what stands in its <script> and <style>, known
/// by its SHA-256, pictures and workers that it makes itself, and nothing else.
/// Cost  O(page)
std::string policy_of(std::string_view page);

/// All fields of a reply with a body of so many bytes; `policy`: policy_of the page.
void set_fields(http::fields& fields, const HttpReply& reply, const HttpHead& head, const std::string& policy,
                std::size_t body_bytes);

}  // namespace engram::bridge
