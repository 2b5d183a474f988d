// SPDX-License-Identifier: MIT
// Operations for Hopfield networks on patterns in the request: hopfield, dense, modern.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "bridge/json/json_text.hpp"
#include "bridge/json/recall_json.hpp"
#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::bridge {
namespace {

using core::HopfieldOptions;
using core::HopfieldRecall;
using core::Index;
using core::Matrix;
using core::Vector;

constexpr double largest_double = std::numeric_limits<double>::max();

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

// A network in a request: either patterns and a rule, or weights with optional patterns for comparison with the state.
// If the weights of Hebb's rule would exceed the limit, the network uses the bits of the patterns instead. States and
// flips are the same.
struct Network {
  Matrix patterns;
  std::variant<Matrix, core::BitPatterns> made_of;

  Index spins() const { return patterns.size() > 0 ? patterns.cols() : std::get<Matrix>(made_of).rows(); }
  /// Multiplications of a sweep plus one energy.
  double cost() const {
    const bool bits = std::holds_alternative<core::BitPatterns>(made_of);
    return static_cast<double>(spins()) * static_cast<double>(bits ? patterns.rows() : spins());
  }
};

Network network_of(const Request& request, const ProtocolLimits& limits) {
  if (!request.has("w")) {
    Matrix patterns = spins_of(request, "patterns");
    const auto spins = static_cast<double>(patterns.cols());
    if (request.value("rule", core::weight_rules) == core::WeightRule::hebb &&
        spins * spins > static_cast<double>(limits.max_numbers)) {
      core::BitPatterns bits(patterns);
      return {std::move(patterns), std::move(bits)};
    }
    Matrix weights = weights_of(request, patterns);
    return {std::move(patterns), std::move(weights)};
  }
  if (request.has("rule")) throw bad_value("/rule", "a network has either 'w' or a 'rule'");
  Matrix weights = request.matrix("w");
  const Index spins = weights.rows();
  if (weights.cols() != spins) throw shape_mismatch("/w", "'w' must be square");
  Network network{{}, std::move(weights)};
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
  request.require_room(2 * steps + spins, (steps + 1) * (network.cost() + spins));
  const core::GlauberRecall recall = std::visit(
      [&](const auto& made_of) { return core::recall_glauber(made_of, cue, draws, field); }, network.made_of);
  Json result = recall_json(recall, network.patterns);
  result["converged"] = false;  // sampling ends only after the given draws
  return result;
}

Json hopfield(const Context& context, const Request& request) {
  const std::string mode = request.choice("mode", {"async", "sync", "glauber"});
  const Network network = network_of(request, context.limits);
  const Index spins = network.spins();
  const Vector cue = spin_cue(request, spins);
  HopfieldOptions options;
  if (request.has("field")) options.field = request.vector("field", spins);
  if (mode == "glauber") return glauber(request, network, cue, options.field);

  options.at_zero = request.value("zero_field", core::zero_field_rules, options.at_zero);
  options.max_sweeps = sweeps_of(request, options.max_sweeps);
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(spins);
  request.require_room(2 * sweeps + n, (2 * sweeps + 1) * network.cost());
  if (mode == "async") options.order = order_of(request, spins);
  const HopfieldRecall recall = std::visit(
      [&](const auto& made_of) {
        return mode == "async" ? core::recall_hopfield(made_of, cue, options)
                               : core::recall_synchronous(made_of, cue, options);
      },
      network.made_of);
  Json result = recall_json(recall, network.patterns);
  result["converged"] = recall.converged;
  if (recall.period > 0) result["period"] = recall.period;
  return result;
}

// A network with continuous units in [-1, 1], which are updated together.
Json dense_continuous(const Request& request) {
  const Matrix patterns = request.matrix("patterns");
  const Vector cue = request.vector("cue", patterns.cols());
  for (Index i = 0; i < cue.size(); ++i)
    if (std::abs(cue[i]) > 1) throw bad_value("/cue/" + std::to_string(i), "a unit must be in [-1, 1]");
  core::ContinuousMemoryOptions options;
  if (request.choice("separation", {"polynomial", "exponential"}) == "exponential") {
    options.inner_beta = 1;
  } else {
    const std::size_t n = request.has("n") ? request.count("n") : core::DenseOptions().n;
    if (n < 2) throw bad_value("/n", "'n' must be at least 2 for continuous units");
    options.power = static_cast<unsigned>(n) - 1;  // the update is the derivative of x^n / n
  }
  options.beta = request.positive("beta", options.beta);
  options.step = request.number("step", 0, 1, options.step);
  options.tolerance = request.number("tolerance", 0, largest_double, options.tolerance);
  options.every_step = request.has("steps") && !request.has("tolerance");
  if (request.has("steps")) options.max_steps = static_cast<int>(request.count("steps"));
  const auto steps = static_cast<double>(options.max_steps);
  request.require_room(steps * static_cast<double>(cue.size() + 1),
                       steps * 2 * static_cast<double>(patterns.size()));
  const core::ContinuousMemoryRecall recall = core::recall_continuous(patterns, cue, options);
  Json iterates = Json::array();
  for (const Vector& state : recall.iterates) iterates.push_back(to_json(state));
  return {{"state", to_json(recall.state)},
          {"iterates", std::move(iterates)},
          {"energies", energies_json(recall.energies)},
          {"iterations", recall.iterates.size()},
          {"converged", recall.converged}};
}

Json dense(const Context&, const Request& request) {
  if (request.choice("units", {"spins", "continuous"}, "spins") == "continuous")
    return dense_continuous(request);
  const Matrix patterns = spins_of(request, "patterns");
  const Vector cue = spin_cue(request, patterns.cols());
  core::DenseOptions options;
  options.separation = request.value("separation", core::dense_separations);
  if (request.has("n")) options.n = static_cast<unsigned>(request.count("n"));
  options.order = order_of(request, cue.size());
  options.max_sweeps = sweeps_of(request, options.max_sweeps);
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(cue.size());
  const auto count = static_cast<double>(patterns.rows());
  request.require_room(2 * sweeps + n, sweeps * n * (3 * count + 40 * std::min(n, count)) + sweeps * n * n);
  return recall_json(core::recall_dense(patterns, cue, options), patterns);
}

// Most steps that fit into the limits on the reply and the work. A tolerance alone does not bound the number of steps.
int most_steps(const Context& context, const Matrix& patterns, const core::Regulariser& map) {
  constexpr double most = 10'000;  // chosen: enough for a contraction by 0.997 per step
  const auto count = static_cast<double>(patterns.rows()), d = static_cast<double>(patterns.cols());
  const double work = 2 * count * d + (core::facts(map.map).has_alpha ? 12'000 : 100) * count;
  const double room = std::min((static_cast<double>(context.limits.max_numbers) - 2 * count - d) / (d + 1),
                               static_cast<double>(context.limits.max_multiplications) / work - 1);
  return static_cast<int>(std::clamp(room, 1.0, most));
}

// The part of a reply that is the same for every precision.
template <class AnyRecall>
Json modern_json(const AnyRecall& recall) {
  return {{"state", to_json(recall.state)},
          {"energies", energies_json(recall.energies)},
          {"iterations", recall.iterations},
          {"converged", recall.converged},
          {"certificate", to_json(recall.certificate)}};
}

Json modern(const Context& context, const Request& request) {
  const Matrix patterns = request.matrix("patterns");
  const Vector cue = request.vector("cue", patterns.cols());
  core::ModernHopfieldOptions options;
  options.beta = request.positive("beta");
  options.map = regulariser_of(request, patterns.rows(), core::SimplexMap::softmax);
  options.tolerance = request.number("tolerance", 0, largest_double, options.tolerance);
  options.every_step = request.has("steps") && !request.has("tolerance");
  options.max_steps = request.has("steps") ? static_cast<int>(request.count("steps"))
                                           : most_steps(context, patterns, options.map);
  if (request.has("steps") && options.max_steps > most_steps(context, patterns, options.map))
    throw limit_exceeded("/steps", "there is room for " +
                                       std::to_string(most_steps(context, patterns, options.map)) +
                                       " steps with such patterns");
  if (const auto precision = precision_of(request)) {
    const auto recall = core::recall_modern(packed_keys(patterns, *precision), cue, options);
    return modern_json(recall);
  }
  Json iterates = Json::array(), p_first;
  const core::ModernRecall recall =
      core::recall_modern(patterns, cue, options, {}, [&](const Vector& state, const Vector& weights) {
        if (iterates.empty()) p_first = to_json(weights);
        iterates.push_back(to_json(state));
      });
  Json result = modern_json(recall);
  result["p_first"] = std::move(p_first);
  result["iterates"] = std::move(iterates);
  result["p"] = to_json(recall.weights);
  return result;
}

}  // namespace

std::span<const Operation> hopfield_operations() {
  static const std::vector<Operation> all{
      {"hopfield",
       {"patterns", "rule", "w", "cue", "mode", "order", "temperature", "sites", "uniforms", "field",
        "zero_field", "max_sweeps"},
       hopfield},
      {"dense",
       {"patterns", "cue", "separation", "n", "order", "max_sweeps", "units", "beta", "step", "steps",
        "tolerance"},
       dense},
      {"modern", {"patterns", "cue", "beta", "map", "alpha", "k", "steps", "tolerance", "precision"}, modern},
  };
  return all;
}

}  // namespace engram::bridge
