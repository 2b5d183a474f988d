// SPDX-License-Identifier: MIT
// Conclusion of the experiment `equivalence`: tables, a plot and sentences from its rows.
#include "core/numbers/numeric.hpp"
#include "experiments/equivalence/equivalence.hpp"
#include "experiments/formats/files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engram::experiments::equivalence {
namespace {

// Results of one identity or counterexample.
struct Measured {
  const Identity* identity = nullptr;
  std::size_t cases = 0;
  double largest = 0, mean = 0;
  std::size_t largest_at = 0;  // size of the case with the largest deviation

  bool agrees() const { return largest <= equal_within; }
  std::string title() const {
    std::string text = identity->name;
    std::ranges::replace(text, '_', ' ');
    return text;
  }
  Cell verdict() const { return cell(agrees() ? "agrees" : "does not"); }
};

Measured measure(const Identity& identity, const std::vector<Json>& rows) {
  Measured m{&identity};
  std::vector<double> values;
  for (const Json& row : rows) {
    if (row.at("identity") != identity.name) continue;
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

Table identities_table(std::span<const Measured> same, const std::string& sizes, std::size_t seeds) {
  Table table{"identities",
              "Both sides of each identity, computed by the library on random cases of sizes " + sizes +
                  " from " + std::to_string(seeds) +
                  " seeds: the largest deviation, relative to the larger of 1 and the largest number "
                  "compared, and the size where it was. They agree where it is at most 1e-12.",
              {"identity", "both sides", "in words", "largest deviation", "at size", "verdict", "source"}};
  for (const Measured& m : same)
    table.rows.push_back({cell(m.title()), cell(m.identity->formula), cell(m.identity->words),
                          scientific_cell(m.largest), cell(static_cast<double>(m.largest_at), 0), m.verdict(),
                          cell(m.identity->source)});
  return table;
}

Table partings_table(std::span<const Measured> apart) {
  Table table{
      "partings",
      "What is taken for the same and is not: how far the two sides are apart, relative to the larger "
      "of 1 and the largest number compared.",
      {"setting", "the two sides", "why they part", "mean", "largest", "verdict", "source"}};
  for (const Measured& m : apart)
    table.rows.push_back({cell(m.title()), cell(m.identity->formula), cell(m.identity->words),
                          scientific_cell(m.mean), scientific_cell(m.largest), m.verdict(),
                          cell(m.identity->source)});
  return table;
}

// The table of verdicts, narrow enough for a terminal.
Table verdicts_table(std::span<const Measured> all) {
  Table table{
      "verdicts",
      "Identities, then settings that part: random cases, largest deviation of the two sides (relative "
      "to the larger of 1 and the largest number compared), and whether they agree to 1e-12.",
      {"identity or setting", "cases", "largest deviation", "verdict"}};
  for (const Measured& m : all)
    table.rows.push_back(
        {cell(m.title()), cell(static_cast<double>(m.cases), 0), scientific_cell(m.largest), m.verdict()});
  return table;
}

// Plot of all deviations on a logarithmic axis: rounding errors on the left, real differences on the right.
Plot deviation_plot(std::span<const Measured> all, std::size_t same) {
  Plot plot{"deviations", "How far the two sides are apart",
            "identities and settings, in the order of the tables", "largest deviation, power of ten"};
  plot.shares = plot.from_zero = plot.joined = false;
  plot.series = {{"identities"}, {"settings that part"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Draws exact equality below the rounding error of a number near 1.
    const double largest = all[i].largest;
    plot.series[i < same ? 0 : 1].add(
        static_cast<double>(i + 1),
        std::isfinite(largest) ? core::log(std::max(largest, 1e-17)) / core::log(10) : 0);
  }
  return plot;
}

std::string answer_sentence(std::span<const Measured> same, std::span<const Measured> apart) {
  std::size_t cases = 0;
  double largest = 0;
  std::string failing;
  for (const Measured& m : same) {
    if (!m.agrees()) {
      failing += (failing.empty() ? "; not in " : ", ") + m.title();
      continue;
    }
    cases += m.cases;
    largest = std::max(largest, m.largest);
  }
  const Measured* least = nullptr;  // the counterexample with the least mean deviation
  for (const Measured& m : apart)
    if (!m.agrees() && (least == nullptr || m.mean < least->mean)) least = &m;
  std::string text = "In " + std::to_string(std::ranges::count_if(same, &Measured::agrees)) + " of " +
                     std::to_string(same.size()) + " settings both sides agree in every one of " +
                     std::to_string(cases) + " random cases (largest deviation " +
                     scientific_cell(largest).text + ")" + failing + ". In " +
                     std::to_string(std::ranges::count(apart, false, &Measured::agrees)) + " of " +
                     std::to_string(apart.size()) + " settings that look alike they part";
  if (least != nullptr)
    text += ", the least by " + scientific_cell(least->mean).text + " in the mean (" + least->title() + ")";
  return text + ".";
}

}  // namespace

Conclusion conclude_equivalence(const Spec& spec, const EquivalenceOptions& options,
                                const std::vector<Json>& rows) {
  const std::vector<Identity> known = all_identities();
  std::vector<Measured> all;
  for (const Identity& identity : known) all.push_back(measure(identity, rows));
  const std::size_t parting = partings().size() + nal_partings().size();
  const auto same = std::span(all).first(all.size() - parting), apart = std::span(all).last(parting);
  Conclusion conclusion;
  conclusion.question = "Where are attention and Hopfield networks the same thing?";
  conclusion.tables = {verdicts_table(all),
                       identities_table(same, Json(options.sizes).dump(), spec.seeds.size()),
                       partings_table(apart)};
  conclusion.plots = {deviation_plot(all, same.size())};
  conclusion.answer = answer_sentence(same, apart);
  for (const Measured& m : all)
    conclusion.summary[m.identity->name] = {
        {"cases", m.cases},
        {"largest", std::isfinite(m.largest) ? Json(m.largest) : Json("not finite")},
        {"agrees", m.agrees()}};
  return conclusion;
}

}  // namespace engram::experiments::equivalence
