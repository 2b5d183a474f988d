// SPDX-License-Identifier: MIT
#include "bridge/json/object_reader.hpp"

#include <array>

#include "tests/support/catch.hpp"

using namespace engram;
using bridge::JsonError;
using bridge::JsonValue;
using bridge::ObjectReader;

namespace {

// What a reader says of a text: "" where nothing is wrong.
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

TEST_CASE("a value that is wrong is told with its place, what was expected and what was found",
          "[bridge][json]") {
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

TEST_CASE("whole numbers are read to the last one that 64 bits hold", "[bridge][json]") {
  const auto count = [](const JsonValue& root) { root.list()[0].count(1); };
  CHECK(complaint("[18446744073709551615]", count) == "");
  for (const char* text : {"[0]", "[-1]", "[1.0]", "[1e3]", "[18446744073709551616]", "[true]"})
    CHECK(complaint(text, count).starts_with("/0: expected a whole number in [1, 18446744073709551615], "));
  const auto whole = [](const JsonValue& root) { root.list()[0].whole_number(-5, 5); };
  CHECK(complaint("[-5]", whole) == "");
  CHECK(complaint("[-6]", whole) == "/0: expected a whole number in [-5, 5], found -6");
  CHECK(complaint("[9223372036854775808]", whole).starts_with("/0: expected a whole number in [-5, 5], "));
}

TEST_CASE("what nobody asked for is refused, with the name that was perhaps meant", "[bridge][json]") {
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

TEST_CASE("a choice names all that there are", "[bridge][json]") {
  const std::array<std::string, 2> known{"past", "future"};
  const auto read = [&](const JsonValue& root) { root.list()[0].choice("a tense", known); };
  CHECK(complaint(R"(["past"])", read) == "");
  CHECK(complaint(R"(["futur"])", read) ==
        R"(/0: expected a tense, one of "past", "future", found "futur" (did you mean "future"?))");
  CHECK(complaint("[3]", read) == R"(/0: expected a tense, one of "past", "future", found 3)");
}
