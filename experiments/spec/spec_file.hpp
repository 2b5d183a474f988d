// SPDX-License-Identifier: MIT
// Specs as they stand in files: what they extend, what the command line changes, what they sweep over.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A spec with what it extends merged in, the folders in which its inputs are looked for, in this order, and
/// what is to be told of files that it was read from.
struct SpecSource {
  Json json;
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> remarks = {};
};

/// A spec for `engram run FILE.nal...`: the comparison on these files.
Json default_spec(const std::vector<std::string>& files);

/// Reads a spec file (JSON, // comments allowed). "extends" names a file beside it, or a spec that comes
/// along: objects are merged member by member, everything else, lists too, is replaced, and null takes a
/// member away.
/// Errors   SpecError, also where files extend one another in a circle
SpecSource load_spec(const std::filesystem::path& path);

/// A spec that Engram brings along: its bare name, its experiment, and what it is for (the comment it begins with).
struct ShippedSpec {
  std::string name, experiment, purpose;
};
/// By experiment. The spec that has the experiment's name comes before the others.
std::vector<ShippedSpec> shipped_specs();
/// The file of one, by its bare name: `prediction`.  Errors  SpecError with the nearest name and all of them
std::filesystem::path shipped_spec(const std::string& name);
/// A file that comes along: "specs/icons.json". Nothing is there: an empty path.
std::filesystem::path shipped_file(const std::filesystem::path& name);

/// Applies `a.b=value` (--set): value as JSON, or as a string where it is none.  Errors  SpecError
void apply_override(Json& spec, const std::string& assignment);

/// One point of a sweep: a spec of its own.
struct SweepCell {
  std::string name;                                  // of its folder: "00001_decay=0.1"
  std::vector<std::pair<std::string, Json>> values;  // place in the spec, and what stands there
  Json spec;
};

/// Every combination of the values that the member "sweep" gives to places in the spec, the last place
/// changing fastest: {"memory.decay": [0, 0.1], "methods.0.options.beta": {"from": 1, "to": 8, "steps": 4}}.
/// Nothing where there is no such member.  Errors  SpecError
std::vector<SweepCell> sweep_cells(const Json& spec);

}  // namespace engram::experiments
