// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_line.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

namespace engram::bridge::stream_line_tests {

using Kind = StreamLine::Kind;

TEST_CASE("a stream line is Narsese or one of four kinds of JSON", "[bridge][stream]") {
  CHECK(read_stream_line("a. :|:").text == "a. :|:");
  CHECK(read_stream_line("{tim}. :|:").kind == Kind::narsese);  // {tim} is a set in Narsese, not JSON
  const StreamLine timed = read_stream_line(R"( {"narsese": "a. :|:", "time": -12, "relevant": true})");
  CHECK(timed.kind == Kind::narsese);
  CHECK(timed.text == "a. :|:");
  CHECK(timed.time == -12);
  CHECK(timed.relevant);
  const StreamLine cycles = read_stream_line(R"({"cycles":5})");
  CHECK((cycles.kind == Kind::cycles && cycles.cycles == 5));
  const StreamLine did = read_stream_line(R"({ "did":"^left"})");
  CHECK((did.kind == Kind::did && did.text == "^left"));
  const StreamLine asked = read_stream_line(R"({"ask":"episodes","term":"a","most":3,"id":[1,"x"]})");
  CHECK(asked.kind == Kind::question);
  CHECK(asked.question.about == StreamQuestion::About::episodes);
  CHECK((asked.question.term == "a" && asked.question.most == 3 && asked.question.id == R"([1,"x"])"));
}

TEST_CASE("an error in a JSON stream line has its pointer", "[bridge][stream]") {
  const auto message = [](const char* line) {
    const StreamLine read = read_stream_line(line);
    CHECK(read.kind == Kind::error);
    return read.message;
  };
  CHECK(message(R"({"cycles":-1})").find("/cycles") == 0);
  CHECK(message(R"({"cycles":9007199254740992})").find("/cycles") == 0);
  CHECK(message(R"({"narsese":"a.\nb.","time":1})").find("one line") != std::string::npos);
  CHECK(message(R"({"narsese":"a.","time":1.5})").find("/time") == 0);
  CHECK(message(R"({"narsese":"a.","tme":1})").find("tme") != std::string::npos);
  CHECK(message(R"({"ask":"all"})").find("/ask") == 0);
  CHECK(message(R"({"ask":"operations"})").find("/goal") == 0);
  CHECK(message(R"({"ask":"episodes","term":"a","most":0})").find("/most") == 0);
  CHECK(message(R"({"said":1})").find("narsese") != std::string::npos);
  CHECK_FALSE(message(R"({"narsese":)").empty());
  CHECK_FALSE(message(R"({"ask":"stats","id":[[[[[1]]]]]})").empty());
  CHECK(read_stream_line(R"({"narsese":"a." )").column == 17);
}

TEST_CASE("the stream's schema accepts exactly the lines that the stream accepts", "[bridge][stream]") {
  const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/stream.schema.json");
  const auto values = nlohmann::json::parse(
      R"([null,true,"a","a\nb","",0,1,-1,10000,10001,1.5,9007199254740991,9007199254740992,)"
      R"("stats","export","operations","episodes","all",[],{"a":1}])");
  const std::vector<std::string> names{"narsese", "time", "relevant", "cycles", "did", "ask",
                                       "goal",    "term", "most",     "id",     "more"};
  // Tries objects with one, two or three members, most of which are invalid.
  std::size_t good = 0, bad = 0;
  const auto check = [&](const nlohmann::json& line) {
    const bool fits = schema.flaw(line).empty();
    (fits ? good : bad) += 1;
    const bool is_read = read_stream_line(line.dump()).kind != Kind::error;
    if (fits != is_read)
      FAIL_CHECK(line.dump() << ": " << read_stream_line(line.dump()).message << schema.flaw(line));
  };
  for (const std::string& first : names)
    for (const nlohmann::json& one : values) {
      const nlohmann::json line{{first, one}};
      check(line);
      for (const std::string& second : names)
        for (const nlohmann::json& other : values) {
          if (second == first) continue;
          nlohmann::json longer = line;
          longer[second] = other;
          check(longer);
          if (longer.value("ask", nlohmann::json()) != "episodes") continue;
          for (const nlohmann::json& third : values) {
            longer["most"] = third;
            check(longer);
          }
        }
    }
  CHECK(good > 200);
  CHECK(bad > 10'000);
}

}  // namespace engram::bridge::stream_line_tests
