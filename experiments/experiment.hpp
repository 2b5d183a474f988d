// SPDX-License-Identifier: MIT
// The form of an experiment: independent trials that give rows, and a conclusion drawn from the rows alone.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
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

/// Errors  SpecError
std::unique_ptr<Experiment> make_experiment(const Spec& spec);
/// Draws the conclusion from rows as they stand in results.jsonl; inputs are not needed.
Conclusion conclude(const Spec& spec, const std::vector<Json>& rows);

// The experiments. Each has a file of its name.
std::unique_ptr<Experiment> make_comparison(const Spec& spec);
Conclusion conclude_comparison(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_completion(const Spec& spec);
Conclusion conclude_completion(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_priming(const Spec& spec);
Conclusion conclude_priming(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_prediction(const Spec& spec);
Conclusion conclude_prediction(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_equivalence(const Spec& spec);
Conclusion conclude_equivalence(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_capacity(const Spec& spec);
Conclusion conclude_capacity(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_links(const Spec& spec);
Conclusion conclude_links(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_forgetting(const Spec& spec);
Conclusion conclude_forgetting(const Spec& spec, const std::vector<Json>& rows);
std::unique_ptr<Experiment> make_icons(const Spec& spec);
Conclusion conclude_icons(const Spec& spec, const std::vector<Json>& rows);

/// Seconds that `work` took.
template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace engram::experiments
