// SPDX-License-Identifier: MIT
// Pictures of the world `grid`: the scene, the events with attention, and the operation.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/sensors/grid_world.hpp"

namespace engram::experiments::sensors {

/// One step of a run.
struct GridFrame {
  GridScene scene;
  std::vector<std::string> passed_on;  // terms of the events that the filter passed on to the NARS
  std::string operation;               // empty: no operation
  std::size_t score = 0;               // points so far, including this step
};

/// Consecutive steps of one run.
struct GridFilm {
  GridMap map;
  std::vector<GridFrame> frames;
};

/// Converts a film to JSON for a result row: {map: [rows], frames: [{agent: [x, y], food, birds: [[x, y], ...],
/// passed_on, operation, score}]}.
Json film_json(const GridFilm& film);
/// Parses a film.  Errors  SpecError for another form, positions outside the map, and an agent or food on a wall
GridFilm film_in(const Json& json);

/// Draws one frame. A line from the agent and a ring mark each thing with an event that was passed on. The list beside
/// the map shows these events, relevant ones in bold.
/// Errors  std::out_of_range if there is no such frame
Drawing grid_picture(const std::string& name, const GridFilm& film, std::size_t frame);

/// Draws all frames as an endless CSS animation. Paper, and browsers with reduced motion, show the first frame. The
/// name becomes the name of the animation and must be unique in a page.
/// Errors  std::invalid_argument for a film without frames, and for a name that is not a letter followed by letters,
///         digits and _
Drawing grid_film(const std::string& name, const GridFilm& film);

}  // namespace engram::experiments::sensors
