// SPDX-License-Identifier: MIT
// The kernels: operations on numbers in the request.
#include <limits>

#include "bridge/operations/operations.hpp"
#include "core/attention/attention.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/maps/prior_map.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {
namespace {

using namespace fields;

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr double greatest_alpha = 100, greatest_variance = 1e250;  // of continuous attention; chosen

Field precision(const char* about) {
  std::vector<std::string> names = core::names_in(core::precisions);
  names.insert(names.begin(), "double");
  return choice("precision", about, names).or_else("double");
}
Field map_alpha() {
  return number("alpha", "parameter of entmax and, above 1, of normmax", 1, largest_double)
      .or_else(core::Regulariser(core::SimplexMap::entmax).alpha);
}
Field places() { return whole("k", "number of places that the map `budget` fills"); }
Field allow(const char* about) { return other("allow", about, "allow"); }
Field edges() { return other("edges", "links [source, target, weight]", "edges").required(); }
Field nodes() { return whole("n", "number of nodes").required(); }
Field tolerance(const char* about) { return number("tolerance", about, 0, largest_double); }
Field basis() {
  return other("gaussian_basis", "means and widths of Gaussian basis functions", "gaussian_basis");
}
Field density_alpha() {
  return number("alpha", "exponent; 1: Gaussian, 2: truncated parabola", 1, greatest_alpha).required();
}
Field patterns() { return matrix("patterns", "stored patterns of +1 and -1, one per row", "spins"); }
Field weight_rule() { return choice_in("rule", "rule that computes the weights", core::weight_rules); }
Field learning_rule(std::vector<std::string> names) {
  return choice("rule", "the learning rule", std::move(names)).required();
}
Field activity() { return matrix("activity", "activity of the units, one row per step").required(); }
Field rate() { return number("eta", "learning rate").required(); }
Field first_weights() { return vector("w0", "initial weights").required(); }
Field spin_cue() { return vector("cue", "initial state, of +1 and -1", "spin_row").required(); }
Field update_order() {
  return indices("order", "order of updates in a sweep, each spin once; ascending if absent");
}

}  // namespace

std::vector<Operation> kernel_operations() {
  const core::HopfieldOptions hopfield;
  const core::DenseOptions dense;
  const core::ContinuousMemoryOptions continuous;
  const core::ModernHopfieldOptions modern;
  std::vector<std::string> attention_maps = core::names_in(core::simplex_maps);
  attention_maps.emplace_back("none");
  const auto parameter = [](core::Separation separation) {
    return std::to_string(row_of(core::separations, separation).parameter.value()).substr(0, 3);
  };
  // clang-format off
  return {
      {"scores", "Returns the similarity of each query to each key.",
       {matrix("queries", "one query per row").required(), matrix("keys", "one key per row").required(),
        choice_in("score", "similarity", core::score_table).required(),
        matrix("wb", "matrix of the score bilinear"), matrix("wq", "map of queries, for additive"),
        matrix("wk", "map of keys, for additive"), vector("b", "bias, for additive"),
        vector("v", "weights of the hidden units, for additive"),
        precision("storage of the keys; other than double only with the score dot"),
        whole("top", "with float or bf16: number of best keys to return per query, instead of scores")},
       R"({"op":"scores","queries":[[1,0]],"keys":[[1,2],[3,4]],"score":"scaled_dot"})", run::scores},
      {"attend",
       "Attention: returns the weights of the keys for each query, and the weighted sums of the values.",
       {matrix("queries", "one query per row").required(), matrix("keys", "one key per row").required(),
        matrix("values", "one value per key").required(),
        number("scale", "factor of the scores; 1/sqrt(width) if absent"),
        choice("map", "map from scores to weights; none: the scores are the weights", attention_maps)
            .or_else(std::string(core::name_of(core::simplex_maps, core::AttentionOptions().map->map))),
        map_alpha(), allow("which keys each query may attend to"),
        other("bias", "added to the scores: a matrix, or an age penalty", "score_bias"),
        precision("storage of keys and values; float and bf16 exclude allow, bias and the map none")},
       R"({"op":"attend","queries":[[1,0]],"keys":[[1,0],[0,1]],"values":[[1],[2]],"map":"sparsemax","scale":0.5})",
       run::attend},
      {"multihead", "Multi-head attention, with projections stacked as in PyTorch.",
       {matrix("query", "one query per row").required(), matrix("key", "one key per row").required(),
        matrix("value", "one value per key").required(),
        whole("num_heads", "number of heads, which must divide the width").required(),
        matrix("in_proj_weight", "projections of queries, keys and values, stacked").required(),
        vector("in_proj_bias", "their biases; empty for none", "bias").required(),
        matrix("out_proj_weight", "projection of the output").required(),
        vector("out_proj_bias", "its bias; empty for none", "bias").required(),
        allow("which keys each query may attend to")},
       R"({"op":"multihead","query":[[1]],"key":[[1],[1]],"value":[[1],[3]],"num_heads":1,"in_proj_weight":[[1],[1],[1]],"in_proj_bias":[],"out_proj_weight":[[1]],"out_proj_bias":[]})",
       run::multihead},
      {"universal",
       "One recall by similarity, separation and projection, the scheme of most associative memories.",
       {matrix("keys", "one key per row").required(), matrix("values", "one value per key").required(),
        vector("query", "the query").required(),
        choice("similarity", "similarity of query and keys",
               {"dot", "cosine", "neg_sq_euclid", "neg_manhattan"}).required(),
        choice_in("separation", "function that sharpens the similarities", core::separations).required(),
        number("parameter", "parameter of the separation, required by poly; if absent, softmax has " +
                                parameter(core::Separation::softmax) + " and entmax " +
                                parameter(core::Separation::entmax))},
       R"({"op":"universal","keys":[[1,0],[0,1]],"values":[[1],[2]],"query":[1,0],"similarity":"dot","separation":"max"})",
       run::universal},
      {"pagerank", "Personalised PageRank of the nodes of a graph.",
       {nodes(), edges(), flag("directed", "false: each link leads both ways").required(),
        number("damping", "probability of following a link", 0, 0.9999).required(),
        vector("restart", "weights of the restart, one per node", "restart").required(),
        whole("steps", "number of iterates to return; none if absent")},
       R"({"op":"pagerank","n":2,"edges":[[0,1,1]],"directed":false,"damping":0.5,"restart":[1,0],"steps":1})",
       run::pagerank},
      {"positional",
       "Positions in a graph: return probabilities of random walks, and eigenvalues of its Laplacians.",
       {nodes(), edges(), whole("steps", "length of the walks").required(),
        whole("dimensions", "number of eigenvectors and, with `times`, of sinusoidal positions to return"),
        vector("times", "times of events, at most 1e9; requires `dimensions`")},
       R"({"op":"positional","n":2,"edges":[[0,1,1]],"steps":1})", run::positional},
      {"continuous", "Density of continuous attention over time.",
       {density_alpha(), number("mu", "location").required(),
        number("sigma_sq", "scale", least_positive, greatest_variance).required(),
        vector("t", "times at which to return the density"), basis()},
       R"({"op":"continuous","alpha":2,"mu":0,"sigma_sq":1,"t":[0]})", run::continuous},
      {"continuous_context",
       "Continuous attention over values in time: returns the density and the expected value.",
       {matrix("values", "one value per row").required(), vector("scores", "one score per value").required(),
        vector("times", "one time per value").required(), density_alpha(),
        number("ridge", "regularisation of the regression", 0).required(), basis().required(),
        number("min_sigma_sq", "least scale of the density", least_positive, greatest_variance).required()},
       R"({"op":"continuous_context","values":[[1],[3]],"scores":[0,0],"times":[0,1],"alpha":2,"ridge":0.1,"gaussian_basis":{"mu":[0.5],"sigma":[1]},"min_sigma_sq":0.01})",
       run::continuous_context},
      {"map", "Maps scores to weights that sum to 1.",
       {vector("scores", "the scores").required(), choice_in("map", "the map", core::simplex_maps).required(),
        map_alpha(), places(),
        positive("temperature", "divisor of the scores").or_else(core::default_temperature),
        other("prior", "prior weights, or ages or distances to compute them from", "map_prior"),
        choice_in("prior_form", "divergence from the prior; must suit the map", core::prior_forms),
        vector("tangent", "direction for a Jacobian-vector product")},
       R"({"op":"map","scores":[1,0],"map":"sparsemax"})", run::map},
      {"sample", "Samples from softmax weights, by the given uniform numbers.",
       {vector("scores", "the scores").required(),
        positive("temperature", "divisor of the scores").required(),
        vector("uniforms", "numbers in [0, 1), one per sample", "uniforms").required()},
       R"({"op":"sample","scores":[0,0],"temperature":1,"uniforms":[0.25,0.75]})", run::sample},
      {"weights", "Returns the weights that a rule computes from patterns, and the energies of the patterns.",
       {patterns().required(), weight_rule().required()},
       R"({"op":"weights","patterns":[[1,-1]],"rule":"hebb"})", run::weights},
      {"hebbian", "Hebbian learning with weight decay.",
       {learning_rule({"hebb_decay"}), activity(), rate(),
        share("decay", "share of the weights lost per step").required()},
       R"({"op":"hebbian","rule":"hebb_decay","activity":[[1,0],[1,1]],"eta":0.5,"decay":0.5})",
       run::hebb_decay},
      {"hebbian", "Weights from the covariance of units, or from the activity of successive steps.",
       {learning_rule({"covariance", "asymmetric_sequence"}), activity()},
       R"({"op":"hebbian","rule":"covariance","activity":[[1,0],[0,1]]})", run::correlation},
      {"hebbian", "Oja's rule for one unit, which finds the first principal component.",
       {learning_rule({"oja"}), activity(), first_weights(), rate()},
       R"({"op":"hebbian","rule":"oja","activity":[[1,0],[1,0]],"w0":[0.5,0.5],"eta":0.5})", run::oja},
      {"hebbian", "Sanger's rule for several units, which finds the first principal components.",
       {learning_rule({"sanger"}), activity(), matrix("w0", "initial weights, one row per unit").required(),
        rate()},
       R"({"op":"hebbian","rule":"sanger","activity":[[1,0]],"w0":[[0.5,0.5],[0.5,-0.5]],"eta":0.5})",
       run::sanger},
      {"hebbian", "BCM learning of one unit, with a sliding threshold.",
       {learning_rule({"bcm"}), activity(), first_weights(), rate(),
        number("theta0", "initial threshold").required(),
        number("tau_theta", "time constant of the threshold", least_positive).required()},
       R"({"op":"hebbian","rule":"bcm","activity":[[1,0]],"w0":[0.5,0.5],"eta":0.5,"theta0":0.5,"tau_theta":2})",
       run::bcm},
      {"hebbian", "Changes of weights by spike-timing-dependent plasticity.",
       {learning_rule({"stdp_pair"}), vector("dt", "times t_post - t_pre").required(),
        number("a_plus", "amplitude of potentiation").required(),
        number("a_minus", "amplitude of depression").required(),
        number("tau_plus", "time constant of potentiation", least_positive).required(),
        number("tau_minus", "time constant of depression", least_positive).required()},
       R"({"op":"hebbian","rule":"stdp_pair","dt":[2,-2],"a_plus":1,"a_minus":1,"tau_plus":2,"tau_minus":2})",
       run::stdp_pair},
      {"hopfield", "Recall by a Hopfield network of spins, given by `w` or by `patterns` and `rule`.",
       {spin_cue(),
        choice("mode", "update: one spin at a time, all together, or random by temperature",
               {"async", "sync", "glauber"}).required(),
        patterns(), weight_rule(), matrix("w", "symmetric weights"), update_order(),
        positive("temperature", "for glauber"), indices("sites", "for glauber: the spin of each update"),
        vector("uniforms", "for glauber: a number in [0, 1) for each update", "uniforms_or_none"),
        vector("field", "external field, one number per spin"),
        choice_in("zero_field", "new state of a spin without a field, except for glauber",
                  core::zero_field_rules, hopfield.at_zero),
        whole("max_sweeps", "most sweeps").or_else(hopfield.max_sweeps)},
       R"({"op":"hopfield","patterns":[[1,1,-1,-1]],"rule":"hebb","cue":[1,1,-1,1],"mode":"async"})",
       run::hopfield, Use::nothing, nullptr,
       R"({"oneOf":[{"required":["w"]},{"required":["patterns","rule"]}],"if":{"properties":{"mode":{"const":"glauber"}}},"then":{"required":["temperature","sites","uniforms"]}})"},
      {"dense", "Recall by a dense associative memory (Krotov and Hopfield).",
       {matrix("patterns", "stored patterns, one per row; of +1 and -1 for spins").required(),
        vector("cue", "initial state; of +1 and -1 for spins, otherwise in [-1, 1]").required(),
        choice_in("separation", "function F; rectified only for spins", core::dense_separations).required(),
        choice("units", "spins, or continuous units u' = -u + X' F'(X q), q = tanh(beta u), updated together",
               {"spins", "continuous"}).or_else("spins"),
        whole("n", "degree of F; at least 2 for continuous units, with F = x^n / n").or_else(dense.n),
        update_order(), whole("max_sweeps", "spins: most sweeps").or_else(dense.max_sweeps),
        positive("beta", "continuous: slope of tanh").or_else(continuous.beta),
        number("step", "continuous: time step; 1 moves to the new state at once", least_positive, 1)
            .or_else(continuous.step),
        whole("steps", "continuous: number of steps, or with `tolerance` most steps; at most " +
                           std::to_string(continuous.max_steps) + " if absent"),
        tolerance("continuous: ends when no unit changes more").or_else(continuous.tolerance)},
       R"({"op":"dense","patterns":[[1,1,-1,-1]],"cue":[1,1,-1,1],"separation":"exponential"})", run::dense,
       Use::nothing, nullptr,
       R"({"if":{"required":["units"],"properties":{"units":{"const":"continuous"}}},"then":{"properties":{"separation":{"enum":["polynomial","exponential"]}}},"else":{"properties":{"patterns":{"$ref":"#/$defs/spins"},"cue":{"$ref":"#/$defs/spin_row"}}}})"},
      {"modern", "Recall by a modern Hopfield network.",
       {matrix("patterns", "stored patterns, one per row").required(),
        vector("cue", "initial state").required(), positive("beta", "inverse temperature").required(),
        choice_in("map", "map from scores to weights", core::simplex_maps, modern.map.map), map_alpha(),
        places(), whole("steps", "number of steps, or with `tolerance` most steps"),
        tolerance("ends when no component changes more").or_else(modern.tolerance),
        precision("storage of the patterns. float and bf16 return no `p_first`, `iterates` and `p`")},
       R"({"op":"modern","patterns":[[1,0],[0,1]],"cue":[1,0],"beta":4,"map":"sparsemax","steps":1})",
       run::modern},
  };
  // clang-format on
}

}  // namespace engram::bridge
