// SPDX-License-Identifier: MIT
// Spec files: loading with "extends", overrides from the command line, and sweeps.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A loaded spec.
struct SpecSource {
  Json json;                                   // with the specs that it extends merged in
  std::vector<std::filesystem::path> folders;  // where inputs are searched, in this order
  std::vector<std::string> remarks = {};       // warnings about the files that were read
};

/// The spec of `engram run FILE.nal...`: experiment `comparison` on these files.
Json default_spec(const std::vector<std::string>& files);

/// Reads a spec file (JSON, // comments allowed). "extends" names a file in the same folder, or a shipped spec. The
/// spec is merged into the one it extends: objects member by member, and null removes a member. All other values,
/// including lists, are replaced.
/// Errors   SpecError, also if files extend one another in a cycle
SpecSource load_spec(const std::filesystem::path& path);

/// A spec that is installed with Engram. The purpose is the comment at the beginning of its file.
struct ShippedSpec {
  std::string name, experiment, purpose;
};
/// All shipped specs, sorted by experiment. The spec that has the name of its experiment comes before the others.
std::vector<ShippedSpec> shipped_specs();
/// Path of the shipped spec with this bare name, such as `prediction`.
/// Errors  SpecError with the nearest name and all names
std::filesystem::path shipped_spec(const std::string& name);
/// Path of an installed file, such as "specs/icons.json"; empty if it does not exist.
std::filesystem::path shipped_file(const std::filesystem::path& name);

/// Applies the override `a.b=value` (--set). A value that is not JSON is a string.  Errors  SpecError
void apply_override(Json& spec, const std::string& assignment);

/// One cell of a sweep: a spec with one combination of values.
struct SweepCell {
  std::string name;                                  // name of its folder: "00001_decay=0.1"
  std::vector<std::pair<std::string, Json>> values;  // path of a member of the spec, and its value
  Json spec;
};

/// Expands the member "sweep" into all combinations of its values; the value of the last path changes fastest. Example:
/// {"memory.decay": [0, 0.1], "methods.0.options.beta": {"from": 1, "to": 8, "steps": 4}}. Returns an empty list for a
/// spec without this member.  Errors  SpecError
std::vector<SweepCell> sweep_cells(const Json& spec);

}  // namespace engram::experiments
