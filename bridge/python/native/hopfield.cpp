// SPDX-License-Identifier: MIT
// Bindings of core/hopfield.
#include "core/hopfield/hopfield.hpp"

#include "bridge/python/native/arrays.hpp"
#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::python {
namespace {

// Above this number of spins, Hebb's rule stores the bits of the patterns instead of weights. The results are the same.
constexpr Index most_weighted_spins = 2048;

core::HopfieldOptions hopfield_options(py::handle order, int max_sweeps, py::handle field,
                                       const std::string& zero_field) {
  core::HopfieldOptions options;
  if (!order.is_none()) options.order = indices("order", order);
  options.max_sweeps = max_sweeps;
  core::require(max_sweeps >= 1, "max_sweeps must be at least 1", max_sweeps);
  options.field = *OptionalArrayView<Vector>("field", field);
  options.at_zero = named("zero_field", core::zero_field_rules, zero_field);
  return options;
}

// Runs `recall` in the background on the weights. If these are None, a rule learns them from the patterns.
template <class Recall>
auto of_network(py::handle weights, py::handle patterns, const std::string& rule, Recall recall) {
  core::require(weights.is_none() != patterns.is_none(), "a network must have either weights or patterns");
  if (!weights.is_none()) {
    const ArrayView<Matrix> w("weights", weights);
    return in_background([&] { return recall(*w); });
  }
  const core::WeightRule by = named("rule", core::weight_rules, rule);
  const ArrayView<Matrix> x("patterns", patterns);
  return in_background([&] {
    if (by == core::WeightRule::hebb && x->cols() > most_weighted_spins) return recall(core::BitPatterns(*x));
    require_room(x->cols(), x->cols());
    return recall(core::pattern_weights(by, *x));
  });
}

py::tuple hopfield(py::handle cue, py::handle weights, py::handle patterns, const std::string& rule,
                   bool synchronous, py::handle order, int max_sweeps, py::handle field,
                   const std::string& zero_field) {
  const ArrayView<Vector> from("cue", cue);
  const core::HopfieldOptions options = hopfield_options(order, max_sweeps, field, zero_field);
  auto recall = of_network(weights, patterns, rule, [&](const auto& made_of) {
    return synchronous ? core::recall_synchronous(made_of, *from, options)
                       : core::recall_hopfield(made_of, *from, options);
  });
  return py::make_tuple(std::move(recall.state), array_of(recall.energies), array_of(recall.flips),
                        recall.converged, recall.period);
}

py::tuple glauber(py::handle cue, py::handle weights, py::handle patterns, const std::string& rule,
                  double temperature, py::handle sites, py::handle uniforms, py::handle field) {
  const ArrayView<Vector> from("cue", cue);
  const core::GlauberDraws draws{temperature, indices("sites", sites),
                                 *ArrayView<Vector>("uniforms", uniforms)};
  const Vector external = *OptionalArrayView<Vector>("field", field);
  auto recall = of_network(weights, patterns, rule, [&](const auto& made_of) {
    return core::recall_glauber(made_of, *from, draws, external);
  });
  return py::make_tuple(std::move(recall.state), array_of(recall.energies), array_of(recall.flips),
                        std::move(recall.p_plus));
}

py::tuple dense(py::handle patterns, py::handle cue, const std::string& separation, unsigned n,
                py::handle order, int max_sweeps) {
  const ArrayView<Matrix> x("patterns", patterns);
  const ArrayView<Vector> from("cue", cue);
  core::DenseOptions options{named("separation", core::dense_separations, separation), n};
  if (!order.is_none()) options.order = indices("order", order);
  core::require(max_sweeps >= 1, "max_sweeps must be at least 1", max_sweeps);
  options.max_sweeps = max_sweeps;
  auto recall = in_background([&] { return core::recall_dense(*x, *from, options); });
  return py::make_tuple(std::move(recall.state), array_of(recall.energies), array_of(recall.flips),
                        recall.converged);
}

py::tuple continuous(py::handle patterns, py::handle cue, unsigned power, double inner_beta, double beta,
                     double step, int max_steps, double tolerance, bool every_step) {
  const ArrayView<Matrix> x("patterns", patterns);
  const ArrayView<Vector> from("cue", cue);
  const core::ContinuousMemoryOptions options{power,     inner_beta, beta,      step,
                                              max_steps, tolerance,  every_step};
  auto recall = in_background([&] {
    require_room(std::max(max_steps, 0), from->size());
    return core::recall_continuous(*x, *from, options);
  });
  return py::make_tuple(std::move(recall.state), std::move(recall.iterates), array_of(recall.energies),
                        recall.converged);
}

core::ModernHopfieldOptions modern_options(double beta, const MapArguments& map, int max_steps,
                                           double tolerance, bool every_step) {
  core::require(tolerance >= 0, "tolerance must be at least 0", tolerance);
  return {beta, regulariser(map), max_steps, tolerance, every_step};
}

// Recalls from a modern network. For patterns in single precision, the weights are None.
template <class Patterns, class... Options>
py::tuple modern_recall(const Patterns& patterns, py::handle cue, py::handle field,
                        const core::ModernHopfieldOptions& options, const Options&... more) {
  const ArrayView<Vector> from("cue", cue);
  const OptionalArrayView<Vector> external("field", field);
  auto recall =
      in_background([&] { return core::recall_modern(patterns, *from, options, *external, more...); });
  py::object weights = py::none();
  if constexpr (requires { recall.weights; }) weights = py::cast(std::move(recall.weights));
  const core::RetrievalCertificate& certificate = recall.certificate;
  return py::make_tuple(std::move(recall.state), weights, array_of(recall.energies), recall.iterations,
                        recall.converged,
                        py::make_tuple(certificate.gap, certificate.margin, certificate.exact));
}

py::tuple modern(py::handle patterns, py::handle cue, double beta, const MapArguments& map, int max_steps,
                 double tolerance, bool every_step, py::handle field) {
  const ArrayView<Matrix> x("patterns", patterns);
  return modern_recall(*x, cue, field, modern_options(beta, map, max_steps, tolerance, every_step));
}

py::tuple float_modern(const core::PackedKeys& patterns, py::handle cue, double beta, const MapArguments& map,
                       int max_steps, double tolerance, bool every_step, py::handle field, unsigned threads) {
  return modern_recall(patterns, cue, field, modern_options(beta, map, max_steps, tolerance, every_step),
                       core::FloatOptions{.threads = threads});
}

Vector overlaps(py::handle patterns, py::handle state) {
  const ArrayView<Matrix> x("patterns", patterns);
  const ArrayView<Vector> s("state", state);
  core::require_size("state", s->size(), x->cols());
  core::require(s->size() > 0, "a state must have at least one unit, found none");
  return in_background([&] { return core::overlaps(*x, *s); });
}

double energy(py::handle weights, py::handle state, py::handle field) {
  const ArrayView<Matrix> w("weights", weights);
  const ArrayView<Vector> s("state", state);
  const OptionalArrayView<Vector> external("field", field);
  core::require_size("state", s->size(), w->cols());
  core::require_size("weights' rows", w->rows(), w->cols());
  if (external->size() > 0) core::require_size("field", external->size(), s->size());
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
    core::require(patterns >= 1, "patterns must be at least 1", patterns);
    return core::separating_beta(regulariser(map), patterns, separation);
  });
  module.def("median_separation", [](py::handle patterns) {
    const ArrayView<Matrix> x("patterns", patterns);
    return in_background([&] { return core::median_separation(*x); });
  });
}

}  // namespace engram::python
