// SPDX-License-Identifier: MIT
// Capacity of concept graphs: how many statements of a file does each memory hold?
#include <algorithm>
#include <map>
#include <stdexcept>

#include "experiments/capacity/capacity.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/inputs/episodes.hpp"

namespace engram::experiments::capacity {
namespace {

// The best possible probability of a correct answer: among the statements with the cue, the share that also have the
// missing concept.
double possible(const EpisodeCue& cue, const core::Memory& memory) {
  const auto& own = memory.statements()[cue.statement].active;
  double containing = 0, right = 0;
  for (const core::Statement& statement : memory.statements()) {
    std::size_t shared = 0;
    for (const core::ConceptId id : statement.active) shared += cue.activation[id] > 0 ? 1 : 0;
    if (shared + cue.missing.size() < own.size() || statement.active.size() != own.size()) continue;
    ++containing;
    right += std::ranges::includes(statement.active, own) ? 1 : 0;
  }
  return right / containing;
}

// A memory fails if it recalls less than this share of the best possible recall. The share is chosen so that a memory
// fails if its misses outnumber its hits.
constexpr double failed_below = 0.5;

std::vector<std::string> distinct(const std::vector<const Json*>& rows, const char* key) {
  std::vector<std::string> values;
  for (const Json* row : rows) {
    auto value = row->at(key).get<std::string>();
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
  }
  return values;
}

// For each number of stored statements, a value for every seed.
using ByLoad = std::map<std::size_t, std::vector<double>>;

ByLoad values_of(const std::vector<const Json*>& rows, const std::string& file, const std::string& method,
                 const char* key) {
  ByLoad values;
  for (const Json* row : rows)
    if (row->at("file") == file && row->at("method") == method)
      values[whole(row->at("stored"))].push_back(row->at(key).get<double>());
  return values;
}

Plot::Series series_of(const std::string& label, const ByLoad& values) {
  Plot::Series series{label};
  for (const auto& [stored, list] : values) series.add(static_cast<double>(stored), bootstrap_mean(list));
  return series;
}

// The largest load up to which recall never failed. The result is 0 if recall failed at the smallest load.
std::size_t held(const Plot::Series& recalled, const Plot::Series& possible) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < recalled.points.size(); ++i) {
    if (recalled.points[i].y < failed_below * possible.points[i].y) break;
    most = static_cast<std::size_t>(recalled.points[i].x);
  }
  return most;
}

std::string base_name(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::vector<std::size_t> episode_loads(const Corpus& corpus) {
  const std::size_t all = corpus.session->memory().statements().size();
  std::vector<std::size_t> loads;
  for (const std::size_t load : {4U, 8U, 12U, 16U, 24U, 32U, 48U, 64U, 96U, 128U})
    if (load < all) loads.push_back(load);
  loads.push_back(all);
  return loads;
}

TrialResult episode_trial(const Spec& spec, std::size_t cues_asked, const Corpus& corpus, std::uint64_t seed,
                          std::size_t stored) {
  core::Rng rng(seed, "capacity episodes " + corpus.name);  // statements have the same order for all loads
  const auto chosen = choose_statements(corpus, rng, stored);
  const core::Memory memory = memory_of(corpus, chosen, spec.memory);
  const core::MemoryIndex readings(memory);
  core::Rng cue_rng(seed, "capacity cues " + corpus.name, stored);
  const auto cues = choose_cues(memory, readings, cue_rng, cues_asked, {});
  TrialResult result;
  if (cues.empty()) return result;
  double open = 0;
  for (const EpisodeCue& cue : cues) open += possible(cue, memory);
  const auto n = static_cast<double>(cues.size());
  for (const auto& [name, recall] : memories_by(spec.methods, readings)) {
    double recalled = 0;
    const double time = seconds([&, &retrieve = recall] {
      for (const EpisodeCue& cue : cues)
        recalled += score_completion(cue, readings, retrieve(readings, core::Cue(cue.activation))).hit;
    });
    result.rows.push_back({{"figure", "episodes"},
                           {"file", corpus.name},
                           {"seed", seed},
                           {"stored", memory.statements().size()},
                           {"method", name},
                           {"cues", cues.size()},
                           {"recalled", recalled / n},
                           {"possible", open / n}});
    result.timings.push_back({{"method", name}, {"seconds", time}});
  }
  return result;
}

void conclude_episodes(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::vector<const Json*> own;
  for (const Json& row : rows)
    if (row.at("figure") == "episodes") own.push_back(&row);
  if (own.empty()) return;
  Table table{"episodes",
              "Number of statements of a file that each memory holds: the largest number for which recall of "
              "a removed concept is at least half of the possible (a cue may fit several statements), for "
              "this number and all smaller ones. Second column: share of concepts recalled if the whole file "
              "is stored. Networks of spins store each statement as a +1/-1 pattern over the concepts.",
              {"memory"}};
  const auto files = distinct(own, "file"), methods = distinct(own, "method");
  for (const std::string& method : methods) table.rows.push_back({cell(method)});
  std::string sentence;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const auto possible = series_of("possible", values_of(own, files[f], methods.front(), "possible"));
    Plot plot{"episodes_" + std::to_string(f + 1), "Recall on the concept graph of " + base_name(files[f]),
              "statements stored", "share of missing concepts recalled"};
    if (possible.points.empty()) throw std::out_of_range("there is no row of " + methods.front());
    const std::string all = fixed(possible.points.back().x, 0);
    table.head.insert(table.head.end(),
                      {base_name(files[f]) + ": holds, of " + all, "recalled with all stored"});
    std::vector<std::string> failing, holding;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const auto recalled = series_of(methods[m], values_of(own, files[f], methods[m], "recalled"));
      if (recalled.points.empty() || recalled.points.size() != possible.points.size())
        throw std::out_of_range("the rows of every method must have the same number of loads");
      const std::size_t most = held(recalled, possible);
      const auto& last = recalled.points.back();
      const bool holds_all = static_cast<double>(most) >= last.x;
      table.rows[m].push_back({(holds_all ? "all " : "") + std::to_string(most), std::to_string(most)});
      table.rows[m].push_back(interval_cell(Estimate{last.y, last.low, last.high}, 2));
      (holds_all ? holding : failing)
          .push_back(methods[m] + (holds_all ? "" : " at " + std::to_string(most)));
      conclusion.summary["episodes"][files[f]][methods[m]] = {{"holds", most}, {"recalled", last.y}};
      plot.series.push_back(recalled);
    }
    plot.series.push_back(possible);
    plot.series.back().theory = true;
    conclusion.plots.push_back(std::move(plot));
    const auto joined = [](const std::vector<std::string>& names) {
      std::string text;
      for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
      return text.empty() ? std::string("none") : text;
    };
    sentence += " All " + all + " statements of " + base_name(files[f]) + " are held by: " + joined(holding) +
                ". Memories that fail with fewer statements: " + joined(failing) + ".";
  }
  conclusion.tables.push_back(std::move(table));
  conclusion.answer += sentence;
}

}  // namespace engram::experiments::capacity
