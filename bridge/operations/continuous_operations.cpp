// SPDX-License-Identifier: MIT
// Attention over time: continuous, continuous_context.
#include <algorithm>
#include <cmath>

#include "bridge/json_text.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/continuous_attention.hpp"

namespace engram::bridge {
namespace {

using core::Index;
using core::Vector;

constexpr double greatest_alpha = 100, least_positive = 1e-300, largest = 1e300, greatest_variance = 1e250;

// {"mu": [...], "sigma": [...]}
core::GaussianBasis basis_of(const Context& context, const Request& request) {
  const std::string place = "/gaussian_basis";
  const Json& json = request.at("gaussian_basis");
  if (!json.is_object()) throw bad_value(place, "'gaussian_basis' must be an object {mu, sigma}");
  for (const auto& [name, value] : json.items())
    if (name != "mu" && name != "sigma")
      throw RequestError{"unknown_field",
                         "unknown field '" + name + "'; 'gaussian_basis' knows mu, sigma",
                         {{"pointer", place + pointer_to(name)}}};
  try {
    const Request fields(json, {"mu", "sigma"}, context.limits);
    core::GaussianBasis basis{fields.vector("mu"), {}};
    basis.widths = fields.vector("sigma", basis.size());
    for (Index j = 0; j < basis.size(); ++j)
      if (!(basis.widths[j] >= least_positive))
        throw bad_value("/sigma/" + std::to_string(j), "a width must be at least 1e-300");
    return basis;
  } catch (RequestError& error) {
    error.details["pointer"] = place + error.details.at("pointer").get<std::string>();
    throw;
  }
}

double alpha_of(const Request& request) { return request.number("alpha", 1, greatest_alpha); }

// What an expectation costs at most: 80 pieces of 30 points, an exp and a power each.
double expectations_cost(Index basis_functions) {
  return 80.0 * 30 * 60 * static_cast<double>(basis_functions);
}

Json continuous(const Context& context, const Request& request) {
  const double alpha = alpha_of(request), mu = request.number("mu", -largest, largest);
  const core::TimeDensity density(alpha, mu, request.number("sigma_sq", least_positive, greatest_variance));
  Vector at, expectations;
  if (request.has("t")) {
    at = request.vector("t");
    for (double& t : at) t = density.at(t);
  }
  if (request.has("gaussian_basis")) {
    const core::GaussianBasis basis = basis_of(context, request);
    request.require_room(static_cast<double>(basis.size()), expectations_cost(basis.size()));
    expectations = basis.expectations(density);
  }
  const double half_support = density.half_support();
  return {{"density", to_json(at)},
          {"half_support", std::isinf(half_support) ? Json(nullptr) : Json(half_support)},
          {"variance", density.variance()},
          {"expectations", to_json(expectations)}};
}

Json continuous_context(const Context& context, const Request& request) {
  const core::Matrix values = request.matrix("values");
  const Vector scores = request.vector("scores", values.rows());
  const Vector times = request.vector("times", values.rows());
  const core::GaussianBasis basis = basis_of(context, request);
  const auto events = static_cast<double>(values.rows()), functions = static_cast<double>(basis.size());
  request.require_room(std::max(events, functions) * functions,
                       (events + functions) * functions * functions +
                           events * static_cast<double>(values.cols()) + expectations_cost(basis.size()));
  const auto result =
      core::continuous_context(values, scores, times, alpha_of(request), request.number("ridge", 0, largest),
                               basis, request.number("min_sigma_sq", least_positive, greatest_variance));
  return {{"mu", result.mu},
          {"sigma_sq", result.sigma_squared},
          {"r", to_json(result.r)},
          {"context", to_json(result.context)}};
}

}  // namespace

std::span<const Operation> continuous_operations() {
  static const std::vector<Operation> all{
      {"continuous", {"alpha", "mu", "sigma_sq", "t", "gaussian_basis"}, continuous},
      {"continuous_context",
       {"values", "scores", "times", "alpha", "ridge", "gaussian_basis", "min_sigma_sq"},
       continuous_context},
  };
  return all;
}

}  // namespace engram::bridge
