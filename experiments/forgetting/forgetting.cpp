// SPDX-License-Identifier: MIT
#include "experiments/forgetting/forgetting.hpp"

#include "core/numbers/numeric.hpp"
#include "experiments/forgetting/policies.hpp"

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
  inner.count("episodes", zipf.episodes, 20'000);
  inner.count("concepts", zipf.concepts, 2000);
  inner.count("active", zipf.active, 64);
  inner.number("exponent", zipf.exponent, 0, 4);
  inner.number("swaps", zipf.swaps, 0, 100);
  inner.refuse_others();
  if (zipf.active > zipf.concepts)
    throw SpecError(inner.at("active"), "expected at most as many as there are concepts");
  reader.keep("zipf", inner.resolved);
  return true;
}

// Names that policies had before.
void refuse_old_names(ObjectReader& reader) {
  constexpr std::pair<const char*, const char*> renamed[] = {
      {"lru", "least_recently_used"}, {"lfu", "least_frequently_used"}, {"optimum", "belady"}};
  const Json* given = reader.find("policies");
  for (std::size_t i = 0; given != nullptr && given->is_array() && i < given->size(); ++i)
    for (const auto& [before, now] : renamed)
      if ((*given)[i] == before)
        throw SpecError(
            reader.at("policies") + "/" + std::to_string(i),
            std::string("expected the policy's name of today, '") + now + "', found '" + before + "'");
}

void read_own_parts(ObjectReader& reader, ForgettingOptions& forgetting) {
  std::vector<std::string> known;
  for (const Policy& policy : policies()) known.push_back(policy.name);
  refuse_old_names(reader);
  forgetting.policies = reader.names("policies", known);
  reader.ascending("shares", forgetting.shares, 0.001, 1);
  forgetting.zipf = read_zipf(reader, forgetting.drifting);
  forgetting.story = read_story(reader, "story", forgetting.told);
}

}  // namespace

void Forgetting::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_own_parts(reader, options_);
  if (spec.inputs.empty() && !options_.zipf && !options_.story)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
}

std::vector<std::string> Forgetting::methods(const Spec& /*spec*/) const { return options_.policies; }

Measures Forgetting::measures() const {
  return {
      "stream by stream, in files block of episodes by block of episodes", [](const Json& row) {
        const Json &hits = row.at("hits"), &uses = row.at("uses");
        const double mean_uses =
            core::sum(uses.get<std::vector<double>>()) / static_cast<double>(uses.size());
        std::vector<Observation> all;
        for (std::size_t i = 0; i < hits.size() && mean_uses > 0; ++i)
          all.push_back({"hit rate, room for " + row.at("share").dump(), row.at("method").get<std::string>(),
                         row.at("seed").dump() + " " + std::to_string(i), hits[i].get<double>() / mean_uses,
                         row.at("stream").get<std::string>()});
        return all;
      }};
}

std::unique_ptr<Experiment> forgetting_experiment() { return std::make_unique<Forgetting>(); }

}  // namespace engram::experiments
