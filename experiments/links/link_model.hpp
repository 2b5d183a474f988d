// SPDX-License-Identifier: MIT
// File format of networks that were trained on facts:
//   {"engram_model": 1, "method": "bellman_ford", "options": {..}, "relations": [NAME, ..],
//    "parameters": HEX, "made": {..}, "sha256": HEX}
// The parameters are 32-bit floats, little-endian, in the order of the network's layout. A network contains the names
// of relations, but no entities. Therefore it can predict links in other sets of facts with these relations.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/links/bellman_ford_training.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments::links {

inline constexpr std::string_view bellman_ford_name = "bellman_ford";

using LinkNetwork = core::BellmanFordTraining::Network;

struct LinkModel {
  std::vector<std::string> relations;  // without reciprocal relations; the network has these, too
  LinkNetwork network;
  Json made = Json::object();  // description of the training, for people

  /// Replaces the relation numbers of facts by those of the network. `relations_of` has the names of the relations in
  /// the facts.
  /// Errors  std::out_of_range with the name of a relation that the network does not have
  std::vector<core::Fact> facts(std::span<const core::Fact> of,
                                const std::vector<std::string>& relations_of) const;
  /// The network's number of a relation or reciprocal relation of `relations_of`.  Errors  std::out_of_range, as above
  std::uint32_t number_of(std::uint32_t relation, const std::vector<std::string>& relations_of) const;
};

std::string to_text(const LinkModel& model);
/// Parses a model.  Errors  bridge::ModelError for text that is damaged, has a later format, or is not a model of links
LinkModel link_model_in(std::string_view text);
/// Reads a model from a file.  Errors  bridge::ModelError with the name of the file; InputError, std::system_error if
/// the file cannot be read
LinkModel read_link_model(const std::filesystem::path& path);

}  // namespace engram::experiments::links
