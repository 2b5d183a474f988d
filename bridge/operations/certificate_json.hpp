// SPDX-License-Identifier: MIT
// The certificate of a retrieval in a reply. For the .cpp files of this layer alone.
#pragma once

#include <cmath>

#include "bridge/operations/request.hpp"
#include "core/hopfield/modern_hopfield.hpp"

namespace engram::bridge {

/// Gap and margin are null where infinite.
inline Json to_json(const core::RetrievalCertificate& certificate) {
  const auto number_or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"gap", number_or_null(certificate.gap)},
          {"margin", number_or_null(certificate.margin)},
          {"exact", certificate.exact}};
}

}  // namespace engram::bridge
