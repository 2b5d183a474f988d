// SPDX-License-Identifier: MIT
// Operations for attention over vectors in the request: scores, attend, multihead, universal.
#include <cmath>

#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/attention.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::bridge {
namespace {

using core::Index;
using core::Matrix;

double product(Index a, Index b, Index c = 1) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

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
        "rows of true or false, \"causal\", {\"window\": WIDTH}, {\"before\": WIDTH} or {\"edges\": EDGES}");
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

// Dot products in single precision: all of them, or those of the `top` best keys of each query.
Json float_scores(const Request& request, const Matrix& queries, core::Precision precision) {
  const Matrix rows = request.matrix("keys", -1, queries.cols());
  request.require_room(product(queries.rows(), rows.rows()),
                       product(queries.rows(), rows.rows(), queries.cols()));
  const core::PackedKeys keys = packed_keys(rows, precision);
  Json all = Json::array();
  for (Index i = 0; i < queries.rows(); ++i) {
    const core::Vector query = queries.row(i).transpose();
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

Json scores(const Context&, const Request& request) {
  const auto score = request.value("score", core::score_table);
  const Matrix queries = request.matrix("queries");
  if (const auto precision = precision_of(request)) {
    if (score != core::Score::dot) throw bad_value("/precision", "'precision' goes with the score dot");
    return float_scores(request, queries, *precision);
  }
  if (request.has("top")) throw bad_value("/top", "'top' goes with a 'precision' of float or bf16");
  core::ScoreMaps maps;
  Matrix keys;
  if (score == core::Score::bilinear) {
    keys = request.matrix("keys");
    maps.bilinear = request.matrix("wb", queries.cols(), keys.cols());
    request.require_room(product(queries.rows(), keys.cols()),
                         product(queries.rows(), queries.cols(), keys.cols()));
  } else if (score == core::Score::additive) {
    keys = request.matrix("keys");
    maps.query = request.matrix("wq", -1, queries.cols());
    const Index hidden = maps.query.rows();
    maps.key = request.matrix("wk", hidden, keys.cols());
    maps.bias = request.vector("b", hidden);
    maps.direction = request.vector("v", hidden);
    request.require_room(product(std::max(queries.rows(), keys.rows()), hidden),
                         product(hidden, queries.rows(), queries.cols()) +
                             product(hidden, keys.rows(), keys.cols()) +
                             20 * product(hidden, queries.rows(), keys.rows()));
  } else {
    keys = request.matrix("keys", -1, queries.cols());
  }
  request.require_room(product(queries.rows(), keys.rows()),
                       product(queries.rows(), keys.rows(), queries.cols()));
  return {{"scores", to_json(core::scores(score, queries, keys, maps))}};
}

Json attention_json(const core::Attention& attention) {
  return {{"weights", to_json(attention.weights)}, {"output", to_json(attention.output)}};
}

// A bias on the scores: a matrix, or a penalty computed from ages.
Matrix score_bias(const Request& request, Index queries, Index keys) {
  const JsonValue bias = request["bias"];
  if (!bias.json().is_object()) return request.matrix("bias", queries, keys);
  ObjectReader ages(bias);
  const core::Vector query_times = vector_in(ages["query_times"], queries),
                     key_times = vector_in(ages["key_times"], keys);
  const double slope = ages["slope"].number(-largest_number, largest_number);
  ages.refuse_others();
  return core::linear_age_bias(query_times, key_times, slope);
}

// Processes keys and values one at a time, as in a stream. Scores outside the window are not computed.
core::Attention attend_step_by_step(const Matrix& queries, const Matrix& keys, const Matrix& values,
                                    const core::AttentionOptions& options, Index width) {
  core::AttentionCache cache(keys.cols(), values.cols(), {options.scale, options.map, width});
  core::Attention all{Matrix::Zero(queries.rows(), keys.rows()), Matrix(queries.rows(), values.cols())};
  for (Index t = 0; t < queries.rows(); ++t) {
    cache.append(keys.row(t).transpose(), values.row(t).transpose());
    core::Vector bias;
    if (options.bias.size() > 0) bias = options.bias.row(t).head(t + 1).transpose();
    const core::AttentionCache::Step step = cache.attend(queries.row(t).transpose(), bias);
    all.weights.row(t).head(t + 1) = step.weights.transpose();
    all.output.row(t) = step.output.transpose();
  }
  return all;
}

Json attend(const Context&, const Request& request) {
  const Matrix queries = request.matrix("queries");
  const Matrix keys = request.matrix("keys", -1, queries.cols());
  const Matrix values = request.matrix("values", keys.rows(), -1);
  const Index pairs = queries.rows() * keys.rows();
  request.require_room(product(pairs, 1) + product(queries.rows(), values.cols()),
                       product(pairs, queries.cols() + values.cols()));
  core::AttentionOptions options;
  options.scale = request.number("scale", -largest_number, largest_number,
                                 1.0 / std::sqrt(static_cast<double>(keys.cols())));
  if (const JsonValue map = request["map"]; map && map.json() == "none")
    options.map.reset();
  else
    options.map = regulariser_of(request, keys.rows(), core::SimplexMap::softmax);
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

// A bias of `size` numbers, or an empty list for none.
core::Vector bias_of(const Request& request, const char* name, Index size) {
  const JsonValue list = request[name];
  const bool none = list && list.json().is_array() && list.json().empty();
  return none ? core::Vector() : request.vector(name, size);
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
  const core::Vector query = request.vector("query", keys.cols());
  const auto similarity = value_named(
      core::score_table, request.choice("similarity", {"dot", "cosine", "neg_sq_euclid", "neg_manhattan"}));
  const auto separation = request.value("separation", core::separations);
  double parameter = row_of(core::separations, separation).parameter.value_or(0.0);
  if (request.has("parameter") || separation == core::Separation::poly) {
    const double least = separation == core::Separation::entmax ? 1.0 : -largest_number;
    parameter = request.number("parameter", least, largest_number);
  }
  const auto recall = core::recall_universal(keys, values, query, *similarity, separation, parameter);
  return {{"similarity", to_json(recall.similarity)},
          {"separated", to_json(recall.separated)},
          {"output", to_json(recall.output)}};
}

}  // namespace

std::span<const Operation> attention_operations() {
  static const std::vector<Operation> all{
      {"scores", {"queries", "keys", "score", "wb", "wq", "wk", "b", "v", "precision", "top"}, scores},
      {"attend",
       {"queries", "keys", "values", "scale", "map", "alpha", "allow", "bias", "precision"},
       attend},
      {"multihead",
       {"query", "key", "value", "num_heads", "in_proj_weight", "in_proj_bias", "out_proj_weight",
        "out_proj_bias", "allow"},
       multihead},
      {"universal", {"keys", "values", "query", "similarity", "separation", "parameter"}, universal},
  };
  return all;
}

}  // namespace engram::bridge
