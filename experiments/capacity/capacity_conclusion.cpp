// SPDX-License-Identifier: MIT
// Conclusion of the experiment `capacity`: tables, plots and sentences from its rows.
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/capacity.hpp"

#include <algorithm>
#include <cmath>

namespace engram::experiments::capacity {
namespace {

// Measured points of a figure: means over repetitions with intervals.
struct Measured {
  const Figure* figure;
  std::vector<std::optional<Estimate>> points;

  std::vector<double> means() const {
    std::vector<double> all;
    for (const auto& e : points) all.push_back(e ? e->mean : std::nan(""));
    return all;
  }
};

Measured measure(const Figure& figure, const std::vector<Json>& rows) {
  Measured measured{&figure, {}};
  for (const Point& point : figure.points) {
    std::vector<double> values;  // one for each repetition, because values of one network are dependent
    for (const Json& row : rows) {
      if (row.at("figure") != figure.measured_as() || row.at("point") != point.label) continue;
      std::vector<double> of_one;
      for (const Json& value : row.at("values")) {
        const double v = value.get<double>();
        const double taken = figure.statistic ? figure.statistic(v) : v;
        if (!std::isnan(taken)) of_one.push_back(taken);
      }
      if (!of_one.empty()) values.push_back(mean(of_one));
    }
    measured.points.push_back(bootstrap_mean(values));
  }
  return measured;
}

int digits_for(double number) {
  const double size = std::abs(number);
  return size == 0 || size >= 0.1 ? 4 : size >= 0.01 ? 5 : size < 1e-5 ? 9 : 6;
}

Cell number_cell(double number, int least_digits = 0) {
  return std::isnan(number) ? cell("none") : cell(number, std::max(least_digits, digits_for(number)));
}

// The number of digits that distinguishes the bounds of a claim.
template <class Claim>
int digits_of(const Claim& claim) {
  const double width = claim.high - claim.low;
  int digits = 0;
  if (width > 0)
    for (double w = width; w < 0.01 && digits < 9; w *= 10) ++digits;
  return digits > 2 ? digits + 2 : 0;
}

// Number of claims, and names of those that fail.
struct Verdicts {
  std::size_t claims = 0, agreeing = 0;
  std::string failing;
  std::string finite;  // claims that hold only within a finite-size bound that excludes the theory

  void add(const Verdicts& other) {
    claims += other.claims;
    agreeing += other.agreeing;
    for (const auto& [list, more] : {std::pair(&failing, &other.failing), {&finite, &other.finite}})
      if (!more->empty()) *list += (list->empty() ? "" : "; ") + *more;
  }
};

// The table of claims, and the table of points without claims.
struct Tables {
  Table claims{
      "claims",
      "Claims: what theory or the source says, what was measured (mean over repetitions, with 95 % bootstrap "
      "interval), the bounds within which the mean has to lie, and whether it does. Finite-size bound: "
      "theory is of "
      "infinitely many spins and lies outside of the bounds, which are for networks of the size that table "
      "sources "
      "names.",
      {"figure", "at", "theory or source", "measured", "bounds", "verdict"}};
  Table shown{
      "measured",
      "What else was measured: there no claim is made, as theory is of infinitely many spins and these "
      "points are where finite networks differ from it, or there is no theory.",
      {"figure", "at", "theory or source", "measured"}};
};

template <class Claim>
void add_row(const Figure& figure, const Claim& claim, double value, const Cell& measured, Tables& tables,
             Verdicts& verdicts) {
  std::vector<Cell> cells{cell(figure.name), cell(claim.label),
                          claim.theory ? number_cell(*claim.theory, digits_of(claim)) : cell("-"), measured};
  if (!is_claimed(claim)) {
    tables.shown.rows.push_back(std::move(cells));
    return;
  }
  const bool agrees = value >= claim.low && value <= claim.high,
             finite = claim.theory && (*claim.theory < claim.low || *claim.theory > claim.high);
  ++verdicts.claims;
  verdicts.agreeing += agrees ? 1 : 0;
  const auto name = [&](std::string& list) {
    list += (list.empty() ? "" : "; ") + figure.name + ", " + claim.label;
  };
  if (!agrees) name(verdicts.failing);
  if (agrees && finite) name(verdicts.finite);
  cells.push_back(cell("[" + number_cell(claim.low, digits_of(claim)).text + ", " +
                       number_cell(claim.high, digits_of(claim)).text + "]"));
  cells.push_back(finite ? cell(agrees ? "within the finite-size bound" : "outside the finite-size bound")
                         : cell(agrees ? "agrees" : "does not"));
  tables.claims.rows.push_back(std::move(cells));
}

Verdicts add_rows(const Measured& measured, Tables& tables) {
  Verdicts verdicts;
  const Figure& figure = *measured.figure;
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    const auto& e = measured.points[i];
    if (!e) continue;
    add_row(figure, figure.points[i], e->mean,
            interval_cell(e, std::max(digits_for(e->mean), digits_of(figure.points[i]))), tables, verdicts);
  }
  for (const Relation& relation : figure.relations) {
    const double value = relation.value(measured.means());
    add_row(figure, relation, value, number_cell(value), tables, verdicts);
  }
  return verdicts;
}

std::string series_name(const Figure& figure, const Point& point) {
  const auto comma = point.label.find(", ");
  return figure.series.empty() && comma != std::string::npos ? point.label.substr(0, comma) : figure.series;
}

// Adds the lines of a figure to its plot. Creates the plot if it is new.
void add_to_plot(const Measured& measured, std::vector<Plot>& plots) {
  const Figure& figure = *measured.figure;
  auto plot = std::ranges::find(plots, figure.plot, &Plot::name);
  if (plot == plots.end()) {
    plot = plots.insert(plots.end(), Plot{figure.plot, figure.title, figure.axis, figure.quantity});
    plot->shares = false;
    if (figure.curve) {
      Plot::Series theory{"theory", {}, true};
      const double first = figure.points.front().x, last = figure.points.back().x;
      for (int i = 0; i <= 200; ++i) {
        const double x = first + (last - first) * i / 200;
        theory.add(x, figure.curve(x));
      }
      plot->series.push_back(std::move(theory));
    }
  }
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    const std::string name = series_name(figure, figure.points[i]);
    auto series = std::ranges::find(plot->series, name, &Plot::Series::label);
    if (series == plot->series.end())
      series = plot->series.insert(plot->series.end(), Plot::Series{name, {}});
    series->add(figure.points[i].x, measured.points[i]);
  }
}

Table source_table(const std::vector<Measured>& all) {
  Table table{"sources",
              "Where each figure is from, how it was set up here, and what is not claimed.",
              {"figure", "what", "source", "set-up"}};
  for (const Measured& measured : all)
    table.rows.push_back({cell(measured.figure->name), cell(measured.figure->title),
                          cell(measured.figure->source), cell(measured.figure->note)});
  return table;
}

}  // namespace

Conclusion conclude_capacity(const Spec& /*spec*/, const CapacityOptions& options,
                             const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "How many patterns does each memory hold?";
  Tables tables;
  const std::vector<Figure> figures = all_figures();
  std::vector<Measured> all;
  Verdicts total;
  for (const Figure& figure : figures) {
    if (!options.wants(figure)) continue;
    all.push_back(measure(figure, rows));
    const Verdicts verdicts = add_rows(all.back(), tables);
    total.add(verdicts);
    conclusion.summary[figure.name] = {{"claims", verdicts.claims}, {"agreeing", verdicts.agreeing}};
    if (!figure.plot.empty()) add_to_plot(all.back(), conclusion.plots);
  }
  conclusion.tables = {std::move(tables.claims), source_table(all)};
  conclusion.answer = std::to_string(total.agreeing) + " of " + std::to_string(total.claims) +
                      " claims of the literature are reproduced within their bounds" +
                      (total.failing.empty() ? "." : "; these are not: " + total.failing + ".");
  if (!total.finite.empty())
    conclusion.answer +=
        " By a finite-size bound alone, which the theory of infinitely many spins lies outside of: " +
        total.finite + ".";
  conclude_episodes(rows, conclusion);
  conclude_energies(rows, conclusion);
  conclusion.tables.push_back(std::move(tables.shown));
  return conclusion;
}

}  // namespace engram::experiments::capacity
