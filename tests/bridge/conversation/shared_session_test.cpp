// SPDX-License-Identifier: MIT
#include "bridge/conversation/shared_session.hpp"

#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::FairMutex;

namespace {

constexpr std::chrono::milliseconds a_while{100};

core::WorkBudget::CancellationCheck asked_to_end() {
  return [] { throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "asked to end"); };
}

}  // namespace

TEST_CASE("FairMutex grants the lock in the order of the requests", "[bridge][sockets]") {
  FairMutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  mutex.lock();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::lock_guard lock(mutex);
      order.push_back(i);
    });
    std::this_thread::sleep_for(a_while);
  }
  mutex.unlock();
  for (std::thread& thread : threads) thread.join();
  CHECK(order == std::vector{0, 1, 2, 3});
}

TEST_CASE("cancelled work stops waiting for a FairMutex and leaves its queue", "[bridge][sockets]") {
  FairMutex mutex;
  mutex.lock();
  auto waiting = std::async(std::launch::async, [&] {
    const core::WorkBudget work({}, asked_to_end());
    mutex.lock();
  });
  CHECK_THROWS_AS(waiting.get(), core::WorkStopped);
  mutex.unlock();
  mutex.lock();
  mutex.unlock();
}

TEST_CASE("requests that need no memory do not wait for a change of the memory", "[bridge][sockets]") {
  const auto shared = std::make_shared<bridge::SharedSession>(std::make_shared<core::Session>());
  auto talk = bridge::Protocol::on(shared);
  std::optional<bridge::SharedSession::WriteLock> change(*shared);
  auto apart = std::async(std::launch::async, [&] {
    return talk.handle(R"({"op":"hello"})") + talk.handle(R"({"op":"map","map":"softmax","scores":[1,2]})") +
           talk.handle("nonsense");
  });
  CHECK(apart.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
  auto waiting = std::async(std::launch::async, [&] { return talk.handle(R"({"op":"stats"})"); });
  CHECK(waiting.wait_for(a_while) == std::future_status::timeout);
  change.reset();
  CHECK(waiting.get().find("\"ok\":true") != std::string::npos);
}
