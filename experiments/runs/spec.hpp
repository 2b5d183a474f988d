// SPDX-License-Identifier: MIT
// What a run is asked to do: read from JSON, checked, and completed with every default.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/memory.hpp"
#include "experiments/forgetting/forgetting_options.hpp"
#include "experiments/links/links_options.hpp"
#include "experiments/prediction/prediction_options.hpp"
#include "experiments/priming/priming_options.hpp"
#include "experiments/reports/escapes.hpp"
#include "experiments/runs/method_choice.hpp"

namespace engram::experiments {

using Json = nlohmann::ordered_json;

/// A spec that cannot be run, or a folder that holds no run: where (a JSON Pointer, an option, a file or a
/// folder), what was expected, and the nearest valid name. What is told is legible, whatever was found.
struct SpecError : std::runtime_error {
  SpecError(std::string where, const std::string& message)
      : std::runtime_error(legible((where.empty() ? "spec" : where) + ": " + message)),
        pointer(std::move(where)) {}
  std::string pointer;
};

/// An input as it was written in the spec, and where it was found.
struct Input {
  std::string name;
  std::filesystem::path path;
};

struct Spec {
  std::string experiment;
  std::vector<Input> inputs;
  std::vector<MethodChoice> methods;
  std::vector<Input> vectors;  // further files that are read: those that options name
  std::vector<std::uint64_t> seeds;
  std::size_t top = 10;              // entries of a ranking that are written out
  std::size_t capacity = 12;         // statements a reasoner would be given
  std::size_t cues = 50;             // held-out cues a file or trial
  std::vector<double> corruption;    // share of an episode that is taken away
  std::vector<std::size_t> noise;    // wrong concepts mixed into what is left
  std::vector<double> load;          // share of the file's statements that the memory holds
  std::vector<double> damage;        // share of a picture's pixels that is flipped
  std::vector<std::size_t> sizes;    // of random cases
  std::vector<std::string> figures;  // of the literature, by name
  double effort = 1;                 // share of a figure's repetitions
  PredictionSpec prediction;
  PrimingSpec priming;
  LinksSpec links;
  ForgettingSpec forgetting;
  core::MemoryOptions memory;
  Json resolved;  // all of the above as JSON, inputs as written: a spec that gives the same run
};

/// Checks everything and fills in defaults. Relative inputs are looked for in these folders, then in the
/// current one. A list of numbers may also be given as {"from": 0, "to": 1, "steps": 5}, or as {"from": 1,
/// "to": 20}, or "1..20", where they are whole. Texts, which come to stand in files, pictures and pages, are
/// legible (reports/escapes.hpp) and have at most 4096 bytes.  Errors  SpecError
Spec resolve_spec(const Json& spec, const std::vector<std::filesystem::path>& folders);
inline Spec resolve_spec(const Json& spec, const std::filesystem::path& folder) {
  return resolve_spec(spec, std::vector{folder});
}

}  // namespace engram::experiments
