// SPDX-License-Identifier: MIT
// Bindings of core/hopfield.
#include <cmath>
#include <optional>
#include <variant>

#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"
#include "bridge/python/native/maps.hpp"
#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::python {
namespace {

// Above this number of spins, Hebb's rule stores the bits of patterns instead of weights. States and flips are the
// same.
constexpr Index most_weighted_spins = 2048;

struct Network {
  std::variant<Matrix, core::BitPatterns> made_of;
  const Matrix* weights = nullptr;  // weights owned by the caller, instead of made_of

  template <class Recall>
  auto recall(Recall recall) const {
    return weights != nullptr ? recall(*weights) : std::visit(recall, made_of);
  }
};

Network network_of(const Matrix& patterns, core::WeightRule rule) {
  if (rule == core::WeightRule::hebb && patterns.cols() > most_weighted_spins)
    return {core::BitPatterns(patterns)};
  require_room(static_cast<double>(patterns.cols()) * static_cast<double>(patterns.cols()));
  return {core::pattern_weights(rule, patterns)};
}

core::HopfieldOptions options_of(py::handle order, int max_sweeps, py::handle field,
                                 const std::string& zero_field) {
  core::HopfieldOptions options;
  if (!order.is_none()) options.order = indices("order", order);
  options.max_sweeps = max_sweeps;
  core::require(max_sweeps >= 1, "max_sweeps must be at least 1", max_sweeps);
  options.field = *LentOrNone<Vector>("field", field);
  options.at_zero = named("zero_field", core::zero_field_rules, zero_field);
  return options;
}

// Runs `recall` on the network given by `weights` or, if these are None, learnt from `patterns` by a rule.
template <class Recall>
auto of_network(py::handle weights, py::handle patterns, const std::string& rule, Recall recall) {
  core::require(weights.is_none() != patterns.is_none(), "a network must have either weights or patterns");
  if (!weights.is_none()) {
    const Lent<Matrix> w("weights", weights);
    return in_background([&] {
      Network network;
      network.weights = &*w;
      return network.recall(recall);
    });
  }
  const core::WeightRule by = named("rule", core::weight_rules, rule);
  const Lent<Matrix> x("patterns", patterns);
  return in_background([&] { return network_of(*x, by).recall(recall); });
}

py::tuple hopfield(py::handle cue, py::handle weights, py::handle patterns, const std::string& rule,
                   bool synchronous, py::handle order, int max_sweeps, py::handle field,
                   const std::string& zero_field) {
  const Lent<Vector> from("cue", cue);
  const core::HopfieldOptions options = options_of(order, max_sweeps, field, zero_field);
  auto recall = of_network(weights, patterns, rule, [&](const auto& made_of) {
    return synchronous ? core::recall_synchronous(made_of, *from, options)
                       : core::recall_hopfield(made_of, *from, options);
  });
  return py::make_tuple(given_away(std::move(recall.state)), array_of(recall.energies),
                        array_of_whole(recall.flips), recall.converged, recall.period);
}

py::tuple glauber(py::handle cue, py::handle weights, py::handle patterns, const std::string& rule,
                  double temperature, py::handle sites, py::handle uniforms, py::handle field) {
  const Lent<Vector> from("cue", cue);
  const core::GlauberDraws draws{temperature, indices("sites", sites), *Lent<Vector>("uniforms", uniforms)};
  const Vector external = *LentOrNone<Vector>("field", field);
  auto recall = of_network(weights, patterns, rule, [&](const auto& made_of) {
    return core::recall_glauber(made_of, *from, draws, external);
  });
  return py::make_tuple(given_away(std::move(recall.state)), array_of(recall.energies),
                        array_of_whole(recall.flips), given_away(std::move(recall.p_plus)));
}

py::tuple dense(py::handle patterns, py::handle cue, const std::string& separation, unsigned n,
                py::handle order, int max_sweeps) {
  const Lent<Matrix> x("patterns", patterns);
  const Lent<Vector> from("cue", cue);
  core::DenseOptions options{named("separation", core::dense_separations, separation), n};
  if (!order.is_none()) options.order = indices("order", order);
  core::require(max_sweeps >= 1, "max_sweeps must be at least 1", max_sweeps);
  options.max_sweeps = max_sweeps;
  auto recall = in_background([&] { return core::recall_dense(*x, *from, options); });
  return py::make_tuple(given_away(std::move(recall.state)), array_of(recall.energies),
                        array_of_whole(recall.flips), recall.converged);
}

py::tuple continuous(py::handle patterns, py::handle cue, unsigned power, double inner_beta, double beta,
                     double step, int max_steps, double tolerance, bool every_step) {
  const Lent<Matrix> x("patterns", patterns);
  const Lent<Vector> from("cue", cue);
  const core::ContinuousMemoryOptions options{power,     inner_beta, beta,      step,
                                              max_steps, tolerance,  every_step};
  auto recall = in_background([&] {
    require_room(static_cast<double>(std::max(max_steps, 0)) * static_cast<double>(from->size()));
    return core::recall_continuous(*x, *from, options);
  });
  py::list iterates;
  for (Vector& state : recall.iterates) iterates.append(given_away(std::move(state)));
  return py::make_tuple(given_away(std::move(recall.state)), iterates, array_of(recall.energies),
                        recall.converged);
}

core::ModernHopfieldOptions modern_options(double beta, const MapArguments& map, int max_steps,
                                           double tolerance, bool every_step) {
  core::require(tolerance >= 0, "tolerance must be at least 0", tolerance);
  return {beta, regulariser(map), max_steps, tolerance, every_step};
}

py::tuple certificate_of(const core::RetrievalCertificate& certificate) {
  return py::make_tuple(certificate.gap, certificate.margin, certificate.exact);
}

py::tuple modern(py::handle patterns, py::handle cue, double beta, const MapArguments& map, int max_steps,
                 double tolerance, bool every_step, py::handle field) {
  const Lent<Matrix> x("patterns", patterns);
  const Lent<Vector> from("cue", cue);
  const Vector external = *LentOrNone<Vector>("field", field);
  const auto options = modern_options(beta, map, max_steps, tolerance, every_step);
  auto recall = in_background([&] { return core::recall_modern(*x, *from, options, external); });
  return py::make_tuple(given_away(std::move(recall.state)), given_away(std::move(recall.weights)),
                        array_of(recall.energies), recall.iterations, recall.converged,
                        certificate_of(recall.certificate));
}

py::tuple float_modern(const core::PackedKeys& patterns, py::handle cue, double beta, const MapArguments& map,
                       int max_steps, double tolerance, bool every_step, py::handle field, unsigned threads) {
  const Lent<Vector> from("cue", cue);
  const Vector external = *LentOrNone<Vector>("field", field);
  const auto options = modern_options(beta, map, max_steps, tolerance, every_step);
  auto recall = in_background(
      [&] { return core::recall_modern(patterns, *from, options, external, {.threads = threads}); });
  return py::make_tuple(given_away(std::move(recall.state)), py::none(), array_of(recall.energies),
                        recall.iterations, recall.converged, certificate_of(recall.certificate));
}

py::array_t<double> overlaps(py::handle patterns, py::handle state) {
  const Lent<Matrix> x("patterns", patterns);
  const Lent<Vector> s("state", state);
  core::require_size("state", s->size(), x->cols());
  core::require(s->size() > 0, "a state must have a unit at least, found none");
  return given_away(in_background([&] { return core::overlaps(*x, *s); }));
}

double energy(py::handle weights, py::handle state, py::handle field) {
  const Lent<Matrix> w("weights", weights);
  const Lent<Vector> s("state", state);
  const LentOrNone<Vector> external("field", field);
  core::require_size("state", s->size(), w->cols());
  core::require_size("weights' rows", w->rows(), w->cols());
  if ((*external).size() > 0) core::require_size("field", (*external).size(), s->size());
  return in_background([&] { return core::hopfield_energy(*w, *s, *external); });
}

}  // namespace

void bind_hopfield(py::module_& module) {
  module.def("hopfield", hopfield);
  module.def("glauber", glauber);
  module.def("dense", dense);
  module.def("continuous", continuous);
  module.def("modern", modern);
  module.def("float_modern", float_modern);
  module.def("overlaps", overlaps);
  module.def("hopfield_energy", energy);
  module.def("separating_beta", [](const MapArguments& map, Index patterns, double separation) {
    core::require(patterns >= 1, "patterns must be one at least", patterns);
    return core::separating_beta(regulariser(map), patterns, separation);
  });
  module.def("median_separation", [](py::handle patterns) {
    const Lent<Matrix> x("patterns", patterns);
    return in_background([&] { return core::median_separation(*x); });
  });
}

}  // namespace engram::python
