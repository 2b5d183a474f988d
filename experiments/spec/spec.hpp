// SPDX-License-Identifier: MIT
// What a run is asked to do: read from JSON, checked, and completed with every default.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "experiments/formats/errors.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments {

/// An input as it was written in the spec, and where it was found.
struct Input {
  std::string name;
  std::filesystem::path path;
};

class Experiment;

/// The most that max_concepts, max_hebbian_links and max_statements may be: ids have 32 bits. Chosen.
inline constexpr std::size_t most_in_memory = 1'000'000'000;

/// The parts that several experiments have; what is one's alone, it has read for itself.
struct Spec {
  std::shared_ptr<const Experiment> experiment;
  std::vector<Input> inputs;
  std::vector<MethodChoice> methods;
  std::vector<Input> vectors;  // further files that are read: those that options name
  std::vector<std::uint64_t> seeds;
  core::MemoryOptions memory;
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;
  Json resolved;  // everything as JSON, inputs as written: a spec that gives the same run
};

/// Checks everything and fills in defaults. Relative inputs are looked for in these folders, then in the
/// current one. A list of numbers may also be given as {"from": 0, "to": 1, "steps": 5}, or as {"from": 1,
/// "to": 20}, or "1..20", where they are whole. Texts, which come to stand in files, pictures and pages, are
/// legible (formats/escapes.hpp) and have at most 4096 bytes.  Errors  SpecError
Spec resolve_spec(const Json& spec, const std::vector<std::filesystem::path>& folders);
inline Spec resolve_spec(const Json& spec, const std::filesystem::path& folder) {
  return resolve_spec(spec, std::vector{folder});
}

}  // namespace engram::experiments
