// SPDX-License-Identifier: MIT
// Tests of viewers of a live session. Viewers see the session in progress and do not change it.
#include "bridge/attach/session_viewers.hpp"

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/methods/method.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::session_viewers_tests {
namespace {

using nlohmann::json;

const std::vector<std::string>& lines() {
  static const std::vector<std::string> all{"<<($1 * $2) --> mother> ==> <($1 * $2) --> parent>>.",
                                            "<(anna * olav) --> mother>.",
                                            "<(berit * anna) --> mother>.",
                                            "10",
                                            "<(anna * olav) --> parent>?",
                                            "<(berit * ?1) --> parent>?",
                                            "<(nobody * ?1) --> parent>?",
                                            "<(carla * berit) --> mother>."};
  return all;
}

AttachOptions gated() {
  AttachOptions options;
  options.system = &engram_nars();
  options.method = core::ConfiguredMethod(core::default_method);
  options.gate = 5;
  return options;
}

json result(Conversation& talk, const std::string& request) {
  const json reply = json::parse(talk.answer(request).at(0));
  INFO(request << " " << reply.dump().substr(0, 1000));
  REQUIRE(reply.at("ok") == true);
  return reply.at("result");
}

// Runs a whole session and holds its summary and transcript. `before_each` is called before each input line.
struct Session {
  explicit Session(bool is_watched, const std::function<void(SessionViewers&)>& before_each = {})
      : memory({&engram_nars(), Learning::answers}),
        attachment(gated(), memory,
                   [this](const TranscriptEntry& entry) {
                     if (viewers) viewers->publish_if_requested();
                     transcript.push_back(to_json(entry));
                   },
                   {}) {
    if (is_watched) viewers.emplace(memory.session(), attachment.summary());
    std::size_t number = 0;
    for (const std::string& line : lines()) {
      if (before_each) before_each(*viewers);
      const auto used = viewers ? viewers->lock() : std::unique_lock<std::mutex>();
      attachment.line(++number, line);
    }
  }

  AttachedMemory memory;
  std::vector<std::string> transcript;
  std::optional<SessionViewers> viewers;
  Attachment attachment;
};

}  // namespace

TEST_CASE("a viewer sees each line of the session and the outcomes of its questions",
          "[bridge][attach][view]") {
  std::unique_ptr<Conversation> talk;
  std::vector<json> views;
  Session session(true, [&](SessionViewers& viewers) {
    if (!talk) talk = viewers.conversation();
    views.push_back(result(*talk, R"({"op":"view"})"));
  });
  views.push_back(result(*talk, R"({"op":"view"})"));
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (i > 0) CHECK(views[i].at("version") > before);
    before = views[i].at("version");
  }
  CHECK(views[0].at("statements") == 0);
  CHECK(views[0].at("gate").empty());
  CHECK(views[3].at("statements") == 3);
  CHECK(views[3].at("latest").back() == "<(*,berit,anna) --> mother>.");
  const json& gate = views.back().at("gate");
  REQUIRE(gate.size() == 3);
  CHECK(gate[0].at("question") == "<(*,anna,olav) --> parent>?");
  CHECK(gate[0].at("given").size() == 2);
  REQUIRE(gate[0].at("answers").size() == 1);
  CHECK(gate[0].at("answers")[0].get<std::string>().starts_with("<(*,anna,olav) --> parent>. %1;"));
  CHECK(gate[0].at("seconds") >= 0);
  CHECK(gate[2].at("answers").empty());
  // `latest` has all input lines but the numbers of cycles. Links that answers reinforced are not inputs.
  CHECK(views.back().at("latest").size() == 7);
  CHECK(views[5].at("gate").size() == 1);
  const json last = views.back();
  CHECK(result(*talk, json{{"op", "view"}, {"since", last.at("version")}}.dump()).contains("unchanged"));
  // Viewers may ask any question, but their requests must not change the memory.
  CHECK_FALSE(result(*talk, R"({"op":"recall","cue":"anna"})").at("activations").empty());
  for (const char* change : {R"({"op":"input","narsese":"<a --> b>."})", R"({"op":"reset"})",
                             R"({"op":"restore","path":"x"})", R"({"op":"snapshot","path":"x"})"})
    CHECK(json::parse(talk->answer(change).at(0)).at("ok") == false);
  json now = result(*talk, R"({"op":"view"})");
  now["bytes"] = last.at("bytes");  // the recall has filled a cache, so the number of bytes differs
  CHECK(now == last);
  CHECK_FALSE(talk->finished());
  talk->answer(R"({"op":"quit"})");
  CHECK(talk->finished());
}

TEST_CASE("a session under constant viewing ends with exactly the same memory", "[bridge][attach][view]") {
  const Session alone(false);
  std::atomic<bool> over = false;
  std::atomic<std::size_t> asked = 0, wrong = 0;
  std::vector<std::thread> threads;
  const Session watched(true, [&](SessionViewers& viewers) {
    while (threads.size() < 2)
      threads.emplace_back([&, talk = std::shared_ptr<Conversation>(viewers.conversation())] {
        std::uint64_t before = 0;
        while (!over) {
          const json reply = json::parse(talk->answer(R"({"op":"view"})").at(0));
          wrong += reply.at("ok") != true || reply.at("result").at("version") < before;
          before = reply.at("result").at("version");
          talk->answer(R"({"op":"recall","cue":"anna"})");
          ++asked;
        }
      });
    const std::size_t now = asked;
    while (asked < now + 4) std::this_thread::yield();
  });
  over = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(watched.transcript == alone.transcript);
  CHECK(watched.memory.end() == alone.memory.end());
}

}  // namespace engram::bridge::session_viewers_tests
