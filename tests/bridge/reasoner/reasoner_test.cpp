// SPDX-License-Identifier: MIT
#include "bridge/reasoner/reasoner.hpp"

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
#include "tests/bridge/reasoner/reading.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::reasoner_tests {
namespace {

using narsese::Punctuation;
using narsese::TruthValue;
using testing::Reading;

struct Mind {
  explicit Mind(std::unique_ptr<Control> control = first_in_first_out(), const ReasonerOptions& options = {})
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
  // The most confident belief of this term.
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

TEST_CASE("what is told twice is revised, and rests on both", "[bridge][reasoner]") {
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

TEST_CASE("inputs that agree are all revised into one", "[bridge][reasoner]") {
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

TEST_CASE("no belief rests on more inputs than are kept", "[bridge][reasoner]") {
  Reading reading;
  Knowledge knowledge(reading.table);
  const auto take = [&](InputNumber first, InputNumber count) {
    Numbers inputs;
    for (InputNumber i = 0; i < count; ++i) inputs.push_back(first + i);
    KnownSentence sentence;
    sentence.term = reading.term("<a --> b" + std::to_string(first) + ">");
    return knowledge.take(sentence, inputs);
  };
  const SentenceId sixteen = take(1, 16), others = take(17, 16), more = take(40, 17);
  CHECK(Knowledge::most_evidence == 32);
  CHECK(knowledge.joint(sixteen, others)->size() == 32);
  CHECK(!knowledge.joint(sixteen, more));
  // What both rest on counts once.
  const SentenceId same = take(9, 24);
  CHECK(knowledge.joint(sixteen, same)->size() == 32);
  CHECK(knowledge.overlap(sixteen, same));
  CHECK(!knowledge.overlap(sixteen, others));
}

TEST_CASE("beliefs past the most are the least confident", "[bridge][reasoner]") {
  Reading reading;
  Knowledge knowledge(reading.table);
  KnownSentence sentence;
  sentence.term = reading.term("<a --> b>");
  sentence.rule = 0;  // inferred: what is told is always taken
  const auto take = [&](double confidence, InputNumber input) {
    sentence.truth.confidence = confidence;
    return knowledge.take(sentence, Numbers{input});
  };
  for (InputNumber i = 1; i <= 12; ++i) CHECK(take(0.3 + 0.05 * ((i * 5) % 12), i) != KnownSentence::none);
  CHECK(take(0.3, 13) == KnownSentence::none);
  CHECK(take(0.31, 14) != KnownSentence::none);
  // Of one evidence, only what is more confident.
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
  CHECK(kept == Knowledge::most_beliefs);
  CHECK(last == Approx(0.35));
}

TEST_CASE("every telling counts, however often the same was told", "[bridge][reasoner]") {
  // Each is less confident than the dozen beliefs that are kept, and more evidence all the same.
  Mind mind;
  for (int i = 0; i < 10; ++i) mind.reasoner.input(mind.reading.sentence("<a --> b>."));
  REQUIRE(mind[mind.belief("<a --> b>")].truth.frequency == Approx(1));
  CHECK(mind.reasoner.input(mind.reading.sentence("<a --> b>. %0;0.9%")));
  CHECK(mind[mind.belief("<a --> b>")].truth.frequency < 0.95);
}

TEST_CASE("what rests on one input is not revised with itself", "[bridge][reasoner]") {
  Mind mind;
  // <a --> c> follows from the first two by b, and from the first and the fourth by d: the first counts once.
  mind.tell("<a --> (&,b,d)>.");
  mind.tell("<(&,b,d) --> c>.");
  mind.tell("<(&,b,d) --> e>.");
  mind.tell("<e --> c>.");
  mind.reasoner.run(2000);
  for (SentenceId id = 0; id < mind.reasoner.knowledge().size(); ++id)
    if (mind[id].rule == KnownSentence::revision)
      CHECK_FALSE(mind.reasoner.knowledge().overlap(mind[id].premises[0], mind[id].premises[1]));
}

TEST_CASE("a step concludes, and its conclusion rests on both premises", "[bridge][reasoner]") {
  Mind mind;
  const SentenceId a = mind.tell("<a --> b>."), b = mind.tell("<b --> c>.");
  mind.reasoner.run(100);
  const SentenceId c = mind.belief("<a --> c>");
  REQUIRE(c != KnownSentence::none);
  CHECK(mind[c].truth == TruthValue{1, 0.9 * 0.9});
  CHECK(mind.evidence(c) == Numbers{1, 2});
  CHECK(mind.reasoner.rule_name(a) == "told");
  CHECK(mind.reasoner.rule_name(c) == "deduction");
  CHECK(mind[c].generation == 1);
  CHECK(mind[a].generation == 0);
  CHECK(mind.reasoner.derivation(c) == std::vector<SentenceId>{a, b, c});
  mind.tell("<a --> c>. %0.3;0.9%");
  CHECK(mind.reasoner.rule_name(mind.belief("<a --> c>")) == "revision");
}

TEST_CASE("a derivation has premises before conclusions, each once", "[bridge][reasoner]") {
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
    // And nothing else: all but the last are premises.
    std::set<SentenceId> needed{id};
    for (const SentenceId one : derivation)
      for (const SentenceId premise : mind[one].premises) needed.insert(premise);
    needed.erase(KnownSentence::none);
    REQUIRE(needed == seen);
  }
  CHECK(long_ones > 10);
}

TEST_CASE("yes or no is answered by what is most confident", "[bridge][reasoner]") {
  Mind mind;
  const SentenceId question = mind.tell("<a --> b>?");
  CHECK(!mind.reasoner.answer(question));
  const SentenceId doubtful = mind.tell("<a --> b>. %1;0.5%");
  CHECK(mind.reasoner.answer(question) == doubtful);
  const SentenceId other = mind.tell("<a --> x>.");
  CHECK(!mind.reasoner.answer(other));
  // Not what is more likely: what more is known of.
  mind.tell("<a --> b>. %0;0.9%");
  const SentenceId best = mind.belief("<a --> b>");
  CHECK(mind.reasoner.answer(question) == best);
  CHECK(mind[best].truth == narsese::revise({1, 0.5}, {0, 0.9}));
  // Each answer is told of when it comes, and each is more confident.
  double least = 0;
  for (const ReasonerEvent& event : mind.events)
    if (event.kind == Kind::answer) {
      CHECK(event.question == question);
      CHECK(mind[event.sentence].truth.confidence > least);
      least = mind[event.sentence].truth.confidence;
    }
  CHECK(least == mind[best].truth.confidence);
}

TEST_CASE("an open question is answered by expectation over the 8th root of complexity",
          "[bridge][reasoner]") {
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
  // If a question is asked in another form, what is known is looked through.
  CHECK(mind.answer(mind.tell("<?1 --> a>?")) == read("<h --> a>"));
  CHECK(mind.answer(mind.tell("<?1 --> (*,?1,?1)>?")) == "none");
}

TEST_CASE("the surer instance answers a who-question, however simple a guess is", "[bridge][reasoner]") {
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

TEST_CASE("what repeats a name of the question in a compound answers after all that is news",
          "[bridge][reasoner]") {
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
  // What is rather false is worse still.
  CHECK(ranked({"<a --> (&,a,b)>. %1;0.9%", "<a --> c>. %0;0.9%"}, "<a --> ?1>?") ==
        Answers{"<a --> (&,a,b)>", "<a --> c>"});
}

TEST_CASE("a named individual answers before a variable, unless it is rather false", "[bridge][reasoner]") {
  Mind mind;
  mind.tell("<#1 --> [furry]>. %1;0.9%");
  const SentenceId question = mind.tell("<?x --> [furry]>?");
  CHECK(mind.answer(question) == "<#1 --> [furry]>");
  mind.tell("<{kim} --> [furry]>. %0;0.9%");
  CHECK(mind.answer(question) == "<#1 --> [furry]>");
  mind.tell("<{tim} --> [furry]>. %0.8;0.3%");
  CHECK(mind.answer(question) == "<{tim} --> [furry]>");
  CHECK(mind.answer(mind.tell("<?y --> [furry]>?")) == "<{tim} --> [furry]>");
  // A variable of the question is no guess of the answer.
  mind.tell("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>).");
  const SentenceId opener = mind.tell("(&&,<#1 --> lock>,<?x --> (/,opens,_,#1)>)?");
  CHECK(mind.answer(opener) ==
        narsese::print(mind.reading.term("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>)")));
  // A part of what stands for ?x may be a variable, too.
  mind.tell("<(*,#1,tea) --> drinks>. %1;0.9%");
  mind.tell("<(*,ann,tea) --> drinks>. %0.9;0.5%");
  CHECK(mind.answer(mind.tell("<?x --> drinks>?")) == "<(*,ann,tea) --> drinks>");
}

TEST_CASE("a named individual is found by a rule, too", "[bridge][reasoner]") {
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

TEST_CASE("an answer that is denied makes place for the next best", "[bridge][reasoner]") {
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
  // What is less sure of a term than another belief says nothing of it.
  mind.tell("<rex --> cat>. %0;0.99%");
  CHECK(mind.answer(question) == "<tom --> cat>");
  CHECK(mind[*mind.reasoner.answer(question)].truth.frequency == Approx(0.5));
}

TEST_CASE("goals are no answers", "[bridge][reasoner]") {
  Mind mind;
  mind.tell("<a --> b>!");
  CHECK(!mind.reasoner.answer(mind.tell("<a --> b>?")));
  CHECK(!mind.reasoner.answer(mind.tell("<a --> ?1>?")));
  CHECK(mind.belief("<a --> b>") == KnownSentence::none);
}

TEST_CASE("a question is answered by what follows", "[bridge][reasoner]") {
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

TEST_CASE("a grandmother is found by a rule and two facts", "[bridge][reasoner]") {
  Mind mind;
  mind.tell("<(&&,<(*,$1,$2) --> mother>,<(*,$2,$3) --> parent>) ==> <(*,$1,$3) --> grandmother>>.");
  mind.tell("<(*,eva,ida) --> mother>.");
  mind.tell("<(*,ida,uwe) --> parent>.");
  const SentenceId question = mind.tell("<(*,?1,uwe) --> grandmother>?");
  mind.reasoner.run(500);
  CHECK(mind.answer(question) == narsese::print(mind.reading.term("<(*,eva,uwe) --> grandmother>")));
}

TEST_CASE("no belief is surer than 0.99, however it came", "[bridge][reasoner]") {
  Mind mind;
  for (const char* text :
       {"<a --> b>. %1;1%", "<b --> c>. %1;0.995%", "<c --> d>! %1;0.99999%", "<d --> e>. %0;1%"})
    CHECK(mind[mind.tell(text)].truth.confidence == narsese::max_confidence);
  CHECK(mind[mind.tell("<b --> a>.")].truth == TruthValue{1, 0.9});
  mind.tell("<b --> c>. %1;0.99%");
  CHECK(mind[mind.belief("<b --> c>")].rule == KnownSentence::revision);
  CHECK(mind[mind.belief("<b --> c>")].truth.confidence == narsese::max_confidence);
}

TEST_CASE("a certain input loses against enough evidence to the contrary", "[bridge][reasoner]") {
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

TEST_CASE("what is asked once more is the same question, and is answered again", "[bridge][reasoner]") {
  Mind mind;
  const SentenceId asked = mind.tell("<a --> b>?");
  const std::size_t known = mind.reasoner.knowledge().size();
  CHECK(mind.reasoner.input(mind.reading.sentence("<a --> b>?")) == asked);
  CHECK(mind.reasoner.knowledge().size() == known);
  // But each telling is evidence.
  mind.tell("<a --> b>.");
  mind.tell("<a --> b>.");
  std::size_t answers = 0;
  mind.reasoner.observe(
      [&](const ReasonerEvent& event) { answers += event.kind == ReasonerEvent::Kind::answer; });
  mind.reasoner.input(mind.reading.sentence("<a --> b>?"));
  CHECK(answers == 1);
}

TEST_CASE("what has come up by itself can be asked", "[bridge][reasoner]") {
  Mind mind;
  mind.tell("<a --> c>?");
  mind.tell("<a --> b>.");
  mind.reasoner.run(50);
  const SentenceId asked = mind.tell("<b --> c>?");
  CHECK(!mind.reasoner.answer(asked));
  const SentenceId told = mind.tell("<b --> c>.");
  CHECK(mind.reasoner.answer(asked) == told);
}

TEST_CASE("no more sentences are taken than there is room for", "[bridge][reasoner]") {
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

TEST_CASE("a reasoner runs for as many steps as there are", "[bridge][reasoner]") {
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

TEST_CASE("no more steps than it was told to are run, but for the revisions of the last",
          "[bridge][reasoner]") {
  Mind mind;
  for (const char* text : {"<a --> c>.", "<a --> b>.", "<b --> c>."}) mind.tell(text);
  std::uint64_t most = 0;
  for (int i = 0; i < 9; ++i) most = std::max(most, mind.reasoner.run(1));
  // One conclusion, and what it is revised with.
  CHECK(most == 2);
}

namespace {

// Sees what a control chooses, and whether it may.
struct Seen {
  std::size_t steps = 0, again = 0, forbidden = 0, no_belief = 0, not_shared = 0, overlapping_revisions = 0;
  std::unordered_set<std::uint64_t> pairs;
  std::vector<Numbers> evidence;        // of each sentence, as it was when it came
  std::size_t forgotten = 0, most = 0;  // times; sentences at once
  std::uint64_t digest = 0;
};

class Watched : public Control {
 public:
  Watched(std::unique_ptr<Control> control, Seen& seen) : control_(std::move(control)), seen_(seen) {}

  void take(Knowledge& knowledge, SentenceId id) override {
    const auto own = knowledge.evidence(id);
    seen_.evidence.emplace_back(own.begin(), own.end());
    seen_.most = std::max(seen_.most, knowledge.size());
    if (knowledge[id].rule == KnownSentence::revision) {
      const auto [a, b] = knowledge[id].premises;
      Numbers common;
      std::ranges::set_intersection(seen_.evidence[a], seen_.evidence[b], std::back_inserter(common));
      seen_.overlapping_revisions += !common.empty();
    }
    control_->take(knowledge, id);
  }
  std::optional<Choice> choose(Knowledge& knowledge) override {
    const auto choice = control_->choose(knowledge);
    if (!choice) return choice;
    ++seen_.steps;
    seen_.digest =
        (seen_.digest ^ (std::uint64_t{choice->task} << 32 | choice->belief)) * 0x9E3779B97F4A7C15U;
    const std::uint64_t least = std::min(choice->task, choice->belief),
                        most = std::max(choice->task, choice->belief);
    seen_.again += !seen_.pairs.insert(least << 32 | most).second;
    if (choice->alone()) return choice;
    seen_.no_belief += !knowledge[choice->belief].judges() || choice->task == choice->belief;
    const auto is_rule = [&](SentenceId id) { return narsese::is_higher_order(knowledge[id].term); };
    seen_.forbidden +=
        knowledge.overlap(choice->task, choice->belief) && !is_rule(choice->task) && !is_rule(choice->belief);
    seen_.not_shared += !shared(knowledge, choice->task, choice->belief);
    return choice;
  }
  void learn(Knowledge& knowledge, const Choice& choice, const Outcome& outcome) override {
    control_->learn(knowledge, choice, outcome);
  }
  Retention retention(Knowledge& knowledge, SentenceId id) const override {
    return control_->retention(knowledge, id);
  }
  void forget(const Forgotten& forgotten) override {
    ++seen_.forgotten;
    const KeptIds& renumber = forgotten.sentences;
    renumber.close_up(seen_.evidence);
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
    const auto of_first = knowledge.names(a);
    const std::set<NameId> names(of_first.begin(), of_first.end());
    return std::ranges::any_of(knowledge.names(b), [&](NameId name) { return names.count(name) != 0; });
  }

  std::unique_ptr<Control> control_;
  Seen& seen_;
};

// A small world by lot: what is what of seven things, relations, rules with and without variables, questions.
std::vector<std::string> random_world(std::uint64_t seed) {
  core::Rng rng(seed, "world of the reasoner's tests");
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
  std::vector<SentenceId> told;  // by number of input, those that count as evidence
  std::uint64_t steps = 0;
};

using MakeControl = std::function<std::unique_ptr<Control>()>;

std::unique_ptr<Lived> live(const MakeControl& make, std::uint64_t steps, bool other_table, std::size_t room,
                            bool forgets = false) {
  auto lived = std::make_unique<Lived>();
  // So that its handles are others, and in another order.
  if (other_table)
    for (int i = 300; i > 0; --i) lived->reading->term("<x" + std::to_string(i) + " --> (*,i,h,g,f)>");
  lived->reasoner =
      std::make_unique<Reasoner>(lived->reading->table, std::make_unique<Watched>(make(), lived->seen),
                                 ReasonerOptions{.max_sentences = room, .forgets = forgets});
  const auto world = random_world(11);
  for (std::size_t i = 0; i < world.size(); ++i) {
    // Some of it comes when it has thought for a while.
    if (i == world.size() / 2) lived->steps += lived->reasoner->run(steps / 100);
    const auto sentence = lived->reading->sentence(world[i]);
    const bool asks = sentence.asks();
    const auto id = lived->reasoner->input(sentence);
    if (!asks) lived->told.push_back(id.value_or(KnownSentence::none));
  }
  lived->steps += lived->reasoner->run(steps - std::min(steps, lived->steps));
  return lived;
}

// What must be true of all that is known, found from the premises alone.
struct Faults {
  std::size_t overlapping_revisions = 0, overlapping_steps = 0, wrong_evidence = 0, too_much = 0,
              accepted_twice = 0, asked_twice = 0, revisions = 0, derived = 0, overlapping = 0,
              out_of_range = 0;
};

Faults faults_of(const Lived& lived) {
  const Knowledge& knowledge = lived.reasoner->knowledge();
  Faults faults;
  // What each rests on, as this test counts it.
  std::vector<Numbers> rests_on(knowledge.size());
  for (std::size_t i = 0; i < lived.told.size(); ++i)
    if (lived.told[i] != KnownSentence::none) rests_on[lived.told[i]] = {static_cast<InputNumber>(i + 1)};
  std::unordered_map<std::uint64_t, std::vector<SentenceId>> alike;
  for (SentenceId id = 0; id < knowledge.size(); ++id) {
    const KnownSentence& sentence = knowledge[id];
    const bool asked = sentence.punctuation == Punctuation::question;
    if (sentence.rule != KnownSentence::told) {
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
        // Of what overlaps, only rules that say that they may.
        faults.overlapping_steps +=
            !common.empty() &&
            lived.reasoner->rules().line(sentence.rule).find("overlap") == std::string_view::npos;
      }
      if (!asked) rests_on[id] = both;
    }
    const auto own = knowledge.evidence(id);
    faults.wrong_evidence += !std::ranges::equal(own, rests_on[id]);
    faults.too_much += own.size() > Knowledge::most_evidence;
    const auto in_range = [](double x) { return x >= 0 && x <= 1; };
    faults.out_of_range += !in_range(sentence.truth.frequency) || !in_range(sentence.truth.confidence);
    // Those of one term, in the order in which they came.
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

TEST_CASE("over many steps of every control no input counts twice, and nothing is done again",
          "[bridge][reasoner]") {
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto lived = live(policy.make, 30'000, false, 1'000'000);
    check_faults(*lived);
  }
}

TEST_CASE("a reasoner that is full forgets half, thinks on, and still counts no input twice",
          "[bridge][reasoner][forgetting]") {
  constexpr std::size_t room = 700;
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto lived = live(policy.make, 12'000, false, room, true);
    const Seen& seen = lived->seen;
    const Knowledge& knowledge = lived->reasoner->knowledge();
    INFO(seen.forgotten << " times, " << seen.steps << " steps");
    CHECK(seen.forgotten > 1);
    CHECK(lived->reasoner->forgotten() >= seen.forgotten * (room / 2));
    CHECK(seen.most < room + InferenceRules::most_conclusions * 2);
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

TEST_CASE("what a reasoner forgets are terms, too", "[bridge][reasoner][forgetting]") {
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
  // By their bytes, too.
  Mind small(first_in_first_out(), {.max_bytes = std::size_t{4} << 20, .forgets = true});
  for (int i = 0; i < 20'000; ++i) small.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(small.reasoner.forgotten() > 0);
  CHECK(small.reasoner.bytes() < std::size_t{4} << 20);
}

TEST_CASE("what was asked last is kept with its answer", "[bridge][reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  mind.tell("<tim --> cat>.");
  mind.tell("<tim --> ?1>?");
  mind.tell("<cat --> animal>?");
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(mind.belief("<tim --> cat>") != KnownSentence::none);
  CHECK(mind.belief("<a1 --> b1>") == KnownSentence::none);
  // Asked once more it is the same question.
  CHECK(mind.answer(mind.tell("<tim --> ?1>?")) == "<tim --> cat>");
  mind.events.clear();
  const SentenceId animal = mind.tell("<cat --> animal>.");
  REQUIRE(mind.events.size() == 2);
  CHECK(mind.events[1].kind == Kind::answer);
  CHECK(mind.events[1].sentence == animal);
  // Evidence is not forgotten with the input: the same numbers never stand for another one.
  CHECK(mind.evidence(animal) == Numbers{1'002});
}

TEST_CASE("many questions leave room for beliefs", "[bridge][reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b>?");
  mind.tell("<a999 --> b>.");
  mind.tell("<a1 --> b>.");
  CHECK(mind.reasoner.answer(mind.tell("<a999 --> b>?")));
  CHECK(mind.reasoner.knowledge().size() <= 100);
}

// By hand: it takes minutes.
TEST_CASE("nor over a million steps", "[.][long]") {
  const auto lived = live(first_in_first_out, 1'000'000, false, 4'000'000);
  check_faults(*lived);
  WARN(lived->steps << " steps, " << lived->reasoner->knowledge().size() << " sentences");
}

TEST_CASE("the same inputs, control and seed give the same steps", "[bridge][reasoner]") {
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

TEST_CASE("all answers to a question come best first, one for each term", "[bridge][reasoner]") {
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
  // Expectation over the 8th root of complexity; what is unlikely, or names nobody, comes last.
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

}  // namespace engram::bridge::reasoner_tests
