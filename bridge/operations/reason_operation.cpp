// SPDX-License-Identifier: MIT
// `reason`: Engram's own reasoner answers a question from the statements of the memory.
#include <algorithm>

#include "bridge/json/nars_event.hpp"
#include "bridge/operations/recall_fields.hpp"
#include "bridge/reasoner/answer_json.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

constexpr std::uint64_t default_steps = 2000;

NarsEvent event_of(Reasoner& reasoner, const ReasonerEvent& told) {
  static constexpr std::array<NarsEvent::Kind, 4> kinds{NarsEvent::Kind::input, NarsEvent::Kind::derived,
                                                        NarsEvent::Kind::revised, NarsEvent::Kind::answer};
  const KnownSentence& known = reasoner.knowledge()[told.sentence];
  NarsEvent event{.kind = kinds[static_cast<std::size_t>(told.kind)]};
  event.term = known.term;
  event.punctuation = known.punctuation;
  if (!known.asks()) event.truth = known.truth;
  for (const InputNumber number : reasoner.knowledge().evidence(told.sentence)) event.stamp.push_back(number);
  event.raw = narsese::print(*event.sentence());
  return event;
}

// Errors  RequestError
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
  const core::Method& method = method_of(request);
  const core::Options options = options_of(context, request);
  AnsweringOptions answering;
  answering.steps = request.count("steps", default_steps);
  answering.refresh = request.count("refresh", usual_refresh);
  answering.gate = request.count("gate", session.memory().statements().size());
  const std::size_t most_events = request.has("events") ? request.count("events") : 0;
  Json events = Json::array();
  std::size_t in_all = 0;
  const QuestionAnswers found = answer_question(
      session, question,
      [&](core::Session& memory, const core::Cue& cue) {
        return recall_with(memory, method, options, cue).statements;
      },
      answering,
      [&](Reasoner& reasoner, const ReasonerEvent& event) {
        if (event.kind != ReasonerEvent::Kind::input && in_all++ < most_events)
          add_to(events, Json::parse(to_json(event_of(reasoner, event))));
      });
  Json result = {
      {"method", method.name}, {"answer", nullptr}, {"steps", found.steps}, {"told", found.selected.size()}};
  if (!found.answers.empty()) result["answer"] = to_json(found.answers.front());
  if (request.has("events")) {
    result["events"] = std::move(events);
    result["events_in_all"] = in_all;
  }
  return result;
}

}  // namespace engram::bridge
