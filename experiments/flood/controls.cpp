// SPDX-License-Identifier: MIT
#include "experiments/flood/controls.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace engram::experiments::flood {
namespace {

using Make = std::unique_ptr<core::InferenceControl> (*)(std::uint64_t seed);

constexpr std::array<std::pair<const char*, Make>, 6> controls{{
    {"first_in_first_out", [](std::uint64_t) { return core::first_in_first_out(); }},
    {"random", [](std::uint64_t seed) { return core::random_order(seed); }},
    {"simplest", [](std::uint64_t) { return core::simplest_first(); }},
    {"opennars_bags", [](std::uint64_t) { return core::opennars_bags(); }},
    {"pynars_bags", [](std::uint64_t) { return core::pynars_bags(); }},
    {"ona_queue", [](std::uint64_t) { return core::ona_queue(); }},
}};

}  // namespace

std::vector<std::string> control_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : controls) names.emplace_back(name);
  return names;
}

std::unique_ptr<core::InferenceControl> make_control(const std::string& name, std::uint64_t seed) {
  for (const auto& [known, make] : controls)
    if (name == known) return make(seed);
  throw std::invalid_argument("there is no control '" + name + "'");
}

}  // namespace engram::experiments::flood
