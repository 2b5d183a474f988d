// SPDX-License-Identifier: MIT
#include "experiments/links/link_model.hpp"

#include "bridge/models/model.hpp"
#include "experiments/links/link_predictors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::links;
using namespace engram::testing;
using core::Fact;

namespace {

LinkModel small_model() {
  return {{"parent", "friend"},
          LinkNetwork(4, {.layers = 2, .width = 20, .most_edges = 9, .dependent = false}, 3),
          {{"by", "hand"}}};
}

std::string changed(const std::function<void(Json&)>& change) {
  Json json = Json::parse(to_text(small_model()));
  change(json);
  json.erase("sha256");
  return bridge::sealed(json).dump();
}

std::string refusal(const std::string& text) {
  try {
    link_model_in(text);
  } catch (const bridge::ModelError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a network survives a round trip through a file", "[experiments][links]") {
  const LinkModel model = small_model(), read = link_model_in(to_text(model));
  CHECK(read.relations == model.relations);
  CHECK(read.network.parameters() == model.network.parameters());
  CHECK(read.network.options().layers == 2);
  CHECK(read.network.options().width == 20);
  CHECK(read.network.options().most_edges == 9);
  CHECK_FALSE(read.network.options().dependent);
  CHECK(read.made == model.made);
  CHECK(to_text(read) == to_text(model));
}

TEST_CASE("relations are matched by name, with their reciprocals", "[experiments][links]") {
  const LinkModel model = small_model();
  const std::vector<std::string> other{"friend", "parent"};
  CHECK(model.number_of(0, other) == 1);
  CHECK(model.number_of(1, other) == 0);
  CHECK(model.number_of(2, other) == 3);
  CHECK(model.number_of(3, other) == 2);
  CHECK(model.facts(std::vector<Fact>{{5, 0, 6}, {7, 1, 8}}, other) ==
        std::vector<Fact>{{5, 1, 6}, {7, 0, 8}});
  CHECK_THROWS_AS(model.facts({}, {"friend", "enemy"}), std::out_of_range);
}

TEST_CASE("an invalid network file is refused with the reason", "[experiments][links]") {
  CHECK(refusal("{") != "none");
  CHECK(refusal("{}").find("an Engram model") != std::string::npos);
  std::string text = to_text(small_model());
  text[text.find("parent")] = 'q';
  CHECK(refusal(text).find("is damaged or was changed") != std::string::npos);
  CHECK(refusal(changed([](Json& json) { json["engram_model"] = 2; })).find("of format 2") !=
        std::string::npos);
  const auto refused_at = [](const std::string& pointer, const std::function<void(Json&)>& change) {
    INFO(pointer);
    CHECK(refusal(changed(change)).find(pointer) != std::string::npos);
  };
  refused_at("/method", [](Json& json) { json["method"] = "attention"; });
  refused_at("/relations/1", [](Json& json) { json["relations"][1] = "parent"; });
  refused_at("/relations", [](Json& json) { json["relations"] = Json::array(); });
  refused_at("/options/layers", [](Json& json) { json["options"]["layers"] = 0; });
  refused_at("/options: layers", [](Json& json) { json["options"]["layers"] = 17; });
  refused_at("/options/more", [](Json& json) { json["options"]["more"] = 1; });
  refused_at("/parameters", [](Json& json) { json["parameters"] = "zz"; });
  refused_at("/parameters", [](Json& json) { json["parameters"] = "00000000"; });
  refused_at("finite", [](Json& json) {
    std::string hex = json["parameters"];
    // The bytes of the first parameter become those of infinity.
    json["parameters"] = hex.replace(0, 8, "0000807f");
  });
  refused_at("/more", [](Json& json) { json["more"] = 1; });
}

TEST_CASE("network_scores gives the scores of reached entities, and one common score to all others",
          "[experiments][links]") {
  const LinkModel model = small_model();
  const core::RelationalGraph graph(6, 2, std::vector<Fact>{{0, 0, 1}, {1, 1, 2}, {4, 0, 5}});
  const core::Vector scores = network_scores(model.network, graph)({0, 1, 3});
  LinkNetwork::Trace trace;
  model.network.forward(graph, {0, 1}, trace);
  REQUIRE(trace.reached == std::vector<std::uint32_t>{0, 1, 2});
  for (std::size_t place = 0; place < 3; ++place)
    CHECK(scores[trace.reached[place]] == static_cast<double>(trace.scores[place]));
  for (const core::Index entity : {3, 4, 5}) CHECK(scores[entity] == static_cast<double>(trace.unreached));
}
