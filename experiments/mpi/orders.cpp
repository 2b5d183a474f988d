// SPDX-License-Identifier: MIT
#include "experiments/mpi/orders.hpp"

#include <set>

#include "experiments/formats/files.hpp"

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

Json order_of(const std::vector<CellJob>& cells, const fs::path& sweep) {
  Json runs = Json::array(), inputs = Json::array(), digests = Json::array();
  std::set<Json> known;
  for (const auto& [spec, options] : cells) {
    const Json located = located_inputs(spec);
    runs.push_back({{"spec", spec.resolved},
                    {"memory", spec.memory.limits.max_bytes},
                    {"inputs", located},
                    {"out", fs::absolute(options.out)}});
    for (const Json& input : located) {
      if (!known.insert(input).second) continue;
      inputs.push_back(input);
      digests.push_back(
          {{"name", input.at("name")}, {"sha256", sha256_of_file(input.at("path").get<std::string>())}});
    }
  }
  const RunOptions& options = cells.front().options;
  return {{"kind", cells_kind},
          {"out", fs::absolute(sweep.parent_path())},
          {"sweep", {{"path", fs::absolute(sweep)}, {"sha256", sha256_of_file(sweep)}}},
          {"inputs", inputs},
          {"manifest", {{"inputs", digests}}},
          {"runs", runs},
          {"jobs", options.jobs},
          {"resume", options.resume},
          {"trial_bytes", options.trial_bytes},
          {"cache", options.cache.empty() ? fs::path() : fs::absolute(options.cache)}};
}

OrderedCells cells_of(const Json& order) {
  const fs::path sweep = order.at("sweep").at("path").get<std::string>();
  if (!fs::exists(sweep) || sha256_of_file(sweep) != order.at("sweep").at("sha256").get<std::string>())
    throw SpecError(
        "--out", sweep.parent_path().string() +
                     " must be a folder that all ranks see: its sweep.json is not here as rank 0 wrote it");
  OrderedCells cells;
  for (const Json& run : order.at("runs")) {
    cells.specs.push_back(spec_of(run));
    RunOptions options;
    options.out = run.at("out").get<std::string>();
    options.jobs = order.at("jobs").get<unsigned>();
    options.resume = order.at("resume").get<bool>();
    options.trial_bytes = order.at("trial_bytes").get<std::size_t>();
    options.cache = order.at("cache").get<std::string>();
    cells.jobs.push_back({cells.specs.back(), options});
  }
  return cells;
}

TrialResult result_of(const CellJob& cell) { return {{to_json(carry_out(cell))}, {}}; }

}  // namespace engram::experiments::mpi
