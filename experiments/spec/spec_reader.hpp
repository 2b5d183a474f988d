// SPDX-License-Identifier: MIT
// The parts of a spec that several experiments share, read into it. Each experiment reads its own parts in a
// file of its own, EXPERIMENT_spec.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/object_reader.hpp"

namespace engram::experiments {

/// The spec as a JSON object, and the folders in which the files that it names are looked for.
class SpecReader : public ObjectReader {
 public:
  SpecReader(const Json& spec, std::vector<std::filesystem::path> folders)
      : ObjectReader(spec, ""), folders_(std::move(folders)) {}

  /// In the first of the folders that holds it, or in the current one.
  std::filesystem::path found(const std::string& file) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// "inputs": files, each once.  Errors  SpecError
void read_inputs(SpecReader& reader, Spec& spec, bool may_be_empty = false);

/// "methods", each with all its options, and the files of vectors that these name.  Errors  SpecError
void read_methods(SpecReader& reader, Spec& spec, const std::vector<std::string>& fallback);

/// "seeds": by default 1, 2, ... as many as said.  Errors  SpecError
void read_seeds(SpecReader& reader, Spec& spec, std::size_t count);

/// "memory". `learns`: whether decay, and how links are learnt, make a difference to the experiment.
/// Errors  SpecError
void read_memory(SpecReader& reader, Spec& spec, bool learns = true);

}  // namespace engram::experiments
