// SPDX-License-Identifier: MIT
// The part of the conclusion of `capacity` about concept graphs of files.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "experiments/capacity/capacity.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments::capacity {
namespace {

// Recall counts as failed if it finds less than this share of the possible. Chosen: more misses than hits.
constexpr double failed_below = 0.5;

std::vector<std::string> distinct(const std::vector<const Json*>& rows, const char* key) {
  std::vector<std::string> values;
  for (const Json* row : rows) {
    auto value = row->at(key).get<std::string>();
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
  }
  return values;
}

// Values of all seeds, by number of stored statements.
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

// The largest number of statements up to which recall never failed; 0 if it failed at the first.
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

void conclude_episodes(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::vector<const Json*> own;
  for (const Json& row : rows)
    if (row.at("figure") == "episodes") own.push_back(&row);
  if (own.empty()) return;
  Table table{
      "episodes",
      "Statements of a file that each memory holds: the most, as more are stored, up to which a concept cut "
      "from a stored statement came back at least half as often as the cue allows (several statements may "
      "share what is left of it); and the share that came back with all of the file stored. Spins: episodes "
      "as +1/-1 patterns over the concepts.",
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
        throw std::out_of_range("rows of every method must be of as many loads");
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
    sentence += " Of the " + all + " statements of " + base_name(files[f]) +
                ", these memories hold all: " + joined(holding) + "; these fail before: " + joined(failing) +
                ".";
  }
  conclusion.tables.push_back(std::move(table));
  conclusion.answer += sentence;
}

}  // namespace engram::experiments::capacity
