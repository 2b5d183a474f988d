// SPDX-License-Identifier: MIT
// Operations on vectors in the request: simplex maps, attention, and attention over continuous time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/attention.hpp"
#include "core/attention/continuous_attention.hpp"
#include "core/maps/prior_map.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::bridge {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

// --- simplex maps ---

// The prior weights: given directly, or computed from ages or distances.
Vector prior_weights(const JsonValue& prior, Index size) {
  constexpr double most = std::numeric_limits<double>::max();
  if (!prior.json().is_object()) return vector_in(prior, size);
  ObjectReader object(prior);
  const JsonValue ages = object["ages"], distances = object["distances"];
  if (bool(ages) == bool(distances))
    prior.refuse(
        "numbers, {\"ages\": AGES, \"rate\": RATE} or {\"distances\": "
        "DISTANCES, \"bandwidth\": WIDTH}");
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
  if (request.has("prior_form") && request.value("prior_form", core::prior_forms) != form->value)
    throw bad_value("/prior_form", std::string(core::facts(omega.map).name) + " takes a prior of the form " +
                                       std::string(form->name));
  core::Prior prior{form->value, prior_weights(request["prior"], size), omega.alpha};
  check_entries(
      prior.q, "/prior", [](double q) { return !(q < 0); }, "a prior must be at least 0");
  double largest = 0;
  for (const double q : prior.q) largest = std::max(largest, q);
  if (largest == 0 && form->value != core::PriorForm::euclidean)
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
  const Vector along = core::jacobian_product(programme, scores, tangent, temperature);
  for (const double x : along) finite(x, "/tangent");
  result["jvp"] = to_json(along);
  return result;
}

// --- masks and biases ---

bool is_mask(const JsonValue& allow, const char* kind) {
  return allow && allow.json().is_object() && allow.json().size() == 1 && allow.json().contains(kind);
}

// The width in {KIND: width}, at most the number of positions.
Index width_of(const JsonValue& allow, const char* kind, Index places) {
  return static_cast<Index>(std::min(allow[kind].count(), static_cast<std::uint64_t>(places)));
}

// A named mask: "causal"; {"window": w}; {"before": w}, a causal window; or {"edges": [[i, j, w], ...]}, the neighbours
// in a graph.
core::Mask named_mask(const JsonValue& name, Index rows, Index columns) {
  const Json& json = name.json();
  const bool window = is_mask(name, "window"), before = is_mask(name, "before"),
             edges = is_mask(name, "edges");
  if (json != "causal" && !window && !before && !edges)
    name.refuse(
        "rows of true or false, \"causal\", {\"window\": WIDTH}, "
        "{\"before\": WIDTH} or {\"edges\": EDGES}");
  if (rows != columns)
    throw shape_mismatch("/allow", "'allow' by name must have as many queries as keys, found " +
                                       std::to_string(rows) + " and " + std::to_string(columns));
  if (window) return core::window_mask(rows, width_of(name, "window", rows));
  if (before)
    return core::causal_mask(rows).array() && core::window_mask(rows, width_of(name, "before", rows)).array();
  if (edges)
    return core::neighbourhood_mask(
        core::links_of_edges(rows, edges_in(name["edges"], static_cast<std::size_t>(rows)), true));
  return core::causal_mask(rows);
}

core::Mask allow_of(const Request& request, Index rows, Index columns) {
  if (!request.has("allow")) return {};
  const auto wrong_shape = [&](const std::string& pointer) {
    return shape_mismatch(
        pointer, "'allow' must have shape " + std::to_string(rows) + " x " + std::to_string(columns));
  };
  const JsonValue list = request["allow"];
  if (!list.json().is_array()) return named_mask(list, rows, columns);
  if (static_cast<Index>(list.size()) != rows) throw wrong_shape("/allow");
  core::Mask allow(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    const JsonValue row = list[static_cast<std::size_t>(i)];
    if (static_cast<Index>(row.list("a list of true or false").size()) != columns)
      throw wrong_shape(row.pointer());
    for (Index j = 0; j < columns; ++j) {
      const JsonValue entry = row[static_cast<std::size_t>(j)];
      const bool as_number = entry.json() == 0 || entry.json() == 1;
      allow(i, j) = as_number ? entry.json() == 1 : entry.flag();
    }
  }
  return allow;
}

// A bias on the scores: a matrix, or a penalty computed from ages.
Matrix score_bias(const Request& request, Index queries, Index keys) {
  const JsonValue bias = request["bias"];
  if (!bias.json().is_object()) return request.matrix("bias", queries, keys);
  ObjectReader ages(bias);
  const Vector query_times = vector_in(ages["query_times"], queries),
               key_times = vector_in(ages["key_times"], keys);
  const double slope = ages["slope"].number(-largest_number, largest_number);
  ages.refuse_others();
  return core::linear_age_bias(query_times, key_times, slope);
}

// A bias of `size` numbers, or an empty list for none.
Vector bias_of(const Request& request, const char* name, Index size) {
  const JsonValue list = request[name];
  const bool none = list && list.json().is_array() && list.json().empty();
  return none ? Vector() : request.vector(name, size);
}

// --- attention ---

// Dot products in single precision, of every query with every key. With `top`, only the best keys of each query.
Json float_scores(const Request& request, const Matrix& queries, core::Precision precision) {
  const Matrix rows = request.matrix("keys", -1, queries.cols());
  request.require_room(product(queries.rows(), rows.rows()),
                       product(queries.rows(), rows.rows(), queries.cols()));
  const core::PackedKeys keys = packed_keys(rows, precision);
  Json all = Json::array();
  for (Index i = 0; i < queries.rows(); ++i) {
    const Vector query = queries.row(i).transpose();
    if (!request.has("top")) {
      all.push_back(to_json(core::scores(keys, query, 1)));
      continue;
    }
    Json best = Json::array();
    for (const core::ScoredKey& found : core::top_k(keys, query, static_cast<Index>(request.count("top"))))
      add_to(best, {{"key", found.key}, {"score", found.score}});
    all.push_back(std::move(best));
  }
  return {{request.has("top") ? "best" : "scores", std::move(all)}};
}

Json attention_json(const core::Attention& attention) {
  return {{"weights", to_json(attention.weights)}, {"output", to_json(attention.output)}};
}

// Processes keys and values one at a time, as in a stream. Scores outside the window are not computed.
core::Attention attend_step_by_step(const Matrix& queries, const Matrix& keys, const Matrix& values,
                                    const core::AttentionOptions& options, Index width) {
  core::AttentionCache cache(keys.cols(), values.cols(), {options.scale, options.map, width});
  core::Attention all{Matrix::Zero(queries.rows(), keys.rows()), Matrix(queries.rows(), values.cols())};
  for (Index t = 0; t < queries.rows(); ++t) {
    cache.append(keys.row(t).transpose(), values.row(t).transpose());
    Vector bias;
    if (options.bias.size() > 0) bias = options.bias.row(t).head(t + 1).transpose();
    const core::AttentionCache::Step step = cache.attend(queries.row(t).transpose(), bias);
    all.weights.row(t).head(t + 1) = step.weights.transpose();
    all.output.row(t) = step.output.transpose();
  }
  return all;
}

// --- attention over continuous time ---

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

// Upper bound on the cost of an expectation: 80 intervals of 30 points, each with an exp and a power.
double expectations_cost(Index basis_functions) { return product(80 * 30 * 60, basis_functions); }

}  // namespace

namespace run {

Json map(const Context&, const Request& request) {
  const Vector scores = request.vector("scores");
  const auto size = static_cast<double>(scores.size());
  request.require_room(3 * size,
                       12'000 * size);  // 150 steps of a root, 80 operations per score and step
  const core::Regulariser omega = regulariser_of(request, scores.size());
  const double temperature = request.number("temperature");
  if (request.has("prior"))
    return solve(prior_of(request, omega, scores.size()), request, scores, temperature);
  if (request.has("prior_form")) throw bad_value("/prior_form", "'prior_form' needs a 'prior'");
  return solve(omega, request, scores, temperature);
}

Json sample(const Context&, const Request& request) {
  const Vector scores = request.vector("scores");
  const double temperature = request.number("temperature");
  const Vector uniforms = request.vector("uniforms");
  request.require_room(static_cast<double>(scores.size() + uniforms.size()),
                       product(uniforms.size(), scores.size()));
  const Vector p = core::apply(core::SimplexMap::softmax, scores, temperature);
  check_uniforms(uniforms);
  Json indices = Json::array();
  for (const double u : uniforms) indices.push_back(core::sample(p, u));
  return {{"p", to_json(p)}, {"indices", indices}};
}

Json scores(const Context&, const Request& request) {
  const auto score = request.value("score", core::score_table);
  const Matrix queries = request.matrix("queries");
  if (const auto precision = precision_of(request)) {
    if (score != core::Score::dot) throw bad_value("/precision", "'precision' goes with the score dot");
    return float_scores(request, queries, *precision);
  }
  if (request.has("top")) throw bad_value("/top", "'top' goes with a 'precision' of float or bf16");
  const bool same_width = score != core::Score::bilinear && score != core::Score::additive;
  const Matrix keys = request.matrix("keys", -1, same_width ? queries.cols() : -1);
  core::ScoreMaps maps;
  if (score == core::Score::bilinear) {
    maps.bilinear = request.matrix("wb", queries.cols(), keys.cols());
    request.require_room(product(queries.rows(), keys.cols()),
                         product(queries.rows(), queries.cols(), keys.cols()));
  } else if (score == core::Score::additive) {
    maps.query = request.matrix("wq", -1, queries.cols());
    const Index hidden = maps.query.rows();
    maps.key = request.matrix("wk", hidden, keys.cols());
    maps.bias = request.vector("b", hidden);
    maps.direction = request.vector("v", hidden);
    request.require_room(product(std::max(queries.rows(), keys.rows()), hidden),
                         product(hidden, queries.rows(), queries.cols()) +
                             product(hidden, keys.rows(), keys.cols()) +
                             product(20, hidden, queries.rows(), keys.rows()));
  }
  request.require_room(product(queries.rows(), keys.rows()),
                       product(queries.rows(), keys.rows(), queries.cols()));
  return {{"scores", to_json(core::scores(score, queries, keys, maps))}};
}

Json attend(const Context&, const Request& request) {
  const Matrix queries = request.matrix("queries");
  const Matrix keys = request.matrix("keys", -1, queries.cols());
  const Matrix values = request.matrix("values", keys.rows(), -1);
  const double pairs = product(queries.rows(), keys.rows());
  request.require_room(pairs + product(queries.rows(), values.cols()),
                       product(pairs, queries.cols() + values.cols()));
  core::AttentionOptions options;
  options.scale = request.number("scale", 1.0 / std::sqrt(static_cast<double>(keys.cols())));
  if (request.choice("map") == "none")
    options.map.reset();
  else
    options.map = regulariser_of(request, keys.rows());
  const bool before = is_mask(request["allow"], "before") && queries.rows() == keys.rows();
  if (!before) options.allow = allow_of(request, queries.rows(), keys.rows());
  if (request.has("bias")) options.bias = score_bias(request, queries.rows(), keys.rows());
  if (const auto precision = precision_of(request)) {
    if (!options.map || request.has("allow") || request.has("bias"))
      throw bad_value("/precision", "'precision' goes without 'allow', 'bias' and the map none");
    core::PackedValues packed(values.cols(), *precision);
    packed.append(values);
    return {{"output", to_json(core::attend(packed_keys(keys, *precision), packed, queries, options.scale,
                                            *options.map))}};
  }
  if (before)
    return attention_json(attend_step_by_step(queries, keys, values, options,
                                              width_of(request["allow"], "before", keys.rows())));
  return attention_json(core::attend(queries, keys, values, options));
}

Json multihead(const Context&, const Request& request) {
  const Matrix query = request.matrix("query");
  const Index width = query.cols();
  const Matrix key = request.matrix("key", -1, width);
  const Matrix value = request.matrix("value", key.rows(), width);
  const auto heads = static_cast<Index>(request.count("num_heads"));
  if (width % heads != 0)
    throw bad_value("/num_heads", "'num_heads' must divide the width, " + std::to_string(width));
  const core::MultiheadMaps maps = core::MultiheadMaps::stacked(
      request.matrix("in_proj_weight", 3 * width, width), bias_of(request, "in_proj_bias", 3 * width),
      request.matrix("out_proj_weight", width, width), bias_of(request, "out_proj_bias", width));
  request.require_room(
      product(query.rows(), width) + product(heads, query.rows(), key.rows()),
      2 * product(query.rows() + key.rows(), width, width) + 2 * product(query.rows(), key.rows(), width));
  const core::Mask allow = allow_of(request, query.rows(), key.rows());
  const auto attention = core::attend_multihead(query, key, value, heads, maps, allow);
  Json weights = Json::array();
  for (const Matrix& head : attention.weights) weights.push_back(to_json(head));
  return {{"output", to_json(attention.output)}, {"weights", weights}};
}

Json universal(const Context&, const Request& request) {
  const Matrix keys = request.matrix("keys");
  const Matrix values = request.matrix("values", keys.rows(), -1);
  const Vector query = request.vector("query", keys.cols());
  const auto similarity = request.value("similarity", core::score_table);
  const auto separation = request.value("separation", core::separations);
  double parameter = row_of(core::separations, separation).parameter.value_or(0.0);
  if (request.has("parameter") || separation == core::Separation::poly) {
    const double least = separation == core::Separation::entmax ? 1.0 : -largest_number;
    parameter = request["parameter"].number(least, largest_number);
  }
  const auto recall = core::recall_universal(keys, values, query, similarity, separation, parameter);
  return {{"similarity", to_json(recall.similarity)},
          {"separated", to_json(recall.separated)},
          {"output", to_json(recall.output)}};
}

Json continuous(const Context&, const Request& request) {
  const double alpha = request.number("alpha"), mu = request.number("mu");
  const core::TimeDensity density(alpha, mu, request.number("sigma_sq"));
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
  const Matrix values = request.matrix("values");
  const Vector scores = request.vector("scores", values.rows());
  const Vector times = request.vector("times", values.rows());
  const core::GaussianBasis basis = basis_of(request);
  const Index events = values.rows(), functions = basis.size();
  request.require_room(product(std::max(events, functions), functions),
                       product(events + functions, functions, functions) + product(events, values.cols()) +
                           expectations_cost(functions));
  const auto result =
      core::continuous_context(values, scores, times, request.number("alpha"), request.number("ridge"), basis,
                               request.number("min_sigma_sq"));
  return {{"mu", result.mu},
          {"sigma_sq", result.sigma_squared},
          {"r", to_json(result.r)},
          {"context", to_json(result.context)}};
}

}  // namespace run
}  // namespace engram::bridge
