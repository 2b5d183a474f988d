// SPDX-License-Identifier: MIT
// Copies of sessions: each behaves like a session with the same history.
#include <sstream>
#include <thread>

#include "core/graph/memory_image.hpp"
#include "core/methods/method.hpp"
#include "core/session/session.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

// The history of a session: input texts and requests, in order.
struct Done {
  enum Kind : std::uint8_t { input, asked, allocated, reset } kind = input;
  std::string text = {};
};
using History = std::vector<Done>;

struct Setting {
  MemoryOptions memory;
  ForgettingOptions forgetting;
};

const std::vector<std::string>& asked_methods() {
  static const std::vector<std::string> names{"attention",
                                              "bidirectional_spreading",
                                              "proof_attention",
                                              "pagerank",
                                              "hopfield",
                                              "modern_hopfield",
                                              "cosine",
                                              "spreading_activation",
                                              "concept_attention",
                                              "dense_memory"};
  return names;
}

void put(std::ostream& out, const SparseVector& numbers) {
  numbers.each([&](std::uint32_t i, double x) { out << ' ' << i << ':' << x; });
  out << '\n';
}

// All replies of a session, bit for bit.
std::string answers(Session& session, const std::string& question, bool all_methods) {
  std::ostringstream out;
  out << std::hexfloat;
  const Session::Request request(session);
  const auto cue = session.cue(question);
  for (const std::string& name : asked_methods()) {
    const Recall recall = session.recall(ConfiguredMethod(name), *cue);
    out << name;
    put(out, recall.concepts);
    put(out, recall.statements);
    if (!all_methods) break;
  }
  return out.str();
}

void do_again(Session& session, const Done& done) {
  if (done.kind == Done::reset) return session.reset();
  if (done.kind == Done::asked) return void(answers(session, done.text, false));
  const Session::Request request(session);
  if (done.kind == Done::input) {
    session.input(std::string_view(done.text));
  } else {
    const auto cue = session.cue(done.text);
    const AllocationOptions options{
        .of = done.text.size() % 2 == 0 ? AllocationOf::concepts : AllocationOf::statements, .prior = true};
    session.allocate(session.recall(ConfiguredMethod("attention"), *cue), options);
  }
}

std::string everything(Session& session) {
  std::ostringstream out;
  out << std::hexfloat;
  const MemoryImage image = session.memory().image();
  out << image.now << ' ' << image.total << ' ' << image.total_updated << '\n';
  for (const Concept& node : image.graph.concepts)
    out << narsese::print(node.term) << ' ' << node.activity << ' ' << node.judged << ' ' << node.updated
        << '\n';
  for (const HebbianLink& link : image.graph.links)
    out << link.source << '-' << link.target << ' ' << link.together << ' ' << link.judged.frequency << ' '
        << link.judged.confidence << ' ' << link.denied << ' ' << link.updated << '\n';
  for (ConceptId id = 0; id < session.memory().graph().size(); ++id) {
    for (const std::uint32_t k : session.memory().graph().links_of(id)) out << ' ' << k;
    out << '\n';
  }
  for (const Statement& said : session.memory().statements()) {
    out << narsese::print(said.sentence) << ' ' << said.evidence << ' ' << said.times << ' ' << said.updated
        << ' ' << said.denied;
    for (const ConceptId id : said.active) out << ' ' << id;
    out << '\n';
  }
  if (image.learner) {
    for (const auto& link : image.learner->links)
      out << link.to << '<' << link.from << ' ' << link.weight << ' ' << link.step << '\n';
    for (const auto& unit : image.learner->units)
      out << unit.level << ' ' << unit.step << ' ' << unit.time << '\n';
    for (const ConceptId id : image.learner->before) out << id << ' ';
    out << image.learner->total << ' ' << image.learner->step << ' ' << image.learner->last << '\n';
  }
  put(out, session.budget(AllocationOf::concepts));
  put(out, session.budget(AllocationOf::statements));
  const ForgettingHistory& forgotten = session.forgetting().state().so_far;
  out << forgotten.statements << ' ' << forgotten.concepts << ' ' << forgotten.links << ' ' << forgotten.last
      << '\n';
  return out.str() + answers(session, "<n3 --> n5>?", true) + answers(session, "<(*,n1,n2) --> r1>?", true);
}

std::string copied_line(Rng& rng) {
  const auto n = [&](std::uint32_t of) { return std::to_string(rng.below(of)); };
  switch (rng.below(8)) {
    case 0:
      return "<n" + n(40) + " --> n" + n(40) + ">. %" + (rng.below(2) == 0 ? "0.0" : "0.9") + ";0.8%";
    case 1:
      return "<(*,n" + n(20) + ",n" + n(20) +
             ") --> associated>. "
             "%0.70000000000000000000000000000000000000;0.50000000000000000000000000000000000000%";
    case 2:
      return "<(&&,<(*,$1,$2) --> r" + n(3) + ">,<(*,$2,$3) --> r" + n(3) + ">) ==> <(*,$1,$3) --> r" + n(3) +
             ">>.";
    case 3:
      return n(5);
    case 4:
      return "<new" + n(100'000) + " --> n" + n(40) + ">.";
    case 5:
      return "<n" + n(40) + " --> ?1>?";
    case 6:
      return "<broken" + n(1000);
    default:
      return "<(*,n" + n(40) + ",n" + n(40) + ") --> r" + n(3) + ">.";
  }
}

Done something(Rng& rng) {
  const std::uint64_t kind = rng.below(40);
  if (kind == 0) return {Done::reset};
  if (kind < 6) return {Done::asked, "<n" + std::to_string(rng.below(40)) + " --> what>?"};
  if (kind < 10) return {Done::allocated, "<n" + std::to_string(rng.below(40)) + " --> ?1>?"};
  std::string text;
  for (std::uint64_t lines = 1 + rng.below(12); lines > 0; --lines) text += copied_line(rng) + "\n";
  return {Done::input, text};
}

std::vector<Setting> settings() {
  std::vector<Setting> all(1);
  for (const LearningRuleFacts& facts : learning_rules) {
    Setting one;
    one.memory.learning = LinkLearning{.rule = facts.value};
    one.memory.decay = 0.001;
    all.push_back(one);
  }
  for (const ForgettingPolicy policy : {ForgettingPolicy::learnt, ForgettingPolicy::recent}) {
    Setting one;
    one.forgetting.policy = policy;
    one.memory.limits.max_statements = 60;
    one.memory.limits.max_concepts = 200;
    one.memory.activation.compounds = true;
    one.memory.learning = LinkLearning{.rule = LearningRule::oja};
    all.push_back(one);
  }
  return all;
}

}  // namespace

TEST_CASE("a session and its copies behave like sessions with the same history", "[session_copy]") {
  std::uint64_t seed = 0;
  for (const Setting& setting : settings()) {
    Rng rng(++seed, "copies");
    struct One {
      std::unique_ptr<Session> session;
      History history;
    };
    std::vector<One> all(1);
    all[0].session = std::make_unique<Session>(setting.memory, setting.forgetting);
    for (int step = 0; step < 120; ++step) {
      const std::size_t which = rng.below(static_cast<std::uint32_t>(all.size()));
      if (rng.below(8) == 0) {
        One copy{std::make_unique<Session>(*all[which].session), all[which].history};
        all.size() < 4 ? all.push_back(std::move(copy)) : void(all[rng.below(4)] = std::move(copy));
        continue;
      }
      all[which].history.push_back(something(rng));
      do_again(*all[which].session, all[which].history.back());
    }
    for (One& one : all) {
      Session again(setting.memory, setting.forgetting);
      for (const Done& done : one.history) do_again(again, done);
      INFO("setting " << seed);
      CHECK(everything(*one.session) == everything(again));
    }
  }
}

TEST_CASE("a copy counts the bytes of its growth, although its storage is less fragmented",
          "[session_copy]") {
  Session session;
  std::string said;
  // Rows that grow in turns leave free pieces in the storage of the session.
  for (int i = 0; i < 80'000; ++i)
    said += "<a" + std::to_string(i % 300) + " --> b" + std::to_string(i % 271) + ">.\n";
  session.input(said);
  session.index();
  Session copy(session);
  const WorkBudget work({.bytes = std::uint64_t{1} << 30});
  CHECK(copy.accept(*narsese::parse_sentence("<a0 --> c>.", copy.mutable_memory().terms())));
  CHECK(copy.index().statements() == 80'001);
  CHECK(work.reserved() < std::uint64_t{1} << 24);
}

TEST_CASE("copies answer on other threads while the session changes", "[session_copy]") {
  Session session;
  Rng rng(5, "beside");
  const auto tell = [&](int lines) {
    std::string text;
    for (; lines > 0; --lines) text += copied_line(rng) + "\n";
    const Session::Request request(session);
    session.input(std::string_view(text));
  };
  tell(300);
  for (int round = 0; round < 6; ++round) {
    session.index();
    const std::string question = "<n" + std::to_string(round) + " --> n7>?";
    auto first = std::make_unique<Session>(session), second = std::make_unique<Session>(session);
    const std::string expected = answers(*second, question, true);
    second = std::make_unique<Session>(session);
    std::string a, b;
    std::thread one([&] { a = answers(*first, question, true); }), other([&] {
      b = answers(*second, question, true);
      second.reset();
    });
    tell(30);
    answers(session, question, true);
    tell(30);
    one.join();
    other.join();
    CHECK(a == expected);
    CHECK(b == expected);
  }
}

TEST_CASE("a copy shares unchanged pages and has no observer", "[session_copy]") {
  struct Counting : MemoryObserver {
    void begun() override { ++heard; }
    void accepted(const narsese::Sentence&, bool) override { ++heard; }
    void advanced(Time) override { ++heard; }
    void kept(const std::vector<bool>&, const std::vector<bool>&, ForgettingReason) override { ++heard; }
    int heard = 0;
  } observer;
  MemoryOptions options;
  options.observer = &observer;
  Session session(options);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.\n";
  session.input(std::string_view(text));
  const int heard = observer.heard;
  const std::uint64_t before = narsese::released_shared_bytes;
  {
    Session copy(session);
    CHECK(copy.bytes() >= session.bytes() - 100'000);
    CHECK(copy.bytes() <= session.bytes());
    copy.input(std::string_view("<a --> b>. <a1 --> c>."));
    copy.reset();
    CHECK(observer.heard == heard);
    session.input(std::string_view("<a7 --> b7>.\n"));
  }
  CHECK(observer.heard == heard + 1);
  const std::uint64_t left = narsese::released_shared_bytes - before;
  CHECK(left > 0);
  CHECK(left < 3 * session.bytes());  // the copy keeps all old pages alive, and both sessions have new ones
  session.input(std::string_view("<a8 --> b8>.\n"));
  CHECK(narsese::released_shared_bytes - before == left);  // nothing is shared any more
}

}  // namespace engram::core
