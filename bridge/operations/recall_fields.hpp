// SPDX-License-Identifier: MIT
// Parsers for the fields of a recall, cue and method, and the recall itself.
#pragma once

#include "bridge/operations/operations.hpp"

namespace engram::bridge {

/// Rejects requests that name files, if the limits forbid them. Untrusted clients must not learn which files exist or
/// write any.  Errors  RequestError
void require_files(const Context& context, const std::string& pointer);
/// The field "cue": a Narsese string, or an object that maps terms to activations in [0, 1].
core::Cue cue_of(core::Session& session, const Request& request);
/// The fields "method" and "options". The default is core::default_method. Absent options are those of the session
/// (Session::use).
/// Errors  RequestError
core::ConfiguredMethod method_of(const Context& context, const Request& request);

/// Runs a recall.  Errors  RequestError for an option that the memory does not allow
core::Recall recall_with(core::Session& session, const core::ConfiguredMethod& method, const core::Cue& cue);

}  // namespace engram::bridge
