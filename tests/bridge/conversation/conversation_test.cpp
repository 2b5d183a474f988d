// SPDX-License-Identifier: MIT
#include "bridge/conversation/conversation.hpp"

#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/snapshots/snapshot.hpp"

#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {
namespace {

using nlohmann::json;

json request_with_limit(json request, json limit) {
  request["limit"] = std::move(limit);
  return request;
}

// `count` lines of statements: "<p0 --> q0>.", "<p1 --> q1>." and so on.
std::string statements(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "<p" + std::to_string(i) + " --> q" + std::to_string(i % 97) + ">.\n";
  return text;
}

json square(std::size_t n) { return json(n, json(n, 0.5)); }

TEST_CASE("a request beyond its time limit is cancelled, and the memory is unchanged", "[bridge][work]") {
  const auto session = std::make_shared<core::Session>();
  Protocol protocol = Protocol::on(session);
  const json before_all = {{"op", "input"}, {"narsese", statements(30'000)}};
  REQUIRE(reply_to(protocol, before_all).at("ok") == true);
  const auto stats = [&] {
    json result = reply_to(protocol, R"({"op":"stats"})").at("result");
    result.erase("readings_bytes");  // a cancelled request may leave an index that it had built
    return result;
  };
  const testing::Folder folder("conversation");
  const auto digest = [&] {
    return write_snapshot(*session, folder.path / "session", SnapshotForm::binary).sha256;
  };
  const json before = stats();
  const std::string digest_before = digest();
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
       {"options", {{"embedding", "sanger"}, {"dimensions", 2}, {"epochs", 2}}}},
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
    const json reply = reply_to(protocol, request_with_limit(request, {{"milliseconds", 1}}));
    CHECK(error_in(reply) == "work_exceeded -");
    CHECK(stats() == before);
    CHECK(digest() == digest_before);
  }
}

TEST_CASE("a reasoner that recalls again after each step can be cancelled", "[bridge][work]") {
  Protocol protocol;
  tell(protocol, statements(300));
  for (const std::size_t refresh : {1, 2, 7, 1000})
    for (const char* method : {"proof_attention", "overlap", "pagerank"}) {
      const json request{{"op", "reason"},     {"question", "<p1 --> q5>?"}, {"method", method},
                         {"refresh", refresh}, {"steps", 1'000'000'000},     {"events", 1'000'000'000}};
      const std::string error = error_in(reply_to(
          protocol, request_with_limit(request, {{"milliseconds", 300}, {"bytes", 1'000'000'000}}).dump()));
      CHECK((error == "work_exceeded -" || error == "bytes_exceeded -" || error.empty()));
    }
}

TEST_CASE("parsing a request counts against its limits", "[bridge][work]") {
  const json large{{"id", 7}, {"op", "hello"}, {"unknown", json(300'000, 0.5)}};
  const json wide{{"id", 7}, {"op", "hello"}, {"unknown", json(3000, json(100, json::array()))}};
  const json long_texts{{"id", 7}, {"op", "hello"}, {"unknown", json(40, std::string(100'000, 'x'))}};
  for (const json& request : {large, wide, long_texts}) {
    ProtocolLimits limits;
    CHECK(error_in(ask(request, limits)) == "unknown_field /unknown");
    limits.work.bytes = 1'000'000;
    const json no_room = ask(request, limits);
    CHECK(error_in(no_room) == "bytes_exceeded -");
    CHECK(no_room.at("id") == 7);
    limits.work.bytes = std::uint64_t{1} << 30;
    limits.work.time = std::chrono::milliseconds(0);
    CHECK(error_in(ask(request, limits)) == "work_exceeded -");
  }
}

TEST_CASE("building the reply counts against the request's limits", "[bridge][work]") {
  const json rows(1500, json(1, 0.5));
  const json all{{"op", "scores"}, {"queries", rows}, {"keys", rows}, {"score", "dot"}};
  json best = all;
  best["top"] = 1000;
  best["precision"] = "bf16";
  for (const json& request : {all, best}) {
    CHECK(error_in(ask(request_with_limit(request, {{"bytes", 30'000'000}}))) == "bytes_exceeded -");
    CHECK(error_in(ask(request_with_limit(request, {{"bytes", 2'000'000'000}}))).empty());
  }
  Protocol protocol;
  tell(protocol, statements(30'000));
  for (const json& request :
       {json{{"op", "recall"}, {"cue", "q5"}, {"method", "frequency"}, {"top", 1'000'000'000}},
        json{{"op", "links"}, {"top", 1'000'000'000}},
        json{{"op", "allocate"},
             {"cue", "q5"},
             {"method", "frequency"},
             {"of", "statements"},
             {"capacity", 1'000'000'000}}}) {
    CHECK(error_in(reply_to(protocol, request_with_limit(request, {{"bytes", 5'000'000}}))) ==
          "bytes_exceeded -");
    CHECK(error_in(reply_to(protocol, request)).empty());
  }
}

TEST_CASE("waiting for the session lock ends at the time limit", "[bridge][work]") {
  using namespace std::chrono_literals;
  SharedSession shared(std::make_shared<core::Session>());
  std::optional<SharedSession::WriteLock> change(std::in_place, shared);
  const auto waits = [&](auto begin) {
    return std::async(std::launch::async, [&shared, begin] {
      LimitedWork work({.time = 50ms});
      try {
        begin(shared, work);
        return false;
      } catch (const core::WorkStopped& why) {
        return why.reason == core::WorkStopped::Reason::time;
      }
    });
  };
  auto question = waits([](auto& all, auto& work) { SharedSession::Snapshot(all, work, true); });
  auto glance = waits([](auto& all, auto&) { SharedSession::ReadLock one(all); });
  auto other = waits([](auto& all, auto&) { SharedSession::WriteLock one(all); });
  for (auto* one : {&question, &glance, &other}) CHECK(one->wait_for(60s) == std::future_status::ready);
  change.reset();
  for (auto* one : {&question, &glance, &other}) CHECK(one->get());
}

TEST_CASE("a time limit counts from the start of the work and can only be lowered", "[bridge][work]") {
  using namespace std::chrono_literals;
  LimitedWork work({.time = 60'000ms, .bytes = 1000});
  work.lower_to({.time = 120'000ms, .bytes = 2000});
  CHECK_NOTHROW(core::check_cancelled());
  CHECK_THROWS_AS(core::Reservation(1001), core::WorkStopped);
  std::this_thread::sleep_for(20ms);
  CHECK_THROWS_AS(work.lower_to({.time = 10ms}), core::WorkStopped);
}

TEST_CASE("a request beyond its byte limit is refused, and the memory is unchanged", "[bridge][work]") {
  Protocol protocol;
  const json input = {{"op", "input"}, {"narsese", statements(1000)}};
  CHECK(error_in(reply_to(protocol, request_with_limit(input, {{"bytes", 1000}}))) == "bytes_exceeded -");
  CHECK(reply_to(protocol, R"({"op":"stats"})").at("result").at("statements") == 0);
  CHECK(error_in(reply_to(protocol, request_with_limit(input, {{"bytes", 100'000'000}}))).empty());
  CHECK(reply_to(protocol, R"({"op":"stats"})").at("result").at("statements") == 1000);
}

TEST_CASE("a request can lower the protocol's limits but not raise them", "[bridge][work]") {
  ProtocolLimits limits;
  limits.work.bytes = 1000;
  const json input = {{"op", "input"}, {"narsese", statements(1000)}};
  CHECK(error_in(ask(request_with_limit(input, {{"bytes", 100'000'000}}), limits)) == "bytes_exceeded -");
  const json limits_reported = ask(R"({"op":"hello"})", limits).at("result").at("limits");
  CHECK(limits_reported.at("work_bytes") == 1000);
  CHECK(limits_reported.at("work_milliseconds") == WorkLimit{}.time.count());
}

TEST_CASE("errors in `limit` have a JSON pointer", "[bridge][work]") {
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

TEST_CASE("rejected input lines are reported in order and up to a maximum number", "[bridge][work]") {
  Protocol protocol;
  std::string text = "<a --> b>.\nwrong\n<c --> d>.\n<e --> f\n5\n";
  const json few = reply_to(protocol, json{{"op", "input"}, {"narsese", text}}).at("result");
  CHECK(few.at("accepted") == 2);
  REQUIRE(few.at("rejected").size() == 2);
  CHECK(few.at("rejected")[0].at("line") == 2);
  CHECK(few.at("rejected")[1].at("line") == 4);
  CHECK(few.at("cycles") == 7);
  CHECK_FALSE(few.contains("rejected_in_all"));
  text.clear();
  for (int i = 0; i < 12'000; ++i) text += "wrong\n";
  const json many = reply_to(protocol, json{{"op", "input"}, {"narsese", text}}).at("result");
  CHECK(many.at("rejected").size() == core::Session::max_rejected);
  CHECK(many.at("rejected_in_all") == 12'000);
}

TEST_CASE("learning over many links is cancelled, and the reply reports the lines that were not taken",
          "[bridge][work]") {
  std::string text;
  constexpr std::size_t lines = 2000;
  for (std::size_t i = 0; i < lines; ++i) text += "<p" + std::to_string(i) + " --> hub>.\n";
  for (const core::LearningRule rule : {core::LearningRule::oja, core::LearningRule::storkey}) {
    core::MemoryOptions options;
    options.learning = core::LinkLearning{.rule = rule};
    core::Session session(options);
    // Parsing the text takes 1 million steps, learning all of it 16 million.
    const core::WorkBudget work({.steps = 4'000'000});
    const core::InputReport report = session.input(text);
    CHECK((report.accepted > 100 && report.accepted < lines - 100));
    REQUIRE(report.accepted + report.rejected.size() == lines);
    CHECK(report.rejected.front().line == report.accepted + 1);
    CHECK(report.rejected.back().message == report.rejected.front().message);
    CHECK(report.rejected.front().message.starts_with("not accepted: "));
    CHECK(session.memory().statements().size() == report.accepted);
  }
  core::Session plain;  // a memory without a learner takes all lines within the same budget
  const core::WorkBudget work({.steps = 4'000'000});
  CHECK(plain.input(text).accepted == lines);
}

}  // namespace
}  // namespace engram::bridge
