// SPDX-License-Identifier: MIT
#include "bridge/transport/http_rules.hpp"

#include <sstream>
#include <string>

#include "bridge/transport/server.hpp"
#include "tests/support/catch.hpp"

using namespace engram;

namespace {

// A request with these lines, of which the first is "GET /" or another method and path.
bridge::HttpRequest request_of(const std::string& lines) {
  bridge::HttpRequest request;
  std::istringstream in(lines);
  std::string line;
  in >> request.method >> request.target;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank), value = line.substr(blank + 1);
    if (name == "Host:") request.hosts.push_back(value);
    if (name == "Origin:") request.origins.push_back(value);
    if (name == "Authorization:") request.authorization = value;
    if (name == "Upgrade:") request.is_upgrade = true;
  }
  return request;
}

const std::string upgrade = "\nUpgrade: websocket";

// The HTTP status of the reply, or 101 if the request is upgraded to a websocket.
unsigned status_of(const bridge::ServerOptions& options, const std::string& lines) {
  const auto reply = bridge::reply_to(request_of(lines), options);
  return reply ? reply->status : 101;
}

bridge::ServerOptions with_page() {
  bridge::ServerOptions options;
  options.page = "<p>page</p>";
  return options;
}

}  // namespace

TEST_CASE("the page is served only for the server's own host names", "[bridge][page]") {
  bridge::ServerOptions options = with_page();
  for (const char* host : {"127.0.0.1:80", "localhost", "LocalHost:8000", "[::1]:8000", "127.0.0.2:1"})
    CHECK(status_of(options, std::string("GET /\nHost: ") + host) == 200);
  for (const char* host :
       {"evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "",
        ":80", "[", "[]", "[::1", "localhost@evil.example", "2130706433", "localhost:80; script-src *",
        "localhost:x", "[::1]x", "[::1]]"}) {
    CAPTURE(host);
    CHECK(status_of(options, std::string("GET /\nHost: ") + host) == 421);
    CHECK(status_of(options, std::string("GET /\nHost: ") + host + upgrade) == 421);
  }
  CHECK(status_of(options, "GET /") == 400);
  CHECK(status_of(options, "GET /\nHost: localhost\nHost: evil.example") == 400);
  options.address = "10.0.0.1";
  CHECK(status_of(options, "GET /\nHost: 10.0.0.1:80") == 200);
  CHECK(status_of(options, "GET /\nHost: 10.0.0.2:80") == 421);
  options.address = "0.0.0.0";
  CHECK(status_of(options, "GET /\nHost: 10.0.0.2:80") == 200);
  CHECK(status_of(options, "GET /\nHost: evil.example") == 421);
  options.origins = {"https://brain.example:8443"};
  CHECK(status_of(options, "GET /\nHost: brain.example") == 200);
  // A server without a page checks only the Origin header.
  CHECK(status_of({}, "GET /\nHost: evil.example" + upgrade) == 101);
  CHECK(status_of({}, "GET /\nHost: localhost") == 426);
}

TEST_CASE("websockets are accepted from the page's own origin and from allowed origins", "[bridge][page]") {
  bridge::ServerOptions options = with_page();
  const std::string here = "GET /\nHost: localhost:8000" + upgrade;
  CHECK(status_of(options, here) == 101);
  CHECK(status_of(options, here + "\nOrigin: http://localhost:8000") == 101);
  for (const char* other :
       {"http://localhost:8001", "http://localhost", "https://localhost:8000", "http://127.0.0.1:8000",
        "null", "", "http://evil.example", "http://localhost:8000.evil.example"}) {
    CAPTURE(other);
    CHECK(status_of(options, here + "\nOrigin: " + other) == 403);
  }
  options.origins = {"http://127.0.0.1:8000"};
  CHECK(status_of(options, here + "\nOrigin: http://127.0.0.1:8000") == 101);
  CHECK(status_of({}, here + "\nOrigin: http://localhost:8000") == 403);  // no page, no own origin
}

TEST_CASE("the page needs the token too, which is checked before path and method", "[bridge][page]") {
  bridge::ServerOptions options = with_page();
  options.token = "secret";
  const std::string host = "\nHost: localhost";
  for (const char* target :
       {"/", "/?token=", "/?token=secreu", "/?token=secretsecret", "/?Token=secret", "/other"})
    CHECK(status_of(options, std::string("GET ") + target + host) == 401);
  CHECK(status_of(options, "GET /?token=secret" + host) == 200);
  CHECK(status_of(options, "GET /" + host + "\nAuthorization: Bearer secret") == 200);
  CHECK(status_of(options, "GET /?token=secret" + host + upgrade) == 101);
  CHECK(status_of(options, "GET /other?token=secret" + host) == 404);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"})
    CHECK(status_of(options, std::string(method) + " /?token=secret" + host) == 405);
  CHECK(status_of(options, "HEAD /?token=secret" + host) == 200);
  CHECK(status_of(with_page(), "GET http://localhost/" + host) == 404);
}

TEST_CASE("the content security policy allows only the page's own scripts and styles", "[bridge][page]") {
  const std::string policy = bridge::content_security_policy(
      "<style>p { }</style><script>alert(1)</script>text<script defer>\nlet a = 1;</script>");
  // The hash is the output of: echo -n 'alert(1)' | openssl dgst -sha256 -binary | openssl base64
  CHECK(policy.find("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=' 'sha256-") !=
        policy.npos);
  CHECK(policy.find("style-src 'sha256-") != policy.npos);
  CHECK(policy.find("unsafe") == policy.npos);
  CHECK(policy.find("default-src 'none'") != policy.npos);
  CHECK(bridge::content_security_policy("<p>none</p>").ends_with("script-src 'none'; style-src 'none'"));
  // The policy of a page with an unclosed script still restricts scripts.
  CHECK(bridge::content_security_policy("<script").find("script-src") != policy.npos);

  const std::string head = bridge::reply_head({}, request_of("GET /\nHost: localhost:8000"), policy, 12);
  CHECK(head.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(head.ends_with("\r\n\r\n"));
  for (const std::string& field :
       {"Content-Security-Policy: " + policy + "; connect-src 'self' ws://localhost:8000",
        std::string("X-Content-Type-Options: nosniff"), std::string("Referrer-Policy: no-referrer"),
        std::string("Cache-Control: no-store"), std::string("Content-Length: 12")})
    CHECK(head.find("\r\n" + field + "\r\n") != head.npos);
}

TEST_CASE("the window is one page without external resources", "[bridge][page]") {
  const std::string_view page = bridge::window_page();
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("</html>") != page.npos);
  for (const char* outside :
       {" src=\"", " src='", "<link rel=\"stylesheet\"", "@import", "url(http", "<!-- include"}) {
    CAPTURE(outside);
    CHECK(page.find(outside) == page.npos);
  }
}
