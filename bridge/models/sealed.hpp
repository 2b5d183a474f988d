// SPDX-License-Identifier: MIT
// Objects that carry the digest of what they hold, so that damage shows.
#pragma once

#include <nlohmann/json.hpp>

namespace engram::bridge {

/// The object with a last member "sha256": that of the object without it, written without blanks.
nlohmann::ordered_json sealed(nlohmann::ordered_json object);

/// Whether it has that member, and it is right.
bool seal_holds(const nlohmann::ordered_json& object);

}  // namespace engram::bridge
