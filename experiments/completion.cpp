// SPDX-License-Identifier: MIT
// Completion: part of an episode in, the rest out. How well does each method complete statements as more of
// them is taken away and as the memory holds more of the file?
#include <algorithm>
#include <cmath>
#include <map>

#include "core/random.hpp"
#include "experiments/experiment.hpp"
#include "experiments/statistics.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::StatementId;
using core::Vector;

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
    for (const double corruption : spec_.corruption) {
      const auto cues = choose_cues(memory, setting, corruption);
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
                               {"method", choice.label},
                               {"stored", memory.statements().size()},
                               {"cues", cues.size()}});
        if (!cues.empty()) {
          const auto n = static_cast<double>(cues.size());
          result.rows.back()["reciprocal_rank"] = totals.reciprocal_rank / n;
          result.rows.back()["hit"] = totals.hit / n;
          result.rows.back()["statement_reciprocal_rank"] = totals.statement_reciprocal_rank / n;
        }
        result.timings.push_back(
            {{"trial", trial}, {"method", choice.label}, {"corruption", corruption}, {"seconds", time}});
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
    core::Rng rng(setting.seed, "completion statements " + corpus.name);
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

  // Statements of at least two concepts, each with a share of them (at least one, not all) taken away.
  std::vector<Cue> choose_cues(const core::Memory& memory, const Setting& setting, double corruption) const {
    core::Rng rng(setting.seed, "completion cues", static_cast<std::uint64_t>(setting.load * 1e6));
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

// The values of one measure over seeds and files, for one method and setting.
std::vector<double> values_of(const std::vector<Json>& rows, const std::string& method, double corruption,
                              double load, const char* measure) {
  std::vector<double> values;
  for (const Json& row : rows)
    if (row.at("method") == method && row.at("corruption") == corruption && row.at("load") == load &&
        row.contains(measure))
      values.push_back(row.at(measure).get<double>());
  return values;
}

Table measure_table(const Spec& spec, const std::vector<Json>& rows, double load, const char* measure,
                    const std::string& name, const std::string& caption) {
  Table table{name, caption, {"method"}, {}};
  for (const double corruption : spec.corruption)
    table.head.push_back("taken away " + cell(100 * corruption, 0).text + " %");
  for (const MethodChoice& choice : spec.methods) {
    std::vector<Cell> cells{cell(choice.label)};
    for (const double corruption : spec.corruption) {
      const auto estimate = bootstrap_mean(values_of(rows, choice.label, corruption, load, measure));
      cells.push_back(estimate ? Cell{cell(estimate->mean, 3).text + " [" + cell(estimate->low, 3).text +
                                          ", " + cell(estimate->high, 3).text + "]",
                                      narsese::print_number(estimate->mean)}
                               : cell("-"));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::unique_ptr<Experiment> make_completion(const Spec& spec) { return std::make_unique<Completion>(spec); }

Conclusion conclude_completion(const Spec& spec, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Part of a statement in: does the rest of it come back?";
  const double full = *std::ranges::max_element(spec.load);
  const double hardest = *std::ranges::max_element(spec.corruption);
  const std::string at_full = " Memory at " + cell(100 * full, 0).text +
                              " % of the file's statements, mean over " + std::to_string(spec.seeds.size()) +
                              " seeds with 95 % bootstrap intervals.";
  conclusion.tables = {
      measure_table(spec, rows, full, "reciprocal_rank", "concepts",
                    "Mean reciprocal rank of the concepts that were taken away." + at_full),
      measure_table(spec, rows, full, "hit", "hits",
                    "Share of the m concepts taken away that are among the m best." + at_full),
      measure_table(spec, rows, full, "statement_reciprocal_rank", "statements",
                    "Mean reciprocal rank of the statement that the cue was cut from." + at_full)};

  conclusion.summary = Json::object();
  Plot by_corruption{"corruption",
                     "Completion against corruption",
                     "share of the statement taken away",
                     "mean reciprocal rank",
                     {}};
  Plot by_load{"load", "Completion against load", "share of the file in memory", "mean reciprocal rank", {}};
  std::optional<Estimate> best;
  std::string best_label;
  for (const MethodChoice& choice : spec.methods) {
    Json settings = Json::array();
    Plot::Series against_corruption{choice.label, {}}, against_load{choice.label, {}};
    for (const double load : spec.load)
      for (const double corruption : spec.corruption) {
        const auto estimate =
            bootstrap_mean(values_of(rows, choice.label, corruption, load, "reciprocal_rank"));
        if (!estimate) continue;
        settings.push_back({{"load", load},
                            {"corruption", corruption},
                            {"reciprocal_rank", estimate->mean},
                            {"low", estimate->low},
                            {"high", estimate->high}});
        if (load == full)
          against_corruption.points.push_back({corruption, estimate->mean, estimate->low, estimate->high});
        if (corruption == hardest)
          against_load.points.push_back({load, estimate->mean, estimate->low, estimate->high});
        if (load == full && corruption == hardest && (!best || estimate->mean > best->mean)) {
          best = estimate;
          best_label = choice.label;
        }
      }
    conclusion.summary[choice.label] = settings;
    if (against_corruption.points.empty()) continue;
    by_corruption.series.push_back(against_corruption);
    by_load.series.push_back(against_load);
  }
  if (!best) {
    conclusion.answer = "No statement has two concepts or more, so there was nothing to complete.";
    return conclusion;
  }
  conclusion.plots = {by_corruption, by_load};
  conclusion.answer = "With " + cell(100 * hardest, 0).text + " % of a statement taken away and " +
                      cell(100 * full, 0).text + " % of the file in memory, " + best_label +
                      " completes best: mean reciprocal rank " + cell(best->mean, 3).text +
                      " (95 % interval " + cell(best->low, 3).text + " to " + cell(best->high, 3).text +
                      " over seeds).";
  return conclusion;
}

}  // namespace engram::experiments
