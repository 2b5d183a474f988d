// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "core/single_precision/float_kernels.hpp"

namespace engram::benchmarks {
namespace {

using Json = nlohmann::json;

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// Prints a speed with three digits, and the worst and the best round.
std::string text_of(const Speed& speed) {
  const auto digits = [](double x) { return formatted(x < 9.995 ? "%.2f" : x < 99.95 ? "%.1f" : "%.0f", x); };
  return digits(speed.median) + " [" + digits(speed.low) + ", " + digits(speed.high) + "]";
}

std::string time_of(double seconds) {
  if (seconds < 1e-6) return formatted("%.2f ns", 1e9 * seconds);
  if (seconds < 1e-3) return formatted("%.2f us", 1e6 * seconds);
  return seconds < 1 ? formatted("%.2f ms", 1e3 * seconds) : formatted("%.2f s", seconds);
}

constexpr std::string_view role_name(Role role) {
  return role == Role::limit ? "limit" : role == Role::peer ? "peer" : "engram";
}

// Returns the name of a contestant with its instruction set and threads.
std::string label(const Contestant& one) {
  std::string text = one.name;
  if (!one.instructions.empty()) text += ", " + one.instructions;
  if (one.threads > 1) text += ", " + std::to_string(one.threads) + " threads";
  return text;
}

Json to_json(const Contest& contest) {
  Json rows = Json::array();
  for (const Contestant& one : contest.contestants) {
    Json row{{"name", one.name},
             {"role", role_name(one.role)},
             {"threads", one.threads},
             {"pieces", one.pieces},
             {"seconds", one.seconds}};
    if (!one.instructions.empty()) row["instructions"] = one.instructions;
    if (one.note) row["note"] = one.note();
    if (one.role == Role::engram) {
      const auto add = [&](const char* name, const Contestant* beside) {
        if (beside == nullptr) return;
        const Speed found = speed(one, *beside);
        row[name] = {
            {"median", found.median}, {"least", found.low}, {"most", found.high}, {"of", label(*beside)}};
      };
      add("to_limit", limit_of(contest, one));
      add("to_best_peer", best_peer(contest));
      add("to_one_thread", by_one_thread(contest, one));
    }
    rows.push_back(std::move(row));
  }
  return {{"suite", contest.suite}, {"name", contest.name}, {"piece", contest.piece}, {"contestants", rows}};
}

bool is_same(const Json& row, const Contestant& one) {
  return row.at("name") == one.name && row.at("role") == role_name(one.role) &&
         row.at("threads") == one.threads && row.value("instructions", "") == one.instructions;
}

// Finds a contestant in an earlier run of the contest.
std::optional<Contestant> earlier(const Json& contest, const Contestant& one) {
  for (const Json& row : contest.at("contestants")) {
    if (!is_same(row, one)) continue;
    Contestant found;
    found.pieces = row.at("pieces").get<double>();
    found.seconds = row.at("seconds").get<std::vector<double>>();
    return found;
  }
  return {};
}

}  // namespace

Scoreboard::Scoreboard(std::size_t repeats, Json before)
    : repeats_(repeats),
      json_{{"engram_benchmark", 1},
            {"engram", ENGRAM_VERSION},
            {"best_instructions", std::string(core::name(core::Instructions::best))},
            {"contests", Json::array()}},
      before_(std::move(before)) {}

void Scoreboard::hold(Contest& contest) {
  if (!measure(contest.contestants, repeats_)) throw ContestError(contest.name);
  print(contest);
  json_["contests"].push_back(to_json(contest));
  if (tables_.empty() || tables_.back().first != contest.suite) tables_.emplace_back(contest.suite, "");
  for (const Contestant& one : contest.contestants) {
    if (one.role != Role::engram) continue;
    const Cells cells = cells_of(contest, one);
    tables_.back().second +=
        "| " + contest.name + " | " + label(one) + " | " + cells.limit + " | " + cells.others + " |\n";
  }
}

std::string Scoreboard::markdown() const {
  std::string page =
      "# How fast the kernels are\n\n"
      "A row compares a kernel of Engram with two other programs in the same run. The limit only reads the "
      "same bytes, or only does the same\n"
      "multiplications. The other program is the fastest library. A number states how many times as fast "
      "Engram is: the median of " +
      std::to_string(repeats_) +
      " rounds,\n"
      "with the worst and the best round in brackets. The best instructions of this machine are " +
      std::string(core::name(core::Instructions::best)) + ".\n";
  for (const auto& [suite, rows] : tables_)
    page += "\n## " + suite +
            "\n\n| work | Engram's kernel | times as fast as the limit | times as fast as others "
            "|\n|---|---|---|---|\n" +
            rows;
  return page;
}

Scoreboard::Cells Scoreboard::cells_of(const Contest& contest, const Contestant& one) const {
  Cells cells;
  if (one.role == Role::engram) {
    if (const Contestant* found = limit_of(contest, one)) cells.limit = text_of(speed(one, *found));
    if (const Contestant* peer = best_peer(contest))
      cells.others = text_of(speed(one, *peer)) + " x " + label(*peer);
    if (const Contestant* found = by_one_thread(contest, one))
      cells.others += (cells.others.empty() ? "" : ", ") + text_of(speed(one, *found)) + " x one thread";
    cells.others += change_since(contest, one);
  }
  if (one.note) cells.others += (cells.others.empty() ? "" : ", ") + one.note();
  return cells;
}

void Scoreboard::print(const Contest& contest) const {
  std::printf("\n%s: %s\n", contest.suite.c_str(), contest.name.c_str());
  std::printf("  %-6s %-42s %13s  %-20s %s\n", "", "", ("a " + contest.piece).c_str(), "to the limit",
              "to others");
  for (const Contestant& one : contest.contestants) {
    const auto& [limit, others] = cells_of(contest, one);
    std::printf("  %-6s %-42s %13s  %-20s %s\n", std::string(role_name(one.role)).c_str(), label(one).c_str(),
                time_of(seconds_apiece(one)).c_str(), limit.c_str(), others.c_str());
  }
  std::fflush(stdout);
}

// Returns the change of speed since the earlier run. Speeds are relative to the limit or the best peer of each run, so
// that other machines and loads do not matter.
std::string Scoreboard::change_since(const Contest& contest, const Contestant& contestant) const {
  if (before_.is_null()) return "";
  for (const Json& then : before_.at("contests")) {
    if (then.at("suite") != contest.suite || then.at("name") != contest.name) continue;
    const Contestant* beside = limit_of(contest, contestant);
    if (beside == nullptr) beside = best_peer(contest);
    const auto was = earlier(then, contestant);
    const auto beside_was = beside == nullptr ? std::nullopt : earlier(then, *beside);
    if (!was || !beside_was) continue;
    const double now = speed(contestant, *beside).median, before = speed(*was, *beside_was).median;
    return "; " + formatted("%.2f", now / before) + " x before (by " + beside->name + ")";
  }
  return "; not measured before";
}

void require_same(const Contestant& a, const Contestant& b, double allowed) {
  if (!(std::abs(*a.result - *b.result) <= allowed))
    throw ContestError(label(a) + " and " + label(b) + " answer differently: " +
                       formatted("%.17g", *a.result) + " and " + formatted("%.17g", *b.result));
}

const Contestant& named(const Contest& contest, std::string_view name) {
  const auto found = std::ranges::find(contest.contestants, name, &Contestant::name);
  if (found == contest.contestants.end()) throw std::out_of_range(std::string(name));
  return *found;
}

Json read_scores(const std::filesystem::path& file) try {
  std::ifstream in(file);
  if (!in) throw std::invalid_argument("cannot read " + file.string());
  Json scores = Json::parse(in);
  bool is_right = scores.at("engram_benchmark") == 1;
  for (const Json& contest : scores.at("contests")) {
    for (const char* text : {"suite", "name"}) contest.at(text).get_ref<const std::string&>();
    for (const Json& row : contest.at("contestants")) {
      for (const char* text : {"name", "role"}) row.at(text).get_ref<const std::string&>();
      const auto seconds = row.at("seconds").get<std::vector<double>>();
      is_right = is_right && row.at("pieces").get<double>() > 0 && row.at("threads").is_number() &&
                 row.value("instructions", Json("")).is_string() && !seconds.empty() &&
                 std::ranges::all_of(seconds, [](double x) { return x > 0; });
    }
  }
  if (!is_right) throw std::invalid_argument(file.string() + " must be what --json wrote");
  return scores;
} catch (const Json::exception& error) {
  throw std::invalid_argument(file.string() + " must be what --json wrote: " + error.what());
}

}  // namespace engram::benchmarks
