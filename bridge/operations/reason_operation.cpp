// SPDX-License-Identifier: MIT
// `reason`: Engram's own reasoner answers from what the memory has.
#include <algorithm>

#include "bridge/json/nars_event.hpp"
#include "bridge/operations/recall_fields.hpp"
#include "bridge/reasoner/attention_loop.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_copies.hpp"

namespace engram::bridge {
namespace {

constexpr std::uint64_t default_steps = 2000;
constexpr std::uint64_t steps_a_line = 5000;  // of work: to be printed

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

// A line a sentence, premises first.
Json derivation_json(Reasoner& reasoner, SentenceId answer) {
  const std::vector<SentenceId> all = reasoner.derivation(answer);
  Json lines = Json::array();
  for (const SentenceId id : all) {
    const KnownSentence& known = reasoner.knowledge()[id];
    Json line = {{"narsese", event_of(reasoner, {.sentence = id}).raw},
                 {"rule", reasoner.rule_name(id)},
                 {"step", known.step},
                 {"premises", Json::array()}};
    core::spend(steps_a_line + all.size());
    for (const SentenceId premise : known.premises)
      if (premise != KnownSentence::none)
        line["premises"].push_back(std::ranges::find(all, premise) - all.begin());
    add_to(lines, std::move(line));
  }
  return lines;
}

}  // namespace

Json reason(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const JsonValue text = request["question"];
  const auto cue = session.cue(text.text());
  if (!cue) throw parse_error("/question", cue.error());
  const core::Method& method = method_of(request, core::default_method);
  const core::Options options = options_of(context, request);
  const std::size_t steps = request.count("steps", default_steps);
  const std::size_t refresh = request.count("refresh", usual_refresh);
  const std::size_t gate = request.count("gate", session.memory().statements().size());
  const std::size_t most_events = request.has("events") ? request.count("events") : 0;
  const core::Vector scores = recall_with(session, method, options, *cue).statements;
  std::vector<core::StatementId> told;
  for (core::StatementId id = 0; id < session.memory().statements().size(); ++id)
    if (session.memory().statements()[id].sentence.punctuation == narsese::Punctuation::judgment)
      told.push_back(id);
  std::ranges::stable_sort(told,
                           [&](core::StatementId a, core::StatementId b) { return scores[a] > scores[b]; });
  if (told.size() > gate) told.resize(gate);
  const double most = told.empty() ? 0 : scores[told[0]];
  narsese::TermTable table;
  narsese::TermCopies copies(table);
  double urgency = 1;
  auto control = by_worth([&](Knowledge&, SentenceId) { return urgency; });
  const auto attend = [&](core::Session& memory, const core::Cue& for_cue) {
    return recall_with(memory, method, options, for_cue).statements;
  };
  AttentionLoop loop(session, *cue, attend, *control);
  Reasoner reasoner(table, std::move(control));
  Json events = Json::array();
  std::size_t in_all = 0;
  reasoner.observe([&](const ReasonerEvent& event) {
    loop.hear(reasoner, event);
    if (event.kind != ReasonerEvent::Kind::input && in_all++ < most_events)
      add_to(events, Json::parse(to_json(event_of(reasoner, event))));
  });
  for (const core::StatementId id : told) {
    narsese::Sentence sentence = session.memory().statements()[id].sentence;
    sentence.term = copies(sentence.term);
    urgency = most > 0 ? urgency_of_score(scores[id], most) : 1;
    reasoner.input(sentence);
  }
  urgency = 1;
  const auto question = narsese::parse_sentence(text.text(), table);
  if (!question) throw parse_error("/question", question.error());
  if (!question->asks()) throw bad_value("/question", "must be a question, which ends in ?");
  const auto asked = reasoner.input(*question);
  std::uint64_t claimed = 0;
  for (std::uint64_t left = steps; left > 0;) {
    if (left < steps) loop.attend_again(reasoner);
    if (const std::uint64_t taken = reasoner.bytes(); taken > claimed) {
      core::Claim(taken - claimed).stay();
      claimed = taken;
    }
    const std::uint64_t ran = reasoner.run(std::min<std::uint64_t>(refresh, left));
    if (ran == 0) break;
    left -= std::min(ran, left);
  }
  Json result = {{"answer", nullptr}, {"steps", reasoner.steps()}, {"told", told.size()}};
  if (const auto answer = asked ? reasoner.answer(*asked) : std::nullopt) {
    const KnownSentence& known = reasoner.knowledge()[*answer];
    result["answer"] = {
        {"term", narsese::print(known.term)},
        {"truth", {{"frequency", known.truth.frequency}, {"confidence", known.truth.confidence}}},
        {"derivation", derivation_json(reasoner, *answer)}};
  }
  if (request.has("events")) {
    result["events"] = std::move(events);
    result["events_in_all"] = in_all;
  }
  return result;
}

}  // namespace engram::bridge
