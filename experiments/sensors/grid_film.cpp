// SPDX-License-Identifier: MIT
#include "experiments/sensors/grid_film.hpp"

#include <algorithm>

#include "core/numbers/shapes.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"

namespace engram::experiments::sensors {
namespace {

constexpr int square = 36, edge = 12;  // sizes of a square and of the outer walls, in SVG units
constexpr int text_width = 190, line_height = 17;
constexpr int most_listed = 12;          // most events listed beside a frame; chosen
constexpr double seconds_a_frame = 0.8;  // chosen: long enough to read the events passed on

constexpr const char* attention_colour = "#d55e00";

int middle(int place) { return edge + place * square + square / 2; }

// The centre of a thing in the picture. For walls beyond the map, the centre of their visible part.
GridCell drawn_middle(const GridMap& map, GridCell cell) {
  const auto within = [](int place, int size) {
    if (place < 0) return edge / 2;
    return place >= size ? edge + size * square + edge / 2 : middle(place);
  };
  return {within(cell.x, map.width()), within(cell.y, map.height())};
}

// Draws all walls as one path, because gaps would appear between several shapes. Subpaths in the opposite direction cut
// out the free squares.
std::string map_svg(const GridMap& map) {
  const int width = map.width() * square, height = map.height() * square;
  std::string walls =
      fill("M0 0h{}v{}h-{}zM{} {}v{}h{}v-{}z",
           {width + 2 * edge, height + 2 * edge, width + 2 * edge, edge, edge, height, width, height});
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (!map.is_free({x, y}))
        walls += fill("M{} {}h{}v{}h-{}z", {edge + x * square, edge + y * square, square, square, square});
  return fill(R"(<path d="{}" fill="#555"/>)"
              "\n",
              {walls});
}

std::string bird_svg(GridCell cell) {
  return fill(R"(<path d="M{} {}q4 -7 8 0q4 -7 8 0" fill="none" stroke="#cc79a7" stroke-width="2.5"/>)",
              {middle(cell.x) - 8, middle(cell.y) + 3});
}

std::string attention_svg(const GridMap& map, GridCell from, GridCell to) {
  const GridCell end = drawn_middle(map, to);
  return fill(R"(<path d="M{} {}L{} {}" stroke="{}" stroke-width="1.5" stroke-dasharray="5 3"/>)"
              R"(<circle cx="{}" cy="{}" r="{}" fill="none" stroke="{}" stroke-width="2.5"/>)",
              {middle(from.x), middle(from.y), end.x, end.y, attention_colour, end.x, end.y, square / 2 - 3,
               attention_colour});
}

// Draws the text beside the map: the operation, the points, and the events passed on.
std::string words_svg(const GridMap& map, const GridFrame& frame, std::size_t number,
                      const std::vector<Sight>& seen) {
  const int x = 3 * edge + map.width() * square;
  int y = edge + line_height;
  std::string svg;
  const auto line = [&](const std::string& text, bool bold) {
    svg += fill(R"(<text x="{}" y="{}"{}>{}</text>)",
                {x, y, Markup{bold ? R"( font-weight="bold")" : ""}, shortened(legible(text), 26)});
    y += line_height;
  };
  line("step " + std::to_string(number + 1) + ", eaten " + std::to_string(frame.score), false);
  line(frame.operation.empty() ? "nothing done" : frame.operation, false);
  y += line_height / 2;
  line(frame.passed_on.empty() ? "nothing passed on" : "passed on:", false);
  const std::size_t listed = std::min<std::size_t>(frame.passed_on.size(), most_listed);
  for (std::size_t i = 0; i < listed; ++i) {
    const auto sight = std::ranges::find(seen, frame.passed_on[i], &Sight::event);
    line(frame.passed_on[i], sight != seen.end() && sight->relevant);
  }
  if (listed < frame.passed_on.size())
    line("and " + std::to_string(frame.passed_on.size() - listed) + " more", false);
  return svg;
}

// Draws the parts that can change from frame to frame.
std::string frame_svg(const GridFilm& film, std::size_t number) {
  const GridFrame& frame = film.frames.at(number);
  const GridScene& scene = frame.scene;
  const std::vector<Sight> seen = look_around(film.map, scene);
  std::string svg;
  for (const GridCell bird : scene.birds) svg += bird_svg(bird);
  svg += fill(R"(<rect x="{}" y="{}" width="16" height="16" rx="5" fill="#009e73"/>)",
              {middle(scene.food.x) - 8, middle(scene.food.y) - 8});
  std::vector<GridCell> attended;  // marked squares, without duplicates: food may cause two events
  for (const Sight& sight : seen)
    if (std::ranges::find(frame.passed_on, sight.event) != frame.passed_on.end() &&
        std::ranges::find(attended, sight.cell) == attended.end()) {
      attended.push_back(sight.cell);
      svg += attention_svg(film.map, scene.agent, sight.cell);
    }
  svg += fill(R"(<circle cx="{}" cy="{}" r="11" fill="#0072b2"/>)",
              {middle(scene.agent.x), middle(scene.agent.y)});
  return svg + words_svg(film.map, frame, number, seen) + "\n";
}

Drawing around(const std::string& name, const GridMap& map, const std::string& frames) {
  const int width = 3 * edge + map.width() * square + text_width;
  const int height = std::max(2 * edge + map.height() * square, (most_listed + 5) * line_height + 2 * edge);
  return drawing(name, static_cast<std::size_t>(width), static_cast<std::size_t>(height), 13,
                 map_svg(map) + frames);
}

Json cell_json(GridCell cell) { return {cell.x, cell.y}; }

GridCell cell_in(const Json& json, const GridMap& map) {
  const std::size_t x = whole(json.at(0)), y = whole(json.at(1));
  if (json.size() != 2 || x >= static_cast<std::size_t>(map.width()) ||
      y >= static_cast<std::size_t>(map.height()))
    throw std::invalid_argument("a square must lie within the map, found " + json.dump());
  return {static_cast<int>(x), static_cast<int>(y)};
}

GridCell free_cell_in(const Json& json, const GridMap& map) {
  const GridCell cell = cell_in(json, map);
  if (!map.is_free(cell))
    throw std::invalid_argument("agent and food must be at free squares, found " + json.dump());
  return cell;
}

GridFrame frame_in(const Json& json, const GridMap& map) {
  GridFrame frame;
  frame.scene = {free_cell_in(json.at("agent"), map), free_cell_in(json.at("food"), map), {}};
  for (const Json& bird : json.at("birds")) frame.scene.birds.push_back(cell_in(bird, map));
  frame.passed_on = json.at("passed_on").get<std::vector<std::string>>();
  frame.operation = json.at("operation").get<std::string>();
  frame.score = whole(json.at("score"));
  return frame;
}

}  // namespace

Json film_json(const GridFilm& film) {
  Json frames = Json::array();
  for (const GridFrame& frame : film.frames) {
    Json birds = Json::array();
    for (const GridCell bird : frame.scene.birds) birds.push_back(cell_json(bird));
    frames.push_back({{"agent", cell_json(frame.scene.agent)},
                      {"food", cell_json(frame.scene.food)},
                      {"birds", birds},
                      {"passed_on", frame.passed_on},
                      {"operation", frame.operation},
                      {"score", frame.score}});
  }
  return {{"map", film.map.rows()}, {"frames", frames}};
}

GridFilm film_in(const Json& json) {
  try {
    GridFilm film{GridMap(json.at("map").get<std::vector<std::string>>()), {}};
    for (const Json& frame : json.at("frames")) film.frames.push_back(frame_in(frame, film.map));
    return film;
  } catch (const Json::exception& error) {
    throw SpecError("results.jsonl", std::string("must hold a film of a grid: ") + error.what());
  } catch (const std::invalid_argument& error) {
    throw SpecError("results.jsonl", std::string("must hold a film of a grid: ") + error.what());
  }
}

Drawing grid_picture(const std::string& name, const GridFilm& film, std::size_t frame) {
  return around(name, film.map, frame_svg(film, frame));
}

// The animation shows the frames one after another, each for the same time. Without animation, the `visibility`
// attributes show only the first frame.
Drawing grid_film(const std::string& name, const GridFilm& film) {
  core::require(!film.frames.empty(), "a film must have frames");
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  core::require(!name.empty() && is_letter(name.front()) &&
                    std::ranges::all_of(
                        name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }),
                "a film's name must be of letters, digits and _, the first a letter");
  const auto count = static_cast<double>(film.frames.size());
  std::string svg;
  if (film.frames.size() > 1)
    svg = "<style>@keyframes " + name + "{0%{visibility:visible}" + fixed(100 / count, 4) +
          "%,100%{visibility:hidden}}." + name + "{animation:" + name + " " +
          fixed(seconds_a_frame * count, 1) +
          "s step-end infinite}@media print,(prefers-reduced-motion:reduce){." + name +
          "{animation:none}}</style>\n";
  for (std::size_t i = 0; i < film.frames.size(); ++i)
    svg += fill(R"(<g class="{}"{} style="animation-delay:{}s">{}</g>)"
                "\n",
                {name, Markup{i == 0 ? "" : R"( visibility="hidden")"},
                 fixed(seconds_a_frame * static_cast<double>(i), 1), Markup{frame_svg(film, i)}});
  return around(name, film.map, svg);
}

}  // namespace engram::experiments::sensors
