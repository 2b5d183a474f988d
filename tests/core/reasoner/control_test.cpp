// SPDX-License-Identifier: MIT
#include "core/reasoner/control.hpp"

#include "core/numbers/random.hpp"
#include "tests/core/reasoner/reading.hpp"

namespace engram::core::control_tests {
namespace {

using testing::Reading;
using Pair = std::pair<SentenceId, SentenceId>;

// A control and its knowledge. No inference runs, so tests add conclusions themselves.
struct Controlled {
  explicit Controlled(std::unique_ptr<InferenceControl> policy) : control(std::move(policy)) {}

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
  // Adds a sentence as a conclusion from these premises.
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
    sentence.strong = strong;
    const auto evidence = *knowledge.joint_evidence(a, b);
    const SentenceId id = knowledge.add(sentence, read.asks() ? std::span<const InputNumber>() : evidence);
    if (id == KnownSentence::none) return std::nullopt;
    control->add(knowledge, id);
    return id;
  }
  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence) {
    const SentenceId id = knowledge.add(sentence, evidence);
    REQUIRE(id != KnownSentence::none);
    control->add(knowledge, id);
    return id;
  }

  // The next steps, at most `most`.
  std::vector<InferenceStep> all(std::size_t most = 100'000) {
    std::vector<InferenceStep> chosen;
    while (chosen.size() < most) {
      const auto next = control->choose(knowledge);
      if (!next) break;
      chosen.push_back(*next);
    }
    return chosen;
  }

  Reading reading;
  Knowledge knowledge{reading.table};
  std::unique_ptr<InferenceControl> control;
  InputNumber inputs = 0;
};

std::vector<SentenceId> single_steps(const std::vector<InferenceStep>& chosen) {
  std::vector<SentenceId> tasks;
  for (const InferenceStep& one : chosen)
    if (one.is_single()) tasks.push_back(one.task);
  return tasks;
}

std::vector<Pair> pairs_of(const std::vector<InferenceStep>& chosen) {
  std::vector<Pair> pairs;
  for (const InferenceStep& one : chosen)
    if (!one.is_single()) pairs.emplace_back(one.task, one.belief);
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
  std::unique_ptr<InferenceControl> (*make)();
};

const Policy policies[] = {
    {"first_in_first_out", first_in_first_out},
    {"random_order", [] { return random_order(7); }},
    {"simplest_first", simplest_first},
    {"by_urgency", [] { return by_urgency([](Knowledge&, SentenceId) { return 1.0; }); }},
    {"by_worth",
     []() -> std::unique_ptr<InferenceControl> {
       return by_worth([](Knowledge&, SentenceId) { return 0.7; });
     }},
    {"opennars_bags", opennars_bags},
    {"ona_queue", ona_queue},
};

}  // namespace

TEST_CASE("first in, first out combines each task with all earlier tasks", "[reasoner][control]") {
  Controlled world(first_in_first_out());
  world.input("<a --> b>.");
  world.input("<b --> c>.");
  world.input("<x --> y>.");
  world.input("<c --> a>.");
  const auto chosen = world.all();
  CHECK(single_steps(chosen) == Ids{0, 1, 2, 3});
  CHECK(pairs_of(chosen) == Pairs{{1, 0}, {3, 1}, {3, 0}});
  // A later sentence is combined with the earlier ones.
  world.input("<y --> c>.");
  CHECK(unordered(pairs_of(world.all())) == Pairs{{1, 4}, {2, 4}, {3, 4}});
  CHECK(!world.control->choose(world.knowledge));
}

TEST_CASE("every control pairs all sentences that share a name, each pair once", "[reasoner][control]") {
  for (const Policy& policy : policies) {
    INFO(policy.name);
    Controlled world(policy.make());
    world.input("<a --> b>.");                          // sentence 0
    world.input("<b --> c>.");                          // 1
    world.input("<x --> y>.");                          // 2
    world.input("<a --> ?1>?");                         // 3
    world.input("<(*,a,b) --> c>.");                    // 4
    world.input("<c --> d>!");                          // 5
    world.input("<b --> a>?");                          // 6
    world.derived("<a --> c>.", 0, 1);                  // 7: shares evidence with 0 and 1
    world.derived("<<a --> b> ==> <b --> c>>.", 0, 1);  // 8: shares evidence, but may be combined
    const auto chosen = world.all();
    Ids tasks = single_steps(chosen);
    std::ranges::sort(tasks);
    CHECK(tasks == Ids{0, 1, 2, 4, 7, 8});
    CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 1}, {0, 3}, {0, 4}, {0, 6}, {0, 8}, {1, 4}, {1, 5},
                                               {1, 6}, {1, 8}, {3, 4}, {3, 7}, {3, 8}, {4, 5}, {4, 6},
                                               {4, 7}, {4, 8}, {5, 7}, {5, 8}, {6, 7}, {6, 8}, {7, 8}});
    // A belief is always a judgment.
    for (const InferenceStep& one : chosen)
      if (!one.is_single()) CHECK(world.knowledge[one.belief].is_judgment());
    CHECK(!world.control->choose(world.knowledge));
  }
}

TEST_CASE("controls return nothing without judgments", "[reasoner][control]") {
  for (const Policy& policy : policies) {
    INFO(policy.name);
    Controlled world(policy.make());
    CHECK(!world.control->choose(world.knowledge));
    world.input("<a --> ?1>?");
    CHECK(!world.control->choose(world.knowledge));
  }
}

// Compares a control that forgets with one that does not, while both get the same later inputs.
TEST_CASE("forgetting does not change the steps among kept sentences", "[reasoner][control][forgetting]") {
  Rng rng(3, "forgetting of controls");
  // The value depends only on the number of the input, which forgetting does not change.
  const auto share = [](Knowledge& knowledge, SentenceId id) {
    const auto evidence = knowledge.evidence(id);
    return evidence.empty() ? 1.0 : 1.0 / (1 + evidence[0] % 3);
  };
  const std::vector<std::function<std::unique_ptr<InferenceControl>()>> controls{
      first_in_first_out, simplest_first, [] { return random_order(7); }, [&] { return by_urgency(share); },
      [&] { return by_worth(share); }};
  for (const auto& make : controls)
    for (int round = 0; round < 30; ++round) {
      Controlled world(make()), other(make());
      int said = 0;
      const auto input_both = [&] {
        const std::string a(1, static_cast<char>('a' + rng.below(5)));
        const std::string b(1, static_cast<char>('f' + rng.below(5)));
        const std::string text =
            "<" + a + " --> (&," + b + ",k" + std::to_string(said) + ")>" + (said % 6 == 5 ? "?" : ".");
        ++said;
        world.input(text);
        other.input(text);
      };
      std::vector<bool> kept;
      for (int i = 0; i < 24; ++i) {
        input_both();
        kept.push_back(rng.below(3) != 0);
      }
      const std::size_t before = rng.below(60);
      world.all(before);
      other.all(before);
      const ForgottenIds forgotten = world.knowledge.keep_only(kept, nullptr);
      world.control->forget(forgotten);
      const auto now = [&](SentenceId id) {
        return id < kept.size() ? forgotten.sentences(id)
                                : forgotten.sentences.kept() + id - static_cast<SentenceId>(kept.size());
      };
      std::vector<InferenceStep> expected, chosen;
      for (int more = 0; more < 10; ++more) {
        input_both();
        std::size_t few = rng.below(8);
        while (few > 0) {
          const auto next = other.all(1);
          if (next.empty()) break;
          InferenceStep choice = next[0];
          choice.task = now(choice.task);
          if (!choice.is_single()) choice.belief = now(choice.belief);
          const bool was_pair = !next[0].is_single();
          if (choice.task == IdRemap::gone || (was_pair && choice.belief == IdRemap::gone)) continue;
          expected.push_back(choice);
          --few;
        }
        for (const InferenceStep& choice : world.all(expected.size() - chosen.size()))
          chosen.push_back(choice);
      }
      CHECK(single_steps(chosen) == single_steps(expected));
      CHECK(pairs_of(chosen) == pairs_of(expected));
    }
}

TEST_CASE("forgetting keeps all data of kept sentences", "[reasoner][forgetting]") {
  Controlled world(first_in_first_out());
  const SentenceId gone = world.input("<x --> y>."), weak = world.input("<a --> b>. %1;0.5%");
  const SentenceId sure = world.input("<a --> b>. %1;0.8%"), gone_too = world.input("<a --> b>. %1;0.9%");
  const SentenceId asked = world.input("<a --> ?1>?"), rule = world.input("<<$1 --> y> ==> <$1 --> b>>.");
  const SentenceId follows = world.derived("<a --> c>.", weak, gone);
  world.all();
  std::vector<bool> kept(world.knowledge.size(), true);
  kept[gone] = kept[gone_too] = false;
  narsese::Term also = world.reading.term("<p --> q>");
  const ForgottenIds forgotten = world.knowledge.keep_only(kept, &also);
  const auto now = [&](SentenceId id) { return forgotten.sentences(id); };
  const Knowledge& knowledge = world.knowledge;
  REQUIRE(knowledge.size() == 5);
  CHECK(also == world.reading.term("<p --> q>"));
  CHECK(Ids{now(gone), now(weak), now(sure), now(gone_too), now(asked), now(rule), now(follows)} ==
        Ids{IdRemap::gone, 0, 1, IdRemap::gone, 2, 3, 4});
  const narsese::Term ab = world.reading.term("<a --> b>");
  CHECK(knowledge[0].term == ab);
  CHECK(knowledge.first_belief(ab) == 1);
  CHECK(knowledge.next_belief(1) == 0);
  CHECK(knowledge.next_belief(0) == KnownSentence::none);
  CHECK(knowledge.first_belief(world.reading.term("<x --> y>")) == KnownSentence::none);
  CHECK(knowledge.find_question(world.reading.term("<a --> ?1>"), narsese::Punctuation::question) == 2);
  CHECK(knowledge[4].premises == std::array<SentenceId, 2>{0, KnownSentence::none});
  CHECK(std::ranges::equal(knowledge.evidence(4), std::vector<InputNumber>{1, 2}));
  std::set<std::string> names;
  for (NameId name = 0; name < knowledge.names(); ++name) names.insert(narsese::print(knowledge.name(name)));
  CHECK(names == std::set<std::string>{"a", "b", "c", "y"});
  std::set<std::string> of_rule;
  for (const NameId name : world.knowledge.names(3)) of_rule.insert(narsese::print(knowledge.name(name)));
  CHECK(of_rule == std::set<std::string>{"b", "y"});
  // The renamed variables of a rule still differ from the original ones.
  CHECK(world.knowledge.premise(3).renamed != world.knowledge.premise(3).term);
  // A sentence that was kept is redundant if it is added again. A forgotten sentence can be added again.
  KnownSentence again = knowledge[1];
  CHECK(world.knowledge.add(again, std::vector<InputNumber>{3}) == KnownSentence::none);
  again.truth.confidence = 0.9;
  CHECK(world.knowledge.add(again, std::vector<InputNumber>{4}) == 5);
  CHECK(knowledge.first_belief(ab) == 5);
}

TEST_CASE("random order depends only on the seed", "[reasoner][control]") {
  const auto order = [](std::uint64_t seed, const std::string& word, const std::string& predicate) {
    Controlled world(random_order(seed));
    for (int i = 0; i < 20; ++i) world.input("<" + word + std::to_string(i) + " --> " + predicate + ">.");
    return single_steps(world.all());
  };
  const Ids of_one = order(1, "a", "x");
  CHECK(of_one.size() == 20);
  CHECK(order(1, "a", "x") == of_one);
  // The order does not depend on the terms.
  CHECK(order(1, "zebra", "(/,(*,x,y),_,{z})") == of_one);
  CHECK(order(2, "a", "x") != of_one);
  CHECK(!std::ranges::is_sorted(of_one));
}

TEST_CASE("the simplest sentence comes first, the oldest among equals", "[reasoner][control]") {
  Controlled world(simplest_first());
  world.input("<(*,a,b) --> c>.");    // sentence 0: 5 nodes
  world.input("<d --> e>.");          // 1: 3 nodes
  world.input("<f --> g>.");          // 2: 3 nodes
  world.input("<{h} --> i>.");        // 3: 4 nodes
  world.input("<(*,j,k,l) --> m>.");  // 4: 6 nodes
  world.input("n.");                  // 5: 1 node
  CHECK(single_steps(world.all()) == Ids{5, 1, 2, 3, 0, 4});
}

TEST_CASE("the most urgent sentence comes first, and urgency 0 is never used", "[reasoner][control]") {
  const std::array urgencies{0.5, 0.0, 1.0, 0.2, 0.5};
  Controlled world(by_urgency([&](Knowledge&, SentenceId id) { return urgencies.at(id); }));
  for (const char* text : {"<a --> b>.", "<a --> c>.", "<a --> d>.", "<a --> e>.", "<a --> f>."})
    world.input(text);
  const auto chosen = world.all();
  CHECK(single_steps(chosen) == Ids{2, 0, 4, 3});
  // No sentence is combined with sentence 1, which has the urgency 0.
  CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 2}, {0, 3}, {0, 4}, {2, 3}, {2, 4}, {3, 4}});
}

TEST_CASE("a sentence with worth 0 is never used", "[reasoner][control]") {
  Controlled world(by_worth([](Knowledge&, SentenceId id) { return id == 1 ? 0.0 : 0.5; }));
  for (const char* text : {"<a --> b>.", "<a --> c>.", "<a --> d>."}) world.input(text);
  world.derived("<b --> c>.", 0, 1);
  world.derived("<b --> d>.", 0, 2);
  const auto chosen = world.all();
  CHECK(single_steps(chosen) == Ids{0, 2, 4});
  CHECK(unordered(pairs_of(chosen)) == Pairs{{0, 2}});
}

TEST_CASE("a conclusion has the smallest urgency of its premises", "[reasoner][control]") {
  const std::array urgencies{0.9, 0.3, 0.0, 0.5};
  Controlled world(by_urgency([&](Knowledge& knowledge, SentenceId id) {
    CHECK(knowledge[id].rule == KnownSentence::input);  // only inputs get an urgency
    return urgencies.at(id);
  }));
  world.input("<a --> b>.");          // sentence 0: urgency .9
  world.input("<b --> c>.");          // 1: urgency .3
  world.input("<c --> d>.");          // 2: urgency 0, never used
  world.input("<d --> e>.");          // 3: urgency .5
  world.derived("<a --> c>.", 0, 1);  // 4: urgency .3
  world.derived("<b --> d>.", 1, 2);  // 5: urgency 0, never used
  world.derived("<a --> e>.", 0, 3);  // 6: urgency .5
  world.derived("<a --> x>.", 6, 4);  // 7: urgency .3
  const auto chosen = single_steps(world.all());
  REQUIRE(chosen.size() == 6);
  CHECK(chosen[0] == 0);
  CHECK(std::set<SentenceId>(chosen.begin() + 1, chosen.begin() + 3) == std::set<SentenceId>{3, 6});
  CHECK(std::set<SentenceId>(chosen.begin() + 3, chosen.end()) == std::set<SentenceId>{1, 4, 7});
}

TEST_CASE("among equally urgent sentences the simplest comes first, then the oldest", "[reasoner][control]") {
  Controlled world(by_urgency([](Knowledge&, SentenceId id) { return id < 2 ? 0.9 : 0.5; }));
  world.input("<a --> b>.");
  world.input("<c --> d>.");
  // The conclusions 2 to 5 have the same premises and truth values.
  world.derived("<(*,e,f) --> g>.", 0, 1);  // 2
  world.derived("<h --> i>.", 0, 1);        // 3
  world.derived("<{j} --> k>.", 0, 1);      // 4
  world.derived("<l --> m>.", 0, 1);        // 5
  CHECK(single_steps(world.all()) == Ids{0, 1, 3, 5, 4, 2});
}

TEST_CASE("among equally urgent sentences weak conclusions come last", "[reasoner][control]") {
  Controlled world(by_urgency([](Knowledge&, SentenceId) { return 1.0; }));
  world.input("<a --> b>.");
  world.input("<c --> d>.");
  world.derived("<e --> f>. %0.1;0.9%", 0, 1);         // 2
  world.derived("<g --> h>. %1;0.9%", 0, 1);           // 3
  world.derived("<i --> j>. %1;0.9%", 0, 1, false);    // 4
  world.derived("<k --> l>. %0.4;0.9%", 0, 1, false);  // 5
  world.derived("<m --> n>?", 0, 1);                   // 6: a question has expectation 1, and needs a partner
  CHECK(single_steps(world.all()) == Ids{0, 1, 3, 2, 4, 5});
}

namespace {

// Checks on random sentences that steps come in the order of urgency, then worth.
void check_best_first(bool as_worth) {
  Rng rng(3, "control by urgency");
  std::vector<double> urgency, worth;
  const Urgency of_input = [&](Knowledge&, SentenceId id) {
    return as_worth ? worth.at(id) : urgency.at(id);
  };
  Controlled world(as_worth ? by_worth(of_input) : by_urgency(of_input));
  // One draw in each statement, because the order of evaluation within an expression is unspecified.
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
    const narsese::Sentence read = world.reading.sentence(text);
    const auto size = static_cast<double>(read.term.complexity());
    const double expected = read.asks() ? 1 : narsese::expectation(read.truth_or_default());
    if (i < 12) {
      const double share = i == 5 ? 0 : static_cast<double>(rng.below(4)) / 3;
      urgency.push_back(as_worth ? 1 : share);
      worth.push_back(as_worth ? share : 1);
      const KnownSentence sentence{.term = read.term, .truth = read.truth_or_default()};
      world.add(sentence, std::array{++world.inputs});
      continue;
    }
    const auto a = static_cast<SentenceId>(rng.below(urgency.size()));
    const auto b = static_cast<SentenceId>(rng.below(urgency.size()));
    const bool strong = rng.below(2) == 0;
    if (!world.knowledge.joint_evidence(a, b)) continue;
    const std::size_t before = world.knowledge.size();
    urgency.push_back(std::min(urgency[a], urgency[b]));
    worth.push_back(worth[a] * worth[b] * (strong ? 1 : 0.03) * expected / std::log2(1 + size));
    if (!world.try_derived(read, a, b, strong)) {
      urgency.resize(before);
      worth.resize(before);
    }
  }
  const auto chosen = world.all();
  REQUIRE(chosen.size() > 60);
  double last_urgency = 2, last_worth = 2;
  std::size_t not_the_best = 0, equal = 0, never = 0;
  for (const InferenceStep& one : chosen) {
    const double least =
        one.is_single() ? urgency[one.task] : std::min(urgency[one.task], urgency[one.belief]);
    const double product = one.is_single() ? worth[one.task] : worth[one.task] * worth[one.belief];
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

TEST_CASE("by_urgency chooses the best remaining step", "[reasoner][control]") { check_best_first(false); }

TEST_CASE("by_worth chooses the best remaining step", "[reasoner][control]") { check_best_first(true); }

TEST_CASE("reweighing changes the order of the remaining steps, and repeats none", "[reasoner][control]") {
  Rng rng(4, "reweighing");
  for (int round = 0; round < 20; ++round) {
    std::vector<double> worth, later;
    for (int i = 0; i < 30; ++i) {
      worth.push_back(static_cast<double>(1 + rng.below(4)) / 4);
      later.push_back(static_cast<double>(1 + rng.below(4)) / 4);
    }
    const auto tell = [&](Controlled& world) {
      for (int i = 0; i < 30; ++i)
        world.input("<a" + std::to_string(i % 7) + " --> (&,b" + std::to_string(i % 3) + ",c" +
                    std::to_string(i) + ")>.");
    };
    auto made = by_worth([&](Knowledge&, SentenceId id) { return worth[id]; });
    WorthControl& control = *made;
    Controlled world(std::move(made)), same(by_worth([&](Knowledge&, SentenceId id) { return worth[id]; }));
    tell(world);
    tell(same);
    const std::size_t before = rng.below(150);
    std::vector<InferenceStep> first = world.all(before);
    control.reweigh([&](SentenceId id, double was) {
      CHECK(was == worth[id]);
      return later[id];
    });
    const std::vector<InferenceStep> rest = world.all();
    double last = 2;
    for (const InferenceStep& one : rest) {
      const double product = one.is_single() ? later[one.task] : later[one.task] * later[one.belief];
      // A sentence waits for its first turn with its own worth, so only the order of pairs is checked.
      if (!one.is_single()) CHECK(product <= last * (1 + 1e-12));
      if (!one.is_single()) last = product;
    }
    first.insert(first.end(), rest.begin(), rest.end());
    const auto all = same.all();
    CHECK(unordered(pairs_of(first)) == unordered(pairs_of(all)));
    auto one = single_steps(first), other = single_steps(all);
    std::ranges::sort(one);
    std::ranges::sort(other);
    CHECK(one == other);
  }
}

TEST_CASE("bags visit a concept with higher priority more often", "[reasoner][control]") {
  Controlled world(opennars_bags());
  // The concept `hot` gets inputs. The concept `cold` gets conclusions, which have a lower priority.
  const SentenceId x = world.input("<p --> q>."), y = world.input("<q --> r>.");
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    KnownSentence sentence;
    sentence.term = world.reading.term("<cold --> c" + n + ">");
    sentence.rule = 0;
    sentence.premises = {x, y};
    world.add(sentence, std::array{static_cast<InputNumber>(1000 + i)});
    world.input("<hot --> h" + n + ">.");
  }
  // Whether the term of a sentence contains a name.
  const auto names = [&](SentenceId id, const char* name) {
    return narsese::print(world.knowledge[id].term).find(name) != std::string::npos;
  };
  int of_hot = 0, of_cold = 0;
  for (const InferenceStep& one : world.all(400)) {
    if (one.is_single()) continue;
    of_hot += names(one.task, "hot");
    of_cold += names(one.task, "cold");
  }
  INFO(of_hot << " and " << of_cold);
  CHECK(of_cold > 0);
  CHECK(of_hot > 2 * of_cold);
}

TEST_CASE("ONA's queue holds 40 events and uses each once", "[reasoner][control]") {
  Controlled world(ona_queue());
  // Judgments without a common name give only single steps.
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    world.input("<a" + n + " --> b" + n + ">.");
  }
  Ids tasks = single_steps(world.all());
  CHECK(tasks.size() == 40);
  CHECK(std::set<SentenceId>(tasks.begin(), tasks.end()).size() == 40);
  // The queue is empty, so it has room for a new event.
  const SentenceId later = world.input("<c --> d>.");
  CHECK(single_steps(world.all()) == Ids{later});
}

TEST_CASE("ONA's queue keeps the events with the highest priority", "[reasoner][control]") {
  Controlled world(ona_queue());
  // A conclusion with a low expectation has a lower priority than an input.
  const SentenceId x = world.input("<p --> q>."), y = world.input("<r --> s>.");
  Ids inputs{x, y}, doubtful;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    doubtful.push_back(world.derived("<a" + n + " --> b" + n + ">. %0.5;0.5%", x, y));
    if (i % 3 == 0) inputs.push_back(world.input("<c" + n + " --> d" + n + ">."));
  }
  const Ids tasks = single_steps(world.all());
  REQUIRE(tasks.size() == 40);
  // The tasks begin with all 22 inputs.
  CHECK(std::set<SentenceId>(tasks.begin(), tasks.begin() + 22) ==
        std::set<SentenceId>(inputs.begin(), inputs.end()));
}

TEST_CASE("ONA's queue combines a task with at most 80 beliefs", "[reasoner][control]") {
  Controlled world(ona_queue());
  for (int i = 0; i < 30; ++i) world.input("<a --> b" + std::to_string(i) + ">.");
  world.all();
  for (int round = 1; round < 4; ++round) {
    for (int i = 0; i < 30; ++i) world.input("<a --> c" + std::to_string(100 * round + i) + ">.");
    world.all();
  }
  const SentenceId last = world.input("<a --> last>.");
  std::size_t pairs = 0;
  for (const InferenceStep& one : world.all()) pairs += !one.is_single() && one.task == last;
  // The task itself may be one of the 80 beliefs.
  CHECK(pairs <= 80);
  CHECK(pairs >= 79);
}

}  // namespace engram::core::control_tests
