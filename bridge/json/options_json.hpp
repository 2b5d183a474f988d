// SPDX-License-Identifier: MIT
// JSON for the options of a method, the same in specs, models, requests and results: {NAME: NUMBER or TEXT, ..}
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/methods/method.hpp"

namespace engram::bridge {

/// The method with this name; a former name is accepted, too.  Errors  JsonError for an unknown name
const core::Method& method_in(const JsonValue& name);

/// Options as JSON: numbers and texts by their names.
Json options_json(const core::Options& options);

/// Parses options without checking them against a method. No options if the value is absent.
/// Errors  JsonError if the value is not an object, or a member is neither a number nor a string
core::Options options_in(const JsonValue& given);

}  // namespace engram::bridge
