// SPDX-License-Identifier: MIT
// Tests of the optional fields of `allocate`: the previous budget as prior, the concepts that may hold a budget, the
// selection rule, and the log of transfers.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

using nlohmann::json;

class Zoo {
 public:
  explicit Zoo(core::MemoryOptions memory = {}) : protocol_(memory, {}) {
    ask({{"op", "input"},
         {"narsese",
          "<tim --> cat>. %1.0;0.91%\n<tom --> cat>. %0.2;0.72%\n<rex --> dog>. %1.0;0.83%\n"
          "<(*,tim,tom) --> friend>. %1.0;0.37%\n<(*,{rex},tim) --> chases>. %1.0;0.48%\n"
          "<(*,tim,rex) --> ^fetch>! %1.0;0.61%"}});
  }
  json ask(const json& request) { return json::parse(protocol_.handle(request.dump())); }
  json allocate(json fields) {
    // Default method of these tests, because it gives every concept a score.
    fields.emplace("method", "attention");
    const json reply = ask(completed(fields));
    INFO(reply.dump());
    REQUIRE(reply.at("ok") == true);
    return reply.at("result");
  }
  std::string error(const json& fields) { return error_in(ask(completed(fields))); }

 private:
  static json completed(json fields) {
    fields.update({{"op", "allocate"}});
    fields.emplace("cue", "<tim --> ?1>?");
    fields.emplace("of", "concepts");
    fields.emplace("capacity", 100);
    return fields;
  }

  Protocol protocol_;
};

std::map<std::string, double> shares_in(const json& result) {
  std::map<std::string, double> shares;
  double total = 0;
  for (const json& each : result.at("budgets")) total += each.at("priority").get<double>();
  for (const json& each : result.at("budgets"))
    shares[each.value("term", each.value("narsese", std::string()))] =
        each.at("priority").get<double>() / total;
  return shares;
}

TEST_CASE("operations get budgets for a goal, with reasons", "[bridge][allocate]") {
  Zoo zoo;
  const json none = zoo.ask({{"op", "allocate"}, {"of", "operations"}, {"cue", "fed!"}, {"capacity", 3}});
  CHECK(none.at("result").at("budgets").empty());
  zoo.ask({{"op", "input"},
           {"narsese",
            "<(&/,<rex --> [hungry]>,^fetch) =/> fed>. %0.9;0.8%\n<(&/,<rex --> [hungry]>,^call) =/> fed>. "
            "%0.9;0.4%\n<rex --> [hungry]>. :|:"}});
  const json reply = zoo.ask({{"op", "allocate"},
                              {"of", "operations"},
                              {"cue", "fed! %1.0;0.9%"},
                              {"capacity", 3},
                              {"eligibility", 5}});
  INFO(reply.dump());
  const json& budgets = reply.at("result").at("budgets");
  REQUIRE(budgets.size() == 2);
  CHECK(budgets[0].at("term") == "^fetch");
  CHECK(budgets[0].at("because") == "<(&/,<rex --> [hungry]>,^fetch) =/> fed>. %0.9;0.8%");
  CHECK(budgets[0].at("durability") == 0.8);
  CHECK(budgets[1].at("term") == "^call");
  CHECK(budgets[0].at("priority") > budgets[1].at("priority"));
  // The bare term `fed` as cue means the same goal as before. The result is equal, because allocations to operations
  // leave the stored budgets unchanged.
  json same = {{"op", "allocate"}, {"of", "operations"}, {"cue", "fed"}, {"capacity", 3}, {"eligibility", 5}};
  CHECK(zoo.ask(same).at("result") == reply.at("result"));
  same["capacity"] = 1;
  CHECK(zoo.ask(same).at("result").at("budgets").size() == 1);
  CHECK(zoo.error({{"of", "operations"}, {"cue", "fed."}}) == "bad_value /cue");
  CHECK(zoo.error({{"of", "operations"}, {"cue", "<fed"}}) == "parse_error /cue");
  CHECK(zoo.error({{"of", "operations"}, {"cue", json::object()}}) == "bad_value /cue");
  CHECK(zoo.error({{"of", "operations"}, {"cue", "fed"}, {"method", "attention"}}) ==
        "unknown_field /method");
  CHECK(zoo.error({{"of", "operations"}, {"cue", "fed"}, {"eligibility", 0}}) == "bad_value /eligibility");
  CHECK(zoo.error({{"eligibility", 5}}) == "unknown_field /eligibility");
}

TEST_CASE("without the optional fields allocate behaves as in earlier versions", "[bridge][allocate]") {
  Zoo zoo;
  const json first = zoo.allocate({});
  CHECK(first.size() == 2);
  CHECK(first.at("method") == "attention");
  const json by_default{{"op", "allocate"}, {"cue", "tim"}, {"of", "concepts"}, {"capacity", 1}};
  CHECK(zoo.ask(by_default).at("result").at("method") == core::default_method);
  CHECK(first.at("budgets")[0].at("priority") == 1);
  // The stored budgets of an earlier allocation influence a result only if the request asks for them.
  CHECK(zoo.allocate({{"cue", "rex"}}) != first);
  CHECK(zoo.allocate({}) == first);
  CHECK(zoo.allocate({{"prior", "none"}}) == first);
}

TEST_CASE("an allocation with prior \"previous\" starts from the budgets before", "[bridge][allocate]") {
  Zoo zoo, fresh;
  const json of_rex = {{"cue", "rex"}, {"prior", "previous"}, {"method", "attention"}};
  const json without = fresh.allocate(of_rex);
  zoo.allocate({{"method", "attention"}});
  const json with = zoo.allocate(of_rex);
  // The concept cat keeps a part of the budget that the first cue, tim, gave it.
  CHECK(shares_in(with).at("cat") > shares_in(without).at("cat"));
  // By hand: with equal durabilities d and no new concept, the budgets are proportional to q^d exp(s / T). q is the
  // previous budget, s the score relative to the best one, and T the temperature.
  Zoo by_hand;
  const auto q = shares_in(by_hand.allocate({}));
  const auto r = shares_in(fresh.allocate({{"cue", "rex"}}));
  const auto p = shares_in(by_hand.allocate(
      {{"cue", "rex"}, {"prior", "previous"}, {"durability", 0.5}, {"fresh", 0}, {"temperature", 0.25}}));
  double best = 0, total = 0;
  for (const auto& [term, share] : r) best = std::max(best, share);
  std::map<std::string, double> expected;
  for (const auto& [term, share] : q) {
    const double s = r.contains(term) ? r.at(term) / best : 0;
    total += expected[term] = std::sqrt(share) * std::exp(s / 0.25);
  }
  REQUIRE(p.size() == expected.size());
  for (const auto& [term, share] : p) CHECK(std::abs(share - expected.at(term) / total) < 1e-12);
  // Budgets of concepts and of statements are stored separately. `reset` deletes both.
  CHECK(zoo.allocate({{"cue", "rex"}, {"prior", "previous"}, {"of", "statements"}}) ==
        Zoo().allocate({{"cue", "rex"}, {"prior", "previous"}, {"of", "statements"}}));
  CHECK(zoo.ask({{"op", "reset"}}).at("ok") == true);
  CHECK(zoo.allocate({{"prior", "previous"}}).at("budgets").empty());
}

TEST_CASE("a refused allocation leaves the budgets unchanged", "[bridge][allocate]") {
  Zoo zoo, other;
  zoo.allocate({});
  other.allocate({});
  CHECK(zoo.error({{"cue", "<tim"}}) == "parse_error /cue");
  CHECK(zoo.error({{"cue", "rex"}, {"prior", "previous"}, {"temperature", -1}}) == "bad_value /temperature");
  CHECK(zoo.allocate({{"cue", "rex"}, {"prior", "previous"}}) ==
        other.allocate({{"cue", "rex"}, {"prior", "previous"}}));
}

TEST_CASE("the budget before plus the transfers gives the budget after", "[bridge][allocate]") {
  for (const char* of : {"concepts", "statements"})
    for (const char* form : {"kl", "alpha", "euclidean"}) {
      Zoo zoo;
      auto accounts = shares_in(zoo.allocate({{"of", of}}));
      const json result = zoo.allocate({{"of", of},
                                        {"cue", "rex"},
                                        {"prior", "previous"},
                                        {"prior_form", form},
                                        {"capacity", 3},
                                        {"transfers", 1000}});
      CHECK(result.at("transfers_in_all") == result.at("transfers").size());
      double pool = 0;
      for (const json& each : result.at("transfers")) {
        const double amount = each.at("amount").get<double>();
        (each.at("from").is_null() ? pool : accounts[each.at("from").get<std::string>()]) -= amount;
        (each.at("to").is_null() ? pool : accounts[each.at("to").get<std::string>()]) += amount;
      }
      CHECK(std::abs(pool) < 1e-12);
      const auto after = shares_in(result);
      CHECK(after.size() <= 3);
      for (const auto& [name, share] : accounts) {
        INFO(name);
        CHECK(std::abs(share - (after.contains(name) ? after.at(name) : 0)) < 1e-12);
      }
      const json few = zoo.allocate({{"of", of}, {"transfers", 2}});
      CHECK(few.at("transfers").size() == 2);
      CHECK(few.at("transfers_in_all").get<int>() > 2);
    }
}

TEST_CASE("the policy decides which kinds of terms may hold a budget", "[bridge][allocate]") {
  Zoo zoo;
  CHECK(shares_in(zoo.allocate({})).contains("^fetch"));
  CHECK_FALSE(shares_in(zoo.allocate({{"policy", {{"operator", "conducts"}}}})).contains("^fetch"));
  CHECK_FALSE(shares_in(zoo.allocate({{"policy", {{"operator", "ignored"}}}})).contains("^fetch"));
  CHECK(zoo.allocate({{"policy", {{"atom", "ignored"}}}}).at("budgets").size() == 1);
  CHECK(zoo.allocate({{"policy", {{"variable", "ignored"}}}}) == zoo.allocate({}));
  CHECK(zoo.error({{"policy", {{"compound", "holds"}}}}) == "bad_value /policy/compound");
  CHECK(zoo.error({{"policy", {{"SELF", "holds"}}}}) == "bad_value /policy/SELF");
  CHECK(zoo.error({{"policy", {{"variable", "conducts"}}}}) == "bad_value /policy/variable");
  CHECK(zoo.error({{"policy", {{"copula", "holds"}}}}) == "bad_value /policy/copula");
  CHECK(zoo.error({{"policy", {{"atom", "owns"}}}}) == "bad_value /policy/atom");
  CHECK(zoo.error({{"policy", {{"atom", 1}}}}) == "bad_value /policy/atom");
  CHECK(zoo.error({{"policy", "none"}}) == "bad_value /policy");
  CHECK(zoo.error({{"policy", json::object()}, {"of", "statements"}}) == "bad_value /policy");

  core::MemoryOptions compounds;
  compounds.activation.compounds = true;
  Zoo active(compounds);
  const json all{{"cue", "{rex}"}, {"method", "pagerank"}};
  CHECK(shares_in(active.allocate(all)).contains("{rex}"));
  json conducting = all;
  conducting["policy"] = {{"compound", "conducts"}};
  conducting["transfers"] = 1000;
  const json result = active.allocate(conducting);
  CHECK_FALSE(shares_in(result).contains("{rex}"));
  bool by_link = false;
  for (const json& each : result.at("transfers"))
    by_link = by_link || (each.at("why") == "link" && each.at("from") == "{rex}" && each.at("to") == "rex");
  CHECK(by_link);
}

TEST_CASE("selection rules cut a budget, and invalid fields are refused", "[bridge][allocate]") {
  Zoo zoo;
  const json all = zoo.allocate({});
  const auto shares = shares_in(all);
  double least = 1;
  for (const auto& [term, share] : shares_in(zoo.allocate({{"select", "threshold"}, {"threshold", 0.1}})))
    least = std::min(least, shares.at(term));
  CHECK(least >= 0.1);
  CHECK(zoo.allocate({{"select", "budget"}, {"temperature", 1e-6}, {"capacity", 2}}) ==
        zoo.allocate({{"capacity", 2}}));
  // Priorities are relative to the largest one. `share` leaves out concepts with a smaller priority and does not change
  // the others.
  CHECK(zoo.allocate({{"share", 0}}) == all);
  for (const double share : {0.1, 0.5, 1.0}) {
    json wanted = json::array();
    for (const json& budget : all.at("budgets"))
      if (budget.at("priority") >= share) wanted.push_back(budget);
    CHECK(zoo.allocate({{"share", share}}).at("budgets") == wanted);
  }
  CHECK(zoo.allocate({{"share", 1}}).at("budgets").size() < all.at("budgets").size());
  CHECK(zoo.error({{"select", "threshold"}}) == "missing_field /threshold");
  CHECK(zoo.error({{"threshold", 0.5}}) == "bad_value /threshold");
  CHECK(zoo.error({{"temperature", 1}}) == "bad_value /temperature");
  CHECK(zoo.error({{"durability", 0.5}}) == "bad_value /durability");
  CHECK(zoo.error({{"fresh", 0.5}}) == "bad_value /fresh");
  CHECK(zoo.error({{"prior_form", "kl"}}) == "bad_value /prior_form");
  CHECK(zoo.error({{"prior", "previous"}, {"alpha", 2}}) == "bad_value /alpha");
  CHECK(zoo.error({{"transfers", 1000000000}}).starts_with("limit_exceeded"));
  // Extreme temperatures still give finite numbers.
  for (const double t : {1e-300, 1e300}) {
    const json result = zoo.allocate({{"prior", "previous"}, {"temperature", t}});
    double total = 0;
    for (const auto& [term, share] : shares_in(result)) total += share;
    CHECK(std::abs(total - 1) < 1e-12);
  }
}

}  // namespace
}  // namespace engram::bridge
