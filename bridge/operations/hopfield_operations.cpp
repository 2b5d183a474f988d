// SPDX-License-Identifier: MIT
// Hopfield networks on the request's own patterns: hopfield, dense, modern.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bridge/json/json_text.hpp"
#include "bridge/json/recall_json.hpp"
#include "bridge/operations/map_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "bridge/operations/pattern_fields.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield_network.hpp"
#include "core/hopfield/modern_hopfield.hpp"

namespace engram::bridge {
namespace {

using core::HopfieldOptions;
using core::HopfieldRecall;
using core::Index;
using core::Matrix;
using core::Vector;

constexpr double largest = std::numeric_limits<double>::max();

Vector spin_cue(const Request& request, Index spins) {
  Vector cue = request.vector("cue", spins);
  for (Index i = 0; i < spins; ++i)
    if (cue[i] != 1 && cue[i] != -1) throw bad_value("/cue/" + std::to_string(i), "a spin must be 1 or -1");
  return cue;
}

std::vector<std::uint32_t> narrow(const std::vector<Index>& indices) {
  std::vector<std::uint32_t> narrowed;
  for (const Index i : indices) narrowed.push_back(static_cast<std::uint32_t>(i));
  return narrowed;
}

std::vector<std::uint32_t> order_of(const Request& request, Index spins) {
  if (!request.has("order")) return {};
  const auto order = narrow(request.indices("order", spins));
  if (std::vector<std::uint32_t> sorted = order; static_cast<Index>(order.size()) == spins) {
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return order;
  }
  throw bad_value("/order", "'order' must name each of the " + std::to_string(spins) + " spins once");
}

int sweeps_of(const Request& request, int otherwise) {
  return static_cast<int>(request.count("max_sweeps", static_cast<std::size_t>(otherwise)));
}

Json spins_json(const Vector& state) {
  Json list = Json::array();
  for (const double s : state) list.push_back(s > 0 ? 1 : -1);
  return list;
}

Json energies_json(const std::vector<double>& energies) {
  for (const double energy : energies)
    if (!std::isfinite(energy)) throw bad_value("", "an energy leaves the range of a double");
  return energies;
}

template <class AnyRecall>
Json recall_json(const AnyRecall& recall, const Matrix& patterns) {
  return {
      {"final", spins_json(recall.state)},
      {"energies", energies_json(recall.energies)},
      {"flips", recall.flips},
      {"overlaps", patterns.size() > 0 ? to_json(core::overlaps(patterns, recall.state)) : Json::array()}};
}

// A network as a request gives it: by patterns and a rule, or by weights, then with or without patterns to
// compare the state with.
struct Network {
  Matrix weights, patterns;
};

Network network_of(const Request& request) {
  Network network;
  if (!request.has("w")) {
    network.patterns = spins_of(request, "patterns");
    network.weights = weights_of(request, network.patterns);
    return network;
  }
  if (request.has("rule")) throw bad_value("/rule", "a network has either 'w' or a 'rule'");
  network.weights = request.matrix("w");
  const Index spins = network.weights.rows();
  if (network.weights.cols() != spins) throw shape_mismatch("/w", "'w' must be square");
  if (request.has("patterns")) {
    network.patterns = spins_of(request, "patterns");
    if (network.patterns.cols() != spins)
      throw shape_mismatch("/patterns", "a pattern must have " + std::to_string(spins) + " spins");
  }
  return network;
}

Json glauber(const Request& request, const Network& network, const Vector& cue, const Vector& field) {
  core::GlauberDraws draws;
  draws.temperature = request.positive("temperature");
  draws.sites = narrow(request.indices("sites", cue.size()));
  const JsonValue uniforms = request["uniforms"];
  if (!draws.sites.empty() || uniforms.list("a list of numbers").size() > 0)
    draws.uniforms = vector_in(uniforms, static_cast<Index>(draws.sites.size()));
  for (Index t = 0; t < draws.uniforms.size(); ++t)
    if (draws.uniforms[t] < 0 || draws.uniforms[t] >= 1)
      throw bad_value("/uniforms/" + std::to_string(t), "a uniform number must be in [0, 1)");
  const auto steps = static_cast<double>(draws.sites.size()), spins = static_cast<double>(cue.size());
  request.require_room(2 * steps + spins, (steps + 1) * (spins * spins + spins));
  Json result = recall_json(core::recall_glauber(network.weights, cue, draws, field), network.patterns);
  result["converged"] = false;  // it has no end but that of its draws
  return result;
}

Json hopfield(const Context&, const Request& request) {
  const std::string mode = request.choice("mode", {"async", "sync", "glauber"});
  const Network network = network_of(request);
  const Index spins = network.weights.rows();
  const Vector cue = spin_cue(request, spins);
  HopfieldOptions options;
  if (request.has("field")) options.field = request.vector("field", spins);
  if (mode == "glauber") return glauber(request, network, cue, options.field);

  if (request.has("zero_field")) options.at_zero = request.row("zero_field", core::zero_field_rules).rule;
  options.max_sweeps = sweeps_of(request, options.max_sweeps);
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(spins);
  request.require_room(2 * sweeps + n, (2 * sweeps + 1) * n * n);
  if (mode == "async") options.order = order_of(request, spins);
  const HopfieldRecall recall = mode == "async" ? core::recall_hopfield(network.weights, cue, options)
                                                : core::recall_synchronous(network.weights, cue, options);
  Json result = recall_json(recall, network.patterns);
  result["converged"] = recall.converged;
  if (recall.period > 0) result["period"] = recall.period;
  return result;
}

Json dense(const Context&, const Request& request) {
  const Matrix patterns = spins_of(request, "patterns");
  const Vector cue = spin_cue(request, patterns.cols());
  core::DenseOptions options;
  options.separation = request.row("separation", core::dense_separations).separation;
  if (request.has("n")) options.n = static_cast<unsigned>(request.count("n"));
  options.order = order_of(request, cue.size());
  options.max_sweeps = sweeps_of(request, options.max_sweeps);
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(cue.size());
  const auto count = static_cast<double>(patterns.rows());
  request.require_room(2 * sweeps + n, sweeps * n * (3 * count + 40 * std::min(n, count)) + sweeps * n * n);
  return recall_json(core::recall_dense(patterns, cue, options), patterns);
}

// How many steps of how much work each a reply has room for; a tolerance has no other bound.
int most_steps(const Context& context, const Matrix& patterns, const core::Regulariser& map) {
  constexpr double most = 10'000;  // chosen: a recall takes so many where it contracts by 0.997 a step
  const auto count = static_cast<double>(patterns.rows()), d = static_cast<double>(patterns.cols());
  const double work = 2 * count * d + (core::facts(map.map).has_alpha ? 12'000 : 100) * count;
  const double room = std::min((static_cast<double>(context.limits.max_numbers) - 2 * count - d) / (d + 1),
                               static_cast<double>(context.limits.max_multiplications) / work - 1);
  return static_cast<int>(std::clamp(room, 1.0, most));
}

Json modern(const Context& context, const Request& request) {
  const Matrix patterns = request.matrix("patterns");
  const Vector cue = request.vector("cue", patterns.cols());
  core::ModernHopfieldOptions options;
  options.beta = request.positive("beta");
  options.map = regulariser_of(request, patterns.rows(), core::SimplexMap::softmax);
  options.tolerance = request.number("tolerance", 0, largest, options.tolerance);
  options.every_step = request.has("steps") && !request.has("tolerance");
  options.max_steps = request.has("steps") ? static_cast<int>(request.count("steps"))
                                           : most_steps(context, patterns, options.map);
  if (request.has("steps") && options.max_steps > most_steps(context, patterns, options.map))
    throw limit_exceeded("/steps", "there is room for " +
                                       std::to_string(most_steps(context, patterns, options.map)) +
                                       " steps with such patterns");
  Json iterates = Json::array(), p_first;
  const core::ModernRecall recall =
      core::recall_modern(patterns, cue, options, {}, [&](const Vector& state, const Vector& weights) {
        if (iterates.empty()) p_first = to_json(weights);
        iterates.push_back(to_json(state));
      });
  return {{"p_first", std::move(p_first)},
          {"iterates", std::move(iterates)},
          {"state", to_json(recall.state)},
          {"p", to_json(recall.weights)},
          {"energies", energies_json(recall.energies)},
          {"iterations", recall.iterations},
          {"converged", recall.converged},
          {"certificate", to_json(recall.certificate)}};
}

}  // namespace

std::span<const Operation> hopfield_operations() {
  static const std::vector<Operation> all{
      {"hopfield",
       {"patterns", "rule", "w", "cue", "mode", "order", "temperature", "sites", "uniforms", "field",
        "zero_field", "max_sweeps"},
       hopfield},
      {"dense", {"patterns", "cue", "separation", "n", "order", "max_sweeps"}, dense},
      {"modern", {"patterns", "cue", "beta", "map", "alpha", "k", "steps", "tolerance"}, modern},
  };
  return all;
}

}  // namespace engram::bridge
