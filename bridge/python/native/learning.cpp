// SPDX-License-Identifier: MIT
// Bindings of core/learning.
#include "bridge/python/native/arrays.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::python {
namespace {

// Applies a rule that computes weights between all pairs of units from rows.
template <class Rule>
Matrix weights_by(const char* name, py::handle rows, Rule rule) {
  const ArrayView<Matrix> x(name, rows);
  return in_background([&] {
    require_room(x->cols(), x->cols());
    return rule(*x);
  });
}

Matrix pattern_weights(py::handle patterns, const std::string& name) {
  const auto rule = named("rule", core::weight_rules, name);
  return weights_by("patterns", patterns, [&](const Matrix& x) { return core::pattern_weights(rule, x); });
}

Matrix learn_pattern(py::handle weights, py::handle pattern, const std::string& name) {
  const auto rule = named("rule", core::weight_rules, name);
  const ArrayView<Vector> x("pattern", pattern);
  return weights_by("weights", weights, [&](Matrix w) {
    core::learn_pattern(rule, w, *x);
    return w;
  });
}

Matrix units(core::ComponentRule rule, py::handle activity, py::handle w0, double eta) {
  const ArrayView<Matrix> a("activity", activity), begin("w0", w0);
  return in_background([&] { return core::learn_units(rule, *begin, *a, eta); });
}

py::tuple bcm(py::handle activity, py::handle w0, double eta, double theta0, double tau) {
  const ArrayView<Matrix> a("activity", activity);
  core::BcmUnit unit{*ArrayView<Vector>("w0", w0), theta0};
  core::require_size("w0", unit.w.size(), a->cols());
  core::BcmUnit learnt = in_background([&] {
    for (Index t = 0; t < a->rows(); ++t) core::bcm_step(unit, a->row(t).transpose(), eta, tau);
    return unit;
  });
  return py::make_tuple(std::move(learnt.w), learnt.theta);
}

Vector stdp(py::handle dt, double a_plus, double a_minus, double tau_plus, double tau_minus) {
  const ArrayView<Vector> times("dt", dt);
  const core::StdpWindow window{a_plus, a_minus, tau_plus, tau_minus};
  return in_background([&] {
    Vector changes(times->size());
    for (Index i = 0; i < changes.size(); ++i) changes[i] = core::stdp_change((*times)[i], window);
    return changes;
  });
}

}  // namespace

void bind_learning(py::module_& module) {
  module.def("weights", pattern_weights);
  module.def("learn_pattern", learn_pattern);
  module.def("hebb_decay", [](py::handle activity, double eta, double decay) {
    return weights_by("activity", activity,
                      [&](const Matrix& a) { return core::hebb_decay_weights(a, eta, decay); });
  });
  module.def("covariance",
             [](py::handle activity) { return weights_by("activity", activity, core::covariance_weights); });
  module.def("sequence",
             [](py::handle activity) { return weights_by("activity", activity, core::sequence_weights); });
  module.def("oja", [](py::handle activity, py::handle w0, double eta) {
    return units(core::ComponentRule::oja, activity, w0, eta);
  });
  module.def("sanger", [](py::handle activity, py::handle w0, double eta) {
    return units(core::ComponentRule::sanger, activity, w0, eta);
  });
  module.def("bcm", bcm);
  module.def("stdp", stdp);
  module.attr("weight_rules") = py::cast(core::names_in(core::weight_rules));
}

}  // namespace engram::python
