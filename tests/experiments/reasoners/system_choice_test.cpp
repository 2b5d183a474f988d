// SPDX-License-Identifier: MIT
#include "experiments/reasoners/system_choice.hpp"

#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using Catch::Matchers::Contains;

namespace {

SystemChoice chosen_by(const std::string& text, Json* resolved = nullptr) {
  const Json spec = Json::parse(text);
  return checked([&] {
    SpecObject object(bridge::JsonValue(spec, bridge::JsonPlace("/system")));
    const SystemChoice choice = read_system(object);
    object.refuse_others();
    if (resolved != nullptr) *resolved = object.resolved;
    return choice;
  });
}

std::string refusal_of_system(const std::string& text) {
  try {
    chosen_by(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a spec selects the system, its command, cycles and time limits", "[experiments][reasoners]") {
  Json resolved;
  const SystemChoice choice = chosen_by(R"({"name": "opennars", "command": ["/bin/nar", "a b", ""],
      "recording": "r.jsonl", "cycles": 7, "more_cycles": 0, "settling": 0.5, "patience": 2})",
                                        &resolved);
  CHECK(choice.system == bridge::find_nars_system("opennars"));
  CHECK(choice.command == std::vector<std::string>{"/bin/nar", "a b", ""});
  CHECK(choice.recording == "r.jsonl");
  CHECK(choice.cycles == 7);
  CHECK(choice.more_cycles == 0);
  CHECK(choice.settling == 0.5);
  CHECK(choice.patience == 2);
  Json again;
  chosen_by(resolved.dump(), &again);
  CHECK(again == resolved);

  const SystemChoice shipped = chosen_by(R"({"name": "ona", "command": ["NAR", "shell"]})", &resolved);
  CHECK(shipped.recording.empty());
  CHECK(resolved.dump() == R"({"name":"ona","command":["NAR","shell"],"cycles":100,"more_cycles":50,)"
                           R"("settling":1.0,"patience":60.0})");
}

TEST_CASE("an error in the choice of a system has its place in the spec", "[experiments][reasoners]") {
  CHECK_THAT(refusal_of_system(R"([])"), Contains("/system must be an object"));
  CHECK_THAT(refusal_of_system(R"({"command": ["NAR"]})"),
             Contains("/system/name must be the name of a system"));
  CHECK_THAT(refusal_of_system(R"({"name": "onna", "command": ["NAR"]})"), Contains("ona"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona"})"),
             Contains("/system must be an object with a \"command\""));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": []})"), Contains("/system/command must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": "NAR shell"})"),
             Contains("/system/command must be a list of a program and its arguments"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["", "x"]})"),
             Contains("/system/command/0 must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR", 1]})"),
             Contains("/system/command/1 must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "cycles": -1})"),
             Contains("/system/cycles"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "patience": 0})"),
             Contains("/system/patience"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "cicles": 1})"), Contains("/system"));
}
