// SPDX-License-Identifier: MIT
#include "experiments/icons/icons.hpp"

#include <algorithm>

namespace engram::experiments {

void Icons::read(SpecReader& reader, Spec& spec) {
  const std::vector<std::string> known{"hopfield", "attention", "sparsemax_attention", "argmax_attention",
                                       "modern_hopfield"};
  read_inputs(reader, spec);
  read_methods(reader, spec, known);
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    if (const std::string& name = spec.methods[i].method->name; std::ranges::find(known, name) == known.end())
      throw SpecError("/methods/" + std::to_string(i),
                      "'" + name + "' does not work on pictures" + hint(name, known));
  read_seeds(reader, spec, 10);
  reader.numbers("damage", options_.damage, 0, 1);
}

Measures Icons::measures() const {
  return {"seed by seed", [](const Json& row) {
            return observed(row, {"picture", "seed"}, {{"restored", "/restored"}, {"exact", "/exact"}});
          }};
}

std::unique_ptr<Experiment> icons_experiment() { return std::make_unique<Icons>(); }

}  // namespace engram::experiments
