// SPDX-License-Identifier: MIT
#include "bridge/operations/kernel_fields.hpp"

#include <limits>

namespace engram::bridge {

using core::Index;
using core::Matrix;
using core::SimplexMap;

void check_spins(const core::Vector& vector, const std::string& pointer) {
  check_entries(
      vector, pointer, [](double s) { return s == 1 || s == -1; }, "a spin must be 1 or -1");
}

void check_uniforms(const core::Vector& uniforms) {
  check_entries(
      uniforms, "/uniforms", [](double u) { return u >= 0 && u < 1; }, "a uniform number must be in [0, 1)");
}

Matrix spins_of(const Request& request, const char* name) {
  Matrix spins = request.matrix(name);
  for (Index i = 0; i < spins.rows(); ++i)
    check_spins(spins.row(i).transpose(), pointer_to(name) + "/" + std::to_string(i));
  return spins;
}

core::Regulariser regulariser_of(const Request& request, Index scores) {
  core::Regulariser omega(request.value("map", core::simplex_maps));
  omega.alpha = request.number("alpha");
  if (omega.map == SimplexMap::normmax && omega.alpha == 1)
    throw bad_value("/alpha", "alpha of normmax must be above 1");
  if (request.has("k")) omega.k = static_cast<Index>(request.count("k"));
  if (omega.map == SimplexMap::budget && omega.k > scores)
    throw bad_value("/k", "k must be at most the number of scores, " + std::to_string(scores));
  return omega;
}

std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes) {
  list.list("a list of edges [i, j, w]");
  std::vector<core::Edge> edges;
  for (std::size_t e = 0; e < list.size(); ++e) {
    const JsonValue edge = list[e];
    const std::size_t size = edge.list("an edge [i, j, w]").size();
    if (size != 3) edge.refuse("an edge [i, j, w]", std::to_string(size) + " entries");
    edges.push_back({static_cast<std::uint32_t>(edge[0].count(0, nodes - 1)),
                     static_cast<std::uint32_t>(edge[1].count(0, nodes - 1)),
                     edge[2].number(0, std::numeric_limits<double>::max())});
  }
  return edges;
}

std::optional<core::Precision> precision_of(const Request& request) {
  return core::value_named(core::precisions, request.choice("precision"));
}

core::PackedKeys packed_keys(const Matrix& rows, core::Precision precision) {
  core::PackedKeys keys(rows.cols(), precision);
  keys.append(rows);
  return keys;
}

}  // namespace engram::bridge
