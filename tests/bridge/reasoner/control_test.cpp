// SPDX-License-Identifier: MIT
#include "bridge/reasoner/control.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/numbers/random.hpp"
#include "tests/bridge/reasoner/reading.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::control_tests {
namespace {

using testing::Reading;
using Pair = std::pair<SentenceId, SentenceId>;

// A control and what it is told, without any logic.
struct Told {
  explicit Told(std::unique_ptr<Control> policy) : control(std::move(policy)) {}

  SentenceId input(const std::string& text) {
    const narsese::Sentence read = reading.sentence(text);
    KnownSentence sentence;
    sentence.term = read.term;
    sentence.punctuation = read.punctuation;
    sentence.truth = read.truth_or_default();
    std::vector<InputNumber> evidence;
    if (!read.asks()) evidence.push_back(++inputs);
    return add(sentence, evidence);
  }
  // As if it followed from these.
  SentenceId derived(const std::string& text, SentenceId a, SentenceId b, bool strong = true) {
    const auto id = try_derived(reading.sentence(text), a, b, strong);
    REQUIRE(id);
    return *id;
  }
  std::optional<SentenceId> try_derived(const narsese::Sentence& read, SentenceId a, SentenceId b,
                                        bool strong) {
    KnownSentence sentence;
    sentence.term = read.term;
    sentence.punctuation = read.punctuation;
    sentence.truth = read.truth_or_default();
    sentence.rule = 0;
    sentence.premises = {a, b};
    sentence.generation = 1;
    sentence.strong = strong;
    const auto evidence = *knowledge.joint(a, b);
    const SentenceId id = knowledge.take(sentence, read.asks() ? std::span<const InputNumber>() : evidence);
    if (id == KnownSentence::none) return std::nullopt;
    control->take(knowledge, id);
    return id;
  }
  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence) {
    const SentenceId id = knowledge.take(sentence, evidence);
    REQUIRE(id != KnownSentence::none);
    control->take(knowledge, id);
    return id;
  }

  // Of all that it chooses: tasks thought of, and pairs in their order.
  std::vector<Choice> all(std::size_t most = 100'000) {
    std::vector<Choice> chosen;
    while (chosen.size() < most) {
      const auto next = control->choose(knowledge);
      if (!next) break;
      chosen.push_back(*next);
      control->learn(knowledge, *next, {});
    }
    return chosen;
  }

  Reading reading;
  Knowledge knowledge{reading.table};
  std::unique_ptr<Control> control;
  InputNumber inputs = 0;
};

std::vector<SentenceId> alone_of(const std::vector<Choice>& chosen) {
  std::vector<SentenceId> tasks;
  for (const Choice& one : chosen)
    if (one.alone()) tasks.push_back(one.task);
  return tasks;
}

std::vector<Pair> pairs_of(const std::vector<Choice>& chosen) {
  std::vector<Pair> pairs;
  for (const Choice& one : chosen)
    if (!one.alone()) pairs.emplace_back(one.task, one.belief);
  return pairs;
}

std::vector<Pair> unordered(std::vector<Pair> pairs) {
  for (auto& [a, b] : pairs)
    if (a > b) std::swap(a, b);
  std::ranges::sort(pairs);
  return pairs;
}

using Ids = std::vector<SentenceId>;
using Pairs = std::vector<Pair>;

struct Policy {
  const char* name;
  std::unique_ptr<Control> (*make)();
};

const Policy policies[] = {
    {"first_in_first_out", first_in_first_out},
    {"random_order", [] { return random_order(7); }},
    {"simplest_first", simplest_first},
    {"by_urgency", [] { return by_urgency([](Knowledge&, SentenceId) { return 1.0; }); }},
    {"by_worth",
     []() -> std::unique_ptr<Control> { return by_worth([](Knowledge&, SentenceId) { return 0.7; }); }},
    {"opennars_bags", opennars_bags},
    {"ona_queue", ona_queue},
};

}  // namespace

TEST_CASE("first in, first out: each task meets those before it", "[bridge][reasoner][control]") {
  Told told(first_in_first_out());
  told.input("<a --> b>.");
  told.input("<b --> c>.");
  told.input("<x --> y>.");
  told.input("<c --> a>.");
  const auto chosen = told.all();
  CHECK(alone_of(chosen) == Ids{0, 1, 2, 3});
  CHECK(pairs_of(chosen) == Pairs{{1, 0}, {3, 1}, {3, 0}});
  // By which name they met
  CHECK(told.knowledge.name(chosen[2].concept_name) == told.reading.term("b"));
  // What comes later is met when it comes.
  told.input("<y --> c>.");
  CHECK(unordered(pairs_of(told.all())) == Pairs{{1, 4}, {2, 4}, {3, 4}});
  CHECK(!told.control->choose(told.knowledge));
}

TEST_CASE("every control pairs all that share a name, once, and only these", "[bridge][reasoner][control]") {
  for (const Policy& policy : policies) {
    INFO(policy.name);
    Told told(policy.make());
    told.input("<a --> b>.");                          // 0
    told.input("<b --> c>.");                          // 1
    told.input("<x --> y>.");                          // 2
    told.input("<a --> ?1>?");                         // 3
    told.input("<(*,a,b) --> c>.");                    // 4
    told.input("<c --> d>!");                          // 5
    told.input("<b --> a>?");                          // 6
    told.derived("<a --> c>.", 0, 1);                  // 7 overlaps with 0 and 1
    told.derived("<<a --> b> ==> <b --> c>>.", 0, 1);  // 8 overlaps, and may meet them
    const auto chosen = told.all();
    Ids alone = alone_of(chosen);
    std::ranges::sort(alone);
    CHECK(alone == Ids{0, 1, 2, 4, 7, 8});
    CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 1}, {0, 3}, {0, 4}, {0, 6}, {0, 8}, {1, 4}, {1, 5},
                                               {1, 6}, {1, 8}, {3, 4}, {3, 7}, {3, 8}, {4, 5}, {4, 6},
                                               {4, 7}, {4, 8}, {5, 7}, {5, 8}, {6, 7}, {6, 8}, {7, 8}});
    // The belief is a judgment; a question or goal is the task.
    for (const Choice& one : chosen)
      if (!one.alone()) CHECK(told.knowledge[one.belief].judges());
    CHECK(!told.control->choose(told.knowledge));
  }
}

TEST_CASE("every control has nothing to do where nothing was told", "[bridge][reasoner][control]") {
  for (const Policy& policy : policies) {
    INFO(policy.name);
    Told told(policy.make());
    CHECK(!told.control->choose(told.knowledge));
    told.input("<a --> ?1>?");
    CHECK(!told.control->choose(told.knowledge));
  }
}

// What a control chooses once some is forgotten is what it would have chosen without that, whatever it is told later.
TEST_CASE("forgetting changes no choice among what is kept", "[bridge][reasoner][control][forgetting]") {
  core::Rng rng(3, "forgetting of controls");
  // By the number of the input, which forgetting leaves as it is.
  const auto share = [](Knowledge& knowledge, SentenceId id) {
    const auto evidence = knowledge.evidence(id);
    return evidence.empty() ? 1.0 : 1.0 / (1 + evidence[0] % 3);
  };
  const std::vector<std::function<std::unique_ptr<Control>()>> controls{
      first_in_first_out, simplest_first, [] { return random_order(7); }, [&] { return by_urgency(share); },
      [&] { return by_worth(share); }};
  for (const auto& make : controls)
    for (int round = 0; round < 30; ++round) {
      Told told(make()), other(make());
      int said = 0;
      const auto tell_both = [&] {
        const std::string a(1, static_cast<char>('a' + rng.below(5)));
        const std::string b(1, static_cast<char>('f' + rng.below(5)));
        const std::string text =
            "<" + a + " --> (&," + b + ",k" + std::to_string(said) + ")>" + (said % 6 == 5 ? "?" : ".");
        ++said;
        told.input(text);
        other.input(text);
      };
      std::vector<bool> kept;
      for (int i = 0; i < 24; ++i) {
        tell_both();
        kept.push_back(rng.below(3) != 0);
      }
      const std::size_t before = rng.below(60);
      told.all(before);
      other.all(before);
      const Forgotten forgotten = told.knowledge.keep_only(kept, nullptr);
      told.control->forget(forgotten);
      const auto now = [&](SentenceId id) {
        return id < kept.size() ? forgotten.sentences(id)
                                : forgotten.sentences.kept() + id - static_cast<SentenceId>(kept.size());
      };
      std::vector<Choice> expected, chosen;
      for (int more = 0; more < 10; ++more) {
        tell_both();
        std::size_t few = rng.below(8);
        while (few > 0) {
          const auto next = other.all(1);
          if (next.empty()) break;
          Choice choice = next[0];
          choice.task = now(choice.task);
          if (!choice.alone()) choice.belief = now(choice.belief);
          const bool was_pair = !next[0].alone();
          if (choice.task == KeptIds::gone || (was_pair && choice.belief == KeptIds::gone)) continue;
          expected.push_back(choice);
          --few;
        }
        for (const Choice& choice : told.all(expected.size() - chosen.size())) chosen.push_back(choice);
      }
      CHECK(alone_of(chosen) == alone_of(expected));
      CHECK(pairs_of(chosen) == pairs_of(expected));
    }
}

TEST_CASE("of what is kept everything else stays as it was", "[bridge][reasoner][forgetting]") {
  Told told(first_in_first_out());
  const SentenceId gone = told.input("<x --> y>."), weak = told.input("<a --> b>. %1;0.5%");
  const SentenceId sure = told.input("<a --> b>. %1;0.8%"), gone_too = told.input("<a --> b>. %1;0.9%");
  const SentenceId asked = told.input("<a --> ?1>?"), rule = told.input("<<$1 --> y> ==> <$1 --> b>>.");
  const SentenceId follows = told.derived("<a --> c>.", weak, gone);
  told.all();
  std::vector<bool> kept(told.knowledge.size(), true);
  kept[gone] = kept[gone_too] = false;
  narsese::Term also = told.reading.term("<p --> q>");
  const Forgotten forgotten = told.knowledge.keep_only(kept, &also);
  const auto now = [&](SentenceId id) { return forgotten.sentences(id); };
  const Knowledge& knowledge = told.knowledge;
  REQUIRE(knowledge.size() == 5);
  CHECK(also == told.reading.term("<p --> q>"));
  CHECK(Ids{now(gone), now(weak), now(sure), now(gone_too), now(asked), now(rule), now(follows)} ==
        Ids{KeptIds::gone, 0, 1, KeptIds::gone, 2, 3, 4});
  const narsese::Term ab = told.reading.term("<a --> b>");
  CHECK(knowledge[0].term == ab);
  CHECK(knowledge.first_belief(ab) == 1);
  CHECK(knowledge.next_belief(1) == 0);
  CHECK(knowledge.next_belief(0) == KnownSentence::none);
  CHECK(knowledge.first_belief(told.reading.term("<x --> y>")) == KnownSentence::none);
  CHECK(knowledge.asked(told.reading.term("<a --> ?1>"), narsese::Punctuation::question) == 2);
  CHECK(knowledge[4].premises == std::array<SentenceId, 2>{0, KnownSentence::none});
  CHECK(std::ranges::equal(knowledge.evidence(4), std::vector<InputNumber>{1, 2}));
  std::set<std::string> names;
  for (NameId name = 0; name < knowledge.names(); ++name) names.insert(narsese::print(knowledge.name(name)));
  CHECK(names == std::set<std::string>{"a", "b", "c", "y"});
  std::set<std::string> of_rule;
  for (const NameId name : told.knowledge.names(3)) of_rule.insert(narsese::print(knowledge.name(name)));
  CHECK(of_rule == std::set<std::string>{"b", "y"});
  // Variables of a sentence apart are still others than its own.
  CHECK(told.knowledge.premise(3).apart != told.knowledge.premise(3).term);
  // What was forgotten can be told again, what is kept is known.
  KnownSentence again = knowledge[1];
  CHECK(told.knowledge.take(again, std::vector<InputNumber>{3}) == KnownSentence::none);
  again.truth.confidence = 0.9;
  CHECK(told.knowledge.take(again, std::vector<InputNumber>{4}) == 5);
  CHECK(knowledge.first_belief(ab) == 5);
}

TEST_CASE("an order by lot depends on the seed alone", "[bridge][reasoner][control]") {
  const auto order = [](std::uint64_t seed, const std::string& word, const std::string& predicate) {
    Told told(random_order(seed));
    for (int i = 0; i < 20; ++i) told.input("<" + word + std::to_string(i) + " --> " + predicate + ">.");
    return alone_of(told.all());
  };
  const Ids of_one = order(1, "a", "x");
  CHECK(of_one.size() == 20);
  CHECK(order(1, "a", "x") == of_one);
  // Not on what is said
  CHECK(order(1, "zebra", "(/,(*,x,y),_,{z})") == of_one);
  CHECK(order(2, "a", "x") != of_one);
  CHECK(!std::ranges::is_sorted(of_one));
}

TEST_CASE("the simplest comes first, of these the oldest", "[bridge][reasoner][control]") {
  Told told(simplest_first());
  told.input("<(*,a,b) --> c>.");    // 0: 5 nodes
  told.input("<d --> e>.");          // 1: 3
  told.input("<f --> g>.");          // 2: 3
  told.input("<{h} --> i>.");        // 3: 4
  told.input("<(*,j,k,l) --> m>.");  // 4: 6
  told.input("n.");                  // 5: 1
  CHECK(alone_of(told.all()) == Ids{5, 1, 2, 3, 0, 4});
}

TEST_CASE("the most urgent comes first, and what is not urgent at all never", "[bridge][reasoner][control]") {
  const std::array urgencies{0.5, 0.0, 1.0, 0.2, 0.5};
  Told told(by_urgency([&](Knowledge&, SentenceId id) { return urgencies.at(id); }));
  for (const char* text : {"<a --> b>.", "<a --> c>.", "<a --> d>.", "<a --> e>.", "<a --> f>."})
    told.input(text);
  const auto chosen = told.all();
  CHECK(alone_of(chosen) == Ids{2, 0, 4, 3});
  // Nor is it anybody's partner.
  CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 2}, {0, 3}, {0, 4}, {2, 3}, {2, 4}, {3, 4}});
}

TEST_CASE("what is worth nothing is never thought of", "[bridge][reasoner][control]") {
  Told told(by_worth([](Knowledge&, SentenceId id) { return id == 1 ? 0.0 : 0.5; }));
  for (const char* text : {"<a --> b>.", "<a --> c>.", "<a --> d>."}) told.input(text);
  told.derived("<b --> c>.", 0, 1);
  told.derived("<b --> d>.", 0, 2);
  const auto chosen = told.all();
  CHECK(alone_of(chosen) == Ids{0, 2, 4});
  CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 2}});
}

TEST_CASE("a conclusion is as urgent as its least urgent premise", "[bridge][reasoner][control]") {
  const std::array urgencies{0.9, 0.3, 0.0, 0.5};
  Told told(by_urgency([&](Knowledge& knowledge, SentenceId id) {
    CHECK(knowledge[id].rule == KnownSentence::told);  // only inputs are asked about
    return urgencies.at(id);
  }));
  told.input("<a --> b>.");          // 0: .9
  told.input("<b --> c>.");          // 1: .3
  told.input("<c --> d>.");          // 2: never
  told.input("<d --> e>.");          // 3: .5
  told.derived("<a --> c>.", 0, 1);  // 4: .3
  told.derived("<b --> d>.", 1, 2);  // 5: never
  told.derived("<a --> e>.", 0, 3);  // 6: .5
  told.derived("<a --> x>.", 6, 4);  // 7: .3
  const auto chosen = alone_of(told.all());
  REQUIRE(chosen.size() == 6);
  CHECK(chosen[0] == 0);
  CHECK(std::set<SentenceId>(chosen.begin() + 1, chosen.begin() + 3) == std::set<SentenceId>{3, 6});
  CHECK(std::set<SentenceId>(chosen.begin() + 3, chosen.end()) == std::set<SentenceId>{1, 4, 7});
}

TEST_CASE("of what is as urgent the simplest comes first, then the oldest", "[bridge][reasoner][control]") {
  Told told(by_urgency([](Knowledge&, SentenceId id) { return id < 2 ? 0.9 : 0.5; }));
  told.input("<a --> b>.");
  told.input("<c --> d>.");
  // All follow from the same, with one truth value.
  told.derived("<(*,e,f) --> g>.", 0, 1);  // 2
  told.derived("<h --> i>.", 0, 1);        // 3
  told.derived("<{j} --> k>.", 0, 1);      // 4
  told.derived("<l --> m>.", 0, 1);        // 5
  CHECK(alone_of(told.all()) == Ids{0, 1, 3, 5, 4, 2});
}

TEST_CASE("of what is as urgent guesses come last, whatever they expect", "[bridge][reasoner][control]") {
  Told told(by_urgency([](Knowledge&, SentenceId) { return 1.0; }));
  told.input("<a --> b>.");
  told.input("<c --> d>.");
  told.derived("<e --> f>. %0.1;0.9%", 0, 1);         // 2
  told.derived("<g --> h>. %1;0.9%", 0, 1);           // 3
  told.derived("<i --> j>. %1;0.9%", 0, 1, false);    // 4
  told.derived("<k --> l>. %0.4;0.9%", 0, 1, false);  // 5
  told.derived("<m --> n>?", 0, 1);                   // 6: a question expects all, and is no task alone
  CHECK(alone_of(told.all()) == Ids{0, 1, 3, 2, 4, 5});
}

namespace {

// Sentences by lot, and whether what is chosen is in the order of the pairs' urgencies and worths.
void check_best_first(bool as_worth) {
  core::Rng rng(3, "control by urgency");
  std::vector<double> urgency, worth;
  const Urgency of_input = [&](Knowledge&, SentenceId id) {
    return as_worth ? worth.at(id) : urgency.at(id);
  };
  Told told(as_worth ? by_worth(of_input) : by_urgency(of_input));
  // Each lot is drawn by itself: which of two in one expression comes first is the compiler's choice.
  const auto name = [&](const char* letter) { return letter + std::to_string(rng.below(5)); };
  const auto term = [&] {
    const std::string subject = name("a"), first = name("b");
    if (rng.below(2) == 0) return "<" + subject + " --> " + first + ">";
    const std::string second = name("c");
    return "<" + subject + " --> (*," + first + "," + second + ")>";
  };
  for (int i = 0; i < 40; ++i) {
    const std::string said = term();
    const std::string text = said + (rng.below(6) == 0 ? "?" : ". %0.8;0.6%");
    const narsese::Sentence read = told.reading.sentence(text);
    const auto size = static_cast<double>(read.term.complexity());
    const double expected = read.asks() ? 1 : narsese::expectation(read.truth_or_default());
    if (i < 12) {
      const double share = i == 5 ? 0 : static_cast<double>(rng.below(4)) / 3;
      urgency.push_back(as_worth ? 1 : share);
      worth.push_back(as_worth ? share : 1);
      KnownSentence sentence;
      sentence.term = read.term;
      sentence.truth = read.truth_or_default();
      told.add(sentence, std::array{++told.inputs});
      continue;
    }
    const auto a = static_cast<SentenceId>(rng.below(urgency.size()));
    const auto b = static_cast<SentenceId>(rng.below(urgency.size()));
    const bool strong = rng.below(2) == 0;
    if (!told.knowledge.joint(a, b)) continue;
    const std::size_t before = told.knowledge.size();
    urgency.push_back(std::min(urgency[a], urgency[b]));
    worth.push_back(worth[a] * worth[b] * (strong ? 1 : 0.03) * expected / std::log2(1 + size));
    if (!told.try_derived(read, a, b, strong)) {
      urgency.resize(before);
      worth.resize(before);
    }
  }
  const auto chosen = told.all();
  REQUIRE(chosen.size() > 60);
  double last_urgency = 2, last_worth = 2;
  std::size_t not_the_best = 0, equal = 0, never = 0;
  for (const Choice& one : chosen) {
    const double least = one.alone() ? urgency[one.task] : std::min(urgency[one.task], urgency[one.belief]);
    const double product = one.alone() ? worth[one.task] : worth[one.task] * worth[one.belief];
    not_the_best += least > last_urgency || (least == last_urgency && product > last_worth * (1 + 1e-12));
    equal += least == last_urgency;
    never += least <= 0 || product <= 0;
    last_urgency = least;
    last_worth = product;
  }
  CHECK(not_the_best == 0);
  REQUIRE(never == 0);
  CHECK(equal > 20);
}

}  // namespace

TEST_CASE("by urgency each choice is the best that is left", "[bridge][reasoner][control]") {
  check_best_first(false);
}

TEST_CASE("by worth each choice is the best that is left", "[bridge][reasoner][control]") {
  check_best_first(true);
}

TEST_CASE("what is worth something else is thought of in another order, and nothing twice",
          "[bridge][reasoner][control]") {
  core::Rng rng(4, "reweighing");
  for (int round = 0; round < 20; ++round) {
    std::vector<double> worth, later;
    for (int i = 0; i < 30; ++i) {
      worth.push_back(static_cast<double>(1 + rng.below(4)) / 4);
      later.push_back(static_cast<double>(1 + rng.below(4)) / 4);
    }
    const auto tell = [&](Told& told) {
      for (int i = 0; i < 30; ++i)
        told.input("<a" + std::to_string(i % 7) + " --> (&,b" + std::to_string(i % 3) + ",c" +
                   std::to_string(i) + ")>.");
    };
    auto made = by_worth([&](Knowledge&, SentenceId id) { return worth[id]; });
    WorthControl& control = *made;
    Told told(std::move(made)), same(by_worth([&](Knowledge&, SentenceId id) { return worth[id]; }));
    tell(told);
    tell(same);
    const std::size_t before = rng.below(150);
    std::vector<Choice> first = told.all(before);
    control.reweigh([&](SentenceId id, double was) {
      CHECK(was == worth[id]);
      return later[id];
    });
    const std::vector<Choice> rest = told.all();
    double last = 2;
    for (const Choice& one : rest) {
      const double product = one.alone() ? later[one.task] : later[one.task] * later[one.belief];
      // What has not had its turn yet is not known by its pairs.
      if (!one.alone()) CHECK(product <= last * (1 + 1e-12));
      if (!one.alone()) last = product;
    }
    first.insert(first.end(), rest.begin(), rest.end());
    const auto all = same.all();
    CHECK(unordered(pairs_of(first)) == unordered(pairs_of(all)));
    auto one = alone_of(first), other = alone_of(all);
    std::ranges::sort(one);
    std::ranges::sort(other);
    CHECK(one == other);
  }
}

TEST_CASE("bags visit a concept of higher priority more often", "[bridge][reasoner][control]") {
  Told told(opennars_bags());
  // Of one concept inputs, of the other what follows from something else: a leak's part of their priority.
  const SentenceId x = told.input("<p --> q>."), y = told.input("<q --> r>.");
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    KnownSentence sentence;
    sentence.term = told.reading.term("<cold --> c" + n + ">");
    sentence.rule = 0;
    sentence.premises = {x, y};
    told.add(sentence, std::array{static_cast<InputNumber>(1000 + i)});
    told.input("<hot --> h" + n + ">.");
  }
  const narsese::Term hot = told.reading.term("hot"), cold = told.reading.term("cold");
  int of_hot = 0, of_cold = 0;
  for (const Choice& one : told.all(400)) {
    if (one.alone()) continue;
    of_hot += told.knowledge.name(one.concept_name) == hot;
    of_cold += told.knowledge.name(one.concept_name) == cold;
  }
  INFO(of_hot << " and " << of_cold);
  CHECK(of_cold > 0);
  CHECK(of_hot > 2 * of_cold);
}

TEST_CASE("ONA's queue has room for 40 events, and each is thought of once", "[bridge][reasoner][control]") {
  Told told(ona_queue());
  // Judgments of no common name: nothing but themselves to think of.
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    told.input("<a" + n + " --> b" + n + ">.");
  }
  Ids alone = alone_of(told.all());
  CHECK(alone.size() == 40);
  CHECK(std::set<SentenceId>(alone.begin(), alone.end()).size() == 40);
  // There is room again.
  const SentenceId later = told.input("<c --> d>.");
  CHECK(alone_of(told.all()) == Ids{later});
}

TEST_CASE("ONA's queue keeps the events of higher priority", "[bridge][reasoner][control]") {
  Told told(ona_queue());
  // What follows from doubtful premises expects less than an input.
  const SentenceId x = told.input("<p --> q>."), y = told.input("<r --> s>.");
  Ids inputs{x, y}, doubtful;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    doubtful.push_back(told.derived("<a" + n + " --> b" + n + ">. %0.5;0.5%", x, y));
    if (i % 3 == 0) inputs.push_back(told.input("<c" + n + " --> d" + n + ">."));
  }
  const Ids alone = alone_of(told.all());
  REQUIRE(alone.size() == 40);
  // All 22 inputs, before anything else.
  CHECK(std::set<SentenceId>(alone.begin(), alone.begin() + 22) ==
        std::set<SentenceId>(inputs.begin(), inputs.end()));
}

TEST_CASE("ONA's queue thinks of a task with at most 80 beliefs", "[bridge][reasoner][control]") {
  Told told(ona_queue());
  for (int i = 0; i < 30; ++i) told.input("<a --> b" + std::to_string(i) + ">.");
  told.all();
  for (int round = 1; round < 4; ++round) {
    for (int i = 0; i < 30; ++i) told.input("<a --> c" + std::to_string(100 * round + i) + ">.");
    told.all();
  }
  const SentenceId last = told.input("<a --> last>.");
  std::size_t pairs = 0;
  for (const Choice& one : told.all()) pairs += !one.alone() && one.task == last;
  // Its own belief may be one of them.
  CHECK(pairs <= 80);
  CHECK(pairs >= 79);
}

}  // namespace engram::bridge::control_tests
