// SPDX-License-Identifier: MIT
// Conclusion of the experiment `sensors`: tables and sentences from its rows.
#include <algorithm>
#include <map>

#include "experiments/sensors/sensors.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::sensors {
namespace {

using Lives = std::vector<const Json*>;  // runs of all seeds

// Runs in a world, by number of distractors, then by policy.
using WorldLives = std::map<std::size_t, std::map<std::string, Lives>>;

std::vector<double> right_of(const Json& row) { return row.at("right").get<std::vector<double>>(); }

std::vector<double> second_halves(const Lives& lives) {
  std::vector<double> all;
  for (const Json* row : lives) {
    const std::vector<double> right = right_of(*row);
    const std::vector<double> second(right.begin() + static_cast<std::ptrdiff_t>(right.size() / 2),
                                     right.end());
    all.push_back(second.empty() ? 0 : mean(second));
  }
  return all;
}

std::vector<double> scores(const Lives& lives) {
  std::vector<double> all;
  for (const Json* row : lives)
    all.push_back(100 * row->at("score").get<double>() / std::max(1.0, row->at("steps").get<double>()));
  return all;
}

std::vector<double> passed(const Lives& lives) {
  std::vector<double> all;
  for (const Json* row : lives) all.push_back(row->at("relevant_passed").get<double>());
  return all;
}

// Median of the trials to the criterion over the runs; the upper median of an even number. Runs that never meet it come
// last.
std::string median_to_criterion(const Lives& lives, std::size_t first) {
  std::vector<std::size_t> needed;
  constexpr std::size_t never = static_cast<std::size_t>(-1);
  for (const Json* row : lives) {
    const auto trials = trials_to_criterion(right_of(*row), first);
    needed.push_back(trials ? *trials - first : never);
  }
  std::sort(needed.begin(), needed.end());
  const std::size_t middle = needed[needed.size() / 2];
  return middle == never ? "never" : std::to_string(middle);
}

template <class Make>
Table table_of(const std::string& name, const std::string& caption, const WorldLives& lives,
               const std::vector<std::string>& policies, Make make) {
  Table table{name, caption, {"policy"}};
  for (const auto& [distractors, by_policy] : lives)
    table.head.push_back(std::to_string(distractors) + " distractors");
  for (const std::string& policy : policies) {
    std::vector<Cell> cells{cell(policy)};
    for (const auto& [distractors, by_policy] : lives) {
      const auto found = by_policy.find(policy);
      cells.push_back(found == by_policy.end() ? cell("-") : make(found->second));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Curve of the share of correct trials in ten blocks, averaged over the runs.
Plot curve(const std::string& name, const std::string& world, std::size_t distractors,
           const std::map<std::string, Lives>& by_policy, const std::vector<std::string>& policies) {
  Plot plot{name, world + ", " + std::to_string(distractors) + " distractors", "trial", "share right"};
  plot.bars = by_policy.size() <= 4;  // more bars would overlap; the tables have the intervals
  for (const std::string& policy : policies) {
    const auto found = by_policy.find(policy);
    if (found == by_policy.end()) continue;
    Plot::Series series{policy};
    constexpr std::size_t blocks = 10;
    const std::size_t trials = right_of(*found->second.front()).size();
    for (std::size_t block = 0; block < blocks && trials >= blocks; ++block) {
      const std::size_t begin = block * trials / blocks, end = (block + 1) * trials / blocks;
      std::vector<double> shares;
      for (const Json* row : found->second) {
        const std::vector<double> right = right_of(*row);
        const auto at = [&](std::size_t place) {
          return right.begin() + static_cast<std::ptrdiff_t>(std::min(place, right.size()));
        };
        const std::vector<double> own(at(begin), at(end));
        if (!own.empty()) shares.push_back(mean(own));
      }
      series.add(static_cast<double>(end), bootstrap_mean(shares));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

bool has(const std::vector<std::string>& policies, const char* name) {
  return std::ranges::find(policies, name) != policies.end();
}

std::string sentence(const std::string& world, const WorldLives& lives,
                     const std::vector<std::string>& policies) {
  const auto& [distractors, by_policy] = *lives.rbegin();
  std::string text;
  for (const char* policy : {"predictive", "oracle", "all", "random"}) {
    if (!has(policies, policy)) continue;
    // The last available result, because `all` may be omitted with many distractors.
    const WorldLives::const_reverse_iterator last = std::find_if(
        lives.rbegin(), lives.rend(), [&](const auto& entry) { return entry.second.contains(policy); });
    if (last == lives.rend()) continue;
    text += (text.empty() ? "" : ", ") + std::string(policy) + " " +
            interval_cell(bootstrap_mean(second_halves(last->second.at(policy))), 2).text;
    if (last->first != distractors) text += " (at " + std::to_string(last->first) + ")";
  }
  if (text.empty()) return "";
  return "In the world " + world + " with " + std::to_string(distractors) +
         " distractors a step, the share of right acts in the second half is: " + text + ".";
}

}  // namespace

Conclusion conclude_sensors(const Spec& /*spec*/, const SensorsOptions& options,
                            const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question =
      "Does a NARS learn to act among distractors, if attention passes on a few events of all?";
  std::size_t number = 0;
  for (const WorldRuns& runs : options.worlds) {
    WorldLives lives;
    for (const Json& row : rows)
      if (row.at("world") == runs.label)
        lives[row.at("distractors").get<std::size_t>()][row.at("method").get<std::string>()].push_back(&row);
    if (lives.empty()) continue;
    const std::string suffix = "_" + std::to_string(++number);
    const Json& any = *lives.begin()->second.begin()->second.front();
    const std::string who = std::string(options.system.system->name);
    conclusion.answer +=
        (conclusion.answer.empty() ? "" : " ") + sentence(runs.label, lives, options.policies);
    conclusion.tables.push_back(table_of(
        "right" + suffix,
        "Share of the trials done right in the second half, " + runs.label + ", by " + who + "; by chance " +
            fixed(any.at("chance").get<double>(), 2) + ". At most " + std::to_string(runs.pass) +
            " events a step go on (all: everything). Mean over lives with 95 % bootstrap intervals.",
        lives, options.policies,
        [](const Lives& own) { return interval_cell(bootstrap_mean(second_halves(own)), 2); }));
    const auto kind = std::ranges::find(world_kinds(), runs.world, &WorldKind::name);
    if (kind->points)
      conclusion.tables.push_back(table_of("score" + suffix,
                                           "Points in 100 steps, " + runs.label + "; by chance " +
                                               fixed(100 * any.at("chance_score").get<double>(), 1) + ".",
                                           lives, options.policies, [](const Lives& own) {
                                             return interval_cell(bootstrap_mean(scores(own)), 1);
                                           }));
    conclusion.tables.push_back(table_of(
        "criterion" + suffix,
        "Trials until " + std::to_string(criterion_right) + " of " + std::to_string(criterion_window) +
            " are right, the middle of the lives, " + runs.label + ".",
        lives, options.policies, [](const Lives& own) { return cell(median_to_criterion(own, 0)); }));
    if (runs.world == "reversal")
      conclusion.tables.push_back(
          table_of("recovery" + suffix,
                   "Trials after the reversal until " + std::to_string(criterion_right) + " of " +
                       std::to_string(criterion_window) + " are right again, the middle of the lives.",
                   lives, options.policies,
                   [&](const Lives& own) { return cell(median_to_criterion(own, runs.options.reversal)); }));
    conclusion.tables.push_back(table_of(
        "passed" + suffix,
        "Share of the steps in which something that matters was passed on, " + runs.label + ".", lives,
        options.policies, [](const Lives& own) { return interval_cell(bootstrap_mean(passed(own)), 2); }));
    for (const auto& [distractors, by_policy] : lives) {
      for (const auto& [policy, own] : by_policy) {
        Json& summary = conclusion.summary[runs.label][std::to_string(distractors)][policy];
        summary["right"] = estimate_json(bootstrap_mean(second_halves(own)));
        summary["criterion"] = median_to_criterion(own, 0);
      }
      conclusion.plots.push_back(curve("right" + suffix + "_" + std::to_string(distractors), runs.label,
                                       distractors, by_policy, options.policies));
    }
    const auto& most = lives.rbegin()->second;
    for (const char* policy : {"predictive", "all", "oracle"}) {
      const auto found = most.find(policy);
      if (found == most.end() || !found->second.front()->contains("film")) continue;
      conclusion.drawings.push_back(
          grid_film("film" + suffix + "_" + policy, film_in(found->second.front()->at("film"))));
      break;
    }
  }
  return conclusion;
}

}  // namespace engram::experiments::sensors
