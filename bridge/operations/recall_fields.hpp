// SPDX-License-Identifier: MIT
// The fields that say what is recalled and by which method, and the recall.
#pragma once

#include "bridge/operations/operations.hpp"

namespace engram::bridge {

/// "method"; without the field, core::default_method.
const core::Method& method_of(const Request& request);

/// Strangers must not learn what files there are, nor write any.  Errors  RequestError
void require_files(const Context& context, const std::string& pointer);
/// "cue": a Narsese string, or an object term -> activation in [0, 1].
core::Cue cue_of(core::Session& session, const Request& request);
/// "options".
core::Options options_of(const Context& context, const Request& request);

/// Errors  RequestError for an option that the memory does not allow
core::Recall recall_with(core::Session& session, const core::Method& method, const core::Options& options,
                         const core::Cue& cue);

}  // namespace engram::bridge
