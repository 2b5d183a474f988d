// SPDX-License-Identifier: MIT
// Bindings of core/maps.
#include "bridge/python/native/maps.hpp"

#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"

namespace engram::python {

core::Regulariser regulariser(const MapArguments& given) {
  return {named("a map", core::simplex_maps, std::get<0>(given)), std::get<1>(given), std::get<2>(given)};
}

namespace {

// Runs `run` with a map, or with its variant for a prior. Both have the same functions.
template <class Run>
auto with_programme(const MapArguments& given, py::handle prior, Run run) {
  const core::Regulariser omega = regulariser(given);
  if (prior.is_none()) return run(omega);
  for (const core::PriorFormFacts& form : core::prior_forms)
    if (form.map == omega.map)
      return run(core::Prior{form.value, *Lent<Vector>("prior", prior), omega.alpha});
  throw std::invalid_argument("only softmax, entmax and sparsemax take a prior; found one for '" +
                              std::string(core::facts(omega.map).name) + "'");
}

py::array_t<double> weights(const MapArguments& map, double temperature, py::handle scores,
                            py::handle prior) {
  const Lent<Vector> s("scores", scores);
  return given_away(with_programme(map, prior, [&](const auto& programme) {
    return in_background([&] { return core::apply(programme, *s, temperature); });
  }));
}

double value(const MapArguments& map, double temperature, py::handle scores, py::handle prior) {
  const Lent<Vector> s("scores", scores);
  return with_programme(map, prior, [&](const auto& programme) {
    return in_background([&] { return core::programme_value(programme, *s, temperature); });
  });
}

py::array_t<double> jvp(const MapArguments& map, double temperature, py::handle scores, py::handle tangent,
                        py::handle prior) {
  const Lent<Vector> s("scores", scores), t("tangent", tangent);
  core::require_size("tangent", t->size(), s->size());
  return given_away(with_programme(map, prior, [&](const auto& programme) {
    return in_background([&] { return core::jacobian_product(programme, *s, *t, temperature); });
  }));
}

// Checks that `p` has valid weights, and computes the derivative there.
py::array_t<double> jvp_at(const MapArguments& map, double temperature, py::handle p, py::handle tangent) {
  const core::Regulariser omega = regulariser(map);
  const Lent<Vector> weights("p", p), t("tangent", tangent);
  core::require_size("tangent", t->size(), weights->size());
  require_weights(*weights);
  return given_away(
      in_background([&] { return core::jacobian_product_at(omega, *weights, *t, temperature); }));
}

py::array_t<double> derivative_in_alpha(const MapArguments& map, py::handle p) {
  const core::Regulariser omega = regulariser(map);
  const Lent<Vector> weights("p", p);
  require_weights(*weights);
  return given_away(in_background([&] { return core::derivative_in_alpha_at(omega, *weights); }));
}

double omega_of(const MapArguments& map, py::handle p) {
  const core::Regulariser omega = regulariser(map);
  const Lent<Vector> weights("p", p);
  require_weights(*weights);
  return in_background([&] { return core::omega_of(omega, *weights); });
}

double threshold(const MapArguments& map, double temperature, py::handle scores) {
  const core::Regulariser omega = regulariser(map);
  const Lent<Vector> s("scores", scores);
  return in_background([&] { return core::threshold(omega, *s, temperature); });
}

py::array_t<std::int64_t> support(py::handle p) {
  const Lent<Vector> weights("p", p);
  return array_of_whole(in_background([&] { return core::support(*weights); }));
}

py::array_t<std::int64_t> sample(py::handle p, py::handle uniforms) {
  const Lent<Vector> weights("p", p), draws("uniforms", uniforms);
  require_weights(*weights);
  return array_of_whole(in_background([&] {
    std::vector<Index> drawn;
    for (const double uniform : *draws) {
      core::charge(static_cast<std::uint64_t>(weights->size()));
      drawn.push_back(core::sample(*weights, uniform));
    }
    return drawn;
  }));
}

}  // namespace

void require_weights(const Vector& p) {
  core::require(p.size() > 0, "weights must be one at least, found none");
  for (const double x : p)
    if (!(x >= 0 && x <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("weights must be at least 0 and finite, found " + std::to_string(x));
}

void bind_maps(py::module_& module) {
  module.def("map_weights", weights);
  module.def("map_value", value);
  module.def("map_jvp", jvp);
  module.def("map_jvp_at", jvp_at);
  module.def("map_derivative_in_alpha", derivative_in_alpha);
  module.def("map_omega", omega_of);
  module.def("map_margin", [](const MapArguments& map) { return core::margin(regulariser(map)); });
  module.def("map_threshold", threshold);
  module.def("map_support", support);
  module.def("map_sample", sample);
  module.def("age_prior", [](py::handle ages, double rate) {
    const Lent<Vector> of("ages", ages);
    return given_away(in_background([&] { return core::age_prior(*of, rate); }));
  });
  module.def("kernel_prior", [](py::handle distances, double bandwidth) {
    const Lent<Vector> of("distances", distances);
    return given_away(in_background([&] { return core::kernel_prior(*of, bandwidth); }));
  });
  module.attr("map_names") = py::cast(core::names_in(core::simplex_maps));
}

}  // namespace engram::python
