// SPDX-License-Identifier: MIT
#include "bridge/json/core_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "bridge/json/sentence_json.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/ranking.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/explained_recall.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {

const core::Method& method_in(const JsonValue& name) {
  const std::string* given = name.text_or_null();
  if (const core::Method* method = given != nullptr ? core::find_method(*given) : nullptr) return *method;
  return name.choice("", core::methods(), &core::Method::name);
}

Json options_json(const core::Options& options) {
  Json json = Json::object();
  for (const auto& [name, value] : options)
    std::visit([&, &key = name](const auto& x) { json[key] = x; }, value);
  return json;
}

core::Options options_in(const JsonValue& given) {
  core::Options options;
  if (!given) return options;
  for (const auto& [name, value] : given.object().json().items()) {
    if (value.is_number())
      options[name] = value.get<double>();
    else if (value.is_string())
      options[name] = value.get<std::string>();
    else
      given[name].refuse("a number or a text");
  }
  return options;
}

Json to_json(const core::RetrievalCertificate& certificate) {
  const auto number_or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"gap", number_or_null(certificate.gap)},
          {"margin", number_or_null(certificate.margin)},
          {"exact", certificate.exact}};
}

Json activations_json(const core::Memory& memory, const core::Vector& concepts, std::size_t top) {
  Json activations = Json::array();
  for (const core::ConceptId id : core::rank(concepts, top))
    add_to(activations, {{"term", narsese::print(memory.graph()[id].term)}, {"value", concepts[id]}});
  return activations;
}

void add_course(Json& json, const core::Recall& recall) {
  json["energies"] = recall.energies;
  json["iterations"] = recall.iterations;
  json["converged"] = recall.converged;
  if (recall.certificate) json["certificate"] = to_json(*recall.certificate);
  if (recall.left_out)
    json["left_out"] = {{"weight", recall.left_out->weight}, {"certain", recall.left_out->certain}};
  if (recall.period) json["period"] = *recall.period;
  if (!recall.note.empty()) json["note"] = recall.note;
}

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

Json to_json(const core::ProvenAnswer& answer) {
  Json lines = Json::array();
  for (const core::ProofLine& line : answer.proof)
    add_to(lines, {{"narsese", line.narsese + (line.truth ? " " + narsese::print(*line.truth) : "")},
                   {"rule", line.rule},
                   {"step", line.step},
                   {"premises", line.premises}});
  return {{"term", answer.term}, {"truth", truth_json(answer.truth)}, {"derivation", std::move(lines)}};
}

Json to_json(const std::vector<core::ProvenAnswer>& answers) {
  Json list = Json::array();
  for (const core::ProvenAnswer& answer : answers) add_to(list, to_json(answer));
  return list;
}

namespace {

using core::ForgettingEvent;
using core::ForgettingHistory;
using core::LearntWorth;

Json events_json(const ForgettingHistory& so_far) {
  Json events = Json::array();
  for (const ForgettingEvent& event : so_far.recent)
    events.push_back({{"cycle", event.when},
                      {"reason", name_of(core::forgetting_reasons, event.reason)},
                      {"statements", event.statements},
                      {"concepts", event.concepts},
                      {"links", event.links},
                      {"left", event.left},
                      {"examples", event.examples}});
  return events;
}

ForgettingEvent event_in(ObjectReader event) {
  ForgettingEvent read;
  read.when = event["cycle"].count();
  read.reason =
      event["reason"]
          .choice("a reason", core::forgetting_reasons, &core::NamedValue<core::ForgettingReason>::name)
          .value;
  read.statements = event["statements"].count();
  read.concepts = event["concepts"].count();
  read.links = event["links"].count();
  read.left = event["left"].count();
  const JsonValue examples = event["examples"];
  examples.list();
  if (examples.size() > ForgettingHistory::most_examples)
    examples.refuse("at most " + std::to_string(ForgettingHistory::most_examples) + " examples");
  for (std::size_t i = 0; i < examples.size(); ++i) read.examples.push_back(examples[i].text());
  event.refuse_others();
  return read;
}

LearntWorth::Features numbers_in(const JsonValue& list, double least) {
  list.list("a list of " + std::to_string(LearntWorth::features) + " numbers", LearntWorth::features);
  LearntWorth::Features numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = list[k].number(least, std::numeric_limits<double>::max());
  return numbers;
}

Json worth_json(const LearntWorth& worth) { return {{"weights", worth.weights}, {"squares", worth.squares}}; }

LearntWorth worth_in(ObjectReader worth) {
  LearntWorth read;
  read.weights = numbers_in(worth["weights"], std::numeric_limits<double>::lowest());
  read.squares = numbers_in(worth["squares"], 0);
  worth.refuse_others();
  return read;
}

}  // namespace

Json forgetting_json(const core::Forgetting& forgetting) {
  const ForgettingHistory& so_far = forgetting.state().so_far;
  Json reasons = Json::object();
  for (const auto& reason : core::forgetting_reasons)
    reasons[std::string(reason.name)] = so_far.times[static_cast<std::size_t>(reason.value)];
  return {{"policy", name_of(core::forgetting_policies, forgetting.options().policy)},
          {"statements", so_far.statements},
          {"concepts", so_far.concepts},
          {"links", so_far.links},
          {"times", reasons},
          {"recent", events_json(so_far)}};
}

Json forgetting_state_json(const core::Forgetting::State& state) {
  return {{"of_concepts", worth_json(state.budgets.of_concepts)},
          {"of_statements", worth_json(state.budgets.of_statements)},
          {"times", state.so_far.times},
          {"statements", state.so_far.statements},
          {"concepts", state.so_far.concepts},
          {"links", state.so_far.links},
          {"last", state.so_far.last},
          {"left", state.so_far.left},
          {"recent", events_json(state.so_far)}};
}

core::Forgetting::State forgetting_state_in(const JsonValue& value) {
  ObjectReader state(value);
  core::Forgetting::State read;
  read.budgets.of_concepts = worth_in(ObjectReader(state["of_concepts"]));
  read.budgets.of_statements = worth_in(ObjectReader(state["of_statements"]));
  const JsonValue times = state["times"];
  times.list("how often for each reason", read.so_far.times.size());
  for (std::size_t i = 0; i < read.so_far.times.size(); ++i) read.so_far.times[i] = times[i].count();
  read.so_far.statements = state["statements"].count();
  read.so_far.concepts = state["concepts"].count();
  read.so_far.links = state["links"].count();
  read.so_far.last = state["last"].count();
  read.so_far.left = state["left"].count();
  const JsonValue recent = state["recent"];
  recent.list();
  if (recent.size() > ForgettingHistory::most_recent)
    recent.refuse("at most " + std::to_string(ForgettingHistory::most_recent) + " times");
  for (std::size_t i = 0; i < recent.size(); ++i)
    read.so_far.recent.push_back(event_in(ObjectReader(recent[i])));
  state.refuse_others();
  return read;
}

}  // namespace engram::bridge
