// SPDX-License-Identifier: MIT
#include "bridge/json_text.hpp"

#include <nlohmann/json.hpp>

#include "narsese/utf8.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::check_json;

namespace {

// "OFFSET MESSAGE", or nothing for JSON as it should be.
std::string flaw(std::string_view text, const bridge::JsonLimits& limits = {}) {
  const auto error = check_json(text, limits);
  return error ? std::to_string(error->offset) + " " + error->message() : "";
}

}  // namespace

TEST_CASE("JSON as it should be has no flaw", "[bridge][json]") {
  for (const char* text : {"null", "-0", "1e-400", "\"\\ud83d\\udc26 \\u0000\"", " [ ] ",
                           "{\"\":0,\"a\":{\"\":0}}\n", "[{\"a\":1},{\"a\":1}]", "[[[]],[[]]]"})
    CHECK(flaw(text) == "");
}

TEST_CASE("what is no JSON is told with its offset", "[bridge][json]") {
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
  CHECK(flaw("\"\xed\xa0\x80\"").starts_with("2 expected JSON, found invalid string"));  // a surrogate
  CHECK(flaw(std::string_view("{}\0{", 4)) == "2 expected JSON, found a NUL byte");
  CHECK(flaw(std::string_view("{}\0", 3)) == "2 expected JSON, found a NUL byte");
}

TEST_CASE("columns are code points", "[bridge][json]") {
  CHECK(check_json("[\"ü鸟\",x]", {})->offset == 9);
  CHECK(check_json("[\"ü鸟\",x]", {})->column == 7);
  CHECK(check_json(std::string_view("\"ü\0\"", 5), {})->column == 3);
}

TEST_CASE("a name stands once in an object", "[bridge][json]") {
  CHECK(flaw("{\"a\":1,\"b\":2,\"a\":1}") == "0 /a: expected each name once in an object, found one twice");
  CHECK(flaw("{\"a\":1,\"\\u0061\":1}") == "0 /a: expected each name once in an object, found one twice");
  CHECK(flaw("{\"~/\":[0,[],{\"a\":{},\"a\":0}]}").starts_with("0 /~0~1/2/a: "));
}

TEST_CASE("a number is in the range of a double", "[bridge][json]") {
  CHECK(flaw("{\"a\":[0,{},-1e999]}")
            .ends_with(" /a/2: expected a number in the range of a double, found -1e999"));
  CHECK(flaw("1" + std::string(1000, '0')).ends_with("found 100000000000000000000000"));
  CHECK(flaw("123456789012345678901234567890") == "");
}

TEST_CASE("depth and length are limited", "[bridge][json]") {
  CHECK(flaw("[[0]]", {.max_depth = 2}) == "");
  CHECK(flaw("[{\"a\":[0]}]", {.max_depth = 2}) ==
        "0 /0/a: expected at most 2 levels of arrays and objects, found more");
  CHECK(flaw(std::string(1000000, '['), {.max_depth = 3}).starts_with("0 /0/0/0: expected at most 3 "));
  CHECK(flaw("[1]", {.max_bytes = 3}) == "");
  CHECK(flaw("[10]", {.max_bytes = 3}) == "0 expected at most 3 bytes of JSON, found 4");
}

TEST_CASE("an object of very many members is checked without comparing each name with each",
          "[bridge][json]") {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i)
    text += '"' + std::to_string(i) + "\":0,";  // comparing each with each: 20 billion times
  CHECK(flaw(text + "\"x\":0}", {.max_bytes = text.size() + 6}) == "");
  CHECK(flaw(text + "\"7\":0}", {.max_bytes = text.size() + 6}).starts_with("0 /7: "));
}

TEST_CASE("a pointer escapes ~ and /", "[bridge][json]") {
  CHECK(bridge::pointer_to("") == "/");
  CHECK(bridge::pointer_to("a/b~1") == "/a~1b~01");
}

TEST_CASE("the check agrees with the library on what is JSON, and speaks UTF-8", "[bridge][json][fuzz]") {
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
    const auto error = check_json(text, {});
    if (!error) REQUIRE(nlohmann::json::accept(text));
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
