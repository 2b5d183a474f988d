// SPDX-License-Identifier: MIT
// The form of an experiment: what a spec may say of it, independent trials that give rows, a conclusion drawn
// from the rows alone, and what of them can be compared between runs.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {

/// Seconds that `work` took.
template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a trial gives. Rows depend on the spec, the inputs and the trial's number alone; how long things
/// took is kept apart, since it never repeats.
struct TrialResult {
  std::vector<Json> rows;
  std::vector<Json> timings;

  /// Works, and adds how many seconds this method took.
  template <class Work>
  void time(std::size_t trial, const std::string& method, Work work) {
    timings.push_back({{"trial", trial}, {"method", method}, {"seconds", seconds(work)}});
  }
};

/// Lines of the inputs that were not taken in, each beside the name of its file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;

/// The trials of one run; its spec must outlive them.
class Trials {
 public:
  virtual ~Trials() = default;
  /// Reads the inputs; called once.
  virtual Rejections prepare() = 0;
  virtual std::size_t count() const = 0;
  /// May be called from several threads at once, after prepare().
  virtual TrialResult run(std::size_t trial) const = 0;
  /// All of the spec that bears on a trial's rows, their numbers "trial" aside: trials of equal settings, on
  /// the same inputs, give the same rows, in other runs as well. Null: the whole spec and the trial's number.
  virtual Json setting(std::size_t /*trial*/) const { return nullptr; }
};

/// Those of an experiment with options of its own.
template <class Options>
class TrialsOf : public Trials {
 public:
  TrialsOf(const Spec& spec, const Options& options) : spec_(spec), options_(options) {}

 protected:
  const Spec& spec_;
  const Options& options_;
};

/// A number in a row that can be held against another run's. Those of equal measure, setting, method and unit
/// are averaged; then units are paired.
struct Observation {
  std::string measure, method, unit;
  double value = 0;
  std::string setting = {};  // what tables keep apart, such as a stream; a path is shown by its file's name
};

/// What `engram compare` makes of an experiment's rows.
struct Measures {
  std::string pairing;                                   // what is paired: "cue by cue"
  std::vector<Observation> (*observe)(const Json& row);  // Errors  Json::exception for what is no such row
};

/// Of the member "method", and of each of these measures that the row has: its name, and by JSON Pointer a
/// number or truth value. The unit is told by the members of these names.
std::vector<Observation> observed(const Json& row, const std::vector<const char*>& unit,
                                  const std::vector<std::pair<const char*, const char*>>& measures);

/// Neighbouring episodes of a file resemble each other: who pairs or resamples them takes as many as this at
/// a time. Chosen: longer than what one event leads to in our story; a day of it has some 25 events.
inline constexpr std::size_t episode_block = 5;

template <class Own, class Options>
std::unique_ptr<Trials> make_trials(const Spec& spec, const Options& options) {
  return std::make_unique<Own>(spec, options);
}

/// An experiment as a spec asks for it. Each has a folder of its own, and a line in experiments.cpp.
class Experiment {
 public:
  virtual ~Experiment() = default;
  virtual const char* name() const = 0;
  /// Reads its parts of a spec, with their defaults; called once, before all else.
  /// Errors  JsonError, SpecError
  virtual void read(SpecReader& reader, Spec& spec) = 0;
  /// What is compared, by the names that tables give them.
  virtual std::vector<std::string> methods(const Spec& spec) const = 0;
  /// Errors  SpecError
  virtual std::unique_ptr<Trials> trials(const Spec& spec) const = 0;
  /// From rows as they stand in results.jsonl, without the inputs.
  virtual Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const = 0;
  virtual const Measures& measures() const = 0;
};

/// The same made of functions, with what it has read of a spec for itself.
template <class Options>
struct ExperimentParts {
  const char* name;
  Options (*read)(SpecReader& reader, Spec& spec);
  std::unique_ptr<Trials> (*trials)(const Spec& spec, const Options& options);
  Conclusion (*conclude)(const Spec& spec, const Options& options, const std::vector<Json>& rows);
  Measures measures;
  std::vector<std::string> (*methods)(const Options& options) = nullptr;  // else those of the spec
};

template <class Options>
class ExperimentOf final : public Experiment {
 public:
  explicit ExperimentOf(ExperimentParts<Options> parts) : parts_(std::move(parts)) {}
  const Options& options() const { return options_; }
  const char* name() const override { return parts_.name; }
  void read(SpecReader& reader, Spec& spec) override { options_ = parts_.read(reader, spec); }
  std::vector<std::string> methods(const Spec& spec) const override {
    return parts_.methods != nullptr ? parts_.methods(options_) : labels_of(spec.methods);
  }
  std::unique_ptr<Trials> trials(const Spec& spec) const override { return parts_.trials(spec, options_); }
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override {
    return parts_.conclude(spec, options_, rows);
  }
  const Measures& measures() const override { return parts_.measures; }

 private:
  ExperimentParts<Options> parts_;
  Options options_;
};

template <class Options>
std::unique_ptr<Experiment> make_experiment(ExperimentParts<Options> parts) {
  return std::make_unique<ExperimentOf<Options>>(std::move(parts));
}

/// One of each, as yet without a spec. In the order in which they are listed.
std::vector<std::unique_ptr<Experiment>> experiments();

}  // namespace engram::experiments
