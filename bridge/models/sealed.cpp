// SPDX-License-Identifier: MIT
#include "bridge/models/sealed.hpp"

#include "bridge/files/sha256.hpp"

namespace engram::bridge {

nlohmann::ordered_json sealed(nlohmann::ordered_json object) {
  object["sha256"] = sha256_of_text(object.dump());
  return object;
}

bool seal_holds(const nlohmann::ordered_json& object) {
  nlohmann::ordered_json without = object;
  without.erase("sha256");
  return object.contains("sha256") && object["sha256"] == sha256_of_text(without.dump());
}

}  // namespace engram::bridge
