// SPDX-License-Identifier: MIT
// Overview tables: all sets at their first gate, and the leading methods.
#pragma once

#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {

/// Reference method. It does the work of the reasoner, so it is shown without competing.
inline const std::string reference_method = "backward_chaining";

inline const char* const intervals =
    " 95 % bootstrap intervals (BCa, Efron 1987; for fewer than 10 values plain percentiles), of sets with "
    "seeds over these, of files over questions. Baselines: overlap, frequency and uniform.";

/// Labels of the compared methods, and of the methods shown for reference.
struct Labels {
  std::vector<std::string> compared, others;

  explicit Labels(const Spec& spec);
  std::vector<std::string> methods() const;
  std::vector<std::string> all() const;  // methods and arms
};

/// Values of a measure for each set at its first gate.
std::vector<Measure> first_gates(const std::vector<RowSet>& sets, const std::string& of,
                                 const std::vector<std::string>& labels);
inline Leads first_leads(const std::vector<RowSet>& sets, const std::string& of, const Labels& labels) {
  return find_leads(labels.compared, first_gates(sets, of, labels.compared));
}

/// The table of a measure, named after the measure. The caption is `what` and a note on how to read the table.
Table overview(const std::string& of, const std::string& what, const std::vector<RowSet>& sets,
               const Labels& labels, const Leads& leads);

/// For each family, the method with the highest mean over all sets at their first gate.
std::vector<std::string> leaders(const Spec& spec, const Leads& leads);

}  // namespace engram::experiments::answering
