// SPDX-License-Identifier: MIT
#include "bridge/operations/recall_fields.hpp"

#include "bridge/json/options_json.hpp"

namespace engram::bridge {

const core::Method& method_in(const JsonValue& name) {
  return name.choice("", core::methods(), &core::Method::name);
}

const core::Method& method_of(const Request& request, std::string_view fallback) {
  const JsonValue name = request["method"];
  return name ? method_in(name) : *core::find_method(fallback);
}

void require_files(const Context& context, const std::string& pointer) {
  if (!context.limits.files)
    throw bad_value(pointer, "clients of this server may not name files; `engram serve --files` lets them");
}

core::Options options_of(const Context& context, const Request& request) {
  core::Options options = options_in(request["options"]);
  if (options.contains("file")) require_files(context, "/options/file");
  return options;
}

core::Recall recall_with(core::Session& session, const core::Method& method, const core::Options& options,
                         const core::Cue& cue) {
  try {
    return session.recall(method, options, cue);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
}

}  // namespace engram::bridge
