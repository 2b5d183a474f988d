// SPDX-License-Identifier: MIT
#include "experiments/answering/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/formats/files.hpp"

namespace engram::experiments::answering {
namespace {

// Predictions of a method for the test questions of a set at one gate, from every seed.
std::vector<Promise> promises_of(const RowSet& set, const std::string& label, const std::string& gate) {
  std::vector<Promise> promises;
  for (const Json* row : set.rows) {
    if (row->at("method") != label || row->at("part") != test || !row->contains("promises")) continue;
    const Json& gates = row->at("promises");
    if (!gates.contains(gate)) continue;
    for (const Json& one : gates.at(gate))
      promises.push_back({one.at(0).get<double>(), one.at(1).get<bool>()});
  }
  return promises;
}

std::vector<Cell> bin_cells(const std::string& label, const std::string& gate, const std::string& bin,
                            const CalibrationBin& of, double error) {
  return {cell(label),
          cell(gate),
          cell(bin),
          cell(static_cast<double>(of.questions), 0),
          cell(of.promised, 3),
          interval_cell(of.kept, 3),
          cell(error, 3)};
}

double gap(const CalibrationBin& bin) { return std::abs(bin.promised - bin.kept.mean); }

CalibrationBin bin_of(const std::vector<Promise>& promises, double from, double to) {
  CalibrationBin bin{from, to, promises.size(), 0, {}};
  std::size_t kept = 0;
  for (const Promise& promise : promises) {
    bin.promised += promise.promised;
    kept += promise.kept ? 1 : 0;
  }
  bin.promised /= static_cast<double>(promises.size());
  bin.kept = *wilson_interval(kept, promises.size());
  return bin;
}

}  // namespace

double promised(const core::Vector& scores, std::span<const core::StatementId> given) {
  std::vector<bool> is_given(static_cast<std::size_t>(scores.size()));
  for (const core::StatementId e : given) is_given[e] = true;
  double most_left = 0;
  for (core::Index e = 0; e < scores.size(); ++e)
    if (!is_given[static_cast<std::size_t>(e)]) most_left = std::max(most_left, scores[e]);
  return std::clamp(1 - most_left, 0.0, 1.0);
}

std::vector<CalibrationBin> calibration_bins(const std::vector<Promise>& promises) {
  std::vector<CalibrationBin> bins;
  for (std::size_t b = 0; b + 1 < promise_borders.size(); ++b) {
    const double from = promise_borders[b], to = promise_borders[b + 1];
    const bool is_last = b + 2 == promise_borders.size();
    std::vector<Promise> inside;
    for (const Promise& promise : promises)
      if (promise.promised >= from && (promise.promised < to || is_last)) inside.push_back(promise);
    if (!inside.empty()) bins.push_back(bin_of(inside, from, to));
  }
  return bins;
}

double calibration_error(const std::vector<CalibrationBin>& bins) {
  double sum = 0, questions = 0;
  for (const CalibrationBin& bin : bins) {
    sum += static_cast<double>(bin.questions) * gap(bin);
    questions += static_cast<double>(bin.questions);
  }
  return questions > 0 ? sum / questions : 0;
}

Table calibration_table(const RowSet& set, const std::vector<std::string>& labels) {
  Table table{
      "calibration_" + set.file,
      set.title +
          ": promised probability that the given statements contain a whole proof, and the share of "
          "questions "
          "for which they do. A method promises 1 minus the largest score that was not given. Questions "
          "without a proof or a promise do not count. Error: difference of the two numbers, or, for all "
          "questions, the expected calibration error over the bins (Naeini, Cooper and Hauskrecht 2015). 95 "
          "% "
          "intervals: Wilson's (1927), as if questions were independent.",
      {"method", "gate", "promised", "questions", "mean promise", "whole", "error"}};
  for (const std::string& label : labels)
    for (const Gate& gate : set.gates) {
      const std::vector<Promise> promises = promises_of(set, label, gate.name());
      if (promises.empty()) continue;
      const std::vector<CalibrationBin> bins = calibration_bins(promises);
      for (const CalibrationBin& bin : bins)
        table.rows.push_back(
            bin_cells(label, gate.name(), fixed(bin.from, 2) + " to " + fixed(bin.to, 2), bin, gap(bin)));
      table.rows.push_back(
          bin_cells(label, gate.name(), "all", bin_of(promises, 0, 1), calibration_error(bins)));
    }
  return table;
}

}  // namespace engram::experiments::answering
