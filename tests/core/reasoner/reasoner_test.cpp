// SPDX-License-Identifier: MIT
#include "core/reasoner/reasoner.hpp"

#include <iterator>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/numbers/random.hpp"
#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"

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
  const KnownSentence& at(SentenceId id) const { return reasoner.knowledge()[id]; }
  std::string text(SentenceId id) const { return narsese::print(at(id).term); }
  std::vector<InputNumber> evidence(SentenceId id) const {
    const auto all = reasoner.knowledge().evidence(id);
    return {all.begin(), all.end()};
  }
  // The belief with the highest confidence.
  SentenceId belief(const std::string& term) { return reasoner.knowledge().first_belief(reading.term(term)); }
  std::string answer(SentenceId question) const {
    const auto id = reasoner.answer(question);
    return id ? text(*id) : "none";
  }

  Reading reading;
  std::vector<ReasonerEvent> events;
  Reasoner reasoner;
};

using Numbers = std::vector<InputNumber>;
using Kind = ReasonerEvent::Kind;

}  // namespace

TEST_CASE_METHOD(Mind, "two inputs with one term are revised, and the result rests on both", "[reasoner]") {
  const SentenceId a = tell("<a --> b>. %0.9;0.8%"), b = tell("<a --> b>. %0.2;0.7%");
  const SentenceId revised = belief("<a --> b>");
  CHECK(at(revised).truth == narsese::revise({0.9, 0.8}, {0.2, 0.7}));
  CHECK(at(revised).rule == KnownSentence::revision);
  CHECK(std::set<SentenceId>{at(revised).premises[0], at(revised).premises[1]} == std::set<SentenceId>{a, b});
  CHECK(evidence(a) == Numbers{1});
  CHECK(evidence(b) == Numbers{2});
  CHECK(evidence(revised) == Numbers{1, 2});
  REQUIRE(events.size() == 3);
  CHECK(events[2].kind == Kind::revised);
  CHECK(events[2].sentence == revised);
}

TEST_CASE_METHOD(Mind, "equal inputs are all revised into one belief", "[reasoner]") {
  TruthValue all{0.8, 0.6};
  tell("<a --> b>. %0.8;0.6%");
  Numbers inputs{1};
  for (InputNumber i = 2; i <= 6; ++i) {
    tell("<a --> b>. %0.8;0.6%");
    inputs.push_back(i);
    all = narsese::revise(all, {0.8, 0.6});
    const SentenceId best = belief("<a --> b>");
    CHECK(evidence(best) == inputs);
    CHECK(at(best).truth.frequency == Approx(all.frequency).epsilon(1e-14));
    CHECK(at(best).truth.confidence == Approx(all.confidence).epsilon(1e-14));
  }
}

TEST_CASE("joint evidence has at most 32 inputs", "[reasoner]") {
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
  // An input that both sentences share counts once.
  const SentenceId same = take(9, 24);
  CHECK(knowledge.joint_evidence(sixteen, same)->size() == 32);
  CHECK(knowledge.share_evidence(sixteen, same));
  CHECK(!knowledge.share_evidence(sixteen, others));
}

TEST_CASE("a term keeps the beliefs with the highest confidence", "[reasoner]") {
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
  // A belief with the same evidence is accepted only if its confidence is higher.
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

TEST_CASE_METHOD(Mind, "repeated inputs all count as evidence", "[reasoner]") {
  // An input with a lower confidence than all twelve kept beliefs is still new evidence.
  for (int i = 0; i < 10; ++i) reasoner.input(reading.sentence("<a --> b>."));
  REQUIRE(at(belief("<a --> b>")).truth.frequency == Approx(1));
  CHECK(reasoner.input(reading.sentence("<a --> b>. %0;0.9%")));
  CHECK(at(belief("<a --> b>")).truth.frequency < 0.95);
}

TEST_CASE_METHOD(Mind, "beliefs that share an input are not revised", "[reasoner]") {
  // <a --> c> follows from the first two sentences, and also from the first, third and fourth.
  tell("<a --> (&,b,d)>.");
  tell("<(&,b,d) --> c>.");
  tell("<(&,b,d) --> e>.");
  tell("<e --> c>.");
  reasoner.run(2000);
  for (SentenceId id = 0; id < reasoner.knowledge().size(); ++id)
    if (at(id).rule == KnownSentence::revision)
      CHECK_FALSE(reasoner.knowledge().share_evidence(at(id).premises[0], at(id).premises[1]));
}

TEST_CASE_METHOD(Mind, "a conclusion rests on the evidence of both premises", "[reasoner]") {
  const SentenceId a = tell("<a --> b>."), b = tell("<b --> c>.");
  reasoner.run(100);
  const SentenceId c = belief("<a --> c>");
  REQUIRE(c != KnownSentence::none);
  CHECK(at(c).truth == TruthValue{1, 0.9 * 0.9});
  CHECK(evidence(c) == Numbers{1, 2});
  CHECK(reasoner.rule_name(a) == "told");
  CHECK(reasoner.rule_name(c) == "deduction");
  CHECK(reasoner.derivation(c) == std::vector<SentenceId>{a, b, c});
  tell("<a --> c>. %0.3;0.9%");
  CHECK(reasoner.rule_name(belief("<a --> c>")) == "revision");
}

TEST_CASE_METHOD(Mind, "a derivation lists premises before conclusions, each once", "[reasoner]") {
  for (const char* text : {"<a --> b>.", "<b --> c>.", "<c --> d>.", "<d --> e>.", "<x --> y>."}) tell(text);
  reasoner.run(1500);
  std::size_t long_ones = 0;
  for (SentenceId id = 0; id < reasoner.knowledge().size(); id += 7) {
    const auto derivation = reasoner.derivation(id);
    long_ones += derivation.size() > 4;
    REQUIRE(derivation.back() == id);
    std::set<SentenceId> seen;
    for (const SentenceId one : derivation) {
      for (const SentenceId premise : at(one).premises)
        if (premise != KnownSentence::none) REQUIRE(seen.count(premise) == 1);
      REQUIRE(seen.insert(one).second);
    }
    // The derivation contains no irrelevant sentence: each one is the conclusion `id` or a premise of another.
    std::set<SentenceId> needed{id};
    for (const SentenceId one : derivation)
      for (const SentenceId premise : at(one).premises) needed.insert(premise);
    needed.erase(KnownSentence::none);
    REQUIRE(needed == seen);
  }
  CHECK(long_ones > 10);
}

TEST_CASE_METHOD(Mind, "a question without variables is answered by the highest confidence", "[reasoner]") {
  const SentenceId question = tell("<a --> b>?");
  CHECK(!reasoner.answer(question));
  const SentenceId doubtful = tell("<a --> b>. %1;0.5%");
  CHECK(reasoner.answer(question) == doubtful);
  const SentenceId other = tell("<a --> x>.");
  CHECK(!reasoner.answer(other));
  // The confidence decides, not the frequency.
  tell("<a --> b>. %0;0.9%");
  const SentenceId best = belief("<a --> b>");
  CHECK(reasoner.answer(question) == best);
  CHECK(at(best).truth == narsese::revise({1, 0.5}, {0, 0.9}));
  // The reasoner reports improved answers at once.
  double least = 0;
  for (const ReasonerEvent& event : events)
    if (event.kind == Kind::answer) {
      CHECK(event.question == question);
      CHECK(at(event.sentence).truth.confidence > least);
      least = at(event.sentence).truth.confidence;
    }
  CHECK(least == at(best).truth.confidence);
}

TEST_CASE_METHOD(Mind, "an open question is answered by expectation over the 8th root of complexity",
                 "[reasoner]") {
  const auto read = [&](const char* term) { return narsese::print(reading.term(term)); };
  tell("<a --> (&,b,c,d,e)>. %1;0.9%");  // expectation / complexity^(1/8) = .95 / 7^(1/8) = .745
  const SentenceId question = tell("<a --> ?1>?");
  CHECK(answer(question) == read("<a --> (&,b,c,d,e)>"));
  tell("<a --> f>. %0.1;0.9%");  // .14 / 3^(1/8) = .122
  tell("<a --> g>. %1;0.7%");    // .85 / 3^(1/8) = .741
  CHECK(answer(question) == read("<a --> (&,b,c,d,e)>"));
  tell("<a --> h>. %1;0.72%");  // .86 / 3^(1/8) = .750
  CHECK(answer(question) == read("<a --> h>"));
  tell("<h --> a>. %1;0.9%");
  CHECK(answer(question) == read("<a --> h>"));
  // Questions of other forms search all beliefs.
  CHECK(answer(tell("<?1 --> a>?")) == read("<h --> a>"));
  CHECK(answer(tell("<?1 --> (*,?1,?1)>?")) == "none");
}

TEST_CASE("an input answers before a simpler conclusion with a low expectation", "[reasoner]") {
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

TEST_CASE("compounds that repeat a name of the question come last", "[reasoner]") {
  const auto ranked = [](const std::vector<const char*>& knowledge, const char* question) {
    Mind mind;
    const SentenceId asked = mind.tell(question);
    for (const char* text : knowledge) mind.tell(text);
    std::vector<std::string> found;
    for (const SentenceId id : mind.reasoner.answers(asked)) found.push_back(mind.text(id));
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
  // A belief with an expectation below 1/2 ranks lower.
  CHECK(ranked({"<a --> (&,a,b)>. %1;0.9%", "<a --> c>. %0;0.9%"}, "<a --> ?1>?") ==
        Answers{"<a --> (&,a,b)>", "<a --> c>"});
}

TEST_CASE_METHOD(Mind, "a name answers before a variable if its expectation is above 1/2", "[reasoner]") {
  tell("<#1 --> [furry]>. %1;0.9%");
  const SentenceId question = tell("<?x --> [furry]>?");
  CHECK(answer(question) == "<#1 --> [furry]>");
  tell("<{kim} --> [furry]>. %0;0.9%");
  CHECK(answer(question) == "<#1 --> [furry]>");
  tell("<{tim} --> [furry]>. %0.8;0.3%");
  CHECK(answer(question) == "<{tim} --> [furry]>");
  CHECK(answer(tell("<?y --> [furry]>?")) == "<{tim} --> [furry]>");
  // A variable that the question itself contains does not count.
  tell("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>).");
  const SentenceId opener = tell("(&&,<#1 --> lock>,<?x --> (/,opens,_,#1)>)?");
  CHECK(answer(opener) == narsese::print(reading.term("(&&,<#1 --> lock>,<key --> (/,opens,_,#1)>)")));
  // The answer's variable may also be inside the term that replaces ?x.
  tell("<(*,#1,tea) --> drinks>. %1;0.9%");
  tell("<(*,ann,tea) --> drinks>. %0.9;0.5%");
  CHECK(answer(tell("<?x --> drinks>?")) == "<(*,ann,tea) --> drinks>");
}

TEST_CASE("an implication finds the named answer", "[reasoner]") {
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

TEST_CASE_METHOD(Mind, "a denied answer gives way to the next best", "[reasoner]") {
  tell("<tom --> cat>. %1;0.9%");
  tell("<rex --> cat>. %1;0.8%");
  const SentenceId question = tell("<?x --> cat>?");
  CHECK(answer(question) == "<tom --> cat>");
  events.clear();
  tell("<tom --> cat>. %0;0.9%");
  CHECK(answer(question) == "<rex --> cat>");
  REQUIRE(!events.empty());
  CHECK(events.back().kind == Kind::answer);
  CHECK(at(events.back().sentence).term == reading.term("<rex --> cat>"));
  // Only the belief with the highest confidence counts for a term.
  tell("<rex --> cat>. %0;0.99%");
  CHECK(answer(question) == "<tom --> cat>");
  CHECK(at(*reasoner.answer(question)).truth.frequency == Approx(0.5));
}

TEST_CASE_METHOD(Mind, "goals do not answer questions", "[reasoner]") {
  tell("<a --> b>!");
  CHECK(!reasoner.answer(tell("<a --> b>?")));
  CHECK(!reasoner.answer(tell("<a --> ?1>?")));
  CHECK(belief("<a --> b>") == KnownSentence::none);
}

TEST_CASE_METHOD(Mind, "a conclusion answers a question", "[reasoner]") {
  const SentenceId question = tell("<a --> d>?");
  for (const char* text : {"<a --> b>.", "<b --> c>.", "<c --> d>."}) tell(text);
  CHECK(!reasoner.answer(question));
  reasoner.run(300);
  REQUIRE(reasoner.answer(question));
  const SentenceId answer = *reasoner.answer(question);
  CHECK(evidence(answer) == Numbers{1, 2, 3});
  CHECK(at(answer).truth.confidence == Approx(0.9 * 0.9 * 0.9));
}

TEST_CASE_METHOD(Mind, "an implication with two conditions finds a grandmother", "[reasoner]") {
  tell("<(&&,<(*,$1,$2) --> mother>,<(*,$2,$3) --> parent>) ==> <(*,$1,$3) --> grandmother>>.");
  tell("<(*,eva,ida) --> mother>.");
  tell("<(*,ida,uwe) --> parent>.");
  const SentenceId question = tell("<(*,?1,uwe) --> grandmother>?");
  reasoner.run(500);
  CHECK(answer(question) == narsese::print(reading.term("<(*,eva,uwe) --> grandmother>")));
}

TEST_CASE_METHOD(Mind, "confidence is at most 0.99 for inputs and revisions", "[reasoner]") {
  for (const char* text :
       {"<a --> b>. %1;1%", "<b --> c>. %1;0.995%", "<c --> d>! %1;0.99999%", "<d --> e>. %0;1%"})
    CHECK(at(tell(text)).truth.confidence == narsese::max_confidence);
  CHECK(at(tell("<b --> a>.")).truth == TruthValue{1, 0.9});
  tell("<b --> c>. %1;0.99%");
  CHECK(at(belief("<b --> c>")).rule == KnownSentence::revision);
  CHECK(at(belief("<b --> c>")).truth.confidence == narsese::max_confidence);
}

TEST_CASE("enough counterevidence outweighs a certain input", "[reasoner]") {
  const auto answer_to = [](const std::vector<const char*>& knowledge) {
    Mind mind;
    for (const char* text : knowledge) mind.tell(text);
    const auto answer = mind.reasoner.answer(mind.tell("<tea --> drink>?"));
    REQUIRE(answer);
    return mind.at(*answer).truth.frequency;
  };
  const char *denied = "<tea --> drink>. %0;0.99%", *certain = "<tea --> drink>. %1;1%";
  CHECK(answer_to({certain, denied}) == Approx(0.5));
  CHECK(answer_to({certain, denied, denied, denied, denied}) == Approx(0.0625));
  CHECK(answer_to({"<tea --> drink>. %1;0.995%", "<tea --> drink>. %0;0.9%"}) == Approx(99.0 / 108));
  CHECK(answer_to({"<tea --> drink>. %0;0.9%", "<tea --> drink>. %1;0.995%"}) == Approx(99.0 / 108));
  CHECK(answer_to({denied, denied, certain}) == Approx(0.5));
}

TEST_CASE_METHOD(Mind, "a repeated question keeps its id and is answered again", "[reasoner]") {
  const SentenceId asked = tell("<a --> b>?");
  const std::size_t known = reasoner.knowledge().size();
  CHECK(reasoner.input(reading.sentence("<a --> b>?")) == asked);
  CHECK(reasoner.knowledge().size() == known);
  // A repeated judgment is new evidence.
  tell("<a --> b>.");
  tell("<a --> b>.");
  std::size_t answers = 0;
  reasoner.observe([&](const ReasonerEvent& event) { answers += event.kind == ReasonerEvent::Kind::answer; });
  reasoner.input(reading.sentence("<a --> b>?"));
  CHECK(answers == 1);
}

TEST_CASE_METHOD(Mind, "a derived question can be asked", "[reasoner]") {
  tell("<a --> c>?");
  tell("<a --> b>.");
  reasoner.run(50);
  const SentenceId asked = tell("<b --> c>?");
  CHECK(!reasoner.answer(asked));
  const SentenceId told = tell("<b --> c>.");
  CHECK(reasoner.answer(asked) == told);
}

TEST_CASE("a reasoner accepts at most max_sentences sentences", "[reasoner]") {
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

TEST_CASE_METHOD(Mind, "run ends after the last step", "[reasoner]") {
  CHECK(reasoner.run(10) == 0);
  tell("<a --> b>.");
  CHECK(reasoner.run(10) == 1);
  CHECK(reasoner.run(10) == 0);
  CHECK(reasoner.steps() == 1);
  tell("<b --> c>.");
  CHECK(reasoner.run(0) == 0);
  CHECK(reasoner.run(2) == 2);
}

TEST_CASE_METHOD(Mind, "run exceeds its limit only by the revisions of the last step", "[reasoner]") {
  for (const char* text : {"<a --> c>.", "<a --> b>.", "<b --> c>."}) tell(text);
  std::uint64_t most = 0;
  for (int i = 0; i < 9; ++i) most = std::max(most, reasoner.run(1));
  // The step draws one conclusion and makes one revision.
  CHECK(most == 2);
}

namespace {

using Counts = std::map<std::string, std::size_t>;  // violations by their kind

void check_none(const Counts& violations) {
  REQUIRE_FALSE(violations.empty());
  for (const auto& [kind, count] : violations) {
    INFO(kind);
    CHECK(count == 0);
  }
}

// Statistics of the steps that a control chooses, with violations of its contract.
struct Seen {
  Counts violations;
  std::size_t steps = 0;
  std::unordered_set<std::uint64_t> pairs;
  std::vector<Numbers> evidence;        // of each sentence, when it was added
  std::size_t forgotten = 0, most = 0;  // calls of forget(), and the most sentences at once
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
      seen_.violations["revision of overlapping evidence"] += !common.empty();
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
    seen_.violations["repeated step"] += !seen_.pairs.insert(least << 32 | most).second;
    if (choice->is_single()) return choice;
    seen_.violations["step without a belief"] +=
        !knowledge[choice->belief].is_judgment() || choice->task == choice->belief;
    const auto is_rule = [&](SentenceId id) { return narsese::is_higher_order(knowledge[id].term); };
    seen_.violations["step with shared evidence"] += knowledge.share_evidence(choice->task, choice->belief) &&
                                                     !is_rule(choice->task) && !is_rule(choice->belief);
    seen_.violations["step without a shared name"] += !shared(knowledge, choice->task, choice->belief);
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
  std::vector<SentenceId> told;  // the sentence of each input that counts as evidence
  std::uint64_t steps = 0;
};

using MakeControl = std::function<std::unique_ptr<InferenceControl>()>;

std::unique_ptr<Lived> live(const MakeControl& make, std::uint64_t steps, bool other_table, std::size_t room,
                            bool forgets = false) {
  auto lived = std::make_unique<Lived>();
  // Creates other terms first, so that all handles have other values and another order.
  if (other_table)
    for (int i = 300; i > 0; --i) lived->reading->term("<x" + std::to_string(i) + " --> (*,i,h,g,f)>");
  lived->reasoner =
      std::make_unique<Reasoner>(lived->reading->table, std::make_unique<Watched>(make(), lived->seen),
                                 ReasonerOptions{.max_sentences = room, .forgets = forgets});
  const auto world = random_world(11);
  for (std::size_t i = 0; i < world.size(); ++i) {
    // The second half of the inputs comes after some inference steps.
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
  Counts violations;
  std::size_t revisions = 0, derived = 0, overlapping = 0;
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
        faults.violations["revision of overlapping evidence"] += !common.empty();
      } else {
        ++faults.derived;
        faults.overlapping += !common.empty();
        // Only rules marked `overlap` accept premises that share evidence.
        faults.violations["overlapping premises"] +=
            !common.empty() &&
            lived.reasoner->rules().line(sentence.rule).find("overlap") == std::string_view::npos;
      }
      if (!asked) rests_on[id] = both;
    }
    const auto own = knowledge.evidence(id);
    faults.violations["wrong evidence"] += !std::ranges::equal(own, rests_on[id]);
    faults.violations["too much evidence"] += own.size() > Knowledge::max_evidence;
    const auto in_range = [](double x) { return x >= 0 && x <= 1; };
    faults.violations["truth value out of range"] +=
        !in_range(sentence.truth.frequency) || !in_range(sentence.truth.confidence);
    // The earlier sentences with the same term, in order.
    std::vector<SentenceId>& others = alike[std::uint64_t{sentence.term.hash()}];
    for (const SentenceId other : others) {
      if (knowledge[other].term != sentence.term || knowledge[other].punctuation != sentence.punctuation)
        continue;
      faults.violations["repeated question"] += asked;
      if (!asked && std::ranges::equal(knowledge.evidence(other), own))
        faults.violations["repeated belief"] +=
            knowledge[other].truth.confidence >= sentence.truth.confidence;
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
  check_none(lived.seen.violations);
  check_none(faults.violations);
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

TEST_CASE("no input counts twice and no step repeats, under every control", "[reasoner]") {
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const auto lived = live(policy.make, 30'000, false, 1'000'000);
    check_faults(*lived);
  }
}

TEST_CASE("a full reasoner forgets half, continues, and counts no input twice", "[reasoner][forgetting]") {
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
    check_none(seen.violations);
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

TEST_CASE("forgetting also removes terms", "[reasoner][forgetting]") {
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
  // The limit of bytes has the same effect as the limit of sentences.
  Mind small(first_in_first_out(), {.max_bytes = std::size_t{4} << 20, .forgets = true});
  for (int i = 0; i < 20'000; ++i) small.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(small.reasoner.forgotten() > 0);
  CHECK(small.reasoner.bytes() < std::size_t{4} << 20);
}

TEST_CASE("the last question is kept with its answer", "[reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  mind.tell("<tim --> cat>.");
  mind.tell("<tim --> ?1>?");
  mind.tell("<cat --> animal>?");
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.");
  CHECK(mind.belief("<tim --> cat>") != KnownSentence::none);
  CHECK(mind.belief("<a1 --> b1>") == KnownSentence::none);
  // A question that is asked again is the same question.
  CHECK(mind.answer(mind.tell("<tim --> ?1>?")) == "<tim --> cat>");
  mind.events.clear();
  const SentenceId animal = mind.tell("<cat --> animal>.");
  REQUIRE(mind.events.size() == 2);
  CHECK(mind.events[1].kind == Kind::answer);
  CHECK(mind.events[1].sentence == animal);
  // Numbers of forgotten inputs are never used again.
  CHECK(mind.evidence(animal) == Numbers{1'002});
}

TEST_CASE("many questions leave room for beliefs", "[reasoner][forgetting]") {
  Mind mind(first_in_first_out(), {.max_sentences = 100, .forgets = true});
  for (int i = 0; i < 1'000; ++i) mind.tell("<a" + std::to_string(i) + " --> b>?");
  mind.tell("<a999 --> b>.");
  mind.tell("<a1 --> b>.");
  CHECK(mind.reasoner.answer(mind.tell("<a999 --> b>?")));
  CHECK(mind.reasoner.knowledge().size() <= 100);
}

// Excluded by default because it takes minutes.
TEST_CASE("no input counts twice over a million steps", "[.][long]") {
  const auto lived = live(first_in_first_out, 1'000'000, false, 4'000'000);
  check_faults(*lived);
  WARN(lived->steps << " steps, " << lived->reasoner->knowledge().size() << " sentences");
}

TEST_CASE("the same inputs, control and seed give the same steps", "[reasoner]") {
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

TEST_CASE_METHOD(Mind, "answers lists the best first, one for each term", "[reasoner]") {
  tell("<swan --> bird>. %1;0.5%");
  tell("<duck --> bird>. %1;0.5%");
  tell("<duck --> bird>. %1;0.8%");
  tell("<bat --> bird>. %0.1;0.9%");
  tell("<#1 --> bird>. %1;0.9%");
  tell("<(&,duck,swan) --> bird>. %1;0.8%");
  const SentenceId who = tell("<?1 --> bird>?"), whether = tell("<duck --> bird>?"),
                   none = tell("<?1 --> fish>?");
  const auto terms = [&](SentenceId question) {
    std::vector<std::string> found;
    for (const SentenceId id : reasoner.answers(question)) found.push_back(text(id));
    return found;
  };
  // Answers are ranked by expectation over the 8th root of complexity. Answers with a variable or a low expectation
  // come last.
  CHECK(terms(who) == std::vector<std::string>{"<duck --> bird>", "<(&,duck,swan) --> bird>",
                                               "<swan --> bird>", "<#1 --> bird>", "<bat --> bird>"});
  CHECK(terms(whether) == std::vector<std::string>{"<duck --> bird>"});
  CHECK(terms(none).empty());
  reasoner.run(200);
  for (const SentenceId question : {who, whether}) {
    const auto all = reasoner.answers(question);
    REQUIRE_FALSE(all.empty());
    CHECK(all.front() == reasoner.answer(question));
    const std::vector<std::string> now = terms(question);
    CHECK(std::set<std::string>(now.begin(), now.end()).size() == now.size());
  }
}

}  // namespace engram::core::reasoner_tests
