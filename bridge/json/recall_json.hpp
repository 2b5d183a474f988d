// SPDX-License-Identifier: MIT
// JSON for results of a recall, in replies and results. Include this only in .cpp files, because it includes a JSON
// library.
#pragma once

#include "bridge/json/json_reader.hpp"
#include "core/graph/memory.hpp"
#include "core/methods/recall.hpp"

namespace engram::bridge {

/// Writes {"gap", "margin", "exact"}; gap and margin are null if infinite.
Json to_json(const core::RetrievalCertificate& certificate);

/// Writes [{"term", "value"}], the `top` concepts with the largest values.
Json activations_json(const core::Memory& memory, const core::Vector& concepts, std::size_t top);

/// Adds the diagnostics of a recall: energies, iterations, converged; also certificate and period for methods that have
/// them.
void add_course(Json& json, const core::Recall& recall);

}  // namespace engram::bridge
