// SPDX-License-Identifier: MIT
// Operations for attention over continuous time: continuous, continuous_context.
#include <algorithm>
#include <cmath>

#include "bridge/json/json_text.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/continuous_attention.hpp"

namespace engram::bridge {
namespace {

using core::Index;
using core::Vector;

constexpr double greatest_alpha = 100, greatest_variance = 1e250;

// Parses {"mu": [...], "sigma": [...]}.
core::GaussianBasis basis_of(const Request& request) {
  ObjectReader object(request["gaussian_basis"], "an object {mu, sigma}");
  core::GaussianBasis basis{vector_in(object["mu"]), {}};
  const JsonValue widths = object["sigma"];
  basis.widths = vector_in(widths, basis.size());
  for (std::size_t j = 0; j < widths.size(); ++j)
    widths[j].number(least_positive, std::numeric_limits<double>::max());
  object.refuse_others();
  return basis;
}

double alpha_of(const Request& request) { return request.number("alpha", 1, greatest_alpha); }

// Upper bound on the cost of an expectation: 80 intervals of 30 points, each with an exp and a power.
double expectations_cost(Index basis_functions) {
  return 80.0 * 30 * 60 * static_cast<double>(basis_functions);
}

Json continuous(const Context&, const Request& request) {
  const double alpha = alpha_of(request), mu = request.number("mu", -largest_number, largest_number);
  const core::TimeDensity density(alpha, mu, request.number("sigma_sq", least_positive, greatest_variance));
  Vector at, expectations;
  if (request.has("t")) {
    at = request.vector("t");
    for (double& t : at) t = density.at(t);
  }
  if (request.has("gaussian_basis")) {
    const core::GaussianBasis basis = basis_of(request);
    request.require_room(static_cast<double>(basis.size()), expectations_cost(basis.size()));
    expectations = basis.expectations(density);
  }
  const double half_support = density.half_support();
  return {{"density", to_json(at)},
          {"half_support", std::isinf(half_support) ? Json(nullptr) : Json(half_support)},
          {"variance", density.variance()},
          {"expectations", to_json(expectations)}};
}

Json continuous_context(const Context&, const Request& request) {
  const core::Matrix values = request.matrix("values");
  const Vector scores = request.vector("scores", values.rows());
  const Vector times = request.vector("times", values.rows());
  const core::GaussianBasis basis = basis_of(request);
  const auto events = static_cast<double>(values.rows()), functions = static_cast<double>(basis.size());
  request.require_room(std::max(events, functions) * functions,
                       (events + functions) * functions * functions +
                           events * static_cast<double>(values.cols()) + expectations_cost(basis.size()));
  const auto result = core::continuous_context(
      values, scores, times, alpha_of(request), request.number("ridge", 0, largest_number), basis,
      request.number("min_sigma_sq", least_positive, greatest_variance));
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
