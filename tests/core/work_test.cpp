// SPDX-License-Identifier: MIT
#include "core/numbers/work.hpp"

#include <atomic>

#include "core/numbers/parallel.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

WorkStopped::Reason reason_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const WorkStopped& stopped) {
    return stopped.reason;
  }
  FAIL("was not stopped");
  return {};
}

TEST_CASE("work without limits counts nothing and goes on", "[core][work]") {
  spend(WorkLimits::unlimited / 2);
  const Claim claim(WorkLimits::unlimited / 2);
  look_now();
  CHECK(Work::current() == nullptr);
}

TEST_CASE("work ends within a quantum of its last step", "[core][work]") {
  std::uint64_t done = 0;
  const Work work({.steps = 10 * Work::quantum});
  CHECK(reason_of([&] {
          for (;; ++done) spend(1);
        }) == WorkStopped::Reason::steps);
  CHECK(done >= 10 * Work::quantum - 1);
  CHECK(done <= 11 * Work::quantum);
}

TEST_CASE("one large step is refused before it is done", "[core][work]") {
  const Work work({.steps = 1'000'000});
  spend(999'000);
  CHECK(reason_of([] { spend(WorkLimits::unlimited / 4); }) == WorkStopped::Reason::steps);
}

TEST_CASE("who looks may end the work, in every thread that takes part", "[core][work]") {
  std::atomic<bool> asked = false;
  const Work work({}, [&] {
    if (asked) throw WorkStopped(WorkStopped::Reason::asked, "no longer wanted");
  });
  spend(10 * Work::quantum);
  for (const unsigned threads : {1U, 3U}) {
    asked = false;
    std::atomic<std::uint64_t> begun = 0;
    CHECK(reason_of([&] {
            for_each_task(1'000'000, threads, [&](std::size_t task, unsigned) {
              ++begun;
              if (task == 100) asked = true;
              spend(Work::quantum);
            });
          }) == WorkStopped::Reason::asked);
    CHECK(begun < 1'000'000);
  }
}

TEST_CASE("a part counts against the whole, and the whole's limit ends the part", "[core][work]") {
  const Work whole({.steps = 10 * Work::quantum});
  {
    const Work part({.steps = 100 * Work::quantum});
    spend(8 * Work::quantum);
    CHECK(Work::current() == &part);
  }
  CHECK(Work::current() == &whole);
  CHECK(reason_of([] { spend(3 * Work::quantum); }) == WorkStopped::Reason::steps);
}

TEST_CASE("bytes are given back when what they were for is gone", "[core][work]") {
  const Work whole({.bytes = 1000});
  const Work part({.bytes = 2000});
  for (int i = 0; i < 10; ++i) {
    const Claim claim(600);
    CHECK(reason_of([] { const Claim more(401); }) == WorkStopped::Reason::bytes);
    const Claim fits(400);
  }
  CHECK(reason_of([] { const Claim all(WorkLimits::unlimited); }) == WorkStopped::Reason::bytes);
  const Claim again(1000);
}

}  // namespace
}  // namespace engram::core
