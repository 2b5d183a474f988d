// SPDX-License-Identifier: MIT
#include "core/numbers/work.hpp"

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

TEST_CASE("many short pieces of work are as easy to end as one", "[core][work]") {
  const auto ends = [](const auto& piece) {
    std::size_t looks = 0;
    const Work whole({}, [&] {
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
    const Work part({});
    spend(1000);
  }));
  CHECK(ends([] {
    const Work part({.steps = 2000});
    spend(1000);
  }));
  CHECK(ends([] {
    const Work outer({});
    const Work inner({});
    spend(1);
  }));
  CHECK(ends([] { const Claim claim(Claim::large); }));
  // Steps of before are none of a new piece.
  spend(Work::quantum - 1);
  const Work part({.steps = 100});
  CHECK_NOTHROW(look_now());
}

TEST_CASE("a large claim is refused by whoever looks, before anything is allocated", "[core][work]") {
  bool has_room = true;
  Work work({}, [&] {
    if (!has_room) throw WorkStopped(WorkStopped::Reason::bytes, "shared");
  });
  { const Claim claim(Claim::large); }
  has_room = false;
  CHECK_THROWS_AS(Claim(Claim::large), WorkStopped);
  CHECK(work.claimed() == 0);
  CHECK_NOTHROW(Claim(Claim::large - 1));
  CHECK(work.most_claimed() >= Claim::large);
  has_room = true;
  const Claim claim(1000);
  CHECK(Work::claimed_in_all() == 1000);
  CHECK_NOTHROW(work.lower_bytes(1000));
  CHECK_THROWS_AS(Claim(1), WorkStopped);
  CHECK_THROWS_AS(work.lower_bytes(999), WorkStopped);
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
  const Work whole({.bytes = 100});
  for (int i = 0; i < 10; ++i) {
    Work part({});
    part.leaves_nothing();
    Claim(60).stay();
    CHECK(whole.claimed() == 60);
    CHECK(reason_of([] { Claim(50).stay(); }) == WorkStopped::Reason::bytes);
  }
  CHECK(whole.claimed() == 0);
  {
    const Work part({});
    Claim(60).stay();
  }
  CHECK(whole.claimed() == 60);
}

TEST_CASE("every method can be stopped, counts its work, and recalls the same afterwards", "[core][work]") {
  Memory memory = a_busy_memory();
  const Readings readings(memory);
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
      const Work work({.steps = 1});
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
  const Readings readings(memory);
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
      const Work work({}, [&] { ++looks; });
      retriever(readings, cue);
    }
    CHECK(looks > 10);
    int after = 0;
    const Work work({}, [&] {
      if (++after >= 2) throw WorkStopped(WorkStopped::Reason::asked, "no longer wanted");
    });
    CHECK_THROWS_AS(retriever(readings, cue), WorkStopped);
    CHECK(after == 2);
  }
}

}  // namespace
}  // namespace engram::core
