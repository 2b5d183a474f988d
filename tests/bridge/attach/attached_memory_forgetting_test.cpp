// SPDX-License-Identifier: MIT
// Tests of attached memories that forget. They stay within their limits, data about forgotten statements is dropped,
// and a replay gives the same memory.
#include <map>
#include <optional>
#include <set>

#include "bridge/attach/attached_memory.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

using Kind = TranscriptEntry::Kind;
using Stamp = std::vector<std::uint64_t>;

std::string output_line(const std::string& kind, const std::string& sentence, const Stamp& stamp) {
  std::string numbers;
  for (const std::uint64_t number : stamp) numbers += (numbers.empty() ? "" : ",") + std::to_string(number);
  return kind + ": " + sentence + ". Priority=0.500000 Stamp=[" + numbers +
         "] Truth: frequency=1.000000, confidence=0.810000";
}

// Generates the transcript of a session in which the user keeps using new names. For each input, the reasoner also
// derives and answers.
class Stream {
 public:
  std::vector<TranscriptEntry> next() {
    const std::uint64_t n = ++inputs_;
    // `name` and `group` are drawn in separate statements, because the evaluation order of operands is unspecified.
    const std::uint64_t name = rng_.below(4) == 0 ? rng_.below(n) : n, group = rng_.below(6);
    const std::string own = "<a" + std::to_string(name) + " --> b" + std::to_string(group) + ">";
    std::vector<TranscriptEntry> entries{{Kind::input, own + "."},
                                         {Kind::heard, output_line("Input", own, {n})}};
    input_statements.insert(own);
    for (std::uint64_t k = rng_.below(3); k > 0; --k) {
      const std::string inferred = "<c" + std::to_string(rng_.below(2 * n)) + " --> d>";
      stamps[inferred].push_back({n, 1 + rng_.below(n)});
      entries.push_back({Kind::heard, output_line("Derived", inferred, stamps[inferred].back())});
    }
    if (rng_.below(3) == 0)
      entries.push_back({Kind::heard, output_line("Answer", own, {1 + rng_.below(n), n})});
    return entries;
  }

  std::set<std::string> input_statements;
  std::map<std::string, std::vector<Stamp>> stamps;

 private:
  core::Rng rng_{31, "attached stream"};
  std::uint64_t inputs_ = 0;
};

SessionStart tiny(core::ForgettingPolicy policy, std::size_t bytes = core::MemoryLimits{}.max_bytes) {
  SessionStart start{.system = &ona(), .forgetting = policy};
  start.limits.max_concepts = 60;
  start.limits.max_hebbian_links = 50;
  start.limits.max_statements = 20;
  start.limits.max_bytes = bytes;
  return start;
}

// Whether the memory rejected a line, or its full term table did so during parsing.
bool is_refused(const AttachedMemory::Effect& effect) {
  if (effect.line.kind != narsese::NalLine::Kind::error) return !effect.refusal.empty();
  CHECK(effect.line.error.message().rfind("the memory is full", 0) == 0);
  return true;
}

void check_limits(const AttachedMemory& attached) {
  const core::Memory& memory = attached.session().memory();
  const core::MemoryLimits& limits = attached.session().limits();
  CHECK(memory.statements().size() <= limits.max_statements);
  CHECK(memory.graph().size() <= limits.max_concepts);
  CHECK(memory.graph().hebbian_links().size() <= limits.max_hebbian_links);
  CHECK(attached.session().bytes() <= limits.max_bytes);
}

// Checks that each number always identifies the same statement, and that the origin of each statement is one that the
// stream has produced.
void check_origins(const AttachedMemory& attached, const Stream& stream,
                   std::map<std::uint64_t, std::string>& named) {
  const core::Statements& statements = attached.session().memory().statements();
  REQUIRE(attached.origins().size() == statements.size());
  std::size_t stated = 0;
  for (core::StatementId id = 0; id < statements.size(); ++id) {
    const AttachedMemory::Origin& origin = attached.origins()[id];
    const std::string text = narsese::print(statements.term(id));
    CHECK(named.try_emplace(origin.number, text).first->second == text);
    CHECK(attached.find(origin.number) == std::optional(id));
    CHECK((!origin.stated || stream.input_statements.contains(text)));
    stated += origin.stated;
    if (origin.stated) continue;
    const auto& stamps = stream.stamps.at(text);
    CHECK(std::ranges::find(stamps, origin.stamp) != stamps.end());
  }
  CHECK(attached.stated_count() == stated);
  for (const auto& [number, text] : named)
    if (const auto id = attached.find(number)) CHECK(narsese::print(statements.term(*id)) == text);
}

TEST_CASE("an attached memory and its side data stay within their limits under a stream of new names",
          "[bridge][attach][forgetting]") {
  for (const auto& policy : core::forgetting_policies) {
    if (policy.value == core::ForgettingPolicy::none) continue;
    INFO(policy.name);
    AttachedMemory attached(tiny(policy.value));
    Stream stream;
    std::map<std::uint64_t, std::string> named;
    std::size_t refused = 0;
    for (int i = 0; i < 400; ++i) {
      const core::Session::Request request(attached.session());
      for (const TranscriptEntry& entry : stream.next()) {
        const auto effect = attached.apply(entry);
        refused += !effect.refusal.empty();
        if (effect.statement) CHECK(*effect.statement < attached.session().memory().statements().size());
        check_limits(attached);
      }
      check_origins(attached, stream, named);
    }
    CHECK(refused == 0);
    CHECK(attached.session().forgetting().state().so_far.statements > 200);
    CHECK(named.size() > 200);
  }
}

TEST_CASE("a transcript names its forgetting policy, and its replay gives the same memory",
          "[bridge][attach][forgetting]") {
  std::set<std::string> ends;
  for (const auto& policy : core::forgetting_policies) {
    INFO(policy.name);
    const SessionStart start = tiny(policy.value);
    const auto read = start_from_json(to_json(start));
    REQUIRE(read);
    CHECK(read->forgetting == policy.value);
    CHECK(read->limits.max_statements == 20);
    CHECK(read->limits.max_concepts == 60);
    CHECK(read->limits.max_hebbian_links == 50);
    CHECK(read->limits.max_bytes == start.limits.max_bytes);
    AttachedMemory live(start), again(*read);
    Stream stream;
    for (int i = 0; i < 300; ++i) {
      // The replay has no requests, so a request in progress must not influence which statements are forgotten.
      const core::Session::Request request(live.session());
      for (const TranscriptEntry& entry : stream.next()) {
        live.apply(entry);
        again.apply(*entry_from_json(to_json(entry)));
      }
    }
    CHECK(live.end() == again.end());
    ends.insert(live.end().memory);
  }
  // The policies forget different statements, so each gives a different memory.
  CHECK(ends.size() == core::forgetting_policies.size());
}

TEST_CASE("fields that older transcripts lack have their former defaults", "[bridge][attach][forgetting]") {
  const auto start = start_from_json(R"({"transcript": 1, "system": "ona", "learning": "all"})");
  REQUIRE(start);
  CHECK(start->forgetting == core::ForgettingPolicy::none);
  CHECK(start->limits.max_statements == core::MemoryLimits{}.max_statements);
  CHECK_FALSE(
      start_from_json(R"({"transcript": 1, "system": "ona", "learning": "all", "forgetting": "all"})"));
  CHECK_FALSE(
      start_from_json(R"({"transcript": 1, "system": "ona", "learning": "all", "limits": {"bytes": "1"}})"));
}

TEST_CASE("side data of an attached memory counts against its byte limit and is bounded by a share of it",
          "[bridge][attach][forgetting]") {
  const std::size_t bytes = std::size_t{2} << 20;
  SessionStart start = tiny(core::ForgettingPolicy::recent, bytes);
  start.limits.max_statements = start.limits.max_concepts = start.limits.max_hebbian_links = 1'000'000;
  AttachedMemory attached(start);
  Stream stream;
  std::size_t least_beside = bytes, most_beside = 0;
  for (int i = 0; i < 6000; ++i) {
    const core::Session::Request request(attached.session());
    for (const TranscriptEntry& entry : stream.next()) attached.apply(entry);
    check_limits(attached);
    const std::size_t beside = attached.session().bytes() - attached.session().memory().bytes();
    least_beside = std::min(least_beside, beside);
    most_beside = std::max(most_beside, beside);
  }
  CHECK(attached.session().forgetting().state().so_far.statements > 1000);
  CHECK(least_beside >= 5 * AttachedMemory::max_record_bytes(start.limits));
  CHECK(most_beside < bytes / 4);
}

TEST_CASE("an attached memory without forgetting fills up to its limit and then rejects input",
          "[bridge][attach][forgetting]") {
  SessionStart start{.system = &ona()};
  start.limits.max_bytes = std::size_t{1} << 20;
  AttachedMemory attached(start);
  Stream stream;
  std::size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const core::Session::Request request(attached.session());
    for (const TranscriptEntry& entry : stream.next()) refused += is_refused(attached.apply(entry));
    check_limits(attached);
  }
  CHECK(refused > 100);
  CHECK(attached.session().memory().statements().size() > 1000);
}

TEST_CASE("a forgotten statement is learnt again from the same stamp, a remembered one is not",
          "[bridge][attach][forgetting]") {
  SessionStart start{.system = &ona(), .forgetting = core::ForgettingPolicy::recent};
  start.limits.max_statements = 3;
  AttachedMemory attached(start);
  const auto evidence_of = [&](const std::string& text) {
    const core::Memory& memory = attached.session().memory();
    for (core::StatementId e = 0; e < memory.statements().size(); ++e)
      if (narsese::print(memory.statements().term(e)) == text) return memory.evidence(e);
    return 0.0;
  };
  attached.apply({Kind::heard, output_line("Derived", "<x --> y>", {1, 2})});
  const double once = evidence_of("<x --> y>");
  REQUIRE(once > 0);
  attached.apply({Kind::heard, output_line("Derived", "<x --> y>", {1, 2})});
  CHECK(evidence_of("<x --> y>") == once);
  for (const char* more : {"<a --> b>.", "<c --> d>.", "<e --> f>."}) attached.apply({Kind::input, more});
  REQUIRE(evidence_of("<x --> y>") == 0);
  attached.apply({Kind::heard, output_line("Derived", "<x --> y>", {1, 2})});
  CHECK(evidence_of("<x --> y>") == once);
}

TEST_CASE("SeenSet remembers the latest distinct keys", "[bridge][attach][once]") {
  constexpr std::size_t most = 7;
  SeenSet once(most);
  std::vector<std::string> remembered;  // slow reference implementation of SeenSet
  core::Rng rng(5, "once");
  for (int i = 0; i < 3000; ++i) {
    const std::string text = std::to_string(rng.below(12));
    const bool is_new = std::ranges::find(remembered, text) == remembered.end();
    CHECK(once.add(text) == is_new);
    if (is_new) remembered.push_back(text);
    if (remembered.size() > most) remembered.erase(remembered.begin());
  }
}

}  // namespace
}  // namespace engram::bridge
