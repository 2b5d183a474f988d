// SPDX-License-Identifier: MIT
#include "bridge/conversation/limited_work.hpp"

#include "tests/bridge/protocol/ask.hpp"

namespace engram::bridge {
namespace {

using nlohmann::json;

json request_with_limit(json request, json limit) {
  request["limit"] = std::move(limit);
  return request;
}

// "<p0 --> q0>. <p1 --> q1>. ..", a line each.
std::string statements(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "<p" + std::to_string(i) + " --> q" + std::to_string(i % 97) + ">.\n";
  return text;
}

json square(std::size_t n) { return json(n, json(n, 0.5)); }

TEST_CASE("a request that takes longer than it may is stopped, and the memory is as before",
          "[bridge][work]") {
  Protocol protocol;
  const json before_all = {{"op", "input"}, {"narsese", statements(30'000)}};
  REQUIRE(reply_to(protocol, before_all.dump()).at("ok") == true);
  const json before = reply_to(protocol, R"({"op":"stats"})").at("result");
  const json cue = "<p1 --> ?1>";
  const std::vector<json> requests{
      {{"op", "input"}, {"narsese", statements(60'000)}},
      {{"op", "recall"}, {"cue", cue}, {"method", "ecan"}, {"options", {{"cycles", 10000}}}},
      {{"op", "recall"}, {"cue", cue}, {"method", "pagerank"}, {"options", {{"damping", 0.999}}}},
      {{"op", "recall"},
       {"cue", cue},
       {"method", "graph_spins"},
       {"options", {{"dynamics", "glauber"}, {"max_sweeps", 10000}}}},
      {{"op", "recall"},
       {"cue", cue},
       {"method", "concept_attention"},
       {"options", {{"embedding", "sanger"}, {"dimensions", 4}, {"epochs", 2}}}},
      {{"op", "allocate"},
       {"cue", cue},
       {"method", "ecan"},
       {"capacity", 5},
       {"of", "concepts"},
       {"options", {{"cycles", 10000}}}},
      {{"op", "compare"}, {"cue", cue}, {"methods", {"cosine", "ecan", "graph_spins", "pagerank"}}},
      {{"op", "weights"}, {"patterns", json(700, json(700, 1))}, {"rule", "pseudo_inverse"}},
      {{"op", "scores"}, {"queries", square(900)}, {"keys", square(900)}, {"score", "neg_manhattan"}},
      {{"op", "positional"}, {"n", 300}, {"edges", {{0, 1, 1}, {1, 2, 1}}}, {"steps", 10000}},
      {{"op", "hebbian"}, {"rule", "sanger"}, {"activity", square(500)}, {"w0", square(500)}, {"eta", 0.1}},
  };
  for (const json& request : requests) {
    INFO(request.dump().substr(0, 200));
    const json reply = reply_to(protocol, request_with_limit(request, {{"milliseconds", 1}}).dump());
    CHECK(error_in(reply) == "work_exceeded -");
    CHECK(reply_to(protocol, R"({"op":"stats"})").at("result") == before);
  }
}

TEST_CASE("a request that needs more bytes than it may is refused, and the memory is as before",
          "[bridge][work]") {
  Protocol protocol;
  const json input = {{"op", "input"}, {"narsese", statements(1000)}};
  CHECK(error_in(reply_to(protocol, request_with_limit(input, {{"bytes", 1000}}).dump())) ==
        "bytes_exceeded -");
  CHECK(reply_to(protocol, R"({"op":"stats"})").at("result").at("statements") == 0);
  CHECK(error_in(reply_to(protocol, request_with_limit(input, {{"bytes", 100'000'000}}).dump())).empty());
  CHECK(reply_to(protocol, R"({"op":"stats"})").at("result").at("statements") == 1000);
}

TEST_CASE("the limit of a request lowers the protocol's and never raises it", "[bridge][work]") {
  ProtocolLimits limits;
  limits.work.bytes = 1000;
  const json input = {{"op", "input"}, {"narsese", statements(1000)}};
  CHECK(error_in(ask(request_with_limit(input, {{"bytes", 100'000'000}}).dump(), limits)) ==
        "bytes_exceeded -");
  const json told = ask(R"({"op":"hello"})", limits).at("result").at("limits");
  CHECK(told.at("work_bytes") == 1000);
  CHECK(told.at("work_milliseconds") == WorkLimit{}.time.count());
}

TEST_CASE("what is wrong with a limit is told with its place", "[bridge][work]") {
  const auto error_of = [](const char* limit) {
    return error_in(ask(R"({"op":"stats","limit":)" + std::string(limit) + "}"));
  };
  CHECK(error_of(R"({"milliseconds":1000,"bytes":1000000})").empty());
  CHECK(error_of("{}").empty());
  CHECK(error_of("5") == "bad_value /limit");
  CHECK(error_of(R"({"milliseconds":0})") == "bad_value /limit/milliseconds");
  CHECK(error_of(R"({"milliseconds":0.5})") == "bad_value /limit/milliseconds");
  CHECK(error_of(R"({"bytes":-1})") == "bad_value /limit/bytes");
  CHECK(error_of(R"({"bytes":"1G"})") == "bad_value /limit/bytes");
  CHECK(error_of(R"({"seconds":1})") == "unknown_field /limit/seconds");
}

TEST_CASE("lines of an input that are refused are told in their order, not without end", "[bridge][work]") {
  Protocol protocol;
  std::string text = "<a --> b>.\nwrong\n<c --> d>.\n<e --> f\n5\n";
  const json few = reply_to(protocol, json{{"op", "input"}, {"narsese", text}}.dump()).at("result");
  CHECK(few.at("accepted") == 2);
  REQUIRE(few.at("rejected").size() == 2);
  CHECK(few.at("rejected")[0].at("line") == 2);
  CHECK(few.at("rejected")[1].at("line") == 4);
  CHECK(few.at("cycles") == 7);
  CHECK_FALSE(few.contains("rejected_in_all"));
  text.clear();
  for (int i = 0; i < 12'000; ++i) text += "wrong\n";
  const json many = reply_to(protocol, json{{"op", "input"}, {"narsese", text}}.dump()).at("result");
  CHECK(many.at("rejected").size() == core::Session::most_rejected);
  CHECK(many.at("rejected_in_all") == 12'000);
}

TEST_CASE("learning that passes over many links is stopped, and what was left is told", "[bridge][work]") {
  std::string text;
  constexpr std::size_t lines = 2000;
  for (std::size_t i = 0; i < lines; ++i) text += "<p" + std::to_string(i) + " --> hub>.\n";
  for (const core::LearningRule rule : {core::LearningRule::oja, core::LearningRule::storkey}) {
    core::MemoryOptions options;
    options.learning = core::LinkLearning{.rule = rule};
    core::Session session(options);
    const core::Work work({.steps = 4'000'000});  // the reading takes a million, all of it twice eight
    const core::InputReport report = session.input(text);
    CHECK((report.accepted > 100 && report.accepted < lines - 100));
    REQUIRE(report.accepted + report.rejected.size() == lines);
    CHECK(report.rejected.front().line == report.accepted + 1);
    CHECK(report.rejected.back().message == report.rejected.front().message);
    CHECK(report.rejected.front().message.starts_with("not taken in: "));
    CHECK(session.memory().statements().size() == report.accepted);
  }
  core::Session plain;  // no learner: all of it
  const core::Work work({.steps = 4'000'000});
  CHECK(plain.input(text).accepted == lines);
}

}  // namespace
}  // namespace engram::bridge
