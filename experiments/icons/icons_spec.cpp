// SPDX-License-Identifier: MIT
// What a spec may say of `icons`.
#include <algorithm>

#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {

void read_icons(SpecReader& reader, Spec& spec) {
  const std::vector<std::string> known{"hopfield", "attention", "sparsemax_attention", "argmax_attention",
                                       "modern_hopfield"};
  read_inputs(reader, spec);
  read_methods(reader, spec, known);
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    if (const std::string& name = spec.methods[i].method->name; std::ranges::find(known, name) == known.end())
      throw SpecError("/methods/" + std::to_string(i),
                      "'" + name + "' does not work on pictures" + hint(name, known));
  read_seeds(reader, spec, 10);
  spec.damage = reader.numbers("damage", {0.1, 0.2, 0.3, 0.4}, 0, 1);
}

}  // namespace engram::experiments
