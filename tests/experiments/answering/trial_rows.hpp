// SPDX-License-Identifier: MIT
// Helpers for tests of experiments: specs on one file or on generated knowledge, and the result rows of their trials.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/spec/experiment.hpp"
#include "experiments/spec/spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace engram::testing {

using experiments::Json;

/// Spec of an experiment that reads no files, only generated knowledge.
inline Json generated_json(const char* experiment, const Json& members) {
  Json json = {{"experiment", experiment}, {"inputs", Json::array()}};
  json.update(members);
  return json;
}
inline experiments::Spec generated_spec(const char* experiment, const Json& members) {
  return experiments::resolve_spec(generated_json(experiment, members), "");
}

/// Fixture: an experiment on the file `a.nal`, without generated sets. The constructor writes `text` to that file in a
/// temporary folder.
struct FileExperiment {
  FileExperiment(const char* name, const std::string& text) : experiment(name), folder(name) {
    write(folder.path / "a.nal", text);
  }
  Json json(const Json& members) const {
    Json json = {{"experiment", experiment}, {"inputs", {"a.nal"}}, {"sets", Json::array()}};
    json.update(members);
    return json;
  }
  experiments::Spec spec(const Json& members) const {
    return experiments::resolve_spec(json(members), folder.path);
  }

  const char* experiment;
  Folder folder;
};

/// Options of the experiment in a resolved spec.
template <class Options>
const Options& options_of(const experiments::Spec& spec) {
  return dynamic_cast<const experiments::ExperimentOf<Options>&>(*spec.experiment).options();
}

/// Runs every trial of a spec and returns the rows. Checks that no line of the inputs is rejected.
inline std::vector<Json> rows_of(const experiments::Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  const experiments::Rejections rejections = trials->prepare();
  CHECK(rejections.empty());
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  return rows;
}

/// First row of a method.
/// Errors  std::out_of_range if there is none
inline const Json& row_of(const std::vector<Json>& rows, const std::string& method) {
  for (const Json& row : rows)
    if (row.at("method") == method) return row;
  throw std::out_of_range(method);
}

/// Values of a measure in a row, one for each question.
inline std::vector<double> measured(const Json& row, const std::string& measure) {
  return row.at("measures").at(measure).get<std::vector<double>>();
}

inline const experiments::Table& table_named(const experiments::Conclusion& conclusion,
                                             const std::string& name) {
  const auto found = std::ranges::find(conclusion.tables, name, &experiments::Table::name);
  REQUIRE(found != conclusion.tables.end());
  return *found;
}

/// Message of the error that a spec causes, or "no error".
inline std::string spec_error(const Json& spec) {
  return message_of<experiments::SpecError>([&] { experiments::resolve_spec(spec, ""); });
}

/// Checks that each change of a valid spec causes an error that starts with the paired message.
inline void check_errors(const Json& spec, const std::vector<std::pair<Json, std::string>>& changes) {
  for (const auto& [change, message] : changes) {
    Json json = spec;
    json.update(change);
    INFO(change.dump() << " causes: " << spec_error(json));
    CHECK(spec_error(json).starts_with(message));
  }
}

}  // namespace engram::testing
