// SPDX-License-Identifier: MIT
// Completion: part of an episode in, the rest out. How well does each method complete statements as more of
// them is taken away, as wrong concepts are mixed into the rest, and as the memory holds more of the file?
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "experiments/experiment.hpp"
#include "experiments/statistics.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::StatementId;
using core::Vector;

// What is done to a cue: a share of its concepts goes, a number of wrong ones comes.
struct Corruption {
  double share = 0;
  std::size_t noise = 0;
};

std::vector<Corruption> corruptions(const Spec& spec) {
  std::vector<Corruption> all;
  for (const double share : spec.corruption)
    for (const std::size_t noise : spec.noise) all.push_back({share, noise});
  return all;
}

// One trial: a seed chooses the statements that are stored and those that are completed.
struct Setting {
  std::size_t corpus = 0;
  double load = 1;
  std::uint64_t seed = 1;
};

class Completion : public Experiment {
 public:
  explicit Completion(const Spec& spec) : spec_(spec) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(load_corpus(input, spec_.memory));
      add_rejections(rejections, corpora_.back());
      for (const double load : spec_.load)
        for (const std::uint64_t seed : spec_.seeds) settings_.push_back({corpora_.size() - 1, load, seed});
    }
    return rejections;
  }

  std::size_t trials() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    const Corpus& corpus = corpora_[setting.corpus];
    const auto stored = choose_statements(corpus, setting);
    core::Memory memory(spec_.memory);
    store(corpus, stored, memory);
    const core::Readings readings(memory);

    TrialResult result;
    for (const auto& [corruption, noise] : corruptions(spec_)) {
      const auto cues = choose_cues(memory, readings, setting, corruption, noise);
      for (const MethodChoice& choice : spec_.methods) {
        const core::AnyRetriever retriever = core::make_retriever(*choice.method, choice.options);
        Totals totals;
        const double time = seconds([&] {
          for (const Cue& cue : cues) add(totals, cue, readings, retriever(readings, cue.activation));
        });
        result.rows.push_back({{"trial", trial},
                               {"file", corpus.name},
                               {"load", setting.load},
                               {"seed", setting.seed},
                               {"corruption", corruption},
                               {"noise", noise},
                               {"method", choice.label},
                               {"stored", memory.statements().size()},
                               {"cues", cues.size()}});
        if (!cues.empty()) {
          const auto n = static_cast<double>(cues.size());
          result.rows.back()["reciprocal_rank"] = totals.reciprocal_rank / n;
          result.rows.back()["hit"] = totals.hit / n;
          result.rows.back()["statement_reciprocal_rank"] = totals.statement_reciprocal_rank / n;
        }
        result.timings.push_back({{"trial", trial}, {"method", choice.label}, {"seconds", time}});
      }
    }
    return result;
  }

 private:
  struct Cue {
    StatementId statement = 0;
    Vector activation;
    std::vector<ConceptId> missing;
  };
  struct Totals {
    double reciprocal_rank = 0, hit = 0, statement_reciprocal_rank = 0;
  };

  // A share of the file's statements, in the file's order.
  static std::vector<StatementId> choose_statements(const Corpus& corpus, const Setting& setting) {
    const auto all = static_cast<std::uint32_t>(corpus.session->memory().statements().size());
    core::Rng rng(setting.seed, "completion statements", setting.corpus);
    auto order = rng.permutation(all);
    order.resize(static_cast<std::size_t>(std::ceil(setting.load * all)));
    std::ranges::sort(order);
    return order;
  }

  // Terms belong to the table of the memory that read them, so the sentences are read again.
  static void store(const Corpus& corpus, const std::vector<StatementId>& chosen, core::Memory& memory) {
    for (const StatementId id : chosen) {
      const std::string text = narsese::print(corpus.session->memory().statements()[id].sentence);
      const auto sentence = narsese::parse_sentence(text, memory.terms());
      if (!sentence || !memory.accept(*sentence)) throw std::logic_error("cannot store again: " + text);
    }
  }

  // Statements of at least two concepts, each with a share of them (at least one, not all) taken away, and
  // wrong ones, that the statement does not mention, put in.
  std::vector<Cue> choose_cues(const core::Memory& memory, const core::Readings& readings,
                               const Setting& setting, double corruption, std::size_t noise) const {
    const auto holders = readings.holders();
    core::Rng rng(setting.seed, "completion cues",
                  setting.corpus * 10'000'000 + static_cast<std::uint64_t>(setting.load * 1e6));
    std::vector<Cue> cues;
    for (const StatementId id : rng.permutation(static_cast<std::uint32_t>(memory.statements().size()))) {
      const auto& active = memory.statements()[id].active;
      if (active.size() < 2) continue;
      if (cues.size() == spec_.cues) break;
      const auto wanted = std::lround(corruption * static_cast<double>(active.size()));
      const auto missing = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, active.size() - 1);
      Cue cue{id, Vector::Zero(static_cast<core::Index>(memory.graph().size())), {}};
      for (const std::uint32_t place : rng.permutation(static_cast<std::uint32_t>(active.size()))) {
        if (cue.missing.size() < missing)
          cue.missing.push_back(active[place]);
        else
          cue.activation[active[place]] = 1.0;
      }
      for (std::size_t wrong = 0; wrong < noise && active.size() + wrong < holders.size();) {
        const ConceptId other = holders[rng.below(holders.size())];
        if (std::ranges::binary_search(active, other) || cue.activation[other] > 0) continue;
        cue.activation[other] = 1.0;
        ++wrong;
      }
      cues.push_back(std::move(cue));
    }
    return cues;
  }

  static void add(Totals& totals, const Cue& cue, const core::Readings& readings,
                  const core::Recall& recall) {
    std::vector<bool> counted(static_cast<std::size_t>(readings.concepts()));
    for (const ConceptId id : readings.holders()) counted[id] = cue.activation[id] == 0;
    const auto missing = static_cast<double>(cue.missing.size());
    for (const ConceptId id : cue.missing) {
      const double rank = tied_rank(recall.concepts, id, counted);
      totals.reciprocal_rank += 1.0 / rank / missing;
      totals.hit += (rank <= missing ? 1.0 : 0.0) / missing;
    }
    const std::vector<bool> all(static_cast<std::size_t>(readings.statements()), true);
    totals.statement_reciprocal_rank += 1.0 / tied_rank(recall.statements, cue.statement, all);
  }

  const Spec& spec_;
  std::vector<Corpus> corpora_;
  std::vector<Setting> settings_;
};

// One measure, file by file and seed by seed, for one method and setting.
std::vector<double> values_of(const std::vector<Json>& rows, const std::string& method, double load,
                              const Corruption& corruption, const char* measure) {
  std::vector<double> values;
  for (const Json& row : rows)
    if (row.at("method") == method && row.at("corruption") == corruption.share &&
        row.at("noise") == corruption.noise && row.at("load") == load && row.contains(measure))
      values.push_back(row.at(measure).get<double>());
  return values;
}

std::optional<Estimate> estimate_of(const std::vector<Json>& rows, const std::string& method, double load,
                                    const Corruption& corruption, const char* measure) {
  return bootstrap_mean(values_of(rows, method, load, corruption, measure));
}

// The same at one load, averaged over all ways of corrupting a cue.
std::vector<double> mean_values(const Spec& spec, const std::vector<Json>& rows, const std::string& method,
                                double load) {
  std::vector<double> means;
  const auto all = corruptions(spec);
  for (const Corruption& corruption : all) {
    const auto values = values_of(rows, method, load, corruption, "reciprocal_rank");
    means.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) means[i] += values[i] / static_cast<double>(all.size());
  }
  return means;
}

std::string percent(double share) { return cell(100 * share, 0).text + " %"; }

Table measure_table(const Spec& spec, const std::vector<Json>& rows, double load, const char* measure,
                    const std::string& name, const std::string& caption) {
  Table table{name, caption, {"method"}, {}};
  for (const Corruption& corruption : corruptions(spec))
    table.head.push_back("-" + percent(corruption.share) + " +" + std::to_string(corruption.noise));
  for (const MethodChoice& choice : spec.methods) {
    std::vector<Cell> cells{cell(choice.label)};
    for (const Corruption& corruption : corruptions(spec))
      cells.push_back(interval_cell(estimate_of(rows, choice.label, load, corruption, measure), 2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// One line a method: mean reciprocal rank along some axis of the settings.
template <class Axis, class SettingAt>
Plot plot_along(const Spec& spec, const std::vector<Json>& rows, Plot plot, const Axis& axis,
                SettingAt setting_at) {
  for (const MethodChoice& choice : spec.methods) {
    Plot::Series series{choice.label, {}};
    for (const auto x : axis) {
      const std::pair<double, Corruption> setting = setting_at(x);
      if (const auto e = estimate_of(rows, choice.label, setting.first, setting.second, "reciprocal_rank"))
        series.points.push_back({static_cast<double>(x), e->mean, e->low, e->high});
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::unique_ptr<Experiment> make_completion(const Spec& spec) { return std::make_unique<Completion>(spec); }

Conclusion conclude_completion(const Spec& spec, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Part of a statement in: does the rest of it come back?";
  const double full = *std::ranges::max_element(spec.load);
  const Corruption mildest{*std::ranges::min_element(spec.corruption), *std::ranges::min_element(spec.noise)};
  const Corruption hardest{*std::ranges::max_element(spec.corruption), *std::ranges::max_element(spec.noise)};
  const std::string setting =
      " Columns: share of the statement's concepts taken away, number of wrong ones mixed in. The memory "
      "holds " +
      percent(full) + " of the file's statements; mean over files and " + std::to_string(spec.seeds.size()) +
      " seeds, 95 % bootstrap intervals.";
  conclusion.tables = {
      measure_table(spec, rows, full, "reciprocal_rank", "concepts",
                    "Mean reciprocal rank of the concepts that were taken away." + setting),
      measure_table(spec, rows, full, "hit", "hits",
                    "Share of the m concepts taken away that are among the m best." + setting),
      measure_table(spec, rows, full, "statement_reciprocal_rank", "statements",
                    "Mean reciprocal rank of the statement that the cue was cut from." + setting)};

  conclusion.summary = Json::object();
  std::vector<std::string> labels;
  std::vector<std::vector<double>> values;  // at full load, mean over the ways of corrupting a cue
  std::vector<std::optional<Estimate>> estimates;
  std::size_t best = 0;
  for (const MethodChoice& choice : spec.methods) {
    Json settings = Json::array();
    for (const double load : spec.load)
      for (const Corruption& corruption : corruptions(spec))
        if (const auto e = estimate_of(rows, choice.label, load, corruption, "reciprocal_rank"))
          settings.push_back({{"load", load},
                              {"corruption", corruption.share},
                              {"noise", corruption.noise},
                              {"reciprocal_rank", e->mean},
                              {"low", e->low},
                              {"high", e->high}});
    conclusion.summary[choice.label] = settings;
    labels.push_back(choice.label);
    values.push_back(mean_values(spec, rows, choice.label, full));
    estimates.push_back(bootstrap_mean(values.back()));
    if (estimates.back() && estimates.back()->mean > estimates[best]->mean) best = labels.size() - 1;
  }
  if (!estimates[best]) {
    conclusion.answer = "No statement has two concepts or more, so there was nothing to complete.";
    return conclusion;
  }
  conclusion.plots = {
      plot_along(spec, rows,
                 {"noise",
                  "Completion against wrong concepts in the cue",
                  "wrong concepts mixed in",
                  "mean reciprocal rank",
                  {},
                  {}},
                 spec.noise,
                 [&](std::size_t noise) {
                   return std::pair(full, Corruption{mildest.share, noise});
                 }),
      plot_along(
          spec, rows,
          {"load", "Completion against load", "share of the file in memory", "mean reciprocal rank", {}, {}},
          spec.load, [&](double load) { return std::pair(load, mildest); })};
  std::size_t best_at_worst = 0;
  const auto at_worst = [&](std::size_t i) {
    return estimate_of(rows, labels[i], full, hardest, "reciprocal_rank").value_or(Estimate{}).mean;
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (at_worst(i) > at_worst(best_at_worst)) best_at_worst = i;
  conclusion.answer =
      "With " + percent(full) + " of the file in memory and over all ways of corrupting the cue, " +
      labels[best] + " completes best: mean reciprocal rank " + cell(estimates[best]->mean, 3).text +
      " (95 % interval " + cell(estimates[best]->low, 3).text + " to " + cell(estimates[best]->high, 3).text +
      " over files and seeds); " + lead_clause(labels, values, best) + ". For the worst cues, with " +
      percent(hardest.share) + " taken away and " + std::to_string(hardest.noise) +
      " wrong concepts mixed in, " +
      (best_at_worst == best ? "it is best as well" : labels[best_at_worst] + " is best") + ", with " +
      cell(at_worst(best_at_worst), 3).text + ".";
  return conclusion;
}

}  // namespace engram::experiments
