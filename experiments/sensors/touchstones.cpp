// SPDX-License-Identifier: MIT
#include "experiments/sensors/touchstones.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

#include "core/events/outcome_model.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::experiments::sensors {
namespace {

using ByStimulus = std::array<double, 26>;
double& at(ByStimulus& values, char stimulus) { return values[static_cast<std::size_t>(stimulus - 'A')]; }
double at(const ByStimulus& values, char stimulus) {
  return values[static_cast<std::size_t>(stimulus - 'A')];
}
double sum_of(const ByStimulus& values, std::string_view stimuli) {
  double sum = 0;
  for (const char stimulus : stimuli) sum += at(values, stimulus);
  return sum;
}

constexpr double learning_rate = 0.2;

class RescorlaWagner : public Conditioner {
 public:
  void trial(std::string_view stimuli, bool reinforced) override {
    const double error = (reinforced ? 1 : 0) - response(stimuli);
    for (const char stimulus : stimuli) at(strength_, stimulus) += learning_rate * error;
  }
  double response(std::string_view stimuli) const override { return sum_of(strength_, stimuli); }
  double attention(char) const override { return 0; }

 private:
  ByStimulus strength_{};
};

class Mackintosh : public Conditioner {
 public:
  Mackintosh() { alpha_.fill(0.5); }
  void trial(std::string_view stimuli, bool reinforced) override {
    const double lambda = reinforced ? 1 : 0, all = response(stimuli);
    for (const char stimulus : stimuli) {
      double &strength = at(strength_, stimulus), &alpha = at(alpha_, stimulus);
      const double others = all - strength;  // strength of the other stimuli before this trial
      const double better = std::abs(lambda - others) - std::abs(lambda - strength);
      strength += learning_rate * alpha * (lambda - strength);
      constexpr double rate = 0.2, least_fall = 0.01;
      alpha =
          std::clamp(alpha + (better > 0 ? rate * better : std::min(rate * better, -least_fall)), 0.1, 1.0);
    }
  }
  double response(std::string_view stimuli) const override { return sum_of(strength_, stimuli); }
  double attention(char stimulus) const override { return at(alpha_, stimulus); }

 private:
  ByStimulus strength_{}, alpha_;
};

class PearceHall : public Conditioner {
 public:
  PearceHall() { alpha_.fill(1); }
  void trial(std::string_view stimuli, bool reinforced) override {
    const double lambda = reinforced ? 1 : 0, expected = response(stimuli);
    for (const char stimulus : stimuli) {
      double& alpha = at(alpha_, stimulus);
      at(excitation_, stimulus) += expected < lambda ? learning_rate * alpha * lambda : 0;
      at(inhibition_, stimulus) += learning_rate * alpha * std::max(0.0, expected - lambda);
      alpha = std::abs(lambda - expected);
    }
  }
  double response(std::string_view stimuli) const override {
    return sum_of(excitation_, stimuli) - sum_of(inhibition_, stimuli);
  }
  double attention(char stimulus) const override { return at(alpha_, stimulus); }

 private:
  ByStimulus excitation_{}, inhibition_{}, alpha_;
};

class FilterAttention : public Conditioner {
 public:
  explicit FilterAttention(const core::OutcomeOptions& options) : model_(options) {}
  void trial(std::string_view stimuli, bool reinforced) override {
    const std::vector<core::EventTrace> situation = traces(stimuli);
    model_.learn({situation, 0, reinforcer, reinforced});
    model_.learn({{}, 0, reinforcer, false});  // stands for the time between trials
  }
  double response(std::string_view stimuli) const override {
    return model_.prediction(reinforcer, traces(stimuli), 0);
  }
  double attention(char stimulus) const override { return model_.attention(reinforcer, kind_of(stimulus)); }

 private:
  static constexpr core::EventKind reinforcer = 0;
  static core::EventKind kind_of(char stimulus) { return static_cast<core::EventKind>(stimulus - 'A' + 1); }
  static std::vector<core::EventTrace> traces(std::string_view stimuli) {
    std::set<core::EventKind> kinds;  // in ascending order, as the model requires
    for (const char stimulus : stimuli) kinds.insert(kind_of(stimulus));
    std::vector<core::EventTrace> situation;
    for (const core::EventKind kind : kinds) situation.push_back({kind});
    return situation;
  }
  core::OutcomeModel model_;
};

template <class Own>
std::unique_ptr<Conditioner> make() {
  return std::make_unique<Own>();
}

// Event filter that learns patterns of at most `together` events.
template <std::size_t together>
std::unique_ptr<Conditioner> make_filter() {
  core::OutcomeOptions options;
  options.most_together = together;
  if (together == 1) options.by_operation = 0;
  return std::make_unique<FilterAttention>(options);
}

void refuse_design(std::string_view design) {
  throw std::invalid_argument("a design must be as 16 A+; 8 AB+ B-, found " + std::string(design));
}

// Removes and returns the text before `separator`, which is removed too.
std::string_view split_off(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return part;
}

}  // namespace

const std::vector<Theory>& theories() {
  static const std::vector<Theory> all{{"Rescorla and Wagner", make<RescorlaWagner>},
                                       {"Mackintosh", make<Mackintosh>},
                                       {"Pearce and Hall", make<PearceHall>},
                                       {"attention to single events", make_filter<1>},
                                       {"attention", make_filter<core::OutcomeOptions{}.most_together>}};
  return all;
}

void train(Conditioner& learner, std::string_view design) {
  if (design.ends_with(' ')) refuse_design(design);
  for (std::string_view left = design; !left.empty();) {
    std::string_view phase = split_off(left, "; ");
    const std::string_view number = split_off(phase, " ");
    std::size_t rounds = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rounds);
    if (error != std::errc() || end != number.data() + number.size() || phase.empty()) refuse_design(design);
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::string_view trials = phase; !trials.empty();) {
        std::string_view stimuli = split_off(trials, " ");
        const char outcome = stimuli.empty() ? ' ' : stimuli.back();
        if (outcome != '+' && outcome != '-') refuse_design(design);
        stimuli.remove_suffix(1);
        const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
        if (!std::ranges::all_of(stimuli, is_letter)) refuse_design(design);
        learner.trial(stimuli, outcome == '+');
      }
  }
}

const std::vector<Touchstone>& touchstones() {
  static const std::vector<Touchstone> all{
      {"blocking", "16 A+; 8 AB+", "B", "8 AB+", "B", false,
       "rats learn almost nothing about B (Kamin 1969)"},
      {"overshadowing", "8 AB+", "B", "8 B+", "B", false,
       "rats learn less about B, if A and B are about equally intense and weak (Mackintosh 1976)"},
      {"conditioned inhibition, summation", "24 A+ C+ AX-", "CX", "24 A+ C+", "CX", false,
       "X reduces the response to C (review: Rescorla 1969)"},
      {"conditioned inhibition, retardation", "24 A+ AX-; 3 X+", "X", "24 A+; 3 X+", "X", false,
       "X is learnt more slowly (review: Rescorla 1969)"},
      {"latent inhibition", "24 X-; 3 X+", "X", "3 X+", "X", false,
       "sheep and goats learn X more slowly; Wilcoxon T = 2, p < .01 (Lubow and Moore 1959)"},
      {"positive patterning", "60 AB+ A- B-", "AB", "60 AB+ A- B-", "A", true,
       "a dog learns it in 700 to 1400 trials (Woodbury 1943)"},
      {"negative patterning", "60 A+ B+ AB-", "AB", "60 A+ B+ AB-", "A", false,
       "a dog learns it in 700 to 1400 trials (Woodbury 1943)"}};
  return all;
}

const std::vector<AttentionProbe>& attention_probes() {
  static const std::vector<AttentionProbe> all{{"A predicts the reinforcer", "24 A+", 'A'},
                                               {"A is reinforced every other time", "12 A+ A-", 'A'},
                                               {"B is blocked", "16 A+; 8 AB+", 'B'},
                                               {"B in a compound, not blocked", "8 AB+", 'B'},
                                               {"X alone, not reinforced", "24 X-", 'X'},
                                               {"A, which distinguishes AX+ from BX-", "24 AX+ BX-", 'A'},
                                               {"X, which distinguishes nothing", "24 AX+ BX-", 'X'}};
  return all;
}

}  // namespace engram::experiments::sensors
