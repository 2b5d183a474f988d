// SPDX-License-Identifier: MIT
// Pictures of the world `grid`: what was there, what had the attention, and what was done.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/sensors/grid_world.hpp"

namespace engram::experiments::sensors {

/// One step.
struct GridFrame {
  GridScene scene;
  std::vector<std::string> passed_on;  // events, as terms, best first
  std::string operation;               // empty: nothing was done
  std::size_t score = 0;               // points so far, with this step's
};

/// Steps of one run, in their order.
struct GridFilm {
  GridMap map;
  std::vector<GridFrame> frames;
};

/// A film as a field of a row: {map: [rows], frames: [{agent: [x, y], food, birds: [[x, y], ...], passed_on,
/// operation, score}]}.
Json film_json(const GridFilm& film);
/// Errors  SpecError unless it is such a film, all within its map and agent and food at free squares
GridFilm film_in(const Json& json);

/// One frame. From the agent a line leads to each thing of which an event was passed on, and a ring is around
/// it; beside it stand the events that were passed on, those that matter in bold.
/// Errors  std::out_of_range where there is no such frame
Drawing grid_picture(const std::string& name, const GridFilm& film, std::size_t frame);

/// All frames, shown in turn for ever, by CSS alone; the first of them on paper, and to who wants no movement.
/// Errors  std::invalid_argument for a film without frames, and for a name that is not of letters, digits
///         and _ alone, the first a letter: the animation has it, and a page's must differ
Drawing grid_film(const std::string& name, const GridFilm& film);

}  // namespace engram::experiments::sensors
