// SPDX-License-Identifier: MIT
// Forgetting: which concepts are still there when they are needed, if memory has no room for all? Every
// policy sees the same episodes in the same order, and no further; the optimum knows them all. Policies are
// held against the gap between what forgets the least recently used and that optimum, and against what one
// could do who knew the chances, but not the future: the rest of the gap is not to be closed.
#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "experiments/forgetting/forgetting.hpp"
#include "experiments/forgetting/policies.hpp"

namespace engram::experiments {
namespace {

// Links of a learnt budget grow with the square of the concepts it knows.
constexpr std::size_t most_concepts = 2048;
constexpr std::size_t fewest_episodes = 20;

struct Setting {
  std::size_t stream = 0;  // of a file; the number of files: zipf; one more: story
  std::uint64_t seed = 1;
  double share = 0;
};

class ForgettingTrials : public Trials {
 public:
  ForgettingTrials(const Spec& spec, const ForgettingOptions& options)
      : spec_(spec), options_(options), policies_(with_bounds(options.policies)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      const Corpus corpus = load_corpus(input, spec_.memory);
      add_rejections(rejections, corpus);
      ConceptUses uses = uses_of(corpus, false);
      if (uses.episodes.size() < fewest_episodes)
        rejections.emplace_back(input.name,
                                core::RejectedLine{1, 1, "expected at least 20 judgments or goals"});
      else if (uses.concepts > most_concepts)
        rejections.emplace_back(input.name, core::RejectedLine{1, 1, "expected at most 2048 concepts"});
      else
        add_file(std::move(uses), uses_of(corpus, true));
    }
    for (std::size_t stream = 0; stream < files_.size() + 2; ++stream) {
      if (stream == files_.size() && !options_.zipf) continue;
      if (stream > files_.size() && !options_.story) continue;
      for (const std::uint64_t seed : spec_.seeds) {
        for (const double share : options_.shares) settings_.push_back({stream, seed, share});
        if (stream < files_.size()) break;  // the only stream of a file; chance is averaged over seeds
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
  // A file that tells a story among other things gives two streams.
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
      const double time = seconds([&] { hits = best_hits(*policy, capacity, uses, setting.seed); });
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

  // Of a generated stream one number, of a file one a block of episodes.
  template <class Count>
  static std::vector<double> counts(const ConceptUses& uses, Count count,
                                    core::BoundedMemory* memory = nullptr) {
    std::vector<double> all;
    for (std::size_t t = 0; t < uses.episodes.size(); ++t) {
      if (t == 0 || (!uses.generated && t % episode_block == 0)) all.push_back(0);
      for (const std::uint32_t id : uses.episodes[t]) all.back() += count(id);
      if (memory != nullptr) memory->experience(uses.episodes[t]);
    }
    return all;
  }

  static std::vector<double> hits_of(core::BoundedMemory& memory, const ConceptUses& uses) {
    return counts(
        uses, [&](std::uint32_t id) { return memory.holds(id) ? 1.0 : 0.0; }, &memory);
  }

  std::vector<double> best_hits(const Policy& policy, std::size_t capacity, const ConceptUses& uses,
                                std::uint64_t seed) const {
    if (policy.random && !uses.generated) return mean_hits(policy, capacity, uses);
    std::vector<double> best;
    for (const auto& memory : policy.make(capacity, uses, seed)) {
      auto hits = hits_of(*memory, uses);
      if (best.empty() || core::sum(hits) > core::sum(best)) best = std::move(hits);
    }
    return best;
  }

  std::vector<double> mean_hits(const Policy& policy, std::size_t capacity, const ConceptUses& uses) const {
    std::vector<double> mean;
    for (const std::uint64_t seed : spec_.seeds) {
      const auto hits = hits_of(*policy.make(capacity, uses, seed).front(), uses);
      mean.resize(hits.size());
      for (std::size_t i = 0; i < hits.size(); ++i)
        mean[i] += hits[i] / static_cast<double>(spec_.seeds.size());
    }
    return mean;
  }

  const Spec& spec_;
  const ForgettingOptions& options_;
  std::vector<const Policy*> policies_;
  std::vector<ConceptUses> files_;
  std::vector<Setting> settings_;
};

}  // namespace

std::unique_ptr<Trials> Forgetting::trials(const Spec& spec) const {
  return std::make_unique<ForgettingTrials>(spec, options_);
}

}  // namespace engram::experiments
