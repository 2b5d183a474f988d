// SPDX-License-Identifier: MIT
// Bindings of core/attention and core/single_precision.
#include "core/attention/attention.hpp"

#include <memory>
#include <optional>
#include <span>

#include "bridge/python/native/arrays.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::python {
namespace {

Matrix scores(const std::string& name, py::handle queries, py::handle keys, py::handle bilinear,
              py::handle query_map, py::handle key_map, py::handle bias, py::handle direction) {
  const core::Score score = named("score", core::score_table, name);
  const ArrayView<Matrix> q("queries", queries), k("keys", keys);
  const core::ScoreMaps maps{*OptionalArrayView<Matrix>("wb", bilinear),
                             *OptionalArrayView<Matrix>("wq", query_map),
                             *OptionalArrayView<Matrix>("wk", key_map), *OptionalArrayView<Vector>("b", bias),
                             *OptionalArrayView<Vector>("v", direction)};
  return in_background([&] {
    require_room(q->rows(), k->rows());
    return core::scores(score, *q, *k, maps);
  });
}

core::AttentionOptions options_of(double scale, const std::optional<MapArguments>& map, py::handle allow,
                                  py::handle bias) {
  core::AttentionOptions options;
  options.scale = scale;
  options.map = map ? std::optional(regulariser(*map)) : std::nullopt;
  options.allow = mask("allow", allow);
  options.bias = *OptionalArrayView<Matrix>("bias", bias);
  return options;
}

py::tuple tuple_of(core::Attention attention) {
  return py::make_tuple(std::move(attention.weights), std::move(attention.output));
}

py::tuple attend(py::handle queries, py::handle keys, py::handle values, double scale,
                 const std::optional<MapArguments>& map, py::handle allow, py::handle bias) {
  const ArrayView<Matrix> q("queries", queries), k("keys", keys), v("values", values);
  const core::AttentionOptions options = options_of(scale, map, allow, bias);
  return tuple_of(in_background([&] {
    require_room(q->rows(), k->rows() + v->cols());
    return core::attend(*q, *k, *v, options);
  }));
}

py::tuple attend_by(py::handle scores, py::handle values, double scale,
                    const std::optional<MapArguments>& map, py::handle allow, py::handle bias) {
  const ArrayView<Matrix> s("scores", scores), v("values", values);
  const core::AttentionOptions options = options_of(scale, map, allow, bias);
  return tuple_of(in_background([&] {
    require_room(s->rows(), s->cols() + v->cols());
    return core::attend_by(*s, *v, options);
  }));
}

py::tuple multihead(py::handle query, py::handle key, py::handle value, Index heads, py::handle in_weight,
                    py::handle in_bias, py::handle out_weight, py::handle out_bias, py::handle allow,
                    const MapArguments& map) {
  const ArrayView<Matrix> q("query", query), k("key", key), v("value", value);
  const core::MultiheadMaps maps =
      in_weight.is_none() && out_weight.is_none()
          ? core::MultiheadMaps::identity(q->cols())
          : core::MultiheadMaps::stacked(*ArrayView<Matrix>("in_proj_weight", in_weight),
                                         *OptionalArrayView<Vector>("in_proj_bias", in_bias),
                                         *ArrayView<Matrix>("out_proj_weight", out_weight),
                                         *OptionalArrayView<Vector>("out_proj_bias", out_bias));
  const core::Mask allowed = mask("allow", allow);
  const core::Regulariser omega = regulariser(map);
  auto all = in_background([&] {
    require_room(q->rows(), k->rows(), std::max<Index>(heads, 1));
    return core::attend_multihead(*q, *k, *v, heads, maps, allowed, omega);
  });
  return py::make_tuple(std::move(all.output), std::move(all.weights));
}

py::tuple universal(py::handle keys, py::handle values, py::handle query, const std::string& similarity,
                    const std::string& separation, std::optional<double> parameter) {
  const core::Score score = named("similarity", core::score_table, similarity);
  const core::Separation apart = named("separation", core::separations, separation);
  if (!parameter) parameter = core::row_of(core::separations, apart).parameter;
  core::require(parameter || apart != core::Separation::poly,
                "the separation poly needs a parameter, found none");
  const ArrayView<Matrix> k("keys", keys), v("values", values);
  const ArrayView<Vector> q("query", query);
  auto recall =
      in_background([&] { return core::recall_universal(*k, *v, *q, score, apart, parameter.value_or(0)); });
  return py::make_tuple(std::move(recall.similarity), std::move(recall.separated), std::move(recall.output));
}

// Builds a mask for n positions in the background.
template <class Build>
core::Mask mask_for(Index n, Build build) {
  core::require(n >= 0, "a mask must have at least 0 places", n);
  return in_background([&] {
    require_room(n, n, 1.0 / sizeof(double));
    return build(n);
  });
}

Matrix sinusoidal_positions(py::handle times, Index dimensions, double base) {
  const ArrayView<Vector> t("times", times);
  return in_background([&] {
    require_room(t->size(), std::max<Index>(dimensions, 0));
    return core::sinusoidal_positions(*t, dimensions, base);
  });
}

Matrix linear_age_bias(py::handle query_times, py::handle key_times, double slope) {
  const ArrayView<Vector> q("query_times", query_times), k("key_times", key_times);
  return in_background([&] {
    require_room(q->size(), k->size());
    return core::linear_age_bias(*q, *k, slope);
  });
}

// --- single precision -------------------------------------------------------------------------------------

// Appends the rows of a matrix of Number. Does not copy the matrix if it is C-contiguous.
template <class Number>
void append_rows(core::PackedRows& packed, const py::array& rows) {
  const auto numbers = py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(rows);
  if (!numbers) throw py::error_already_set();
  if (reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(Number) != 0)
    return append_rows<Number>(packed, py::array(numbers.attr("copy")()));
  const auto width = static_cast<std::size_t>(numbers.shape(1));
  packed.reserve(packed.rows() + numbers.shape(0));
  for (py::ssize_t i = 0; i < numbers.shape(0); ++i)
    packed.push_back(std::span(numbers.data() + static_cast<std::size_t>(i) * width, width));
}

// Appends the rows of a matrix of numbers. If one has another width or is rejected by core, the earlier rows stay.
void append(core::PackedRows& packed, py::handle rows) {
  const py::array array = py::array::ensure(rows);
  if (array && array.ndim() == 2 && py::isinstance<py::array_t<float>>(array))
    append_rows<float>(packed, array);
  else
    append_rows<double>(packed, doubles("rows", rows, 2));
}

template <class Packed>
std::unique_ptr<Packed> packed(py::handle rows, const std::string& precision) {
  const core::Precision stored = named("precision", core::precisions, precision);
  const py::array array = py::array::ensure(rows);
  if (!array || array.ndim() != 2) doubles("rows", rows, 2);  // reports the error
  auto all = std::make_unique<Packed>(array.shape(1), stored);
  append(*all, rows);
  return all;
}

core::FloatOptions on(unsigned threads) { return {.threads = threads}; }

Matrix float_attend(const core::PackedKeys& keys, const core::PackedValues& values, py::handle queries,
                    double scale, const MapArguments& map, unsigned threads) {
  const ArrayView<Matrix> q("queries", queries);
  const core::Regulariser omega = regulariser(map);
  return in_background([&] { return core::attend(keys, values, *q, scale, omega, on(threads)); });
}

Vector float_scores(const core::PackedKeys& keys, py::handle query, double scale, unsigned threads) {
  const ArrayView<Vector> q("query", query);
  return in_background([&] { return core::scores(keys, *q, scale, on(threads)); });
}

py::tuple float_top(const core::PackedKeys& keys, py::handle query, Index k, unsigned threads) {
  const ArrayView<Vector> q("query", query);
  const auto found = in_background([&] { return core::top_k(keys, *q, k, on(threads)); });
  std::vector<Index> places;
  std::vector<double> values;
  for (const core::ScoredKey& one : found) {
    places.push_back(one.key);
    values.push_back(one.score);
  }
  return py::make_tuple(array_of(places), array_of(values));
}

}  // namespace

void bind_attention(py::module_& module) {
  module.def("scores", scores);
  module.def("attend", attend);
  module.def("attend_by", attend_by);
  module.def("multihead", multihead);
  module.def("universal", universal);
  module.def("causal_mask", [](Index n) { return mask_for(n, core::causal_mask); });
  module.def("window_mask", [](Index n, Index width) {
    return mask_for(n, [&](Index places) { return core::window_mask(places, std::min(width, places)); });
  });
  module.def("sinusoidal_positions", sinusoidal_positions);
  module.def("linear_age_bias", linear_age_bias);
  py::class_<core::PackedKeys>(module, "PackedKeys")
      .def(py::init(&packed<core::PackedKeys>))
      .def("append", [](core::PackedKeys& keys, py::handle rows) { append(keys, rows); })
      .def("rows", &core::PackedKeys::rows)
      .def("columns", &core::PackedKeys::columns)
      .def("bytes", &core::PackedKeys::bytes);
  py::class_<core::PackedValues>(module, "PackedValues")
      .def(py::init(&packed<core::PackedValues>))
      .def("append", [](core::PackedValues& values, py::handle rows) { append(values, rows); })
      .def("rows", &core::PackedValues::rows);
  module.def("float_attend", float_attend);
  module.def("float_scores", float_scores);
  module.def("float_top", float_top);
  module.attr("score_names") = py::cast(core::names_in(core::score_table));
}

}  // namespace engram::python
