// SPDX-License-Identifier: MIT
// Tests of the operations `weights` and `hebbian`: exactly the library's numbers, and a distinct error for each wrong
// field.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/hopfield/hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/bridge/protocol/ask.hpp"

using namespace engram;
using bridge::ask;
using bridge::asked_with;
using bridge::error_in;
using bridge::list;
using bridge::result_of;
using Json = nlohmann::json;

namespace {

const std::string bipolar = "[[1,-1,1,1,-1],[1,1,1,-1,-1.0],[-1,1,-1,-1,1]]",
                  activity = "[[0.3,-1.25,2],[0.1,0.7,-0.4],[5,-0.6,1e-3]]";

core::Matrix matrix(const std::string& text) {
  const auto rows = Json::parse(text).get<std::vector<std::vector<double>>>();
  core::Matrix m(static_cast<core::Index>(rows.size()), static_cast<core::Index>(rows[0].size()));
  for (core::Index i = 0; i < m.rows(); ++i)
    for (core::Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

Json rows(const core::Matrix& m) {
  Json json = Json::array();
  for (core::Index i = 0; i < m.rows(); ++i)
    json.push_back(std::vector<double>(m.data() + i * m.cols(), m.data() + (i + 1) * m.cols()));
  return json;
}

// A valid request for each learning rule on activity.
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

}  // namespace

TEST_CASE("weights returns exactly the library's numbers", "[bridge][learning]") {
  const core::Matrix x = matrix(bipolar);
  for (const auto& facts : core::weight_rules) {
    const std::string rule(facts.name);
    const Json result = result_of(R"({"op":"weights","patterns":)" + bipolar + R"(,"rule":")" + rule + "\"}");
    const core::Matrix w = core::pattern_weights(facts.value, x);
    Json energies = Json::array();
    for (core::Index k = 0; k < x.rows(); ++k)
      energies.push_back(core::hopfield_energy(w, x.row(k).transpose()));
    CHECK(result == Json({{"w", rows(w)}, {"energies", energies}}));
  }
  // If the diagonal is kept, a pattern of 5 spins that the projector stores has energy -5/2.
  const Json kept = result_of(R"({"op":"weights","patterns":)" + bipolar + R"(,"rule":"pseudo_inverse"})");
  for (const double energy : kept.at("energies")) CHECK(energy == Approx(-2.5).epsilon(1e-14));
}

TEST_CASE("hebbian returns exactly the library's numbers", "[bridge][learning]") {
  const core::Matrix a = matrix(activity), w0 = matrix("[[0.1,0.2,-0.3],[1,0,0.5]]");
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

TEST_CASE("each learning rule requires exactly its own fields", "[bridge][learning]") {
  for (const Json& request : rule_requests()) {
    for (const auto& [name, value] : request.items()) {
      if (name == "op") continue;
      INFO(request.dump() << " " << name);
      CHECK(error_in(asked_with(request, name, "")) == "missing_field /" + name);
      for (const char* wrong : {"\"x\"", "{}", "null", "[[[1]]]", "[]", "[[]]", "true"}) {
        const std::string error = error_in(asked_with(request, name, wrong));
        CHECK((error.starts_with("bad_value /" + name) || error == "shape_mismatch /" + name));
      }
    }
    for (const char* field : {"activity", "eta", "decay", "w0", "theta0", "tau_theta", "dt", "a_plus"})
      if (!request.contains(field))
        CHECK(error_in(asked_with(request, field, "1")) == std::string("unknown_field /") + field);
    CHECK(error_in(asked_with(request, "extra", "1")) == "unknown_field /extra");
  }
}

TEST_CASE("an error for an unusable value of a learning rule has its pointer", "[bridge][learning]") {
  const auto refused = [](std::size_t which, const char* field, const char* value,
                          const std::string& wanted) {
    INFO(field << " " << value);
    CHECK(error_in(asked_with(rule_requests()[which], field, value)) == wanted);
  };
  refused(0, "rule", "\"hebb\"", "bad_value /rule");
  refused(0, "decay", "1.5", "bad_value /decay");
  refused(0, "decay", "-0.1", "bad_value /decay");
  refused(0, "activity", "[[1,2],[3]]", "shape_mismatch /activity/1");
  refused(0, "activity", "[[1e200,1e200]]", "bad_value ");  // the product overflows
  refused(3, "w0", "[1,2]", "shape_mismatch /w0");
  refused(4, "w0", "[[1,2]]", "shape_mismatch /w0");
  refused(4, "w0", "[1,2,3]", "bad_value /w0");
  refused(5, "tau_theta", "0", "bad_value /tau_theta");
  refused(6, "tau_plus", "0", "bad_value /tau_plus");
  refused(6, "tau_minus", "-1", "bad_value /tau_minus");
  refused(6, "dt", "1", "bad_value /dt");
  const Json weights = Json::parse(R"({"op":"weights","rule":"storkey","patterns":[[1,-1],[1,1]]})");
  const auto refused_weights = [&](const char* field, const char* value, const std::string& wanted) {
    INFO(field << " " << value);
    CHECK(error_in(asked_with(weights, field, value)) == wanted);
  };
  refused_weights("patterns", "", "missing_field /patterns");
  refused_weights("rule", "", "missing_field /rule");
  refused_weights("rule", "\"Storkey\"", "bad_value /rule");
  refused_weights("patterns", "[[1,-1],[1,0]]", "bad_value /patterns/1/1");
  refused_weights("patterns", "[[1,-1],[1]]", "shape_mismatch /patterns/1");
  refused_weights("patterns", "[]", "bad_value /patterns");
  refused_weights("patterns", "[1,-1]", "bad_value /patterns");
  refused_weights("extra", "1", "unknown_field /extra");
}

TEST_CASE("weights and hebbian refuse requests beyond the limits before work begins", "[bridge][learning]") {
  const Json wide = Json::array({std::vector<int>(3000, 1)});
  for (const auto& facts : core::weight_rules) {
    const Json request{{"op", "weights"}, {"rule", std::string(facts.name)}, {"patterns", wide}};
    CHECK(error_in(ask(request.dump())) == "limit_exceeded ");
  }
  for (const char* rule : {"covariance", "asymmetric_sequence"}) {
    const Json request{{"op", "hebbian"}, {"rule", rule}, {"activity", wide}};
    CHECK(error_in(ask(request.dump())) == "limit_exceeded ");
  }
  bridge::ProtocolLimits narrow;
  narrow.max_multiplications = 50;
  for (const Json& request : rule_requests())
    if (request.at("rule") == "sanger" || request.at("rule") == "hebb_decay")
      CHECK(error_in(ask(request.dump(), narrow)) == "limit_exceeded ");
  const Json projector{{"op", "weights"}, {"rule", "pseudo_inverse"}, {"patterns", Json::parse(bipolar)}};
  CHECK(error_in(ask(projector.dump(), narrow)) == "limit_exceeded ");
}
