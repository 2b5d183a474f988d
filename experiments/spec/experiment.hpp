// SPDX-License-Identifier: MIT
// Interface of experiments. An experiment reads its part of a spec, runs independent trials that produce rows, draws a
// conclusion from the rows alone, and names the measures that can be compared between runs.
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

/// Runs `work` and returns its duration in seconds.
template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Result of a trial. Rows depend only on the spec, the inputs and the number of the trial. Timings are kept apart,
/// because they differ in every run.
struct TrialResult {
  std::vector<Json> rows;
  std::vector<Json> timings;

  /// Runs `work` and records its duration for this method.
  template <class Work>
  void time(std::size_t trial, const std::string& method, Work work) {
    timings.push_back({{"trial", trial}, {"method", method}, {"seconds", seconds(work)}});
  }
};

/// Rejected lines of the inputs, each with the name of its file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;

/// Trials of one run. The spec must outlive them.
class Trials {
 public:
  virtual ~Trials() = default;
  /// Reads the inputs. Call it once, before run().
  virtual Rejections prepare() = 0;
  virtual std::size_t count() const = 0;
  /// Runs one trial. Several threads may call it at once, after prepare().
  virtual TrialResult run(std::size_t trial) const = 0;
  /// Cache key of a trial: the part of the spec that its rows depend on. Trials with equal settings and inputs give
  /// equal rows, apart from the member "trial", in other runs too. Null means that they depend on the whole spec and
  /// the number of the trial.
  virtual Json setting(std::size_t /*trial*/) const { return nullptr; }
};

/// Base class for the trials of an experiment that has options of its own.
template <class Options>
class TrialsOf : public Trials {
 public:
  TrialsOf(const Spec& spec, const Options& options) : spec_(spec), options_(options) {}

 protected:
  const Spec& spec_;
  const Options& options_;
};

/// A number of a row that can be compared with another run. Observations with equal measure, setting, method and unit
/// are averaged. Then the two runs are paired by unit.
struct Observation {
  std::string measure, method, unit;
  double value = 0;
  std::string setting = {};  // separates tables, for example by stream; a path is shown as its file name
};

/// Comparison of two runs of an experiment (`engram compare`).
struct Measures {
  std::string pairing;                                   // how units are paired, such as "cue by cue"
  std::vector<Observation> (*observe)(const Json& row);  // Errors  Json::exception for a malformed row
};

/// Extracts observations from a row. `measures` lists names and JSON Pointers of numbers or truth values; measures that
/// the row lacks are left out. `unit` lists the members that identify the unit. The member "method" is the method.
std::vector<Observation> observed(const Json& row, const std::vector<const char*>& unit,
                                  const std::vector<std::pair<const char*, const char*>>& measures);

/// Length of a block of episodes. Neighbouring episodes of a file are correlated, so paired tests and resampling use
/// blocks. Chosen: longer than the consequences of one event in our story, where a day has about 25 events.
inline constexpr std::size_t episode_block = 5;

template <class Own, class Options>
std::unique_ptr<Trials> make_trials(const Spec& spec, const Options& options) {
  return std::make_unique<Own>(spec, options);
}

/// An experiment with its part of a spec. Each experiment has its own folder and a line in experiments.cpp.
class Experiment {
 public:
  virtual ~Experiment() = default;
  virtual const char* name() const = 0;
  /// Reads its part of a spec, with defaults. Call it once, before all other functions.
  /// Errors  JsonError, SpecError
  virtual void read(SpecReader& reader, Spec& spec) = 0;
  /// Labels of the methods that are compared, as in tables.
  virtual std::vector<std::string> methods(const Spec& spec) const = 0;
  /// Creates the trials of a run.  Errors  SpecError
  virtual std::unique_ptr<Trials> trials(const Spec& spec) const = 0;
  /// Draws the conclusion from the rows of results.jsonl. The inputs are not needed.
  virtual Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const = 0;
  virtual const Measures& measures() const = 0;
};

/// An experiment as a table of functions. Pass it to make_experiment(), which stores the options that `read` returns.
template <class Options>
struct ExperimentParts {
  const char* name;
  Options (*read)(SpecReader& reader, Spec& spec);
  std::unique_ptr<Trials> (*trials)(const Spec& spec, const Options& options);
  Conclusion (*conclude)(const Spec& spec, const Options& options, const std::vector<Json>& rows);
  Measures measures;
  std::vector<std::string> (*methods)(const Options& options) = nullptr;  // null: the methods of the spec
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

/// Creates all experiments, without a spec, in the order in which they are listed.
std::vector<std::unique_ptr<Experiment>> experiments();

}  // namespace engram::experiments
