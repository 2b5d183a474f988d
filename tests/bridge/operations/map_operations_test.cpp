// SPDX-License-Identifier: MIT
// Tests of the operations `map` and `sample`. They return exactly the library's numbers, and each wrong field has a
// distinct error.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "core/maps/prior_map.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/random.hpp"
#include "tests/bridge/protocol/ask.hpp"

using namespace engram;
using bridge::ask, bridge::asked_with, bridge::check_errors, bridge::error_in, bridge::list,
    bridge::result_of, bridge::vector;
using Json = nlohmann::json;

namespace {

const std::vector<double> scores{0.3, -1.25, 0.9, 1e-300}, tangent{1, -2, 0.5, 4},
    prior{0.1, 0.5, 0.15, 0.25};

}  // namespace

TEST_CASE("map returns exactly the library's numbers", "[bridge][map]") {
  const auto s = vector(scores), v = vector(tangent);
  for (const core::Regulariser& omega :
       {core::Regulariser(core::SimplexMap::softmax), core::Regulariser(core::SimplexMap::sparsemax),
        core::Regulariser(core::SimplexMap::entmax, 1.3), core::Regulariser(core::SimplexMap::normmax, 2.5),
        core::Regulariser(core::SimplexMap::budget, 1.5, 3), core::Regulariser(core::SimplexMap::argmax)}) {
    // Every map accepts both alpha and k, and ignores those that it does not use.
    Json request{{"op", "map"},          {"scores", scores}, {"map", core::facts(omega.map).name},
                 {"alpha", omega.alpha}, {"k", omega.k},     {"temperature", 0.7}};
    INFO(request.dump());
    const auto p = core::apply(omega, s, 0.7);
    const Json plain = result_of(request);
    CHECK(plain == Json({{"p", list(p)},
                         {"support", core::support(p)},
                         {"objective", core::programme_value(omega, s, 0.7)}}));
    request["tangent"] = tangent;
    CHECK(result_of(request).at("jvp") == list(core::jacobian_product(omega, s, v, 0.7)));
    request.erase("temperature");
    CHECK(result_of(request).at("p") == list(core::apply(omega, s)));
  }
}

TEST_CASE("map's defaults are alpha 1.5, k 1 and temperature 1", "[bridge][map]") {
  const auto s = vector(scores);
  for (const core::SimplexMapFacts& map : core::simplex_maps)
    CHECK(result_of(Json{{"op", "map"}, {"scores", scores}, {"map", map.name}}.dump()).at("p") ==
          list(core::apply(core::Regulariser(map.value, 1.5, 1), s, 1.0)));
}

TEST_CASE("map computes priors from ages or distances", "[bridge][map]") {
  for (const auto& [made, weights] : std::vector<std::pair<const char*, core::Vector>>{
           {R"({"ages":[0,1,4],"rate":0.5})", core::age_prior(vector({0, 1, 4}), 0.5)},
           {R"({"distances":[0,-1,4],"bandwidth":2})", core::kernel_prior(vector({0, 1, 4}), 2)}}) {
    Json request = Json::parse(R"({"op":"map","scores":[1,1,1],"map":"softmax","temperature":1})");
    request["prior"] = Json::parse(made);
    const Json p = result_of(request).at("p");
    for (core::Index i = 0; i < 3; ++i)  // for equal scores, the result is the prior itself
      CHECK(p[static_cast<std::size_t>(i)].get<double>() == Approx(weights[i]).epsilon(1e-14));
  }
  check_errors(Json::parse(R"({"op":"map","scores":[1,1,1],"map":"softmax"})"), "prior",
               {{R"({"ages":[0,1],"rate":0.5})", "shape_mismatch /prior/ages"},
                {R"({"ages":[0,1,2]})", "missing_field /prior/rate"},
                {R"({"ages":[0,1,2],"rate":-1})", "bad_value /prior/rate"},
                {R"({"ages":[0,1,2],"rate":1,"distances":[1,2,3]})", "bad_value /prior"},
                {R"({"ages":[0,1,2],"rate":1,"bandwidth":1})", "unknown_field /prior/bandwidth"},
                {R"({"distances":[0,1,2],"bandwidth":0})", "bad_value /prior/bandwidth"},
                {"{}", "bad_value /prior"}});
}

TEST_CASE("map uses a prior in the form that fits its map", "[bridge][map]") {
  const auto s = vector(scores), v = vector(tangent), q = vector(prior);
  const std::vector<std::tuple<std::string, std::string, core::Prior>> forms{
      {"softmax", "kl", {core::PriorForm::kl, q}},
      {"entmax", "alpha", {core::PriorForm::alpha, q, 1.25}},
      {"sparsemax", "euclidean", {core::PriorForm::euclidean, q}}};
  for (const auto& [map, form, with_prior] : forms) {
    Json request{{"op", "map"},      {"scores", scores}, {"map", map},        {"alpha", 1.25},
                 {"temperature", 2}, {"prior", prior},   {"tangent", tangent}};
    const Json result = result_of(request);
    const auto p = core::apply(with_prior, s, 2);
    CHECK(result == Json({{"p", list(p)},
                          {"support", core::support(p)},
                          {"objective", core::programme_value(with_prior, s, 2)},
                          {"jvp", list(core::jacobian_product(with_prior, s, v, 2))}}));
    request["prior_form"] = form;
    CHECK(result_of(request) == result);
    for (const auto& [other_map, other_form, other] : forms) {
      request["prior_form"] = other_form;
      CHECK(error_in(ask(request)) == (other_form == form ? "" : "bad_value /prior_form"));
    }
  }
}

TEST_CASE("sample returns the first index whose cumulative weight exceeds the uniform number",
          "[bridge][map]") {
  const Json result =
      result_of(R"({"op":"sample","scores":[0,0,-1e9,0],"temperature":3,"uniforms":[0,0.3333,0.3334,0.9]})");
  CHECK(result.at("indices") == Json({0, 0, 1, 3}));
  CHECK(result.at("p") == list(core::apply(core::SimplexMap::softmax, vector({0, 0, -1e9, 0}), 3)));
}

TEST_CASE("each wrong value of map and sample has its pointer", "[bridge][map]") {
  const Json map = Json::parse(
      R"({"op":"map","scores":[1,2],"map":"entmax","alpha":1.2,"temperature":2,"prior":[1,2],"prior_form":"alpha","tangent":[1,2]})");
  const Json sample = Json::parse(R"({"op":"sample","scores":[1,2],"temperature":2,"uniforms":[0.5]})");
  REQUIRE(error_in(ask(map)).empty());
  REQUIRE(error_in(ask(sample)).empty());
  check_errors(map, "scores",
               {{"[1,\"2\"]", "bad_value /scores/1"},
                {"[1,[2]]", "bad_value /scores/1"},
                {"[1,2,3]", "shape_mismatch /prior"}});
  check_errors(map, "map",
               {{"\"argmax\"", "bad_value /prior"},
                {"\"normmax\"", "bad_value /prior"},
                {"\"softmax\"", "bad_value /prior_form"}});
  check_errors(map, "k", {{"0", "bad_value /k"}});
  check_errors(map, "prior",
               {{"", "bad_value /prior_form"},
                {"[1,-1e-9]", "bad_value /prior/1"},
                {"[0,0]", "bad_value /prior"},
                {"[1.7e308,1.7e308]", "bad_value /prior"},
                {"[1]", "shape_mismatch /prior"}});
  check_errors(map, "tangent", {{"[1]", "shape_mismatch /tangent"}, {"[1,true]", "bad_value /tangent/1"}});
  check_errors(sample, "uniforms",
               {{"[]", "bad_value /uniforms"},
                {"[0.1,1]", "bad_value /uniforms/1"},
                {"[-1e-9]", "bad_value /uniforms/0"}});
  const Json normmax = Json::parse(R"({"op":"map","scores":[1,2],"map":"normmax","alpha":1.2})");
  CHECK(error_in(asked_with(normmax, "alpha", "1")) == "bad_value /alpha");
  const Json budget = Json::parse(R"({"op":"map","scores":[1,2],"map":"budget","k":2})");
  CHECK(error_in(asked_with(budget, "k", "2")).empty());
  CHECK(error_in(asked_with(budget, "k", "3")) == "bad_value /k");
  // The map `sparsemax` accepts a prior of zeros, because its Euclidean prior does not restrict the support.
  CHECK(error_in(ask(R"({"op":"map","scores":[1,2],"map":"sparsemax","prior":[0,0]})")).empty());
}

TEST_CASE("map and sample refuse requests beyond the limits and results beyond the range of double",
          "[bridge][map]") {
  bridge::ProtocolLimits limits;
  limits.max_numbers = 6;
  CHECK(error_in(ask(R"({"op":"map","scores":[1,2],"map":"softmax"})", limits)).empty());
  CHECK(error_in(ask(R"({"op":"map","scores":[1,2,3],"map":"softmax"})", limits)) == "limit_exceeded ");
  CHECK(error_in(ask(R"({"op":"sample","scores":[1,2],"temperature":1,"uniforms":[0,0,0,0]})", limits))
            .empty());
  CHECK(error_in(ask(R"({"op":"sample","scores":[1,2],"temperature":1,"uniforms":[0,0,0,0,0]})", limits)) ==
        "limit_exceeded ");
  limits.max_numbers = 1000, limits.max_multiplications = 7;
  CHECK(error_in(ask(R"({"op":"map","scores":[1,2],"map":"softmax"})", limits)) == "limit_exceeded ");
  CHECK(
      error_in(ask(R"({"op":"sample","scores":[1,2],"temperature":1,"uniforms":[0,0,0]})", limits)).empty());
  CHECK(error_in(ask(R"({"op":"sample","scores":[1,2],"temperature":1,"uniforms":[0,0,0,0]})", limits)) ==
        "limit_exceeded ");
  // A result that is infinite is an error, because JSON cannot express it.
  CHECK(error_in(
            ask(R"({"op":"map","scores":[1,1],"map":"softmax","temperature":1e-300,"tangent":[1e300,0]})")) ==
        "bad_value /tangent");
  CHECK(error_in(ask(R"({"op":"map","scores":[1.7e308,1.7e308],"map":"budget","k":2})")) ==
        "bad_value /scores");
}

TEST_CASE("extreme numbers never give a crash, a NaN or weights that do not sum to 1", "[bridge][map]") {
  const std::vector<const char*> numbers{"0",      "-0.0",    "1",     "-1",       "5e-324",
                                         "1e-300", "-1e-300", "0.5",   "1e4",      "-1e4",
                                         "9999.5", "1e16",    "1e300", "-1.7e308", "1.7e308"};
  const std::vector<const char*> alphas{
      "1", "1.0000000000000002", "1.000001", "1.5", "2", "3", "50", "1e5", "1e100", "1.7e308"};
  const std::vector<const char*> temperatures{"5e-324", "1e-300", "1e-6", "1", "1e6", "1.7e308"};
  core::Rng rng(1, "map_operations_test");
  const auto one_of = [&](const auto& values) { return std::string(values[rng.below(values.size())]); };
  bridge::Protocol protocol;
  int answered = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const std::size_t n = 1 + rng.below(5);
    const auto some = [&](bool negative) {
      std::string text = "[";
      for (std::size_t i = 0; i < n; ++i) {
        std::string x = one_of(numbers);
        if (!negative && x[0] == '-') x = "0.25";
        text += (i > 0 ? "," : "") + x;
      }
      return text + "]";
    };
    const auto& map = core::simplex_maps[rng.below(core::simplex_maps.size())];
    std::string line = R"({"op":"map","scores":)" + some(true) + R"(,"map":")" + std::string(map.name) + '"';
    if (rng.below(2) == 0) line += R"(,"temperature":)" + one_of(temperatures);
    if (map.has_alpha) line += R"(,"alpha":)" + one_of(alphas);
    if (map.value == core::SimplexMap::budget) line += R"(,"k":)" + std::to_string(1 + rng.below(n));
    if (rng.below(3) == 0) line += R"(,"prior":)" + some(false);
    if (rng.below(2) == 0) line += R"(,"tangent":)" + some(true);
    const Json reply = bridge::reply_to(protocol, line + "}");
    INFO(line << "\n" << reply.dump());
    if (reply.at("ok") != true) {
      REQUIRE(reply.at("error").at("code") == "bad_value");
      continue;
    }
    ++answered;
    double total = 0;
    for (const Json& p : reply.at("result").at("p")) {
      REQUIRE(p.is_number());
      REQUIRE((p >= 0 && p <= 1));
      total += p.get<double>();
    }
    REQUIRE(std::abs(total - std::round(total)) < 1e-14);
    REQUIRE(total > 0.5);
    REQUIRE(reply.at("result").at("objective").is_number());
    if (reply.at("result").contains("jvp"))
      for (const Json& x : reply.at("result").at("jvp")) REQUIRE(x.is_number());
  }
  CHECK(answered > 2000);
}
