// SPDX-License-Identifier: MIT
// Runs the figures and the other trials, and turns the rows into tables, plots and an answer.
#include "experiments/capacity/capacity.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::capacity {
namespace {

struct CapacityOptions {
  std::size_t cues = 50;             // cues of an episode trial
  std::vector<std::string> figures;  // names of the figures to reproduce; empty: all
  double effort = 1;                 // factor on the repetitions of each figure; below 1 for quick runs

  /// Whether the run includes this figure. A figure that uses the rows of another figure is included with it.
  bool wants(const Figure& figure) const {
    return figures.empty() || std::ranges::find(figures, figure.measured_as()) != figures.end();
  }
};

CapacityOptions read(SpecReader& reader, Spec& spec) {
  CapacityOptions options;
  read_inputs(reader, spec, true);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "pagerank", "cosine", "uniform"});
  read_seeds(reader, spec, 5);
  reader.count("cues", options.cues, 1'000'000);
  read_memory(reader, spec);
  std::vector<std::string> known;
  for (const Figure& figure : all_figures())
    if (figure.rows_of.empty()) known.push_back(figure.name);
  options.figures = reader.names("figures", known);
  reader.number("effort", options.effort, 0.001, 100);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  if (row.contains("recalled")) {
    auto all = observed(row, {"seed", "stored"}, {{"recalled", "/recalled"}});
    for (Observation& of_file : all) of_file.setting = row.at("file").get<std::string>();
    return all;
  }
  std::vector<Observation> all;
  if (!row.contains("values")) return all;  // a row of energies, which are not compared
  const Json& values = row.at("values");
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back({values.size() > 1 ? "value " + std::to_string(i + 1) : "value",
                   row.at("figure").get<std::string>() + ", " + row.at("point").get<std::string>(),
                   row.at("repetition").dump(), values[i].get<double>()});
  return all;
}

// Trials: one for each repetition of each point of a figure, one for each seed and load of a file, and one for the
// energies.
class CapacityTrials : public TrialsOf<CapacityOptions> {
 public:
  CapacityTrials(const Spec& spec, const CapacityOptions& options)
      : TrialsOf(spec, options), figures_(all_figures()) {}

  Rejections prepare() override {
    Rejections rejections;
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      if (!figures_[f].rows_of.empty() || !options_.wants(figures_[f])) continue;
      for (std::size_t p = 0; p < figures_[f].points.size(); ++p) {
        const double repetitions = options_.effort * static_cast<double>(figures_[f].points[p].repetitions);
        for (std::size_t r = 0; r < static_cast<std::size_t>(std::max(1.0, std::ceil(repetitions))); ++r)
          trials_.push_back([this, f, p, r] { return figure_trial(figures_[f], p, r); });
      }
    }
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(load_corpus(input, spec_.memory));
      add_rejections(rejections, corpora_.back());
    }
    for (const Corpus& corpus : corpora_)
      for (const std::size_t load : episode_loads(corpus))
        for (const std::uint64_t seed : spec_.seeds)
          trials_.push_back([this, &corpus, load, seed] {
            return episode_trial(spec_, options_.cues, corpus, seed, load);
          });
    trials_.push_back([this] { return energy_trial(spec_.seeds.front()); });
    return rejections;
  }

  std::size_t count() const override { return trials_.size(); }

  TrialResult run(std::size_t trial) const override {
    TrialResult result = trials_[trial]();
    for (auto* rows : {&result.rows, &result.timings})
      for (Json& row : *rows) {
        Json numbered = {{"trial", trial}};
        numbered.update(row);
        row = std::move(numbered);
      }
    return result;
  }

 private:
  TrialResult figure_trial(const Figure& figure, std::size_t point, std::size_t repetition) const {
    const Point& p = figure.points[point];
    Rng rng(spec_.seeds.front(), "capacity " + figure.name + " " + p.label, repetition);
    TrialResult result;
    std::vector<double> values;
    const double time = seconds([&] { values = p.measure(rng); });
    result.rows.push_back(
        {{"figure", figure.name}, {"point", p.label}, {"repetition", repetition}, {"values", values}});
    result.timings.push_back({{"method", figure.name}, {"seconds", time}});
    return result;
  }

  std::vector<Figure> figures_;
  std::vector<Corpus> corpora_;
  std::vector<std::function<TrialResult()>> trials_;
};

// --- the conclusion

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
    std::vector<double> values;  // means of repetitions, because values of one are dependent
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

// Number of decimals that distinguishes the two bounds of a claim; 0 for the default.
template <class Claim>
int digits_of(const Claim& claim) {
  const double width = claim.high - claim.low;
  int digits = 0;
  if (width > 0)
    for (double w = width; w < 0.01 && digits < 9; w *= 10) ++digits;
  return digits > 2 ? digits + 2 : 0;
}

// Counts of claims, and names of claims for the answer.
struct Verdicts {
  std::size_t claims = 0, agreeing = 0;
  std::string failing;  // names of the claims that fail
  // Names of the claims with a mean within a bound for finite networks, which excludes the value of the theory.
  std::string finite;

  void add(const Verdicts& other) {
    claims += other.claims;
    agreeing += other.agreeing;
    for (const auto& [list, more] : {std::pair(&failing, &other.failing), {&finite, &other.finite}})
      if (!more->empty()) *list += (list->empty() ? "" : "; ") + *more;
  }
};

// Two tables: one of points and relations with a claim, and one of measurements without a claim.
struct Tables {
  Table claims{"claims",
               "Claims: the value of theory or source, the measured mean over repetitions with a 95 % "
               "bootstrap interval, the bounds for the mean, and whether the mean is within the bounds. A "
               "finite-size bound holds for networks of the size in table sources, and excludes the theory, "
               "which is for infinitely many spins.",
               {"figure", "at", "theory or source", "measured", "bounds", "verdict"}};
  Table shown{"measured",
              "Other measurements, without a claim: finite networks differ from the theory of infinitely "
              "many spins at these points, or a theory does not exist.",
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
                         : cell(agrees ? "agrees" : "differs"));
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
              "Source and set-up of each figure, and the limits of its claims.",
              {"figure", "what", "source", "set-up"}};
  for (const Measured& measured : all)
    table.rows.push_back({cell(measured.figure->name), cell(measured.figure->title),
                          cell(measured.figure->source), cell(measured.figure->note)});
  return table;
}

Conclusion conclude(const Spec& /*spec*/, const CapacityOptions& options, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Does the number of patterns that each memory stores agree with theory?";
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
        " Within a finite-size bound that excludes the theory of infinitely many spins: " + total.finite +
        ".";
  conclude_episodes(rows, conclusion);
  conclude_energies(rows, conclusion);
  conclusion.tables.push_back(std::move(tables.shown));
  return conclusion;
}

}  // namespace

std::vector<Figure> all_figures() {
  std::vector<Figure> all;
  for (auto part : {classical_figures(), rule_figures(), dense_figures()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Point claim(std::string label, double x, double theory, double tolerance, std::size_t repetitions,
            Measurement measure) {
  return {std::move(label),  x, theory, theory - tolerance, theory + tolerance, repetitions,
          std::move(measure)};
}

Point shown(std::string label, double x, std::optional<double> theory, std::size_t repetitions,
            Measurement measure) {
  return {std::move(label), x, theory, 1, 0, repetitions, std::move(measure)};
}

std::function<double(const std::vector<double>&)> crossing(std::size_t first, std::vector<double> xs) {
  return [=](const std::vector<double>& means) {
    for (std::size_t i = 1; i < xs.size(); ++i) {
      const double above = means[first + i - 1], below = means[first + i];
      if (above >= 0.5 && below < 0.5)
        return xs[i - 1] + (xs[i] - xs[i - 1]) * (above - 0.5) / (above - below);
    }
    return std::nan("");
  };
}

Index patterns_at(Index spins, double load) {
  return static_cast<Index>(std::lround(load * static_cast<double>(spins)));
}

double overlap(const Vector& pattern, const Vector& state) {
  return core::dot(pattern, state) / static_cast<double>(state.size());
}

std::function<double(const std::vector<double>&)> difference(std::size_t point, std::size_t subtracted) {
  return [=](const std::vector<double>& means) { return means[point] - means[subtracted]; };
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<CapacityOptions>({"capacity",
                                           read,
                                           make_trials<CapacityTrials>,
                                           conclude,
                                           {"repetition by repetition, in files seed by seed", observe}});
}

}  // namespace engram::experiments::capacity
