// SPDX-License-Identifier: MIT
#include "bridge/transport/http_rules.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "bridge/files/sha256.hpp"

namespace engram::bridge {
namespace {

using boost::beast::iequals;

std::string_view field(const HttpHead& head, http::field name) {
  const auto value = head[name];
  return {value.data(), value.size()};
}

// Compares secrets in constant time.
bool equal_secrets(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned>(given[i] != secret[i % secret.size()]);
  return difference == 0;
}

bool has_token(const HttpHead& head, std::string_view query, std::string_view token) {
  const std::string_view given = field(head, http::field::authorization);
  constexpr std::string_view bearer = "Bearer ", parameter = "token=";
  return (given.starts_with(bearer) && equal_secrets(given.substr(bearer.size()), token)) ||
         (query.starts_with(parameter) && equal_secrets(query.substr(parameter.size()), token));
}

// The name without port and without the brackets of an IPv6 address; empty if the text is not a host.
std::string_view host_name(std::string_view host) {
  const bool six = host.starts_with('[');
  const std::size_t end = six ? host.find(']') : std::min(host.find(':'), host.size());
  if (end == host.npos) return {};
  const std::string_view port = host.substr(end + (six ? 1 : 0));
  const bool is_port =
      port.empty() || (port.starts_with(':') && port.find_first_not_of("0123456789", 1) == port.npos);
  return is_port ? host.substr(six ? 1 : 0, end - (six ? 1 : 0)) : std::string_view();
}

bool equal_names(std::string_view a, std::string_view b) {
  return iequals({a.data(), a.size()}, {b.data(), b.size()});
}

// Whether a host name belongs to this server: a loopback name, its listening address (which may be any), or the host of
// an --origin. Ports are not compared, because the entry of a tunnel may have another one.
bool is_own_host(std::string_view host, const ServerOptions& options) {
  const std::string_view name = host_name(host);
  if (equal_names(name, "localhost") || equal_names(name, options.address)) return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(std::string(name), error);
  if (!error && address.is_loopback()) return true;
  if (!error && boost::asio::ip::make_address(options.address, error).is_unspecified() && !error) return true;
  return std::ranges::any_of(options.origins, [&](std::string_view origin) {
    const std::size_t scheme = origin.find("://");
    return scheme != origin.npos && equal_names(name, host_name(origin.substr(scheme + 3)));
  });
}

bool is_allowed_origin(std::string_view origin, std::string_view host, const ServerOptions& options) {
  if (std::ranges::find(options.origins, origin) != options.origins.end()) return true;
  return !options.page.empty() && origin == "http://" + std::string(host);
}

std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto value = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string text;
  unsigned bits = 0, held = 0;
  for (const char c : hex) {
    held = held << 4 | value(c);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    text += digits[held >> bits & 63];
    held &= (1U << bits) - 1;
  }
  if (bits > 0) text += digits[held << (6 - bits) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// A policy source (hash) for each element with this name.
std::string hash_sources(std::string_view page, const std::string& name) {
  std::string sources;
  const std::string begin = "<" + name, end = "</" + name + ">";
  for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at)) {
    at = std::min(page.find('>', at), page.size() - 1) + 1;
    const std::string_view text = page.substr(at, page.find(end, at) - at);
    sources += " 'sha256-" + base64_of_hex(sha256_of_text(text)) + "'";
    at += text.size();
  }
  return sources.empty() ? " 'none'" : sources;
}

}  // namespace

std::optional<HttpReply> reply_to(const HttpHead& head, const ServerOptions& options) {
  const std::string_view target(head.target().data(), head.target().size());
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(question + 1, target.size()));
  const std::string_view host = field(head, http::field::host);
  const bool has_page = !options.page.empty();
  if (has_page && head.count(http::field::host) != 1)
    return HttpReply{http::status::bad_request,
                     "a request must have one Host, found " + std::to_string(head.count(http::field::host))};
  if (has_page && !is_own_host(host, options))
    return HttpReply{http::status::misdirected_request,
                     "this Host is not a name of this server: use localhost, its --address or an --origin"};
  if (head.count(http::field::origin) > 0 &&
      !is_allowed_origin(field(head, http::field::origin), host, options))
    return HttpReply{http::status::forbidden, "this Origin may not connect; see --origin"};
  if (!options.token.empty() && !has_token(head, query, options.token))
    return HttpReply{http::status::unauthorized,
                     "a token is needed: Authorization: Bearer TOKEN, or /?token=TOKEN"};
  if (target.substr(0, question) != "/") return HttpReply{http::status::not_found, "the only path is /"};
  if (boost::beast::websocket::is_upgrade(head)) return std::nullopt;
  if (!has_page) return HttpReply{http::status::upgrade_required, "this server accepts only websockets"};
  if (head.method() != http::verb::get && head.method() != http::verb::head)
    return HttpReply{http::status::method_not_allowed, "only GET and HEAD are allowed"};
  return HttpReply{http::status::ok, ""};
}

std::string content_security_policy(std::string_view page) {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data: "
         "blob:; "
         "worker-src blob:; script-src" +
         hash_sources(page, "script") + "; style-src" + hash_sources(page, "style");
}

void set_fields(http::fields& fields, const HttpReply& reply, const HttpHead& head, const std::string& policy,
                std::size_t body_bytes) {
  using http::field;
  fields.set(field::connection, "close");
  fields.set(field::content_length, std::to_string(body_bytes));
  fields.set(field::cache_control, "no-store");
  fields.set("X-Content-Type-Options", "nosniff");
  fields.set("Referrer-Policy", "no-referrer");
  fields.set("Cross-Origin-Resource-Policy", "same-origin");
  if (reply.status == http::status::ok) {
    fields.set(field::content_type, "text/html; charset=utf-8");
    fields.set("Cross-Origin-Opener-Policy", "same-origin");
    // Not all browsers apply 'self' to websockets of the same origin.
    const auto host = head[field::host];
    fields.set("Content-Security-Policy",
               policy + "; connect-src 'self' ws://" + std::string(host.data(), host.size()));
    return;
  }
  fields.set(field::content_type, "text/plain; charset=utf-8");
  if (reply.status == http::status::unauthorized) fields.set(field::www_authenticate, "Bearer");
  if (reply.status == http::status::service_unavailable) fields.set(field::retry_after, "1");
  if (reply.status == http::status::upgrade_required) fields.set(field::upgrade, "websocket");
  if (reply.status == http::status::method_not_allowed) fields.set(field::allow, "GET, HEAD");
}

}  // namespace engram::bridge
