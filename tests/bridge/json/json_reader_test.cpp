// SPDX-License-Identifier: MIT
#include "bridge/json/json_reader.hpp"

#include <nlohmann/json.hpp>

#include "narsese/text.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::JsonLimits;
using bridge::read_json;

namespace {

std::optional<bridge::JsonError> json_error(std::string_view text, const JsonLimits& limits = {}) {
  const auto json = read_json(text, limits);
  return json ? std::nullopt : std::optional(json.error());
}

// The error in a text as "OFFSET MESSAGE", or "" for valid JSON.
std::string flaw(std::string_view text, const JsonLimits& limits = {}) {
  const auto error = json_error(text, limits);
  return error ? std::to_string(error->offset) + " " + error->message() : "";
}

}  // namespace

TEST_CASE("json_error accepts valid JSON", "[bridge][json]") {
  for (const char* text : {"null", "-0", "1e-400", "\"\\ud83d\\udc26 \\u0000\"", " [ ] ",
                           "{\"\":0,\"a\":{\"\":0}}\n", "[{\"a\":1},{\"a\":1}]", "[[[]],[[]]]"})
    CHECK(flaw(text) == "");
}

TEST_CASE("a JSON syntax error has its byte offset", "[bridge][json]") {
  CHECK(flaw("").starts_with("0 expected "));
  CHECK(flaw("nul") == "3 expected JSON, found invalid literal");
  CHECK(flaw("{} {}").starts_with("3 expected end of input, found "));
  CHECK(flaw("{\"a\" 1}") == "5 expected ':', found number literal");
  CHECK(flaw("[1,]").starts_with("3 expected "));
  CHECK(flaw("[NaN]").starts_with("1 expected JSON, found "));
  CHECK(flaw("[01]").starts_with("2 expected "));
  CHECK(flaw("['a']").starts_with("1 expected JSON, found "));
  CHECK(flaw("// a\n1").starts_with("0 expected JSON, found "));
  CHECK(flaw("\"a\nb\"").starts_with("2 expected JSON, found invalid string"));
  CHECK(flaw("\"\\ud800\"").starts_with("7 expected JSON, found invalid string"));
  CHECK(flaw("\"\\udc00\"").starts_with("6 expected JSON, found invalid string"));
  CHECK(flaw("\"\xff\"").starts_with("1 expected JSON, found invalid string"));
  // Bytes of a lone surrogate, which are invalid UTF-8.
  CHECK(flaw("\"\xed\xa0\x80\"").starts_with("2 expected JSON, found invalid string"));
  CHECK(flaw(std::string_view("{}\0{", 4)) == "2 expected JSON, found a NUL byte");
  CHECK(flaw(std::string_view("{}\0", 3)) == "2 expected JSON, found a NUL byte");
}

TEST_CASE("columns count code points", "[bridge][json]") {
  CHECK(json_error("[\"ü鸟\",x]")->offset == 9);
  CHECK(json_error("[\"ü鸟\",x]")->column == 7);
  CHECK(json_error(std::string_view("\"ü\0\"", 5))->column == 3);
}

TEST_CASE("duplicate member names are errors", "[bridge][json]") {
  CHECK(flaw("{\"a\":1,\"b\":2,\"a\":1}") == "0 /a: expected each name once in an object, found one twice");
  CHECK(flaw("{\"a\":1,\"\\u0061\":1}") == "0 /a: expected each name once in an object, found one twice");
  CHECK(flaw("{\"~/\":[0,[],{\"a\":{},\"a\":0}]}").starts_with("0 /~0~1/2/a: "));
}

TEST_CASE("numbers beyond the range of a double are errors", "[bridge][json]") {
  CHECK(flaw("{\"a\":[0,{},-1e999]}")
            .ends_with(" /a/2: expected a number in the range of a double, found -1e999"));
  CHECK(flaw("1" + std::string(1000, '0')).ends_with("found 100000000000000000000000"));
  CHECK(flaw("123456789012345678901234567890") == "");
}

TEST_CASE("nesting depth and length are limited", "[bridge][json]") {
  CHECK(flaw("[[0]]", {.max_depth = 2}) == "");
  CHECK(flaw("[{\"a\":[0]}]", {.max_depth = 2}) ==
        "0 /0/a: expected at most 2 levels of arrays and objects, found more");
  CHECK(flaw(std::string(1000000, '['), {.max_depth = 3}).starts_with("0 /0/0/0: expected at most 3 "));
  CHECK(flaw("[1]", {.max_bytes = 3}) == "");
  CHECK(flaw("[10]", {.max_bytes = 3}) == "0 expected at most 3 bytes of JSON, found 4");
}

TEST_CASE("the check for duplicate names does not compare all pairs", "[bridge][json]") {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i)
    text += '"' + std::to_string(i) + "\":0,";  // comparing all pairs would take 20 billion comparisons
  CHECK(flaw(text + "\"x\":0}", {.max_bytes = text.size() + 6}) == "");
  CHECK(flaw(text + "\"7\":0}", {.max_bytes = text.size() + 6}).starts_with("0 /7: "));
}

TEST_CASE("values and members are limited, and parsing stops at the limit", "[bridge][json]") {
  CHECK(flaw("[1,{\"a\":[]},\"x\",null]", {.max_values = 6}) == "");
  CHECK(flaw("[1,{\"a\":[]},\"x\",null]", {.max_values = 5}) ==
        "0 /3: expected at most 5 values, found more");
  CHECK(flaw("[1,{\"a\":[]},\"x\",null]", {.max_values = 3}) ==
        "0 /1/a: expected at most 3 values, found more");
  CHECK(flaw("[[],[],[] and no JSON", {.max_values = 3}).starts_with("0 /2: expected at most 3 values"));
  CHECK(flaw("{\"a\":1,\"b\":2}", {.max_members = 2}) == "");
  CHECK(flaw("{\"a\":{},\"b\":2,\"c\":3}", {.max_members = 2}) ==
        "0 /c: expected at most 2 members in an object, found more");
  CHECK(json_error("[[]]", {.max_depth = 1})->kind == bridge::JsonError::Kind::limit);
  CHECK(json_error("[[]]", {.max_bytes = 3})->kind == bridge::JsonError::Kind::limit);
  CHECK(json_error("[[]")->kind == bridge::JsonError::Kind::wrong);
  CHECK(json_error("{\"a\":1,\"a\":1}")->kind == bridge::JsonError::Kind::wrong);
}

TEST_CASE("comments are allowed if the option says so", "[bridge][json]") {
  CHECK(flaw("// a\n[1, /* b */ 2]", {.comments = true}) == "");
  CHECK(flaw("// a\n[1, 2,]", {.comments = true}).starts_with("11 expected "));
}

TEST_CASE("read_json can return the source text of a member", "[bridge][json]") {
  const auto apart = [](std::string_view text) {
    bridge::JsonMember id{"id"};
    const auto json = read_json(text, {}, &id);
    REQUIRE(json);
    return std::string(id.text) + " of " + json->dump();
  };
  for (const char* number :
       {"1.0", "-0", "1E5", "12345678901234567890123", "0.1000000000000000055511151231257827"})
    for (const char* end : {"}", " }", ",\"a\":1}", "\t ,\"a\":1}"})
      CHECK(apart(std::string("{\"id\" : ") + number + end).starts_with(std::string(number)));
  CHECK(apart("{\"a\":{\"id\":1},\"\\u0069d\":\"\\u0041 \\\"\",\"b\":2}") ==
        "\"\\u0041 \\\"\" of {\"a\":{\"id\":1},\"b\":2}");
  CHECK(apart("{\"id\":[1.0, {\"id\": [ ]}]}") == "[1.0, {\"id\": [ ]}] of {}");
  CHECK(apart("{\"id\":null,\"a\":3}") == "null of {\"a\":3}");
  CHECK(apart("{\"a\":3}") == " of {\"a\":3}");
  CHECK(apart("[{\"id\":3}]") == " of [{\"id\":3}]");
  bridge::JsonMember id{"id"};
  CHECK(read_json("{\"id\":1,\"id\":2}", {}, &id).error().pointer == "/id");
  CHECK(bridge::without_blanks(" [1 , \"a \\\" b\\\\\" ,\r\n\ttrue ] ") == "[1,\"a \\\" b\\\\\",true]");
}

TEST_CASE("JSON pointers escape ~ and /", "[bridge][json]") {
  CHECK(bridge::pointer_to("") == "/");
  CHECK(bridge::pointer_to("a/b~1") == "/a~1b~01");
}

TEST_CASE("random texts: json_error agrees with the JSON library and reports in valid UTF-8",
          "[bridge][json][fuzz]") {
  using narsese::testing::Random;
  Random random(41);
  const std::vector<std::string_view> pieces{
      "{",    "}",     "[",    "]",    ",", ":", "\"a\"", "\"b\"", "1", "-0",      "1.5", "true", "nul",
      "null", "\"\\u", "\xff", "\xc3", "ü", " ", "\n",    "\"",    "e", "{\"a\":", "[1,", "],",   "},\"c\":",
  };
  std::size_t sound = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (std::size_t n = random.below(8); n > 0; --n) text += random.pick(pieces);
    const auto error = json_error(text);
    if (!error) REQUIRE(read_json(text)->dump() == nlohmann::ordered_json::parse(text).dump());
    if (error && !error->expected.starts_with("each name")) REQUIRE_FALSE(nlohmann::json::accept(text));
    sound += error ? 0 : 1;
    if (!error) continue;
    REQUIRE(error->offset <= text.size());
    REQUIRE_FALSE(error->expected.empty());
    REQUIRE_FALSE(error->found.empty());
    REQUIRE(narsese::find_invalid_utf8(error->message()) == error->message().size());
  }
  CHECK(sound > 500);
}
