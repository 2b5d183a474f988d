// SPDX-License-Identifier: MIT
// Helpers that send requests to a protocol, for the tests of its operations.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "core/numbers/shapes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

namespace engram::bridge {

/// Returns the reply to a request line. Checks the reply against the schema. If the request succeeded, also checks the
/// request and the result.
inline nlohmann::json reply_to(Protocol& protocol, const std::string& line) {
  static const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/protocol.schema.json");
  const std::string text = protocol.handle(line);
  const nlohmann::json reply = nlohmann::json::parse(text);
  INFO(line.substr(0, 1000) << "\n" << text.substr(0, 1000));
  CHECK(text.find('\n') == std::string::npos);
  CHECK(schema.flaw(reply, "/$defs/reply") == "");
  if (reply.at("ok") == true) {
    const nlohmann::json request = nlohmann::json::parse(line);
    const auto op = request.at("op").get<std::string>();
    CHECK(schema.flaw(request, "/$defs/requests/" + op) == "");
    CHECK(schema.flaw(reply.at("result"), "/$defs/results/" + op) == "");
  }
  return reply;
}

template <std::same_as<nlohmann::json> Json>
Json reply_to(Protocol& protocol, const Json& request) {
  return reply_to(protocol, request.dump());
}

/// The reply of a new protocol to one request, which is a line or JSON.
template <class Request>
nlohmann::json ask(const Request& request, const ProtocolLimits& limits = {}) {
  Protocol protocol({}, limits);
  return reply_to(protocol, request);
}

/// The reply of a new protocol to a request with one field changed. `value` is JSON text; if it is empty, the field is
/// removed.
inline nlohmann::json asked_with(nlohmann::json request, const std::string& field, const std::string& value) {
  if (value.empty())
    request.erase(field);
  else
    request[field] = nlohmann::json::parse(value);
  return ask(request);
}

/// The error of a reply as "code pointer", or "" if the request succeeded. The pointer is - if there is none.
inline std::string error_in(const nlohmann::json& reply) {
  if (reply.at("ok") == true) return {};
  const nlohmann::json& error = reply.at("error");
  return error.at("code").get<std::string>() + " " + error.value("pointer", std::string("-"));
}

/// Checks the error for several values of one field. Each row is a value as JSON text, and the error as error_in()
/// returns it.
inline void check_errors(const nlohmann::json& request, const std::string& field,
                         const std::vector<std::pair<std::string, std::string>>& rows) {
  for (const auto& [value, error] : rows) {
    INFO(request.dump().substr(0, 1000) << " with " << field << " " << value);
    CHECK(error_in(asked_with(request, field, value)) == error);
  }
}

/// The result of a request, which must succeed.
inline nlohmann::json result_of(Protocol& protocol, const nlohmann::json& request) {
  const nlohmann::json reply = reply_to(protocol, request);
  INFO(request.dump().substr(0, 1000) << " " << reply.dump().substr(0, 2000));
  REQUIRE(reply.at("ok") == true);
  return reply.at("result");
}
template <class Request>
nlohmann::json result_of(const Request& request) {
  const nlohmann::json reply = ask(request);
  INFO(request << " " << reply.dump());
  REQUIRE(reply.at("ok") == true);
  return reply.at("result");
}

/// Sends Narsese and requires that every line is accepted.
inline void tell(Protocol& protocol, const std::string& narsese) {
  REQUIRE(result_of(protocol, {{"op", "input"}, {"narsese", narsese}}).at("rejected").empty());
}

inline core::Matrix matrix(const std::vector<std::vector<double>>& rows) {
  core::Matrix m(static_cast<core::Index>(rows.size()), static_cast<core::Index>(rows[0].size()));
  for (core::Index i = 0; i < m.rows(); ++i)
    for (core::Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

/// The rows of a matrix as JSON.
inline nlohmann::json rows(const core::Matrix& m) {
  nlohmann::json json = nlohmann::json::array();
  for (core::Index i = 0; i < m.rows(); ++i)
    json.push_back(std::vector<double>(m.data() + i * m.cols(), m.data() + (i + 1) * m.cols()));
  return json;
}

inline std::vector<double> list(const core::Vector& v) { return {v.begin(), v.end()}; }

inline core::Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const core::Vector>(values.data(), static_cast<core::Index>(values.size()));
}

}  // namespace engram::bridge
