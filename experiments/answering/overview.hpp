// SPDX-License-Identifier: MIT
// All sets at their first gate in one table, and who leads.
#pragma once

#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {

/// Does the reasoner's work: it is shown, and competes with nobody.
inline const std::string reference_method = "backward_chaining";

inline const char* const intervals =
    " 95 % bootstrap intervals (BCa, Efron 1987; for fewer than 10 values plain percentiles), of sets with "
    "seeds over these, of files over questions. Baselines: overlap, frequency and uniform.";

/// Those that are compared, and those beside them.
struct Labels {
  std::vector<std::string> compared, others;

  explicit Labels(const Spec& spec);
  std::vector<std::string> methods() const;
  std::vector<std::string> all() const;  // with the arms
};

/// A measure ("whole") of each set at its first gate.
std::vector<Measure> first_gates(const std::vector<RowSet>& sets, const std::string& of,
                                 const std::vector<std::string>& labels);
inline Leads first_leads(const std::vector<RowSet>& sets, const std::string& of, const Labels& labels) {
  return find_leads(labels.compared, first_gates(sets, of, labels.compared));
}

/// The measure's table, by its name, and adds to `what` how to read it.
Table overview(const std::string& of, const std::string& what, const std::vector<RowSet>& sets,
               const Labels& labels, const Leads& leads);

/// Of the allocators of each family the one that has most, over all sets at their first gate.
std::vector<std::string> leaders(const Spec& spec, const Leads& leads);

}  // namespace engram::experiments::answering
