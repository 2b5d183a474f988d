// SPDX-License-Identifier: MIT
#include "experiments/runs/plan.hpp"

#include <cmath>
#include <set>

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

MeasuredCost measure_cost(const Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  MeasuredCost cost{trials->count(), 0, 0};
  if (cost.trials == 0) return cost;
  double total = 0;
  for (const std::size_t trial : std::set<std::size_t>{0, cost.trials / 2, cost.trials - 1}) {
    if (total > 1) break;
    total += seconds([&] { trials->run(trial); });
    ++cost.measured;
  }
  cost.seconds = total / static_cast<double>(cost.measured);
  return cost;
}

std::string estimate(const MeasuredCost& cost, std::size_t runs, unsigned jobs) {
  const double rounds = std::ceil(static_cast<double>(cost.trials) / jobs);
  const double total = cost.seconds * rounds * static_cast<double>(runs);
  const auto whole = [](double number) { return std::to_string(static_cast<long long>(std::ceil(number))); };
  if (total < 120) return "about " + whole(total) + " s";
  if (total < 7200) return "about " + whole(total / 60) + " min";
  return "about " + whole(total / 3600) + " h";
}

std::string plan_text(const Spec& spec, const fs::path& out) {
  std::string text = std::string("experiment  ") + spec.experiment->name() + "\n";
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      text += "input       " + input.name + ", " + std::to_string(fs::file_size(input.path)) +
              " bytes, sha256 " + sha256_of_file(input.path).substr(0, 16) + "..., found at " +
              fs::absolute(input.path).lexically_normal().string() + "\n";
  if (!spec.seeds.empty()) text += "seeds       " + std::to_string(spec.seeds.size()) + "\n";
  for (const std::string& method : spec.experiment->methods(spec)) text += "method      " + method + "\n";
  text += "writes      " + out.string() +
          "/: spec.json manifest.json results.jsonl timings.jsonl summary.json " +
          "report.html tables/ plots/ ro-crate-metadata.json SHA256SUMS\n";
  if (fs::exists(out / journal_name))
    text +=
        "            an unfinished run is there: --resume goes on with it, without --resume it is replaced\n";
  else if (fs::exists(out / "spec.json"))
    text += "            a finished run is there, and is replaced\n";
  return text;
}

}  // namespace engram::experiments
