// SPDX-License-Identifier: MIT
// Tests of several clients of one session. Each reply must be one that a single client could get.
#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/numbers/random.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::Protocol;
using bridge::SharedSession;
using nlohmann::json;

namespace {

std::shared_ptr<SharedSession> shared_session(const core::MemoryOptions& options = {},
                                              const core::ForgettingOptions& forgetting = {}) {
  return std::make_shared<SharedSession>(std::make_shared<core::Session>(options, forgetting));
}

std::string input_request(std::uint64_t i) {
  return json{{"op", "input"},
              {"narsese", "<n" + std::to_string(i % 37) + " --> n" + std::to_string(i * i % 41) + ">."}}
      .dump();
}

// A reply without its numbers of bytes, which depend on earlier requests.
std::string comparable(const std::string& reply) {
  json parsed = json::parse(reply);
  if (parsed.at("ok") == true)
    for (const char* bytes : {"bytes", "readings_bytes"}) parsed.at("result").erase(bytes);
  return parsed.dump();
}

std::string comparable_answer(Protocol& protocol, const std::string& request) {
  return comparable(protocol.handle(request));
}

const std::vector<std::string>& questions() {
  static const std::vector<std::string> all{
      R"({"op":"stats"})",
      R"({"op":"links","top":5})",
      R"({"op":"recall","cue":"<n1 --> n4>?"})",
      R"({"op":"recall","cue":"n2","method":"pagerank"})",
      R"({"op":"recall","cue":"<n3 --> ?1>?","method":"bidirectional_spreading"})",
      R"({"op":"compare","cue":"n1","methods":["hopfield","attention"]})"};
  return all;
}

}  // namespace

TEST_CASE("a shared session answers a single client like an unshared session", "[bridge][shared]") {
  for (const auto policy : {core::ForgettingPolicy::none, core::ForgettingPolicy::learnt}) {
    core::MemoryOptions options;
    options.limits.max_statements = 40;
    options.learning = core::LinkLearning{.rule = core::LearningRule::oja};
    const core::ForgettingOptions forgetting{.policy = policy};
    Protocol alone(options, {}, forgetting);
    Protocol first = Protocol::on(shared_session(options, forgetting));
    core::Rng rng(3, "one client");
    std::size_t differences = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      std::string request = input_request(rng.below(1000));
      const auto kind = rng.below(20);
      const std::string cue = "<n" + std::to_string(rng.below(40)) + " --> ?1>?";
      if (kind < 6)
        request = questions()[kind];
      else if (kind < 10)
        request = json{{"op", "allocate"},
                       {"cue", cue},
                       {"prior", kind % 2 == 0 ? "previous" : "none"},
                       {"capacity", 5},
                       {"of", kind < 8 ? "concepts" : "statements"}}
                      .dump();
      else if (i == 200)
        request = R"({"op":"reset"})";
      else if (kind == 10)
        request = R"({"op":"recall","cue":"<broken"})";
      differences += comparable_answer(alone, request) != comparable_answer(first, request);
    }
    CHECK(differences == 0);
  }
}

TEST_CASE("a long question blocks nobody and uses the snapshot at its start", "[bridge][shared]") {
  const auto shared = shared_session();
  Protocol writer = Protocol::on(shared), reader = Protocol::on(shared);
  writer.handle(input_request(1));
  bridge::LimitedWork work({});
  std::optional<SharedSession::Snapshot> slow(std::in_place, *shared, work, true);
  for (std::uint64_t i = 2; i < 30; ++i) {
    CHECK(json::parse(writer.handle(input_request(i))).at("result").at("cycles") == i);
    CHECK(json::parse(reader.handle(R"({"op":"stats"})")).at("result").at("cycles") == i);
  }
  CHECK(slow->session().memory().now() == 1);
  CHECK(slow->session().memory().statements().size() == 1);
  // An allocation replaces the stored budgets, because no other client changes the session at the same time.
  CHECK(json::parse(reader.handle(R"({"op":"allocate","cue":"n1","of":"concepts","capacity":5})")).at("ok") ==
        true);
  CHECK(shared->session()->budget(core::AllocationOf::concepts).sum() == Approx(1));
  slow.reset();
  CHECK(json::parse(reader.handle(R"({"op":"stats"})")).at("result").at("cycles") == 29);
}

TEST_CASE("concurrent replies are consistent with one order of all inputs", "[bridge][shared]") {
  const auto shared = shared_session();
  constexpr std::uint64_t per_writer = 60, writers = 2, all = per_writer * writers;
  struct Answered {
    std::size_t question;
    // Numbers of inputs: those acknowledged before the question was sent, and those begun before its answer came.
    std::uint64_t from, to;
    std::string reply;
  };
  std::vector<std::string> input_at(all + 1);  // the input of each cycle
  std::mutex mutex;
  std::atomic<std::uint64_t> acknowledged = 0, begun = 0;
  std::vector<std::vector<Answered>> answered(3);
  std::vector<std::thread> threads;
  for (std::uint64_t w = 0; w < writers; ++w)
    threads.emplace_back([&, w] {
      Protocol talk = Protocol::on(shared);
      for (std::uint64_t i = 0; i < per_writer; ++i) {
        const std::string request = input_request(1000 * w + i);
        ++begun;
        const auto cycle = json::parse(talk.handle(request)).at("result").at("cycles").get<std::uint64_t>();
        const std::lock_guard lock(mutex);
        input_at.at(cycle) = request;
        acknowledged = std::max(acknowledged.load(), cycle);
      }
    });
  for (std::size_t r = 0; r < answered.size(); ++r)
    threads.emplace_back([&, r] {
      Protocol talk = Protocol::on(shared);
      for (std::size_t i = 0; i < 60; ++i) {
        Answered one{(r + i) % questions().size(), acknowledged, 0, {}};
        one.reply = comparable_answer(talk, questions()[one.question]);
        one.to = begun;
        answered[r].push_back(one);
      }
    });
  for (std::thread& thread : threads) thread.join();

  Protocol alone;
  std::vector<std::vector<std::string>> expected;  // expected replies, by cycle and question
  for (std::uint64_t cycle = 0; cycle <= all; ++cycle) {
    if (cycle > 0) REQUIRE(json::parse(alone.handle(input_at[cycle])).at("result").at("cycles") == cycle);
    expected.emplace_back();
    for (const std::string& question : questions())
      expected.back().push_back(comparable_answer(alone, question));
  }
  std::size_t wrong = 0;
  for (const auto& of_one : answered) {
    std::uint64_t earliest = 0;  // a client's next reply must not be from an earlier cycle
    for (const Answered& one : of_one) {
      std::uint64_t cycle = std::max(one.from, earliest);
      while (cycle <= one.to && expected[cycle][one.question] != one.reply) ++cycle;
      wrong += cycle > one.to;
      if (one.question == 0) earliest = json::parse(one.reply).at("result").at("cycles");
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("memory held by snapshots counts, and a question on a too old snapshot is cancelled",
          "[bridge][shared]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{10} << 20;
  const auto shared = shared_session(options);
  Protocol writer = Protocol::on(shared);
  constexpr int all = 20'000, at_once = 1'000;
  const auto tell_all = [&] {
    for (int begin = 0; begin < all; begin += at_once) {
      std::string text;
      for (int i = begin; i < begin + at_once; ++i)
        text += "<a" + std::to_string(i) + " --> b" + std::to_string(i % 5000) + ">.\n";
      const json reply = json::parse(writer.handle(json{{"op", "input"}, {"narsese", text}}.dump()));
      INFO(reply.dump());
      REQUIRE(reply.at("ok") == true);
      CHECK(reply.at("result").at("rejected").empty());
    }
  };
  tell_all();
  bridge::LimitedWork work({});
  SharedSession::Snapshot question(*shared, work, false);
  CHECK_NOTHROW(core::check_cancelled());
  // The writer resets the memory and learns as much again. Together with the open snapshot this exceeds the limit.
  // The writer's thread is not part of the question's budget.
  std::async(std::launch::async, [&] {
    for (int round = 0; round < 3; ++round) {
      writer.handle(R"({"op":"reset"})");
      tell_all();
    }
  }).get();
  REQUIRE(2 * shared->session()->bytes() > options.limits.max_bytes);
  CHECK_THROWS_AS(core::check_cancelled(), core::WorkStopped);
  CHECK(question.session().memory().statements().size() == all);
}

TEST_CASE("questions on one state share its snapshot and cached indexes", "[bridge][shared]") {
  const auto shared = shared_session();
  Protocol talk = Protocol::on(shared);
  for (std::uint64_t i = 0; i < 50; ++i) talk.handle(input_request(i));
  const core::Session* first = nullptr;
  {
    bridge::LimitedWork work({});
    SharedSession::Snapshot question(*shared, work, true);
    first = &question.session();
    question.session().index().keys();
  }
  bridge::LimitedWork work({});
  {
    SharedSession::Snapshot question(*shared, work, true);
    CHECK(&question.session() == first);
    SharedSession::Snapshot other(*shared, work, true);
    CHECK(&other.session() != first);
  }
  { SharedSession::WriteLock change(*shared); }
  SharedSession::Snapshot question(*shared, work, true);
  CHECK(question.session().memory().now() == 50);
}

TEST_CASE("incomplete messages count against the byte limit of a shared session", "[bridge][shared]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{10} << 20;
  const bridge::ProtocolLimits limits{.max_request_bytes = std::size_t{8} << 20};
  const auto shared = shared_session(options);
  Protocol first = Protocol::on(shared, limits), second = Protocol::on(shared, limits);
  constexpr std::size_t some = std::size_t{6} << 20, small = std::size_t{512} << 10;
  first.charge_message_bytes(some);
  CHECK_THROWS_AS(second.charge_message_bytes(some), core::WorkStopped);
  second.charge_message_bytes(some / 2);  // the refused bytes were not charged, so half as many still fit
  CHECK_THROWS_AS(second.charge_message_bytes(some), core::WorkStopped);
  first.charge_message_bytes(some / 3);
  second.charge_message_bytes(some);
  // At the limit on bytes, large messages are refused. Small messages are accepted, and the memory still learns.
  first.charge_message_bytes(some / 2);
  CHECK_THROWS_AS(first.charge_message_bytes(some), core::WorkStopped);
  Protocol third = Protocol::on(shared, limits), fourth = Protocol::on(shared, limits),
           fifth = Protocol::on(shared, limits);
  for (Protocol* client : {&third, &fourth, &fifth}) client->charge_message_bytes(small);
  CHECK(json::parse(third.handle(input_request(1))).at("ok") == true);
  const std::string large = json{{"op", "input"}, {"narsese", "//" + std::string(some / 2, 'x')}}.dump();
  CHECK(json::parse(third.handle(large)).at("error").at("code") == "bytes_exceeded");
  for (Protocol* client : {&first, &second, &third, &fourth, &fifth}) client->charge_message_bytes(0);
  CHECK(json::parse(third.handle(large)).at("ok") == true);
  CHECK(json::parse(third.refusal(core::WorkStopped(core::WorkStopped::Reason::bytes, "full"))) ==
        json::parse(R"({"id":null,"ok":false,"error":{"code":"bytes_exceeded","message":"full"}})"));
}

TEST_CASE("an incomplete message counts against the byte limit of an unshared session", "[bridge][shared]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{10} << 20;
  Protocol client(options);
  client.charge_message_bytes(std::size_t{9} << 20);
  CHECK_THROWS_AS(client.charge_message_bytes(std::size_t{11} << 20), core::WorkStopped);
  std::string text;
  for (int i = 0; i < 10'000; ++i)
    text += "<a" + std::to_string(i) + " --> b" + std::to_string(i % 500) + ">.\n";
  REQUIRE(json::parse(client.handle(json{{"op", "input"}, {"narsese", text}}.dump())).at("ok") == true);
  REQUIRE(client.session().bytes() > std::size_t{2} << 20);
  CHECK_THROWS_AS(client.charge_message_bytes(std::size_t{9} << 20), core::WorkStopped);
  client.charge_message_bytes(std::size_t{1} << 20);
}
