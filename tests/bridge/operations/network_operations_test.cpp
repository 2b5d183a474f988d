// SPDX-License-Identifier: MIT
// Tests of the operations on a graph or a network in the request. They return exactly the library's numbers, and each
// wrong field has a distinct error.
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "tests/bridge/protocol/ask.hpp"

using namespace engram;
using bridge::ask, bridge::asked_with, bridge::check_errors, bridge::error_in, bridge::list, bridge::matrix,
    bridge::result_of, bridge::rows, bridge::vector;
using Json = nlohmann::json;

namespace {

const char* const triangle =
    R"({"op":"positional","n":4,"edges":[[0,1,0.5],[1,2,1],[2,0,0.1],[2,2,3],[1,0,0.25]],"steps":3})";

const std::string bipolar = "[[1,-1,1,1,-1],[1,1,1,-1,-1.0],[-1,1,-1,-1,1]]",
                  activity = "[[0.3,-1.25,2],[0.1,0.7,-0.4],[5,-0.6,1e-3]]";

core::Matrix parsed(const std::string& text) {
  return matrix(Json::parse(text).get<std::vector<std::vector<double>>>());
}

// A valid request for each learning rule that learns from `activity`.
const std::vector<Json>& rule_requests() {
  static const std::vector<Json> all = [] {
    std::vector<Json> requests;
    for (const std::string rest :
         {R"("rule":"hebb_decay","eta":0.2,"decay":0.1)", R"("rule":"covariance")",
          R"("rule":"asymmetric_sequence")", R"("rule":"oja","w0":[0.1,0.2,-0.3],"eta":0.05)",
          R"("rule":"sanger","w0":[[0.1,0.2,-0.3],[1,0,0.5]],"eta":0.05)",
          R"("rule":"bcm","w0":[0.1,0.2,-0.3],"eta":0.05,"theta0":0.4,"tau_theta":7)"})
      requests.push_back(Json::parse(R"({"op":"hebbian","activity":)" + activity + "," + rest + "}"));
    requests.push_back(Json::parse(
        R"({"op":"hebbian","rule":"stdp_pair","dt":[1,-2,0],"a_plus":2,"a_minus":3,"tau_plus":10,"tau_minus":20})"));
    return requests;
  }();
  return all;
}

const std::vector<std::vector<double>> patterns{
    {1, -1, 1, 1, -1, 1}, {1, 1, -1, -1, -1, 1}, {-1, 1, -1, 1, 1, -1}, {1, 1, 1, -1, 1, 1}};
const std::vector<double> cue{1, 1, 1, 1, -1, -1}, field{0.25, 0, -0.5, 0, 0, 0.125};
const std::vector<std::uint32_t> order{5, 0, 3, 1, 4, 2};

Json network(const std::string& mode) {
  return {{"op", "hopfield"}, {"patterns", patterns}, {"rule", "storkey"}, {"cue", cue}, {"mode", mode}};
}

template <class AnyRecall>
Json expected(const AnyRecall& recall) {
  return {{"final", list(recall.state)},
          {"energies", recall.energies},
          {"flips", recall.flips},
          {"overlaps", list(core::overlaps(matrix(patterns), recall.state))}};
}

}  // namespace

// --- operation `positional` --------------------------------------------------------------------------------

TEST_CASE("positional returns exactly the library's numbers", "[bridge][kernels]") {
  const std::vector<core::Edge> edges{{0, 1, 0.5}, {1, 2, 1}, {2, 0, 0.1}, {2, 2, 3}, {1, 0, 0.25}};
  const core::SparseRows links = core::links_of_edges(4, edges, false);
  const core::Matrix walk = core::random_walk_positions(links, 3);
  const Json result = result_of(triangle);
  CHECK(result.size() == 3);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(result.at("random_walk").at(i) == list(walk.row(static_cast<core::Index>(i))));
  CHECK(result.at("laplacian_eigenvalues") == list(core::eigenvalues(core::laplacian(links).dense())));
  CHECK(result.at("normalised_laplacian_eigenvalues") ==
        list(core::eigenvalues(core::normalised_laplacian(links).dense())));
}

TEST_CASE("positional returns graph and time coordinates if `dimensions` is given", "[bridge][kernels]") {
  Json request = Json::parse(triangle);
  request["dimensions"] = 2;
  const core::SparseRows links = core::links_of_edges(
      4, std::vector<core::Edge>{{0, 1, 0.5}, {1, 2, 1}, {2, 0, 0.1}, {2, 2, 3}, {1, 0, 0.25}}, false);
  const core::Eigenpairs expected = core::laplacian_positions(links, 2);
  const Json plain = result_of(request);
  CHECK(plain.size() == 4);
  CHECK(plain.at("laplacian").at("values") == list(expected.values));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(plain.at("laplacian").at("vectors").at(i) ==
          list(expected.vectors.row(static_cast<core::Index>(i))));
  request["times"] = {0, 2.5, -7};
  const core::Vector times = (core::Vector(3) << 0, 2.5, -7).finished();
  const core::Matrix waves = core::sinusoidal_positions(times, 2);
  const Json timed = result_of(request);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(timed.at("sinusoidal").at(i) == list(waves.row(static_cast<core::Index>(i))));
  CHECK(error_in(asked_with(request, "dimensions", "")) == "missing_field /dimensions");
  CHECK(error_in(asked_with(request, "dimensions", "1000000000")) == "limit_exceeded ");
  CHECK(error_in(asked_with(request, "times", "[1e10]")) == "bad_value -");
  request["dimensions"] = 9;  // more dimensions than the graph has nodes
  CHECK(result_of(request).at("laplacian").at("values").size() < 4);
}

TEST_CASE("each error of positional has its pointer", "[bridge][kernels]") {
  const Json request = Json::parse(triangle);
  check_errors(request, "n", {{"2", "bad_value /edges/1/1"}});
  check_errors(request, "edges",
               {{"[]", ""},
                {"[[0,1]]", "bad_value /edges/0"},
                {"[[0,1,-1]]", "bad_value /edges/0/2"},
                {"[[0,1,1.7e308],[0,2,1.7e308]]", "bad_value -"},  // the degree of node 0 overflows
                {"[[0,1,1.7e308]]", "bad_value "},                 // an eigenvalue overflows
                {"[[0,1,8e307],[1,2,1e-300]]", ""}});
}

TEST_CASE("positional refuses graphs beyond the limits before work begins", "[bridge][kernels]") {
  const Json request = Json::parse(triangle);
  check_errors(request, "n", {{"1000000000", "limit_exceeded "}, {"3000", "limit_exceeded "}});
  check_errors(request, "steps", {{"1000000000", "limit_exceeded "}});
}

// --- operation `weights`: learning rules -------------------------------------------------------------------

TEST_CASE("weights returns exactly the library's numbers", "[bridge][learning]") {
  const core::Matrix x = parsed(bipolar);
  for (const auto& facts : core::weight_rules) {
    const std::string rule(facts.name);
    const Json result = result_of(R"({"op":"weights","patterns":)" + bipolar + R"(,"rule":")" + rule + "\"}");
    const core::Matrix w = core::pattern_weights(facts.value, x);
    Json energies = Json::array();
    for (core::Index k = 0; k < x.rows(); ++k)
      energies.push_back(core::hopfield_energy(w, x.row(k).transpose()));
    CHECK(result == Json({{"w", rows(w)}, {"energies", energies}}));
  }
  // The rule `pseudo_inverse` keeps the diagonal. So each stored pattern, which has 5 spins, has energy -5/2.
  const Json kept = result_of(R"({"op":"weights","patterns":)" + bipolar + R"(,"rule":"pseudo_inverse"})");
  for (const double energy : kept.at("energies")) CHECK(energy == Approx(-2.5).epsilon(1e-14));
}

TEST_CASE("hebbian returns exactly the library's numbers", "[bridge][learning]") {
  const core::Matrix a = parsed(activity), w0 = parsed("[[0.1,0.2,-0.3],[1,0,0.5]]");
  const auto result = [](std::size_t which) { return result_of(rule_requests()[which].dump()); };
  CHECK(result(0) == Json({{"w", rows(core::hebb_decay_weights(a, 0.2, 0.1))}}));
  CHECK(result(1) == Json({{"w", rows(core::covariance_weights(a))}}));
  CHECK(result(2) == Json({{"w", rows(core::sequence_weights(a))}}));
  const core::Matrix oja = core::learn_units(core::ComponentRule::oja, w0.topRows(1), a, 0.05);
  CHECK(result(3) == Json({{"w", rows(oja)[0]}}));
  CHECK(result(4) == Json({{"w", rows(core::learn_units(core::ComponentRule::sanger, w0, a, 0.05))}}));
  core::BcmUnit unit{w0.row(0).transpose(), 0.4};
  for (core::Index t = 0; t < 3; ++t) core::bcm_step(unit, a.row(t).transpose(), 0.05, 7);
  CHECK(result(5) == Json({{"w", list(unit.w)}, {"theta", unit.theta}}));
  const core::StdpWindow window{2, 3, 10, 20};
  CHECK(result(6) == Json({{"dw", {core::stdp_change(1, window), core::stdp_change(-2, window), 0.0}}}));
}

TEST_CASE("a learning rule does not accept fields of other rules", "[bridge][learning]") {
  for (const Json& request : rule_requests())
    for (const char* field : {"activity", "eta", "decay", "w0", "theta0", "tau_theta", "dt", "a_plus"})
      if (!request.contains(field))
        CHECK(error_in(asked_with(request, field, "1")) == std::string("unknown_field /") + field);
}

TEST_CASE("an error for an unusable value of a learning rule has its pointer", "[bridge][learning]") {
  const std::vector<Json>& rules = rule_requests();
  check_errors(rules[0], "activity",
               {{"[[1,2],[3]]", "shape_mismatch /activity/1"},
                {"[[1e200,1e200]]", "bad_value "}});  // the product of the two activities overflows
  check_errors(rules[3], "w0", {{"[1,2]", "shape_mismatch /w0"}});
  check_errors(rules[4], "w0", {{"[[1,2]]", "shape_mismatch /w0"}, {"[1,2,3]", "bad_value /w0"}});
  check_errors(
      Json::parse(R"({"op":"weights","rule":"storkey","patterns":[[1,-1],[1,1]]})"), "patterns",
      {{"[[1,-1],[1,0]]", "bad_value /patterns/1/1"}, {"[[1,-1],[1]]", "shape_mismatch /patterns/1"}});
}

TEST_CASE("weights and hebbian refuse requests beyond the limits before work begins", "[bridge][learning]") {
  const Json wide = Json::array({std::vector<int>(3000, 1)});
  for (const auto& facts : core::weight_rules) {
    const Json request{{"op", "weights"}, {"rule", std::string(facts.name)}, {"patterns", wide}};
    CHECK(error_in(ask(request)) == "limit_exceeded ");
  }
  for (const char* rule : {"covariance", "asymmetric_sequence"}) {
    const Json request{{"op", "hebbian"}, {"rule", rule}, {"activity", wide}};
    CHECK(error_in(ask(request)) == "limit_exceeded ");
  }
  bridge::ProtocolLimits narrow;
  narrow.max_multiplications = 50;
  for (const Json& request : rule_requests())
    if (request.at("rule") == "sanger" || request.at("rule") == "hebb_decay")
      CHECK(error_in(ask(request, narrow)) == "limit_exceeded ");
  const Json projector{{"op", "weights"}, {"rule", "pseudo_inverse"}, {"patterns", Json::parse(bipolar)}};
  CHECK(error_in(ask(projector, narrow)) == "limit_exceeded ");
}

// --- Hopfield networks -------------------------------------------------------------------------------------

TEST_CASE("hopfield returns exactly the library's numbers", "[bridge][hopfield]") {
  for (const auto& rule : core::weight_rules)
    for (const auto& at_zero : core::zero_field_rules)
      for (const std::string mode : {"async", "sync"}) {
        Json request = network(mode);
        request.update({{"rule", rule.name},
                        {"zero_field", at_zero.name},
                        {"order", order},
                        {"field", field},
                        {"max_sweeps", 3}});
        core::HopfieldOptions options;
        options.order = order;
        options.max_sweeps = 3;
        options.field = vector(field);
        options.at_zero = at_zero.value;
        const core::Matrix w = core::pattern_weights(rule.value, matrix(patterns));
        const auto recall = mode == "async" ? core::recall_hopfield(w, vector(cue), options)
                                            : core::recall_synchronous(w, vector(cue), options);
        Json result = expected(recall);
        result["converged"] = recall.converged;
        if (recall.period > 0) result["period"] = recall.period;
        INFO(request.dump());
        CHECK(result_of(request) == result);
        // The same network, given by its weights. Patterns are then optional, and only add the overlaps to the result.
        request["w"] = rows(w);
        request.erase("rule");
        CHECK(result_of(request) == result);
        request.erase("patterns");
        result["overlaps"] = Json::array();
        CHECK(result_of(request) == result);
      }
}

TEST_CASE("omitted fields of hopfield have their defaults", "[bridge][hopfield]") {
  const core::Matrix w = core::pattern_weights(core::WeightRule::storkey, matrix(patterns));
  Json async = expected(core::recall_hopfield(w, vector(cue)));
  async["converged"] = true;
  CHECK(result_of(network("async").dump()) == async);
  CHECK(result_of(network("sync").dump()).at("energies") ==
        core::recall_synchronous(w, vector(cue)).energies);
}

TEST_CASE("hopfield's Glauber dynamics are the library's", "[bridge][hopfield]") {
  Json request = network("glauber");
  request.update({{"temperature", 0.7},
                  {"sites", {3, 0, 5, 5, 1}},
                  {"uniforms", {0.5, 0.999, 0.1, 0.0, 0.3}},
                  {"field", field}});
  const core::Matrix w = core::pattern_weights(core::WeightRule::storkey, matrix(patterns));
  const core::GlauberDraws draws{0.7, {3, 0, 5, 5, 1}, vector({0.5, 0.999, 0.1, 0.0, 0.3})};
  Json result = expected(core::recall_glauber(w, vector(cue), draws, vector(field)));
  result["converged"] = false;
  CHECK(result_of(request) == result);
  request["sites"] = request["uniforms"] = Json::array();
  CHECK(result_of(request).at("final") == Json(cue));
}

TEST_CASE("dense returns exactly the library's numbers", "[bridge][dense]") {
  for (const auto& separation : core::dense_separations) {
    Json request{{"op", "dense"}, {"patterns", patterns}, {"cue", cue},     {"separation", separation.name},
                 {"n", 5},        {"order", order},       {"max_sweeps", 2}};
    CHECK(result_of(request) ==
          expected(core::recall_dense(matrix(patterns), vector(cue), {separation.value, 5, order, 2})));
    for (const char* name : {"n", "order", "max_sweeps"}) request.erase(name);
    CHECK(result_of(request) ==
          expected(core::recall_dense(matrix(patterns), vector(cue), {separation.value})));
  }
}

TEST_CASE("modern returns exactly the library's numbers", "[bridge][modern]") {
  const std::vector<double> query{0.5, -0.25, 1, 0, 0.125, 2};
  for (const core::Regulariser& map :
       {core::Regulariser(core::SimplexMap::softmax), core::Regulariser(core::SimplexMap::sparsemax),
        core::Regulariser(core::SimplexMap::entmax, 1.3), core::Regulariser(core::SimplexMap::normmax, 2.5),
        core::Regulariser(core::SimplexMap::budget, 1.5, 3), core::Regulariser(core::SimplexMap::argmax)})
    for (const std::string ending : {"steps", "tolerance", "both", "neither"}) {
      Json request{{"op", "modern"},
                   {"patterns", patterns},
                   {"cue", query},
                   {"beta", 0.2},
                   {"map", core::facts(map.map).name},
                   {"alpha", map.alpha},
                   {"k", map.k}};
      core::ModernHopfieldOptions options{0.2, map, 10'000};
      if (ending == "steps" || ending == "both") request["steps"] = options.max_steps = 4;
      if (ending == "tolerance" || ending == "both") request["tolerance"] = options.tolerance = 1e-6;
      options.every_step = ending == "steps";
      Json iterates = Json::array(), weights = Json::array();
      const auto recall = core::recall_modern(matrix(patterns), vector(query), options, {},
                                              [&](const core::Vector& state, const core::Vector& p) {
                                                iterates.push_back(list(state));
                                                weights.push_back(list(p));
                                              });
      const auto& certificate = recall.certificate;
      const Json margin = map.map == core::SimplexMap::softmax ? Json(nullptr) : Json(certificate.margin);
      INFO(request.dump());
      CHECK(result_of(request) ==
            Json({{"p_first", weights.front()},
                  {"iterates", iterates},
                  {"state", iterates.back()},
                  {"p", weights.back()},
                  {"energies", recall.energies},
                  {"iterations", iterates.size()},
                  {"converged", recall.converged},
                  {"certificate",
                   {{"gap", certificate.gap}, {"margin", margin}, {"exact", certificate.exact}}}}));
    }
}

TEST_CASE("hopfield recalls from patterns alone if their weights would exceed the limit",
          "[bridge][hopfield]") {
  for (const std::string mode : {"async", "sync", "glauber"}) {
    Json request = network(mode);
    request["rule"] = "hebb";
    request["field"] = field;
    if (mode == "glauber")
      request.update({{"temperature", 0.7}, {"sites", {3, 0, 5, 5}}, {"uniforms", {0.5, 0.999, 0.1, 0}}});
    if (mode == "async") request["order"] = order;
    bridge::ProtocolLimits narrow;
    narrow.max_numbers = 35;  // the 36 weights of the network exceed this limit
    if (mode != "glauber") request["max_sweeps"] = 10;
    const Json wide = result_of(request), bits = ask(request, narrow).at("result");
    INFO(request.dump() << "\n" << bits.dump());
    for (const auto& [name, value] : wide.items())
      if (name != "energies") CHECK(bits.at(name) == value);
    REQUIRE(bits.at("energies").size() == wide.at("energies").size());
    for (std::size_t t = 0; t < wide.at("energies").size(); ++t)
      CHECK(bits.at("energies")[t].get<double>() ==
            Approx(wide.at("energies")[t].get<double>()).margin(1e-14));
    request["rule"] = "storkey";
    CHECK(error_in(ask(request, narrow)) == "limit_exceeded ");
  }
}

TEST_CASE("dense updates continuous units as the library does", "[bridge][dense]") {
  const std::vector<double> start{0.5, -0.25, 0.9, 0, 0.125, -0.5};
  for (const std::string separation : {"polynomial", "exponential"}) {
    Json request{{"op", "dense"},
                 {"units", "continuous"},
                 {"patterns", patterns},
                 {"cue", start},
                 {"separation", separation},
                 {"n", 4},
                 {"beta", 0.5},
                 {"step", 0.25},
                 {"steps", 3}};
    core::ContinuousMemoryOptions options{3, separation == "exponential" ? 1.0 : 0.0, 0.5, 0.25, 3};
    options.every_step = true;
    const auto recalled = [&] {
      const auto recall = core::recall_continuous(matrix(patterns), vector(start), options);
      Json iterates = Json::array();
      for (const core::Vector& state : recall.iterates) iterates.push_back(list(state));
      return Json({{"state", list(recall.state)},
                   {"iterates", iterates},
                   {"energies", recall.energies},
                   {"iterations", recall.iterates.size()},
                   {"converged", recall.converged}});
    };
    CHECK(result_of(request) == recalled());
    request["tolerance"] = options.tolerance = 1e-3;
    options.every_step = false;
    CHECK(result_of(request) == recalled());
    for (const char* name : {"n", "beta", "step", "steps", "tolerance"}) request.erase(name);
    options = {2, options.inner_beta};
    CHECK(result_of(request) == recalled());
    const std::vector<std::tuple<std::string, std::string, std::string>> cases{
        {"separation", R"("rectified")", "bad_value /separation"},
        {"cue", "[0,0,0,0,0,1.5]", "bad_value /cue/5"},
        {"cue", "[0]", "shape_mismatch /cue"},
        {"steps", "1000000000", "limit_exceeded "}};
    for (const auto& [name, value, error] : cases) CHECK(error_in(asked_with(request, name, value)) == error);
    CHECK(error_in(asked_with(request, "n", "1")) == (separation == "polynomial" ? "bad_value /n" : ""));
  }
}

TEST_CASE("modern recalls in the precision of the request", "[bridge][modern]") {
  const std::vector<double> query{0.5, -0.25, 1, 0, 0.125, 2};
  for (const auto& precision : core::precisions) {
    const Json request{{"op", "modern"}, {"patterns", patterns}, {"cue", query},
                       {"beta", 0.7},    {"steps", 3},           {"precision", precision.name}};
    core::PackedKeys stored(6, precision.value);
    stored.append(matrix(patterns));
    core::ModernHopfieldOptions options{0.7, core::SimplexMap::softmax, 3};
    options.every_step = true;
    const auto recall = core::recall_modern(stored, vector(query), options);
    const Json result = result_of(request);
    CHECK(result.at("state") == list(recall.state));
    CHECK(result.at("energies") == Json(recall.energies));
    CHECK((result.at("iterations") == 3 && !result.contains("p")));
    Json exact = request;
    exact["precision"] = "double";
    const core::Vector away = vector(result_of(exact).at("state").get<std::vector<double>>());
    CHECK((recall.state - away).cwiseAbs().maxCoeff() < 1e-5);
  }
}

TEST_CASE("each wrong field of a Hopfield network has its own error", "[bridge][hopfield]") {
  Json glauber = network("glauber");
  glauber.update({{"temperature", 1}, {"sites", {0, 1}}, {"uniforms", {0.5, 0.5}}});
  const Json dense{{"op", "dense"}, {"patterns", patterns}, {"cue", cue}, {"separation", "exponential"}};
  const Json modern{{"op", "modern"}, {"patterns", patterns}, {"cue", cue}, {"beta", 1}};
  const std::vector<std::tuple<Json, std::string, std::string, std::string>> cases{
      {network("async"), "mode", "", "missing_field /mode"},
      {network("async"), "mode", R"("random")", "bad_value /mode"},
      {network("async"), "patterns", "", "missing_field /patterns"},
      {network("async"), "patterns", "[[1,0,1,1,1,1]]", "bad_value /patterns/0/1"},
      {network("async"), "rule", "", "missing_field /rule"},
      {network("async"), "rule", R"("hebbs")", "bad_value /rule"},
      {network("async"), "w", "[[0]]", "bad_value /rule"},
      {network("async"), "cue", "", "missing_field /cue"},
      {network("async"), "cue", "[1,1]", "shape_mismatch /cue"},
      {network("async"), "cue", "[1,1,1,1,-1,0.5]", "bad_value /cue/5"},
      {network("async"), "order", "[0,1,2,3,4]", "bad_value /order"},
      {network("async"), "order", "[0,1,2,3,4,4]", "bad_value /order"},
      {network("async"), "order", "[0,1,2,3,4,6]", "bad_value /order/5"},
      {network("async"), "field", "[1]", "shape_mismatch /field"},
      {network("async"), "zero_field", R"("old")", "bad_value /zero_field"},
      {network("async"), "max_sweeps", "0", "bad_value /max_sweeps"},
      {network("async"), "max_sweeps", "1000000000", "limit_exceeded "},
      {network("sync"), "max_sweeps", "1000000000", "limit_exceeded "},
      {network("async"), "beta", "1", "unknown_field /beta"},
      {network("async"), "field", "[1e308,1e308,1,1,1,1e308]", "bad_value "},
      {glauber, "temperature", "", "missing_field /temperature"},
      {glauber, "sites", "", "missing_field /sites"},
      {glauber, "sites", "[0,6]", "bad_value /sites/1"},
      {glauber, "sites", "[0]", "shape_mismatch /uniforms"},
      {glauber, "sites", "[]", "shape_mismatch /uniforms"},
      {glauber, "uniforms", "", "missing_field /uniforms"},
      {glauber, "uniforms", "[0.5,1]", "bad_value /uniforms/1"},
      {glauber, "uniforms", "[]", "bad_value /uniforms"},
      {dense, "patterns", "[[1,2]]", "bad_value /patterns/0/1"},
      {dense, "cue", "[1]", "shape_mismatch /cue"},
      {dense, "order", "[]", "bad_value /order"},
      {dense, "max_sweeps", "1000000000", "limit_exceeded "},
      {modern, "cue", "[1]", "shape_mismatch /cue"},
      {modern, "steps", "1000000000", "limit_exceeded /steps"},
      {modern, "patterns", "[[1e200,1,1,1,1,1]]", "bad_value -"},
  };
  for (const auto& [request, name, value, error] : cases) {
    INFO(request.dump() << " with " << name << " " << value);
    CHECK(error_in(ask(request)).empty());
    CHECK(error_in(asked_with(request, name, value)) == error);
  }
  Json overfull = modern;
  overfull.update({{"map", "budget"}, {"k", 5}});
  CHECK(error_in(ask(overfull)) == "bad_value /k");
  const auto by_weights = [](const std::string& fields) {
    return error_in(ask(R"({"op":"hopfield","mode":"sync","cue":[1,1],)" + fields + "}"));
  };
  CHECK(by_weights(R"("w":[[0,1],[1,0]])").empty());
  CHECK(by_weights(R"("w":[[0,1,0],[1,0,0]])") == "shape_mismatch /w");
  CHECK(by_weights(R"("w":[[0,1],[1,0]],"patterns":[[1]])") == "shape_mismatch /patterns");
}

TEST_CASE("a Hopfield network beyond the limits is refused before it is built", "[bridge][hopfield]") {
  const auto wide = [](const char* op, const char* rest, int spins) {
    Json request = Json::parse(rest);
    request["op"] = op;
    request["cue"] = std::vector<int>(static_cast<std::size_t>(spins), 1);
    request["patterns"] = Json::array({request["cue"]});
    return error_in(ask(request));
  };
  CHECK(wide("hopfield", R"({"rule":"storkey","mode":"async"})", 100'000) == "limit_exceeded ");
  // Asynchronous updates with Hebb's rule need no matrix of weights.
  CHECK(wide("hopfield", R"({"rule":"hebb","mode":"async"})", 100'000).empty());
  CHECK(wide("dense", R"({"separation":"exponential"})", 100'000) == "limit_exceeded ");
  CHECK(wide("modern", R"({"beta":1,"steps":100})", 100'000) == "limit_exceeded /steps");
  CHECK(wide("modern", R"({"beta":1})", 100'000).empty());
  // A network that does not converge stops after `max_sweeps` sweeps.
  const Json endless =
      result_of(R"({"op":"hopfield","mode":"async","w":[[-1]],"cue":[1],"max_sweeps":1000})");
  CHECK((endless.at("converged") == false && endless.at("flips").size() == 1000));
}
