// SPDX-License-Identifier: MIT
#include "experiments/pages/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "bridge/json/core_json.hpp"
#include "core/methods/method.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

namespace engram::experiments {
namespace {

core::Session& tell(core::Session& session) {
  std::istringstream text(
      "<tim --> cat>. %1.0;0.91%\n<cat --> animal>. %1.0;0.82%\n<rex --> dog>. %1.0;0.73%\n"
      "<dog --> animal>. %1.0;0.64%\n<\"<script>alert(1)</script>&\" --> cat>. %1.0;0.9%\n");
  REQUIRE(session.read(text).rejected.empty());
  return session;
}

// Explains a recall and allocates the explained budgets in the session.
ExplainedRecall explained(core::Session& session, const char* method, const char* cue, bool with_prior) {
  const core::ConfiguredMethod by(method);
  const core::Cue active = *session.cue(cue);
  const core::Recall recall = session.recall(by, active);
  ExplainedRecall why = explain_recall(session, by, active, recall, 4, with_prior);
  core::AllocationOptions options;
  options.cut.capacity = 4;
  options.prior = with_prior;
  options.policy = core::TermPolicy(session.memory().options().activation);
  for (const core::AllocationOf of : {core::AllocationOf::concepts, core::AllocationOf::statements}) {
    options.of = of;
    session.allocate(recall, options);
  }
  return why;
}

void check_items(const std::vector<ExplainedItem>& items, const core::Vector& shares) {
  REQUIRE_FALSE(items.empty());
  CHECK(items.size() <= 4);
  double all = 0;
  for (const ExplainedItem& item : items) {
    INFO(item.name);
    CHECK(item.accounts.front().total == shares[item.id]);
    all += item.accounts.front().total;
    CHECK(std::abs(item.budget.priority - shares[item.id] / shares.maxCoeff()) < 1e-14);
    for (const core::Account& account : item.accounts) {
      double sum = 0;
      for (const core::Account::Part& part : account.parts) sum += part.amount;
      CHECK(std::abs(sum - account.total) < 1e-11);
    }
  }
  CHECK(std::abs(all - 1) < 1e-14);
}

bool has_part(const ExplainedItem& item, const std::string& start) {
  return std::ranges::any_of(item.accounts.front().parts,
                             [&](const core::Account::Part& part) { return part.words.starts_with(start); });
}

TEST_CASE("parts of each explanation add up to the allocated budget", "[experiments][explanation]") {
  core::Session session;
  tell(session);
  for (const char* method : {"attention", "hopfield", "pagerank", "ecan"}) {
    const ExplainedRecall first = explained(session, method, "tim", false);
    check_items(first.concepts, session.budget(core::AllocationOf::concepts));
    check_items(first.statements, session.budget(core::AllocationOf::statements));
    CHECK_FALSE(has_part(first.concepts.front(), "budget before"));
    const ExplainedRecall second = explained(session, method, "rex", true);
    check_items(second.concepts, session.budget(core::AllocationOf::concepts));
    bool before = false, decay = false;
    for (const ExplainedItem& item : second.concepts) {
      before = before || has_part(item, "budget before");
      decay = decay || has_part(item, "decay");
    }
    CHECK(before);
    CHECK(decay);
  }
}

TEST_CASE("an explanation page shows paths and escapes input", "[experiments][explanation]") {
  core::Session session;
  tell(session);
  const char* cue = "\"<script>alert(1)</script>&\"";
  const std::string html = explanation_html(
      cue, std::string("<b>"),
      {explained(session, "attention", cue, false), explained(session, "dense_memory", cue, true)});
  CHECK_FALSE(testing::contains(html, "<script>alert"));
  CHECK(testing::first_missing(html,
                               {"&lt;script&gt;alert(1)&lt;/script&gt;&amp;", "after <code>&lt;b&gt;</code>",
                                "<svg class=\"way\"", "it is no sum over concepts"}) == "");
  CHECK(testing::times(html, "<section") == testing::times(html, "</section"));
  CHECK(testing::times(html, "<section") > 8);
}

TEST_CASE("the text and JSON forms of an explanation agree", "[experiments][explanation]") {
  core::Session session;
  tell(session);
  const ExplainedRecall recall = explained(session, "pagerank", "tim", false);
  const bridge::Json json = bridge::to_json(recall);
  const std::string text = to_text(recall);
  REQUIRE(json.at("concepts").size() == recall.concepts.size());
  for (const bridge::Json& item : json.at("concepts")) {
    CHECK(testing::contains(text, item.at("term").get<std::string>()));
    for (const bridge::Json& part : item.at("accounts")[0].at("parts"))
      CHECK(testing::contains(text, part.at("words").get<std::string>()));
  }
  CHECK(json.at("statements")[0].at("path").size() >= 2);
}

}  // namespace
}  // namespace engram::experiments
