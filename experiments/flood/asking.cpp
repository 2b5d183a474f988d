// SPDX-License-Identifier: MIT
#include "experiments/flood/asking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/reasoner/reasoner.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"

namespace engram::experiments::flood {
namespace {

using Make = std::unique_ptr<core::InferenceControl> (*)(std::uint64_t seed);

constexpr std::array<std::pair<const char*, Make>, 6> controls{{
    {"first_in_first_out", [](std::uint64_t) { return core::first_in_first_out(); }},
    {"random", [](std::uint64_t seed) { return core::random_order(seed); }},
    {"simplest", [](std::uint64_t) { return core::simplest_first(); }},
    {"opennars_bags", [](std::uint64_t) { return core::opennars_bags(); }},
    {"pynars_bags", [](std::uint64_t) { return core::pynars_bags(); }},
    {"ona_queue", [](std::uint64_t) { return core::ona_queue(); }},
}};

using core::KnownSentence;
using core::ReasonerEvent;
using core::SentenceId;
using core::StatementId;
using narsese::TruthValue;

constexpr std::size_t most_proofs = 16;      // limit of proofs for exact_truths()
constexpr std::size_t most_names_shown = 8;  // names reported as the topics of most inferences

// Whether two truth values are equal when printed with two digits, or the confidence is higher.
bool is_as_true(const TruthValue& truth, const TruthValue& exact) {
  constexpr double half = 0.005;
  return std::abs(truth.frequency - exact.frequency) < half && truth.confidence > exact.confidence - half;
}

// Report of a run: the derivation, one sentence a line with the indices of its premises, and how the steps were spent.
Json shown(core::Reasoner& reasoner, const AskedQuestion& question, std::optional<SentenceId> best,
           const FloodAnswer& answered) {
  core::Knowledge& knowledge = reasoner.knowledge();
  Json json = {{"question", question.text}, {"expected", question.expected_texts}, {"found", answered.found},
               {"steps", answered.steps},   {"derivation", Json::array()},         {"rules", Json::object()},
               {"names", Json::array()}};
  if (best) {
    const std::vector<SentenceId> proof = reasoner.derivation(*best);
    for (const SentenceId id : proof) {
      const KnownSentence& sentence = knowledge[id];
      Json line = {{"term", narsese::print(sentence.term)},
                   {"punctuation", std::string(1, narsese::symbol(sentence.punctuation))},
                   {"rule", reasoner.rule_name(id)},
                   {"step", sentence.step},
                   {"premises", Json::array()}};
      if (!sentence.asks()) {
        line["truth"] = {sentence.truth.frequency, sentence.truth.confidence};
        line["stamp"] = knowledge.evidence(id);
      }
      for (const SentenceId premise : sentence.premises)
        if (premise != KnownSentence::none)
          line["premises"].push_back(std::ranges::find(proof, premise) - proof.begin());
      json["derivation"].push_back(std::move(line));
    }
  }
  std::map<std::string, std::size_t> rules;
  std::map<core::NameId, std::size_t> names;
  for (SentenceId id = 0; id < knowledge.size(); ++id) {
    if (knowledge[id].rule == KnownSentence::input) continue;
    ++rules[std::string(reasoner.rule_name(id))];
    for (const core::NameId name : knowledge.names(id)) ++names[name];
  }
  for (const auto& [rule, times] : rules) json["rules"][rule] = times;
  std::vector<std::pair<std::size_t, std::string>> most;
  for (const auto& [name, times] : names) most.emplace_back(times, narsese::print(knowledge.name(name)));
  std::ranges::sort(most, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (most.size() > most_names_shown) most.resize(most_names_shown);
  for (const auto& [times, name] : most) json["names"].push_back({name, times});
  return json;
}

}  // namespace

std::vector<std::string> control_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : controls) names.emplace_back(name);
  return names;
}

std::unique_ptr<core::InferenceControl> make_control(const std::string& name, std::uint64_t seed) {
  for (const auto& [known, make] : controls)
    if (name == known) return make(seed);
  throw std::invalid_argument("unknown control '" + name + "'");
}

FloodInput FloodInput::by_scores(std::vector<StatementId> statements, const core::Vector& scores) {
  FloodInput input{std::move(statements)};
  double most = 0;
  for (const StatementId id : input.statements) most = std::max(most, scores[id]);
  for (const StatementId id : input.statements)
    input.urgency.push_back(most > 0 ? core::urgency_of_score(scores[id], most) : core::unscored_urgency);
  return input;
}

// The urgency of each input statement. A question has no evidence and gets urgency 1, so that it comes first.
core::Urgency FloodInput::urgency_of_inputs() const {
  return [this](core::Knowledge& knowledge, SentenceId id) {
    const auto evidence = knowledge.evidence(id);
    return evidence.empty() ? 1.0 : urgency[evidence[0] - 1];
  };
}

std::vector<TruthValue> FloodAsking::exact_truths(const AskedQuestion& question) const {
  std::vector<TruthValue> truths;
  for (std::size_t i = 0; i < std::min(most_proofs, question.proofs.size()); ++i) {
    const FloodInput input{question.proofs[i], std::vector<double>(question.proofs[i].size(), 1)};
    if (const auto truth = ask_by_urgency(question, input, nullptr, false, false).truth)
      truths.push_back(*truth);
  }
  return truths;
}

FloodAnswer FloodAsking::ask_by_urgency(const AskedQuestion& question, const FloodInput& input,
                                        const std::vector<TruthValue>* exact, bool weighed,
                                        bool shows) const {
  const core::Urgency urgency = input.urgency_of_inputs();
  if (weighed) return ask(question, input, core::by_worth(urgency), exact, shows);
  return ask(question, input, core::by_urgency(urgency), exact, shows);
}

FloodAnswer FloodAsking::ask(const AskedQuestion& question, const FloodInput& input,
                             std::unique_ptr<core::InferenceControl> control,
                             const std::vector<TruthValue>* exact, bool shows,
                             const AskedAgain* again) const {
  narsese::TermTable table;
  narsese::TermCopies copies(table);
  core::Reasoner reasoner(table, std::move(control));
  const auto tell = [&](narsese::Sentence sentence) {
    sentence.term = copies(sentence.term);
    return reasoner.input(sentence);
  };
  FloodAnswer answered;
  std::optional<SentenceId> best;
  const auto hear = [&](const ReasonerEvent& event) {
    if (again) again->loop.observe(reasoner, event);
    if (event.kind != ReasonerEvent::Kind::answer || answered.found) return;
    const KnownSentence& answer = reasoner.knowledge()[event.sentence];
    if (!question.expects(narsese::print(answer.term))) return;
    if (best && reasoner.knowledge()[*best].truth.confidence >= answer.truth.confidence) return;
    best = event.sentence;
    answered.truth = answer.truth;
    answered.found = exact == nullptr || std::ranges::any_of(*exact, [&](const TruthValue& truth) {
                       return is_as_true(answer.truth, truth);
                     });
    answered.steps = reasoner.steps();
  };
  reasoner.observe(hear);
  for (const StatementId id : input.statements) tell(set.corpus.premise(id));
  tell(question.sentence);
  constexpr std::uint64_t usual_steps = 64;
  const std::uint64_t at_once = again ? again->refresh : usual_steps;
  while (!answered.found && reasoner.steps() < steps &&
         reasoner.run(std::min(at_once, steps - reasoner.steps())) > 0)
    if (again && !answered.found) again->loop.refresh(reasoner);
  answered.weaker = best && !answered.found;
  if (!answered.found) answered.steps = steps;
  if (best)
    for (const core::InputNumber number : reasoner.knowledge().evidence(*best))
      answered.used.push_back(input.statements[number - 1]);
  std::ranges::sort(answered.used);
  if (shows) answered.shown = shown(reasoner, question, best, answered);
  return answered;
}

}  // namespace engram::experiments::flood
