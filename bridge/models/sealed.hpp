// SPDX-License-Identifier: MIT
// JSON objects with a checksum of their contents, to detect damage.
#pragma once

#include <nlohmann/json.hpp>

namespace engram::bridge {

/// Appends the member "sha256": the digest of the object without it, written without blanks.
nlohmann::ordered_json sealed(nlohmann::ordered_json object);

/// Whether the object has this member with the correct digest.
bool seal_holds(const nlohmann::ordered_json& object);

}  // namespace engram::bridge
