// SPDX-License-Identifier: MIT
// Worlds of operant conditioning: the events of a trial decide which operation produces the goal's event.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "experiments/sensors/world.hpp"

namespace engram::experiments::sensors {
namespace {

// Operations that ONA's shell registers by default, in its order.
constexpr std::array operation_names{"^left", "^right", "^up", "^down", "^say", "^pick", "^drop", "^go"};
constexpr const char* wanted = "goal";
constexpr std::size_t never = static_cast<std::size_t>(-1);

// One step of a trial: its events that matter for the goal, and its other events.
struct TrialStep {
  std::vector<std::string> relevant, others = {};
};
// Type of trial. Only its last step has a goal, and only the operation in this step is judged.
struct TrialKind {
  std::size_t weight;  // relative frequency
  std::size_t rule;    // index of the rule that decides which operation is correct
  std::vector<TrialStep> steps;
};
struct ConditioningTask {
  std::vector<TrialKind> kinds;
  std::size_t rules, operations;
  std::size_t delay = 0, reversal = never, companions = 0;
  double drift = 0;
};

std::string stimulus_name(std::size_t stimulus) { return "stimulus_" + std::to_string(stimulus + 1); }

// Task with S stimuli: each trial shows one of them, and each has its own rule.
ConditioningTask stimuli_task(const WorldOptions& options) {
  ConditioningTask task{{}, options.stimuli, options.operations != 0 ? options.operations : options.stimuli};
  for (std::size_t s = 0; s < options.stimuli; ++s) task.kinds.push_back({1, s, {{{stimulus_name(s)}}}});
  return task;
}

// Task with two sensors, a light and a tone, that are on or off. weight(light, tone) and rule(light, tone) return the
// frequency and the rule of a combination. If `silent`, a sensor that is off gives no event.
template <class Weight, class Rule>
ConditioningTask sensors_task(bool silent, Weight weight, Rule rule) {
  ConditioningTask task{{}, 2, 2};
  for (const bool light : {true, false})
    for (const bool tone : {true, false}) {
      if (silent && !light && !tone) continue;
      TrialStep step;
      if (light || !silent) step.relevant.emplace_back(light ? "light_on" : "light_off");
      if (tone || !silent) step.relevant.emplace_back(tone ? "tone_on" : "tone_off");
      task.kinds.push_back({weight(light, tone), rule(light, tone), {std::move(step)}});
    }
  return task;
}

ConditioningTask task_of(const std::string& name, const WorldOptions& options) {
  const bool silent = options.silent;
  if (name == "conjunction")  // weights: both sensors are on in half of the trials
    return sensors_task(
        silent, [=](bool a, bool b) -> std::size_t { return a && b ? (silent ? 2 : 3) : 1; },
        [](bool a, bool b) -> std::size_t { return a && b ? 0 : 1; });
  if (name == "exclusive_or")
    return sensors_task(
        silent, [=](bool a, bool b) -> std::size_t { return silent && a && b ? 2 : 1; },
        [](bool a, bool b) -> std::size_t { return a != b ? 0 : 1; });
  if (name == "sequence") {  // Woodbury's (1943) problem: high then low against the three other orders
    ConditioningTask task{{}, 2, 2};
    for (const char* first : {"high", "low"})
      for (const char* second : {"high", "low"}) {
        const bool goes = first == std::string("high") && second == std::string("low");
        task.kinds.push_back({goes ? 3U : 1U, goes ? 0U : 1U, {{{first}}, {{second}}}});
      }
    return task;
  }
  if (name == "t_maze") {  // a corridor between the cue and the junction, as in Bakker (2002)
    ConditioningTask task{{}, 2, 2};
    for (std::size_t cue = 0; cue < 2; ++cue) {
      TrialKind kind{1, cue, {{{cue == 0 ? "cue_a" : "cue_b"}}}};
      for (std::size_t i = 0; i < options.length; ++i) kind.steps.push_back({{}, {"corridor"}});
      kind.steps.push_back({{"junction"}});
      task.kinds.push_back(std::move(kind));
    }
    return task;
  }
  ConditioningTask task = stimuli_task(options);
  if (name == "delayed") task.delay = options.delay;
  if (name == "reversal") task.reversal = options.reversal;
  if (name == "companions") task.companions = options.companions;
  if (name == "drift") {
    task.drift = options.drift;
    task.operations = 2;
  }
  return task;
}

class ConditioningWorld : public World {
 public:
  ConditioningWorld(ConditioningTask task, const WorldOptions& options, std::uint64_t seed)
      : task_(std::move(task)),
        fidelity_(options.fidelity),
        distractors_(options, seed),
        drawn_(seed, "sensors stimuli"),
        accompanied_(seed, "sensors companions"),
        drifted_(seed, "sensors drift") {
    operations_.assign(operation_names.begin(),
                       operation_names.begin() + static_cast<std::ptrdiff_t>(task_.operations));
    const auto order =
        core::Rng(seed, "sensors rule").permutation(static_cast<std::uint32_t>(task_.operations));
    for (std::size_t r = 0; r < task_.rules; ++r) rule_.push_back(order[r % task_.operations]);
    for (const TrialKind& kind : task_.kinds) total_ += kind.weight;
  }

  std::span<const std::string> operations() const override { return operations_; }

  std::optional<std::size_t> best() const override {
    if (!deciding_) return {};
    const bool reversed = trials_ > task_.reversal;  // trials_ already counts this trial
    return (rule_[kind_->rule] + (reversed ? 1 : 0)) % operations_.size();
  }

  double chance() const override { return 1 / static_cast<double>(operations_.size()); }

  // With drift, an agent only knows how a rule was when its stimulus last occurred, K trials ago. K is geometric with
  // mean S, the number of stimuli. Let h be the probability of a change in a trial, and z = 1 - 2 h. A rule of two
  // operations is the same as then with probability (1 + z^K) / 2. The mean of z^K is z / (S - (S - 1) z).
  double optimum() const override {
    const double z = 1 - 2 * task_.drift, stimuli = static_cast<double>(task_.rules);
    return task_.drift == 0 ? 1 : (1 + z / (stimuli - (stimuli - 1) * z)) / 2;
  }

  // Finds the best list of events by dynamic programming over the sets of events listed so far. An event of the list
  // decides in the trials that contain it and no earlier event of the list.  Cost  O(2^n n kinds) for n events
  std::optional<double> best_by_one_event() const override {
    std::map<std::string, std::size_t> numbers;
    std::vector<unsigned> present;
    for (const TrialKind& kind : task_.kinds) {
      present.push_back(0);
      for (const TrialStep& step : kind.steps)
        for (const std::string& event : step.relevant)
          present.back() |= 1U << numbers.emplace(event, numbers.size()).first->second;
    }
    const unsigned all = (1U << numbers.size()) - 1;
    std::vector<double> best(all + 1);  // by listed events: maximum weight of correct trials without them
    for (unsigned listed = all;; --listed) {
      for (unsigned event = 1; event <= all; event <<= 1) {
        if ((listed & event) != 0) continue;
        std::vector<double> by_rule(task_.rules);
        for (std::size_t i = 0; i < present.size(); ++i)
          if ((present[i] & listed) == 0 && (present[i] & event) != 0)
            by_rule[task_.kinds[i].rule] += static_cast<double>(task_.kinds[i].weight);
        std::vector<double> by_operation(task_.operations);
        for (std::size_t r = 0; r < task_.rules; ++r) by_operation[r % task_.operations] += by_rule[r];
        best[listed] = std::max(best[listed], best[listed | event] + *std::ranges::max_element(by_operation));
      }
      if (listed == 0) return optimum() * best[0] / static_cast<double>(total_);
    }
  }

 private:
  Sensed show() override {
    deciding_ = false;
    if (waiting_ > 0) {
      const bool comes = --waiting_ == 0 && outcome_;
      return distractors_.among(comes ? std::vector<std::string>{wanted} : std::vector<std::string>{}, {},
                                "");
    }
    if (step_ == 0) begin();
    const TrialStep& step = kind_->steps[step_];
    deciding_ = ++step_ == kind_->steps.size();
    if (deciding_) step_ = 0;
    std::vector<std::string> others = step.others;
    for (std::size_t i = 0; i < task_.companions; ++i)
      others.push_back("companion_" + std::to_string(i + 1) + "_" + std::to_string(companion_of() + 1));
    return distractors_.among(step.relevant, std::move(others), deciding_ ? wanted : "");
  }

  Acted carry_out(std::optional<std::size_t> operation) override {
    if (!deciding_) return {};
    const bool right = operation == best();
    waiting_ = task_.delay;
    outcome_ = right;
    Acted acted{.right = right};
    if (right && task_.delay == 0) acted.events.emplace_back(wanted);
    return acted;
  }

  void begin() {
    ++trials_;
    std::size_t place = drawn_.below(total_);
    kind_ = task_.kinds.data();
    while (place >= kind_->weight) place -= (kind_++)->weight;
    if (task_.drift > 0)
      for (std::size_t& correct : rule_)
        if (drifted_.uniform() < task_.drift) correct = 1 - correct;
  }
  // The stimulus whose companion is present: this one with probability `fidelity`, otherwise another one.
  std::size_t companion_of() {
    const bool faithful = accompanied_.uniform() < fidelity_;
    return faithful ? kind_->rule : (kind_->rule + 1 + accompanied_.below(task_.rules - 1)) % task_.rules;
  }

  ConditioningTask task_;
  double fidelity_;
  std::vector<std::string> operations_;
  std::vector<std::size_t> rule_;  // correct operation of each rule before the reversal
  std::size_t total_ = 0;          // sum of the weights of the kinds
  Distractors distractors_;
  core::Rng drawn_, accompanied_, drifted_;
  std::size_t trials_ = 0;           // trials begun so far
  const TrialKind* kind_ = nullptr;  // kind of this trial
  std::size_t step_ = 0;             // next step of the trial; 0 between trials
  bool deciding_ = false;            // whether the operation of this step counts
  std::size_t waiting_ = 0;          // steps until the next trial may begin
  bool outcome_ = false;             // whether `goal` occurs at the end of the wait
};

}  // namespace

std::unique_ptr<World> make_conditioning_world(const std::string& name, const WorldOptions& options,
                                               std::uint64_t seed) {
  return std::make_unique<ConditioningWorld>(task_of(name, options), options, seed);
}

}  // namespace engram::experiments::sensors
