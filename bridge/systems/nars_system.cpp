// SPDX-License-Identifier: MIT
#include "bridge/systems/nars_system.hpp"

#include <algorithm>

namespace engram::bridge {

std::span<const NarsSystem> nars_systems() {
  static const std::array<NarsSystem, 6> all{ona(), opennars(), pynars(), nar_json(), navm(), engram_nars()};
  return all;
}

const NarsSystem* find_nars_system(std::string_view name) {
  const auto systems = nars_systems();
  const auto found = std::ranges::find(systems, name, &NarsSystem::name);
  return found == systems.end() ? nullptr : &*found;
}

}  // namespace engram::bridge
