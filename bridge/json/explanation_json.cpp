// SPDX-License-Identifier: MIT
#include "bridge/json/explanation_json.hpp"

namespace engram::bridge {
namespace {

Json to_json(const core::ExplainedItem& item) {
  Json json = {{item.statement ? "narsese" : "term", item.name},
               {"priority", item.budget.priority},
               {"durability", item.budget.durability},
               {"quality", item.budget.quality},
               {"score", item.score},
               {"accounts", Json::array()},
               {"path", Json::array()}};
  for (const core::Account& account : item.accounts) {
    Json parts = Json::array();
    for (const core::Account::Part& part : account.parts)
      parts.push_back({{"words", part.words}, {"amount", part.amount}});
    json["accounts"].push_back({{"words", account.words}, {"total", account.total}, {"parts", parts}});
  }
  for (const core::Stop& stop : item.path)
    json["path"].push_back({{stop.statement ? "narsese" : "term", stop.words}, {"how", stop.how}});
  for (const core::ExplainedStep& step : item.proof)
    json["proof"].push_back(
        {{"narsese", step.words}, {"terms", step.terms}, {"move", step.move}, {"depth", step.depth}});
  if (!item.separation.empty()) json["separation"] = item.separation;
  if (!item.note.empty()) json["note"] = item.note;
  return json;
}

}  // namespace

Json to_json(const core::ExplainedRecall& recall) {
  Json json = {{"concepts", Json::array()}, {"statements", Json::array()}};
  for (const core::ExplainedItem& item : recall.concepts) add_to(json["concepts"], to_json(item));
  for (const core::ExplainedItem& item : recall.statements) add_to(json["statements"], to_json(item));
  return json;
}

}  // namespace engram::bridge
