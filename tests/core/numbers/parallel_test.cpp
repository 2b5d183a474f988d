// SPDX-License-Identifier: MIT
#include "core/numbers/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

TEST_CASE("every task is done once, by a worker there is", "[core][parallel]") {
  for (const unsigned threads : {1U, 2U, 3U, 7U})
    for (const std::size_t tasks : {0U, 1U, 2U, 100U}) {
      std::vector<std::atomic<int>> done(tasks);
      std::atomic<bool> known = true;
      for_each_task(tasks, threads, [&](std::size_t task, unsigned worker) {
        ++done[task];
        if (worker >= threads) known = false;
      });
      for (const auto& count : done) CHECK(count == 1);
      CHECK(known);
    }
}

TEST_CASE("a worker does one task at a time", "[core][parallel]") {
  std::vector<std::atomic<int>> busy(4);
  std::atomic<bool> alone = true;
  for_each_task(200, 4, [&](std::size_t, unsigned worker) {
    if (++busy[worker] != 1) alone = false;
    --busy[worker];
  });
  CHECK(alone);
}

TEST_CASE("a task's exception reaches the caller and ends the work", "[core][parallel]") {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<std::size_t> begun = 0;
    CHECK_THROWS_AS(for_each_task(1'000'000, threads,
                                  [&](std::size_t task, unsigned) {
                                    ++begun;
                                    if (task == 5) throw std::runtime_error("five");
                                  }),
                    std::runtime_error);
    CHECK(begun < 1'000'000);
  }
}

TEST_CASE("there are no more threads than tasks", "[core][parallel]") {
  CHECK(thread_count(1, 100) == 1);
  CHECK(thread_count(7, 3) == 3);
  CHECK(thread_count(7, 0) == 1);
  CHECK(thread_count(0, 1000) >= 1);
}

TEST_CASE("two things are done side by side, and the first one's error is told", "[core][parallel]") {
  int one = 0, two = 0;
  side_by_side([&] { one = 1; }, [&] { two = 2; });
  CHECK(one + two == 3);
  const auto fail_with = [](const char* what) { return [=] { throw std::runtime_error(what); }; };
  for (int again = 0; again < 20; ++again) {
    CHECK_THROWS_WITH(side_by_side(fail_with("first"), fail_with("second")), "first");
    CHECK_THROWS_WITH(side_by_side([&] { ++one; }, fail_with("second")), "second");
    CHECK_THROWS_WITH(side_by_side(fail_with("first"), [&] { ++two; }), "first");
  }
  CHECK(one == 21);  // whichever fails, the other comes to its end
  CHECK(two == 22);
}

}  // namespace
}  // namespace engram::core
