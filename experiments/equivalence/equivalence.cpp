// SPDX-License-Identifier: MIT
// Runs the claims on random cases, and turns the rows into tables, a plot and an answer.
#include "experiments/equivalence/equivalence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/attention.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments::equivalence {
namespace {

EquivalenceOptions read(SpecReader& reader, Spec& spec) {
  read_seeds(reader, spec, 20);
  EquivalenceOptions options;
  reader.counts("sizes", options.sizes, 1, 500);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  const Json& deviation = row.at("deviation");
  return {{deviation.is_number() ? "deviation" : "not a number", row.at("identity").get<std::string>(),
           row.at("seed").dump() + " " + row.at("size").dump(),
           deviation.is_number() ? deviation.get<double>() : 1}};
}

std::vector<std::string> names(const EquivalenceOptions& /*options*/) {
  std::vector<std::string> names;
  for (const Claim& claim : all_claims()) names.push_back(claim.name);
  return names;
}

// There is one trial for each seed. A trial computes every claim once for each size.
class EquivalenceTrials : public TrialsOf<EquivalenceOptions> {
 public:
  using TrialsOf::TrialsOf;
  Rejections prepare() override { return {}; }
  std::size_t count() const override { return spec_.seeds.size(); }

  TrialResult run(std::size_t trial) const override {
    const std::uint64_t seed = spec_.seeds[trial];
    TrialResult result;
    for (const Claim& claim : claims_) {
      result.time(trial, claim.name, [&] {
        for (const std::size_t size : options_.sizes) {
          Rng rng(seed, claim.name, size);
          const double deviation = claim.deviation(static_cast<Index>(size), rng);
          Json row = {{"trial", trial}, {"seed", seed}, {"identity", claim.name}, {"size", size}};
          // JSON cannot represent NaN.
          row["deviation"] = std::isfinite(deviation) ? Json(deviation) : Json("not a number");
          result.rows.push_back(std::move(row));
        }
      });
    }
    return result;
  }

 private:
  std::vector<Claim> claims_ = all_claims();
};

// Results of one claim.
struct Measured {
  const Claim* claim = nullptr;
  std::size_t cases = 0;
  double largest = 0, mean = 0;
  std::size_t largest_at = 0;  // size of the random case with the largest deviation

  bool agrees() const { return largest <= equal_within; }
  std::string title() const {
    std::string text = claim->name;
    std::ranges::replace(text, '_', ' ');
    return text;
  }
  Cell verdict() const { return cell(agrees() ? "agrees" : "differs"); }
};

Measured measure(const Claim& claim, const std::vector<Json>& rows) {
  Measured m{&claim};
  std::vector<double> values;
  for (const Json& row : rows) {
    if (row.at("identity") != claim.name) continue;
    const Json& deviation = row.at("deviation");
    values.push_back(deviation.is_number() ? deviation.get<double>()
                                           : std::numeric_limits<double>::infinity());
    if (values.back() > m.largest || m.cases == 0) {
      m.largest = values.back();
      m.largest_at = whole(row.at("size"));
    }
    ++m.cases;
  }
  if (m.cases > 0) m.mean = mean(values);
  return m;
}

// Table with a row for each claim: its texts, the cells of `numbers`, the verdict, and its source.
template <class Numbers>
Table claims_table(Table table, std::span<const Measured> claims, Numbers numbers) {
  for (const Measured& m : claims) {
    std::vector<Cell> cells{cell(m.title()), cell(m.claim->formula), cell(m.claim->words)};
    for (Cell& number : numbers(m)) cells.push_back(std::move(number));
    cells.push_back(m.verdict());
    cells.push_back(cell(m.claim->source));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table identities_table(std::span<const Measured> same, const std::string& sizes, std::size_t seeds) {
  return claims_table(
      {"identities",
       "Both sides of each identity, computed by the library on random cases of sizes " + sizes + " from " +
           std::to_string(seeds) +
           " seeds: the largest deviation, relative to the larger of 1 and the largest number compared, and "
           "the size of that case. The sides agree if the deviation is at most 1e-12.",
       {"identity", "both sides", "in words", "largest deviation", "at size", "verdict", "source"}},
      same, [](const Measured& m) {
        return std::vector{scientific_cell(m.largest), cell(static_cast<double>(m.largest_at), 0)};
      });
}

Table counterexamples_table(std::span<const Measured> different) {
  return claims_table({"counterexamples",
                       "Formulas that look the same but differ: mean and largest deviation between both "
                       "sides, relative to the larger of 1 and the largest number compared.",
                       {"counterexample", "both sides", "reason", "mean", "largest", "verdict", "source"}},
                      different, [](const Measured& m) {
                        return std::vector{scientific_cell(m.mean), scientific_cell(m.largest)};
                      });
}

// The table of verdicts, narrow enough for a terminal.
Table verdicts_table(std::span<const Measured> all) {
  Table table{
      "verdicts",
      "Identities, then counterexamples: number of random cases, largest deviation between both sides "
      "(relative to the larger of 1 and the largest number compared), and whether the sides agree to 1e-12.",
      {"identity or counterexample", "cases", "largest deviation", "verdict"}};
  for (const Measured& m : all)
    table.rows.push_back(
        {cell(m.title()), cell(static_cast<double>(m.cases), 0), scientific_cell(m.largest), m.verdict()});
  return table;
}

// Plot of every claim's largest deviation on a logarithmic axis: rounding errors are low, real differences high.
Plot deviation_plot(std::span<const Measured> all) {
  Plot plot{"deviations", "Deviation between both sides", "claims, in the order of the tables",
            "largest deviation, power of ten"};
  plot.shares = plot.from_zero = plot.joined = false;
  plot.series = {{"identities"}, {"counterexamples"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A deviation of 0 has no logarithm. It is drawn at 1e-17, which is below the rounding error of a number near 1.
    const double largest = all[i].largest;
    plot.series[all[i].claim->sides == Sides::equal ? 0 : 1].add(
        static_cast<double>(i + 1),
        std::isfinite(largest) ? core::log(std::max(largest, 1e-17)) / core::log(10) : 0);
  }
  return plot;
}

std::string answer_sentence(std::span<const Measured> same, std::span<const Measured> different) {
  std::size_t cases = 0;
  double largest = 0;
  std::string failing;
  for (const Measured& m : same) {
    if (!m.agrees()) {
      failing += (failing.empty() ? "; these do not hold: " : ", ") + m.title();
      continue;
    }
    cases += m.cases;
    largest = std::max(largest, m.largest);
  }
  const Measured* least = nullptr;  // the counterexample with the least mean deviation
  for (const Measured& m : different)
    if (!m.agrees() && (least == nullptr || m.mean < least->mean)) least = &m;
  std::string text = std::to_string(std::ranges::count_if(same, &Measured::agrees)) + " of " +
                     std::to_string(same.size()) + " identities hold in all of their " +
                     std::to_string(cases) + " random cases (largest deviation " +
                     scientific_cell(largest).text + ")" + failing + ". Both sides differ in " +
                     std::to_string(std::ranges::count(different, false, &Measured::agrees)) + " of " +
                     std::to_string(different.size()) + " counterexamples";
  if (least != nullptr)
    text += "; the smallest mean difference is " + scientific_cell(least->mean).text + " (" + least->title() +
            ")";
  return text + ".";
}

Conclusion conclude(const Spec& spec, const EquivalenceOptions& options, const std::vector<Json>& rows) {
  const std::vector<Claim> claims = all_claims();
  std::vector<Measured> all;
  for (const Claim& claim : claims) all.push_back(measure(claim, rows));
  const auto equal = static_cast<std::size_t>(std::ranges::count(claims, Sides::equal, &Claim::sides));
  const auto same = std::span(all).first(equal), different = std::span(all).subspan(equal);
  Conclusion conclusion;
  conclusion.question = "Where are attention and Hopfield networks identical?";
  conclusion.tables = {verdicts_table(all),
                       identities_table(same, Json(options.sizes).dump(), spec.seeds.size()),
                       counterexamples_table(different)};
  conclusion.plots = {deviation_plot(all)};
  conclusion.answer = answer_sentence(same, different);
  for (const Measured& m : all)
    conclusion.summary[m.claim->name] = {
        {"cases", m.cases},
        {"largest", std::isfinite(m.largest) ? Json(m.largest) : Json("not finite")},
        {"agrees", m.agrees()}};
  return conclusion;
}

}  // namespace

std::vector<Claim> all_claims() {
  std::vector<Claim> all;
  for (const auto group : {attention_claims(), hopfield_claims(), counterexamples(), nars_claims()})
    all.insert(all.end(), group.begin(), group.end());
  std::ranges::stable_partition(all, [](const Claim& claim) { return claim.sides == Sides::equal; });
  return all;
}

double deviation_of(const Matrix& a, const Matrix& b) {
  core::require_size("rows of the other side", b.rows(), a.rows());
  core::require_size("columns of the other side", b.cols(), a.cols());
  double difference = 0, magnitude = 1;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      if (!std::isfinite(a(i, j)) || !std::isfinite(b(i, j))) return std::numeric_limits<double>::quiet_NaN();
      difference = std::max(difference, std::abs(a(i, j) - b(i, j)));
      magnitude = std::max({magnitude, std::abs(a(i, j)), std::abs(b(i, j))});
    }
  return difference / magnitude;
}

double deviation_of(const Vector& a, const Vector& b) { return deviation_of(Matrix(a), Matrix(b)); }

double deviation_of(double a, double b) {
  return deviation_of(Vector::Constant(1, a).eval(), Vector::Constant(1, b).eval());
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    result.row(i) = core::multiply_transposed(b, a.row(i).transpose()).transpose();
  return result;
}

Vector attended(const Matrix& keys, const Matrix& values, const Vector& query, double scale) {
  return core::attend(query.transpose(), keys, values, scale).output.row(0).transpose();
}

Vector modern_step(const Matrix& patterns, const Vector& cue, double beta) {
  return core::recall_modern(patterns, cue, {.beta = beta, .max_steps = 1}).state;
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<EquivalenceOptions>(
      {"equivalence", read, make_trials<EquivalenceTrials>, conclude, {"case by case", observe}, names});
}

}  // namespace engram::experiments::equivalence
