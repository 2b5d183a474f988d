// SPDX-License-Identifier: MIT
#include "experiments/sensors/grid_world.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/formats/files.hpp"
#include "experiments/sensors/grid_film.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::sensors {
namespace {

// Reference for all distances: the Floyd-Warshall algorithm, which does not use breadth-first search.
std::vector<std::vector<int>> all_distances(const GridMap& map) {
  const auto& cells = map.free_cells();
  const std::size_t n = cells.size();
  std::vector<std::vector<int>> steps(n, std::vector<int>(n, 1'000'000));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (const int apart = std::abs(cells[a].x - cells[b].x) + std::abs(cells[a].y - cells[b].y); apart <= 1)
        steps[a][b] = apart;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) steps[a][b] = std::min(steps[a][b], steps[a][k] + steps[k][b]);
  return steps;
}

std::size_t walls_of(const GridMap& map) {
  return static_cast<std::size_t>(map.width() * map.height()) - map.free_cells().size();
}

std::vector<std::string> events_of(const std::vector<Sight>& seen, bool relevant) {
  std::vector<std::string> events;
  for (const Sight& sight : seen)
    if (sight.relevant == relevant) events.push_back(sight.event);
  return events;
}

const GridMap bend({"..#.",  //
                    ".##.",  //
                    "...."});

TEST_CASE("shortest paths avoid walls", "[experiments][sensors][grid]") {
  // By hand: the path from (1, 0) to (3, 0) leads down the left side, along the bottom and up the right side.
  CHECK(bend.distances({3, 0})[bend.place({1, 0})] == 8);
  CHECK(bend.distances({1, 0})[bend.place({0, 1})] == 2);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    core::Rng rng(seed, "map");
    const GridMap map = draw_grid_map(9, 7, 0.1 * static_cast<double>(seed % 5), rng);
    const auto expected = all_distances(map);
    for (std::size_t to = 0; to < expected.size(); ++to)
      REQUIRE(map.distances(map.free_cells()[to]) == expected[to]);
  }
}

TEST_CASE("a map has the requested number of walls, and its free cells are connected",
          "[experiments][sensors][grid]") {
  std::set<std::vector<std::string>> maps;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    core::Rng rng(seed, "map");
    const GridMap map = draw_grid_map(10, 8, 0.2, rng);
    CHECK(walls_of(map) == 16);
    maps.insert(map.rows());
  }
  CHECK(maps.size() == 20);
  core::Rng rng(1, "map");
  CHECK(walls_of(draw_grid_map(20, 20, 0, rng)) == 0);
  CHECK_THROWS_WITH(GridMap({".#."}), Catch::Matchers::Contains("in one piece"));
  CHECK_THROWS_WITH(GridMap({"#.", "."}), Catch::Matchers::Contains("one length"));
  CHECK_THROWS_WITH(GridMap({"#.x"}), Catch::Matchers::Contains(". and # alone"));
  CHECK_THROWS_WITH(GridMap({"#."}), Catch::Matchers::Contains("two squares"));
  CHECK_THROWS_WITH(GridMap(std::vector<std::string>(21, "..")), Catch::Matchers::Contains("1 to 20"));
}

TEST_CASE("random_walk matches values computed by hand", "[experiments][sensors][grid]") {
  // Two cells in a row: the food is always in the other cell, and one of four directions leads there.
  const RandomWalk two = random_walk(GridMap({".."}));
  CHECK(two.closer == Approx(0.25));
  CHECK(two.reached == Approx(0.25));
  // Three cells: the expected numbers of steps are 12 from end to end, 8 from the middle to an end, and 4 from an end
  // to the middle. The sum over the six pairs of cells is 2 * 12 + 2 * 8 + 2 * 4 = 48.
  const RandomWalk three = random_walk(GridMap({"..."}));
  CHECK(three.reached == Approx(6.0 / 48));
  CHECK(three.closer == Approx(0.25));  // one of four directions leads closer, wherever the food is
}

TEST_CASE("an agent senses its food, adjacent walls and every bird", "[experiments][sensors][grid]") {
  const auto seen = look_around(bend, {{0, 1}, {3, 0}, {{0, 1}, {3, 1}, {2, 0}, {0, 2}, {1, 0}}});
  CHECK(events_of(seen, true) ==
        std::vector<std::string>{"food_right", "food_up", "wall_left", "wall_right"});
  CHECK(events_of(seen, false) == std::vector<std::string>{"bird_1_here", "bird_2_right", "bird_3_right",
                                                           "bird_4_down", "bird_5_right"});
  CHECK(seen[0].cell == GridCell{3, 0});
  CHECK(seen[2].cell == GridCell{-1, 1});
  CHECK(events_of(look_around(bend, {{1, 2}, {3, 2}, {}}), true) ==
        std::vector<std::string>{"food_right", "wall_up", "wall_down"});
}

TEST_CASE("a step is right if it leads closer, and food that is reached scores a point and reappears",
          "[experiments][sensors][grid]") {
  GridWorld world({.distractors = 5, .width = 6, .height = 5, .walls = 0.25, .things = 4}, 3);
  core::Rng rng(2, "operations");
  std::set<std::pair<int, int>> places;
  double score = 0;
  for (int step = 0; step < 3000; ++step) {
    const GridScene before = world.scene();
    const Sensed sensed = world.sense();
    REQUIRE(sensed.goal == "nearer");
    std::vector<std::string> relevant;
    for (const std::uint32_t place : sensed.relevant) relevant.push_back(sensed.events[place]);
    REQUIRE(relevant == events_of(look_around(world.map(), before), true));
    REQUIRE(sensed.events.size() == relevant.size() + 4 + 5);
    const std::size_t done = rng.below(5);
    const Acted acted = world.act(done < 4 ? std::optional(done) : std::nullopt);

    const auto distance = all_distances(world.map());
    const std::size_t food = world.map().place(before.food);
    const GridCell at = world.scene().agent;
    const bool closer =
        distance[world.map().place(at)][food] < distance[world.map().place(before.agent)][food];
    REQUIRE(acted.right == closer);
    const int moved = std::abs(at.x - before.agent.x) + std::abs(at.y - before.agent.y);
    REQUIRE(moved <= (done < 4 ? 1 : 0));
    REQUIRE(world.map().is_free(at));
    if (at == before.food) {
      REQUIRE(acted.events == std::vector<std::string>{"nearer", "eaten"});
      places.insert({world.scene().food.x, world.scene().food.y});
    } else {
      REQUIRE(acted.events == (closer ? std::vector<std::string>{"nearer"} : std::vector<std::string>{}));
      REQUIRE(world.scene().food == before.food);
    }
    REQUIRE(acted.score == (at == before.food ? 1 : 0));
    REQUIRE(world.map().is_free(world.scene().food));
    REQUIRE(!(world.scene().food == at));
    score += acted.score;
    for (std::size_t i = 0; i < 4; ++i) {
      const GridCell from = before.birds[i], to = world.scene().birds[i];
      REQUIRE(std::abs(from.x - to.x) + std::abs(from.y - to.y) <= 1);
      REQUIRE((to.x >= 0 && to.y >= 0 && to.x < 6 && to.y < 5));
    }
  }
  CHECK(score >= 20);
  CHECK(places.size() > 10);
}

GridFilm filmed(std::size_t steps) {
  GridWorld world({.distractors = 3, .width = 7, .height = 5, .things = 6}, 5);
  GridFilm film{world.map(), {}};
  std::size_t score = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const Sensed sensed = world.sense();
    GridFrame frame{world.scene(), {}, world.operations()[*world.best()]};
    frame.passed_on = {sensed.events[sensed.relevant[0]], "bird_2_left", "<&>"};
    score += static_cast<std::size_t>(world.act(world.best()).score);
    frame.score = score;
    film.frames.push_back(frame);
  }
  return film;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("a film shows the selected events and survives a round trip through its row",
          "[experiments][sensors][grid]") {
  const GridFilm film = filmed(12);
  const std::string svg = grid_film("seen", film).svg;
  CHECK(svg == grid_film("seen", film_in(film_json(film))).svg);
  CHECK(times(svg, "<g class=\"seen\"") == 12);
  CHECK(times(svg, "visibility=\"hidden\"") == 11);
  // The group of the first frame is the visible one.
  CHECK(svg.find("<g class=\"seen\" style") < svg.find("<g class=\"seen\" visibility"));
  CHECK(times(svg, "@keyframes seen") == 1);
  CHECK(times(svg, "&lt;&amp;&gt;") == 12);
  CHECK(times(svg, "<&>") == 0);
  CHECK(times(svg, "step 12, eaten") == 1);

  // A ring marks a selected event. The food always has one. Bird 2 has one only while it is to the left, because no
  // other event of a bird was selected.
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const auto seen = look_around(film.map, film.frames[i].scene);
    const bool bird = std::ranges::find(seen, "bird_2_left", &Sight::event) != seen.end();
    const std::string picture = grid_picture("one", film, i).svg;
    CHECK(times(picture, "stroke-dasharray") == (bird ? 2 : 1));
    CHECK(times(picture, "@keyframes") == 0);
    CHECK(times(picture, "font-weight=\"bold\"") == 1);
  }
  CHECK(times(grid_film("one", filmed(1)).svg, "animation:") == 0);
  CHECK_THROWS_AS(grid_picture("one", film, 12), std::out_of_range);
  CHECK_THROWS_AS(grid_film("a b", film), std::invalid_argument);
  CHECK_THROWS_AS(grid_film("none", {film.map, {}}), std::invalid_argument);
}

TEST_CASE("an invalid film in a row is refused", "[experiments][sensors][grid]") {
  const Json good = film_json(filmed(2));
  const auto refused = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    INFO(pointer << " " << value);
    CHECK_THROWS_AS(film_in(bad), SpecError);
  };
  refused("/map", {"..", "."});
  refused("/map", 3);
  refused("/frames/1/agent", {99, 0});
  refused("/frames/1/agent", {-1, 0});
  refused("/frames/1/agent", Json::array());
  refused("/frames/0/birds/0", {0, 5});
  refused("/frames/0/birds/0", {0, 1, 2});
  refused("/frames/0/passed_on", {1});
  refused("/frames/0/score", -1);
  for (const auto& [name, value] : good.at("frames").at(0).items()) {
    Json bad = good;
    bad["frames"][0].erase(name);
    CHECK_THROWS_AS(film_in(bad), SpecError);
  }
  Json walled = good;
  walled["frames"][0]["food"] = {0, 0};
  walled["map"][0].get_ref<std::string&>()[0] = '#';
  CHECK_THROWS_AS(film_in(walled), SpecError);
}

}  // namespace
}  // namespace engram::experiments::sensors
