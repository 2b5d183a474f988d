// SPDX-License-Identifier: MIT
#include "core/numbers/work_budget.hpp"

#include <atomic>

#include "core/methods/method.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

WorkStopped::Reason reason_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const WorkStopped& stopped) {
    return stopped.reason;
  }
  FAIL("was not stopped");
  return {};
}

TEST_CASE("work without a budget is neither counted nor cancelled", "[work]") {
  charge(WorkLimits::unlimited / 2);
  const Reservation claim(WorkLimits::unlimited / 2);
  check_cancelled();
  CHECK(WorkBudget::current() == nullptr);
}

TEST_CASE("work is cancelled within a quantum after its last step", "[work]") {
  std::uint64_t done = 0;
  const WorkBudget work({.steps = 10 * WorkBudget::quantum});
  CHECK(reason_of([&] {
          for (;; ++done) charge(1);
        }) == WorkStopped::Reason::steps);
  CHECK(done >= 10 * WorkBudget::quantum - 1);
  CHECK(done <= 11 * WorkBudget::quantum);
}

TEST_CASE("one large charge is rejected at once", "[work]") {
  const WorkBudget work({.steps = 1'000'000});
  charge(999'000);
  CHECK(reason_of([] { charge(WorkLimits::unlimited / 4); }) == WorkStopped::Reason::steps);
}

TEST_CASE("the cancellation check can cancel every thread that takes part", "[work]") {
  std::atomic<bool> asked = false;
  const WorkBudget work({}, [&] {
    if (asked) throw WorkStopped(WorkStopped::Reason::cancelled, "no longer wanted");
  });
  charge(10 * WorkBudget::quantum);
  for (const unsigned threads : {1U, 3U}) {
    asked = false;
    std::atomic<std::uint64_t> begun = 0;
    CHECK(reason_of([&] {
            for_each_task(1'000'000, threads, [&](std::size_t task, unsigned) {
              ++begun;
              if (task == 100) asked = true;
              charge(WorkBudget::quantum);
            });
          }) == WorkStopped::Reason::cancelled);
    CHECK(begun < 1'000'000);
  }
}

TEST_CASE("nested work counts against the enclosing budget and its limit", "[work]") {
  const WorkBudget whole({.steps = 10 * WorkBudget::quantum});
  {
    const WorkBudget part({.steps = 100 * WorkBudget::quantum});
    charge(8 * WorkBudget::quantum);
    CHECK(WorkBudget::current() == &part);
  }
  CHECK(WorkBudget::current() == &whole);
  CHECK(reason_of([] { charge(3 * WorkBudget::quantum); }) == WorkStopped::Reason::steps);
}

TEST_CASE("many short pieces of work can be cancelled like a long one", "[work]") {
  const auto ends = [](const auto& piece) {
    std::size_t looks = 0;
    const WorkBudget whole({}, [&] {
      if (++looks > 3) throw WorkStopped(WorkStopped::Reason::cancelled, "enough");
    });
    for (int i = 0; i < 100'000; ++i) try {
        piece();
      } catch (const WorkStopped&) {
        return true;
      }
    return false;
  };
  CHECK(ends([] {
    const WorkBudget part({});
    charge(1000);
  }));
  CHECK(ends([] {
    const WorkBudget part({.steps = 2000});
    charge(1000);
  }));
  CHECK(ends([] {
    const WorkBudget outer({});
    const WorkBudget inner({});
    charge(1);
  }));
  CHECK(ends([] { const Reservation claim(Reservation::large); }));
  // Steps charged earlier do not count against a new budget.
  charge(WorkBudget::quantum - 1);
  const WorkBudget part({.steps = 100});
  CHECK_NOTHROW(check_cancelled());
}

TEST_CASE("the cancellation check can reject a large reservation", "[work]") {
  bool has_room = true;
  WorkBudget work({}, [&] {
    if (!has_room) throw WorkStopped(WorkStopped::Reason::bytes, "shared");
  });
  { const Reservation claim(Reservation::large); }
  has_room = false;
  CHECK_THROWS_AS(Reservation(Reservation::large), WorkStopped);
  CHECK(work.reserved() == 0);
  CHECK_NOTHROW(Reservation(Reservation::large - 1));
  CHECK(work.peak_reserved() >= Reservation::large);
  has_room = true;
  const Reservation claim(1000);
  CHECK(WorkBudget::reserved_by_thread() == 1000);
  CHECK_NOTHROW(work.lower_byte_limit(1000));
  CHECK_THROWS_AS(Reservation(1), WorkStopped);
  CHECK_THROWS_AS(work.lower_byte_limit(999), WorkStopped);
}

TEST_CASE("a reservation releases its bytes", "[work]") {
  const WorkBudget whole({.bytes = 1000});
  const WorkBudget part({.bytes = 2000});
  for (int i = 0; i < 10; ++i) {
    const Reservation claim(600);
    CHECK(reason_of([] { const Reservation more(401); }) == WorkStopped::Reason::bytes);
    const Reservation fits(400);
  }
  CHECK(reason_of([] { const Reservation all(WorkLimits::unlimited); }) == WorkStopped::Reason::bytes);
  const Reservation again(1000);
}

// A memory in which every method has work to do: a chain of people, a ring of likings, rules and negations.
Memory a_busy_memory() {
  Memory memory;
  for (int i = 0; i < 10'000; ++i) {
    const std::string a = "p" + std::to_string(i), b = "p" + std::to_string((7 * i + 3) % 10'000);
    say(memory, "<(" + a + " * " + b + ") --> likes>.");
    say(memory, "<" + a + " --> person>.");
  }
  say(memory, "<<($1 * $2) --> likes> ==> <($2 * $1) --> knows>>.");
  return memory;
}

TEST_CASE("kept bytes of nested work count for the enclosing budget, unless it releases all at its end",
          "[work]") {
  const WorkBudget whole({.bytes = 100});
  for (int i = 0; i < 10; ++i) {
    WorkBudget part({});
    part.release_all_at_end();
    Reservation(60).keep();
    CHECK(whole.reserved() == 60);
    CHECK(reason_of([] { Reservation(50).keep(); }) == WorkStopped::Reason::bytes);
  }
  CHECK(whole.reserved() == 0);
  {
    const WorkBudget part({});
    Reservation(60).keep();
  }
  CHECK(whole.reserved() == 60);
}

TEST_CASE("every method can be cancelled, counts its work, and recalls the same afterwards", "[work]") {
  Memory memory = a_busy_memory();
  const MemoryIndex readings(memory);
  const Cue of_few = cue_for(memory, term(memory, "<(p3 * ?1) --> knows>")),
            of_many = cue_for(memory, term(memory, "<person --> ?1>"));
  std::size_t cheap = 0;
  for (const Method& method : methods()) {
    if (method.name == "uniform" || method.name == "frequency") continue;  // one pass over the memory
    INFO(method.name);
    const Cue& cue = method.is_local ? of_many : of_few;
    const auto recalled = [&] { return ConfiguredMethod(method).recall(readings, cue).statements; };
    const Vector whole = recalled();
    bool stopped = false;
    try {
      const WorkBudget work({.steps = 1});
      recalled();
    } catch (const WorkStopped& why) {
      stopped = why.reason == WorkStopped::Reason::steps;
    }
    if (method.is_local && !stopped)
      ++cheap;  // the method does too little work for a check
    else
      CHECK(stopped);
    CHECK(recalled() == whole);
  }
  CHECK(cheap <= 3);
}

TEST_CASE("a cancelled recall ends at once, at any step", "[work]") {
  Memory memory = a_busy_memory();
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, term(memory, "<(p3 * ?1) --> knows>"));
  // With these options the methods run for a long time. They check several times, and stop at the first check that
  // cancels.
  const std::vector<std::pair<const char*, Options>> long_ones{
      {"pagerank", {{"damping", 0.999}}},
      {"linear_ecan", {{"rent", 1e-3}}},
      {"ecan", {{"cycles", 50.0}}},
      {"graph_spins", {{"dynamics", std::string("glauber")}, {"max_sweeps", 20.0}}},
      {"concept_attention", {{"embedding", std::string("random_indexing")}, {"dimensions", 64.0}}},
  };
  for (const auto& [name, options] : long_ones) {
    INFO(name);
    const ConfiguredMethod method(name, options);
    int looks = 0;
    {
      const WorkBudget work({}, [&] { ++looks; });
      method.recall(readings, cue);
    }
    CHECK(looks > 10);
    int after = 0;
    const WorkBudget work({}, [&] {
      if (++after >= 2) throw WorkStopped(WorkStopped::Reason::cancelled, "no longer wanted");
    });
    CHECK_THROWS_AS(method.recall(readings, cue), WorkStopped);
    CHECK(after == 2);
  }
}

TEST_CASE("every task runs once, with a valid worker", "[parallel]") {
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

TEST_CASE("a worker runs one task at a time", "[parallel]") {
  std::vector<std::atomic<int>> busy(4);
  std::atomic<bool> alone = true;
  for_each_task(200, 4, [&](std::size_t, unsigned worker) {
    if (++busy[worker] != 1) alone = false;
    --busy[worker];
  });
  CHECK(alone);
}

TEST_CASE("an exception of a task reaches the caller and stops the others", "[parallel]") {
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

TEST_CASE("thread_count is at most the number of tasks", "[parallel]") {
  CHECK(thread_count(1, 100) == 1);
  CHECK(thread_count(7, 3) == 3);
  CHECK(thread_count(7, 0) == 1);
  CHECK(thread_count(0, 1000) >= 1);
}

TEST_CASE("run_both runs both functions and throws the first one's exception", "[parallel]") {
  int one = 0, two = 0;
  run_both([&] { one = 1; }, [&] { two = 2; });
  CHECK(one + two == 3);
  const auto fail_with = [](const char* what) { return [=] { throw std::runtime_error(what); }; };
  for (int again = 0; again < 20; ++again) {
    CHECK_THROWS_WITH(run_both(fail_with("first"), fail_with("second")), "first");
    CHECK_THROWS_WITH(run_both([&] { ++one; }, fail_with("second")), "second");
    CHECK_THROWS_WITH(run_both(fail_with("first"), [&] { ++two; }), "first");
  }
  CHECK(one == 21);  // both functions run to the end, even if one fails
  CHECK(two == 22);
}

}  // namespace

}  // namespace engram::core
