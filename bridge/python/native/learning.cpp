// SPDX-License-Identifier: MIT
// Bindings of core/learning.
#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::python {
namespace {

// Runs a rule that computes weights between all pairs of units from rows.
template <class Rule>
py::array_t<double> weights_by(const char* name, py::handle rows, Rule rule) {
  const Lent<Matrix> x(name, rows);
  return given_away(in_background([&] {
    require_room(static_cast<double>(x->cols()) * static_cast<double>(x->cols()));
    return rule(*x);
  }));
}

py::array_t<double> pattern_weights(py::handle patterns, const std::string& name) {
  const auto rule = named("rule", core::weight_rules, name);
  return weights_by("patterns", patterns, [&](const Matrix& x) { return core::pattern_weights(rule, x); });
}

py::array_t<double> learn_pattern(py::handle weights, py::handle pattern, const std::string& name) {
  const auto rule = named("rule", core::weight_rules, name);
  const Lent<Vector> x("pattern", pattern);
  return weights_by("weights", weights, [&](Matrix w) {
    core::learn_pattern(rule, w, *x);
    return w;
  });
}

py::array_t<double> units(core::ComponentRule rule, py::handle activity, py::handle w0, double eta) {
  const Lent<Matrix> a("activity", activity), begin("w0", w0);
  return given_away(in_background([&] { return core::learn_units(rule, *begin, *a, eta); }));
}

py::tuple bcm(py::handle activity, py::handle w0, double eta, double theta0, double tau) {
  const Lent<Matrix> a("activity", activity);
  core::BcmUnit unit{*Lent<Vector>("w0", w0), theta0};
  core::require_size("w0", unit.w.size(), a->cols());
  const core::BcmUnit learnt = in_background([&] {
    for (Index t = 0; t < a->rows(); ++t) core::bcm_step(unit, a->row(t).transpose(), eta, tau);
    return unit;
  });
  return py::make_tuple(given_away(learnt.w), learnt.theta);
}

py::array_t<double> stdp(py::handle dt, double a_plus, double a_minus, double tau_plus, double tau_minus) {
  const Lent<Vector> times("dt", dt);
  const core::StdpWindow window{a_plus, a_minus, tau_plus, tau_minus};
  return given_away(in_background([&] {
    Vector changes(times->size());
    for (Index i = 0; i < changes.size(); ++i) changes[i] = core::stdp_change((*times)[i], window);
    return changes;
  }));
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
