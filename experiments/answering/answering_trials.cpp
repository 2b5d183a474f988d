// SPDX-License-Identifier: MIT
// Trials of experiment `answering`: do the selected statements contain a whole proof, and how are the needed ones
// ranked?
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "experiments/answering/calibration.hpp"
#include "experiments/answering/live_answers.hpp"
#include "experiments/reasoners/selection.hpp"
#include "experiments/spec/method_choice.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments::answering {
namespace {

using core::StatementId;
using Given = std::span<const StatementId>;
using Questions = std::vector<const AskedQuestion*>;

constexpr std::size_t most_shown = 20;  // most questions of a set that get a page; chosen

// A part of the questions (for tuning or for evaluation), and the methods measured on it.
struct Part {
  std::string name;
  std::vector<MethodChoice> choices;
};

// Questions of a part of a set, and the JSON members that all rows of this part have in common.
struct Round {
  const QuestionSet& set;
  Questions questions;
  Json common;
  // Answers of the live NARS from the first proof alone.
  std::map<const AskedQuestion*, std::optional<Answer>> oracles = {};
};

// Returns whether a NARS is asked this question: it must have a known proof, or be known to have no answer.
bool is_asked(const AskedQuestion& question) { return question.needed() > 0 || question.refuted; }

class AnsweringTrials : public TrialsOf<AnsweringOptions> {
 public:
  AnsweringTrials(const Spec& spec, const AnsweringOptions& options)
      : TrialsOf(spec, options), methods_(with_baselines(spec.methods)), sets_(spec, options, forgetting()) {
    configurations_ = all_of(options.ablation, configuration_name);
    candidates_ = all_of(options.tuning.methods, candidate_name);
  }

  Rejections prepare() override {
    if (options_.system) live_ = std::make_unique<LiveAnswers>(*options_.system, options_.recording);
    return sets_.prepare();
  }

  std::size_t count() const override { return sets_.count(); }
  Json setting(std::size_t trial) const override { return sets_.setting(trial); }

  TrialResult run(std::size_t trial) const override {
    const TrialSets::Place place = sets_.place(trial);
    const std::shared_ptr<const QuestionSet> set = sets_.set(trial);
    TrialResult result = run(trial, *set, place.shown);
    if (forgetting() && !place.training)
      for (const auto& policy : core::forgetting_policies)
        result.rows.push_back(policy.value == *forgetting()
                                  ? memory_row(trial, *set, policy, place.shown)
                                  : memory_row(trial, sets_.made(place, policy.value), policy, false));
    return result;
  }

 private:
  using Name = std::string (*)(const std::string&);

  CorpusForgetting forgetting() const {
    return spec_.forgetting == core::ForgettingPolicy::none ? CorpusForgetting() : spec_.forgetting;
  }

  // Row of a forgetting policy: for each question, whether a whole proof is still in memory.
  static Json memory_row(std::size_t trial, const QuestionSet& set,
                         const core::NamedValue<core::ForgettingPolicy>& policy, bool shows) {
    Json row = {{"trial", trial},
                {"set", set.label},
                {"part", in_memory},
                {"statements", set.corpus.held()},
                {"method", policy.name}};
    if (set.seed) row["seed"] = *set.seed;
    Json& whole = row["measures"][in_memory] = Json::array();
    for (const AskedQuestion& question : set.questions)
      if (!question.training && question.needed() > 0)
        whole.push_back(
            std::ranges::any_of(question.proofs,
                                [&](const Question::Proof& proof) { return set.corpus.is_held(proof); })
                ? 1.0
                : 0.0);
    row["questions"] = whole.size();
    if (shows && set.corpus.session->forgetting().is_on())
      row["forgotten"] = set.corpus.forgotten.json(*set.corpus.session);
    return row;
  }

  static std::vector<MethodChoice> all_of(const std::vector<Variants>& all, Name name) {
    std::vector<MethodChoice> choices;
    for (const Variants& variants : all) {
      choices.push_back(variants.base);
      choices.insert(choices.end(), variants.changed.begin(), variants.changed.end());
    }
    for (MethodChoice& choice : choices) choice.label = name(choice.label);
    return choices;
  }

  std::vector<Part> parts_of(const QuestionSet& set) const {
    std::vector<Part> parts;
    if (std::ranges::any_of(set.questions, &AskedQuestion::training))
      parts.push_back({training, candidates_});
    if (std::ranges::all_of(set.questions, &AskedQuestion::training)) return parts;
    parts.push_back({test, methods_});
    std::vector<MethodChoice>& choices = parts.back().choices;
    if (set.ablation) choices.insert(choices.end(), configurations_.begin(), configurations_.end());
    choices.insert(choices.end(), candidates_.begin(), candidates_.end());
    return parts;
  }

  TrialResult run(std::size_t trial, const QuestionSet& set, bool shown) const {
    TrialResult result;
    for (const Part& part : parts_of(set)) {
      const Round round = make_round(trial, set, part.name);
      const std::size_t first_row = result.rows.size();
      for (std::size_t i = 0; i < part.choices.size(); ++i) {
        const bool is_own = part.name == test && i < methods_.size();
        add_row(round, part.choices[i].label, measure(round, part.choices[i], is_own, is_own && shown),
                result);
      }
      if (part.name != test) continue;
      for (const std::string& arm : {everything_arm, oracle_arm})
        add_row(round, arm, arm_row(round, arm), result);
      if (shown) add_texts(round, std::span(result.rows).subspan(first_row));
    }
    return result;
  }

  Round make_round(std::size_t trial, const QuestionSet& set, const std::string& part) const {
    Round round{set, {}, {}};
    Json needed = Json::array();  // for each question with a known proof: size of the first one
    Json holds = Json::array();   // for each question that a NARS is asked: whether it has an answer
    for (const AskedQuestion& question : set.questions) {
      if (question.training != (part == training)) continue;
      round.questions.push_back(&question);
      if (question.needed() > 0) needed.push_back(question.needed());
      if (!live_ || part != test || !is_asked(question)) continue;
      holds.push_back(!question.refuted);
      round.oracles[&question] = live_->oracle(set, question);
    }
    round.common = {{"trial", trial},
                    {"set", set.label},
                    {"part", part},
                    {"statements", set.corpus.session->index().statements()},
                    {"questions", round.questions.size()},
                    {"needed", needed}};
    if (live_) round.common["holds"] = holds;
    if (set.seed) round.common["seed"] = *set.seed;
    if (!set.sha256.empty()) round.common["sha256"] = set.sha256;
    return round;
  }

  // Measurements of one method.
  struct MeasuredRow {
    Json measures = Json::object();                        // lists by name, with a value for each question
    Json seconds = Json::array(), asking = Json::array();  // durations of recalls and of NARS requests
    Json shown = nullptr;                                  // data for question pages; null: no pages
    // Calibration data: by gate, for each question for which the method predicts the probability of a whole proof, this
    // probability and whether a whole proof was selected.
    Json promises = nullptr;

    void add(const std::string& name, double value) { measures[name].push_back(value); }
    void add_ranking(const std::string& of, const RankingMeasures& ranking,
                     const std::vector<std::size_t>& cutoffs) {
      add(of + " MRR", ranking.reciprocal_rank());
      for (const std::size_t k : cutoffs) {
        add(of + " nDCG@" + std::to_string(k), ranking.ndcg(k));
        add(of + " recall@" + std::to_string(k), ranking.recall(k));
      }
    }
  };

  static void add_row(const Round& round, const std::string& label, const MeasuredRow& measured,
                      TrialResult& result) {
    const Json times = {{"trial", round.common.at("trial")}, {"set", round.set.title()}, {"method", label}};
    for (const auto& [prefix, each] :
         {std::pair("", &measured.seconds), {"asking after ", &measured.asking}}) {
      if (each->empty()) continue;
      result.timings.push_back(times);
      result.timings.back()["method"] = prefix + label;
      result.timings.back()["each"] = *each;
    }
    if (measured.measures.empty()) return;
    Json& row = result.rows.emplace_back(round.common);
    row["method"] = label;
    if (!measured.shown.is_null()) row["shown"] = measured.shown;
    if (!measured.promises.is_null()) row["promises"] = measured.promises;
    row["measures"] = measured.measures;
  }

  MeasuredRow measure(const Round& round, const MethodChoice& choice, bool asks, bool shows) const {
    MeasuredRow row;
    if (shows) row.shown = Json::array();
    for (const AskedQuestion* question : round.questions) {
      if (question->refuted && !(live_ && asks)) continue;
      const Selection selection(round.set, *question, CueWithSolved(round.set, *question), choice.method);
      row.seconds.push_back(selection.seconds());
      const auto given = [&](const Gate& gate) { return selection.given(gate); };
      const auto proof = [&](Given among) { return selection.proof(among); };
      add_gates(round, *question, asks, given, proof, row);
      if (selection.recall().promises && question->needed() > 0)
        for (const Gate& gate : round.set.gates)
          row.promises[gate.name()].push_back({promised(selection.recall().statements, given(gate)),
                                               proof_coverage(given(gate), question->proofs).whole > 0});
      if (question->needed() > 0) row.add_ranking("statements", selection.needed(), options_.cutoffs);
      if (shows && question->needed() > 0 && row.shown.size() < most_shown)
        row.shown.push_back(shown_json(round.set, *question, selection));
      if (!question->wanted.empty()) row.add_ranking("concepts", selection.wanted(), options_.cutoffs);
    }
    return row;
  }

  // Measures a reference row. At every gate, `everything` selects all statements, and `oracle` selects the statements
  // of the first proof that are in memory.
  MeasuredRow arm_row(const Round& round, const std::string& arm) const {
    const std::vector<StatementId> all(round.set.drawn.begin(), round.set.drawn.end());
    MeasuredRow row;
    for (const AskedQuestion* question : round.questions) {
      Question::Proof first = question->proofs.empty() ? Question::Proof() : question->proofs.front();
      std::erase_if(first, [&](StatementId id) { return !round.set.corpus.is_held(id); });
      const Given given = arm == everything_arm ? Given(all) : Given(first);
      const auto proof = [&](Given among) { return proof_coverage(among, question->proofs); };
      add_gates(
          round, *question, true, [&](const Gate&) { return given; }, proof, row);
    }
    return row;
  }

  // Measures each gate: the coverage of proofs by the selected statements, and the answer of a live NARS to them. If
  // consecutive gates select the same statements, asks the NARS only once.
  template <class GivenAt, class ProofAmong>
  void add_gates(const Round& round, const AskedQuestion& question, bool asks, GivenAt given_at,
                 ProofAmong proof_among, MeasuredRow& row) const {
    std::optional<std::pair<Given, std::optional<Answer>>> last;
    for (const Gate& gate : round.set.gates) {
      const Given given = given_at(gate);
      if (question.needed() > 0) {
        const ProofCoverage proof = proof_among(given);
        row.add("given " + gate.name(), static_cast<double>(given.size()));
        row.add("kept " + gate.name(), proof.kept);
        row.add("whole " + gate.name(), proof.whole);
      }
      if (!live_ || !asks || !is_asked(question) || given.size() > most_sent) continue;
      if (!last || last->first.data() != given.data() || last->first.size() != given.size())
        last = {given, live_->answer(round.set, question, given, row.asking)};
      add_answer(gate.name(), question, round.oracles.at(&question), last->second, row);
    }
  }

  // Adds the measures of an answer at gate G: "support G" for every question. If the question has a known proof, also
  // adds "answered G", "weaker G" and "wrong G": 1 for the one that applies, 0 for the others. All three are 0 if the
  // NARS finds no answer from the first proof alone (the oracle).
  static void add_answer(const std::string& gate, const AskedQuestion& question,
                         const std::optional<Answer>& oracle, const std::optional<Answer>& answer,
                         MeasuredRow& row) {
    row.add("support " + gate, support(answer));
    if (question.needed() == 0) return;
    const Verdict verdict = oracle ? verdict_on(answer, *oracle) : Verdict::none;
    for (const auto& [one, name] : verdicts)
      if (one != Verdict::none) row.add(std::string(name) + " " + gate, verdict == one ? 1 : 0);
  }

  // The selected statements with scores, best first, and the ranks of the statements of the first proof. A statement
  // without a score has rank null.
  static Json shown_json(const QuestionSet& set, const AskedQuestion& question, const Selection& selection) {
    const core::SparseVector& scores = selection.recall().statements;
    Json shown = {{"given", Json::array()}, {"ranks", Json::array()}};
    for (const StatementId id : selection.given(set.gates.front()))
      shown["given"].push_back({id, scores[id]});
    for (const StatementId id : question.proofs.front()) {
      const bool is_ranked = set.corpus.is_held(id) && scores[id] > 0;
      shown["ranks"].push_back(is_ranked ? Json(selection.rank(id)) : Json(nullptr));
    }
    return shown;
  }

  // Adds to the first row the questions that get a page, and the texts of all statements that the rows mention.
  static void add_texts(const Round& round, std::span<Json> rows) {
    Json shown = Json::array();
    std::set<StatementId> named;
    for (const AskedQuestion* question : round.questions) {
      if (question->needed() == 0 || shown.size() == most_shown) continue;
      shown.push_back({{"question", question->text},
                       {"expected", question->expected_texts},
                       {"proofs", question->proofs}});
      for (const Question::Proof& proof : question->proofs) named.insert(proof.begin(), proof.end());
    }
    for (const Json& row : rows)
      for (const Json& one : row.value("shown", Json::array()))
        for (const Json& given : one.at("given")) named.insert(given.at(0).get<StatementId>());
    Json texts = Json::object();
    for (const StatementId id : named)
      texts[std::to_string(id)] = narsese::print(round.set.corpus.premise(id));
    rows.front()["asked"] = shown;
    rows.front()["texts"] = texts;
    if (!round.set.corpus.lost.empty()) rows.front()["held"] = round.set.corpus.held();
  }

  std::vector<MethodChoice> methods_, configurations_, candidates_;
  TrialSets sets_;
  std::unique_ptr<LiveAnswers> live_;  // null if the spec has no system
};

}  // namespace

std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options) {
  return std::make_unique<AnsweringTrials>(spec, options);
}

}  // namespace engram::experiments::answering
