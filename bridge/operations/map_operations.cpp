// SPDX-License-Identifier: MIT
// Operations on scores: simplex maps with and without a prior, and sampling.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/maps/prior_map.hpp"

namespace engram::bridge {
namespace {

using core::Index;
using core::PriorForm;
using core::SimplexMap;
using core::Vector;

// The prior weights: given directly, or computed from ages or distances.
Vector prior_weights(const JsonValue& prior, Index size) {
  constexpr double most = std::numeric_limits<double>::max();
  if (!prior.json().is_object()) return vector_in(prior, size);
  ObjectReader object(prior);
  const JsonValue ages = object["ages"], distances = object["distances"];
  if (bool(ages) == bool(distances))
    prior.refuse(
        "numbers, {\"ages\": AGES, \"rate\": RATE} or {\"distances\": DISTANCES, \"bandwidth\": WIDTH}");
  const Vector q =
      ages ? core::age_prior(vector_in(ages, size), object["rate"].number(0, most))
           : core::kernel_prior(vector_in(distances, size),
                                object["bandwidth"].number(std::numeric_limits<double>::min(), most));
  object.refuse_others();
  return q;
}

core::Prior prior_of(const Request& request, const core::Regulariser& omega, Index size) {
  const auto form = std::ranges::find(core::prior_forms, omega.map, &core::PriorFormFacts::map);
  if (form == core::prior_forms.end())
    throw bad_value("/prior", "only softmax, entmax and sparsemax take a prior");
  if (request.value("prior_form", core::prior_forms, form->value) != form->value)
    throw bad_value("/prior_form", std::string(core::facts(omega.map).name) + " takes a prior of the form " +
                                       std::string(form->name));
  core::Prior prior{form->value, prior_weights(request["prior"], size), omega.alpha};
  double largest = 0;
  for (Index i = 0; i < size; ++i) {
    if (prior.q[i] < 0) throw bad_value("/prior/" + std::to_string(i), "a prior must be at least 0");
    largest = std::max(largest, prior.q[i]);
  }
  if (largest == 0 && form->value != PriorForm::euclidean)
    throw bad_value("/prior", "a prior must be above 0 somewhere");
  if (largest > std::numeric_limits<double>::max() / static_cast<double>(size))
    throw bad_value("/prior", "the prior's sum is beyond the range of double");
  return prior;
}

// Rejects a value beyond the range of double, because replies only contain finite numbers.
double finite(double value, const char* pointer) {
  if (!std::isfinite(value)) throw bad_value(pointer, "the result is beyond the range of double");
  return value;
}

template <class Programme>
Json solve(const Programme& programme, const Request& request, const Vector& scores, double temperature) {
  const Vector p = core::apply(programme, scores, temperature);
  Json result{{"p", to_json(p)},
              {"support", core::support(p)},
              {"objective", finite(core::programme_value(programme, scores, temperature), "/scores")}};
  if (!request.has("tangent")) return result;
  const Vector tangent = request.vector("tangent", scores.size());
  const Vector product = core::jacobian_product(programme, scores, tangent, temperature);
  for (const double x : product) finite(x, "/tangent");
  result["jvp"] = to_json(product);
  return result;
}

Json map(const Context&, const Request& request) {
  const Vector scores = request.vector("scores");
  const auto size = static_cast<double>(scores.size());
  request.require_room(3 * size, 12'000 * size);  // 150 steps of a root, 80 operations per score and step
  const core::Regulariser omega = regulariser_of(request, scores.size());
  const double temperature = request.positive("temperature", core::default_temperature);
  if (request.has("prior"))
    return solve(prior_of(request, omega, scores.size()), request, scores, temperature);
  if (request.has("prior_form")) throw bad_value("/prior_form", "'prior_form' needs a 'prior'");
  return solve(omega, request, scores, temperature);
}

Json sample(const Context&, const Request& request) {
  const Vector scores = request.vector("scores");
  const double temperature = request.positive("temperature");
  const Vector uniforms = request.vector("uniforms");
  const auto draws = static_cast<double>(uniforms.size());
  request.require_room(static_cast<double>(scores.size()) + draws,
                       draws * static_cast<double>(scores.size()));
  const Vector p = core::apply(SimplexMap::softmax, scores, temperature);
  Json indices = Json::array();
  for (Index i = 0; i < uniforms.size(); ++i) {
    if (uniforms[i] < 0 || uniforms[i] >= 1)
      throw bad_value("/uniforms/" + std::to_string(i), "a uniform number must be in [0, 1)");
    indices.push_back(core::sample(p, uniforms[i]));
  }
  return {{"p", to_json(p)}, {"indices", indices}};
}

}  // namespace

core::Regulariser regulariser_of(const Request& request, Index scores, std::optional<SimplexMap> otherwise) {
  core::Regulariser omega(otherwise ? request.value("map", core::simplex_maps, *otherwise)
                                    : request.value("map", core::simplex_maps));
  omega.alpha = request.number("alpha", 1, std::numeric_limits<double>::max(), omega.alpha);
  if (omega.map == SimplexMap::normmax && omega.alpha == 1)
    throw bad_value("/alpha", "alpha of normmax must be above 1");
  if (request.has("k")) omega.k = static_cast<Index>(request.count("k"));
  if (omega.map == SimplexMap::budget && omega.k > scores)
    throw bad_value("/k", "k must be at most the number of scores, " + std::to_string(scores));
  return omega;
}

std::span<const Operation> map_operations() {
  static const std::vector<Operation> all{
      {"map", {"scores", "map", "alpha", "k", "temperature", "prior", "prior_form", "tangent"}, map},
      {"sample", {"scores", "temperature", "uniforms"}, sample},
  };
  return all;
}

}  // namespace engram::bridge
