// SPDX-License-Identifier: MIT
#include "experiments/reports/row_numbers.hpp"

namespace engram::experiments {

std::size_t whole(const nlohmann::ordered_json& value) {
  if (!value.is_number_integer() || value < 0)
    throw nlohmann::ordered_json::type_error::create(
        302, "expected a whole number, 0 or more, found " + value.dump().substr(0, 40), &value);
  return value.get<std::size_t>();
}

}  // namespace engram::experiments
