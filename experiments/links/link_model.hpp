// SPDX-License-Identifier: MIT
// A network that was learnt from facts, as a file that people keep:
//   {"engram_model": 1, "method": "bellman_ford", "options": {..}, "relations": [NAME, ..],
//    "parameters": HEX, "made": {..}, "sha256": HEX}
// The parameters are floats of 32 bits, the least significant byte first, in the order of the network's layout.
// It knows relations by their names and entities not at all: it may be asked of any facts of these relations.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/links/bellman_ford_training.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments::links {

inline constexpr std::string_view bellman_ford_name = "bellman_ford";

using LinkNetwork = core::BellmanFordTraining::Network;

struct LinkModel {
  std::vector<std::string> relations;  // reciprocals, which come behind them, have no names
  LinkNetwork network;
  Json made = Json::object();  // how, for people

  /// Facts of `relations`, by the numbers that the network has for these names.
  /// Errors  std::out_of_range with the name of one that it does not know
  std::vector<core::Fact> facts(std::span<const core::Fact> of,
                                const std::vector<std::string>& relations_of) const;
  /// The number of a relation, or of a reciprocal one, of `relations_of`.  Errors  likewise
  std::uint32_t number_of(std::uint32_t relation, const std::vector<std::string>& relations_of) const;
};

std::string to_text(const LinkModel& model);
/// Errors  bridge::ModelError: no JSON, no such model, one of a later format, or damaged
LinkModel link_model_in(std::string_view text);
/// Errors  bridge::ModelError under the file's name; InputError, std::system_error where it cannot be read
LinkModel read_link_model(const std::filesystem::path& path);

}  // namespace engram::experiments::links
