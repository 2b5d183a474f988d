// SPDX-License-Identifier: MIT
#include "bridge/json/nars_event.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "bridge/json/sentence_json.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

Json budget_json(const EventBudget& budget) {
  Json json = {{"priority", budget.priority}};
  if (budget.durability) json["durability"] = *budget.durability;
  if (budget.quality) json["quality"] = *budget.quality;
  return json;
}

}  // namespace

std::optional<narsese::Sentence> NarsEvent::sentence() const {
  if (!term || !punctuation) return std::nullopt;
  narsese::Sentence sentence{*term, *punctuation, occurrence, truth, {}, delay};
  if (sentence.asks()) sentence.truth.reset();
  return sentence;
}

std::string_view name(NarsEvent::Kind kind) {
  static constexpr std::array<std::string_view, 8> names{"input",    "derived", "revised", "answer",
                                                         "executed", "concept", "error",   "other"};
  return names[static_cast<std::size_t>(kind)];
}

std::string to_json(const NarsEvent& event) {
  Json json = {{"event", name(event.kind)}};
  if (event.term) json["term"] = narsese::print(*event.term);
  if (event.punctuation) json["punctuation"] = std::string(1, symbol(*event.punctuation));
  if (event.truth) json["truth"] = truth_json(*event.truth);
  if (event.budget) json["budget"] = budget_json(*event.budget);
  if (!event.stamp.empty()) json["stamp"] = event.stamp;
  if (event.occurrence.kind == narsese::Tense::Kind::at)
    json["occurrence"] = event.occurrence.cycles;
  else if (event.occurrence != narsese::Tense{})
    json["occurrence"] = tense_json(event.occurrence);
  if (event.delay) json["dt"] = *event.delay;
  if (!event.arguments.empty()) json["arguments"] = event.arguments;
  if (event.unknown) json["unknown"] = true;
  json["raw"] = event.raw;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace engram::bridge
