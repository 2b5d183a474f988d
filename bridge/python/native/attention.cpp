// SPDX-License-Identifier: MIT
// Bindings of core/attention and core/single_precision.
#include "core/attention/attention.hpp"

#include <optional>

#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"
#include "bridge/python/native/maps.hpp"
#include "bridge/python/native/packed.hpp"

namespace engram::python {
namespace {

double pairs(Index a, Index b) { return static_cast<double>(a) * static_cast<double>(b); }

py::array_t<double> scores(const std::string& name, py::handle queries, py::handle keys, py::handle bilinear,
                           py::handle query_map, py::handle key_map, py::handle bias, py::handle direction) {
  const core::Score score = named("score", core::score_table, name);
  const Lent<Matrix> q("queries", queries), k("keys", keys);
  const core::ScoreMaps maps{*LentOrNone<Matrix>("wb", bilinear), *LentOrNone<Matrix>("wq", query_map),
                             *LentOrNone<Matrix>("wk", key_map), *LentOrNone<Vector>("b", bias),
                             *LentOrNone<Vector>("v", direction)};
  return given_away(in_background([&] {
    require_room(pairs(q->rows(), k->rows()));
    return core::scores(score, *q, *k, maps);
  }));
}

core::AttentionOptions options_of(double scale, const std::optional<MapArguments>& map, py::handle allow,
                                  py::handle bias) {
  core::AttentionOptions options;
  options.scale = scale;
  options.map = map ? std::optional(regulariser(*map)) : std::nullopt;
  options.allow = mask("allow", allow);
  options.bias = *LentOrNone<Matrix>("bias", bias);
  return options;
}

py::tuple told(core::Attention attention) {
  return py::make_tuple(given_away(std::move(attention.weights)), given_away(std::move(attention.output)));
}

py::tuple attend(py::handle queries, py::handle keys, py::handle values, double scale,
                 const std::optional<MapArguments>& map, py::handle allow, py::handle bias) {
  const Lent<Matrix> q("queries", queries), k("keys", keys), v("values", values);
  const core::AttentionOptions options = options_of(scale, map, allow, bias);
  return told(in_background([&] {
    require_room(pairs(q->rows(), k->rows()) + pairs(q->rows(), v->cols()));
    return core::attend(*q, *k, *v, options);
  }));
}

py::tuple attend_by(py::handle scores, py::handle values, double scale,
                    const std::optional<MapArguments>& map, py::handle allow, py::handle bias) {
  const Lent<Matrix> s("scores", scores), v("values", values);
  const core::AttentionOptions options = options_of(scale, map, allow, bias);
  return told(in_background([&] {
    require_room(static_cast<double>(s->size()) + pairs(s->rows(), v->cols()));
    return core::attend_by(*s, *v, options);
  }));
}

py::tuple multihead(py::handle query, py::handle key, py::handle value, Index heads, py::handle in_weight,
                    py::handle in_bias, py::handle out_weight, py::handle out_bias, py::handle allow,
                    const MapArguments& map) {
  const Lent<Matrix> q("query", query), k("key", key), v("value", value);
  const core::MultiheadMaps maps =
      in_weight.is_none() && out_weight.is_none()
          ? core::MultiheadMaps::identity(q->cols())
          : core::MultiheadMaps::stacked(
                *Lent<Matrix>("in_proj_weight", in_weight), *LentOrNone<Vector>("in_proj_bias", in_bias),
                *Lent<Matrix>("out_proj_weight", out_weight), *LentOrNone<Vector>("out_proj_bias", out_bias));
  const core::Mask allowed = mask("allow", allow);
  const core::Regulariser omega = regulariser(map);
  auto all = in_background([&] {
    require_room(pairs(q->rows(), k->rows()) * static_cast<double>(std::max<Index>(heads, 1)));
    return core::attend_multihead(*q, *k, *v, heads, maps, allowed, omega);
  });
  py::list weights;
  for (Matrix& head : all.weights) weights.append(given_away(std::move(head)));
  return py::make_tuple(given_away(std::move(all.output)), weights);
}

py::tuple universal(py::handle keys, py::handle values, py::handle query, const std::string& similarity,
                    const std::string& separation, std::optional<double> parameter) {
  const core::Score score = named("similarity", core::score_table, similarity);
  const core::Separation apart = named("separation", core::separations, separation);
  if (!parameter) parameter = core::row_of(core::separations, apart).parameter;
  core::require(parameter || apart != core::Separation::poly,
                "the separation poly needs a parameter, found none");
  const Lent<Matrix> k("keys", keys), v("values", values);
  const Lent<Vector> q("query", query);
  auto recall =
      in_background([&] { return core::recall_universal(*k, *v, *q, score, apart, parameter.value_or(0)); });
  return py::make_tuple(given_away(std::move(recall.similarity)), given_away(std::move(recall.separated)),
                        given_away(std::move(recall.output)));
}

py::array_t<bool> made_mask(const core::Mask& mask) {
  py::array_t<bool> array({mask.rows(), mask.cols()});
  std::copy_n(mask.data(), mask.size(), array.mutable_data());
  return array;
}

// --- single precision -------------------------------------------------------------------------------------

core::FloatOptions on(unsigned threads) { return {.threads = threads}; }

py::array_t<double> float_attend(const core::PackedKeys& keys, const core::PackedValues& values,
                                 py::handle queries, double scale, const MapArguments& map,
                                 unsigned threads) {
  const Lent<Matrix> q("queries", queries);
  const core::Regulariser omega = regulariser(map);
  return given_away(in_background([&] { return core::attend(keys, values, *q, scale, omega, on(threads)); }));
}

py::array_t<double> float_scores(const core::PackedKeys& keys, py::handle query, double scale,
                                 unsigned threads) {
  const Lent<Vector> q("query", query);
  return given_away(in_background([&] { return core::scores(keys, *q, scale, on(threads)); }));
}

py::tuple float_top(const core::PackedKeys& keys, py::handle query, Index k, unsigned threads) {
  const Lent<Vector> q("query", query);
  const auto found = in_background([&] { return core::top_k(keys, *q, k, on(threads)); });
  std::vector<Index> places;
  std::vector<double> values;
  for (const core::ScoredKey& one : found) {
    places.push_back(one.key);
    values.push_back(one.score);
  }
  return py::make_tuple(array_of_whole(places), array_of(values));
}

}  // namespace

void bind_attention(py::module_& module) {
  module.def("scores", scores);
  module.def("attend", attend);
  module.def("attend_by", attend_by);
  module.def("multihead", multihead);
  module.def("universal", universal);
  module.def("causal_mask", [](Index n) {
    core::require(n >= 0, "a mask must have at least 0 places", n);
    return made_mask(in_background([&] {
      require_room(pairs(n, n) / sizeof(double));
      return core::causal_mask(n);
    }));
  });
  module.def("window_mask", [](Index n, Index width) {
    core::require(n >= 0, "a mask must have at least 0 places", n);
    return made_mask(in_background([&] {
      require_room(pairs(n, n) / sizeof(double));
      return core::window_mask(n, std::min(width, n));
    }));
  });
  module.def("sinusoidal_positions", [](py::handle times, Index dimensions, double base) {
    const Lent<Vector> t("times", times);
    return given_away(in_background([&] {
      require_room(pairs(t->size(), std::max<Index>(dimensions, 0)));
      return core::sinusoidal_positions(*t, dimensions, base);
    }));
  });
  module.def("linear_age_bias", [](py::handle query_times, py::handle key_times, double slope) {
    const Lent<Vector> q("query_times", query_times), k("key_times", key_times);
    return given_away(in_background([&] {
      require_room(pairs(q->size(), k->size()));
      return core::linear_age_bias(*q, *k, slope);
    }));
  });
  py::class_<core::PackedKeys>(module, "PackedKeys")
      .def(py::init(&packed<core::PackedKeys>))
      .def("append", &append<core::PackedKeys>)
      .def("rows", &core::PackedKeys::rows)
      .def("columns", &core::PackedKeys::columns)
      .def("bytes", &core::PackedKeys::bytes);
  py::class_<core::PackedValues>(module, "PackedValues")
      .def(py::init(&packed<core::PackedValues>))
      .def("append", &append<core::PackedValues>)
      .def("rows", &core::PackedValues::rows);
  module.def("float_attend", float_attend);
  module.def("float_scores", float_scores);
  module.def("float_top", float_top);
  module.attr("score_names") = py::cast(core::names_in(core::score_table));
}

}  // namespace engram::python
