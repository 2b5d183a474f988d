// SPDX-License-Identifier: MIT
#include "experiments/mpi/trial_order.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

namespace fs = std::filesystem;

Json order_of(const TrialJob& job) {
  return {{"kind", trials_kind},
          {"spec", job.spec.resolved},
          {"memory", job.spec.memory.limits.max_bytes},
          {"inputs", located_inputs(job.spec)},
          {"manifest", job.manifest},
          {"out", fs::absolute(job.out)},
          {"jobs", job.jobs},
          {"trial_bytes", job.trial_bytes},
          {"cache", job.cache.used() ? fs::absolute(job.cache.folder()) : fs::path()}};
}

std::string difference_of_inputs(const Json& order) {
  const Json& listed = order.at("manifest").at("inputs");
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto path = order.at("inputs").at(i).at("path").get<std::string>();
    const auto wanted = listed[i].at("sha256").get<std::string>(), found = sha256_of_file(path);
    if (found != wanted)
      return "the input " + listed[i].at("name").get<std::string>() + ": " + path + " has SHA-256 " + found +
             ", and must have " + wanted + " as on rank 0";
  }
  return {};
}

Spec spec_of(const Json& order) {
  Spec spec = resolve_spec(order.at("spec"), folders_of_inputs(order.at("inputs")));
  spec.memory.limits.max_bytes = order.at("memory").get<std::size_t>();
  return spec;
}

}  // namespace engram::experiments::mpi
