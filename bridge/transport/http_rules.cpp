// SPDX-License-Identifier: MIT
#include "bridge/transport/http_rules.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <stdexcept>

namespace engram::bridge {
namespace {

using boost::beast::iequals;

// Compares secrets of equal length in constant time.
bool equal_secrets(std::string_view given, std::string_view secret) {
  return given.size() == secret.size() && CRYPTO_memcmp(given.data(), secret.data(), secret.size()) == 0;
}

bool has_token(std::string_view given, std::string_view query, std::string_view token) {
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

std::string base64_of_sha256(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available");
  std::array<unsigned char, 45> base64{};  // 4 characters for 3 bytes, and a NUL
  EVP_EncodeBlock(base64.data(), digest.data(), digest.size());
  return reinterpret_cast<const char*>(base64.data());
}

// A policy source (hash) for each element with this name.
std::string hash_sources(std::string_view page, const std::string& name) {
  std::string sources;
  const std::string begin = "<" + name, end = "</" + name + ">";
  for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at)) {
    at = std::min(page.find('>', at), page.size() - 1) + 1;
    const std::string_view text = page.substr(at, page.find(end, at) - at);
    sources += " 'sha256-" + base64_of_sha256(text) + "'";
    at += text.size();
  }
  return sources.empty() ? " 'none'" : sources;
}

}  // namespace

std::optional<HttpReply> reply_to(const HttpRequest& request, const ServerOptions& options) {
  const std::string_view target = request.target;
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(question + 1, target.size()));
  const std::string_view host = request.hosts.empty() ? "" : std::string_view(request.hosts.front());
  const bool has_page = !options.page.empty();
  if (has_page && request.hosts.size() != 1)
    return HttpReply{400, "a request must have one Host, found " + std::to_string(request.hosts.size())};
  if (has_page && !is_own_host(host, options))
    return HttpReply{421,
                     "this Host is not a name of this server: use localhost, its --address or an --origin"};
  if (!request.origins.empty() && !is_allowed_origin(request.origins.front(), host, options))
    return HttpReply{403, "this Origin may not connect; see --origin"};
  if (!options.token.empty() && !has_token(request.authorization, query, options.token))
    return HttpReply{401, "a token is needed: Authorization: Bearer TOKEN, or /?token=TOKEN"};
  if (target.substr(0, question) != "/") return HttpReply{404, "the only path is /"};
  if (request.is_upgrade) return std::nullopt;
  if (!has_page) return HttpReply{426, "this server accepts only websockets"};
  if (request.method != "GET" && request.method != "HEAD")
    return HttpReply{405, "only GET and HEAD are allowed"};
  return HttpReply{};
}

std::string content_security_policy(std::string_view page) {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
         "img-src data: blob:; worker-src blob:; script-src" +
         hash_sources(page, "script") + "; style-src" + hash_sources(page, "style");
}

std::string reply_head(const HttpReply& reply, const HttpRequest& request, const std::string& policy,
                       std::size_t body_bytes) {
  namespace http = boost::beast::http;
  const std::string phrase(http::obsolete_reason(http::int_to_status(reply.status)));
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " " + phrase +
                     "\r\nConnection: close"
                     "\r\nCache-Control: no-store"
                     "\r\nX-Content-Type-Options: nosniff"
                     "\r\nReferrer-Policy: no-referrer"
                     "\r\nCross-Origin-Resource-Policy: same-origin"
                     "\r\nContent-Length: " +
                     std::to_string(body_bytes);
  if (reply.status == 200)
    head +=
        "\r\nContent-Type: text/html; charset=utf-8"
        "\r\nCross-Origin-Opener-Policy: same-origin"
        // Not all browsers apply 'self' to websockets of the same origin.
        "\r\nContent-Security-Policy: " +
        policy + "; connect-src 'self' ws://" + request.hosts.front();
  else
    head += "\r\nContent-Type: text/plain; charset=utf-8";
  if (reply.status == 401) head += "\r\nWWW-Authenticate: Bearer";
  if (reply.status == 405) head += "\r\nAllow: GET, HEAD";
  if (reply.status == 426) head += "\r\nUpgrade: websocket";
  if (reply.status == 503) head += "\r\nRetry-After: 1";
  return head + "\r\n\r\n";
}

}  // namespace engram::bridge
