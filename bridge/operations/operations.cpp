// SPDX-License-Identifier: MIT
#include "bridge/operations/operations.hpp"

#include <limits>

#include "bridge/snapshots/snapshot.hpp"
#include "core/attention/attention.hpp"
#include "core/budgets/budget_allocator.hpp"
#include "core/events/operation_desires.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/maps/prior_map.hpp"
#include "core/methods/method.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/view.hpp"
#include "core/single_precision/float_store.hpp"
#include "narsese/link_judgement.hpp"

namespace engram::bridge {
namespace {

using Kind = Field::Kind;

constexpr double least_double = std::numeric_limits<double>::denorm_min(),
                 largest_double = std::numeric_limits<double>::max();
constexpr std::size_t default_top = 10, default_steps = 2000;
constexpr double greatest_alpha = 100, greatest_variance = 1e250;  // of `continuous`; chosen

Field number(const char* name, double least = -largest_number, double most = largest_number) {
  return {name, Kind::number, least, most};
}
Field positive(const char* name) { return number(name, least_double, largest_double); }
Field share(const char* name) { return number(name, 0, 1); }
Field whole(const char* name, double least = 1, double most = 1e9) {
  return {name, Kind::whole, least, most};
}
Field choice(const char* name, std::vector<std::string> names) {
  return {name, Kind::choice, 0, 0, std::move(names)};
}
template <class Table>
Field choice_in(const char* name, const Table& table) {
  return choice(name, core::names_in(table));
}
template <class Table>
Field choice_in(const char* name, const Table& table, core::ValueOf<Table> otherwise) {
  return choice_in(name, table).or_else(std::string(core::name_of(table, otherwise)));
}
Field text(const char* name) { return {name, Kind::text}; }
Field vector(const char* name) { return {name, Kind::vector}; }
Field matrix(const char* name) { return {name, Kind::matrix}; }
Field indices(const char* name) { return {name, Kind::indices}; }
Field other(const char* name) { return {name, Kind::other}; }

Field precision() {
  std::vector<std::string> names = core::names_in(core::precisions);
  names.insert(names.begin(), "double");
  return choice("precision", names).or_else("double");
}

Field map_alpha() {
  return number("alpha", 1, largest_double).or_else(core::Regulariser(core::SimplexMap::entmax).alpha);
}

std::vector<Operation> all_operations() {
  const core::AllocationOptions allocation;
  const core::ViewOptions view;
  const core::HopfieldOptions hopfield;
  const core::DenseOptions dense;
  const core::ContinuousMemoryOptions continuous;
  const core::ModernHopfieldOptions modern;
  const Field method = other("method").or_else(core::default_method), options = other("options"),
              cue = other("cue"), top = whole("top").or_else(default_top), edges = other("edges");
  return {
      // The memory of the session.
      {"hello", {}, run::hello},
      {"input",
       {text("narsese"), choice("dialect", run::dialect_names()).or_else("auto")},
       run::input,
       Use::change},
      {"recall", {cue, method, options, top}, run::recall, Use::index},
      {"explain", {cue, method, options, top}, run::explain, Use::index},
      {"allocate",
       {cue, method, options, whole("capacity"), choice("of", {"concepts", "statements", "operations"}),
        choice("prior", {"none", "previous"}).or_else("none"),
        choice_in("prior_form", core::prior_forms, allocation.update.form),
        number("alpha", 1, 1000).or_else(allocation.update.alpha),
        positive("temperature").or_else(allocation.update.temperature), share("durability"),
        share("fresh").or_else(allocation.fresh),
        choice_in("select", core::selections, allocation.cut.selection), share("threshold"),
        share("share").or_else(allocation.cut.share), other("policy"), whole("transfers"),
        positive("eligibility").or_else(core::OperationDesireOptions().eligibility)},
       run::allocate,
       Use::index,
       run::keep_budget},
      {"compare", {cue, other("methods"), top}, run::compare, Use::index},
      {"reason",
       {text("question"), method, options, whole("gate"), whole("steps").or_else(default_steps),
        whole("refresh").or_else(core::default_refresh), whole("events"), whole("answers"), whole("top")},
       run::reason,
       Use::index},
      {"links",
       {text("term"), whole("top"), choice("as", {"json", "narsese"}).or_else("json"),
        text("relation").or_else(std::string(narsese::link_relation))},
       run::links,
       Use::memory},
      {"stats", {}, run::stats, Use::memory},
      {"view",  // the limits are chosen: more than a page can show
       {whole("top", 1, 2000).or_else(view.concepts), whole("links", 0, 10'000).or_else(view.links),
        other("since")},
       run::view,
       Use::glance},
      {"reset", {}, run::reset, Use::change},
      {"snapshot",
       {text("path"), choice_in("form", snapshot_forms, SnapshotForm::json)},
       run::snapshot,
       Use::memory},
      {"restore", {text("path")}, run::restore, Use::change},
      {"quit", {}, run::quit},
      // Kernels on values in the request.
      {"map",
       {vector("scores"), choice_in("map", core::simplex_maps), map_alpha(), whole("k"),
        positive("temperature").or_else(core::default_temperature), other("prior"),
        choice_in("prior_form", core::prior_forms), vector("tangent")},
       run::map},
      {"sample", {vector("scores"), positive("temperature"), vector("uniforms")}, run::sample},
      {"scores",
       {matrix("queries"), matrix("keys"), choice_in("score", core::score_table), matrix("wb"), matrix("wq"),
        matrix("wk"), vector("b"), vector("v"), precision(), whole("top")},
       run::scores},
      {"attend",
       {matrix("queries"), matrix("keys"), matrix("values"), number("scale"),
        choice_in("map", core::simplex_maps, core::AttentionOptions().map->map), map_alpha(), other("allow"),
        other("bias"), precision()},
       run::attend},
      {"multihead",
       {matrix("query"), matrix("key"), matrix("value"), whole("num_heads"), matrix("in_proj_weight"),
        vector("in_proj_bias"), matrix("out_proj_weight"), vector("out_proj_bias"), other("allow")},
       run::multihead},
      {"universal",
       {matrix("keys"), matrix("values"), vector("query"),
        choice("similarity", {"dot", "cosine", "neg_sq_euclid", "neg_manhattan"}),
        choice_in("separation", core::separations), number("parameter")},
       run::universal},
      {"pagerank",
       {whole("n"), edges, other("directed"), number("damping", 0, 0.9999), vector("restart"),
        whole("steps").or_else(0)},
       run::pagerank},
      {"positional",
       {whole("n"), edges, whole("steps"), whole("dimensions"), vector("times")},
       run::positional},
      {"continuous",
       {number("alpha", 1, greatest_alpha), number("mu"),
        number("sigma_sq", least_positive, greatest_variance), vector("t"), other("gaussian_basis")},
       run::continuous},
      {"continuous_context",
       {matrix("values"), vector("scores"), vector("times"), number("alpha", 1, greatest_alpha),
        number("ridge", 0), other("gaussian_basis"),
        number("min_sigma_sq", least_positive, greatest_variance)},
       run::continuous_context},
      {"weights", {matrix("patterns"), choice_in("rule", core::weight_rules)}, run::weights},
      {"hebbian",
       {choice("rule", run::hebbian_rules()), matrix("activity"), number("eta"), share("decay"), other("w0"),
        number("theta0"), number("tau_theta", least_positive), vector("dt"), number("a_plus"),
        number("a_minus"), number("tau_plus", least_positive), number("tau_minus", least_positive)},
       run::hebbian},
      {"hopfield",
       {matrix("patterns"), choice_in("rule", core::weight_rules), matrix("w"), vector("cue"),
        choice("mode", {"async", "sync", "glauber"}), indices("order"), positive("temperature"),
        indices("sites"), vector("uniforms"), vector("field"),
        choice_in("zero_field", core::zero_field_rules, hopfield.at_zero),
        whole("max_sweeps").or_else(hopfield.max_sweeps)},
       run::hopfield},
      {"dense",
       {matrix("patterns"), vector("cue"), choice_in("separation", core::dense_separations),
        whole("n").or_else(dense.n), indices("order"), whole("max_sweeps").or_else(dense.max_sweeps),
        choice("units", {"spins", "continuous"}).or_else("spins"), positive("beta").or_else(continuous.beta),
        share("step").or_else(continuous.step), whole("steps").or_else(continuous.max_steps),
        number("tolerance", 0, largest_double).or_else(continuous.tolerance)},
       run::dense},
      {"modern",
       {matrix("patterns"), vector("cue"), positive("beta"),
        choice_in("map", core::simplex_maps, modern.map.map), map_alpha(), whole("k"), whole("steps"),
        number("tolerance", 0, largest_double).or_else(modern.tolerance), precision()},
       run::modern},
  };
}

}  // namespace

std::span<const Operation> operations() {
  static const std::vector<Operation> all = all_operations();
  return all;
}

}  // namespace engram::bridge
