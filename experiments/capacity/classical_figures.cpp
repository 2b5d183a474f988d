// SPDX-License-Identifier: MIT
// Figures of classical Hopfield networks: how well Hebb's rule stores random patterns as their number or the
// temperature grows.
#include <cmath>

#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/hopfield_theory.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/capacity.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::capacity {
namespace {

// Stores random patterns and starts a recall at each of four patterns. Measures the overlap of the pattern with the
// recalled state.
Measurement overlap_after_recall(Index spins, double load) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns_at(spins, load), spins);
    const core::BitPatterns patterns(x);
    std::vector<double> overlaps;
    for (Index k = 0; k < std::min<Index>(4, x.rows()); ++k) {
      const Vector pattern = x.row(k).transpose();
      overlaps.push_back(overlap(pattern, core::recall_hopfield(patterns, pattern).state));
    }
    return overlaps;
  };
}

Figure solver_figure() {
  const core::CriticalLoad critical = core::critical_load();
  Figure figure{
      "critical_load",
      "Critical load of retrieval, from the equations",
      "",
      "number",
      "Amit, Gutfreund and Sompolinsky 1985, 1987; Stojnic 2024: 0.137906",
      "The equations are solved, without a simulation.",
      {claim("critical load", 0, 0.137905566, 1e-6, 1, [=](Rng&) { return std::vector{critical.load}; }),
       claim("overlap there", 1, 0.967417, 1e-4, 1, [=](Rng&) { return std::vector{critical.overlap}; })}};
  return figure;
}

constexpr double loads[] = {0.02, 0.05, 0.08, 0.10, 0.12, 0.13, 0.14,
                            0.15, 0.16, 0.17, 0.18, 0.20, 0.25, 0.30};

Figure overlap_figure(const std::string& name, Index spins, std::size_t repetitions) {
  Figure figure{name,
                "Overlap with the pattern after recall",
                "load, patterns per spin",
                "overlap",
                "Amit, Gutfreund and Sompolinsky 1985, 1987",
                std::to_string(spins) +
                    " spins, asynchronous updates without noise, from the pattern itself. The theory of "
                    "infinitely many spins jumps to 0 at load 0.138, but a finite network fails gradually "
                    "around this load. Therefore this mean has no bounds."};
  for (const double load : loads)
    figure.points.push_back(shown("load " + fixed(load, 2), load, core::retrieval_overlap(load), repetitions,
                                  overlap_after_recall(spins, load)));
  figure.plot = "overlap";
  figure.series = std::to_string(spins) + " spins";
  figure.curve = [](double load) { return core::retrieval_overlap(load); };
  return figure;
}

// Overlap of retrieval states. A retrieval state is the stable state near a pattern. The theory predicts its overlap
// with the pattern.
Figure retrieval_state_figure() {
  Figure figure{
      "retrieval_state",
      "Overlap of retrieval states",
      "",
      "overlap",
      "Amit, Gutfreund and Sompolinsky 1985, 1987",
      "The theory is about the state near the pattern. Therefore this figure has the recalls of `overlap`, "
      "1000 spins, without lost patterns (overlap below 0.9), which the figure `retrieved` counts."};
  const double claims[][2] = {{0.05, 0.0005}, {0.10, 0.004}, {0.12, 0.008}, {0.13, 0.012}};
  for (const auto& [load, tolerance] : claims)
    figure.points.push_back(claim("load " + fixed(load, 2), load, core::retrieval_overlap(load), tolerance, 1,
                                  overlap_after_recall(1000, load)));
  figure.rows_of = "overlap";
  figure.statistic = [](double overlap) { return overlap > 0.9 ? overlap : std::nan(""); };
  return figure;
}

Figure retrieved_figure(const std::string& name, const std::string& rows_of, Index spins) {
  Figure figure{name,
                "Share of patterns retrieved, overlap above 0.9",
                "load, patterns per spin",
                "share retrieved",
                "Amit, Gutfreund and Sompolinsky 1985",
                std::to_string(spins) + " spins, from the recalls of `" + rows_of +
                    "`. In theory the share jumps from 1 to 0 at 0.138."};
  std::vector<double> xs;
  for (const double load : loads) {
    Point point = shown("load " + fixed(load, 2), load, load < core::critical_load().load ? 1.0 : 0.0, 12,
                        overlap_after_recall(spins, load));
    if (spins == 1000 && load == 0.13) point.low = 0.90, point.high = 1;
    if (spins == 1000 && load == 0.20) point.low = 0, point.high = 0.15;
    xs.push_back(load);
    figure.points.push_back(std::move(point));
  }
  if (spins == 1000)
    figure.relations = {{"half are lost at load", core::critical_load().load, 0.150, 0.178, crossing(0, xs)}};
  figure.plot = "retrieved";
  figure.series = std::to_string(spins) + " spins";
  figure.curve = [](double load) { return load < core::critical_load().load ? 1.0 : 0.0; };
  figure.rows_of = rows_of;
  figure.statistic = [](double overlap) { return overlap > 0.9 ? 1.0 : 0.0; };
  return figure;
}

// Fields of one synchronous step from each pattern. `x` is the matrix X, with P patterns of N spins as rows. The result
// has a row N h = X'X s - P s for each pattern s.
Matrix fields_at_patterns(const Matrix& x) {
  const Matrix between = x * x.transpose();  // integers: exact in any order of Eigen
  return between * x - static_cast<double>(x.rows()) * x;
}

Measurement wrong_bits(Index spins, Index patterns) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins);
    const auto wrong = (fields_at_patterns(x).array() * x.array() < 0).count();
    return std::vector{static_cast<double>(wrong) / static_cast<double>(x.size())};
  };
}

Figure one_step_figure() {
  Figure figure{"one_step_error",
                "Share of wrong bits after one step from a pattern, 1000 spins",
                "load, patterns per spin",
                "share of wrong bits",
                "Hertz, Krogh and Palmer 1991, table 2.1",
                "Theory: Phi(-sqrt((N-1)/(P-1)))."};
  const double claims[][2] = {{0.105, 0.10}, {0.138, 0.06}, {0.185, 0.04}, {0.37, 0.02}, {0.61, 0.01}};
  for (const auto& [load, tolerance] : claims) {
    const Index patterns = patterns_at(1000, load);
    const double theory = core::one_step_error(1000, static_cast<double>(patterns));
    figure.points.push_back(
        claim("load " + fixed(load, 3), load, theory, tolerance * theory, 10, wrong_bits(1000, patterns)));
  }
  figure.plot = "one_step_error";
  figure.series = "1000 spins";
  figure.curve = [](double load) { return core::one_step_error(1000, 1000 * load); };
  return figure;
}

// Measures the share of patterns that one step leaves unchanged. If `all` is true, the value is instead 1 if one step
// leaves every pattern unchanged, else 0.
Measurement stable_patterns(Index spins, Index patterns, bool all) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins);
    const Matrix h = fields_at_patterns(x);
    double stable = 0;
    for (Index k = 0; k < patterns; ++k) stable += (h.row(k).array() * x.row(k).array() >= 0).all() ? 1 : 0;
    return std::vector{all ? (stable == static_cast<double>(patterns) ? 1.0 : 0.0)
                           : stable / static_cast<double>(patterns)};
  };
}

Figure stable_figure() {
  const double one = core::stable_pattern_chance(1000, 72), all = core::stable_pattern_chance(1000, 36);
  Figure figure{"no_error",
                "Patterns that are fixed points without a wrong bit, 1000 spins",
                "",
                "share",
                "McEliece et al. 1987: N/(2 ln N) = 72 a given one, N/(4 ln N) = 36 all",
                "The theory assumes independent bits."};
  figure.points = {
      claim("of 72, each", 0, one, 0.025, 20, stable_patterns(1000, 72, false)),
      claim("of 72, sets without any error", 1, core::power(one, 72), 0.05, 20,
            stable_patterns(1000, 72, true)),
      claim("of 36, each", 2, all, 0.01, 20, stable_patterns(1000, 36, false)),
      shown("of 36, sets without any error", 3, core::power(all, 36), 20, stable_patterns(1000, 36, true))
          .within(0.95, 1)};
  return figure;
}

// One sweep of Glauber dynamics: n updates of random spins in a network of n spins.
Vector warm_sweep(const core::BitPatterns& patterns, const Vector& state, double temperature, Rng& rng) {
  core::GlauberDraws draws{temperature, {}, Vector(patterns.spins())};
  for (double& uniform : draws.uniforms) {
    draws.sites.push_back(
        static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(patterns.spins()))));
    uniform = rng.uniform();
  }
  return core::recall_glauber(patterns, state, draws).state;
}

// Measures the overlap with the initial pattern, averaged over the last half of the sweeps.
Measurement warm_overlap(Index spins, Index patterns, double temperature, int sweeps) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins);
    const core::BitPatterns bits(x);
    const Vector pattern = x.row(0).transpose();
    Vector state = pattern;
    double total = 0;
    for (int i = 0; i < sweeps; ++i) {
      state = warm_sweep(bits, state, temperature, rng);
      if (i >= sweeps / 2) total += overlap(pattern, state);
    }
    return std::vector{total / (sweeps - sweeps / 2)};
  };
}

Figure ferromagnet_figure(const std::string& name, Index spins, bool claimed) {
  Figure figure{name,
                "Overlap at a temperature, 3 patterns",
                "temperature",
                "overlap",
                "mean field, m = tanh(m/T)",
                std::to_string(spins) +
                    " spins, Glauber dynamics from a pattern, mean over the second half of 120 sweeps (400 "
                    "sweeps if T is at least 1). At these temperatures the overlap fades slowly and "
                    "fluctuates, so the claim is only a bound for this size. Chance overlaps between "
                    "patterns lower the overlap by 1/N, so 2000 spins have no bounds."};
  for (const double t : {0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.2}) {
    const double tolerance = t <= 0.8 ? 0.005 : t < 1 ? 0.04 : t == 1 ? 0.12 : 0.05;
    const Measurement measure = warm_overlap(spins, 3, t, t < 1 ? 120 : 400);
    const std::string label = "T " + fixed(t, 1);
    const double theory = core::retrieval_overlap(0, t);
    figure.points.push_back(claimed ? claim(label, t, theory, tolerance, 6, measure)
                                    : shown(label, t, theory, 12, measure));
  }
  figure.plot = "warm";
  figure.series = std::to_string(spins) + " spins";
  figure.curve = [](double t) { return core::retrieval_overlap(0, t); };
  return figure;
}

Figure warm_loaded_figure() {
  Figure figure{"warm_and_loaded",
                "Overlap at a temperature and a load, 1500 spins",
                "",
                "overlap",
                "Amit, Gutfreund and Sompolinsky 1987, replica-symmetric",
                "Glauber dynamics from a pattern, mean over sweeps 31 to 60."};
  const double cases[][2] = {{0.05, 0.3}, {0.02, 0.5}, {0.10, 0.2}};
  double x = 0;
  for (const auto& [load, t] : cases)
    figure.points.push_back(claim("load " + fixed(load, 2) + ", T " + fixed(t, 1), x++,
                                  core::retrieval_overlap(load, t), 0.006, 6,
                                  warm_overlap(1500, patterns_at(1500, load), t, 60)));
  return figure;
}

}  // namespace

std::vector<Figure> classical_figures() {
  return {solver_figure(),
          retrieval_state_figure(),
          overlap_figure("overlap", 1000, 30),
          retrieved_figure("retrieved", "overlap", 1000),
          overlap_figure("overlap_250", 250, 48),
          retrieved_figure("retrieved_250", "overlap_250", 250),
          overlap_figure("overlap_4000", 4000, 4),
          retrieved_figure("retrieved_4000", "overlap_4000", 4000),
          one_step_figure(),
          stable_figure(),
          ferromagnet_figure("warm", 8000, true),
          ferromagnet_figure("warm_2000", 2000, false),
          warm_loaded_figure()};
}

}  // namespace engram::experiments::capacity
