// SPDX-License-Identifier: MIT
#include "bridge/attach/attached_memory.hpp"

#include <sstream>

#include "core/proofs/proof_methods.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::AttachedMemory;
using bridge::TranscriptEntry;
using EntryKind = bridge::TranscriptEntry::Kind;

namespace {

std::string ona_line(const std::string& kind, const std::string& sentence, const std::string& stamp,
                     const std::string& confidence = "0.900000") {
  return kind + ": " + sentence + " Priority=0.500000 Stamp=[" + stamp +
         "] Truth: frequency=1.000000, confidence=" + confidence;
}

std::string text_after(const std::vector<TranscriptEntry>& entries,
                       bridge::Learning learning = bridge::Learning::all) {
  AttachedMemory memory({&bridge::ona(), learning});
  for (const TranscriptEntry& entry : entries) memory.apply(entry);
  return bridge::memory_text(memory.session().memory());
}

double judged_confidence(const core::Memory& memory, const std::string& a, const std::string& b) {
  for (const core::HebbianLink& link : memory.graph().hebbian_links()) {
    const std::string x = narsese::print(memory.graph()[link.source].term);
    const std::string y = narsese::print(memory.graph()[link.target].term);
    if ((x == a && y == b) || (x == b && y == a)) return link.judged.confidence;
  }
  return -1;
}

const std::vector<TranscriptEntry> two_inputs{
    {EntryKind::fresh, ""},
    {EntryKind::input, "<a --> b>."},
    {EntryKind::heard, ona_line("Input", "<a --> b>.", "1")},
    {EntryKind::input, "<b --> c>."},
    {EntryKind::heard, ona_line("Input", "<b --> c>.", "2")},
};

std::vector<TranscriptEntry> and_then(std::vector<TranscriptEntry> more) {
  std::vector<TranscriptEntry> entries = two_inputs;
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

}  // namespace

TEST_CASE("output with renamed terms is learnt under the user's names", "[bridge][attach]") {
  const std::vector<TranscriptEntry> renamed{
      {EntryKind::fresh, ""},
      {EntryKind::input, "<a --> b>."},
      {EntryKind::named, "a_1 a"},
      {EntryKind::named, "b_1 b"},
      {EntryKind::heard, ona_line("Input", "<a_1 --> b_1>.", "1")},
      {EntryKind::input, "<b --> c>."},
      {EntryKind::heard, ona_line("Input", "<b_1 --> c>.", "2")},
      {EntryKind::heard, ona_line("Derived", "<a_1 --> c>.", "2,1")},
  };
  const std::string own =
      text_after(and_then({{EntryKind::heard, ona_line("Derived", "<a --> c>.", "2,1")}}));
  CHECK(text_after(renamed) == own);

  AttachedMemory memory({&bridge::ona()});
  for (const TranscriptEntry& entry : renamed) memory.apply(entry);
  CHECK(memory.with_original_names("<a_1 --> {b_1}>. %0.5;0.9%") == "<a --> {b}>. %0.5;0.9%");
  CHECK(memory.with_original_names("<(c*d)  --> x>.") == "<(c*d)  --> x>.");
  CHECK(memory.with_original_names("no a_1") == "no a_1");
  const auto effect = memory.apply({EntryKind::heard, "^go executed with args ({SELF} * a_1)"});
  REQUIRE(effect.events.size() == 1);
  CHECK(effect.events[0].arguments == std::vector<std::string>{"(*,{SELF},a)"});
  CHECK(effect.events[0].raw == "^go executed with args ({SELF} * a_1)");
  memory.apply({EntryKind::named, ""});
  CHECK_FALSE(memory.has_replaced_names());
  CHECK(memory.with_original_names("<a_1 --> b>.") == "<a_1 --> b>.");
}

TEST_CASE("transcript entries survive a round trip through JSON, also with invalid UTF-8",
          "[bridge][attach]") {
  for (const auto kind : {EntryKind::input, EntryKind::fresh, EntryKind::sent, EntryKind::heard,
                          EntryKind::again, EntryKind::named})
    for (const std::string text : {"", "<a --> b>.", "\"\\\n\t\x01", "\xC3\xA4", "\xff\xfe\xc3", "a\xC3"}) {
      const TranscriptEntry entry{kind, text};
      const std::string json = bridge::to_json(entry);
      CHECK(json.find('\n') == std::string::npos);
      CHECK(bridge::entry_from_json(json) == entry);
    }
  std::string nul = "a";
  nul += '\0';
  CHECK(bridge::entry_from_json(bridge::to_json({EntryKind::heard, nul}))->text == nul);
  for (const char* bad :
       {"", "{}", "[]", "7", R"({"input":7})", R"({"imput":"a"})", R"({"input":"a","sent":"b"})",
        R"({"heard_bytes":"f"})", R"({"heard_bytes":"fg"})", R"({"heard_bytes":"+1"})", R"({"sha256":"a"})"})
    CHECK_FALSE(bridge::entry_from_json(bad));
}

TEST_CASE("equal entries give equal memories, different entries different ones", "[bridge][attach]") {
  const auto derived = and_then({{EntryKind::heard, ona_line("Derived", "<a --> c>.", "2,1", "0.810000")}});
  CHECK(text_after(derived) == text_after(derived));
  CHECK(text_after(derived) != text_after(two_inputs));
  CHECK(text_after(derived, bridge::Learning::nothing) == text_after(two_inputs));
  CHECK(text_after(derived, bridge::Learning::answers) == text_after(two_inputs));
  for (const auto learning : {bridge::Learning::nothing, bridge::Learning::answers, bridge::Learning::all})
    CHECK(value_named(bridge::learnings, name_of(bridge::learnings, learning)) == learning);
  CHECK_FALSE(value_named(bridge::learnings, "everything"));
  CHECK(text_after(derived) ==
        // A learnt derivation has the same effect as an input with its truth value.
        text_after(and_then({{EntryKind::input, "<a --> c>. %1.0;0.81%"}})));
  CHECK(text_after(and_then({{EntryKind::input, "7"}})) != text_after(two_inputs));
}

TEST_CASE("a derivation is learnt once for each stamp, and not at all if it was input", "[bridge][attach]") {
  const TranscriptEntry derived{EntryKind::heard, ona_line("Derived", "<a --> c>.", "2,1")};
  const TranscriptEntry other_stamp{EntryKind::heard, ona_line("Revised", "<a --> c>.", "1,2,3")};
  CHECK(text_after(and_then({derived, derived})) == text_after(and_then({derived})));
  CHECK(text_after(and_then({derived, other_stamp})) != text_after(and_then({derived})));
  for (const std::string& line :
       {ona_line("Derived", "<a --> b>.", "1,2"), ona_line("Selected", "<a --> c>.", "2,1"),
        std::string("Answer: None."), std::string("Input: <a --> c>?"), std::string("\xff"), std::string()})
    CHECK(text_after(and_then({{EntryKind::heard, line}})) == text_after(two_inputs));
  CHECK(text_after(and_then({{EntryKind::again, derived.text}})) == text_after(two_inputs));
  CHECK(text_after(and_then({{EntryKind::sent, "<a --> c>."}})) == text_after(two_inputs));
}

TEST_CASE("OpenNARS's events about its own operations are not learnt", "[bridge][attach]") {
  AttachedMemory memory({&bridge::opennars()});
  const auto hear = [&](const std::string& line) {
    memory.apply({EntryKind::heard, line});
    return memory.session().memory().statements().size();
  };
  CHECK(hear("OUT: (^believe,{SELF},<a --> c>,TRUE). :|: %1.00;0.90% {2|10 : (1,1);(1,0)} ") == 0);
  CHECK(hear("OUT: <{SELF} --> (/,^wonder,_,<a --> c>)>. :-5: %1.00;0.90% {2|10 : (1,1)} ") == 0);
  CHECK(hear("OUT: (^go,{SELF},c). :|: %1.00;0.90% {2|10 : (1,1)} ") == 1);
  CHECK(hear("OUT: <believe --> c>. %1.00;0.90% {2 : (1,1)} ") == 2);
}

TEST_CASE("an answer reinforces only the links of the inputs that it is based on", "[bridge][attach]") {
  const std::string answer =
      "Answer: <a --> b>. creationTime=2 Stamp=[1] Truth: frequency=1.000000, confidence=0.800000";
  AttachedMemory memory({&bridge::ona()});
  for (const TranscriptEntry& entry : and_then({{EntryKind::heard, answer}})) memory.apply(entry);
  CHECK(judged_confidence(memory.session().memory(), "a", "b") == 0.8);
  CHECK(judged_confidence(memory.session().memory(), "b", "c") == 0);
  memory.apply({EntryKind::heard, answer});  // an answer with the same stamp is not learnt again
  CHECK(judged_confidence(memory.session().memory(), "a", "b") == 0.8);
  // After a restart, stamps are counted from 1 again. Stamp 1 refers to no input until the reasoner echoes one. Then it
  // refers to <b --> c>, and the answer with this stamp is new evidence.
  memory.apply({EntryKind::fresh, ""});
  memory.apply({EntryKind::heard, answer});
  CHECK(judged_confidence(memory.session().memory(), "a", "b") == 0.8);
  memory.apply({EntryKind::again, ona_line("Input", "<b --> c>.", "1")});
  memory.apply({EntryKind::heard, answer});
  CHECK(judged_confidence(memory.session().memory(), "b", "c") == 0.8);
  CHECK(memory.session().memory().statements().size() == 2);
  CHECK(memory.stated_count() == 2);
}

TEST_CASE("an answer based on a denied statement does not reinforce the link of its terms",
          "[bridge][attach]") {
  AttachedMemory memory({&bridge::ona()});
  memory.apply({EntryKind::input, "<a --> b>. %0;0.9%"});
  memory.apply({EntryKind::heard,
                "Input: <a --> b>. Priority=0.5 Stamp=[1] Truth: frequency=0.000000, confidence=0.900000"});
  memory.apply(
      {EntryKind::heard,
       "Answer: <a --> b>. creationTime=2 Stamp=[1] Truth: frequency=0.000000, confidence=0.800000"});
  const core::Memory& held = memory.session().memory();
  REQUIRE(held.graph().hebbian_links().size() == 1);
  CHECK(judged_confidence(held, "a", "b") == 0.8);
  CHECK(held.graph().weight(*held.graph().find_link(0, 1), held.now()) == 0);
}

namespace {

bridge::Model plain_model() {
  const core::ConfiguredMethod method("proof_attention", core::options_of(core::plain_proof_weights));
  return {method.name(), method.options()};
}

std::string ona_answer(const std::string& sentence, const std::string& stamp,
                       const std::string& confidence = "0.800000") {
  return "Answer: " + sentence + " creationTime=2 Stamp=[" + stamp +
         "] Truth: frequency=1.000000, confidence=" + confidence;
}

// Input with two proofs of <a --> c>. The first uses b, and the NARS echoes its premises as inputs 1 and 2. The longer
// one uses x and y, and the NARS does not echo its premises.
const std::vector<TranscriptEntry> two_ways{
    {EntryKind::input, "<a --> b>."},
    {EntryKind::input, "<b --> c>."},
    {EntryKind::input, "<a --> x>."},
    {EntryKind::input, "<x --> y>."},
    {EntryKind::input, "<y --> c>."},
    {EntryKind::input, "<a --> c>?"},
    {EntryKind::fresh, ""},
    {EntryKind::heard, ona_line("Input", "<a --> b>.", "1")},
    {EntryKind::heard, ona_line("Input", "<b --> c>.", "2")},
};

AttachedMemory taught(const std::vector<TranscriptEntry>& more, bridge::SessionStart start) {
  AttachedMemory memory(start);
  for (const TranscriptEntry& entry : two_ways) memory.apply(entry);
  for (const TranscriptEntry& entry : more) memory.apply(entry);
  return memory;
}

core::ProofLearnerState learnt(const std::vector<TranscriptEntry>& more,
                               bridge::Learning learning = bridge::Learning::answers) {
  return *taught(more, {&bridge::ona(), learning, plain_model()}).model()->model().learning;
}

}  // namespace

TEST_CASE("an answer trains the proof model with its proof, once for each stamp", "[bridge][attach]") {
  const TranscriptEntry answer{EntryKind::heard, ona_answer("<a --> c>.", "1,2")},
      next{EntryKind::input, "1"};
  const core::ProofLearnerState state = learnt({answer, next});
  CHECK(state.answered == 1);
  CHECK(state.failed == 0);  // the question was answered, so it does not count as failed
  CHECK(state.start == core::plain_proof_weights);
  // The longer proof is a negative example. It has one more inheritance step, so the weight of that feature falls.
  CHECK(at(state.weights, core::ProofFeature::inheritance) < -2);
  CHECK(at(state.weights, core::ProofFeature::rule) == -2);
  // The proof model learns in the same way if links learn nothing.
  CHECK(learnt({answer, next}, bridge::Learning::nothing) == state);
  CHECK(learnt({answer, answer, next}) == state);
  CHECK(learnt({{EntryKind::heard, ona_answer("<a --> c>.", "2,1")}, next}) == state);
  // The same training example, built by hand. The links must not yet have learnt from the answer.
  AttachedMemory memory({&bridge::ona(), bridge::Learning::nothing});
  for (const TranscriptEntry& entry : two_ways) memory.apply(entry);
  const core::MemoryIndex& readings = memory.session().index();
  core::ProofExample example{
      &readings, core::proof_query(readings, *memory.session().cue("<a --> c>?")), {{0, 1}}};
  core::ProofLearner learner(core::plain_proof_weights);
  REQUIRE(learner.answered(example, {}));
  CHECK(learner.state() == state);
  // An answer does not train the model if its stamp has the number of an unknown input. A later answer to the same
  // question does not train it either.
  for (const char* stamp : {"1,7", "7"})
    CHECK(learnt({{EntryKind::heard, ona_answer("<a --> c>.", stamp)}}).answered == 0);
  CHECK(learnt({{EntryKind::heard, "Answer: None."}}).answered == 0);
  // An answer with the confidence of a guess counts neither as answered nor as failed.
  const core::ProofLearnerState guessed =
      learnt({{EntryKind::heard, ona_answer("<a --> c>.", "1,2", "0.447514")}, next});
  CHECK(guessed.answered + guessed.failed == 0);
  CHECK(learnt({{EntryKind::again, answer.text}}).answered == 0);
}

TEST_CASE("an unanswered question trains the model when the next input arrives", "[bridge][attach]") {
  const TranscriptEntry none{EntryKind::heard, "Answer: None."}, next{EntryKind::input, "// more"};
  CHECK(learnt({none}).failed == 0);
  const core::ProofLearnerState state = learnt({none, next});
  CHECK(state.failed == 1);
  CHECK(state.answered == 0);
  // An unanswered question gives no negative example, so the weight stays above that of the answered one.
  CHECK(at(state.weights, core::ProofFeature::inheritance) > -2);
  CHECK(learnt({none, next, next}) == state);
  // An answer to another question does not count as an answer.
  CHECK(learnt({{EntryKind::heard, ona_answer("<a --> b>.", "1")}, next}).failed == 1);
  // OpenNARS also works between inputs, so it can still answer after the next input.
  bridge::SessionStart late{&bridge::opennars(), bridge::Learning::answers, plain_model()};
  AttachedMemory memory(late);
  for (const char* line : {"<a --> b>.", "<b --> c>.", "<a --> c>?", "1"})
    memory.apply({EntryKind::input, line});
  CHECK(memory.model()->model().learning->failed == 0);
}

TEST_CASE("a statement that was derived from a proof does not replace the proof in training",
          "[bridge][attach]") {
  const TranscriptEntry derived{EntryKind::heard, ona_line("Derived", "<a --> c>.", "2,1")},
      answer{EntryKind::heard, ona_answer("<a --> c>.", "2,1")};
  const core::ProofLearnerState state = learnt({derived, answer}, bridge::Learning::all);
  CHECK(state.answered == 1);
  CHECK(at(state.weights, core::ProofFeature::inheritance) ==
        Approx(at(learnt({answer}).weights, core::ProofFeature::inheritance)));
}

TEST_CASE("a session's start and end survive a round trip through JSON", "[bridge][attach]") {
  const bridge::SessionStart plain{&bridge::ona(), bridge::Learning::nothing};
  const auto again = bridge::start_from_json(bridge::to_json(plain));
  REQUIRE(again);
  CHECK(again->system->name == plain.system->name);
  CHECK(again->learning == plain.learning);
  CHECK_FALSE(again->model);
  const TranscriptEntry answer{EntryKind::heard, ona_answer("<a --> c>.", "1,2")};
  const AttachedMemory memory = taught({answer}, {&bridge::ona(), bridge::Learning::all, plain_model()});
  const auto going_on = bridge::start_from_json(
      bridge::to_json({&bridge::ona(), bridge::Learning::all, memory.model()->model()}));
  REQUIRE(going_on);
  CHECK(bridge::to_text(*going_on->model) == bridge::to_text(memory.model()->model()));
  CHECK(AttachedMemory(*going_on).end().model == memory.end().model);
  CHECK(bridge::end_from_json(bridge::to_json(memory.end())) == memory.end());
  CHECK(bridge::end_from_json(R"({"sha256":"a"})") == bridge::SessionEnd{"a"});
  for (const char* bad :
       {"", "[]", "{}", R"({"transcript":2,"system":"ona","learning":"all"})",
        R"({"transcript":1,"system":"nars","learning":"all"})",
        R"({"transcript":1,"system":"ona","learning":"some"})", R"({"transcript":"1"})",
        R"({"transcript":1,"system":"ona","learning":"all","model":{}})", R"({"sha256":7})"}) {
    CHECK_FALSE(bridge::start_from_json(bad));
    CHECK_FALSE(bridge::end_from_json(bad));
  }
}

TEST_CASE("a rejected line changes nothing and has an error message", "[bridge][attach]") {
  AttachedMemory memory({&bridge::ona()});
  const auto effect = memory.apply({EntryKind::input, "<a --> "});
  CHECK(effect.line.kind == narsese::NalLine::Kind::error);
  CHECK(memory.session().memory().statements().empty());
  CHECK(memory.apply({EntryKind::input, ""}).line.kind == narsese::NalLine::Kind::blank);
  const auto asked = memory.apply({EntryKind::input, "<a --> b>?"});
  CHECK(asked.line.sentence.asks());
  CHECK(memory.stated_count() == 0);
}

TEST_CASE("a session that restores renamed terms learns the same as a session without renaming",
          "[bridge][attach]") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::uint64_t state = seed;
    const auto below = [&](std::uint64_t n) {
      state = narsese::mix(state + 0x9e3779b97f4a7c15ULL);
      return state % n;
    };
    std::size_t fresh = 0;
    const auto name = [&] { return "n" + std::to_string(below(3) == 0 ? 1000 + fresh++ : below(200)); };
    const auto line = [&]() -> std::string {
      const std::string a = name(), b = name();
      switch (below(12)) {
        case 0:
          return "<" + a + " --> ?1>?";
        case 1:
          return "<" + a + " --> (" + b;
        case 2:
          return "//expected: Answer: <" + a + " --> " + b + ">.";
        case 3:
          return "<" + a + " <-> " + b + ">. %1;0.5%";  // a link if the last directive was "engram: links"
        case 7:
          return "//engram: links";
        case 8:
          return "//engram: statements";
        case 4:
          return "<<$1 --> " + a + "> ==> <$1 --> (*," + b + ",$2)>>.";
        case 5:
          // Rejected, because the compound has too many components.
          return "(&&,a1,a2,a3,a4," + a + "," + b + ").";
        case 6:
          return "$1.";
        default:
          return "<" + a + " --> " + b + ">. %0." + std::to_string(below(9) + 1) + "%";
      }
    };
    core::MemoryOptions options;
    options.limits.max_active = 4;
    core::Session plain(options), giving(options);
    std::size_t differences = 0;
    for (int request = 0; request < 120; ++request) {
      std::string text;
      for (std::uint64_t lines = below(300); lines > 0; --lines) text += line() + "\n";
      std::istringstream to_plain(text), to_giving(text);
      const auto expected = plain.read(to_plain);
      const core::Session::Request guard(giving);
      const auto found = giving.read(to_giving);
      differences += found.accepted != expected.accepted || found.rejected.size() != expected.rejected.size();
      if (request % 3 == 0) {
        const auto cue = giving.cue("<" + name() + " --> ?1>?");
        if (cue->activation.whole().sum() > 0) giving.recall(core::ConfiguredMethod("attention"), *cue);
      }
    }
    CHECK(differences == 0);
    CHECK(bridge::memory_text(giving.memory()) == bridge::memory_text(plain.memory()));
    core::Memory& memory = giving.mutable_memory();
    for (core::ConceptId id = 0; id < memory.graph().size(); ++id) {
      const narsese::Term term = memory.graph()[id].term;
      differences += memory.graph().find(term) != id;
      differences +=
          !term.has_variables() && !(*narsese::parse_term(narsese::print(term), memory.terms()) == term);
    }
    CHECK(differences == 0);
    CHECK(plain.mutable_memory().terms().size() > giving.mutable_memory().terms().size() + fresh / 3);
  }
}

TEST_CASE("a link in a section of links is not counted as an input", "[bridge][attach]") {
  const std::string link = "<(*,a,b) --> associated>. %0.7;0.6%";
  for (const bool in_section : {true, false}) {
    AttachedMemory memory({&bridge::ona()});
    if (in_section) memory.apply({EntryKind::input, "//engram: links"});
    memory.apply({EntryKind::input, link});
    CHECK(memory.session().memory().statements().size() == (in_section ? 0 : 1));
    memory.apply({EntryKind::input, "//engram: statements"});
    memory.apply({EntryKind::input, "<(*,a,c) --> associated>. %0.7;0.6%"});
    CHECK(memory.session().memory().statements().size() == (in_section ? 1 : 2));
  }
}
