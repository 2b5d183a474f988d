// SPDX-License-Identifier: MIT
#include "core/reasoner/reasoner.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/numbers/random.hpp"
#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"
#include "tests/support/catch.hpp"

namespace engram::core::reasoner_tests {
namespace {

using narsese::Punctuation;
using narsese::TruthValue;
using testing::Reading;

struct Mind {
  explicit Mind(std::unique_ptr<InferenceControl> control = first_in_first_out(),
                const ReasonerOptions& options = {})
      : reasoner(reading.table, std::move(control), options) {
    reasoner.observe([this](const ReasonerEvent& event) { events.push_back(event); });
  }

  SentenceId tell(const std::string& text) {
    const auto id = reasoner.input(reading.sentence(text));
    INFO(text);
    REQUIRE(id);
    return *id;
  }
  const KnownSentence& operator[](SentenceId id) const { return reasoner.knowledge()[id]; }
  std::vector<InputNumber> evidence(SentenceId id) const {
    const auto all = reasoner.knowledge().evidence(id);
    return {all.begin(), all.end()};
  }
  // The belief with the highest confidence.
  SentenceId belief(const std::string& term) { return reasoner.knowledge().first_belief(reading.term(term)); }
  std::string answer(SentenceId question) const {
    const auto id = reasoner.answer(question);
    return id ? narsese::print((*this)[*id].term) : "none";
  }

  Reading reading;
  std::vector<ReasonerEvent> events;
  Reasoner reasoner;
};

using Numbers = std::vector<InputNumber>;
using Kind = ReasonerEvent::Kind;

}  // namespace

TEST_CASE("two inputs with one term are revised, and the result rests on both", "[core][reasoner]") {
  Mind mind;
  const SentenceId a = mind.tell("<a --> b>. %0.9;0.8%"), b = mind.tell("<a --> b>. %0.2;0.7%");
  const SentenceId revised = mind.belief("<a --> b>");
  CHECK(mind[revised].truth == narsese::revise({0.9, 0.8}, {0.2, 0.7}));
  CHECK(mind[revised].rule == KnownSentence::revision);
  CHECK(std::set<SentenceId>{mind[revised].premises[0], mind[revised].premises[1]} ==
        std::set<SentenceId>{a, b});
  CHECK(mind.evidence(a) == Numbers{1});
  CHECK(mind.evidence(b) == Numbers{2});
  CHECK(mind.evidence(revised) == Numbers{1, 2});
  REQUIRE(mind.events.size() == 3);
  CHECK(mind.events[2].kind == Kind::revised);
  CHECK(mind.events[2].sentence == revised);
}

TEST_CASE("equal inputs are all revised into one belief", "[core][reasoner]") {
  Mind mind;
  TruthValue all{0.8, 0.6};
  mind.tell("<a --> b>. %0.8;0.6%");
  Numbers inputs{1};
  for (InputNumber i = 2; i <= 6; ++i) {
    mind.tell("<a --> b>. %0.8;0.6%");
    inputs.push_back(i);
    all = narsese::revise(all, {0.8, 0.6});
    const SentenceId best = mind.belief("<a --> b>");
    CHECK(mind.evidence(best) == inputs);
    CHECK(mind[best].truth.frequency == Approx(all.frequency).epsilon(1e-14));
    CHECK(mind[best].truth.confidence == Approx(all.confidence).epsilon(1e-14));
  }
}

TEST_CASE("joint evidence has at most 32 inputs", "[core][reasoner]") {
  Reading reading;
  Knowledge knowledge(reading.table);
  const auto take = [&](InputNumber first, InputNumber count) {
    Numbers inputs;
    for (InputNumber i = 0; i < count; ++i) inputs.push_back(first + i);
    KnownSentence sentence;
    sentence.term = reading.term("<a --> b" + std::to_string(first) + ">");
    return knowledge.add(sentence, inputs);
  };
  const SentenceId sixteen = take(1, 16), others = take(17, 16), more = take(40, 17);
  CHECK(Knowledge::max_evidence == 32);
  CHECK(knowledge.joint_evidence(sixteen, others)->size() == 32);
  CHECK(!knowledge.joint_evidence(sixteen, more));
  // A shared input counts once.
  const SentenceId same = take(9, 24);
  CHECK(knowledge.joint_evidence(sixteen, same)->size() == 32);
  CHECK(knowledge.share_evidence(sixteen, same));
  CHECK(!knowledge.share_evidence(sixteen, others));
}

TEST_CASE("a term keeps the beliefs with the highest confidence", "[core][reasoner]") {
  Reading reading;
  Knowledge knowledge(reading.table);
  KnownSentence sentence;
  sentence.term = reading.term("<a --> b>");
  sentence.rule = 0;  // a conclusion, because inputs are always kept
  const auto take = [&](double confidence, InputNumber input) {
    sentence.truth.confidence = confidence;
    return knowledge.add(sentence, Numbers{input});
  };
  for (InputNumber i = 1; i <= 12; ++i) CHECK(take(0.3 + 0.05 * ((i * 5) % 12), i) != KnownSentence::none);
  CHECK(take(0.3, 13) == KnownSentence::none);
  CHECK(take(0.31, 14) != KnownSentence::none);
  // With the same evidence, only a higher confidence is accepted.
  CHECK(take(0.31, 14) == KnownSentence::none);
  CHECK(take(0.7, 14) != KnownSentence::none);
  std::size_t kept = 0;
  double last = 1;
  for (SentenceId id = knowledge.first_belief(sentence.term); id != KnownSentence::none;
       id = knowledge.next_belief(id)) {
    CHECK(knowledge[id].truth.confidence <= last);
    last = knowledge[id].truth.confidence;
    ++kept;
  }
  CHECK(kept == Knowledge::max_beliefs);
  CHECK(last == Approx(0.35));
}

TEST_CASE("repeated inputs all count as evidence", "[core][reasoner]") {
  // An input with a lower confidence than all twelve kept beliefs is still new evidence.
  Mind mind;
  for (int i = 0; i < 10; ++i) mind.reasoner.input(mind.reading.sentence("<a --> b>."));
  REQUIRE(mind[mind.belief("<a --> b>")].truth.frequency == Approx(1));
  CHECK(mind.reasoner.input(mind.reading.sentence("<a --> b>. %0;0.9%")));
  CHECK(mind[mind.belief("<a --> b>")].truth.frequency < 0.95);
}

TEST_CASE("beliefs that share an input are not revised", "[core][reasoner]") {
  Mind mind;
  // <a --> c> follows from the first two sentences, and also from the first, third and fourth.
  mind.tell("<a --> (&,b,d)>.");
  mind.tell("<(&,b,d) --> c>.");
  mind.tell("<(&,b,d) --> e>.");
  mind.tell("<e --> c>.");
  mind.reasoner.run(2000);
  for (SentenceId id = 0; id < mind.reasoner.knowledge().size(); ++id)
    if (mind[id].rule == KnownSentence::revision)
      CHECK_FALSE(mind.reasoner.knowledge().share_evidence(mind[id].premises[0], mind[id].premises[1]));
}

TEST_CASE("a conclusion rests on the evidence of both premises", "[core][reasoner]") {
  Mind mind;
  const SentenceId a = mind.tell("<a --> b>."), b = mind.tell("<b --> c>.");
  mind.reasoner.run(100);
  const SentenceId c = mind.belief("<a --> c>");
  REQUIRE(c != KnownSentence::none);
  CHECK(mind[c].truth == TruthValue{1, 0.9 * 0.9});
  CHECK(mind.evidence(c) == Numbers{1, 2});
  CHECK(mind.reasoner.rule_name(a) == "told");
  CHECK(mind.reasoner.rule_name(c) == "deduction");
  CHECK(mind.reasoner.derivation(c) == std::vector<SentenceId>{a, b, c});
  mind.tell("<a --> c>. %0.3;0.9%");
  CHECK(mind.reasoner.rule_name(mind.belief("<a --> c>")) == "revision");
}

TEST_CASE("a derivation lists premises before conclusions, each once", "[core][reasoner]") {
  Mind mind;
  for (const char* text : {"<a --> b>.", "<b --> c>.", "<c --> d>.", "<d --> e>.", "<x --> y>."})
    mind.tell(text);
  mind.reasoner.run(1500);
  std::size_t long_ones = 0;
  for (SentenceId id = 0; id < mind.reasoner.knowledge().size(); id += 7) {
    const auto derivation = mind.reasoner.derivation(id);
    long_ones += derivation.size() > 4;
    REQUIRE(derivation.back() == id);
    std::set<SentenceId> seen;
    for (const SentenceId one : derivation) {
      for (const SentenceId premise : mind[one].premises)
        if (premise != KnownSentence::none) REQUIRE(seen.count(premise) == 1);
      REQUIRE(seen.insert(one).second);
    }
    // It lists nothing else: every sentence but the last is a premise.
    std::set<SentenceId> needed{id};
    for (const SentenceId one : derivation)
      for (const SentenceId premise : mind[one].premises) needed.insert(premise);
    needed.erase(KnownSentence::none);
    REQUIRE(needed == seen);
  }
  CHECK(long_ones > 10);
}

TEST_CASE("a question without variables is answered by the highest confidence", "[core][reasoner]") {
  Mind mind;
  const SentenceId question = mind.tell("<a --> b>?");
  CHECK(!mind.reasoner.answer(question));
  const SentenceId doubtful = mind.tell("<a --> b>. %1;0.5%");
  CHECK(mind.reasoner.answer(question) == doubtful);
  const SentenceId other = mind.tell("<a --> x>.");
  CHECK(!mind.reasoner.answer(other));
  // Confidence decides, not frequency.
  mind.tell("<a --> b>. %0;0.9%");
  const SentenceId best = mind.belief("<a --> b>");
  CHECK(mind.reasoner.answer(question) == best);
  CHECK(mind[best].truth == narsese::revise({1, 0.5}, {0, 0.9}));
  // The reasoner reports improved answers at once.
  double least = 0;
  for (const ReasonerEvent& event : mind.events)
    if (event.kind == Kind::answer) {
      CHECK(event.question == question);
      CHECK(mind[event.sentence].truth.confidence > least);
      least = mind[event.sentence].truth.confidence;
    }
  CHECK(least == mind[best].truth.confidence);
}

TEST_CASE("an open question is answered by expectation over the 8th root of complexity", "[core][reasoner]") {
  Mind mind;
  const auto read = [&](const char* term) { return narsese::print(mind.reading.term(term)); };
  mind.tell("<a --> (&,b,c,d,e)>. %1;0.9%");  // .95 / 7^(1/8) = .745
  const SentenceId question = mind.tell("<a --> ?1>?");
  CHECK(mind.answer(question) == read("<a --> (&,b,c,d,e)>"));
  mind.tell("<a --> f>. %0.1;0.9%");  // .14 / 3^(1/8) = .122
  mind.tell("<a --> g>. %1;0.7%");    // .85 / 3^(1/8) = .741
  CHECK(mind.answer(question) == read("<a --> (&,b,c,d,e)>"));
  mind.tell("<a --> h>. %1;0.72%");  // .86 / 3^(1/8) = .750
  CHECK(mind.answer(question) == read("<a --> h>"));
  mind.tell("<h --> a>. %1;0.9%");
  CHECK(mind.answer(question) == read("<a --> h>"));
  // Other forms of questions search all beliefs.
  CHECK(mind.answer(mind.tell("<?1 --> a>?")) == read("<h --> a>"));
  CHECK(mind.answer(mind.tell("<?1 --> (*,?1,?1)>?")) == "none");
}

TEST_CASE("an input answers before a simpler conclusion with a low expectation", "[core][reasoner]") {
  const auto answer_to = [](const std::vector<const char*>& knowledge, const char* question) {
    Mind mind;
    for (const char* text : knowledge) mind.tell(text);
    const SentenceId asked = mind.tell(question);
    mind.reasoner.run(2000);
    return mind.answer(asked);
  };
  CHECK(answer_to({"<{felix} --> cat>.", "<cat --> animal>."}, "<?x --> cat>?") == "<{felix} --> cat>");
  CHECK(answer_to({"<cat --> animal>.", "<{felix} --> cat>."}, "<?x --> cat>?") == "<{felix} --> cat>");
  CHECK(answer_to({"<{rex} --> [loud]>.", "<[loud] --> [awake]>."}, "<?x --> [loud]>?") ==
        "<{rex} --> [loud]>");
  CHECK(answer_to({"<(*,{ann},{bob}) --> friend>.", "<friend --> relation>."}, "<?x --> friend>?") ==
        "<(*,{ann},{bob}) --> friend>");
  CHECK(answer_to({"<oak --> (&,tall,green,old)>.", "<oak --> tree>. %1;0.1%"}, "<oak --> ?x>?") !=
        "<oak --> tree>");
}

TEST_CASE("compounds that repeat a name of the question come last", "[core][reasoner]") {
  const auto ranked = [](const std::vector<const char*>& knowledge, const char* question) {
    Mind mind;
    const SentenceId asked = mind.tell(question);
    for (const char* text : knowledge) mind.tell(text);
    std::vector<std::string> found;
    for (const SentenceId id : mind.reasoner.answers(asked)) found.push_back(narsese::print(mind[id].term));
    CHECK(found.front() == mind.answer(asked));
    return found;
  };
  using Answers = std::vector<std::string>;
  CHECK(ranked({"<(*,a,(/,r,c,_)) --> r>. %1;0.9%", "<(*,a,d) --> r>. %1;0.3%"}, "<(*,a,?1) --> r>?") ==
        Answers{"<(*,a,d) --> r>", "<(*,a,(/,r,c,_)) --> r>"});
  CHECK(ranked({"<(&,a,b) --> c>. %1;0.9%", "<a --> (|,c,d)>. %1;0.9%", "<a --> e>. %1;0.3%"},
               "<a --> ?1>?") == Answers{"<a --> (|,c,d)>", "<a --> e>"});
  CHECK(ranked({"<a <-> (&,a,b)>. %1;0.9%", "<a <-> c>. %1;0.3%"}, "<a <-> ?1>?") ==
        Answers{"<a <-> c>", "<a <-> (&,a,b)>"});
  CHECK(ranked({"<(*,a,(&,a,b)) --> r>. %1;0.9%", "<(*,a,a) --> r>. %1;0.4%", "<(*,a,c) --> r>. %1;0.3%"},
               "<(*,a,?1) --> r>?") ==
        Answers{"<(*,a,a) --> r>", "<(*,a,c) --> r>", "<(*,a,(&,a,b)) --> r>"});
  // An expectation below 1/2 is worse.
  CHECK(ranked({"<a --> (&,a,b)>. %1;0.9%", "<a --> c>. %0;0.9%"}, "<a --> ?1>?") ==
        Answers{"<a --> (&,a,b)>", "<a --> c>"});
}

TEST_CASE("a name answers before a variable if its expectation is above 1/2", "[core][reasoner]") {
  Mind mind;
  mind.tell("<#1 --> [furry]>. %1;0.9%");
  const SentenceId question = mind.tell("<?x --> [furry]>?");
  CHECK(mind.answer(question) == "<#1 --> [furry]>");
  mind.tell("<{kim} --> [furry]>. %0;0.9%");
  CHECK(mind.answer(question) == "<#1 --> [furry]>");
  mind.tell("<{tim} --> [furry]>. %0.8;0.3%");
  CHECK(mind.answer(question) == "<{tim} --> [furry]>");
  CHECK(mind.answer(mind.tell("<?y --> [furry]>?")) == "<{tim} --> [furry]>");
  // A variable of the question itself does not count.
  mind.tell("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>).");
  const SentenceId opener = mind.tell("(&&,<#1 --> lock>,<?x --> (/,opens,_,#1)>)?");
  CHECK(mind.answer(opener) ==
        narsese::print(mind.reading.term("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>)")));
  // The variable may also be a part of the replacement of ?x.
  mind.tell("<(*,#1,tea) --> drinks>. %1;0.9%");
  mind.tell("<(*,ann,tea) --> drinks>. %0.9;0.5%");
  CHECK(mind.answer(mind.tell("<?x --> drinks>?")) == "<(*,ann,tea) --> drinks>");
}

TEST_CASE("an implication finds the named answer", "[core][reasoner]") {
  for (const auto& [fact, rule, question, answer] :
       {std::array{"<{tim} --> cat>.", "<<$x --> cat> ==> <$x --> [furry]>>.", "<?x --> [furry]>?",
                   "<{tim} --> [furry]>"},
        std::array{"<{tim} --> [black]>.", "<<$x --> [black]> ==> <$x --> [lucky]>>.", "<?x --> [lucky]>?",
                   "<{tim} --> [lucky]>"},
        std::array{"<tea --> [hot]>.", "<<$x --> [hot]> ==> <$x --> drink>>.", "<?x --> drink>?",
                   "<tea --> drink>"},
        std::array{"<(*,ann,bob) --> wife>.", "<<(*,$x,$y) --> wife> ==> <(*,$y,$x) --> husband>>.",
                   "<(*,?x,ann) --> husband>?", "<(*,bob,ann) --> husband>"}}) {
    Mind mind(by_urgency([](Knowledge&, SentenceId) { return 1.0; }));
    for (const char* text : {fact, rule}) mind.tell(text);
    const SentenceId asked = mind.tell(question);
    mind.reasoner.run(2000);
    CHECK(mind.answer(asked) == answer);
  }
}

TEST_CASE("a denied answer gives way to the next best", "[core][reasoner]") {
  Mind mind;
  mind.tell("<tom --> cat>. %1;0.9%");
  mind.tell("<rex --> cat>. %1;0.8%");
  const SentenceId question = mind.tell("<?x --> cat>?");
  CHECK(mind.answer(question) == "<tom --> cat>");
  mind.events.clear();
  mind.tell("<tom --> cat>. %0;0.9%");
  CHECK(mind.answer(question) == "<rex --> cat>");
  REQUIRE(!mind.events.empty());
  CHECK(mind.events.back().kind == Kind::answer);
  CHECK(mind[mind.events.back().sentence].term == mind.reading.term("<rex --> cat>"));
  // Only the belief with the highest confidence counts for a term.
  mind.tell("<rex --> cat>. %0;0.99%");
  CHECK(mind.answer(question) == "<tom --> cat>");
  CHECK(mind[*mind.reasoner.answer(question)].truth.frequency == Approx(0.5));
}

TEST_CASE("goals do not answer questions", "[core][reasoner]") {
  Mind mind;
  mind.tell("<a --> b>!");
  CHECK(!mind.reasoner.answer(mind.tell("<a --> b>?")));
  CHECK(!mind.reasoner.answer(mind.tell("<a --> ?1>?")));
  CHECK(mind.belief("<a --> b>") == KnownSentence::none);
}

TEST_CASE("a conclusion answers a question", "[core][reasoner]") {
  Mind mind;
  const SentenceId question = mind.tell("<a --> d>?");
  for (const char* text : {"<a --> b>.", "<b --> c>.", "<c --> d>."}) mind.tell(text);
  CHECK(!mind.reasoner.answer(question));
  mind.reasoner.run(300);
  REQUIRE(mind.reasoner.answer(question));
  const SentenceId answer = *mind.reasoner.answer(question);
  CHECK(mind.evidence(answer) == Numbers{1, 2, 3});
  CHECK(mind[answer].truth.confidence == Approx(0.9 * 0.9 * 0.9));
}

TEST_CASE("an implication with two conditions finds a grandmother", "[core][reasoner]") {
  Mind mind;
  mind.tell("<(&&,<(*,$1,$2) --> mother>,<(*,$2,$3) --> parent>) ==> <(*,$1,$3) --> grandmother>>.");
  mind.tell("<(*,eva,ida) --> mother>.");
  mind.tell("<(*,ida,uwe) --> parent>.");
  const SentenceId question = mind.tell("<(*,?1,uwe) --> grandmother>?");
  mind.reasoner.run(500);
  CHECK(mind.answer(question) == narsese::print(mind.reading.term("<(*,eva,uwe) --> grandmother>")));
}

TEST_CASE("confidence is at most 0.99 for inputs and revisions", "[core][reasoner]") {
  Mind mind;
  for (const char* text :
       {"<a --> b>. %1;1%", "<b --> c>. %1;0.995%", "<c --> d>! %1;0.99999%", "<d --> e>. %0;1%"})
    CHECK(mind[mind.tell(text)].truth.confidence == narsese::max_confidence);
  CHECK(mind[mind.tell("<b --> a>.")].truth == TruthValue{1, 0.9});
  mind.tell("<b --> c>. %1;0.99%");
  CHECK(mind[mind.belief("<b --> c>")].rule == KnownSentence::revision);
  CHECK(mind[mind.belief("<b --> c>")].truth.confidence == narsese::max_confidence);
}

TEST_CASE("enough counterevidence outweighs a certain input", "[core][reasoner]") {
  const auto answer_to = [](const std::vector<const char*>& knowledge) {
    Mind mind;
    for (const char* text : knowledge) mind.tell(text);
    const auto answer = mind.reasoner.answer(mind.tell("<tea --> drink>?"));
    REQUIRE(answer);
    return mind[*answer].truth.frequency;
  };
  const char *denied = "<tea --> drink>. %0;0.99%", *certain = "<tea --> drink>. %1;1%";
  CHECK(answer_to({certain, denied}) == Approx(0.5));
  CHECK(answer_to({certain, denied, denied, denied, denied}) == Approx(0.0625));
  CHECK(answer_to({"<tea --> drink>. %1;0.995%", "<tea --> drink>. %0;0.9%"}) == Approx(99.0 / 108));
  CHECK(answer_to({"<tea --> drink>. %0;0.9%", "<tea --> drink>. %1;0.995%"}) == Approx(99.0 / 108));
  CHECK(answer_to({denied, denied, certain}) == Approx(0.5));
}

TEST_CASE("a repeated question keeps its id and is answered again", "[core][reasoner]") {
  Mind mind;
  const SentenceId asked = mind.tell("<a --> b>?");
  const std::size_t known = mind.reasoner.knowledge().size();
  CHECK(mind.reasoner.input(mind.reading.sentence("<a --> b>?")) == asked);
  CHECK(mind.reasoner.knowledge().size() == known);
  // A repeated judgment is new evidence.
  mind.tell("<a --> b>.");
  mind.tell("<a --> b>.");
  std::size_t answers = 0;
  mind.reasoner.observe(
      [&](const ReasonerEvent& event) { answers += event.kind == ReasonerEvent::Kind::answer; });
  mind.reasoner.input(mind.reading.sentence("<a --> b>?"));
  CHECK(answers == 1);
}

TEST_CASE("a derived question can be asked", "[core][reasoner]") {
  Mind mind;
  mind.tell("<a --> c>?");
  mind.tell("<a --> b>.");
  mind.reasoner.run(50);
  const SentenceId asked = mind.tell("<b --> c>?");
  CHECK(!mind.reasoner.answer(asked));
  const SentenceId told = mind.tell("<b --> c>.");
  CHECK(mind.reasoner.answer(asked) == told);
}

TEST_CASE("a reasoner accepts at most max_sentences sentences", "[core][reasoner]") {
  for (const std::size_t most : {1U, 2U, 5U, 60U}) {
    Mind mind(first_in_first_out(), {.max_sentences = most});
    std::size_t taken = 0;
    for (const char* text : {"<a --> b>.", "<b --> c>.", "<a --> b>. %0;0.9%"})
      taken += mind.reasoner.input(mind.reading.sentence(text)).has_value();
    CHECK(taken == std::min<std::size_t>(most, 3));
    mind.reasoner.run(10'000);
    CHECK(mind.reasoner.knowledge().size() <= most);
    if (most == 5) {
      CHECK(mind.reasoner.knowledge().size() == most);
      CHECK(!mind.reasoner.input(mind.reading.sentence("<x --> y>.")));
      CHECK(mind.reasoner.run(10) == 0);
    }
  }
}

TEST_CASE("run ends after the last step", "[core][reasoner]") {
  Mind mind;
  CHECK(mind.reasoner.run(10) == 0);
  mind.tell("<a --> b>.");
  CHECK(mind.reasoner.run(10) == 1);
  CHECK(mind.reasoner.run(10) == 0);
  CHECK(mind.reasoner.steps() == 1);
  mind.tell("<b --> c>.");
  CHECK(mind.reasoner.run(0) == 0);
  CHECK(mind.reasoner.run(2) == 2);
}

TEST_CASE("run exceeds its limit only by the revisions of the last step", "[core][reasoner]") {
  Mind mind;
  for (const char* text : {"<a --> c>.", "<a --> b>.", "<b --> c>."}) mind.tell(text);
  std::uint64_t most = 0;
  for (int i = 0; i < 9; ++i) most = std::max(most, mind.reasoner.run(1));
  // One conclusion and one revision.
  CHECK(most == 2);
}

namespace {

// Statistics of the steps that a control chooses, with violations of its contract.
struct Seen {
  std::size_t steps = 0, again = 0, forbidden = 0, no_belief = 0, not_shared = 0, overlapping_revisions = 0;
  std::unordered_set<std::uint64_t> pairs;
  std::vector<Numbers> evidence;        // by sentence, when it was added
  std::size_t forgotten = 0, most = 0;  // calls of forget(); sentences at once
  std::uint64_t digest = 0;
};

class Watched : public InferenceControl {
 public:
  Watched(std::unique_ptr<InferenceControl> control, Seen& seen)
      : control_(std::move(control)), seen_(seen) {}

  void add(Knowledge& knowledge, SentenceId id) override {
    const auto own = knowledge.evidence(id);
    seen_.evidence.emplace_back(own.begin(), own.end());
    seen_.most = std::max(seen_.most, knowledge.size());
    if (knowledge[id].rule == KnownSentence::revision) {
      const auto [a, b] = knowledge[id].premises;
      Numbers common;
      std::ranges::set_intersection(seen_.evidence[a], seen_.evidence[b], std::back_inserter(common));
      seen_.overlapping_revisions += !common.empty();
    }
    control_->add(knowledge, id);
  }
  std::optional<InferenceStep> choose(Knowledge& knowledge) override {
    const auto choice = control_->choose(knowledge);
    if (!choice) return choice;
    ++seen_.steps;
    seen_.digest =
        (seen_.digest ^ (std::uint64_t{choice->task} << 32 | choice->belief)) * 0x9E3779B97F4A7C15U;
    const std::uint64_t least = std::min(choice->task, choice->belief),
                        most = std::max(choice->task, choice->belief);
    seen_.again += !seen_.pairs.insert(least << 32 | most).second;
    if (choice->is_single()) return choice;
    seen_.no_belief += !knowledge[choice->belief].is_judgment() || choice->task == choice->belief;
    const auto is_rule = [&](SentenceId id) { return narsese::is_higher_order(knowledge[id].term); };
    seen_.forbidden += knowledge.share_evidence(choice->task, choice->belief) && !is_rule(choice->task) &&
                       !is_rule(choice->belief);
    seen_.not_shared += !shared(knowledge, choice->task, choice->belief);
    return choice;
  }
  Retention retention(Knowledge& knowledge, SentenceId id) const override {
    return control_->retention(knowledge, id);
  }
  void forget(const ForgottenIds& forgotten) override {
    ++seen_.forgotten;
    const IdRemap& renumber = forgotten.sentences;
    renumber.compact(seen_.evidence);
    std::unordered_set<std::uint64_t> pairs;
    for (const std::uint64_t pair : seen_.pairs) {
      const auto a = static_cast<SentenceId>(pair >> 32), b = static_cast<SentenceId>(pair);
      if (!renumber.keeps(a) || (b != KnownSentence::none && !renumber.keeps(b))) continue;
      pairs.insert(std::uint64_t{renumber(a)} << 32 | (b == KnownSentence::none ? b : renumber(b)));
    }
    seen_.pairs = std::move(pairs);
    control_->forget(forgotten);
  }

 private:
  static bool shared(Knowledge& knowledge, SentenceId a, SentenceId b) {
    const auto kept_before = knowledge.names(a);
    const std::set<NameId> names(kept_before.begin(), kept_before.end());
    return std::ranges::any_of(knowledge.names(b), [&](NameId name) { return names.count(name) != 0; });
  }

  std::unique_ptr<InferenceControl> control_;
  Seen& seen_;
};

// A small random world: inheritance among seven things, relations, implications with and without variables, questions.
std::vector<std::string> random_world(std::uint64_t seed) {
  Rng rng(seed, "world of the reasoner's tests");
  const auto one_of = [&](const std::vector<std::string>& words) { return words[rng.below(words.size())]; };
  const auto thing = [&] { return one_of({"a", "b", "c", "d", "{g}", "[h]", "i"}); };
  const auto plain = [&]() -> std::string {
    const std::string s = thing();
    std::string p = thing();
    while (p == s) p = thing();
    switch (rng.below(6)) {
      case 0:
        return "<" + s + " <-> " + p + ">";
      case 1:
        return "<(*," + s + "," + p + ") --> r>";
      case 2:
        return "<" + s + " --> (&," + p + ",k)>";
      default:
        return "<" + s + " --> " + p + ">";
    }
  };
  const auto truth = [&] {
    return " %" + one_of({"1", "0.9", "0.5", "0"}) + ";" + one_of({"0.9", "0.8", "0.5"}) + "%";
  };
  std::vector<std::string> world;
  for (int i = 0; i < 24; ++i) {
    const std::string said = plain() + ".";
    world.push_back(said + truth());
    if (rng.below(3) == 0) world.push_back(said + truth());
  }
  for (int i = 0; i < 3; ++i) world.push_back("<" + plain() + " ==> " + plain() + ">." + truth());
  world.push_back("<<$1 --> " + thing() + "> ==> <$1 --> j>>.");
  world.push_back("<(&&,<(*,$1,$2) --> r>,<(*,$2,$3) --> r>) ==> <(*,$1,$3) --> r>>.");
  world.push_back("<<(*,$1,$2) --> r> <=> <(*,$2,$1) --> s>>. %0.9;0.9%");
  world.push_back("(&&,<#1 --> " + thing() + ">,<#1 --> l>).");
  world.push_back("(||," + plain() + "," + plain() + ").");
  world.push_back("<a --> ?1>?");
  world.push_back("<(*,?1,b) --> r>?");
  world.push_back(plain() + "?");
  world.push_back("<i --> j>!");
  return world;
}

struct Lived {
  std::unique_ptr<Reading> reading = std::make_unique<Reading>();
  Seen seen;
  std::unique_ptr<Reasoner> reasoner;
  std::vector<SentenceId> told;  // inputs that count as evidence, by number
  std::uint64_t steps = 0;
};

using MakeControl = std::function<std::unique_ptr<InferenceControl>()>;

std::unique_ptr<Lived> live(const MakeControl& make, std::uint64_t steps, bool other_table, std::size_t room,
                            bool forgets = false) {
  auto lived = std::make_unique<Lived>();
  // Other handles, in another order.
  if (other_table)
    for (int i = 300; i > 0; --i) lived->reading->term("<x" + std::to_string(i) + " --> (*,i,h,g,f)>");
  lived->reasoner =
      std::make_unique<Reasoner>(lived->reading->table, std::make_unique<Watched>(make(), lived->seen),
                                 ReasonerOptions{.max_sentences = room, .forgets = forgets});
  const auto world = random_world(11);
  for (std::size_t i = 0; i < world.size(); ++i) {
    // The second half of the inputs comes after some steps.
    if (i == world.size() / 2) lived->steps += lived->reasoner->run(steps / 100);
    const auto sentence = lived->reading->sentence(world[i]);
    const bool asks = sentence.asks();
    const auto id = lived->reasoner->input(sentence);
    if (!asks) lived->told.push_back(id.value_or(KnownSentence::none));
  }
  lived->steps += lived->reasoner->run(steps - std::min(steps, lived->steps));
  return lived;
}

// Counts of violated invariants, found from the premises alone.
struct Faults {
  std::size_t overlapping_revisions = 0, overlapping_steps = 0, wrong_evidence = 0, too_much = 0,
              accepted_twice = 0, asked_twice = 0, revisions = 0, derived = 0, overlapping = 0,
              out_of_range = 0;
};

Faults faults_of(const Lived& lived) {
  const Knowledge& knowledge = lived.reasoner->knowledge();
  Faults faults;
  // Evidence of each sentence, computed by this test.
  std::vector<Numbers> rests_on(knowledge.size());
  for (std::size_t i = 0; i < lived.told.size(); ++i)
    if (lived.told[i] != KnownSentence::none) rests_on[lived.told[i]] = {static_cast<InputNumber>(i + 1)};
  std::unordered_map<std::uint64_t, std::vector<SentenceId>> alike;
  for (SentenceId id = 0; id < knowledge.size(); ++id) {
    const KnownSentence& sentence = knowledge[id];
    const bool asked = sentence.punctuation == Punctuation::question;
    if (sentence.rule != KnownSentence::input) {
      const auto [a, b] = sentence.premises;
      const Numbers none;
      const Numbers &x = rests_on[a], &y = b == KnownSentence::none ? none : rests_on[b];
      Numbers both, common;
      std::ranges::set_union(x, y, std::back_inserter(both));
      std::ranges::set_intersection(x, y, std::back_inserter(common));
      if (sentence.rule == KnownSentence::revision) {
        ++faults.revisions;
        faults.overlapping_revisions += !common.empty();
      } else {
        ++faults.derived;
        faults.overlapping += !common.empty();
        // Only rules marked `overlap` accept premises that share evidence.
        faults.overlapping_steps +=
            !common.empty() &&
            lived.reasoner->rules().line(sentence.rule).find("overlap") == std::string_view::npos;
      }
      if (!asked) rests_on[id] = both;
    }
    const auto own = knowledge.evidence(id);
    faults.wrong_evidence += !std::ranges::equal(own, rests_on[id]);
    faults.too_much += own.size() > Knowledge::max_evidence;
    const auto in_range = [](double x) { return x >= 0 && x <= 1; };
    faults.out_of_range += !in_range(sentence.truth.frequency) || !in_range(sentence.truth.confidence);
    // Sentences of one term, in order.
    std::vector<SentenceId>& others = alike[std::uint64_t{sentence.term.hash()}];
    for (const SentenceId other : others) {
      if (knowledge[other].term != sentence.term || knowledge[other].punctuation != sentence.punctuation)
        continue;
      faults.asked_twice += asked;
      if (!asked && std::ranges::equal(knowledge.evidence(other), own))
        faults.accepted_twice += knowledge[other].truth.confidence >= sentence.truth.confidence;
    }
    others.push_back(id);
  }
  return faults;
}

bool same_sentences(const Lived& one, const Lived& other) {
  const Knowledge &a = one.reasoner->knowledge(), &b = other.reasoner->knowledge();
  if (a.size() != b.size() || one.reasoner->steps() != other.reasoner->steps()) return false;
  for (SentenceId id = 0; id < a.size(); ++id)
    if (narsese::compare(a[id].term, b[id].term) != 0 || a[id].truth != b[id].truth ||
        a[id].rule != b[id].rule || a[id].premises != b[id].premises || a[id].step != b[id].step ||
        a[id].punctuation != b[id].punctuation)
      return false;
  return true;
}

void check_faults(const Lived& lived) {
  const Faults faults = faults_of(lived);
  INFO(lived.steps << " steps, " << lived.reasoner->knowledge().size() << " sentences, " << faults.derived
                   << " derived, " << faults.overlapping << " of them of premises that overlap, "
                   << faults.revisions << " revisions");
  CHECK(lived.seen.again == 0);
  CHECK(lived.seen.forbidden == 0);
  CHECK(lived.seen.no_belief == 0);
  CHECK(lived.seen.not_shared == 0);
  CHECK(faults.overlapping_revisions == 0);
  CHECK(faults.overlapping_steps == 0);
  CHECK(faults.wrong_evidence == 0);
  CHECK(faults.too_much == 0);
  CHECK(faults.accepted_twice == 0);
  CHECK(faults.asked_twice == 0);
  CHECK(faults.out_of_range == 0);
  CHECK(faults.revisions > 20);
  CHECK(faults.derived > 500);
}

struct Policy {
  const char* name;
  MakeControl make;
};

std::vector<Policy> policies() {
  return {
      {"first_in_first_out", first_in_first_out},
      {"random_order", [] { return random_order(5); }},
      {"simplest_first", simplest_first},
      {"by_urgency",
       [] { return by_urgency([](Knowledge&, SentenceId id) { return static_cast<double>(id % 5) / 4; }); }},
      {"by_worth",
       [] {
         return by_worth([](Knowledge&, SentenceId id) { return static_cast<double>(1 + id % 5) / 5; });
       }},
      {"opennars_bags", opennars_bags},
      {"ona_queue", ona_queue},
  };
}

}  // namespace

TEST_CASE("no input counts twice and no step repeats, under every control", "[core][reasoner]") {
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto lived = live(policy.make, 30'000, false, 1'000'000);
    check_faults(*lived);
  }
}

TEST_CASE("a full reasoner forgets half, continues, and counts no input twice",
          "[core][reasoner][forgetting]") {
  constexpr std::size_t room = 700;
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto lived = live(policy.make, 12'000, false, room, true);
    const Seen& seen = lived->seen;
    const Knowledge& knowledge = lived->reasoner->knowledge();
    INFO(seen.forgotten << " times, " << seen.steps << " steps");
    CHECK(seen.forgotten > 1);
    CHECK(lived->reasoner->forgotten() >= seen.forgotten * (room / 2));
    CHECK(seen.most < room + InferenceRules::max_conclusions * 2);
    CHECK(seen.steps > 2'000);
    CHECK(seen.again == 0);
    CHECK(seen.forbidden == 0);
    CHECK(seen.no_belief == 0);
    CHECK(seen.not_shared == 0);
    CHECK(seen.overlapping_revisions == 0);
    REQUIRE(seen.evidence.size() == knowledge.size());
    std::size_t wrong = 0, later = 0;
    for (SentenceId id = 0; id < knowledge.size(); ++id) {
      wrong += !std::ranges::equal(knowledge.evidence(id), seen.evidence[id]);
      for (const SentenceId premise : knowledge[id].premises)
        later += premise != KnownSentence::none && premise >= id;
    }
    CHECK(wrong == 0);
    CHECK(later == 0);
    const auto other = live(policy.make, 12'000, true, room, true);
    CHECK(seen.digest == other->seen.digest);
    CHECK(same_sentences(*lived, *other));
  }
}

TEST_CASE("forgetting also removes terms", "[core][reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 300, .forgets = true});
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    mind.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
    if (i >= 1'000 && i < 2'000) most = std::max(most, mind.reasoner.bytes());
    if (i >= 2'000) CHECK(mind.reasoner.bytes() <= most);
  }
  CHECK(mind.reasoner.knowledge().size() <= 300);
  CHECK(mind.reasoner.knowledge().names() <= 600);
  CHECK(mind.reading.table.size() <= 3 * 301);
  // The limit of bytes works as well.
  Mind small(first_in_first_out(), {.max_bytes = std::size_t{4} << 20, .forgets = true});
  for (int i = 0; i < 20'000; ++i) small.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(small.reasoner.forgotten() > 0);
  CHECK(small.reasoner.bytes() < std::size_t{4} << 20);
}

TEST_CASE("the last question is kept with its answer", "[core][reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  mind.tell("<tim --> cat>.");
  mind.tell("<tim --> ?1>?");
  mind.tell("<cat --> animal>?");
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(mind.belief("<tim --> cat>") != KnownSentence::none);
  CHECK(mind.belief("<a1 --> b1>") == KnownSentence::none);
  // A repeated question is the same question.
  CHECK(mind.answer(mind.tell("<tim --> ?1>?")) == "<tim --> cat>");
  mind.events.clear();
  const SentenceId animal = mind.tell("<cat --> animal>.");
  REQUIRE(mind.events.size() == 2);
  CHECK(mind.events[1].kind == Kind::answer);
  CHECK(mind.events[1].sentence == animal);
  // Numbers of forgotten inputs are never used again.
  CHECK(mind.evidence(animal) == Numbers{1'002});
}

TEST_CASE("many questions leave room for beliefs", "[core][reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b>?");
  mind.tell("<a999 --> b>.");
  mind.tell("<a1 --> b>.");
  CHECK(mind.reasoner.answer(mind.tell("<a999 --> b>?")));
  CHECK(mind.reasoner.knowledge().size() <= 100);
}

// Run it by hand: it takes minutes.
TEST_CASE("no input counts twice over a million steps", "[.][long]") {
  const auto lived = live(first_in_first_out, 1'000'000, false, 4'000'000);
  check_faults(*lived);
  WARN(lived->steps << " steps, " << lived->reasoner->knowledge().size() << " sentences");
}

TEST_CASE("the same inputs, control and seed give the same steps", "[core][reasoner]") {
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto one = live(policy.make, 5'000, false, 200'000),
               other = live(policy.make, 5'000, true, 200'000);
    CHECK(one->seen.digest == other->seen.digest);
    CHECK(one->seen.steps == other->seen.steps);
    CHECK(same_sentences(*one, *other));
  }
  const auto one = live([] { return random_order(5); }, 1'000, false, 200'000);
  const auto other = live([] { return random_order(6); }, 1'000, false, 200'000);
  CHECK(one->seen.digest != other->seen.digest);
}

TEST_CASE("answers lists the best first, one for each term", "[core][reasoner]") {
  Mind mind;
  mind.tell("<swan --> bird>. %1;0.5%");
  mind.tell("<duck --> bird>. %1;0.5%");
  mind.tell("<duck --> bird>. %1;0.8%");
  mind.tell("<bat --> bird>. %0.1;0.9%");
  mind.tell("<#1 --> bird>. %1;0.9%");
  mind.tell("<(&,duck,swan) --> bird>. %1;0.8%");
  const SentenceId who = mind.tell("<?1 --> bird>?"), whether = mind.tell("<duck --> bird>?"),
                   none = mind.tell("<?1 --> fish>?");
  const auto terms = [&](SentenceId question) {
    std::vector<std::string> found;
    for (const SentenceId id : mind.reasoner.answers(question))
      found.push_back(narsese::print(mind[id].term));
    return found;
  };
  // Ranked by expectation over the 8th root of complexity. A variable or a low expectation comes last.
  CHECK(terms(who) == std::vector<std::string>{"<duck --> bird>", "<(&,duck,swan) --> bird>",
                                               "<swan --> bird>", "<#1 --> bird>", "<bat --> bird>"});
  CHECK(terms(whether) == std::vector<std::string>{"<duck --> bird>"});
  CHECK(terms(none).empty());
  mind.reasoner.run(200);
  for (const SentenceId question : {who, whether}) {
    const auto all = mind.reasoner.answers(question);
    REQUIRE_FALSE(all.empty());
    CHECK(all.front() == mind.reasoner.answer(question));
    const std::vector<std::string> now = terms(question);
    CHECK(std::set<std::string>(now.begin(), now.end()).size() == now.size());
  }
}

}  // namespace engram::core::reasoner_tests
