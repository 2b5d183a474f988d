// SPDX-License-Identifier: MIT
// The operation `reason`: Engram's own reasoner answers a question from the statements of the memory.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "bridge/json/answer_json.hpp"
#include "bridge/json/nars_event.hpp"
#include "bridge/operations/recall_fields.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

constexpr std::uint64_t default_steps = 2000;
constexpr std::size_t most_near = 3;  // sentences returned if there is no answer

NarsEvent event_of(core::Reasoner& reasoner, const core::ReasonerEvent& told) {
  static constexpr std::array<NarsEvent::Kind, 4> kinds{NarsEvent::Kind::input, NarsEvent::Kind::derived,
                                                        NarsEvent::Kind::revised, NarsEvent::Kind::answer};
  const core::KnownSentence& known = reasoner.knowledge()[told.sentence];
  NarsEvent event{.kind = kinds[static_cast<std::size_t>(told.kind)]};
  event.term = known.term;
  event.punctuation = known.punctuation;
  if (!known.asks()) event.truth = known.truth;
  for (const core::InputNumber number : reasoner.knowledge().evidence(told.sentence))
    event.stamp.push_back(number);
  event.raw = narsese::print(*event.sentence());
  return event;
}

// Checks that the text is a question.  Errors  RequestError
void require_question(core::Session& session, const std::string& text) {
  if (const auto cue = session.cue(text); !cue) throw parse_error("/question", cue.error());
  narsese::TermTable table;
  const auto sentence = narsese::parse_sentence(text, table);
  if (!sentence) throw parse_error("/question", sentence.error());
  if (!sentence->asks()) throw bad_value("/question", "must be a question, which ends in ?");
}

}  // namespace

Json reason(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const std::string question(request["question"].text());
  require_question(session, question);
  const core::ConfiguredMethod method = method_of(context, request);
  core::AnsweringOptions answering;
  answering.steps = request.count("steps", default_steps);
  answering.refresh = request.count("refresh", core::default_refresh);
  answering.gate = request.count("gate", session.memory().statements().size());
  if (request.has("answers")) {
    answering.max_answers = request.count("answers");
    answering.max_near = most_near;
  }
  std::optional<core::Recall> first;  // the recall before the inference
  const std::size_t most_events = request.has("events") ? request.count("events") : 0;
  Json events = Json::array();
  std::size_t in_all = 0;
  const core::QuestionAnswers found = core::answer_question(
      session, question,
      [&](core::Session& memory, const core::Cue& cue) {
        core::Recall recall = recall_with(memory, method, cue);
        if (!first) first = recall;
        return std::move(recall).statements;
      },
      answering,
      [&](core::Reasoner& reasoner, const core::ReasonerEvent& event) {
        if (event.kind != core::ReasonerEvent::Kind::input && in_all++ < most_events)
          add_to(events, Json::parse(to_json(event_of(reasoner, event))));
      });
  Json result = {{"method", method.name()},
                 {"answer", nullptr},
                 {"steps", found.steps},
                 {"told", found.selected.size()}};
  if (!found.answers.empty()) result["answer"] = to_json(found.answers.front());
  if (request.has("answers")) {
    result["answers"] = to_json(found.answers);
    result["near"] = to_json(found.near);
  }
  if (request.has("top")) {
    Json selected = Json::array();
    for (const core::SelectedStatement& one :
         core::selected_with_budgets(session, *first, found, request.count("top")))
      add_to(selected, {{"narsese", one.narsese},
                        {"priority", one.budget.priority},
                        {"durability", one.budget.durability},
                        {"quality", one.budget.quality}});
    result["selected"] = std::move(selected);
  }
  if (request.has("events")) {
    result["events"] = std::move(events);
    result["events_in_all"] = in_all;
  }
  return result;
}

}  // namespace engram::bridge
