// SPDX-License-Identifier: MIT
// What a spec may say of `equivalence`.
#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {

void read_equivalence(SpecReader& reader, Spec& spec) {
  read_seeds(reader, spec, 20);
  spec.sizes = reader.counts("sizes", {1, 2, 7, 24, 60}, 1, 500);
}

}  // namespace engram::experiments
