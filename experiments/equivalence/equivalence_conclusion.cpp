// SPDX-License-Identifier: MIT
#include "core/numbers/numeric.hpp"
#include "experiments/equivalence/equivalence.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/formats/leads_table.hpp"

#include <algorithm>
#include <cmath>

namespace engram::experiments {
namespace {

// What the rows say of one identity.
struct Measured {
  std::size_t cases = 0;
  double largest = 0, mean = 0;
  std::size_t largest_at = 0;  // its size

  bool agrees() const { return largest <= equal_within; }
};

Measured measure(const std::vector<Json>& rows, const std::string& name) {
  Measured m;
  std::vector<double> values;
  for (const Json& row : rows) {
    if (row.at("identity") != name) continue;
    const Json& deviation = row.at("deviation");
    values.push_back(deviation.is_number() ? deviation.get<double>()
                                           : std::numeric_limits<double>::infinity());
    if (values.back() > m.largest || m.cases == 0) {
      m.largest = values.back();
      m.largest_at = whole(row.at("size"));
    }
    ++m.cases;
  }
  if (m.cases > 0) m.mean = core::sum(values) / static_cast<double>(m.cases);
  return m;
}

std::string title(const char* name) {
  std::string text = name;
  std::ranges::replace(text, '_', ' ');
  return text;
}

struct Sums {
  std::size_t agreeing = 0, all = 0, cases = 0;
  double largest = 0;
  std::string failing;  // names that do not agree
};

// The verdicts alone, narrow enough for a terminal, and the identities in full.
Sums add_rows(std::span<const Identity> identities, const std::vector<Json>& rows, Table& verdicts,
              Table& table) {
  Sums sums;
  for (const Identity& identity : identities) {
    const Measured m = measure(rows, identity.name);
    table.rows.push_back({cell(title(identity.name)), cell(identity.formula), cell(identity.words),
                          scientific_cell(m.largest), cell(static_cast<double>(m.largest_at), 0),
                          cell(m.agrees() ? "agrees" : "does not"), cell(identity.source)});
    verdicts.rows.push_back({cell(title(identity.name)), cell(static_cast<double>(m.cases), 0),
                             scientific_cell(m.largest), cell(m.agrees() ? "agrees" : "does not")});
    ++sums.all;
    sums.agreeing += m.agrees() ? 1 : 0;
    sums.cases += m.cases;
    sums.largest = std::max(sums.largest, m.largest);
    if (!m.agrees()) sums.failing += (sums.failing.empty() ? "" : ", ") + title(identity.name);
  }
  return sums;
}

void operator+=(Sums& sums, const Sums& more) {
  sums.agreeing += more.agreeing;
  sums.all += more.all;
  sums.cases += more.cases;
  sums.largest = std::max(sums.largest, more.largest);
  if (!more.failing.empty()) sums.failing += (sums.failing.empty() ? "" : ", ") + more.failing;
}

Table parting_table(const std::vector<Json>& rows) {
  Table table{
      "partings",
      "What is taken for the same and is not: how far the two sides are apart, relative to the larger "
      "of 1 and the largest number compared.",
      {"setting", "the two sides", "why they part", "mean", "largest", "verdict", "source"}};
  for (const Identity& setting : partings()) {
    const Measured m = measure(rows, setting.name);
    table.rows.push_back({cell(title(setting.name)), cell(setting.formula), cell(setting.words),
                          scientific_cell(m.mean), scientific_cell(m.largest),
                          cell(m.agrees() ? "agrees" : "does not"), cell(setting.source)});
  }
  return table;
}

// All of them on one axis, in powers of ten: rounding on the left, real differences on the right.
Plot deviation_plot(const std::vector<Json>& rows) {
  Plot plot{"deviations", "How far the two sides are apart",
            "identities and settings, in the order of the tables", "largest deviation, power of ten"};
  plot.shares = plot.from_zero = plot.joined = false;
  Plot::Series same{"identities"}, apart{"settings that part"};
  const std::size_t identities = all_identities().size() - partings().size();
  std::size_t number = 0;
  for (const Identity& identity : all_identities()) {
    const Measured m = measure(rows, identity.name);
    // Exactly equal is drawn below the rounding of a number near 1.
    const double power = std::isfinite(m.largest) ? core::log(std::max(m.largest, 1e-17)) / core::log(10) : 0;
    Plot::Series& side = ++number > identities ? apart : same;
    side.add(static_cast<double>(number), power);
  }
  plot.series = {same, apart};
  return plot;
}

}  // namespace

Conclusion Equivalence::conclude(const Spec& spec, const std::vector<Json>& rows) const {
  Conclusion conclusion;
  conclusion.question = "Where are attention and Hopfield networks the same thing?";
  Table table{"identities",
              "Both sides of each identity, computed by the library on random cases of sizes " +
                  Json(options_.sizes).dump() + " from " + std::to_string(spec.seeds.size()) +
                  " seeds: the largest deviation, relative to the larger of 1 and the largest number "
                  "compared, and the size where it was. They agree where it is at most 1e-12.",
              {"identity", "both sides", "in words", "largest deviation", "at size", "verdict", "source"}};
  Table verdicts{
      "verdicts",
      "Identities, then settings that part: random cases, largest deviation of the two sides (relative "
      "to the larger of 1 and the largest number compared), and whether they agree to 1e-12.",
      {"identity or setting", "cases", "largest deviation", "verdict"}};
  Sums sums;
  for (const auto part : {attention_identities(), hopfield_identities(), graph_identities()})
    sums += add_rows(part, rows, verdicts, table);
  Table apart = parting_table(rows);
  for (std::size_t i = 0; i < apart.rows.size(); ++i) {
    const Measured m = measure(rows, partings()[i].name);
    verdicts.rows.push_back(
        {apart.rows[i][0], cell(static_cast<double>(m.cases), 0), apart.rows[i][4], apart.rows[i][5]});
  }
  conclusion.tables = {std::move(verdicts), std::move(table), std::move(apart)};
  conclusion.plots = {deviation_plot(rows)};

  std::size_t parted = 0;
  const Identity* least = nullptr;
  double least_mean = 0;
  for (const Identity& setting : partings()) {
    const Measured m = measure(rows, setting.name);
    parted += m.agrees() ? 0 : 1;
    if (least == nullptr || m.mean < least_mean) {
      least = &setting;
      least_mean = m.mean;
    }
  }
  conclusion.answer = "In " + std::to_string(sums.agreeing) + " of " + std::to_string(sums.all) +
                      " settings both sides agree in every one of " + std::to_string(sums.cases) +
                      " random cases (largest deviation " + scientific_cell(sums.largest).text + ")" +
                      (sums.failing.empty() ? "" : "; not in " + sums.failing) + ". In " +
                      std::to_string(parted) + " of " + std::to_string(partings().size()) +
                      " settings that look alike they part, the least by " +
                      scientific_cell(least_mean).text + " in the mean (" + title(least->name) + ").";
  for (const Identity& identity : all_identities()) {
    const Measured m = measure(rows, identity.name);
    conclusion.summary[identity.name] = {
        {"cases", m.cases},
        {"largest", std::isfinite(m.largest) ? Json(m.largest) : Json("not finite")},
        {"agrees", m.agrees()}};
  }
  return conclusion;
}

}  // namespace engram::experiments
