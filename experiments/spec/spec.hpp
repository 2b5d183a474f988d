// SPDX-License-Identifier: MIT
// Spec of a run: parsed from JSON, validated, and completed with all defaults. Also the JSON Schema of specs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments {

/// Input file: its name as written in the spec, and the path where it was found.
struct Input {
  std::string name;
  std::filesystem::path path;
};

/// SHA-256 of input files, by name.  Errors  InputError; std::system_error
Json sha256_of(std::span<const Input> inputs);

class Experiment;

/// Upper limit of max_concepts, max_hebbian_links and max_statements, because ids have 32 bits. Chosen.
inline constexpr std::size_t most_in_memory = 1'000'000'000;

/// Parts of a spec that several experiments share. The Experiment object holds the options of its own experiment.
struct Spec {
  std::shared_ptr<const Experiment> experiment;
  std::vector<Input> inputs;
  std::vector<MethodChoice> methods;
  std::vector<Input> vectors;  // files of vectors that options of methods name
  std::vector<std::uint64_t> seeds;
  core::MemoryOptions memory;
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;
  Json resolved;  // the complete spec as JSON, with paths as written; it repeats the run
};

/// Validates a spec and fills in all defaults. Relative input paths are resolved against these folders in order, then
/// against the current folder.
///
/// A list of numbers may also be a range: {"from": 0, "to": 1, "steps": 5}. A list of whole numbers may also be
/// {"from": 1, "to": 20} or "1..20". Strings appear in files, pictures and pages, so they must be legible
/// (formats/markup.hpp) and have at most 4096 bytes.
/// Errors  SpecError
Spec resolve_spec(const Json& spec, const std::vector<std::filesystem::path>& folders);
inline Spec resolve_spec(const Json& spec, const std::filesystem::path& folder) {
  return resolve_spec(spec, std::vector{folder});
}

/// Completes the shipped JSON Schema of specs, which has no methods and no defaults. Adds all methods with their
/// options, and the default of each member of an experiment.
Json spec_schema(const std::string& shipped);

}  // namespace engram::experiments
