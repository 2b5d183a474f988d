// SPDX-License-Identifier: MIT
// EventStream: replies to questions of the world.
#include <algorithm>
#include <cmath>

#include "bridge/json/forgetting_json.hpp"
#include "bridge/stream/event_stream.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using About = StreamQuestion::About;
using narsese::Sentence;

constexpr std::size_t most_links = 20;  // most links in the replies to stats and export

std::string implication(std::string_view event, const std::string& operation, std::string_view goal) {
  return "<(&/," + std::string(event) + "," + operation + ") =/> " + std::string(goal) + ">";
}

// Rounds to four digits. Further digits depend on the order of events.
narsese::TruthValue in_four_digits(const narsese::TruthValue& truth) {
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  return {rounded(truth.frequency), std::min(rounded(truth.confidence), 0.9999)};
}

Json truth_json(const narsese::TruthValue& truth) {
  return {{"frequency", truth.frequency}, {"confidence", truth.confidence}};
}

std::string_view name(Episode::Kind kind) {
  static constexpr std::array<std::string_view, 3> names{"event", "goal", "operation"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

StreamCounts EventStream::counts() const {
  const std::lock_guard lock(mutex_);
  StreamCounts counts = counts_;
  counts.late += untold_.late();
  counts.crowded_out += untold_.crowded_out();
  counts.now = now_;
  counts.reached = filter_.counts().reached;
  counts.failed = filter_.counts().failed;
  counts.dropped = filter_.counts().dropped;
  counts.not_passed = filter_.counts().not_passed;
  return counts;
}

std::vector<std::string> EventStream::learnt(std::size_t most) {
  const Use used(*this);
  std::vector<std::string> found;
  for (const core::OutcomeModel::Link& link : filter_.model().links(most)) {
    if (link.operation >= operations_.size()) continue;
    const auto term = narsese::parse_term(
        implication(filter_.term(link.kind), operations_[link.operation], filter_.term(link.goal)),
        memory_.session().mutable_memory().terms());
    if (!term) continue;  // the memory is full
    Sentence sentence;
    sentence.term = *term;
    sentence.truth = in_four_digits(link.truth);
    found.push_back(narsese::print(sentence));
  }
  return found;
}

StreamLearning EventStream::learning() const {
  const std::lock_guard lock(mutex_);
  return {operations_, filter_.learnt()};
}

void EventStream::go_on_from(const StreamLearning& learning) {
  const std::lock_guard lock(mutex_);
  const StreamLearning own =
      with_operations(learning, options_.operations, options_.filter.outcomes.operations);
  filter_.restore(own.outcomes);
  operations_ = own.operations;
}

std::string EventStream::stats() {
  const Use used(*this);
  const StreamCounts counts = this->counts();
  const core::Session& session = memory_.session();
  const Json json{
      {"now", counts.now},
      {"events", counts.events},
      {"goals", counts.goals},
      {"sentences", counts.sentences},
      {"questions", counts.questions},
      {"done_by_others", counts.done_by_others},
      {"passed", counts.passed},
      {"not_passed", counts.not_passed},
      {"dropped", counts.dropped},
      {"late", counts.late},
      {"far", counts.far},
      {"refused", counts.refused},
      {"crowded_out", counts.crowded_out},
      {"lost",
       {{"events", counts.lost_events}, {"goals", counts.lost_goals}, {"others", counts.lost_others}}},
      {"executed", counts.executed},
      {"unknown_operations", counts.unknown_operations},
      {"answers", counts.answers},
      {"errors", counts.errors},
      {"wrong_lines", counts.wrong_lines},
      {"restarts", counts.restarts},
      {"reached", counts.reached},
      {"failed", counts.failed},
      {"episodes", episodes_.size()},
      {"filter_bytes", filter_.bytes()},
      {"memory",
       {{"concepts", session.memory().graph().size()},
        {"links", session.memory().graph().hebbian_links().size()},
        {"statements", session.memory().statements().size()},
        {"bytes", session.bytes()},
        {"forgotten", forgetting_json(session.forgetting())}}},
      {"learnt", learnt(most_links)}};
  return json.dump();
}

void EventStream::answer(const StreamQuestion& question) {
  Json reply = Json::object();
  const auto named = narsese::parse_term(question.term, memory_.session().mutable_memory().terms());
  const std::string term =
      named ? narsese::print(*named) : question.term;  // printed as the stream prints terms
  if (!question.id.empty()) reply["id"] = Json::parse(question.id);
  switch (question.about) {
    case About::stats:
      reply["stats"] = Json::parse(stats());
      break;
    case About::operations: {
      reply["goal"] = term;
      reply["operations"] = Json::array();
      const core::EventKind goal = filter_.find(term);
      for (const core::OperationBudget& budget : filter_.operations(goal, now_)) {
        if (budget.operation >= operations_.size()) continue;
        Json one{{"operation", operations_[budget.operation]}, {"success", budget.success}};
        if (budget.because != core::EventKinds::none && budget.truth.confidence > 0) {
          one["because"] = implication(filter_.term(budget.because), operations_[budget.operation], term);
          one["truth"] = truth_json(in_four_digits(budget.truth));
        }
        reply["operations"].push_back(std::move(one));
      }
      break;
    }
    case About::episodes: {
      reply["term"] = term;
      reply["episodes"] = Json::array();
      for (const Episode& episode : episodes_.of(term, question.most))
        reply["episodes"].push_back({{"number", episode.number},
                                     {"kind", name(episode.kind)},
                                     {"time", episode.time},
                                     {"passed", episode.passed}});
      if (!named) break;
      Sentence said;
      said.term = *named;
      if (const auto statement = memory_.session().memory().find(said))
        reply["times"] = memory_.session().memory().statements()[*statement].times;
      break;
    }
    case About::export_: {
      const std::vector<std::string> links = learnt(most_links);
      for (const std::string& link : links) tell({.kind = PendingItem::Kind::sentence, .text = link});
      reply["exported"] = links;
      break;
    }
  }
  if (observers_.said) observers_.said(reply.dump());
}

}  // namespace engram::bridge
