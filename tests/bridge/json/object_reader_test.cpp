// SPDX-License-Identifier: MIT
#include "bridge/json/object_reader.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

using namespace engram;
using bridge::JsonError;
using bridge::JsonValue;
using bridge::ObjectReader;

namespace {

// The message of the error that `reader` finds in the JSON `text`, or "" if it finds none.
template <class Reader>
std::string complaint(const char* text, Reader reader) {
  const auto json = bridge::read_json(text);
  REQUIRE(json);
  try {
    reader(JsonValue(*json));
    return {};
  } catch (const JsonError& error) {
    constexpr std::array<const char*, 4> kinds{"", "limit ", "missing ", "unknown "};
    return kinds[static_cast<std::size_t>(error.kind)] + error.message();
  }
}

}  // namespace

TEST_CASE("an error has the pointer of the value, and the expected and the found value", "[bridge][json]") {
  const auto share = [](const JsonValue& root) {
    const JsonValue list = root["a/b"];
    list.list()[1].number(0, 1);
  };
  CHECK(complaint(R"({"a/b": [7, 0.5]})", share) == "");
  CHECK(complaint(R"({"a/b": [7, 2]})", share) == "/a~1b/1: expected a number in [0, 1], found 2");
  CHECK(complaint(R"({"a/b": [7, "x"]})", share) == "/a~1b/1: expected a number in [0, 1], found \"x\"");
  CHECK(complaint(R"({"a/b": 7})", share) == "/a~1b: expected a list, found 7");
  CHECK(complaint("{}", share) == "missing /a~1b: expected a list, found nothing");
  CHECK(complaint("[]", [](const JsonValue& root) { ObjectReader object(root); }) ==
        "expected an object, found an array");
}

TEST_CASE("whole numbers of up to 64 bits are read exactly", "[bridge][json]") {
  const auto count = [](const JsonValue& root) { root.list()[0].count(1); };
  CHECK(complaint("[18446744073709551615]", count) == "");
  for (const char* text : {"[0]", "[-1]", "[1.5]", "[1e-3]", "[18446744073709551616]", "[1e20]", "[true]"})
    CHECK(complaint(text, count)
              .starts_with("/0: expected a whole number of at least 1 in the range of 64 bits, "));
  const auto whole = [](const JsonValue& root) { root.list()[0].whole_number(-5, 5); };
  CHECK(complaint("[-5]", whole) == "");
  CHECK(complaint("[-6]", whole) == "/0: expected a whole number in [-5, 5], found -6");
  CHECK(complaint("[9223372036854775808]", whole).starts_with("/0: expected a whole number in [-5, 5], "));
}

TEST_CASE("a whole number may be written with a point or an exponent", "[bridge][json]") {
  const auto value_of = [](const char* text) {
    return *bridge::whole_in<std::uint64_t>(*bridge::read_json(text));
  };
  const auto signed_of = [](const char* text) {
    return *bridge::whole_in<std::int64_t>(*bridge::read_json(text));
  };
  CHECK(value_of("2.0") == 2);
  CHECK(value_of("100.0") == 100);
  CHECK(value_of("1e3") == 1000);
  CHECK(value_of("-0.0") == 0);
  // A program may store a positive whole number as a signed one.
  CHECK(bridge::whole_in<std::uint64_t>(bridge::Json(2)) == 2);
  CHECK_FALSE(bridge::whole_in<std::uint64_t>(bridge::Json(-2)));
  CHECK(value_of("9007199254740993") == 9007199254740993);
  CHECK(value_of("9223372036854775808.0") == std::uint64_t{1} << 63);
  CHECK(signed_of("-5.0") == -5);
  for (const char* none : {"2.5", "-1", "-1.0", "18446744073709551616.0", "1e300", "\"2\"", "null", "true"})
    CHECK_FALSE(bridge::whole_in<std::uint64_t>(*bridge::read_json(none)));
  for (const char* none : {"9223372036854775808", "9223372036854775808.0", "-9223372036854775809", "0.1"})
    CHECK_FALSE(bridge::whole_in<std::int64_t>(*bridge::read_json(none)));
}

TEST_CASE("bounds near the limits of double appear in words, not as 309 digits", "[bridge][json]") {
  const auto message_for = [](double least, double most, const char* text = "[null]") {
    return complaint(text, [&](const JsonValue& root) { root.list()[0].number(least, most); });
  };
  constexpr double most = std::numeric_limits<double>::max();
  CHECK(message_for(std::numeric_limits<double>::denorm_min(), most, "[0]") ==
        "/0: expected a number above 0, found 0");
  CHECK(message_for(std::numeric_limits<double>::min(), most) == "/0: expected a number above 0, found null");
  CHECK(message_for(1e-300, 1e300) == "/0: expected a number above 0, found null");
  CHECK(message_for(1e-300, 1e250) == "/0: expected a number above 0 and at most 1e250, found null");
  CHECK(message_for(2.5e-9, 1e100) == "/0: expected a number in [2.5e-09, 1e100], found null");
  CHECK(message_for(0, most) == "/0: expected a number of at least 0, found null");
  CHECK(message_for(1, 1e300) == "/0: expected a number of at least 1, found null");
  CHECK(message_for(-1e300, 2) == "/0: expected a number of at most 2, found null");
  CHECK(message_for(-1e300, 1e300) == "/0: expected a number in the range of a double, found null");
  CHECK(message_for(-0.5, 0.5) == "/0: expected a number in [-0.5, 0.5], found null");
}

TEST_CASE("an unknown member is refused, with the most similar name as suggestion", "[bridge][json]") {
  const auto read = [](const JsonValue& root) {
    ObjectReader object(root);
    object["frequency"].number();
    if (const JsonValue more = object["more"]) more.flag();
    object.refuse_others();
  };
  CHECK(complaint(R"({"more": true, "frequency": 1})", read) == "");
  CHECK(complaint(R"({"frequency": 1, "mre": true})", read) ==
        R"(unknown /mre: expected no members but "frequency", "more", found "mre" (did you mean "more"?))");
  CHECK(complaint(R"({"x": 1})", [](const JsonValue& root) { ObjectReader(root).refuse_others(); }) ==
        R"(unknown /x: expected no members, found "x")");
}

TEST_CASE("an unknown choice lists all choices", "[bridge][json]") {
  const std::array<std::string, 2> known{"past", "future"};
  const auto read = [&](const JsonValue& root) { root.list()[0].choice("a tense", known); };
  CHECK(complaint(R"(["past"])", read) == "");
  CHECK(complaint(R"(["futur"])", read) ==
        R"(/0: expected a tense, one of "past", "future", found "futur" (did you mean "future"?))");
  CHECK(complaint("[3]", read) == R"(/0: expected a tense, one of "past", "future", found 3)");
}
