// SPDX-License-Identifier: MIT
// Operations on a graph or a network in the request: random walks, learning rules, and Hopfield networks.
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "bridge/operations/kernel_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/attention/attention.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::bridge {
namespace {

using core::HopfieldOptions;
using core::Index;
using core::Matrix;
using core::Vector;

// --- learning rules ---

// Weights learnt from patterns, one per row, by the rule in the field `rule`.
Matrix weights_of(const Request& request, const Matrix& patterns) {
  const auto rule = request.value("rule", core::weight_rules);
  const auto count = static_cast<double>(patterns.rows()), n = static_cast<double>(patterns.cols());
  const bool projector =
      rule == core::WeightRule::pseudo_inverse || rule == core::WeightRule::pseudo_inverse_zero_diag;
  request.require_room(n * n, projector ? (4 * count + n) * n * std::min(count, n) : 4 * count * n * n);
  return core::pattern_weights(rule, patterns);
}

// The field `activity` for rules with a weight for each pair of units.
Matrix activity_for_pairs(const Request& request) {
  Matrix activity = request.matrix("activity");
  const Index steps = activity.rows(), n = activity.cols();
  request.require_room(product(n, n), product(3, steps, n, n));
  return activity;
}

// --- networks ---

Vector spin_cue(const Request& request, Index spins) {
  Vector cue = request.vector("cue", spins);
  check_spins(cue, "/cue");
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
Json spin_recall_json(const AnyRecall& recall, const Matrix& patterns) {
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
    return product(spins(), bits ? patterns.rows() : spins());
  }
};

Network network_of(const Request& request) {
  if (!request.has("w")) {
    Matrix patterns = spins_of(request, "patterns");
    if (request.value("rule", core::weight_rules) == core::WeightRule::hebb &&
        product(patterns.cols(), patterns.cols()) > static_cast<double>(request.limits().max_numbers)) {
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
  draws.temperature = request.number("temperature");
  draws.sites = narrow(request.indices("sites", cue.size()));
  const JsonValue uniforms = request["uniforms"];
  if (!draws.sites.empty() || uniforms.list("a list of numbers").size() > 0)
    draws.uniforms = vector_in(uniforms, static_cast<Index>(draws.sites.size()));
  check_uniforms(draws.uniforms);
  const auto steps = static_cast<double>(draws.sites.size()), spins = static_cast<double>(cue.size());
  request.require_room(2 * steps + spins, (steps + 1) * (network.cost() + spins));
  const core::GlauberRecall recall = std::visit(
      [&](const auto& made_of) { return core::recall_glauber(made_of, cue, draws, field); }, network.made_of);
  Json result = spin_recall_json(recall, network.patterns);
  result["converged"] = false;  // sampling ends only after the given draws
  return result;
}

// A network with continuous units in [-1, 1], which are updated together.
Json dense_continuous(const Request& request) {
  const Matrix patterns = request.matrix("patterns");
  const Vector cue = request.vector("cue", patterns.cols());
  check_entries(
      cue, "/cue", [](double unit) { return std::abs(unit) <= 1; }, "a unit must be in [-1, 1]");
  core::ContinuousMemoryOptions options;
  if (request["separation"].choice("", std::vector<std::string>{"polynomial", "exponential"}) ==
      "exponential") {
    options.inner_beta = 1;
  } else {
    const std::size_t n = request.count("n");
    if (n < 2) throw bad_value("/n", "'n' must be at least 2 for continuous units");
    options.power = static_cast<unsigned>(n) - 1;  // the update is the derivative of x^n / n
  }
  options.beta = request.number("beta");
  options.step = request.number("step");
  options.tolerance = request.number("tolerance");
  options.every_step = request.has("steps") && !request.has("tolerance");
  options.max_steps = static_cast<int>(request.count("steps", static_cast<std::size_t>(options.max_steps)));
  request.require_room(product(options.max_steps, cue.size() + 1),
                       product(2, options.max_steps, patterns.size()));
  const core::ContinuousMemoryRecall recall = core::recall_continuous(patterns, cue, options);
  Json iterates = Json::array();
  for (const Vector& state : recall.iterates) iterates.push_back(to_json(state));
  return {{"state", to_json(recall.state)},
          {"iterates", std::move(iterates)},
          {"energies", energies_json(recall.energies)},
          {"iterations", recall.iterates.size()},
          {"converged", recall.converged}};
}

// Most steps that fit into the limits on the reply and the work. A tolerance alone does not bound the number of steps.
int most_steps(const ProtocolLimits& limits, const Matrix& patterns, const core::Regulariser& map) {
  constexpr double most = 10'000;  // chosen: enough for a contraction by 0.997 per step
  const auto count = static_cast<double>(patterns.rows()), d = static_cast<double>(patterns.cols());
  const double work = 2 * count * d + (core::facts(map.map).has_alpha ? 12'000 : 100) * count;
  const double room = std::min((static_cast<double>(limits.max_numbers) - 2 * count - d) / (d + 1),
                               static_cast<double>(limits.max_multiplications) / work - 1);
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

}  // namespace

namespace run {

Json pagerank(const Context&, const Request& request) {
  const std::size_t n = request.count("n");
  const Vector restart = request.vector("restart", static_cast<Index>(n));
  check_entries(
      restart, "/restart", [](double share) { return share >= 0; },
      "a share of the restart must not be negative");
  if (!(restart.array() > 0).any()) throw bad_value("/restart", "'restart' needs a number above 0");
  const bool directed = request["directed"].flag();
  const double damping = request.number("damping");
  const std::vector<core::Edge> edges = edges_in(request["edges"], n);
  const std::size_t steps = request.count("steps", 0);

  constexpr double error = 1e-14;  // less than a tenth of 1e-13, the tolerance
                                   // for comparisons by clients
  const int needed = core::page_rank_steps_needed(damping, error);
  const double step_cost = static_cast<double>(2 * edges.size() + 4 * n);
  request.require_room(product(n, steps + 1), step_cost * (static_cast<double>(steps) + needed));
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
  const std::vector<core::Edge> edges = edges_in(request["edges"], n);
  const std::size_t steps = request.count("steps");
  const std::size_t wide = request.count("dimensions", 0);
  const Vector times = request.has("times") ? request.vector("times") : Vector();
  if (times.size() > 0) request.count("dimensions");
  // Cost: two tridiagonalisations, about five times as much with eigenvectors, and a walk from each node, with about
  // eight multiplications per step and link. Intermediate matrices have at most the size of the reply.
  request.require_room(
      std::max({product(n, steps), product(n, n), product(times.size(), wide)}),
      (wide > 0 ? 40.0 / 3 : 8.0 / 3) * product(n, n, n) + 8 * product(n, steps, 2 * edges.size() + n));
  const core::SparseRows weights = core::links_of_edges(static_cast<Index>(n), edges, false);
  Json result{{"random_walk", to_json(core::random_walk_positions(weights, static_cast<Index>(steps)))},
              {"laplacian_eigenvalues", to_json(core::eigenvalues(core::laplacian(weights).dense()))},
              {"normalised_laplacian_eigenvalues",
               to_json(core::eigenvalues(core::normalised_laplacian(weights).dense()))}};
  if (wide > 0) {
    const core::Eigenpairs positions =
        core::laplacian_positions(weights, static_cast<Index>(std::min(wide, n)));
    result["laplacian"] = {{"values", to_json(positions.values)}, {"vectors", to_json(positions.vectors)}};
  }
  if (times.size() > 0)
    result["sinusoidal"] = to_json(core::sinusoidal_positions(times, static_cast<Index>(wide)));
  return result;
}

Json weights(const Context&, const Request& request) {
  const Matrix patterns = spins_of(request, "patterns");
  const Matrix w = weights_of(request, patterns);
  Vector energies(patterns.rows());
  for (Index k = 0; k < patterns.rows(); ++k)
    energies[k] = core::hopfield_energy(w, patterns.row(k).transpose());
  return {{"w", to_json(w)}, {"energies", to_json(energies)}};
}

Json hebb_decay(const Context&, const Request& request) {
  const Matrix activity = activity_for_pairs(request);
  return {{"w", to_json(core::hebb_decay_weights(activity, request.number("eta"), request.number("decay")))}};
}

Json correlation(const Context&, const Request& request) {
  const Matrix activity = activity_for_pairs(request);
  const bool between_steps = request.choice("rule") == "asymmetric_sequence";
  return {
      {"w", to_json(between_steps ? core::sequence_weights(activity) : core::covariance_weights(activity))}};
}

Json oja(const Context&, const Request& request) {
  const Matrix activity = request.matrix("activity");
  const Vector w0 = request.vector("w0", activity.cols());
  const Matrix w =
      core::learn_units(core::ComponentRule::oja, w0.transpose(), activity, request.number("eta"));
  return {{"w", to_json(Vector(w.row(0).transpose()))}};
}

Json sanger(const Context&, const Request& request) {
  const Matrix activity = request.matrix("activity");
  const Matrix w0 = request.matrix("w0", -1, activity.cols());
  request.require_room(0, product(4, activity.rows(), w0.size()));
  return {
      {"w", to_json(core::learn_units(core::ComponentRule::sanger, w0, activity, request.number("eta")))}};
}

Json bcm(const Context&, const Request& request) {
  const Matrix activity = request.matrix("activity");
  core::BcmUnit unit{request.vector("w0", activity.cols()), request.number("theta0")};
  const double eta = request.number("eta"), tau = request.number("tau_theta");
  for (Index t = 0; t < activity.rows(); ++t) core::bcm_step(unit, activity.row(t).transpose(), eta, tau);
  return {{"w", to_json(unit.w)}, {"theta", to_json(Vector(Vector::Constant(1, unit.theta)))[0]}};
}

Json stdp_pair(const Context&, const Request& request) {
  Vector dw = request.vector("dt");
  const core::StdpWindow window{request.number("a_plus"), request.number("a_minus"),
                                request.number("tau_plus"), request.number("tau_minus")};
  for (double& dt : dw) dt = core::stdp_change(dt, window);
  return {{"dw", to_json(dw)}};
}

Json hopfield(const Context&, const Request& request) {
  const std::string mode = request.choice("mode");
  const Network network = network_of(request);
  const Index spins = network.spins();
  const Vector cue = spin_cue(request, spins);
  HopfieldOptions options;
  if (request.has("field")) options.field = request.vector("field", spins);
  if (mode == "glauber") return glauber(request, network, cue, options.field);

  options.at_zero = request.value("zero_field", core::zero_field_rules);
  options.max_sweeps = static_cast<int>(request.count("max_sweeps"));
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(spins);
  request.require_room(2 * sweeps + n, (2 * sweeps + 1) * network.cost());
  if (mode == "async") options.order = order_of(request, spins);
  const core::HopfieldRecall recall = std::visit(
      [&](const auto& made_of) {
        return mode == "async" ? core::recall_hopfield(made_of, cue, options)
                               : core::recall_synchronous(made_of, cue, options);
      },
      network.made_of);
  Json result = spin_recall_json(recall, network.patterns);
  result["converged"] = recall.converged;
  if (recall.period > 0) result["period"] = recall.period;
  return result;
}

Json dense(const Context&, const Request& request) {
  if (request.choice("units") == "continuous") return dense_continuous(request);
  const Matrix patterns = spins_of(request, "patterns");
  const Vector cue = spin_cue(request, patterns.cols());
  core::DenseOptions options;
  options.separation = request.value("separation", core::dense_separations);
  options.n = static_cast<unsigned>(request.count("n"));
  options.order = order_of(request, cue.size());
  options.max_sweeps = static_cast<int>(request.count("max_sweeps"));
  const auto sweeps = static_cast<double>(options.max_sweeps), n = static_cast<double>(cue.size());
  const auto count = static_cast<double>(patterns.rows());
  request.require_room(2 * sweeps + n, sweeps * n * (3 * count + 40 * std::min(n, count)) + sweeps * n * n);
  return spin_recall_json(core::recall_dense(patterns, cue, options), patterns);
}

Json modern(const Context&, const Request& request) {
  const Matrix patterns = request.matrix("patterns");
  const Vector cue = request.vector("cue", patterns.cols());
  core::ModernHopfieldOptions options;
  options.beta = request.number("beta");
  options.map = regulariser_of(request, patterns.rows());
  options.tolerance = request.number("tolerance");
  options.every_step = request.has("steps") && !request.has("tolerance");
  const int most = most_steps(request.limits(), patterns, options.map);
  options.max_steps = static_cast<int>(request.count("steps", static_cast<std::size_t>(most)));
  if (options.max_steps > most)
    throw limit_exceeded("/steps", "there is room for " + std::to_string(most) + " steps with such patterns");
  if (const auto precision = precision_of(request))
    return modern_json(core::recall_modern(packed_keys(patterns, *precision), cue, options));
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

}  // namespace run
}  // namespace engram::bridge
