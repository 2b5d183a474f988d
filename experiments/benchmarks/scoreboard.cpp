// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/scoreboard.hpp"

#include <algorithm>
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

// Formats a ratio of speeds: the median with three digits, and in brackets the worst and the best round.
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
      const auto add = [&](const char* name, const Contestant* other) {
        if (other == nullptr) return;
        const Speed found = speed(one, *other);
        row[name] = {
            {"median", found.median}, {"least", found.low}, {"most", found.high}, {"of", label(*other)}};
      };
      add("to_limit", limit_of(contest, one));
      add("to_best_peer", best_peer(contest));
      add("to_one_thread", on_one_thread(contest, one));
    }
    rows.push_back(std::move(row));
  }
  return {{"suite", contest.suite}, {"name", contest.name}, {"piece", contest.piece}, {"contestants", rows}};
}

bool is_same(const Json& row, const Contestant& one) {
  return row.at("name") == one.name && row.at("role") == role_name(one.role) &&
         row.at("threads") == one.threads && row.value("instructions", "") == one.instructions;
}

// Finds the same contestant in the JSON of an earlier run of the contest.
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
  measure(contest, repeats_);
  print(contest);
  json_["contests"].push_back(to_json(contest));
  if (tables_.empty() || tables_.back().first != contest.suite) tables_.emplace_back(contest.suite, "");
  for (const Contestant& one : contest.contestants) {
    if (one.role != Role::engram) continue;
    const auto [to_limit, to_others] = comparison_of(contest, one);
    tables_.back().second +=
        "| " + contest.name + " | " + label(one) + " | " + to_limit + " | " + to_others + " |\n";
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

Scoreboard::Comparison Scoreboard::comparison_of(const Contest& contest, const Contestant& one) const {
  Comparison cells;
  const auto add = [&](const std::string& text) {
    cells.to_others += (cells.to_others.empty() ? "" : ", ") + text;
  };
  if (one.role == Role::engram) {
    if (const Contestant* limit = limit_of(contest, one)) cells.to_limit = text_of(speed(one, *limit));
    if (const Contestant* peer = best_peer(contest)) add(text_of(speed(one, *peer)) + " x " + label(*peer));
    if (const Contestant* same = on_one_thread(contest, one))
      add(text_of(speed(one, *same)) + " x one thread");
    cells.to_others += change_since(contest, one);
  }
  if (one.note) add(one.note());
  return cells;
}

void Scoreboard::print(const Contest& contest) const {
  std::printf("\n%s: %s\n", contest.suite.c_str(), contest.name.c_str());
  std::printf("  %-6s %-42s %13s  %-20s %s\n", "", "", ("a " + contest.piece).c_str(), "to the limit",
              "to others");
  for (const Contestant& one : contest.contestants) {
    const auto [to_limit, to_others] = comparison_of(contest, one);
    std::printf("  %-6s %-42s %13s  %-20s %s\n", std::string(role_name(one.role)).c_str(), label(one).c_str(),
                time_of(seconds_per_piece(one)).c_str(), to_limit.c_str(), to_others.c_str());
  }
  std::fflush(stdout);
}

// Describes the change of speed since the earlier run. Speeds are relative to the limit or the best peer of each run,
// so that the result does not depend on the machine and its load.
std::string Scoreboard::change_since(const Contest& contest, const Contestant& contestant) const {
  if (before_.is_null()) return "";
  for (const Json& then : before_.at("contests")) {
    if (then.at("suite") != contest.suite || then.at("name") != contest.name) continue;
    const Contestant* other = limit_of(contest, contestant);
    if (other == nullptr) other = best_peer(contest);
    const auto was = earlier(then, contestant);
    const auto other_was = other == nullptr ? std::nullopt : earlier(then, *other);
    if (!was || !other_was) continue;
    const double now = speed(contestant, *other).median, before = speed(*was, *other_was).median;
    return "; " + formatted("%.2f", now / before) + " x before (by " + other->name + ")";
  }
  return "; not measured before";
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
  if (!is_right) throw std::invalid_argument(file.string() + " must be a file that --json wrote");
  return scores;
} catch (const Json::exception& error) {
  throw std::invalid_argument(file.string() + " must be a file that --json wrote: " + error.what());
}

}  // namespace engram::benchmarks
