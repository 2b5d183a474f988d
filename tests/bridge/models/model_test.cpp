// SPDX-License-Identifier: MIT
#include "bridge/models/model.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "core/proofs/proof_methods.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

namespace engram::bridge {
namespace {

using Json = nlohmann::ordered_json;
using engram::testing::contains;
using engram::testing::message_of;

Model some_model() {
  return {"pagerank", core::ConfiguredMethod("pagerank", {{"damping", 0.1 + 0.2}}).options(),
          Json{{"by", "a test"}}};
}

// The text of a model with `from` replaced by `to`. If `sums`, the checksum is updated to fit.
std::string changed(const std::string& from, const std::string& to, bool sums = true) {
  std::string text = to_text(some_model());
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  if (!sums) return text;
  Json json = Json::parse(text);
  json.erase("sha256");
  json["sha256"] = sha256_of_text(json.dump());
  return json.dump();
}

std::string error_of(const std::string& text) {
  return message_of<ModelError>([&] { model_in(text); });
}

}  // namespace

TEST_CASE("a model survives a round trip exactly", "[bridge][models]") {
  const Model model = some_model();
  const Model again = model_in(to_text(model));
  CHECK(again.method == model.method);
  CHECK(again.options == model.options);
  CHECK(again.made == model.made);
  CHECK(to_text(again) == to_text(model));
  const auto path = std::filesystem::temp_directory_path() / "engram_model_test.engram";
  write_file(path, to_text(model));
  CHECK(read_model(path).options == model.options);
  write_file(path, "{}");
  CHECK(contains(message_of<ModelError>([&] { read_model(path); }), path.string()));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(read_model(path), std::system_error);
  CHECK_THROWS_AS(read_model(std::filesystem::temp_directory_path()), std::system_error);
}

TEST_CASE("invalid, damaged, unknown and newer model files are refused", "[bridge][models]") {
  CHECK(contains(error_of("no"), "is no model"));
  CHECK(contains(error_of("{}"), "is no model: /engram_model"));
  CHECK(contains(error_of("[]"), "is no model"));
  CHECK(contains(error_of(std::string(std::size_t{2} << 20, ' ')), "is no model"));
  CHECK(error_of(to_text(some_model())) == "no error");
  CHECK(contains(error_of(changed("0.30000000000000004", "0.3", false)), "damaged"));
  CHECK(contains(error_of(changed("a test", "another", false)), "damaged"));
  CHECK(contains(error_of(changed("\"engram_model\": 1", "\"engram_model\": 2")), "format 2"));
  CHECK(contains(error_of(changed("\"pagerank\"", "\"pagerang\"")), "pagerank"));
  CHECK(contains(error_of(changed("\"damping\"", "\"damp\"")), "/options/damp"));
  CHECK(
      contains(error_of(changed("0.30000000000000004", "7")), "/options/damping: option 'damping' must be"));
  CHECK(contains(error_of(changed("0.30000000000000004", "[]")), "/options/damping"));
  CHECK(contains(error_of(changed("\"made\"", "\"maid\"")), "is no model"));
  CHECK(contains(error_of(changed("{", R"({"more": 1,)")), "more"));
}

TEST_CASE("the learner's state survives a round trip with its model exactly", "[bridge][models]") {
  core::ProofWeights weights = core::shipped_proof_weights;
  weights[0] = 0.1 + 0.2;
  core::ProofLearnerState state = core::ProofLearner(core::plain_proof_weights, {.precision = 3}).state();
  state.weights = weights;
  state.covariance[1] = -1.0 / 7;
  state.answered = 5;
  state.failed = 2;
  const core::Method& method = core::method_named("proof_attention");
  const Model model{"proof_attention", core::ConfiguredMethod(method, core::options_of(weights)).options(),
                    Json{{"by", "a test"}}, state};
  const Model again = model_in(to_text(model));
  REQUIRE(again.learning);
  CHECK(*again.learning == state);
  CHECK(to_text(again) == to_text(model));

  const auto refused = [&](auto change) {
    Json json = to_json(model);
    change(json);
    json.erase("sha256");
    json["sha256"] = sha256_of_text(json.dump());
    return error_of(json.dump());
  };
  CHECK(refused([](Json&) {}) == "no error");
  CHECK(contains(refused([](Json& json) { json["learning"]["covariance"].erase(0); }),
                 "/learning: there must be 78 covariances, found 77"));
  CHECK(contains(refused([](Json& json) { json["learning"]["covariance"][2] = "much"; }),
                 "/learning/covariance/2"));
  CHECK(contains(refused([](Json& json) { json["learning"]["start"]["hub"] = 40; }),
                 "/learning: weights must be in [-30, 30], found 40"));
  CHECK(contains(refused([](Json& json) { json["learning"]["start"].erase("hub"); }), "/learning/start/hub"));
  CHECK(contains(refused([](Json& json) { json["learning"].erase("failed"); }), "/learning/failed"));
  // In earlier versions the trained weights of this method had another meaning, so such a model is refused.
  CHECK(contains(refused([](Json& json) { json["method"] = "path_attention"; }), "train it again"));
  CHECK(contains(refused([](Json& json) { json["learning"]["more"] = 1; }), "more"));
  CHECK(contains(refused([](Json& json) { json["learning"] = 7; }), "/learning"));
  CHECK(contains(refused([](Json& json) {
                   json["method"] = "pagerank";
                   json["options"] = Json::object();
                 }),
                 "only models of proof_attention can have it"));
}

}  // namespace engram::bridge
