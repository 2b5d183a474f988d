// SPDX-License-Identifier: MIT
// Tests of the operation `view` against a reference that computes and sorts all concepts and links.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::Protocol;
using bridge::reply_to;
using bridge::result_of;
using bridge::tell;
using Json = nlohmann::json;

namespace {

// Random sentences in which few concepts occur often and most are rare.
std::string random_sentences(std::uint64_t seed, std::size_t count) {
  core::Rng rng(seed, "view");
  std::string text;
  const auto name = [&] { return "n" + std::to_string(rng.below(1 + rng.below(60))); };
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = rng.below(10);
    if (kind == 0)
      text += std::to_string(1 + rng.below(9)) + "\n";
    else if (kind == 1)
      text += "<" + name() + " --> (&," + name() + ",x" + std::to_string(i) + ")>. %" +
              std::to_string(rng.below(2)) + ";0.5%\n";
    else
      text += "<" + name() + " --> " + name() + "1>.\n";
  }
  return text;
}

struct Row {
  double priority, use;
  std::uint32_t id;
};

Json obvious_view(const core::Session& session, std::size_t top, std::size_t most_links) {
  const core::Memory& memory = session.memory();
  const core::ConceptGraph& graph = memory.graph();
  const core::SparseVector& given = session.budget(core::AllocationOf::concepts);
  std::vector<Row> rows;
  for (std::uint32_t id = 0; id < graph.size(); ++id) {
    if (!graph.was_active(id)) continue;
    const double w = graph.activity(id, memory.now());
    const double use = w / (w + static_cast<double>(memory.now() - graph[id].updated) + 1);
    const double priority = given.size() == 0 ? use : id < given.size() ? given[id] / given.max() : 0.0;
    rows.push_back({priority, use, id});
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tie(b.priority, b.use, a.id) < std::tie(a.priority, a.use, b.id);
  });
  rows.resize(std::min(rows.size(), top));
  Json shown = Json::array();
  std::set<std::uint32_t> ids;
  for (const Row& row : rows) {
    ids.insert(row.id);
    double weight = 0, confidence = 0;
    const auto links = graph.links_of(row.id);
    for (std::size_t i = links.size() - std::min<std::size_t>(links.size(), 64); i < links.size(); ++i) {
      const core::HebbianLink link = graph.link(links[i], row.id);
      weight += graph.weight(link, memory.now());
      confidence += graph.weight(link, memory.now()) * graph.truth(link, memory.now()).confidence;
    }
    const double w = graph.activity(row.id, memory.now());
    shown.push_back({{"concept", row.id},
                     {"term", narsese::print(graph.term(row.id))},
                     {"priority", row.priority},
                     {"durability", w / (w + 1)},
                     {"quality", weight > 0 ? confidence / weight : 0.0},
                     {"uses", w},
                     {"last", graph[row.id].updated}});
  }
  struct Edge {
    double weight, c, f;
    std::uint32_t source, target;
  };
  std::vector<Edge> edges;
  const core::HebbianLinks all = graph.hebbian_links();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const core::HebbianLink link = all[i];
    const narsese::TruthValue truth = graph.truth(link, memory.now());
    if (truth.confidence > 0 && ids.contains(link.source) && ids.contains(link.target))
      edges.push_back(
          {graph.weight(link, memory.now()), truth.confidence, truth.frequency, link.source, link.target});
  }
  std::ranges::sort(edges, [](const Edge& a, const Edge& b) {
    return std::tie(b.weight, b.c, a.source, a.target) < std::tie(a.weight, a.c, b.source, b.target);
  });
  edges.resize(std::min(edges.size(), most_links));
  Json list = Json::array();
  for (const Edge& edge : edges)
    list.push_back({{"source", edge.source},
                    {"target", edge.target},
                    {"weight", edge.weight},
                    {"f", edge.f},
                    {"c", edge.c}});
  return {{"shown", shown}, {"edges", list}};
}

void check_against_obvious(Protocol& protocol, std::size_t top, std::size_t links) {
  const Json view = result_of(protocol, {{"op", "view"}, {"top", top}, {"links", links}});
  const Json wanted = obvious_view(protocol.session(), top, links);
  CAPTURE(top, links);
  CHECK(view.at("shown") == wanted.at("shown"));
  CHECK(view.at("edges") == wanted.at("edges"));
}

}  // namespace

TEST_CASE("view returns what the reference returns", "[bridge][view]") {
  for (const double decay : {0.0, 0.01})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      core::MemoryOptions options;
      options.decay = decay;
      Protocol protocol(options);
      tell(protocol, random_sentences(seed, 400));
      tell(protocol,
           "<(*,n1,n2) --> associated>. "
           "%0.25000000000000000000000000000000;0.50000000000000000000000000000000%");
      CAPTURE(decay, seed);
      for (const std::size_t top : {1U, 2U, 7U, 30U, 2000U})
        for (const std::size_t links : {0U, 3U, 10000U}) check_against_obvious(protocol, top, links);
    }
}

TEST_CASE("view finds the strongest links of concepts with more links than it shows", "[bridge][view]") {
  Protocol protocol;
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "<spoke" + std::to_string(i) + " --> hub" + std::to_string(i % 2) + ">.\n";
  tell(protocol, text + "<hub0 --> hub1>.\n<spoke7 --> hub1>.\n");
  for (const std::size_t top : {1U, 2U, 3U, 5U, 50U, 301U}) check_against_obvious(protocol, top, 10'000);
  const Json view = result_of(protocol, {{"op", "view"}, {"top", 3}});
  CHECK(view.at("edges").size() == 2);  // the link between the hubs, and the link of spoke7 and hub1
}

TEST_CASE("view shows allocated budgets as priorities", "[bridge][view]") {
  Protocol protocol;
  tell(protocol, random_sentences(4, 300));
  CHECK(result_of(protocol, {{"op", "view"}}).at("priorities") == "use");
  const Json budgets =
      result_of(protocol, {{"op", "allocate"}, {"cue", "n1"}, {"of", "concepts"}, {"capacity", 5}})
          .at("budgets");
  const Json view = result_of(protocol, {{"op", "view"}, {"top", 30}});
  CHECK(view.at("priorities") == "allocation");
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    CHECK(view.at("shown")[i].at("term") == budgets[i].at("term"));
    CHECK(view.at("shown")[i].at("priority").get<double>() ==
          Approx(budgets[i].at("priority").get<double>()));
    CHECK(view.at("shown")[i].at("durability").get<double>() ==
          Approx(budgets[i].at("durability").get<double>()));
  }
  for (const std::size_t top : {1U, 4U, 5U, 6U, 30U}) check_against_obvious(protocol, top, 600);
  tell(protocol, "<new1 --> new2>.");  // these two concepts are new, so they have no budget
  check_against_obvious(protocol, 100, 600);
}

TEST_CASE("a version identifies one state, and an unchanged state is reported as such", "[bridge][view]") {
  Protocol protocol;
  std::set<std::uint64_t> seen;
  const auto version = [&] {
    return result_of(protocol, {{"op", "view"}}).at("version").get<std::uint64_t>();
  };
  const auto is_new = [&] { return seen.insert(version()).second; };
  CHECK(is_new());
  tell(protocol, "<a --> b>.");
  CHECK(is_new());
  const auto now = version();
  CHECK(result_of(protocol, {{"op", "view"}, {"since", now}}) ==
        Json({{"version", now}, {"unchanged", true}}));
  CHECK_FALSE(result_of(protocol, {{"op", "view"}, {"since", now + 1}}).contains("unchanged"));
  for (const char* question : {R"({"op":"recall","cue":"a"})", R"({"op":"links"})", R"({"op":"stats"})"}) {
    reply_to(protocol, question);
    CHECK(version() == now);
  }
  for (int i = 0; i < 3; ++i) {
    tell(protocol, "<a --> b>.");
    CHECK(is_new());
    result_of(protocol, {{"op", "allocate"}, {"cue", "a"}, {"of", "concepts"}, {"capacity", 1}});
    CHECK(is_new());
    result_of(protocol, {{"op", "reset"}});
    CHECK(is_new());
  }
}

TEST_CASE("view returns the latest input lines as they were written", "[bridge][view]") {
  core::MemoryOptions options;
  options.limits.max_statements = 40;
  Protocol protocol(options, {}, {.policy = core::ForgettingPolicy::recent});
  const auto latest = [&] {
    return result_of(protocol, {{"op", "view"}}).at("latest").get<std::vector<std::string>>();
  };
  CHECK(latest().empty());
  tell(protocol, "<a --> b>. %0.5;0.5%\n<a --> ?1>?\n<a --> b>. %1;0.9%\n3\n<c --> d>! :|:");
  CHECK(latest() == std::vector<std::string>{"<a --> b>. %0.5;0.5%", "<a --> ?1>?", "<a --> b>. %1;0.9%",
                                             "<c --> d>! :|:"});
  std::string text;
  for (int i = 0; i < 500; ++i) text += "<x" + std::to_string(i) + " --> y>.\n";
  tell(protocol, text);  // the view shows only the latest 20 of these 500 inputs
  REQUIRE(latest().size() == 20);
  for (int i = 0; i < 20; ++i)
    CHECK(latest()[static_cast<std::size_t>(i)] == "<x" + std::to_string(480 + i) + " --> y>.");
  const std::string name(1000, 'n');
  tell(protocol, "<" + name + "1 --> " + name + "2>?");
  CHECK(latest().back().size() == 1024 + 3);
  result_of(protocol, {{"op", "reset"}});
  CHECK(latest().empty());
}

TEST_CASE("clients of a shared memory see the same view, and a read-only client cannot change it",
          "[bridge][view][shared]") {
  const auto shared = std::make_shared<bridge::SharedSession>(std::make_shared<core::Session>());
  Protocol writer = Protocol::on(shared), reader = Protocol::on(shared), alone;
  Protocol onlooker = Protocol::on(shared, bridge::ProtocolLimits{.changes = false});
  for (const std::uint64_t seed : {5U, 6U}) {
    const std::string text = random_sentences(seed, 100);
    tell(writer, text);
    tell(alone, text);
    Json view = result_of(reader, {{"op", "view"}});
    CHECK(view == result_of(onlooker, {{"op", "view"}}));
    Json wanted = result_of(alone, {{"op", "view"}});
    view.erase("bytes"), wanted.erase("bytes");  // the number of bytes depends on earlier requests
    CHECK(view == wanted);
  }
  const Json before = result_of(reader, {{"op", "stats"}});
  for (const char* change : {R"({"op":"input","narsese":"<a --> b>."})", R"({"op":"reset"})"})
    CHECK(bridge::error_in(reply_to(onlooker, change)) == "bad_value /op");
  result_of(onlooker, {{"op", "allocate"}, {"cue", "n1"}, {"of", "concepts"}, {"capacity", 5}});
  CHECK(result_of(reader, {{"op", "view"}}).at("priorities") == "use");
  CHECK(result_of(reader, {{"op", "stats"}}).at("cycles") == before.at("cycles"));
  CHECK_FALSE(result_of(reader, {{"op", "view"}}).contains("gate"));
}
