// SPDX-License-Identifier: MIT
#include "bridge/operations/recall_fields.hpp"

#include "bridge/json/options_json.hpp"

namespace engram::bridge {

const core::Method& method_of(const Request& request) {
  const JsonValue name = request["method"];
  return name ? method_in(name) : *core::find_method(core::default_method);
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

core::Cue cue_of(core::Session& session, const Request& request) {
  const JsonValue cue = request["cue"];
  if (cue && cue.json().is_string()) {
    auto activation = session.cue(cue.text());
    if (!activation) throw parse_error("/cue", activation.error());
    return std::move(activation).value();
  }
  cue.object("a string or an object term -> activation");
  core::Vector activation = core::Vector::Zero(static_cast<core::Index>(session.memory().graph().size()));
  for (const auto& [term, json] : cue.json().items()) {
    const JsonValue value(json, JsonPlace(&cue.place(), term));
    const double share = value.number(0, 1);
    const auto id = session.known_concept(term);
    if (!id) throw parse_error(value.pointer(), id.error());
    if (*id) activation[**id] = share;
  }
  return activation;
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
