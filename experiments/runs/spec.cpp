// SPDX-License-Identifier: MIT
#include "experiments/runs/spec.hpp"

#include <algorithm>

#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {
namespace {

void check_learnt_links(const Spec& spec) {
  if (spec.memory.learning) return;
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    const auto& options = spec.methods[i].options;
    if (options.contains("links") && options.at("links") == core::OptionValue("learnt"))
      throw SpecError("/methods/" + std::to_string(i) + "/options/links",
                      "nothing is learnt: /memory/learning names no rule");
  }
}

}  // namespace

Spec resolve_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  SpecReader reader(json, folders);
  std::vector<std::string> names;
  for (const ExperimentKind& kind : experiment_kinds) names.emplace_back(kind.name);
  Spec spec;
  spec.experiment = reader.choice("experiment", "", names);
  experiment_kind(spec.experiment).read(reader, spec);
  check_learnt_links(spec);
  reader.refuse_others();
  spec.resolved = reader.resolved;
  return spec;
}

}  // namespace engram::experiments
