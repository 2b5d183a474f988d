// SPDX-License-Identifier: MIT
// Sessions that forget: they never exceed a limit.
#include <sstream>

#include "core/methods/method.hpp"
#include "core/session/session.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

MemoryLimits small_limits() {
  const MemoryLimits limits{.max_concepts = 700, .max_hebbian_links = 900, .max_statements = 300};
  return limits;
}

// A random line: new names, long names, old names, long sentences, link judgements or invalid Narsese.
std::string hostile_line(Rng& rng, int i) {
  const std::string n = std::to_string(i);
  switch (rng.below(8)) {
    case 0:
      return "<" + std::string(1 + rng.below(300), 'x') + n + " --> y" + n + ">.";
    case 1:
      return "<(*,a" + n + ",b" + n +
             ") --> associated>. %0.70000000000000000000000000000000000000;0."
             "50000000000000000000000000000000000000%";
    case 2: {
      std::string set = "<{";
      for (std::uint64_t k = 0; k < 2 + rng.below(30); ++k) set += "c" + n + "_" + std::to_string(k) + ",";
      return set + "z} --> set>.";
    }
    case 3:
      return "<old" + std::to_string(rng.below(40)) + " --> known>.";
    case 4:
      return "<(&&,<$1 --> p" + n + ">,<$1 --> q" + n + ">) ==> <$1 --> r" + n + ">>.";
    case 5:
      return "<what" + n + " --> ?1>?";
    case 6:
      return "<no Narsese " + n;
    default:
      return "<(*,f" + n + ",g" + n + ") --> likes>.";
  }
}

void check_limits(const Session& session, const MemoryLimits& limits) {
  const Memory& memory = session.memory();
  CHECK(memory.graph().size() <= limits.max_concepts);
  CHECK(memory.graph().hebbian_links().size() <= limits.max_hebbian_links);
  CHECK(memory.statements().size() <= limits.max_statements);
  CHECK(session.bytes() <= limits.max_bytes);
}

TEST_CASE("a hostile stream exceeds no limit, and everything that fits is accepted", "[forgetting_session]") {
  for (const auto& policy : forgetting_policies) {
    if (policy.value == ForgettingPolicy::none) continue;
    for (const std::size_t bytes : {MemoryLimits{}.max_bytes, std::size_t{3} << 20}) {
      MemoryOptions options;
      options.limits = small_limits();
      options.limits.max_bytes = bytes;
      if (bytes < MemoryLimits{}.max_bytes)  // the limit of bytes is the tightest one
        options.limits.max_statements = options.limits.max_hebbian_links = options.limits.max_concepts =
            std::size_t{1} << 20;
      INFO(policy.name << ", " << bytes);
      Session session(options, {.policy = policy.value});
      Rng rng(23, "hostile");
      std::size_t refused = 0, max_terms = 0;
      for (int i = 0; i < 6000; ++i) {
        const Session::Request request(session);
        max_terms = std::max(max_terms, session.mutable_memory().terms().size());
        for (const RejectedLine& line : session.input(hostile_line(rng, i)).rejected)
          refused += line.message.find("memory is full") != std::string::npos;
        check_limits(session, options.limits);
        if (i % 500 == 0)
          (void)session.recall(ConfiguredMethod("proof_attention"), *session.cue("<old1 --> known>?"));
      }
      CHECK(refused == 0);
      if (bytes == MemoryLimits{}.max_bytes) CHECK(max_terms < 3 * small_limits().max_concepts + 2000);
      CHECK(session.forgetting().state().so_far.statements > 1000);
      CHECK(session.memory().statements().size() > 30);
    }
  }
}

TEST_CASE("read() forgets between lines, inside and outside of requests", "[forgetting_session]") {
  const MemoryOptions options = with_limits(small_limits());
  std::string text;
  Rng rng(29, "stream");
  for (int i = 0; i < 3000; ++i) text += hostile_line(rng, i) + "\n";
  const auto statements_of = [](const Session& session) {
    std::vector<std::string> said;
    for (const Statement& one : session.memory().statements()) said.push_back(narsese::print(one.sentence));
    return said;
  };
  Session whole(options, {.policy = ForgettingPolicy::learnt});
  {
    const Session::Request request(whole);
    whole.input(text);
  }
  Session stream(options, {.policy = ForgettingPolicy::learnt}),
      in_request(options, {.policy = ForgettingPolicy::learnt});
  std::istringstream in(text), again(text);
  stream.read(in);
  {
    const Session::Request request(in_request);
    in_request.read(again);
  }
  CHECK(statements_of(stream) == statements_of(whole));
  CHECK(statements_of(in_request) == statements_of(whole));
  check_limits(stream, options.limits);
}

TEST_CASE("budgets lose forgotten items and keep sum 1", "[forgetting_session]") {
  Session session(with_limits({.max_statements = 8}), {.policy = ForgettingPolicy::recent});
  for (int i = 0; i < 8; ++i)
    session.input("<a" + std::to_string(i) + " --> b" + std::to_string(i % 2) + ">.");
  const Recall recall = session.recall(ConfiguredMethod("overlap"), *session.cue("<?1 --> b1>?"));
  const AllocationOptions how{.of = AllocationOf::statements};
  session.allocate(recall, how);
  REQUIRE(session.budget(AllocationOf::statements).held() >= 4);
  session.input("<c --> d>.");  // the new input makes the session forget the statements of a0, a1 and a2
  REQUIRE(session.memory().statements().size() == 6);
  const SparseVector& budget = session.budget(AllocationOf::statements);
  CHECK(budget.size() == 5);
  CHECK(std::abs(budget.sum() - 1) < 1e-12);
  budget.each([&](std::uint32_t e, double) {
    CHECK(narsese::print(session.memory().statements().term(e)).ends_with("--> b1>"));
  });
}

TEST_CASE("a sentence that never fits is refused without forgetting", "[forgetting_session]") {
  MemoryOptions options;
  options.limits = small_limits();
  options.limits.max_hebbian_links = 40;
  Session session(options, {.policy = ForgettingPolicy::useful});
  session.input("<a --> b>.\n<c --> d>.");
  std::string large = "<{";
  for (int i = 0; i < 60; ++i) large += "m" + std::to_string(i) + ",";
  const InputReport report = session.input(large + "z} --> set>.");
  REQUIRE(report.rejected.size() == 1);
  CHECK(report.rejected[0].message == "the memory is full: the limit is 40 Hebbian links");
  CHECK(session.memory().statements().size() == 2);
}

TEST_CASE("decayed statements are forgotten automatically", "[forgetting_session]") {
  Session session(with_decay(0.02), {.policy = ForgettingPolicy::learnt});
  for (int i = 0; i < 6000; ++i) session.input("<n" + std::to_string(i) + " --> thing>.");
  // Evidence .9 / .1 decays to 1e-6 in about 800 cycles. Decayed statements are removed by a check that runs once in as
  // many cycles as there are statements.
  CHECK(session.memory().statements().size() < 2200);
  CHECK(session.memory().graph().size() < 4500);
  CHECK(session.forgetting().state().so_far.times[static_cast<std::size_t>(ForgettingReason::decayed)] > 2);
}

}  // namespace
}  // namespace engram::core
