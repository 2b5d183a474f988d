// SPDX-License-Identifier: MIT
#include "bridge/systems/nars_system.hpp"

#include <algorithm>
#include <array>

namespace engram::bridge {

namespace {
constexpr std::array<std::string_view, 5> steering_names{"order", "repeat", "ask", "reimport", "budgets"};
}

std::string_view name(Steering steering) { return steering_names[static_cast<std::size_t>(steering)]; }

std::optional<Steering> find_steering(std::string_view name) {
  const auto found = std::ranges::find(steering_names, name);
  if (found == steering_names.end()) return std::nullopt;
  return static_cast<Steering>(found - steering_names.begin());
}

std::span<const NarsSystem> nars_systems() {
  static const std::array<NarsSystem, 5> all{ona(), opennars(), pynars(), nar_json(), navm()};
  return all;
}

const NarsSystem* find_nars_system(std::string_view name) {
  const auto systems = nars_systems();
  const auto found = std::ranges::find(systems, name, &NarsSystem::name);
  return found == systems.end() ? nullptr : &*found;
}

}  // namespace engram::bridge
