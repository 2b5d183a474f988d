// SPDX-License-Identifier: MIT
#include "core/numbers/random.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {
namespace {

using nlohmann::json;

json input(Protocol& protocol, const std::string& lines) {
  return result_of(protocol, {{"op", "input"}, {"narsese", lines}});
}

json links(Protocol& protocol, const char* as) {
  return result_of(protocol, {{"op", "links"}, {"as", as}})
      .at(0 == std::string(as).compare("json") ? "links" : "narsese");
}

std::string joined_lines(const json& list) {
  std::string text;
  for (const json& line : list) text += line.get<std::string>() + "\n";
  return text;
}

TEST_CASE("links survive a round trip through Narsese exactly", "[bridge][links]") {
  for (const char* name : {"family.nal", "living_things.nal", "day_at_the_farm.nal"}) {
    INFO(name);
    Protocol protocol;
    input(protocol, testing::read(std::string(ENGRAM_SOURCE_DIR "/experiments/data/") + name));
    const json out = links(protocol, "narsese");
    REQUIRE(out.size() > 100);
    const std::size_t count = out.size() - 2;  // all lines but the first and the last, which are comments
    REQUIRE(count == links(protocol, "json").size());
    CHECK(out.front() == "//engram: links");
    CHECK(out.back() == "//engram: statements");

    Protocol other;
    const json taken = input(other, joined_lines(out));
    CHECK(taken.at("accepted") == count);
    CHECK(taken.at("rejected").empty());
    CHECK(taken.at("cycles") == 0);
    CHECK(links(other, "narsese") == out);
    // Input of the same link a second time doubles its evidence.
    input(other, joined_lines({out[0], out[1]}));
    const json before = links(protocol, "json")[0], after = links(other, "json")[0];
    CHECK(after.at("weight").get<double>() == Approx(2 * before.at("weight").get<double>()));
    CHECK(after.at("confidence") > before.at("confidence"));
  }
}

TEST_CASE("outside a section of links a similarity is an ordinary statement", "[bridge][links]") {
  Protocol plain, marked;
  input(plain, "<a <-> b>. %0.5;0.9%");
  const json stats = result_of(plain, {{"op", "stats"}});
  CHECK(stats.at("statements") == 1);
  CHECK(stats.at("cycles") == 1);
  CHECK(stats.at("concepts") == 3);
  const json link = links(plain, "json")[0];
  CHECK(link.at("frequency") == 0.5);
  CHECK(link.at("weight") == 0.45);

  const std::string zeros(31, '0');
  input(marked, "<a <-> b>. %0.5" + zeros + ";0.9" + zeros + "%");
  CHECK(result_of(marked, {{"op", "stats"}}).at("statements") == 0);
  CHECK(links(marked, "json")[0].at("frequency") == 0.5);
  CHECK(links(marked, "json")[0].at("confidence") == 0.9);
  const json refused = input(marked, "\n<a <-> SELF>. %0.5" + zeros + ";0.9" + zeros + "%");
  CHECK(refused.at("accepted") == 0);
  CHECK(refused.at("rejected")[0].at("line") == 2);
}

TEST_CASE("links can be filtered by term and limited in number", "[bridge][links]") {
  Protocol protocol;
  input(protocol, "<a --> b>.\n<a --> c>. %1;0.5%\n<d --> e>.");
  CHECK(result_of(protocol, {{"op", "links"}}).at("links").size() == 3);
  const json of_a = result_of(protocol, {{"op", "links"}, {"term", "a"}}).at("links");
  REQUIRE(of_a.size() == 2);
  CHECK(of_a[0].at("source") == "a");
  CHECK(of_a[0].at("target") == "b");
  CHECK(result_of(protocol, {{"op", "links"}, {"term", "a"}, {"top", 1}}).at("links")[0] == of_a[0]);
  CHECK(result_of(protocol, {{"op", "links"}, {"term", "never"}}).at("links").empty());
  CHECK(
      result_of(protocol, {{"op", "links"}, {"term", "<a --> b>"}, {"as", "narsese"}}).at("narsese").empty());
  CHECK(error_in(reply_to(protocol, R"({"op":"links","term":"<a"})")) == "parse_error /term");
  const json named =
      result_of(protocol, {{"op", "links"}, {"as", "narsese"}, {"relation", "goes_with"}}).at("narsese");
  REQUIRE(named.size() == 5);
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(named[i].get<std::string>().find(" --> goes_with>. %") != std::string::npos);
  CHECK(error_in(reply_to(protocol, R"({"op":"links","relation":"{a}"})")) == "bad_value /relation");
  CHECK(error_in(reply_to(protocol, R"({"op":"links","relation":"a b"})")) == "parse_error /relation");
  CHECK(error_in(reply_to(protocol, R"({"op":"links","term":"unheard","top":0})")) == "bad_value /top");

  ProtocolLimits limits;
  limits.max_numbers = 6;
  Protocol small({}, limits);
  input(small, "<a --> b>.\n<a --> c>.\n<d --> e>.");
  CHECK(error_in(reply_to(small, R"({"op":"links"})")) == "limit_exceeded ");
  CHECK(error_in(reply_to(small, R"({"op":"links","top":2})")).empty());
}

}  // namespace
}  // namespace engram::bridge
