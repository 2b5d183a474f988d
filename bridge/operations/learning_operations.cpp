// SPDX-License-Identifier: MIT
// Operations for learning rules on patterns and activity in the request: weights, hebbian.
#include <algorithm>

#include "bridge/json/json_text.hpp"
#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::bridge {

using core::Index;
using core::Matrix;
using core::Vector;

Matrix spins_of(const Request& request, const char* name) {
  const Matrix spins = request.matrix(name);
  for (Index i = 0; i < spins.rows(); ++i)
    for (Index j = 0; j < spins.cols(); ++j)
      if (spins(i, j) != 1 && spins(i, j) != -1)
        throw bad_value(pointer_to(name) + "/" + std::to_string(i) + "/" + std::to_string(j),
                        "a spin must be 1 or -1");
  return spins;
}

Matrix weights_of(const Request& request, const Matrix& patterns) {
  const auto rule = request.value("rule", core::weight_rules);
  const auto count = static_cast<double>(patterns.rows()), n = static_cast<double>(patterns.cols());
  const bool projector =
      rule == core::WeightRule::pseudo_inverse || rule == core::WeightRule::pseudo_inverse_zero_diag;
  request.require_room(n * n, projector ? (4 * count + n) * n * std::min(count, n) : 4 * count * n * n);
  return core::pattern_weights(rule, patterns);
}

namespace {

Json weights(const Context&, const Request& request) {
  const Matrix patterns = spins_of(request, "patterns");
  const Matrix w = weights_of(request, patterns);
  Vector energies(patterns.rows());
  for (Index k = 0; k < patterns.rows(); ++k)
    energies[k] = core::hopfield_energy(w, patterns.row(k).transpose());
  return {{"w", to_json(w)}, {"energies", to_json(energies)}};
}

double eta_of(const Request& request) { return request.number("eta", -largest_number, largest_number); }

// The field `activity` for rules with a weight for each pair of units.
Matrix activity_for_pairs(const Request& request) {
  const Matrix activity = request.matrix("activity");
  const auto steps = static_cast<double>(activity.rows()), n = static_cast<double>(activity.cols());
  request.require_room(n * n, 3 * steps * n * n);
  return activity;
}

Json hebb_decay(const Request& request) {
  const Matrix activity = activity_for_pairs(request);
  const double eta = eta_of(request), decay = request.number("decay", 0, 1);
  return {{"w", to_json(core::hebb_decay_weights(activity, eta, decay))}};
}

Json covariance(const Request& request) {
  return {{"w", to_json(core::covariance_weights(activity_for_pairs(request)))}};
}

Json asymmetric_sequence(const Request& request) {
  return {{"w", to_json(core::sequence_weights(activity_for_pairs(request)))}};
}

Json oja(const Request& request) {
  const Matrix activity = request.matrix("activity");
  const Vector w0 = request.vector("w0", activity.cols());
  const Matrix w = core::learn_units(core::ComponentRule::oja, w0.transpose(), activity, eta_of(request));
  return {{"w", to_json(Vector(w.row(0).transpose()))}};
}

Json sanger(const Request& request) {
  const Matrix activity = request.matrix("activity");
  const Matrix w0 = request.matrix("w0", -1, activity.cols());
  request.require_room(0, 4 * static_cast<double>(activity.rows()) * static_cast<double>(w0.size()));
  return {{"w", to_json(core::learn_units(core::ComponentRule::sanger, w0, activity, eta_of(request)))}};
}

Json bcm(const Request& request) {
  const Matrix activity = request.matrix("activity");
  core::BcmUnit unit{request.vector("w0", activity.cols()),
                     request.number("theta0", -largest_number, largest_number)};
  const double eta = eta_of(request), tau = request.number("tau_theta", least_positive, largest_number);
  for (Index t = 0; t < activity.rows(); ++t) core::bcm_step(unit, activity.row(t).transpose(), eta, tau);
  const Json theta = to_json(Vector(Vector::Constant(1, unit.theta)));
  return {{"w", to_json(unit.w)}, {"theta", theta[0]}};
}

Json stdp_pair(const Request& request) {
  Vector dw = request.vector("dt");
  const core::StdpWindow window{request.number("a_plus", -largest_number, largest_number),
                                request.number("a_minus", -largest_number, largest_number),
                                request.number("tau_plus", least_positive, largest_number),
                                request.number("tau_minus", least_positive, largest_number)};
  for (double& dt : dw) dt = core::stdp_change(dt, window);
  return {{"dw", to_json(dw)}};
}

struct ActivityRule {
  std::string name;
  std::vector<std::string> fields;  // required fields of the rule
  Json (*run)(const Request&);
};

const std::vector<ActivityRule>& activity_rules() {
  static const std::vector<ActivityRule> all{
      {"hebb_decay", {"activity", "eta", "decay"}, hebb_decay},
      {"covariance", {"activity"}, covariance},
      {"asymmetric_sequence", {"activity"}, asymmetric_sequence},
      {"oja", {"activity", "w0", "eta"}, oja},
      {"sanger", {"activity", "w0", "eta"}, sanger},
      {"bcm", {"activity", "w0", "eta", "theta0", "tau_theta"}, bcm},
      {"stdp_pair", {"dt", "a_plus", "a_minus", "tau_plus", "tau_minus"}, stdp_pair},
  };
  return all;
}

std::vector<std::string> fields_of_hebbian() {
  std::vector<std::string> fields{"rule"};
  for (const ActivityRule& rule : activity_rules())
    for (const std::string& field : rule.fields)
      if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  return fields;
}

Json hebbian(const Context&, const Request& request) {
  const ActivityRule& rule = request.row("rule", activity_rules());
  std::vector<std::string> fields{"rule"};
  fields.insert(fields.end(), rule.fields.begin(), rule.fields.end());
  request.refuse_others(std::move(fields));
  return rule.run(request);
}

}  // namespace

std::span<const Operation> learning_operations() {
  static const std::vector<Operation> all{
      {"weights", {"patterns", "rule"}, weights},
      {"hebbian", fields_of_hebbian(), hebbian},
  };
  return all;
}

}  // namespace engram::bridge
