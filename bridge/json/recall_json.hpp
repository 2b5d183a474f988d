// SPDX-License-Identifier: MIT
// A recall, as replies and results tell it. For .cpp files alone.
#pragma once

#include "bridge/json/json_reader.hpp"
#include "core/graph/memory.hpp"
#include "core/retrieval/retriever.hpp"

namespace engram::bridge {

/// {"gap", "margin", "exact"}; gap and margin are null where infinite.
Json to_json(const core::RetrievalCertificate& certificate);

/// [{"term", "value"}], of the `top` concepts with the largest values.
Json activations_json(const core::Memory& memory, const core::Vector& concepts, std::size_t top);

/// Adds what a recall tells of its course: energies, iterations, converged; certificate and period of methods
/// that have them.
void add_course(Json& json, const core::Recall& recall);

}  // namespace engram::bridge
