// SPDX-License-Identifier: MIT
// Energies of single recalls by several memories. If a network stores more patterns than its critical load, a recall
// ends in a state of lower energy than the pattern.
#include <cmath>

#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/capacity.hpp"

namespace engram::experiments::capacity {
namespace {

Json row_of(const std::string& group, const std::string& recall, const std::vector<double>& x,
            const std::vector<double>& energy, const std::vector<double>& overlap) {
  return {{"figure", "energies"}, {"group", group},    {"recall", recall}, {"x", x},
          {"energy", energy},     {"overlap", overlap}};
}

std::vector<double> steps(std::size_t count, double each) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i) * each;
  return x;
}

// Recall of a network of 1000 spins with 15 % of the pattern's bits flipped, recorded twenty times a sweep.
Json classical_recall(std::uint64_t seed, double load) {
  constexpr Index spins = 1000;
  constexpr int looks = 20;
  core::Rng rng(seed, "capacity energies", static_cast<std::uint64_t>(std::lround(1000 * load)));
  const Matrix x = random_spins(rng, patterns_at(spins, load), spins);
  const Vector pattern = x.row(0).transpose(), cue = damaged(rng, x, 0, 0.15);
  std::vector<double> overlaps{overlap(pattern, cue)};
  const auto recall = core::recall_hopfield(
      core::hebb_weights(x), cue, {.max_sweeps = 12, .order = {}, .observations_per_sweep = looks},
      [&](const Vector& state) { overlaps.push_back(overlap(pattern, state)); });
  std::vector<double> energy;
  for (const double e : recall.energies) energy.push_back(e / spins);
  return row_of("classical", "load " + fixed(load, 2), steps(energy.size(), 1.0 / looks), energy, overlaps);
}

// Scales energies to the range from 1 (cue) to 0 (end), so that different energies share one axis.
std::vector<double> way_down(const std::vector<double>& energies) {
  std::vector<double> way;
  const double whole = energies.front() - energies.back();
  for (const double e : energies) way.push_back(whole > 0 ? (e - energies.back()) / whole : 0);
  return way;
}

std::vector<Json> other_recalls(std::uint64_t seed) {
  constexpr Index spins = 200, patterns = 100;
  core::Rng rng(seed, "capacity energies, others");
  const Matrix x = random_spins(rng, patterns, spins);
  const Vector pattern = x.row(0).transpose(), cue = damaged(rng, x, 0, 0.3);
  std::vector<Json> rows;
  const auto add = [&](const std::string& name, const std::vector<double>& energies, const Vector& state) {
    const double scale = std::sqrt(core::dot(pattern, pattern) * core::dot(state, state));
    rows.push_back(row_of("others", name, steps(energies.size(), 1), way_down(energies),
                          {core::dot(pattern, state) / scale}));
  };
  const auto classical = core::recall_hopfield(core::hebb_weights(x), cue, {.max_sweeps = 12, .order = {}});
  add("classical, sweeps", classical.energies, classical.state);
  const auto cubic = core::recall_dense(x, cue, {.n = 3, .order = {}});
  add("dense, x^3, sweeps", cubic.energies, cubic.state);
  const Matrix unit = x / std::sqrt(static_cast<double>(spins));
  const Vector query = cue / std::sqrt(static_cast<double>(spins));
  for (const core::SimplexMap map :
       {core::SimplexMap::softmax, core::SimplexMap::sparsemax, core::SimplexMap::entmax}) {
    const auto recall = core::recall_modern(unit, query, {.beta = 10, .map = map, .max_steps = 12});
    add("modern, " + std::string(core::facts(map).name) + ", steps", recall.energies, recall.state);
  }
  return rows;
}

Plot recall_plot(const std::vector<Json>& rows, const char* group, const char* value, Plot plot) {
  plot.bars = plot.shares = false;
  for (const Json& row : rows) {
    if (row.at("group") != group) continue;
    Plot::Series series{row.at("recall").get<std::string>()};
    for (std::size_t i = 0; i < row.at(value).size(); ++i)
      series.add(row.at("x").at(i).get<double>(), row.at(value).at(i).get<double>());
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

TrialResult energy_trial(std::uint64_t seed) {
  TrialResult result;
  const double time = seconds([&] {
    for (const double load : {0.05, 0.10, 0.13, 0.20, 0.30})
      result.rows.push_back(classical_recall(seed, load));
    for (Json& row : other_recalls(seed)) result.rows.push_back(std::move(row));
  });
  result.timings.push_back({{"method", "energies"}, {"seconds", time}});
  return result;
}

void conclude_energies(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::vector<Json> own;
  for (const Json& row : rows)
    if (row.at("figure") == "energies") own.push_back(row);
  if (own.empty()) return;
  Plot energy = recall_plot(
      own, "classical", "energy",
      {"energies", "Energies of one recall: 1000 spins, 15 % flipped", "sweeps", "energy a spin"});
  energy.from_zero = false;
  const Plot overlap =
      recall_plot(own, "classical", "overlap",
                  {"recall_overlaps", "Overlap with the pattern in the same recalls", "sweeps", "overlap"});
  const Plot others = recall_plot(
      own, "others", "energy",
      {"energies_of_others", "Energies of other memories: 100 patterns in 200 spins, 30 % flipped",
       "steps or sweeps", "energy, from 1 (cue) to 0 (end)"});
  energy.note_html =
      "<p><small>In theory a recall below the critical load, 0.138, ends near its pattern. Above the "
      "critical load, the energy falls below the pattern's energy, and the state is not a stored pattern. "
      "The table recalls has the end of each recall.</small></p>\n";
  conclusion.plots.insert(conclusion.plots.end(), {energy, overlap, others});
  Table table{"recalls",
              "Number of recorded energies, largest rise of the energy, and final overlap of each recall in "
              "the plots.",
              {"recall", "energies", "largest rise", "overlap at the end"}};
  for (const Json& row : own) {
    double rise = 0;
    const Json& energies = row.at("energy");
    for (std::size_t i = 1; i < energies.size(); ++i)
      rise = std::max(rise, energies[i].get<double>() - energies[i - 1].get<double>());
    table.rows.push_back(
        {cell(row.at("group").get<std::string>() + ", " + row.at("recall").get<std::string>()),
         cell(static_cast<double>(energies.size()), 0), scientific_cell(rise),
         cell(row.at("overlap").at(row.at("overlap").size() - 1).get<double>(), 3)});
  }
  conclusion.tables.push_back(std::move(table));
}

}  // namespace engram::experiments::capacity
