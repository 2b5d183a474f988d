// SPDX-License-Identifier: MIT
#include "core/walks/bidirectional_spreading.hpp"
#include "core/budgets/budget_allocator.hpp"
#include "core/numbers/ranking.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::string composed = "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> t>>.";

Joints joints_of(const MemoryIndex& memory) {
  std::vector<RulePattern> rules;
  for (const StatementId e : memory.rules()) add_rule_patterns(e, memory.statement_term(e), rules);
  return Joints(rules);
}

Vector path_scores(Memory& memory, const std::string& question, const BidirectionalOptions& options = {}) {
  const MemoryIndex readings(memory);
  return spread_from_both_ends(readings, cue_for(memory, term(memory, question)), joints_of(readings),
                               options);
}

// Reference implementation by recursion, for facts (from * to) --> relation and rules that compose relations.
struct PathOracle {
  struct Fact {
    std::array<std::string, 3> names;  // from, to, relation
    double expectation = 0;
  };
  std::vector<Fact> facts;
  std::map<std::string, double> mentions;  // statements and rules that mention each name
  BidirectionalOptions options;

  double shared(const std::string& name, bool joined) const {
    if (!options.inverse_frequency) return joined ? 1.0 : options.other_joints;
    return joined ? std::min(1.0, options.fan / mentions.at(name)) : options.other_joints / mentions.at(name);
  }
  // The strength F_k(e, o) with which k steps from an end reach name o of statement e. `place` is the end's position in
  // the question.
  double conducts(std::size_t e) const { return options.belief ? facts[e].expectation : 1.0; }
  double reached(int k, std::size_t e, std::size_t o, const std::string& end, std::size_t place) const {
    const std::string& here = facts[e].names[o];
    if (k == 0) return here == end ? shared(end, o == place) * conducts(e) : 0.0;
    double total = 0;
    for (std::size_t f = 0; f < facts.size(); ++f)
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q) {
          if (f == e || p == q || facts[f].names[q] != here) continue;
          const bool joined = (q == 1 && o == 0) || (q == 0 && o == 1);
          total += reached(k - 1, f, p, end, place) * shared(here, joined) * conducts(e);
        }
    return total;
  }
  double score(std::size_t e, const std::string& from, const std::string& to) const {
    double total = 0;
    for (int i = 0; i < options.steps; ++i)
      for (int j = 0; i + j < options.steps; ++j)
        for (std::size_t o = 0; o < 3; ++o)
          for (std::size_t p = 0; p < 3; ++p)
            if (o != p)
              total += std::pow(options.decay, i + j) * reached(i, e, o, from, 0) * reached(j, e, p, to, 1);
    return total;
  }
};

TEST_CASE("scores of a path of two statements, worked by hand", "[bidirectional]") {
  Memory memory = told({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(x * b) --> s>.", composed});
  BidirectionalOptions options;
  options.other_joints = 0;  // the path uses only joints of rules
  const Vector scores = path_scores(memory, "<(a * c) --> ?1>", options);
  // The decay of one step is 0.1, and 0.95 is the expectation of a default truth value. A statement has the strength
  // 0.95 from its own end, and 0.95 * 0.95 from the other end, through the other statement.
  const double expected = 0.1 * 0.95 * 0.95 * 0.95;
  CHECK(std::abs(scores[0] - expected) < 1e-16);
  CHECK(std::abs(scores[1] - expected) < 1e-16);
  CHECK(scores[2] == 0);
  CHECK(scores[3] == 0);  // paths do not contain rules
  // The relation of the question is not an end, because it would reach all statements about it.
  CHECK(path_scores(memory, "<(a * c) --> s>", options) == scores);
  // No rule joins the ends of the reversed question.
  CHECK(path_scores(memory, "<(c * a) --> ?1>", options).isZero(0));
  CHECK(path_scores(memory, "<(c * a) --> ?1>")[0] < 0.1 * expected);
}

TEST_CASE("path scores match a recursive implementation in random worlds", "[bidirectional]") {
  std::size_t compared = 0;
  for (std::uint64_t trial = 0; trial < 28; ++trial) {
    Rng rng(5, "paths", trial);
    PathOracle oracle;
    oracle.options.inverse_frequency = trial < 20 || trial >= 24;
    oracle.options.belief = trial < 24;
    oracle.options.steps = 4;
    oracle.options.fan = 2;
    oracle.options.threshold = 1e-300;
    oracle.options.decay = 0.3;
    Memory memory = told({composed});
    for (const char* name : {"r", "s", "t"}) oracle.mentions[name] = 1;
    for (int i = 0; i < 8; ++i) {
      const std::string from = "p" + std::to_string(rng.below(5)), to = "q" + std::to_string(rng.below(5));
      const std::string relation(1, "rst"[rng.below(3)]);
      const bool turned = rng.below(2) == 0, denied = rng.below(4) == 0;
      const std::string x = turned ? to : from, y = turned ? from : to;
      const std::string fact = "<(" + x + " * " + y + ") --> " + relation + ">";
      const bool known = std::ranges::any_of(oracle.facts, [&](const auto& other) {
        return other.names == std::array{x, y, relation};
      });
      if (known) continue;  // a repeated statement would be revised
      say(memory, fact + (denied ? ". %0.0;0.9%" : "."));
      oracle.facts.push_back({{x, y, relation}, denied ? 0.05 : 0.95});
      for (const std::string& name : {x, y, relation}) ++oracle.mentions[name];
    }
    const std::string from = oracle.facts.front().names[0], to = oracle.facts.back().names[1];
    if (from == to) continue;
    const Vector scores = path_scores(memory, "<(" + from + " * " + to + ") --> ?1>", oracle.options);
    CHECK(scores[0] == 0);
    double all = 0;
    for (std::size_t e = 0; e < oracle.facts.size(); ++e) all += oracle.score(e, from, to);
    if (all == 0) continue;  // no path joins the ends, so they are scored separately
    for (std::size_t e = 0; e < oracle.facts.size(); ++e, ++compared) {
      const double expected = oracle.score(e, from, to);
      CHECK(std::abs(scores[static_cast<Index>(e) + 1] - expected) <= 1e-13 * all);
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("a hub with more statements than visits left is skipped", "[bidirectional]") {
  constexpr Index statements = 100'000;
  Memory memory = told({composed, "<(a * hub) --> r>."});
  for (Index i = 0; i < statements; ++i) say(memory, "<(hub * x" + std::to_string(i) + ") --> r>.");
  const StatementId last = say(memory, "<(x7 * b) --> s>.");
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, term(memory, "<(a * b) --> ?1>"));
  const auto reached = [&](std::size_t visits, double fan) {
    const BidirectionalOptions options{.fan = fan, .visits = visits};
    return spread_from_both_ends(readings, cue, joints_of(readings), options);
  };
  // Statements of the hub that do not lead to b are not between the ends, so only three statements get a score.
  const Vector all = reached(1'000'000, 1e6);
  CHECK((all.array() > 0).count() == 3);
  CHECK(all[1] > 0);
  CHECK(all[2 + 7] > 0);
  CHECK(all[last] > 0);
  // With visits for b's side only, the ends do not meet, and each end scores its neighbourhood.
  const Vector few = reached(1000, 1e6);
  CHECK((few.array() > 0).count() == 3);
  CHECK(few[1] > all[1]);  // this score is not multiplied by the strength from the other end
  // Three more statements mention the hub, so these visits are too few.
  CHECK(few == reached(static_cast<std::size_t>(statements), 1e6));
  // If a hub is an end, all its statements are near it, and statements on the path are nearer.
  const Cue at_hub = cue_for(memory, term(memory, "<(hub * b) --> ?1>"));
  const Recall recall = recalled("bidirectional_spreading", {}, readings, at_hub);
  const auto best = rank(recall.statements, 3);
  CHECK(std::ranges::find(best, StatementId{2 + 7}) != best.end());
  CHECK(std::ranges::find(best, last) != best.end());
}

TEST_CASE("a wave takes the strongest passages first", "[bidirectional]") {
  std::vector<std::string> said{"<(a * strong) --> r>.", "<(a * weak) --> r>. %1.0;0.2%"};
  for (const std::string hub : {"weak", "strong"})
    for (int i = 0; i < 8; ++i) said.push_back("<(" + hub + " * " + hub + std::to_string(i) + ") --> s>.");
  Memory memory = told(said);
  BidirectionalOptions options{.steps = 2};
  const auto reached = [&](std::size_t visits) {
    options.visits = visits;
    const MemoryIndex readings(memory);
    const Vector scores =
        spread_from_both_ends(readings, cue_for(memory, term(memory, "a")), joints_of(readings), options);
    return std::array{(scores.segment(2, 8).array() > 0).count(),
                      (scores.segment(10, 8).array() > 0).count()};
  };
  CHECK(reached(100) == std::array<Index, 2>{8, 8});
  // Each name is in nine statements, so 17 visits suffice for the stronger name only.
  CHECK(reached(17) == std::array<Index, 2>{0, 8});
  CHECK(reached(8) == std::array<Index, 2>{0, 0});
}

TEST_CASE("joints follow from shared variables, also through chains of rules", "[bidirectional]") {
  Memory memory = told({composed});
  const auto places = leaves(term(memory, "<(a * b) --> r>"));
  const Position first = places[0].position, second = places[1].position, relation = places[2].position;
  const Joints plain = joints_of(MemoryIndex(memory));
  CHECK(plain.joined(first, second));
  CHECK(plain.joined(second, first));
  CHECK_FALSE(plain.joined(first, first));
  CHECK_FALSE(plain.joined(second, second));
  CHECK_FALSE(plain.joined(relation, relation));
  CHECK(plain.carried(first, first));
  CHECK_FALSE(plain.carried(first, second));
  CHECK(plain.is_open(first));
  CHECK_FALSE(plain.is_open(relation));
  CHECK_FALSE(plain.empty());
  // Swaps the names of a pair, and thereby every joint.
  say(memory, "<<($1 * $2) --> r> ==> <($2 * $1) --> s>>.");
  const Joints turned = joints_of(MemoryIndex(memory));
  CHECK(turned.carried(first, second));
  CHECK(turned.joined(first, first));
  CHECK(turned.joined(second, second));
  CHECK(Joints({}).empty());
  // A rule that rotates three places by one, used twice, rotates them by two.
  Memory round = told({"<<($1 * $2 * $3) --> r> ==> <($2 * $3 * $1) --> r>>."});
  const auto three = leaves(term(round, "<(a * b * c) --> r>"));
  const Joints moved = joints_of(MemoryIndex(round));
  CHECK(moved.carried(three[0].position, three[1].position));
  CHECK(moved.carried(three[0].position, three[2].position));
}

TEST_CASE("the best twelve statements of thirty families contain all three that a grandparent needs",
          "[bidirectional]") {
  for (const int families : {1, 30}) {
    Memory memory;
    std::vector<StatementId> rules;
    for (const std::string a : {"father", "mother"})
      for (const std::string b : {"father", "mother"})
        rules.push_back(say(memory, "<(<($1 * #2) --> " + a + "> && <(#2 * $3) --> " + b +
                                        ">) ==> <($1 * $3) --> grand" + a + ">>."));
    std::vector<std::array<StatementId, 2>> paths;  // paths through the father's father
    for (int f = 0; f < families; ++f) {
      const auto person = [&](int k) { return "p" + std::to_string(7 * f + k); };
      const auto parent = [&](int a, int b, const char* relation) {
        return say(memory, "<(" + person(a) + " * " + person(b) + ") --> " + relation + ">.");
      };
      const StatementId father = parent(1, 0, "father"), grandfather = parent(3, 1, "father");
      parent(2, 0, "mother");
      parent(4, 1, "mother");
      parent(5, 2, "father");
      parent(6, 2, "mother");
      paths.push_back({father, grandfather});
    }
    const MemoryIndex readings(memory);
    for (std::size_t f = 0; f < paths.size(); ++f) {
      const std::string pair = "p" + std::to_string(7 * f + 3) + " * p" + std::to_string(7 * f);
      const Cue cue = cue_for(memory, term(memory, "<(" + pair + ") --> ?1>"));
      const auto best = rank(recalled("bidirectional_spreading", {}, readings, cue).statements, 12);
      REQUIRE(best.size() >= 3);
      for (const StatementId needed : {paths[f][0], paths[f][1], rules[0]})
        CHECK(std::ranges::find(best.begin(), best.begin() + 3, needed) != best.begin() + 3);
    }
  }
}

TEST_CASE("a question that only a rule concludes is spread from the rule's premises", "[bidirectional]") {
  Memory memory = told({"<(<($1 * #2) --> eats> && <#2 --> mammal>) ==> <$1 --> hunter>>.",
                        "<(<($1 * #2) --> eats> && <#2 --> plant>) ==> <$1 --> grazer>>.",
                        "<mouse --> mammal>.", "<(owl * mouse) --> eats>.", "<(horse * grass) --> eats>.",
                        "<grass --> plant>.", "<wolf --> mammal>."});
  const MemoryIndex readings(memory);
  const auto best_of = [&](const std::string& question, const Options& options) {
    auto best =
        rank(recalled("bidirectional_spreading", options, readings, cue_for(memory, term(memory, question)))
                 .statements,
             3);
    std::ranges::sort(best);
    return best;
  };
  CHECK(best_of("<?1 --> hunter>", {}) == std::vector<StatementId>{0, 2, 3});
  CHECK(best_of("<?1 --> grazer>", {}) == std::vector<StatementId>{1, 4, 5});
  CHECK(best_of("<?1 --> hunter>", {{"unification", "no"}}) == std::vector<StatementId>{0});
}

TEST_CASE("the form of a question determines the direction of paths", "[bidirectional]") {
  Memory memory =
      told({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(c * d) --> r>.", "<(d * a) --> s>.", composed});
  const MemoryIndex readings(memory);
  const auto first_of = [&](const std::string& question, bool words) {
    const Cue cue = cue_for(memory, term(memory, question));
    const Vector scores =
        recalled("bidirectional_spreading", {{"words", words ? "yes" : "no"}}, readings, cue).statements;
    return std::array{scores[0] + scores[1], scores[2] + scores[3]};
  };
  const auto there = first_of("<(a * c) --> ?1>", true), back = first_of("<(c * a) --> ?1>", true);
  CHECK(there[0] > 1.5 * there[1]);
  CHECK(back[1] > 1.5 * back[0]);
  CHECK(first_of("<(a * c) --> ?1>", false) == first_of("<(c * a) --> ?1>", false));
}

TEST_CASE("implications without variables are statements on a path, not rules", "[bidirectional]") {
  Memory memory = told({"<a =/> b>.", "<b =/> c>.", "<(&/, c, ^go) =/> d>.", "<d =/> e>.", "<b =/> x>.",
                        "<y =/> d>.", "<x =/> z>.", "<<$1 --> m> ==> <$1 --> n>>."});
  const MemoryIndex readings(memory);
  CHECK(readings.rules() == std::vector<StatementId>{7});
  const Cue cue = cue_for(memory, term(memory, "<a =/> e>"));
  auto best = rank(recalled("bidirectional_spreading", {}, readings, cue).statements, 4);
  std::ranges::sort(best);
  CHECK(best == std::vector<StatementId>{0, 1, 2, 3});
}

TEST_CASE("an operator is not an end among other names, and does not join events", "[bidirectional]") {
  Memory memory = told({"<(&/, a, ^o) =/> b>.", "<(&/, b, ^o) =/> c>.", "<(&/, x, ^o) =/> y>."});
  BidirectionalOptions options{.steps = 2};
  // The path from a to c leads through b. A second path leads through ^o, which is in three statements and does not
  // join events, so it counts 0.1 / 3.
  const double expected = 0.1 * 0.95 * 0.95 * 0.95 * (1 + 0.1 / 3);
  const Vector scores = path_scores(memory, "<(&/, a, ^o) =/> c>", options);
  CHECK(std::abs(scores[0] - expected) < 1e-16);
  CHECK(std::abs(scores[1] - expected) < 1e-16);
  CHECK(scores[2] == 0);
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, term(memory, "<(&/, a, ^o) =/> c>"));
  double by_b = 0, by_o = 0;
  for (const Meeting& meeting : meetings_at(readings, cue, joints_of(readings), options, 1)) {
    REQUIRE(meeting.path.size() == 5);
    const auto through = readings.term(meeting.path[2]);
    (through == term(memory, "b") ? by_b : by_o) += meeting.amount;
  }
  CHECK(std::abs(by_b + by_o - expected) < 1e-16);
  CHECK(std::abs(by_o - by_b * 0.1 / 3) < 1e-16);
  // If the question has only one other name, the operator is the second end.
  Memory done = told({"<(&/, a, ^p) =/> b>.", "<(&/, a, ^o) =/> c>.", "<(&/, x, ^o) =/> d>."});
  options.steps = 1;
  const Vector of_one = path_scores(done, "<(&/, a, ^o) =/> ?1>", options);
  CHECK(of_one[0] == 0);
  CHECK(of_one[1] > 0);
  CHECK(of_one[2] == 0);
}

TEST_CASE("a question about events finds its chain although all events share an operation",
          "[bidirectional]") {
  std::vector<std::string> said;
  for (int g = 0; g < 20; ++g) {
    const auto event = [&](int k) { return "e" + std::to_string(6 * g + k); };
    for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {3, 4}})
      said.push_back("<" + event(from) + " =/> " + event(to) + ">.");
    said.push_back("<(&/, " + event(2) + ", ^o) =/> " + event(3) + ">.");
    said.push_back("<(&/, " + event(0) + ", ^o) =/> " + event(5) + ">.");  // a statement that leads nowhere
  }
  Memory memory = told(said);
  const MemoryIndex readings(memory);
  for (const std::uint32_t g : {0U, 7U, 19U}) {
    const std::string from = "e" + std::to_string(6 * g), to = "e" + std::to_string(6 * g + 4);
    const Cue cue = cue_for(memory, term(memory, "<(&/, " + from + ", ^o) =/> " + to + ">"));
    auto best = rank(recalled("bidirectional_spreading", {}, readings, cue).statements, 4);
    std::ranges::sort(best);
    CHECK(best == std::vector<StatementId>{5 * g, 5 * g + 1, 5 * g + 2, 5 * g + 3});
  }
}

TEST_CASE("edge cases: disconnected ends, a single end, only rules, an empty memory", "[bidirectional]") {
  Memory memory = told({"<(a * b) --> r>.", "<(b * c) --> r>.", "<(x * y) --> r>."});
  const BidirectionalOptions options{.steps = 1};
  const Vector apart = path_scores(memory, "<(a * y) --> ?1>", options);
  CHECK(apart[0] > 0);
  CHECK(apart[2] > 0);
  CHECK(apart[1] == 0);
  const Vector alone = path_scores(memory, "a");
  CHECK(alone[0] > alone[1]);
  CHECK(alone[1] > 0);
  Memory only_rules = told({composed});
  const MemoryIndex of_rules(only_rules);
  const auto recall = recalled("bidirectional_spreading", {}, of_rules,
                               cue_for(only_rules, term(only_rules, "<(a * b) --> t>")));
  CHECK(recall.statements.whole().allFinite());
  Memory empty;
  CHECK(recalled("bidirectional_spreading", {}, MemoryIndex(empty), Cue(Vector())).statements.size() == 0);
}

// Random facts about pairs with some hubs. With `rules`, a rule joins the pairs.
Memory some_world(Rng& rng, int facts, bool rules) {
  Memory memory = told({"<(p7 * p8) --> r0>.", "<(p20 * p21) --> r1>."});
  if (rules) say(memory, "<(<($1 * #2) --> r0> && <(#2 * $3) --> r1>) ==> <($1 * $3) --> r2>>.");
  for (int i = 0; i < facts; ++i) {
    const auto name = [&] { return "p" + std::to_string(rng.below(rng.below(4) == 0 ? 3 : 60)); };
    const std::string relation = "r" + std::to_string(rng.below(3));
    const std::string pair = rng.below(5) == 0 ? "{" + name() + "} --> " + name()
                                               : "(" + name() + " * " + name() + ") --> " + relation;
    say(memory, "<" + pair + (rng.below(6) == 0 ? ">. %0.1;0.8%" : ">."));
  }
  return memory;
}

// Statements at most `steps` statements away from a statement that mentions an end.
std::set<StatementId> reached(const MemoryIndex& memory, const std::vector<QuestionEnd>& ends,
                              std::size_t steps) {
  std::set<StatementId> found;
  const auto is_fact = [&](StatementId e) { return std::ranges::count(memory.rules(), e) == 0; };
  for (const QuestionEnd& end : ends)
    for (const StatementId e : memory.mentions(end.id))
      if (is_fact(e)) found.insert(e);
  for (; steps > 0; --steps)
    for (const StatementId e : std::set<StatementId>(found))
      for (const ConceptId id : memory.episode(e))
        for (const StatementId next : memory.mentions(id))
          if (is_fact(next)) found.insert(next);
  return found;
}

bool same(const Pulse& a, const Pulse& b) {
  return a.statement == b.statement && a.occurrence == b.occurrence && a.strength == b.strength;
}

TEST_CASE("surroundings are the statements within each radius, until they are too many", "[pulse_waves]") {
  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    Rng rng(3, "surroundings", trial);
    Memory memory = some_world(rng, 150, trial % 2 == 0);
    const MemoryIndex readings(memory);
    const std::vector<QuestionEnd> ends{{concept_of(memory, "p7"), {}}, {concept_of(memory, "p20"), {}}};
    const Surroundings found(readings, ends, 2);
    REQUIRE(found.radii() > 0);
    CHECK(found.radii() <= 3);
    for (std::size_t r = 0; r < found.radii(); ++r) {
      const std::set<StatementId> expected = reached(readings, ends, r);
      for (StatementId e = 0; e < readings.statements(); ++e)
        CHECK(found.has_statement(e, r) == expected.contains(e));
      std::set<ConceptId> names;
      for (const StatementId e : expected)
        for (const Occurrence& occurrence : readings.occurrences().of_statement(e))
          names.insert(occurrence.id);
      for (ConceptId id = 0; id < readings.concepts(); ++id)
        CHECK(found.has_name(id, r) == names.contains(id));
    }
    if (found.radii() == 3) continue;
    // The next step would go through names with too many mentions.
    std::set<ConceptId> through{ends[0].id, ends[1].id};
    for (const StatementId e : reached(readings, ends, found.radii() - 1))
      for (const Occurrence& occurrence : readings.occurrences().of_statement(e))
        through.insert(occurrence.id);
    std::size_t mentions = 0;
    for (const ConceptId id : through) mentions += readings.occurrences().count_of(id);
    CHECK(4 * mentions >= static_cast<std::size_t>(readings.statements()));
  }
}

TEST_CASE("limited waves have the bits of unlimited ones wherever the destination is in reach",
          "[pulse_waves]") {
  std::size_t compared = 0, left_out = 0;
  for (std::uint64_t trial = 0; trial < 24; ++trial) {
    Rng rng(4, "narrow waves", trial);
    Memory memory = some_world(rng, 200, trial % 3 != 0);
    const MemoryIndex readings(memory);
    const Joints joints = joints_of(readings);
    BidirectionalOptions options{
        .steps = 5, .fan = 4, .inverse_frequency = trial % 4 != 0, .belief = trial % 5 != 0};
    const QuestionEnd from{concept_of(memory, "p7"), {}}, to{concept_of(memory, "p20"), {}};
    const Surroundings destination(readings, std::vector{to}, 4);
    PulseWaves waves(readings, joints, options);
    const auto everywhere = waves.from(from), narrow = waves.from(from, &destination);
    for (std::size_t k = 0; k < everywhere.size(); ++k) {
      const std::size_t further = static_cast<std::size_t>(options.steps) - 1 - k;
      Wave expected = everywhere[k];
      if (k > 0 && further < destination.radii())
        std::erase_if(expected, [&](const Pulse& pulse) {
          return !destination.has_statement(pulse.statement, further);
        });
      left_out += everywhere[k].size() - expected.size();
      if (k >= narrow.size()) {
        CHECK(expected.empty());
        continue;
      }
      compared += expected.size();
      CHECK(std::ranges::equal(narrow[k], expected, same));
    }
  }
  CHECK(compared > 1000);
  CHECK(left_out > 1000);
}

}  // namespace
}  // namespace engram::core
