// SPDX-License-Identifier: MIT
#include "experiments/forgetting/forgetting.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "experiments/forgetting/policies.hpp"

namespace engram::experiments::forgetting {
namespace {

void read_zipf(SpecObject& reader, ZipfOptions& zipf) {
  reader.count("episodes", zipf.episodes, 20'000);
  reader.count("concepts", zipf.concepts, 2000);
  reader.count("active", zipf.active, 64);
  reader.number("exponent", zipf.exponent, 0, 4);
  reader.number("swaps", zipf.swaps, 0, 100);
  if (zipf.active > zipf.concepts)
    throw SpecError(reader.at("active"),
                    "must be at most the number of concepts, found " + std::to_string(zipf.active));
}

ForgettingOptions read(SpecReader& reader, Spec& spec) {
  ForgettingOptions options;
  read_inputs(reader, spec, true);
  std::vector<std::string> known;
  for (const Policy& policy : policies()) known.push_back(policy.name);
  options.policies = reader.names("policies", known);
  reader.ascending("shares", options.shares, 0.001, 1);
  options.zipf = reader.part("zipf", [&](SpecObject& zipf) { read_zipf(zipf, options.drifting); });
  options.story = read_story(reader, "story", options.told);
  require_inputs(spec, options.zipf || options.story);
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  const Json& hits = row.at("hits");
  const double mean_uses = mean(row.at("uses").get<std::vector<double>>());
  std::vector<Observation> all;
  for (std::size_t i = 0; i < hits.size() && mean_uses > 0; ++i)
    all.push_back({"hit rate, room for " + row.at("share").dump(), row.at("method").get<std::string>(),
                   row.at("seed").dump() + " " + std::to_string(i), hits[i].get<double>() / mean_uses,
                   row.at("stream").get<std::string>()});
  return all;
}

constexpr std::size_t most_concepts = 2048;  // of a file; the time grows with the square of its concepts
constexpr std::size_t fewest_episodes = 20;

struct Setting {
  std::size_t stream = 0;  // number of a file; after the last file zipf, then story
  std::uint64_t seed = 1;
  double share = 0;
};

class ForgettingTrials : public TrialsOf<ForgettingOptions> {
 public:
  ForgettingTrials(const Spec& spec, const ForgettingOptions& options)
      : TrialsOf(spec, options), policies_(with_gap_ends(options.policies)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      const Corpus corpus = load_corpus(input, spec_.memory);
      add_rejections(rejections, corpus);
      ConceptUses uses = uses_of(corpus, false);
      if (uses.episodes.size() < fewest_episodes)
        rejections.emplace_back(
            input.name, core::RejectedLine{1, 1,
                                           "the file must hold at least 20 judgments or goals, found " +
                                               std::to_string(uses.episodes.size())});
      else if (uses.concepts > most_concepts)
        rejections.emplace_back(
            input.name,
            core::RejectedLine{
                1, 1, "the file must name at most 2048 concepts, found " + std::to_string(uses.concepts)});
      else
        add_file(std::move(uses), uses_of(corpus, true));
    }
    for (std::size_t stream = 0; stream < files_.size() + 2; ++stream) {
      if (stream == files_.size() && !options_.zipf) continue;
      if (stream > files_.size() && !options_.story) continue;
      for (const std::uint64_t seed : spec_.seeds) {
        for (const double share : options_.shares) settings_.push_back({stream, seed, share});
        if (stream < files_.size()) break;  // a file has one stream, and nothing random
      }
    }
    return rejections;
  }

  std::size_t count() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    if (setting.stream < files_.size()) return run(trial, files_[setting.stream]);
    return run(trial, setting.stream == files_.size() ? zipf_uses(options_.drifting, setting.seed)
                                                      : story_uses(options_.told, setting.seed));
  }

 private:
  // If only a part of a file's sentences are events, the events are a second stream.
  void add_file(ConceptUses all, ConceptUses events) {
    const bool both =
        events.episodes.size() >= fewest_episodes && events.episodes.size() < all.episodes.size();
    files_.push_back(std::move(all));
    if (both) files_.push_back(std::move(events));
  }

  TrialResult run(std::size_t trial, const ConceptUses& uses) const {
    const Setting& setting = settings_[trial];
    const auto capacity = static_cast<std::size_t>(
        std::max(1.0, std::floor(setting.share * static_cast<double>(uses.concepts) + 0.5)));
    TrialResult result;
    for (const Policy* policy : policies_) {
      std::vector<double> hits;
      const double time = seconds([&] { hits = best_hits(*policy, capacity, uses); });
      if (hits.empty()) continue;
      result.rows.push_back({{"trial", trial},
                             {"stream", uses.name},
                             {"generated", uses.generated},
                             {"seed", setting.seed},
                             {"concepts", uses.concepts},
                             {"share", setting.share},
                             {"capacity", capacity},
                             {"method", policy->name},
                             {"uses", counts(uses, [](std::uint32_t) { return 1.0; })},
                             {"hits", hits}});
      result.timings.push_back({{"trial", trial}, {"method", policy->name}, {"seconds", time}});
    }
    return result;
  }

  // Sums of `count` over the uses: one for a generated stream, one for each block of episodes of a file.
  template <class Count>
  static std::vector<double> counts(const ConceptUses& uses, Count count, BoundedMemory* memory = nullptr) {
    std::vector<double> all;
    for (std::size_t t = 0; t < uses.episodes.size(); ++t) {
      if (t == 0 || (!uses.generated && t % episode_block == 0)) all.push_back(0);
      for (const std::uint32_t id : uses.episodes[t]) all.back() += count(id);
      if (memory != nullptr) memory->experience(uses.episodes[t]);
    }
    return all;
  }

  static std::vector<double> best_hits(const Policy& policy, std::size_t capacity, const ConceptUses& uses) {
    std::vector<double> best;
    for (const auto& memory : make_memories(policy, capacity, uses)) {
      auto hits = counts(
          uses, [&](std::uint32_t id) { return memory->holds(id) ? 1.0 : 0.0; }, memory.get());
      if (best.empty() || core::sum(hits) > core::sum(best)) best = std::move(hits);
    }
    return best;
  }

  std::vector<const Policy*> policies_;
  std::vector<ConceptUses> files_;
  std::vector<Setting> settings_;
};

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<ForgettingOptions>(
      {"forgetting",
       read,
       make_trials<ForgettingTrials>,
       conclude_forgetting,
       {"stream by stream, in files block of episodes by block of episodes", observe},
       [](const ForgettingOptions& options) { return options.policies; }});
}

}  // namespace engram::experiments::forgetting
