// SPDX-License-Identifier: MIT
// A check of the protocol's replies, which several fuzz targets share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/fuzz/promise.hpp"
#include "tests/support/json_schema.hpp"

namespace engram::fuzz {

/// Checks that a reply is one line and fits the schema. If the request was accepted, the request and its result must
/// fit, too.
/// `request`  the line that the protocol answered
/// `input`    the fuzz input, for messages about broken promises
/// Returns  the parsed reply
inline nlohmann::json checked_reply(std::string_view request, const std::string& text,
                                    std::string_view input) {
  static const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/protocol.schema.json");
  const auto require = [&](bool kept, const char* what, const std::string& flaw = {}) {
    if (!kept) promise(false, what, input, flaw + " (" + std::string(request) + " gives " + text + ")");
  };
  require(text.find('\n') == std::string::npos, "a reply is one line");
  nlohmann::json reply = nlohmann::json::parse(text, nullptr, false);
  require(reply.is_object(), "a reply is a JSON object");
  const auto require_fit = [&](const nlohmann::json& json, const std::string& place, const char* what) {
    const std::string flaw = schema.flaw(json, place);
    require(flaw.empty(), what, flaw);
  };
  require_fit(reply, "/$defs/reply", "a reply fits the schema");
  if (!reply.at("ok").get<bool>()) {
    require(reply.at("error").at("code") != "internal", "no error is internal");
    return reply;
  }
  const nlohmann::json accepted = nlohmann::json::parse(request);
  const auto op = accepted.at("op").get<std::string>();
  require(accepted.value("id", nlohmann::json()) == reply.at("id"), "the reply repeats the id");
  require_fit(accepted, "/$defs/requests/" + op, "an accepted request fits the schema");
  require_fit(reply.at("result"), "/$defs/results/" + op, "a result fits the schema");
  return reply;
}

}  // namespace engram::fuzz
