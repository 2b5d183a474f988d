// SPDX-License-Identifier: MIT
// Options of a method as JSON, the same in specs, models, requests and results:
//   {NAME: NUMBER or TEXT, ..}, by name
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/methods/methods.hpp"

namespace engram::bridge {

/// The method with this name; a former name is accepted, too.  Errors  JsonError for an unknown name
const core::Method& method_in(const JsonValue& name);

/// Options as JSON: numbers and texts by their names.
Json options_json(const core::Options& options);

/// Whatever a method may make of them; where there is no value, none.
/// Errors  JsonError: no object, or one with a member that is neither a number nor a text
core::Options options_in(const JsonValue& given);

}  // namespace engram::bridge
