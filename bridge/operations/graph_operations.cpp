// SPDX-License-Identifier: MIT
// Operations for random walks on a graph in the request: pagerank, positional.
#include <algorithm>

#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/attention.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::bridge {
namespace {

using core::Index;

std::vector<core::Edge> edges_of(const Request& request, std::size_t nodes) {
  return edges_in(request["edges"], nodes);
}

}  // namespace

std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes) {
  list.list("a list of edges [i, j, w]");
  std::vector<core::Edge> edges;
  for (std::size_t e = 0; e < list.size(); ++e) {
    const JsonValue edge = list[e];
    if (edge.list("an edge [i, j, w]").size() != 3) edge.refuse("an edge [i, j, w]");
    edges.push_back({static_cast<std::uint32_t>(edge[0].count(0, nodes - 1)),
                     static_cast<std::uint32_t>(edge[1].count(0, nodes - 1)),
                     edge[2].number(0, std::numeric_limits<double>::max())});
  }
  return edges;
}

namespace {

Json pagerank(const Context&, const Request& request) {
  const std::size_t n = request.count("n");
  const core::Vector restart = request.vector("restart", static_cast<Index>(n));
  for (Index i = 0; i < restart.size(); ++i)
    if (restart[i] < 0)
      throw bad_value("/restart/" + std::to_string(i), "a share of the restart must not be negative");
  if (!(restart.array() > 0).any()) throw bad_value("/restart", "'restart' needs a number above 0");
  const bool directed = request["directed"].flag();
  const double damping = request.number("damping", 0, 0.9999);
  const std::vector<core::Edge> edges = edges_of(request, n);
  const std::size_t steps = request.count("steps", 0);

  constexpr double error = 1e-14;  // less than a tenth of 1e-13, the tolerance for comparisons by clients
  const int needed = core::page_rank_steps_needed(damping, error);
  const double step_cost = static_cast<double>(2 * edges.size() + 4 * n);
  request.require_room(static_cast<double>(n) * static_cast<double>(steps + 1),
                       step_cost * (static_cast<double>(steps) + needed));
  const core::SparseRows links = core::links_of_edges(static_cast<Index>(n), edges, directed);
  // After a step with change c, the remaining error is at most c d / (1-d).
  const auto fixed = core::personalized_page_rank(links, restart, damping, error * (1.0 - damping), needed);
  Json result = {{"rank", to_json(fixed.rank)}};
  if (steps > 0)
    result["iterates"] = to_json(core::page_rank_steps(links, restart, damping, static_cast<int>(steps)));
  return result;
}

Json positional(const Context&, const Request& request) {
  const std::size_t n = request.count("n");
  const std::vector<core::Edge> edges = edges_of(request, n);
  const auto steps = static_cast<double>(request.count("steps"));
  const auto nodes = static_cast<double>(n), links = 2 * static_cast<double>(edges.size());
  const double wide = request.has("dimensions") ? static_cast<double>(request.count("dimensions")) : 0;
  const core::Vector times = request.has("times") ? request.vector("times") : core::Vector();
  if (times.size() > 0) request.count("dimensions");
  // Cost: two tridiagonalisations, about five times as much with eigenvectors, and a walk from each node, with about
  // eight multiplications per step and link. Intermediate matrices have at most the size of the reply.
  request.require_room(
      std::max({nodes * steps, nodes * nodes, static_cast<double>(times.size()) * wide}),
      (wide > 0 ? 40.0 / 3 : 8.0 / 3) * nodes * nodes * nodes + 8 * nodes * steps * (links + nodes));
  const core::SparseRows weights = core::links_of_edges(static_cast<Index>(n), edges, false);
  Json result{{"random_walk", to_json(core::random_walk_positions(weights, static_cast<Index>(steps)))},
              {"laplacian_eigenvalues", to_json(core::eigenvalues(core::laplacian(weights).dense()))},
              {"normalised_laplacian_eigenvalues",
               to_json(core::eigenvalues(core::normalised_laplacian(weights).dense()))}};
  if (wide > 0) {
    const auto count = static_cast<Index>(std::min(wide, nodes));
    const core::Eigenpairs positions = core::laplacian_positions(weights, count);
    result["laplacian"] = {{"values", to_json(positions.values)}, {"vectors", to_json(positions.vectors)}};
  }
  if (times.size() > 0)
    result["sinusoidal"] = to_json(core::sinusoidal_positions(times, static_cast<Index>(wide)));
  return result;
}

}  // namespace

std::span<const Operation> graph_operations() {
  static const std::vector<Operation> all{
      {"pagerank", {"n", "edges", "directed", "damping", "restart", "steps"}, pagerank},
      {"positional", {"n", "edges", "steps", "dimensions", "times"}, positional},
  };
  return all;
}

}  // namespace engram::bridge
