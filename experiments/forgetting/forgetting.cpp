// SPDX-License-Identifier: MIT
// The experiment `forgetting`: which policy keeps the concepts that are used again in a memory of limited capacity?
// Every policy gets the same episodes in the same order. The result of a policy is the share that it closes of the gap
// between `recent`, which forgets the least recently used concept, and Belady's optimum, which has the future of the
// stream.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/numbers/numeric.hpp"
#include "experiments/forgetting/policies.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/inputs/concept_uses.hpp"
#include "experiments/inputs/event_stream.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::forgetting {
namespace {

// The experiment's part of a spec.
struct ForgettingOptions {
  std::vector<std::string> policies;
  std::vector<double> shares{0.05, 0.1, 0.2, 0.4};  // capacity, as a share of the stream's concepts
  bool zipf = true, story = true;                   // whether to run on generated streams of this kind
  ZipfOptions drifting;
  // Chosen so that a story has more situations than fit into the memory.
  StoryOptions told{1000, 40, 60, 3, 40, 0.3, 0.1};
};

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

constexpr std::size_t most_concepts = 2048;  // limit for a file; time grows with the square of its concepts
constexpr std::size_t fewest_episodes = 20;

struct Setting {
  std::size_t stream = 0;  // index of a file; the next indices are zipf and story
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
      const auto refuse = [&](const std::string& must, std::size_t found) {
        rejections.emplace_back(
            input.name,
            core::RejectedLine{1, 1, "the file must " + must + ", found " + std::to_string(found)});
      };
      if (uses.episodes.size() < fewest_episodes)
        refuse("hold at least 20 judgments or goals", uses.episodes.size());
      else if (uses.concepts > most_concepts)
        refuse("name at most 2048 concepts", uses.concepts);
      else
        add_file(std::move(uses), uses_of(corpus, true));
    }
    for (std::size_t stream = 0; stream < files_.size() + 2; ++stream) {
      if (stream == files_.size() && !options_.zipf) continue;
      if (stream > files_.size() && !options_.story) continue;
      for (const std::uint64_t seed : spec_.seeds) {
        for (const double share : options_.shares) settings_.push_back({stream, seed, share});
        if (stream < files_.size()) break;  // a file has only one stream, so one seed is enough
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
  // Adds the stream of all sentences of a file. If only a part of them are events, adds a second stream of the events.
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

  // Sums `count` over the uses of concepts. A generated stream has one sum, a file has one for each block of episodes.
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

// --- the conclusion

// Results of a policy with one capacity on one stream. A unit is a generated stream, or a block of a file's episodes.
struct Measured {
  std::vector<double> hit_rates;  // for each unit; see hit_rates()
  std::vector<double> closed;     // closed share of the gap, for each unit; empty without a gap
};

// Results of every policy with one capacity on one stream.
struct Column {
  double share = 0;
  double capacity = 0;  // mean over streams
  std::map<std::string, Measured> policies;
};

struct StreamResult {
  std::string name, title;
  bool generated = false;
  std::vector<Column> columns;
};

using Rows = std::vector<const Json*>;

std::vector<double> numbers(const Rows& rows, const char* key) {
  std::vector<double> all;
  for (const Json* row : rows)
    for (const Json& value : row->at(key)) all.push_back(value.get<double>());
  return all;
}

// Hit rate of each unit. For a file, the hits of a block are divided by the mean number of uses in a block, so that the
// mean over blocks is the hit rate of the file.
std::vector<double> hit_rates(const Rows& rows, bool generated) {
  std::vector<double> rates = numbers(rows, "hits");
  const std::vector<double> uses = numbers(rows, "uses");
  core::require(!rates.empty() && rates.size() == uses.size(),
                "every row must have hits and the same number of uses");
  const double all = mean(uses);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] /= generated ? uses[i] : all;
  return rates;
}

// For each unit, the share of the gap between the hit rates `low` and `high` that `rates` closes. Empty without a gap.
std::vector<double> closed_gap(const std::vector<double>& rates, const std::vector<double>& low,
                               const std::vector<double>& high, bool generated) {
  std::vector<double> closed;
  const double whole = mean(high) - mean(low);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double gap = generated ? high[i] - low[i] : whole;
    if (!(gap > 0)) return {};
    closed.push_back((rates[i] - low[i]) / gap);
  }
  return closed;
}

Column measure(const std::map<std::string, Rows>& rows, double share, bool generated) {
  Column column{share, 0, {}};
  for (const auto& [policy, own] : rows) {
    column.policies[policy].hit_rates = hit_rates(own, generated);
    double capacity = 0;
    for (const Json* row : own) capacity += row->at("capacity").get<double>();
    column.capacity = capacity / static_cast<double>(own.size());
  }
  const auto low = column.policies.at("recent").hit_rates, high = column.policies.at("belady").hit_rates;
  for (auto& [policy, measured] : column.policies) {
    core::require(measured.hit_rates.size() == low.size() && high.size() == low.size(),
                  "all policies must have the same number of hits");
    measured.closed = closed_gap(measured.hit_rates, low, high, generated);
  }
  return column;
}

// A stream's title in tables: "../data/day_at_the_farm.nal, events" becomes "day_at_the_farm, events".
std::string title_of(const std::string& name) {
  const auto events = std::min(name.find(", events"), name.size());
  return std::filesystem::path(name.substr(0, events)).stem().string() + name.substr(events);
}

std::vector<StreamResult> by_stream(const std::vector<Json>& rows) {
  std::vector<StreamResult> streams;
  std::vector<std::map<double, std::map<std::string, Rows>>> sorted;
  for (const Json& row : rows) {
    const auto name = row.at("stream").get<std::string>();
    const bool generated = row.at("generated").get<bool>();
    const auto place = std::ranges::find_if(
        streams, [&](const StreamResult& s) { return s.name == name && s.generated == generated; });
    const auto at = static_cast<std::size_t>(place - streams.begin());
    if (place == streams.end()) {
      streams.push_back({name, title_of(name), generated, {}});
      sorted.emplace_back();
    }
    sorted[at][row.at("share").get<double>()][row.at("method").get<std::string>()].push_back(&row);
  }
  for (std::size_t s = 0; s < streams.size(); ++s) {
    for (const auto& [share, of_policies] : sorted[s])
      streams[s].columns.push_back(measure(of_policies, share, streams[s].generated));
    for (std::size_t other = 0; other < streams.size(); ++other)
      if (other != s && streams[other].title == streams[s].title && !streams[s].generated)
        streams[s].title = streams[s].name;
  }
  return streams;
}

const Measured* find(const Column& column, const std::string& policy) {
  const auto place = column.policies.find(policy);
  return place == column.policies.end() ? nullptr : &place->second;
}

std::string percent(double share) { return fixed(100 * share, share < 0.1 ? 1 : 0) + " %"; }

// --- the sentences

std::string list_of(const StreamResult& stream, const std::string& policy, bool with_interval) {
  std::string text;
  for (const Column& column : stream.columns) {
    const Measured* m = find(column, policy);
    if (m == nullptr) return "";
    const auto e = bootstrap_mean(m->closed);
    text += (text.empty() ? "" : ", ") + (!e              ? std::string("no gap")
                                          : with_interval ? interval_cell(e, 2).text
                                                          : fixed(e->mean, 2));
  }
  return text;
}

// The policy of this kind that closes most of the gap, summed over all capacities.
std::string best_of(const StreamResult& stream, const std::vector<const Policy*>& list, PolicyKind kind) {
  std::string best;
  double most = 0;
  for (const Policy* policy : list) {
    if (policy->kind != kind) continue;
    double closed = 0;
    for (const Column& column : stream.columns) {
      const Measured* m = find(column, policy->name);
      if (m != nullptr && !m->closed.empty()) closed += mean(m->closed);
    }
    if (best.empty() || closed > most) best = policy->name, most = closed;
  }
  return best;
}

std::string stream_sentence(const StreamResult& stream, const std::vector<const Policy*>& list,
                            const std::string& reference) {
  std::string shares, half;
  for (const Column& column : stream.columns) {
    shares += (shares.empty() ? "" : ", ") + percent(column.share);
    const Measured& m = column.policies.at(reference);
    // Rounds the share like the percentages in the text.
    if (!m.closed.empty() && std::round(100 * mean(m.closed)) >= 50)
      half += (half.empty() ? "" : ", ") + percent(column.share);
  }
  std::string text = "On " + stream.title + (stream.generated ? " streams" : "") + ", with room for " +
                     shares + " of the concepts, " + reference + " closes " +
                     list_of(stream, reference, true) +
                     " of the gap between recent, which forgets the least recently used, and belady, the "
                     "optimum with knowledge of the future: at least half " +
                     (half.empty() ? "nowhere" : "at " + half);
  if (const std::string rule = best_of(stream, list, PolicyKind::rule); !rule.empty() && rule != reference)
    text += "; the best fixed rule, " + rule + ": " + list_of(stream, rule, false);
  if (const auto chances = list_of(stream, "known_chances", false); !chances.empty())
    text += "; known_chances, with all probabilities but not the future: " + chances;
  if (const auto law = list_of(stream, "known_law", false); !law.empty())
    text += "; known_law, which learns the probabilities and has the law of their changes: " + law;
  return text + ".";
}

// --- tables and plots

std::string kind_name(PolicyKind kind) {
  return kind == PolicyKind::learnt ? "learnt" : kind == PolicyKind::rule ? "rule" : "bound";
}

// A table with a row for each policy and a column for each capacity: the mean of `pick` with its interval.
template <class Pick>
Table share_table(const std::string& name, const std::string& caption, const StreamResult& stream,
                  const std::vector<const Policy*>& list, Pick pick) {
  Table table{name, caption, {"policy", "kind"}};
  for (const Column& column : stream.columns)
    table.head.push_back(percent(column.share) + " (" + fixed(column.capacity, 0) + ")");
  for (const Policy* policy : list) {
    std::vector<Cell> cells{cell(policy->name), cell(kind_name(policy->kind))};
    bool any = false;
    for (const Column& column : stream.columns) {
      const Measured* m = find(column, policy->name);
      cells.push_back(m == nullptr ? cell("-") : interval_cell(bootstrap_mean(pick(*m)), 3));
      any |= m != nullptr;
    }
    if (any) table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string unit_name(const StreamResult& stream) {
  return stream.generated ? "over streams" : "over blocks of five episodes, with the gap of the whole file";
}

Plot hit_plot(const StreamResult& stream, const std::vector<const Policy*>& list, const std::string& name) {
  Plot plot{name, "Share of concept uses with the concept in memory, " + stream.title,
            "capacity, as a share of the concepts", "hit rate"};
  for (const Policy* policy : list) {
    Plot::Series series{policy->name};
    series.theory = policy->kind == PolicyKind::bound;
    for (const Column& column : stream.columns)
      if (const Measured* m = find(column, policy->name))
        series.add(column.share, bootstrap_mean(m->hit_rates));
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

// Compares all policies except the bounds, on every stream with every capacity.
Leads hit_leads(const std::vector<StreamResult>& streams, const std::vector<const Policy*>& list) {
  std::vector<std::string> labels;
  for (const Policy* policy : list)
    if (policy->kind != PolicyKind::bound) labels.push_back(policy->name);
  std::vector<Measure> measures;
  for (const StreamResult& stream : streams)
    for (const Column& column : stream.columns) {
      measures.push_back({stream.title + ", " + percent(column.share), {}, true, 3});
      for (const std::string& label : labels)
        measures.back().values.push_back(column.policies.at(label).hit_rates);
    }
  return find_leads(labels, std::move(measures));
}

Json summary_of(const StreamResult& stream) {
  Json summary;
  for (const Column& column : stream.columns)
    for (const auto& [policy, measured] : column.policies) {
      Json& own = summary[percent(column.share)][policy];
      own["hit_rate"] = estimate_json(bootstrap_mean(measured.hit_rates));
      if (const auto e = bootstrap_mean(measured.closed)) own["closed"] = estimate_json(e);
    }
  return summary;
}

Conclusion conclude(const Spec& /*spec*/, const ForgettingOptions& options, const std::vector<Json>& rows) {
  const std::vector<const Policy*> list = with_gap_ends(options.policies);
  const std::string reference = list.front()->name;
  const std::vector<StreamResult> streams = by_stream(rows);
  Conclusion conclusion;
  conclusion.question =
      "Which policy keeps the concepts that are used again in a memory of limited capacity?";
  const Leads leads = hit_leads(streams, list);
  std::size_t first_measure = 0;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const StreamResult& stream = streams[s];
    conclusion.answer += (s > 0 ? " " : "") + stream_sentence(stream, list, reference);
    conclusion.summary[stream.title] = summary_of(stream);
    const std::string number = std::to_string(s + 1);
    Table hits = share_table("hit_rate_" + number,
                             "Share of concept uses on " + stream.title +
                                 " with the concept in memory, by capacity as a share of the concepts (and "
                                 "as a number of concepts); first uses count as misses. " +
                                 table_policy(),
                             stream, list, [](const Measured& m) { return m.hit_rates; });
    for (std::size_t c = 0; c < stream.columns.size(); ++c)
      if (leads.has_winner(first_measure + c)) hits.rows[*leads.best[first_measure + c]][c + 2].winner = true;
    first_measure += stream.columns.size();
    conclusion.tables.push_back(std::move(hits));
    conclusion.tables.push_back(share_table("gap_" + number,
                                            "Share of the gap between recent and belady on " + stream.title +
                                                " that each policy closes, paired " + unit_name(stream) +
                                                ". A negative share is worse than recent.",
                                            stream, list, [](const Measured& m) { return m.closed; }));
    conclusion.plots.push_back(hit_plot(stream, list, "hit_rate_" + number));
  }
  conclusion.tables.push_back(
      leads_table(leads, "stream by stream, in files block of episodes by block of episodes"));
  return conclusion;
}

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<ForgettingOptions>(
      {"forgetting",
       read,
       make_trials<ForgettingTrials>,
       conclude,
       {"stream by stream, in files block of episodes by block of episodes", observe},
       [](const ForgettingOptions& options) { return options.policies; }});
}

}  // namespace engram::experiments::forgetting
