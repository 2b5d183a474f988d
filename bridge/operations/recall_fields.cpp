// SPDX-License-Identifier: MIT
#include "bridge/operations/recall_fields.hpp"

#include "bridge/json/options_json.hpp"

namespace engram::bridge {

void require_files(const Context& context, const std::string& pointer) {
  if (!context.limits.files)
    throw bad_value(pointer, "clients of this server may not name files; `engram serve --files` lets them");
}

core::ConfiguredMethod method_of(const Context& context, const Request& request) {
  const JsonValue name = request["method"];
  const core::Method& method = name ? method_in(name) : core::method_named(core::default_method);
  const core::Options options = options_in(request["options"]);
  if (options.contains("file")) require_files(context, "/options/file");
  try {
    return context.session.configured(method, options);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
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
  return core::Cue(std::move(activation));
}

core::Recall recall_with(core::Session& session, const core::ConfiguredMethod& method, const core::Cue& cue) {
  try {
    return session.recall(method, cue);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
}

}  // namespace engram::bridge
