// SPDX-License-Identifier: MIT
// What a spec may say of `equivalence`.
#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {

void read_equivalence(SpecReader& reader, Spec& spec) {
  read_seeds(reader, spec, 20);
  for (const double size : reader.numbers("sizes", {1, 2, 7, 24, 60}, 1, 500, true))
    spec.sizes.push_back(static_cast<std::size_t>(size));
  reader.keep("sizes", spec.sizes);
}

}  // namespace engram::experiments
