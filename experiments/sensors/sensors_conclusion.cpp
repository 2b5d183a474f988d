// SPDX-License-Identifier: MIT
// Conclusion of the experiment `sensors`: tables and sentences from its rows.
#include <algorithm>
#include <map>

#include "experiments/sensors/sensors.hpp"
#include "experiments/sensors/touchstones.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::sensors {
namespace {

using Lives = std::vector<const Json*>;  // runs of all seeds

// Runs in a world, by number of distractors, then by policy.
using WorldLives = std::map<std::size_t, std::map<std::string, Lives>>;

std::vector<double> right_of(const Json& row) { return row.at("right").get<std::vector<double>>(); }

// Share of correct trials in the second half of each run. In the world `reversal`, only the trials after the reversal
// count, and of these the second half.
std::vector<double> second_halves(const Lives& lives, const WorldRuns& runs) {
  std::vector<double> all;
  const std::size_t change = runs.world == "reversal" ? runs.options.reversal : 0;
  for (const Json* row : lives) {
    const std::vector<double> right = right_of(*row);
    const std::size_t begin = right.size() - (right.size() - std::min(change, right.size())) / 2;
    const std::vector<double> second(right.begin() + static_cast<std::ptrdiff_t>(begin), right.end());
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

// Median over the runs of the number of trials to the criterion; for an even number of runs, the upper median. Runs
// that never meet the criterion sort last.
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

std::string sentence(const WorldRuns& runs, const WorldLives& lives,
                     const std::vector<std::string>& policies) {
  const auto& [distractors, by_policy] = *lives.rbegin();
  std::string text;
  for (const char* policy : {"predictive", "oracle", "all", "random"}) {
    if (!has(policies, policy)) continue;
    // The result with most distractors, because the policy `all` may be omitted with many distractors.
    const WorldLives::const_reverse_iterator last = std::find_if(
        lives.rbegin(), lives.rend(), [&](const auto& entry) { return entry.second.contains(policy); });
    if (last == lives.rend()) continue;
    text += (text.empty() ? "" : ", ") + std::string(policy) + " " +
            interval_cell(bootstrap_mean(second_halves(last->second.at(policy), runs)), 2).text;
    if (last->first != distractors) text += " (at " + std::to_string(last->first) + ")";
  }
  if (text.empty()) return "";
  return "In the world " + runs.label + " with " + std::to_string(distractors) +
         " distractors a step, the share of right acts in the second half is: " + text + ".";
}

// Says in how many lives the reasoner ended, and why in the first of them.
std::string ends(const std::vector<Json>& rows) {
  const auto ended = [](const Json& row) { return row.contains("ended"); };
  const auto first = std::ranges::find_if(rows, ended);
  if (first == rows.end()) return "";
  const auto lives =
      std::ranges::count_if(rows, [](const Json& row) { return row.at("world") != touchstones_label; });
  return "In " + std::to_string(std::ranges::count_if(rows, ended)) + " of " + std::to_string(lives) +
         " lives the reasoner ended, and its later trials count as wrong. First in the world " +
         first->at("world").get<std::string>() + " with " + first->at("distractors").dump() +
         " distractors, policy " + first->at("method").get<std::string>() + ", seed " +
         first->at("seed").dump() + ": " + first->at("ended").get<std::string>() + ".";
}

// Two tables with a column for each theory: the responses of group and control, and attention after training.
void add_touchstones(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::vector<const Json*> by_theory;
  for (const Theory& theory : theories())
    for (const Json& row : rows)
      if (row.at("world") == touchstones_label && row.at("method") == theory.name) by_theory.push_back(&row);
  if (by_theory.empty()) return;
  Table responses{
      "touchstones",
      "Phenomena of animal learning. Yes means that the response of the group is at least " +
          fixed(least_difference, 2) + " " +
          "weaker (stronger for positive patterning) than that of the control; the two responses are "
          "in this order.",
      {"phenomenon", "group", "control", "animals"}};
  Table attention{
      "attention",
      "Attention to a stimulus before and after training: the associability alpha of a theory, the "
      "score of the filter.",
      {"stimulus", "training"}};
  for (const Json* row : by_theory) {
    responses.head.push_back(row->at("method").get<std::string>());
    if (row->at("method") != theories().front().name) attention.head.push_back(responses.head.back());
  }
  Json& summary = conclusion.summary[touchstones_label];
  for (const Touchstone& touchstone : touchstones()) {
    std::vector<Cell> cells{cell(touchstone.name), cell(touchstone.design + ", " + touchstone.tested),
                            cell(touchstone.control_design + ", " + touchstone.control_tested),
                            cell(touchstone.animals)};
    for (const Json* row : by_theory) {
      const Json& found = row->at("responses").at(touchstone.name);
      const double group = found.at("group").get<double>(), control = found.at("control").get<double>();
      const bool shown = (touchstone.stronger ? group - control : control - group) >= least_difference;
      summary[touchstone.name][row->at("method").get<std::string>()] = shown;
      cells.push_back(cell((shown ? "yes, " : "no, ") + fixed(group, 2) + " and " + fixed(control, 2)));
    }
    responses.rows.push_back(std::move(cells));
  }
  for (const AttentionProbe& probe : attention_probes()) {
    std::vector<Cell> cells{cell(probe.name), cell(probe.design)};
    for (const Json* row : by_theory) {
      if (row->at("method") == theories().front().name) continue;  // this theory has no attention
      const Json& found = row->at("attention").at(probe.name);
      cells.push_back(cell(fixed(found.at("before").get<double>(), 2) + " to " +
                           fixed(found.at("after").get<double>(), 2)));
    }
    attention.rows.push_back(std::move(cells));
  }
  conclusion.tables.push_back(std::move(responses));
  conclusion.tables.push_back(std::move(attention));
}

using AllLives = std::vector<std::pair<const WorldRuns*, WorldLives>>;  // runs of each world that has rows

AllLives lives_in(const SensorsOptions& options, const std::vector<Json>& rows) {
  AllLives all;
  for (const WorldRuns& runs : options.worlds) {
    WorldLives lives;
    for (const Json& row : rows)
      if (row.at("world") == runs.label)
        lives[row.at("distractors").get<std::size_t>()][row.at("method").get<std::string>()].push_back(&row);
    if (!lives.empty()) all.emplace_back(&runs, std::move(lives));
  }
  return all;
}

const Json& any_row(const WorldLives& lives) { return *lives.begin()->second.begin()->second.front(); }

// Adds two tables for each number of distractors, with a row for each world. The first has the main policies and the
// limits for comparison; the second has the other policies.
void add_overviews(const SensorsOptions& options, const AllLives& all, Conclusion& conclusion) {
  const std::vector<std::string> framing{"all", "first", "random", "single_events", "predictive", "oracle"};
  for (const std::size_t distractors : options.distractors)
    for (const bool frames : {true, false}) {
      std::vector<std::string> policies;
      for (const std::string& policy : options.policies)
        if ((std::ranges::find(framing, policy) != framing.end()) == frames) policies.push_back(policy);
      Table table{
          (frames ? "overview_" : "others_") + std::to_string(distractors),
          "Share of right trials in the second half of a life (world reversal: in the second half after "
          "the reversal), by " +
              std::string(options.system.system->name) + ", with " + std::to_string(distractors) +
              " distractors. Mean over lives" +
              (frames ? ", with 95 % bootstrap intervals. The best agent knows how the world works." : "."),
          {"world"}};
      if (frames) table.head.insert(table.head.end(), {"by chance", "best"});
      table.head.insert(table.head.end(), policies.begin(), policies.end());
      for (const auto& [runs, lives] : all) {
        std::vector<Cell> cells{cell(runs->label)};
        if (frames)
          for (const char* known : {"chance", "optimum"})
            cells.push_back(cell(fixed(any_row(lives).at(known).get<double>(), 2)));
        const auto by_policy = lives.find(distractors);
        for (const std::string& policy : policies) {
          const bool ran = by_policy != lives.end() && by_policy->second.contains(policy);
          if (!ran) {
            cells.push_back(cell("-"));
            continue;
          }
          const auto found = bootstrap_mean(second_halves(by_policy->second.at(policy), *runs));
          cells.push_back(frames ? interval_cell(found, 2) : cell(fixed(found->mean, 2)));
        }
        table.rows.push_back(std::move(cells));
      }
      conclusion.tables.push_back(std::move(table));
    }
}

// Adds two tables: the shares of correct trials of random operations and of the best agents, and the number of links
// that the filter knows at the end.
void add_worlds(const SensorsOptions& options, const AllLives& all, Conclusion& conclusion) {
  Table limits{
      "worlds",
      "Share of right trials that an agent reaches in the long run: by random operations, as the best "
      "agent that uses one event of a trial, and as the best agent that knows how the world works.",
      {"world", "by chance", "best by one event", "best"}};
  Table known{
      "known",
      "Links that the filter `predictive` knows at the end of a life (mean), and the share of them with an "
      "event that never matters (mean over lives, 0 for lives without links).",
      {"world"}};
  for (const std::size_t distractors : options.distractors)
    known.head.push_back(std::to_string(distractors) + " distractors");
  for (const auto& [runs, lives] : all) {
    const Json& any = any_row(lives);
    const Json& single = any.at("best_by_one_event");
    limits.rows.push_back({cell(runs->label), cell(fixed(any.at("chance").get<double>(), 2)),
                           cell(single.is_null() ? "-" : fixed(single.get<double>(), 2)),
                           cell(fixed(any.at("optimum").get<double>(), 2))});
    std::vector<Cell> cells{cell(runs->label)};
    for (const std::size_t distractors : options.distractors) {
      std::vector<double> links, irrelevant;
      if (const auto by_policy = lives.find(distractors); by_policy != lives.end())
        if (const auto own = by_policy->second.find("predictive"); own != by_policy->second.end())
          for (const Json* row : own->second) {
            links.push_back(row->at("known").at("links").get<double>());
            irrelevant.push_back(row->at("known").at("irrelevant").get<double>() /
                                 std::max(1.0, links.back()));
          }
      cells.push_back(cell(links.empty() ? "-" : fixed(mean(links), 1) + ", " + fixed(mean(irrelevant), 3)));
    }
    known.rows.push_back(std::move(cells));
  }
  conclusion.tables.push_back(std::move(limits));
  conclusion.tables.push_back(std::move(known));
}

}  // namespace

Conclusion conclude_sensors(const Spec& /*spec*/, const SensorsOptions& options,
                            const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question =
      "Does a NARS learn to act among distractors, if attention passes on a few events of all?";
  const AllLives all = lives_in(options, rows);
  add_overviews(options, all, conclusion);
  add_worlds(options, all, conclusion);
  std::size_t number = 0;
  for (const auto& [world, lives_of_world] : all) {
    const WorldRuns& runs = *world;
    const WorldLives& lives = lives_of_world;
    const std::string suffix = "_" + std::to_string(++number);
    const Json& any = any_row(lives);
    const std::string who = std::string(options.system.system->name);
    conclusion.answer += (conclusion.answer.empty() ? "" : " ") + sentence(runs, lives, options.policies);
    conclusion.tables.push_back(table_of(
        "right" + suffix,
        "Share of the trials done right in the second half, " + runs.label + ", by " + who + "; by chance " +
            fixed(any.at("chance").get<double>(), 2) + ". At most " + std::to_string(runs.pass) +
            " events a step go on (all: everything). Mean over lives with 95 % bootstrap intervals.",
        lives, options.policies,
        [&](const Lives& own) { return interval_cell(bootstrap_mean(second_halves(own, runs)), 2); }));
    const auto kind = std::ranges::find(world_kinds(), runs.world, &WorldKind::name);
    if (kind->points)
      conclusion.tables.push_back(
          table_of("score" + suffix,
                   "Points in 100 steps, " + runs.label + "; by chance " +
                       fixed(100 * any.at("chance_score").get<double>(), 1) + ", at best " +
                       fixed(100 * any.at("optimum_score").get<double>(), 1) + ".",
                   lives, options.policies,
                   [](const Lives& own) { return interval_cell(bootstrap_mean(scores(own)), 1); }));
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
        summary["right"] = estimate_json(bootstrap_mean(second_halves(own, runs)));
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
  if (const std::string text = ends(rows); !text.empty())
    conclusion.answer += (conclusion.answer.empty() ? "" : " ") + text;
  add_touchstones(rows, conclusion);
  return conclusion;
}

}  // namespace engram::experiments::sensors
