// SPDX-License-Identifier: MIT
#include "core/numbers/work_budget.hpp"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "core/methods/methods.hpp"
#include "core/numbers/parallel.hpp"
#include "tests/core/samples.hpp"
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
  charge(WorkLimits::unlimited / 2);
  const Reservation claim(WorkLimits::unlimited / 2);
  check_cancelled();
  CHECK(WorkBudget::current() == nullptr);
}

TEST_CASE("work ends within a quantum of its last step", "[core][work]") {
  std::uint64_t done = 0;
  const WorkBudget work({.steps = 10 * WorkBudget::quantum});
  CHECK(reason_of([&] {
          for (;; ++done) charge(1);
        }) == WorkStopped::Reason::steps);
  CHECK(done >= 10 * WorkBudget::quantum - 1);
  CHECK(done <= 11 * WorkBudget::quantum);
}

TEST_CASE("one large step is refused before it is done", "[core][work]") {
  const WorkBudget work({.steps = 1'000'000});
  charge(999'000);
  CHECK(reason_of([] { charge(WorkLimits::unlimited / 4); }) == WorkStopped::Reason::steps);
}

TEST_CASE("who looks may end the work, in every thread that takes part", "[core][work]") {
  std::atomic<bool> asked = false;
  const WorkBudget work({}, [&] {
    if (asked) throw WorkStopped(WorkStopped::Reason::asked, "no longer wanted");
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
          }) == WorkStopped::Reason::asked);
    CHECK(begun < 1'000'000);
  }
}

TEST_CASE("a part counts against the whole, and the whole's limit ends the part", "[core][work]") {
  const WorkBudget whole({.steps = 10 * WorkBudget::quantum});
  {
    const WorkBudget part({.steps = 100 * WorkBudget::quantum});
    charge(8 * WorkBudget::quantum);
    CHECK(WorkBudget::current() == &part);
  }
  CHECK(WorkBudget::current() == &whole);
  CHECK(reason_of([] { charge(3 * WorkBudget::quantum); }) == WorkStopped::Reason::steps);
}

TEST_CASE("many short pieces of work are as easy to end as one", "[core][work]") {
  const auto ends = [](const auto& piece) {
    std::size_t looks = 0;
    const WorkBudget whole({}, [&] {
      if (++looks > 3) throw WorkStopped(WorkStopped::Reason::asked, "enough");
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
  // Steps of before are none of a new piece.
  charge(WorkBudget::quantum - 1);
  const WorkBudget part({.steps = 100});
  CHECK_NOTHROW(check_cancelled());
}

TEST_CASE("a large claim is refused by whoever looks, before anything is allocated", "[core][work]") {
  bool has_room = true;
  WorkBudget work({}, [&] {
    if (!has_room) throw WorkStopped(WorkStopped::Reason::bytes, "shared");
  });
  { const Reservation claim(Reservation::large); }
  has_room = false;
  CHECK_THROWS_AS(Reservation(Reservation::large), WorkStopped);
  CHECK(work.claimed() == 0);
  CHECK_NOTHROW(Reservation(Reservation::large - 1));
  CHECK(work.most_claimed() >= Reservation::large);
  has_room = true;
  const Reservation claim(1000);
  CHECK(WorkBudget::claimed_in_all() == 1000);
  CHECK_NOTHROW(work.lower_bytes(1000));
  CHECK_THROWS_AS(Reservation(1), WorkStopped);
  CHECK_THROWS_AS(work.lower_bytes(999), WorkStopped);
}

TEST_CASE("bytes are given back when what they were for is gone", "[core][work]") {
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

// A chain of people, a ring of likings, some rules and denials: what every method finds work in.
Memory a_busy_memory() {
  Memory memory;
  for (int i = 0; i < 10'000; ++i) {
    const std::string a = "p" + std::to_string(i), b = "p" + std::to_string((7 * i + 3) % 10'000);
    samples::say(memory, "<(" + a + " * " + b + ") --> likes>.");
    samples::say(memory, "<" + a + " --> person>.");
  }
  samples::say(memory, "<<($1 * $2) --> likes> ==> <($2 * $1) --> knows>>.");
  return memory;
}

TEST_CASE("what stays of a part counts for the whole, unless the part leaves nothing", "[core][work]") {
  const WorkBudget whole({.bytes = 100});
  for (int i = 0; i < 10; ++i) {
    WorkBudget part({});
    part.leaves_nothing();
    Reservation(60).keep();
    CHECK(whole.claimed() == 60);
    CHECK(reason_of([] { Reservation(50).keep(); }) == WorkStopped::Reason::bytes);
  }
  CHECK(whole.claimed() == 0);
  {
    const WorkBudget part({});
    Reservation(60).keep();
  }
  CHECK(whole.claimed() == 60);
}

TEST_CASE("every method can be stopped, counts its work, and recalls the same afterwards", "[core][work]") {
  Memory memory = a_busy_memory();
  const MemoryIndex readings(memory);
  const Cue of_few = cue_for(memory, samples::term(memory, "<(p3 * ?1) --> knows>")),
            of_many = cue_for(memory, samples::term(memory, "<person --> ?1>"));
  std::size_t cheap = 0;
  for (const Method& method : methods()) {
    if (method.name == "uniform" || method.name == "frequency") continue;  // a pass over what is there
    INFO(method.name);
    const Cue& cue = method.is_local ? of_many : of_few;
    const auto recalled = [&] { return make_retriever(method)(readings, cue).statements; };
    const Vector whole = recalled();
    bool stopped = false;
    try {
      const WorkBudget work({.steps = 1});
      recalled();
    } catch (const WorkStopped& why) {
      stopped = why.reason == WorkStopped::Reason::steps;
    }
    if (method.is_local && !stopped)
      ++cheap;  // it reaches so little that it is over before anybody looks
    else
      CHECK(stopped);
    CHECK(recalled() == whole);
  }
  CHECK(cheap <= 3);
}

TEST_CASE("a recall that is stopped from outside ends at once, whatever it is at", "[core][work]") {
  Memory memory = a_busy_memory();
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, samples::term(memory, "<(p3 * ?1) --> knows>"));
  // Of methods that options make long: so many looks are taken before they end, and none after one said stop.
  const std::vector<std::pair<const char*, Options>> long_ones{
      {"pagerank", {{"damping", 0.999}}},
      {"linear_ecan", {{"rent", 1e-3}}},
      {"ecan", {{"cycles", 50.0}}},
      {"graph_spins", {{"dynamics", std::string("glauber")}, {"max_sweeps", 20.0}}},
      {"concept_attention", {{"embedding", std::string("random_indexing")}, {"dimensions", 64.0}}},
  };
  for (const auto& [name, options] : long_ones) {
    INFO(name);
    const AnyRetriever retriever = make_retriever(*find_method(name), options);
    int looks = 0;
    {
      const WorkBudget work({}, [&] { ++looks; });
      retriever(readings, cue);
    }
    CHECK(looks > 10);
    int after = 0;
    const WorkBudget work({}, [&] {
      if (++after >= 2) throw WorkStopped(WorkStopped::Reason::asked, "no longer wanted");
    });
    CHECK_THROWS_AS(retriever(readings, cue), WorkStopped);
    CHECK(after == 2);
  }
}

}  // namespace
}  // namespace engram::core
