// SPDX-License-Identifier: MIT
// Bindings of core/maps.
#include "bridge/python/native/arrays.hpp"
#include "core/maps/prior_map.hpp"

namespace engram::python {
namespace {

// Calls `run` with a map, or with its variant for a prior, in the background. Both have the same functions.
template <class Run>
auto with_programme(const MapArguments& given, py::handle prior, Run run) {
  const core::Regulariser omega = regulariser(given);
  if (prior.is_none()) return in_background([&] { return run(omega); });
  for (const core::PriorFormFacts& form : core::prior_forms)
    if (form.map == omega.map) {
      const core::Prior programme{form.value, *ArrayView<Vector>("prior", prior), omega.alpha};
      return in_background([&] { return run(programme); });
    }
  throw std::invalid_argument("only softmax, entmax and sparsemax take a prior; found one for '" +
                              std::string(core::facts(omega.map).name) + "'");
}

void require_weights(const Vector& p) {
  core::require(p.size() > 0, "there must be at least one weight, found none");
  for (const double x : p)
    if (!(x >= 0 && x <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("weights must be at least 0 and finite, found " + std::to_string(x));
}

// Calls `run` with a map and valid weights, in the background.
template <class Run>
auto at_weights(const MapArguments& given, py::handle p, Run run) {
  const core::Regulariser omega = regulariser(given);
  const ArrayView<Vector> weights("p", p);
  require_weights(*weights);
  return in_background([&] { return run(omega, *weights); });
}

Vector weights(const MapArguments& map, double temperature, py::handle scores, py::handle prior) {
  const ArrayView<Vector> s("scores", scores);
  return with_programme(map, prior,
                        [&](const auto& programme) { return core::apply(programme, *s, temperature); });
}

double value(const MapArguments& map, double temperature, py::handle scores, py::handle prior) {
  const ArrayView<Vector> s("scores", scores);
  return with_programme(
      map, prior, [&](const auto& programme) { return core::programme_value(programme, *s, temperature); });
}

Vector jvp(const MapArguments& map, double temperature, py::handle scores, py::handle tangent,
           py::handle prior) {
  const ArrayView<Vector> s("scores", scores), t("tangent", tangent);
  core::require_size("tangent", t->size(), s->size());
  return with_programme(map, prior, [&](const auto& programme) {
    return core::jacobian_product(programme, *s, *t, temperature);
  });
}

Vector jvp_at(const MapArguments& map, double temperature, py::handle p, py::handle tangent) {
  const ArrayView<Vector> t("tangent", tangent);
  return at_weights(map, p, [&](const core::Regulariser& omega, const Vector& weights) {
    core::require_size("tangent", t->size(), weights.size());
    return core::jacobian_product_at(omega, weights, *t, temperature);
  });
}

double threshold(const MapArguments& map, double temperature, py::handle scores) {
  const core::Regulariser omega = regulariser(map);
  const ArrayView<Vector> s("scores", scores);
  return in_background([&] { return core::threshold(omega, *s, temperature); });
}

py::array_t<std::int64_t> support(py::handle p) {
  const ArrayView<Vector> weights("p", p);
  return array_of(in_background([&] { return core::support(*weights); }));
}

py::array_t<std::int64_t> sample(py::handle p, py::handle uniforms) {
  const ArrayView<Vector> weights("p", p), draws("uniforms", uniforms);
  require_weights(*weights);
  return array_of(in_background([&] {
    std::vector<Index> drawn;
    for (const double uniform : *draws) {
      core::charge(static_cast<std::uint64_t>(weights->size()));
      drawn.push_back(core::sample(*weights, uniform));
    }
    return drawn;
  }));
}

Vector age_prior(py::handle ages, double rate) {
  const ArrayView<Vector> a("ages", ages);
  return in_background([&] { return core::age_prior(*a, rate); });
}

Vector kernel_prior(py::handle distances, double bandwidth) {
  const ArrayView<Vector> d("distances", distances);
  return in_background([&] { return core::kernel_prior(*d, bandwidth); });
}

}  // namespace

void bind_maps(py::module_& module) {
  module.def("map_weights", weights);
  module.def("map_value", value);
  module.def("map_jvp", jvp);
  module.def("map_jvp_at", jvp_at);
  module.def("map_derivative_in_alpha", [](const MapArguments& map, py::handle p) {
    return at_weights(map, p, core::derivative_in_alpha_at);
  });
  module.def("map_omega", [](const MapArguments& map, py::handle p) {
    return at_weights(
        map, p, [](const auto& omega, const Vector& weights) { return core::omega_of(omega, weights); });
  });
  module.def("map_margin", [](const MapArguments& map) { return core::margin(regulariser(map)); });
  module.def("map_threshold", threshold);
  module.def("map_support", support);
  module.def("map_sample", sample);
  module.def("age_prior", age_prior);
  module.def("kernel_prior", kernel_prior);
  module.attr("map_names") = py::cast(core::names_in(core::simplex_maps));
}

}  // namespace engram::python
