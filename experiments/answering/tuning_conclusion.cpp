// SPDX-License-Identifier: MIT
// Conclusion of the tuning: the options chosen on training questions, and their performance on other questions.
#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {
namespace {

// Share of training questions with a whole proof: mean over all sets, and over the gates of each.
double trained(const std::vector<RowSet>& sets, const std::string& label) {
  std::vector<double> of_sets;
  for (const RowSet& set : sets) {
    std::vector<double> of_gates;
    for (const std::string& measure : set.measures("whole"))
      if (const auto values = row_values(set, candidate_name(label), measure, training); !values.empty())
        of_gates.push_back(mean(values));
    if (!of_gates.empty()) of_sets.push_back(mean(of_gates));
  }
  return mean(of_sets);
}

struct Choice {
  std::string method, chosen;  // labels
  double shipped_share = 0, chosen_share = 0;
};

constexpr double rounding = 1e-9;  // rounding error of equal means that are summed in another order

// Chooses the best candidate. The first one wins ties, so the shipped options stay unless another is better.
Choice choose(const Variants& variants, const std::vector<RowSet>& sets) {
  const std::string& shipped = variants.base.label;
  Choice choice{shipped, shipped, trained(sets, shipped), 0};
  choice.chosen_share = choice.shipped_share;
  for (const MethodChoice& candidate : variants.changed)
    if (const double share = trained(sets, candidate.label); share > choice.chosen_share + rounding) {
      choice.chosen = candidate.label;
      choice.chosen_share = share;
    }
  return choice;
}

Table choices_table(const std::vector<Choice>& choices, std::size_t candidates) {
  Table table{"choices",
              "What was chosen of " + std::to_string(candidates) +
                  " candidates of each method, by the share of questions for training with a whole proof "
                  "(mean over the sets, and over the capacities of each).",
              {"method", "chosen", "as shipped", "as chosen"}};
  for (const Choice& choice : choices)
    table.rows.push_back({cell(choice.method),
                          cell(choice.chosen == choice.method ? "as shipped" : choice.chosen),
                          cell(choice.shipped_share, 3), cell(choice.chosen_share, 3)});
  return table;
}

Table tuned_table(const std::vector<Choice>& choices, const std::vector<RowSet>& sets) {
  Table table{"tuned",
              "Share of the other questions with a whole proof, as shipped and as chosen (table choices), "
              "with 95 % bootstrap intervals.",
              {"method"}};
  for (const RowSet& set : sets) table.head.push_back(set.title + ": " + set.gates.front().name());
  const auto add = [&](const std::string& shown, const std::string& label) {
    table.rows.push_back({cell(shown)});
    for (const RowSet& set : sets)
      table.rows.back().push_back(interval_cell(
          bootstrap_mean(row_values(set, candidate_name(label), set.measures("whole").front())), 2));
  };
  for (const Choice& choice : choices) {
    add(choice.method + ", as shipped", choice.method);
    if (choice.chosen != choice.method) add(choice.chosen + ", tuned", choice.chosen);
  }
  return table;
}

}  // namespace

void add_tuning(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion) {
  std::vector<Choice> choices;
  for (const Variants& variants : options.tuning.methods) choices.push_back(choose(variants, sets));
  if (choices.empty()) return;
  conclusion.tables.push_back(choices_table(choices, 1 + options.tuning.methods.front().changed.size()));
  conclusion.tables.push_back(tuned_table(choices, sets));
  Json& summary = conclusion.summary["tuning"] = Json::object();
  for (const Choice& choice : choices)
    summary[choice.method] = {{"chosen", choice.chosen},
                              {"training_as_shipped", choice.shipped_share},
                              {"training_as_chosen", choice.chosen_share}};
}

}  // namespace engram::experiments::answering
