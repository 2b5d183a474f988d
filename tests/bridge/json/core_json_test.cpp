// SPDX-License-Identifier: MIT
#include "bridge/json/core_json.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

std::string options_error(const char* text) {
  const Json json = Json::parse(text);
  try {
    options_in(JsonValue(json, JsonPlace("/options")));
  } catch (const JsonError& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("options survive a round trip through JSON exactly", "[bridge][json]") {
  const core::Options options{{"map", "softmax"}, {"beta", 0.1 + 0.2}, {"steps", 3.0}};
  const Json json = options_json(options);
  CHECK(json.dump() == R"({"beta":0.30000000000000004,"map":"softmax","steps":3.0})");
  CHECK(options_in(JsonValue(json)) == options);
  CHECK(options_json({}).dump() == "{}");
  const Json nothing = Json::object(), whole = Json::parse(R"({"steps": 3})");
  const JsonValue none(nothing);
  CHECK(options_in(none["options"]).empty());
  CHECK(options_in(JsonValue(whole)) == core::Options{{"steps", 3.0}});
}

TEST_CASE("option values must be numbers or strings", "[bridge][json]") {
  CHECK(options_error("{}").empty());
  CHECK(options_error(R"(["beta"])") == "/options: expected an object, found an array");
  for (const auto& [value, found] :
       {std::pair("true", "true"), {"null", "null"}, {"[1]", "an array"}, {"{}", "an object"}})
    CHECK(options_error((R"({"beta": )" + std::string(value) + "}").c_str()) ==
          "/options/beta: expected a number or a text, found " + std::string(found));
}

}  // namespace engram::bridge
