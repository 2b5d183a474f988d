// SPDX-License-Identifier: MIT
// Tests of the operation `positional`: position encodings of the graph in the request.
#include <nlohmann/json.hpp>
#include <string>

#include "core/attention/attention.hpp"
#include "core/embeddings/embedding.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::asked_with;
using bridge::error_in;
using bridge::list;
using bridge::result_of;
using Json = nlohmann::json;

namespace {

const char* const triangle =
    R"({"op":"positional","n":4,"edges":[[0,1,0.5],[1,2,1],[2,0,0.1],[2,2,3],[1,0,0.25]],"steps":3})";

// "code pointer" of the error if one field is changed, or removed if the value is empty. Empty if the request succeeds.
std::string error_with(const std::string& field, const std::string& value) {
  return error_in(asked_with(Json::parse(triangle), field, value));
}

}  // namespace

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
  const Json plain = result_of(request.dump());
  CHECK(plain.size() == 4);
  CHECK(plain.at("laplacian").at("values") == list(expected.values));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(plain.at("laplacian").at("vectors").at(i) ==
          list(expected.vectors.row(static_cast<core::Index>(i))));
  request["times"] = {0, 2.5, -7};
  const core::Vector times = (core::Vector(3) << 0, 2.5, -7).finished();
  const core::Matrix waves = core::sinusoidal_positions(times, 2);
  const Json timed = result_of(request.dump());
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(timed.at("sinusoidal").at(i) == list(waves.row(static_cast<core::Index>(i))));
  CHECK(error_in(asked_with(request, "dimensions", "")) == "missing_field /dimensions");
  CHECK(error_in(asked_with(request, "dimensions", "1000000000")) == "limit_exceeded ");
  CHECK(error_in(asked_with(request, "times", "[1e10]")) == "bad_value -");
  request["dimensions"] = 9;  // more than the number of nodes
  CHECK(result_of(request.dump()).at("laplacian").at("values").size() < 4);
}

TEST_CASE("each error of positional has its pointer", "[bridge][kernels]") {
  CHECK(error_with("edges", "[]").empty());
  for (const char* field : {"n", "edges", "steps"})
    CHECK(error_with(field, "") == std::string("missing_field /") + field);
  for (const char* field : {"n", "steps"})
    for (const char* wrong : {"0", "-1", "1.5", "\"3\"", "null", "[3]"})
      CHECK(error_with(field, wrong) == std::string("bad_value /") + field);
  CHECK(error_with("damping", "0.5") == "unknown_field /damping");
  CHECK(error_with("n", "2") == "bad_value /edges/1/1");
  CHECK(error_with("edges", "[[0,1]]") == "bad_value /edges/0");
  CHECK(error_with("edges", "[[0,1,-1]]") == "bad_value /edges/0/2");
  CHECK(error_with("edges", "[[0,1,1.7e308],[0,2,1.7e308]]") == "bad_value -");  // the degree overflows
  CHECK(error_with("edges", "[[0,1,1.7e308]]") == "bad_value ");                 // an eigenvalue overflows
  CHECK(error_with("edges", "[[0,1,8e307],[1,2,1e-300]]").empty());
}

TEST_CASE("positional refuses graphs beyond the limits before work begins", "[bridge][kernels]") {
  CHECK(error_with("n", "1000000000") == "limit_exceeded ");
  CHECK(error_with("n", "3000") == "limit_exceeded ");
  CHECK(error_with("steps", "1000000000") == "limit_exceeded ");
}
