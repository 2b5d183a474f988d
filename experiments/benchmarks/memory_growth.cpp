// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/memory_growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "experiments/formats/files.hpp"
#include "experiments/formats/outside_program.hpp"
#include "experiments/formats/plots.hpp"

namespace engram::benchmarks {
namespace {

using experiments::Plot;

struct Measure {
  const char* name;
  double (*of)(const MemoryRow&);
};
constexpr Measure question{"question", [](const MemoryRow& row) { return row.question; }};
constexpr Measure ingest{"ingest", [](const MemoryRow& row) { return row.ingest; }};
constexpr Measure memory{"memory", [](const MemoryRow& row) { return row.memory_bytes * row.statements; }};
constexpr Measure with_indexes{"with indexes",
                               [](const MemoryRow& row) { return row.all_bytes * row.statements; }};

std::vector<std::string> kinds_of(const std::vector<MemoryRow>& rows) {
  std::vector<std::string> kinds;
  for (const MemoryRow& row : rows)
    if (std::ranges::find(kinds, row.kind) == kinds.end()) kinds.push_back(row.kind);
  return kinds;
}

// A measure `y` of the memories of one kind, by increasing number of statements `x`.
struct Measured {
  std::vector<double> x, y;
};
Measured measured(const std::vector<MemoryRow>& rows, const std::string& kind, const Measure& measure) {
  std::vector<std::pair<double, double>> points;
  for (const MemoryRow& row : rows)
    if (row.kind == kind) points.emplace_back(row.statements, measure.of(row));
  std::ranges::sort(points);
  Measured result;
  for (const auto& [x, y] : points) {
    result.x.push_back(x);
    result.y.push_back(y);
  }
  return result;
}

std::string two_decimals(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
}

// Rounds to three digits; further digits of a time are noise.
double rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return std::stod(text);
}

double mean_log(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += std::log10(number);
  return sum / static_cast<double>(numbers.size());
}

Plot plot_of(const std::vector<MemoryRow>& rows, const char* name, const char* title, const char* y_label,
             std::initializer_list<Measure> measures) {
  Plot plot{.name = name, .title = title, .x_label = "statements", .y_label = y_label};
  plot.log_log = true;
  for (const std::string& kind : kinds_of(rows))
    for (const Measure& measure : measures) {
      const auto [x, y] = measured(rows, kind, measure);
      const double power = exponent(x, y);
      Plot::Series points{kind + ", " + measure.name};
      for (std::size_t i = 0; i < x.size(); ++i) points.add(x[i], rounded(y[i]));
      plot.series.push_back(points);
      if (std::isnan(power)) continue;
      Plot::Series law{"n^" + two_decimals(power)};
      law.theory = true;
      for (const double end : {x.front(), x.back()})
        law.add(end, rounded(std::pow(10, mean_log(y) + power * (std::log10(end) - mean_log(x)))));
      plot.series.push_back(law);
    }
  return plot;
}

void draw(const Plot& plot, const std::filesystem::path& folder) {
  experiments::write_file(folder / (plot.name + ".gp"), experiments::to_gnuplot(plot));
  if (const auto failure = experiments::run_gnuplot(folder, plot.name))
    std::fprintf(stderr, "%s: %s\n", plot.name.c_str(), failure->c_str());
}

}  // namespace

void write(std::ostream& out, const MemoryRow& row) {
  out << row.kind << '\t' << row.statements << '\t' << row.question << '\t' << row.ingest << '\t'
      << row.memory_bytes << '\t' << row.all_bytes << '\n';
}

std::vector<MemoryRow> read_rows(std::istream& in) {
  std::vector<MemoryRow> rows;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::istringstream fields(line);
    MemoryRow row;
    if (!(fields >> row.kind >> row.statements >> row.question >> row.ingest >> row.memory_bytes >>
          row.all_bytes) ||
        !(fields >> std::ws).eof())
      throw std::invalid_argument("line " + std::to_string(number) +
                                  ": expected a kind and five numbers, found '" + line.substr(0, 80) + "'");
    rows.push_back(row);
  }
  return rows;
}

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const auto above_zero = [](double number) { return number > 0 && std::isfinite(number); };
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (x.size() < 2 || x.size() != y.size() || !std::ranges::all_of(x, above_zero) ||
      !std::ranges::all_of(y, above_zero))
    return none;
  const double mean_x = mean_log(x), mean_y = mean_log(y);
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double from_mean = std::log10(x[i]) - mean_x;
    xx += from_mean * from_mean;
    xy += from_mean * (std::log10(y[i]) - mean_y);
  }
  return xx > 0 ? xy / xx : none;
}

std::string exponents(const std::vector<MemoryRow>& rows, const std::string& prefix) {
  std::string text;
  for (const std::string& kind : kinds_of(rows)) {
    if (const auto [x, y] = measured(rows, kind, question); x.front() == x.back()) continue;
    text += prefix + kind + ", n statements:";
    for (const Measure& measure : {question, ingest, memory, with_indexes}) {
      const auto [x, y] = measured(rows, kind, measure);
      text += std::string(measure.name == question.name ? " " : ", ") + measure.name + " n^" +
              two_decimals(exponent(x, y));
    }
    text += '\n';
  }
  return text;
}

void draw(const std::vector<MemoryRow>& rows, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  draw(plot_of(rows, "memory_time", "Time of a question, and of the whole input", "seconds",
               {question, ingest}),
       folder);
  draw(plot_of(rows, "memory_bytes", "Bytes of a memory", "bytes", {memory, with_indexes}), folder);
}

}  // namespace engram::benchmarks
