// SPDX-License-Identifier: MIT
// Helpers that send requests to a protocol, for the tests of its operations.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "core/numbers/shapes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

namespace engram::bridge {

/// Returns the reply to a request line. Checks that the reply fits the schema, and if the request succeeded, that the
/// request and the result fit it too.
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

inline nlohmann::json ask(const std::string& line, const ProtocolLimits& limits = {}) {
  Protocol protocol({}, limits);
  return reply_to(protocol, line);
}

/// The reply to a request with one field changed, or removed if `value` is empty.
inline nlohmann::json asked_with(nlohmann::json request, const std::string& field, const std::string& value) {
  if (value.empty())
    request.erase(field);
  else
    request[field] = nlohmann::json::parse(value);
  return ask(request.dump());
}

inline nlohmann::json result_of(const std::string& line) {
  const nlohmann::json reply = ask(line);
  INFO(line << " " << reply.dump());
  REQUIRE(reply.at("ok") == true);
  return reply.at("result");
}

/// "code pointer" of an error; empty if the request succeeded.
inline std::string error_in(const nlohmann::json& reply) {
  if (reply.at("ok") == true) return {};
  const nlohmann::json& error = reply.at("error");
  return error.at("code").get<std::string>() + " " + error.value("pointer", std::string("-"));
}

inline std::vector<double> list(const core::Vector& v) { return {v.begin(), v.end()}; }

inline core::Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const core::Vector>(values.data(), static_cast<core::Index>(values.size()));
}

}  // namespace engram::bridge
