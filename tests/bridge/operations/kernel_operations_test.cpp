// SPDX-License-Identifier: MIT
// Tests of the operations on numbers in the request. They return exactly the library's numbers, and each wrong field
// has a distinct error.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/attention/continuous_attention.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_attention.hpp"
#include "tests/bridge/protocol/ask.hpp"

using namespace engram;
using bridge::ask, bridge::check_errors, bridge::error_in, bridge::result_of;
using Json = nlohmann::json;

namespace {

// A valid request for each kernel. The tests below change one field of it.
const std::vector<Json>& good_requests() {
  static const std::vector<Json> all = [] {
    std::vector<Json> requests;
    for (
        const char* line :
        {R"({"op":"scores","queries":[[1,2]],"keys":[[3,4],[5,6]],"score":"dot"})",
         R"({"op":"scores","queries":[[1,2]],"keys":[[3]],"score":"bilinear","wb":[[1],[2]]})",
         R"({"op":"scores","queries":[[1,2]],"keys":[[3]],"score":"additive","wq":[[1,2]],"wk":[[1]],"b":[0.5],"v":[2]})",
         R"({"op":"attend","queries":[[1,2]],"keys":[[3,4],[5,6]],"values":[[1],[2]],"allow":[[true,false]],"bias":[[0,1]],"scale":0.5,"map":"entmax","alpha":1.2})",
         R"({"op":"multihead","query":[[1,2]],"key":[[3,4]],"value":[[5,6]],"num_heads":2,"in_proj_weight":[[1,0],[0,1],[1,0],[0,1],[1,0],[0,1]],"in_proj_bias":[0,0,0,0,0,0],"out_proj_weight":[[1,2],[3,4]],"out_proj_bias":[1,1],"allow":[[true]]})",
         R"({"op":"universal","keys":[[1,2]],"values":[[3]],"query":[1,1],"similarity":"dot","separation":"poly","parameter":3})",
         R"({"op":"pagerank","n":3,"edges":[[0,1,0.5],[1,2,1]],"directed":true,"damping":0.85,"restart":[1,0,2],"steps":3})",
         R"({"op":"continuous","alpha":1.5,"mu":0.5,"sigma_sq":0.01,"t":[0.4,0.5],"gaussian_basis":{"mu":[0.1],"sigma":[0.2]}})",
         R"({"op":"continuous_context","values":[[1],[2]],"scores":[0.1,0.2],"times":[0,1],"alpha":2,"ridge":0.1,"gaussian_basis":{"mu":[0.1],"sigma":[0.2]},"min_sigma_sq":0.01})"})
      requests.push_back(Json::parse(line));
    return requests;
  }();
  return all;
}

std::string error_of(const Json& request) { return error_in(ask(request)); }

Json with(std::size_t which, const char* field, const char* value) {
  Json request = good_requests()[which];
  request[field] = Json::parse(value);
  return request;
}

}  // namespace

TEST_CASE("each kernel answers a valid request", "[bridge][kernels]") {
  for (const Json& request : good_requests()) CHECK(error_of(request).empty());
}

TEST_CASE("kernels return exactly the library's numbers", "[bridge][kernels]") {
  const core::Matrix q = (core::Matrix(1, 2) << 0.1, 0.2).finished(),
                     k = (core::Matrix(2, 2) << 0.3, 0.4, 0.5, -0.6).finished();
  const core::Matrix cosine = core::scores(core::Score::cosine, q, k);
  CHECK(result_of(R"({"op":"scores","queries":[[0.1,0.2]],"keys":[[0.3,0.4],[0.5,-0.6]],"score":"cosine"})")
            .at("scores") == Json({{cosine(0, 0), cosine(0, 1)}}));
  const core::Attention plain = core::attend(q, k, k, 1 / std::sqrt(2.0));
  CHECK(
      result_of(
          R"({"op":"attend","queries":[[0.1,0.2]],"keys":[[0.3,0.4],[0.5,-0.6]],"values":[[0.3,0.4],[0.5,-0.6]]})") ==
      Json({{"weights", {{plain.weights(0, 0), plain.weights(0, 1)}}},
            {"output", {{plain.output(0, 0), plain.output(0, 1)}}}}));
  const core::TimeDensity density(1.5, 0.5, 0.01);
  const Json continuous = ask(good_requests()[7].dump()).at("result");
  CHECK(continuous == Json({{"density", {density.at(0.4), density.at(0.5)}},
                            {"half_support", density.half_support()},
                            {"variance", density.variance()},
                            {"expectations", {density.expectation(0.1, 0.2)}}}));
  CHECK(result_of(R"({"op":"continuous","alpha":1,"mu":0,"sigma_sq":4})") ==
        Json::parse(R"({"density":[],"half_support":null,"variance":4.0,"expectations":[]})"));
}

TEST_CASE("masks can be given by name", "[bridge][kernels]") {
  Json request = Json::parse(
      R"({"op":"attend","queries":[[1,0],[0,1],[1,1]],"keys":[[1,2],[3,1],[0,1]],"values":[[1],[2],[3]]})");
  const auto as_rows = [](const core::Mask& mask) {
    Json rows = Json::array();
    for (core::Index i = 0; i < mask.rows(); ++i) {
      rows.push_back(Json::array());
      for (core::Index j = 0; j < mask.cols(); ++j) rows.back().push_back(static_cast<bool>(mask(i, j)));
    }
    return rows;
  };
  const core::SparseRows links =
      core::links_of_edges(3, std::vector<core::Edge>{{0, 2, 0.5}, {1, 0, 0}}, true);
  const std::vector<std::pair<const char*, core::Mask>> masks{
      {R"("causal")", core::causal_mask(3)},
      {R"({"window":1})", core::window_mask(3, 1)},
      {R"({"window":18446744073709551615})", core::window_mask(3, 3)},
      {R"({"before":0})", core::window_mask(3, 0)},
      {R"({"before":1})", core::causal_mask(3).array() && core::window_mask(3, 1).array()},
      {R"({"before":18446744073709551615})", core::causal_mask(3)},
      {R"({"edges":[[0,2,0.5],[1,0,0]]})", core::neighbourhood_mask(links)}};
  for (const auto& [named, mask] : masks) {
    request["allow"] = as_rows(mask);
    const Json expected = result_of(request);
    request["allow"] = Json::parse(named);
    CHECK(result_of(request) == expected);
  }
  check_errors(request, "allow",
               {{R"("past")", "bad_value /allow"},
                {R"({"window":-1})", "bad_value /allow/window"},
                {R"({"before":-1})", "bad_value /allow/before"},
                {R"({"before":1,"window":1})", "bad_value /allow"},
                {R"({"window":1,"edges":[]})", "bad_value /allow"},
                {R"({"edges":[[0,3,1]]})", "bad_value /allow/edges/0/1"}});
  CHECK(error_of(with(3, "allow", R"("causal")")) == "shape_mismatch /allow");
  CHECK(error_of(with(3, "allow", R"({"before":1})")) == "shape_mismatch /allow");
}

TEST_CASE("a window `before` equals its mask in rows, for every map and bias", "[bridge][kernels]") {
  Json request = Json::parse(
      R"({"op":"attend","queries":[[1,0],[0,1],[1,1],[2,-1]],"keys":[[1,2],[3,1],[0,1],[1,1]],"values":[[1],[2],[3],[5]],)"
      R"("bias":[[0,1,2,3],[1,0,1,2],[2,1,0,1],[3,2,1,0]]})");
  for (const char* map : {"softmax", "sparsemax", "none"}) {
    request["map"] = map;
    request["allow"] = Json::parse(
        "[[true,false,false,false],[true,true,false,false],[true,true,true,false],[false,true,true,true]]");
    const Json expected = result_of(request);
    request["allow"] = Json::parse(R"({"before":2})");
    CHECK(result_of(request) == expected);
  }
  Json many = Json::parse(
      R"({"op":"multihead","query":[[1],[2],[3],[4]],"key":[[1],[0],[2],[1]],"value":[[1],[2],[3],[5]],"num_heads":1,)"
      R"("in_proj_weight":[[1],[1],[1]],"in_proj_bias":[],"out_proj_weight":[[1]],"out_proj_bias":[],)"
      R"("allow":{"before":2}})");
  const Json weights = result_of(many).at("weights")[0];
  CHECK(weights[3][0] == 0.0);
  CHECK(weights[3][1] > 0.0);
  CHECK(weights[1][2] == 0.0);
}

TEST_CASE("an age bias is the slope times the age of the key", "[bridge][kernels]") {
  Json request = Json::parse(
      R"({"op":"attend","queries":[[1],[2]],"keys":[[3],[1],[2]],"values":[[1],[2],[3]],"bias":[[-2.5,-1,-0.5],[-4.5,-3,-2.5]]})");
  const Json expected = result_of(request);
  request["bias"] = Json::parse(R"({"query_times":[5,9],"key_times":[0,3,4],"slope":0.5})");
  CHECK(result_of(request) == expected);
  check_errors(
      request, "bias",
      {{R"({"query_times":[5],"key_times":[0,3,4],"slope":0.5})", "shape_mismatch /bias/query_times"},
       {R"({"query_times":[5,9],"key_times":[0,3],"slope":0.5})", "shape_mismatch /bias/key_times"},
       {R"({"query_times":[5,9],"key_times":[0,3,4]})", "missing_field /bias/slope"},
       {R"({"query_times":[5,9],"key_times":[0,3,4],"slope":1,"at":1})", "unknown_field /bias/at"}});
}

TEST_CASE("an empty bias of the head projections means no bias", "[bridge][kernels]") {
  Json request = good_requests()[4];
  request["out_proj_bias"] = {0, 0};
  const Json expected = result_of(request);
  request["out_proj_bias"] = request["in_proj_bias"] = Json::array();
  CHECK(result_of(request) == expected);
  request["in_proj_bias"] = {1};
  CHECK(error_of(request) == "shape_mismatch /in_proj_bias");
}

TEST_CASE("scores and attend store keys in the requested precision", "[bridge][kernels]") {
  const core::Matrix q = (core::Matrix(2, 2) << 0.1, 0.2, -0.5, 1).finished(),
                     k = (core::Matrix(3, 2) << 0.3, 0.4, 0.5, -0.6, 0.25, 2).finished();
  Json scores = Json::parse(
      R"({"op":"scores","queries":[[0.1,0.2],[-0.5,1]],"keys":[[0.3,0.4],[0.5,-0.6],[0.25,2]],"score":"dot"})");
  Json attend = scores;
  attend.update({{"op", "attend"}, {"values", scores.at("keys")}});
  attend.erase("score");
  for (const auto& precision : core::precisions) {
    core::PackedKeys keys(2, precision.value);
    core::PackedValues values(2, precision.value);
    keys.append(k);
    values.append(k);
    scores["precision"] = attend["precision"] = precision.name;
    const core::Matrix output = core::attend(keys, values, q, 1 / std::sqrt(2.0));
    const core::Vector first = core::scores(keys, q.row(0).transpose(), 1);
    const auto best = core::top_k(keys, q.row(1).transpose(), 2);
    CHECK(result_of(attend) ==
          Json({{"output", {{output(0, 0), output(0, 1)}, {output(1, 0), output(1, 1)}}}}));
    CHECK(result_of(scores).at("scores")[0] == Json({first[0], first[1], first[2]}));
    Json top = scores;
    top["top"] = 2;
    CHECK(result_of(top).at("best")[1] == Json({{{"key", best[0].key}, {"score", best[0].score}},
                                                {{"key", best[1].key}, {"score", best[1].score}}}));
    top["score"] = "cosine";
    CHECK(error_of(top) == "bad_value /precision");
    Json masked = attend;
    masked["map"] = "none";
    CHECK(error_of(masked) == "bad_value /precision");
  }
  scores["precision"] = attend["precision"] = "double";
  CHECK(error_of(scores).empty());
  CHECK(result_of(attend).contains("weights"));
  scores["top"] = 1;
  CHECK(error_of(scores) == "bad_value /top");
}

TEST_CASE("an error for a value out of range has its pointer", "[bridge][kernels]") {
  const std::vector<Json>& valid = good_requests();
  check_errors(valid[0], "keys", {{"[[1]]", "shape_mismatch /keys"}});
  check_errors(valid[0], "queries",
               {{"[[1,2],[3]]", "shape_mismatch /queries/1"}, {"[[1e308,1e308]]", "bad_value "}});
  check_errors(valid[1], "wb", {{"[[1,2]]", "shape_mismatch /wb"}});
  check_errors(valid[2], "v", {{"[1,2]", "shape_mismatch /v"}});
  check_errors(valid[3], "allow",
               {{"[[true]]", "shape_mismatch /allow/0"},
                {"[[true,false],[true,false]]", "shape_mismatch /allow"},
                {"[[true,2]]", "bad_value /allow/0/1"},
                {"[[true,\"no\"]]", "bad_value /allow/0/1"}});
  check_errors(valid[3], "bias", {{"[[1]]", "shape_mismatch /bias"}, {"[[1.7e308,1.7e308]]", ""}});
  check_errors(valid[3], "values", {{"[[1]]", "shape_mismatch /values"}});
  check_errors(valid[4], "num_heads", {{"3", "bad_value /num_heads"}});
  check_errors(valid[4], "in_proj_weight", {{"[[1,0]]", "shape_mismatch /in_proj_weight"}});
  check_errors(valid[4], "value", {{"[[5,6],[7,8]]", "shape_mismatch /value"}});
  check_errors(valid[5], "parameter", {{"0.5", ""}});
  check_errors(valid[5], "query", {{"[-1,-1]", ""}, {"[1,1,1]", "shape_mismatch /query"}});
  check_errors(valid[6], "n", {{"4", "shape_mismatch /restart"}});
  check_errors(valid[6], "edges",
               {{"[[0,1]]", "bad_value /edges/0"},
                {"[[0,1,1],[0,3,1]]", "bad_value /edges/1/1"},
                {"[[-1,1,1]]", "bad_value /edges/0/0"},
                {"[[0,1,-1]]", "bad_value /edges/0/2"}});
  check_errors(valid[6], "restart",
               {{"[0,0,0]", "bad_value /restart"}, {"[1,-1,0]", "bad_value /restart/1"}});
  check_errors(valid[7], "gaussian_basis",
               {{R"({"mu":[1],"sigma":[0]})", "bad_value /gaussian_basis/sigma/0"},
                {R"({"mu":[1],"sigma":[1,2]})", "shape_mismatch /gaussian_basis/sigma"},
                {R"({"mu":[1]})", "missing_field /gaussian_basis/sigma"},
                {R"({"mu":[1],"sigma":[1],"op":1})", "unknown_field /gaussian_basis/op"}});
  check_errors(valid[8], "times", {{"[0]", "shape_mismatch /times"}});
  Json root = with(5, "parameter", "0.5");
  root["query"] = {-1, -1};
  CHECK(error_of(root) == "bad_value -");  // the score is negative, so it has no square root
  Json entmax = with(5, "separation", "\"entmax\"");
  entmax["parameter"] = 0.5;
  CHECK(error_of(entmax) == "bad_value /parameter");
  Json twice = with(8, "gaussian_basis", R"({"mu":[1,1],"sigma":[1,1]})");
  twice["ridge"] = 0;
  CHECK(error_of(twice) == "bad_value -");  // two equal basis functions have no unique fit
}

TEST_CASE("kernel requests beyond the limits are refused before work begins", "[bridge][kernels]") {
  const auto rows = [](std::size_t n, const Json& row) { return Json(std::vector<Json>(n, row)); };
  const Json tall = rows(3000, {1.0});
  CHECK(error_of({{"op", "scores"}, {"queries", tall}, {"keys", tall}, {"score", "dot"}}) ==
        "limit_exceeded ");
  CHECK(error_of({{"op", "attend"}, {"queries", tall}, {"keys", tall}, {"values", tall}}) ==
        "limit_exceeded ");
  CHECK(error_of({{"op", "scores"},
                  {"queries", tall},
                  {"keys", {{1}}},
                  {"score", "additive"},
                  {"wq", tall},
                  {"wk", tall},
                  {"b", rows(3000, 1.0)},
                  {"v", rows(3000, 1.0)}}) == "limit_exceeded ");
  CHECK(error_of({{"op", "scores"},
                  {"queries", tall},
                  {"keys", Json::array({rows(3000, 1.0)})},
                  {"score", "bilinear"},
                  {"wb", Json::array({rows(3000, 1.0)})}}) == "limit_exceeded ");
  CHECK(error_of(with(6, "steps", "1000000000")) == "limit_exceeded ");
  Json basis = good_requests()[8];
  basis["values"] = rows(3000, {1.0});
  basis["scores"] = basis["times"] = rows(3000, 1.0);
  basis["gaussian_basis"] = {{"mu", rows(3000, 1.0)}, {"sigma", rows(3000, 1.0)}};
  CHECK(error_of(basis) == "limit_exceeded ");
}
