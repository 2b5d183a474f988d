// SPDX-License-Identifier: MIT
// Tests of the operation `explain`, which gives the reasons for the budgets of the best results of a recall.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bridge/protocol/protocol.hpp"
#include "core/methods/method.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::explain_tests {
namespace {

using nlohmann::json;

// A protocol whose memory has a family tree.
std::unique_ptr<Protocol> family() {
  auto protocol = std::make_unique<Protocol>();
  tell(*protocol,
       "<tim --> cat>.\n<cat --> animal>. %0.9;0.8%\n<rex --> dog>.\n<dog --> animal>.\n"
       "<(olav * harald) --> father>.\n<(harald * magnus) --> father>.\n<tim --> [black]>.");
  return protocol;
}

void check_sums(const json& item) {
  for (const json& account : item.at("accounts")) {
    double sum = 0;
    for (const json& part : account.at("parts")) sum += part.at("amount").get<double>();
    const double total = account.at("total");
    INFO(item.dump());
    CHECK(std::abs(sum - total) <= 1e-9 * std::max(1.0, std::abs(total)));
  }
}

}  // namespace

TEST_CASE("explain returns allocate's budgets, and parts that add up to them", "[bridge][explain]") {
  for (const core::Method& method : core::methods()) {
    const auto protocol = family();
    const json how = {{"cue", "<tim --> animal>?"}, {"method", method.name}, {"options", json::object()}};
    json request = how;
    request.update({{"op", "explain"}, {"top", 3}});
    const json reply = reply_to(*protocol, request);
    if (reply.at("ok") == false) {  // a method that cannot run here must fail in `recall` with the same error
      request["op"] = "recall";
      INFO(method.name);
      CHECK(reply_to(*protocol, request) == reply);
      continue;
    }
    const json& explained = reply.at("result");
    for (const auto& [kind, name] : {std::pair("concepts", "term"), std::pair("statements", "narsese")}) {
      json allocate = how;
      allocate.update({{"op", "allocate"}, {"of", kind}, {"capacity", 3}});
      const json budgets = result_of(*protocol, allocate).at("budgets");
      INFO(method.name << " " << kind << " " << explained.dump());
      REQUIRE(explained.at(kind).size() == budgets.size());
      for (std::size_t i = 0; i < budgets.size(); ++i) {
        json item = explained.at(kind).at(i);
        check_sums(item);
        CHECK_FALSE((item.at("accounts").empty() && !item.contains("note")));
        for (const char* more : {"score", "accounts", "path", "separation", "note", "proof"})
          item.erase(more);
        CHECK(item == budgets.at(i));
      }
    }
    request["op"] = "recall";
    json course = result_of(*protocol, request);
    course.erase("activations");
    for (const auto& [member, value] : course.items()) CHECK(explained.at(member) == value);
  }
}

TEST_CASE("explain leaves all budgets unchanged", "[bridge][explain]") {
  const auto asked = family(), unasked = family();
  const std::string first = R"({"op":"allocate","cue":"tim","of":"statements","capacity":2})";
  const std::string next =
      R"({"op":"allocate","cue":"dog","of":"statements","capacity":9,"prior":"previous"})";
  CHECK(reply_to(*asked, first) == reply_to(*unasked, first));
  result_of(*asked, {{"op", "explain"}, {"cue", "olav"}, {"method", "attention"}});
  CHECK(reply_to(*asked, next) == reply_to(*unasked, next));
}

TEST_CASE("explain returns the proof that proof_attention found", "[bridge][explain]") {
  const auto protocol = family();
  const json explained =
      result_of(*protocol,
                {{"op", "explain"}, {"cue", "<tim --> animal>?"}, {"method", "proof_attention"}, {"top", 2}});
  const json& best = explained.at("statements").at(0);
  CHECK(best.at("path").empty());
  CHECK(best.at("proof") == json::parse(R"([
    {"narsese": "<tim --> cat>", "terms": ["tim", "cat"], "move": "inheritance", "depth": 0},
    {"narsese": "<cat --> animal>", "terms": ["cat", "animal"], "move": "fact", "depth": 1}])"));
}

TEST_CASE("each error of explain has its code and pointer", "[bridge][explain]") {
  const auto protocol = family();
  const auto error = [&](const std::string& request) { return error_in(reply_to(*protocol, request)); };
  CHECK(error(R"({"op":"explain","cue":"<tim"})").starts_with("parse_error"));
  CHECK(error(R"({"op":"explain","cue":"tim","options":{"beta":-1}})").starts_with("bad_value"));
  const json nothing = result_of(*protocol, {{"op", "explain"}, {"cue", "never_heard_of"}});
  CHECK(nothing.at("concepts").empty());
  CHECK(nothing.at("statements").empty());
}

}  // namespace engram::bridge::explain_tests
