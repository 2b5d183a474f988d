// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_line.hpp"

#include "tests/support/catch.hpp"

namespace engram::bridge::stream_line_tests {

using Kind = StreamLine::Kind;

TEST_CASE("a line of a stream is Narsese, or JSON of one of four kinds", "[bridge][stream]") {
  CHECK(read_stream_line("a. :|:").text == "a. :|:");
  CHECK(read_stream_line("{tim}. :|:").kind == Kind::narsese);  // a set, no JSON
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

TEST_CASE("what is wrong with a line of JSON is said, with its place", "[bridge][stream]") {
  const auto complaint = [](const char* line) {
    const StreamLine read = read_stream_line(line);
    CHECK(read.kind == Kind::error);
    return read.complaint;
  };
  CHECK(complaint(R"({"cycles":-1})").find("/cycles") == 0);
  CHECK(complaint(R"({"cycles":9007199254740992})").find("/cycles") == 0);
  CHECK(complaint(R"({"narsese":"a.\nb.","time":1})").find("one line") != std::string::npos);
  CHECK(complaint(R"({"narsese":"a.","time":1.5})").find("/time") == 0);
  CHECK(complaint(R"({"narsese":"a.","tme":1})").find("tme") != std::string::npos);
  CHECK(complaint(R"({"ask":"all"})").find("/ask") == 0);
  CHECK(complaint(R"({"ask":"operations"})").find("/goal") == 0);
  CHECK(complaint(R"({"ask":"episodes","term":"a","most":0})").find("/most") == 0);
  CHECK(complaint(R"({"said":1})").find("narsese") != std::string::npos);
  CHECK_FALSE(complaint(R"({"narsese":)").empty());
  CHECK_FALSE(complaint(R"({"ask":"stats","id":[[[[[1]]]]]})").empty());
  CHECK(read_stream_line(R"({"narsese":"a." )").column == 17);
}

}  // namespace engram::bridge::stream_line_tests
