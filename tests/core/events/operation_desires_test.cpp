// SPDX-License-Identifier: MIT
#include "core/events/operation_desires.hpp"

#include <cmath>
#include <map>
#include <string>

#include "core/numbers/random.hpp"
#include "core/session/session.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::core;

namespace {

struct Desires {
  std::vector<OperationDesire> of(const std::string& goal, OperationDesireOptions options = {}) {
    return operation_desires(session.index(), *narsese::parse_term(goal, session.mutable_memory().terms()),
                             options);
  }
  std::string names(const std::string& goal) {
    std::string all;
    for (const OperationDesire& each : of(goal)) all += narsese::print(each.operation);
    return all;
  }
  void say(const std::string& lines) { REQUIRE(session.input(lines).rejected.empty()); }

  Session session;
};

// A second implementation of NAL's truth functions, with pairs of frequency and confidence.
using Truth = std::pair<double, double>;
Truth deduced(Truth a, Truth b) { return {a.first * b.first, a.first * b.first * a.second * b.second}; }
Truth desired(Truth goal, Truth by) {
  const Truth met = deduced(goal, by), other = deduced({1 - goal.first, goal.second}, by);
  return met.second >= other.second ? met : Truth{1 - other.first, other.second};
}

}  // namespace

TEST_CASE("the desire of an operation equals ONA's", "[events]") {
  Desires desires;
  desires.say("<(a &/ ^left) =/> g>. %1.0;0.241351%\na. :|:\n1");
  // ONA's projection loses a fifth of the confidence each cycle, so the time constant is 1 / ln 1.25. ONA prints a
  // decision expectation of 0.578198.
  const double a_fifth = 1 / std::log(1.25);
  const auto age = static_cast<double>(desires.session.memory().now()) -
                   static_cast<double>(desires.session.memory().statements()[1].updated);
  CHECK(age == 1);
  const auto as_ona = desires.of("g", {.eligibility = a_fifth * age});
  REQUIRE(as_ona.size() == 1);
  CHECK(as_ona[0].budget.priority == Approx(0.578198).margin(2e-6));
  CHECK(narsese::print(as_ona[0].operation) == "^left");
  CHECK(as_ona[0].budget.durability == Approx(0.241351));
  CHECK(as_ona[0].because == 0);
}

TEST_CASE("only implications whose events have happened count, the best one for each operation", "[events]") {
  Desires desires;
  desires.say(
      "<(&/,<a --> [on]>,+3,<({SELF} * x) --> ^go>) =/> <d --> [open]>>. %1.0;0.5%\n"
      "<(&/,b,^go) =/> <d --> [open]>>. %1.0;0.9%\n"
      "<((b &/ c) &/ ^stop) =/> <d --> [open]>>. %0.1;0.9%\n"
      "<^push =/> <d --> [open]>>. %1.0;0.3%\n"
      "<(b &/ ^push) =/> <d --> [shut]>>. %1.0;0.9%\n<(b &/ c) =/> <d --> [open]>>.\n"
      "<(<$1 --> [on]> &/ ^left) =/> <d --> [open]>>.\n<(b &/ ^right) =/> <d --> [open]>>?");
  CHECK(desires.names("<d --> [open]>") == "^push");  // no event has happened
  desires.say("<a --> [on]>. :|:");
  CHECK(desires.names("<d --> [open]>") == "^go^push");
  CHECK(desires.of("<d --> [open]>")[0].because == 0);
  desires.say("b. :|:");
  CHECK(desires.of("<d --> [open]>")[0].because == 1);
  desires.say("c.");
  CHECK(desires.names("<d --> [open]>") == "^go^push^stop");
  CHECK(desires.of("<d --> [open]>", {.most = 2}).size() == 2);
  CHECK(desires.of("<d --> [open]>")[2].budget.priority < 0.5);
  desires.say("c. :/:");  // an event in the future does not count
  CHECK(desires.names("<d --> [open]>") == "^go^push");
  CHECK(desires.names("unknown").empty());
  CHECK(desires.names("?1").empty());
}

TEST_CASE("operation_desires equals a direct search", "[events]") {
  Rng rng(11, "desires");
  for (int trial = 0; trial < 30; ++trial) {
    Desires desires;
    struct Rule {
      std::vector<int> events;
      int operation, goal;
      Truth truth;
    };
    std::vector<Rule> rules;
    std::map<int, std::pair<Truth, double>> happened;  // the truth value and the time of each event
    std::map<std::string, std::size_t> known;
    for (int step = 0; step < 80; ++step) {
      const Truth truth{0.01 * static_cast<double>(rng.below(101)),
                        0.01 * static_cast<double>(1 + rng.below(98))};
      const std::string written =
          " %" + std::to_string(truth.first) + ";" + std::to_string(truth.second) + "%";
      if (rng.below(3) > 0) {
        const int event = static_cast<int>(rng.below(6));
        desires.say("e" + std::to_string(event) + ". :|:" + written);
        happened[event] = {truth, static_cast<double>(desires.session.memory().now())};
        continue;
      }
      Rule rule{{}, static_cast<int>(rng.below(4)), static_cast<int>(rng.below(3)), truth};
      std::string left;
      for (std::uint64_t i = rng.below(3); i-- > 0;) {
        rule.events.push_back(static_cast<int>(rng.below(6)));
        left += "e" + std::to_string(rule.events.back()) + ",";
      }
      const std::string op = "^o" + std::to_string(rule.operation);
      const std::string term =
          "<" + (left.empty() ? op : "(&/," + left + op + ")") + " =/> g" + std::to_string(rule.goal) + ">";
      if (known.contains(term)) continue;  // input of a known term would revise it
      known[term] = rules.size();
      rules.push_back(rule);
      desires.say(term + "." + written);
    }
    const double now = static_cast<double>(desires.session.memory().now());
    for (int goal = 0; goal < 3; ++goal) {
      std::map<std::string, double> best;
      for (const Rule& rule : rules) {
        if (rule.goal != goal) continue;
        Truth all{1, 1};
        bool known_all = true;
        for (const int event : rule.events) {
          const auto found = happened.find(event);
          if (found == happened.end()) {
            known_all = false;
            break;
          }
          const auto& [truth, when] = found->second;
          all = {all.first * truth.first, all.second * truth.second * std::exp(-(now - when) / 7)};
        }
        if (!known_all) continue;
        const Truth of = desired(desired({1, 0.8}, rule.truth), all);
        const double expected = of.second * (of.first - 0.5) + 0.5;
        const auto [place, is_new] = best.try_emplace("^o" + std::to_string(rule.operation), expected);
        place->second = std::max(place->second, expected);
      }
      const auto found = desires.of("g" + std::to_string(goal), {.desire = {1, 0.8}, .eligibility = 7});
      REQUIRE(found.size() == best.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].budget.priority == Approx(best.at(narsese::print(found[i].operation))).epsilon(1e-9));
        if (i > 0) CHECK(found[i - 1].budget.priority >= found[i].budget.priority);
      }
    }
  }
}
