// SPDX-License-Identifier: MIT
// The form of an experiment: independent trials that give rows, and a conclusion drawn from the rows alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/inputs/corpus.hpp"
#include "experiments/reports/output.hpp"
#include "experiments/runs/spec.hpp"

namespace engram::experiments {

/// What a trial gives. Rows depend on the spec, the inputs and the trial's number alone; how long things
/// took is kept apart, since it never repeats.
struct TrialResult {
  std::vector<Json> rows;
  std::vector<Json> timings;
};

class Experiment {
 public:
  virtual ~Experiment() = default;
  /// Reads the inputs; called once.  Returns  the lines that were not taken in, file by file.
  virtual Rejections prepare() = 0;
  virtual std::size_t trials() const = 0;
  /// May be called from several threads at once, after prepare().
  virtual TrialResult run(std::size_t trial) const = 0;
  /// All of the spec that bears on a trial's rows, their numbers "trial" aside: trials of equal settings, on
  /// the same inputs, give the same rows, in other runs as well. Null: the whole spec and the trial's number.
  virtual Json setting(std::size_t /*trial*/) const { return nullptr; }
};

class SpecReader;

/// An experiment's name, and what it consists of: its parts of a spec, read with their defaults; the trials
/// of a spec; the conclusion from rows as they stand in results.jsonl, without the inputs.
struct ExperimentKind {
  const char* name;
  void (*read)(SpecReader& reader, Spec& spec);           // Errors  SpecError
  std::unique_ptr<Experiment> (*make)(const Spec& spec);  // Errors  SpecError
  Conclusion (*conclude)(const Spec& spec, const std::vector<Json>& rows);
};

// Each has a folder of its name.
void read_comparison(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_comparison(const Spec& spec);
Conclusion conclude_comparison(const Spec& spec, const std::vector<Json>& rows);
void read_completion(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_completion(const Spec& spec);
Conclusion conclude_completion(const Spec& spec, const std::vector<Json>& rows);
void read_priming(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_priming(const Spec& spec);
Conclusion conclude_priming(const Spec& spec, const std::vector<Json>& rows);
void read_prediction(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_prediction(const Spec& spec);
Conclusion conclude_prediction(const Spec& spec, const std::vector<Json>& rows);
void read_equivalence(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_equivalence(const Spec& spec);
Conclusion conclude_equivalence(const Spec& spec, const std::vector<Json>& rows);
void read_capacity(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_capacity(const Spec& spec);
Conclusion conclude_capacity(const Spec& spec, const std::vector<Json>& rows);
void read_links(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_links(const Spec& spec);
Conclusion conclude_links(const Spec& spec, const std::vector<Json>& rows);
void read_forgetting(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_forgetting(const Spec& spec);
Conclusion conclude_forgetting(const Spec& spec, const std::vector<Json>& rows);
void read_icons(SpecReader& reader, Spec& spec);
std::unique_ptr<Experiment> make_icons(const Spec& spec);
Conclusion conclude_icons(const Spec& spec, const std::vector<Json>& rows);

inline constexpr ExperimentKind experiment_kinds[] = {
    {"comparison", read_comparison, make_comparison, conclude_comparison},
    {"completion", read_completion, make_completion, conclude_completion},
    {"priming", read_priming, make_priming, conclude_priming},
    {"prediction", read_prediction, make_prediction, conclude_prediction},
    {"equivalence", read_equivalence, make_equivalence, conclude_equivalence},
    {"capacity", read_capacity, make_capacity, conclude_capacity},
    {"links", read_links, make_links, conclude_links},
    {"forgetting", read_forgetting, make_forgetting, conclude_forgetting},
    {"icons", read_icons, make_icons, conclude_icons},
};

/// The kind of this name, which must be one of them.
inline const ExperimentKind& experiment_kind(std::string_view name) {
  return *std::ranges::find(experiment_kinds, name, &ExperimentKind::name);
}

inline std::unique_ptr<Experiment> make_experiment(const Spec& spec) {
  return experiment_kind(spec.experiment).make(spec);
}
inline Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) {
  return experiment_kind(spec.experiment).conclude(spec, rows);
}

/// Seconds that `work` took.
template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace engram::experiments
