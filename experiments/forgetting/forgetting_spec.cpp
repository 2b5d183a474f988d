// SPDX-License-Identifier: MIT
// What a spec may say of `forgetting`.
#include "experiments/experiment.hpp"
#include "experiments/forgetting/policies.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {
namespace {

bool read_zipf(ObjectReader& reader, ZipfOptions& zipf) {
  const Json* given = reader.find("zipf");
  const Json empty = Json::object();
  if (given != nullptr && *given == Json(false)) {
    reader.keep("zipf", false);
    return false;
  }
  ObjectReader inner(given != nullptr ? *given : empty, reader.at("zipf"));
  zipf.episodes = inner.count("episodes", zipf.episodes, 20'000);
  zipf.concepts = inner.count("concepts", zipf.concepts, 2000);
  zipf.active = inner.count("active", zipf.active, 64);
  zipf.exponent = inner.number("exponent", zipf.exponent, 0, 4);
  zipf.swaps = inner.number("swaps", zipf.swaps, 0, 100);
  inner.refuse_others();
  if (zipf.active > zipf.concepts)
    throw SpecError(inner.at("active"), "expected at most as many as there are concepts");
  reader.keep("zipf", inner.resolved);
  return true;
}

void read_own_parts(ObjectReader& reader, ForgettingSpec& forgetting) {
  std::vector<std::string> known;
  for (const Policy& policy : policies()) known.push_back(policy.name);
  forgetting.policies = reader.names("policies", known);
  forgetting.shares = read_ascending(reader, "shares", {0.05, 0.1, 0.2, 0.4}, 0.001, 1);
  forgetting.zipf = read_zipf(reader, forgetting.drifting);
  forgetting.story = read_story(reader, "story", forgetting.told);
}

}  // namespace

void read_forgetting(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_own_parts(reader, spec.forgetting);
  if (spec.inputs.empty() && !spec.forgetting.zipf && !spec.forgetting.story)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
}

}  // namespace engram::experiments
