// SPDX-License-Identifier: MIT
// A method from outside: declared here and nowhere else, and offered everywhere.
#include <iostream>
#include <sstream>

#include "bridge/protocol/protocol.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/methods/methods.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/spec/spec_file.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

namespace {

/// Every concept of the cue, `share` of it.
struct EchoRetriever {
  double share = 0.25;
  core::Recall recall(const core::Readings& memory, const core::Vector& cue) const {
    return core::from_concepts(memory, share * cue);
  }
  core::AnyExplainer explain(const core::Readings& memory, const core::Cue& cue,
                             const core::Recall& recall) const;
};

class EchoExplainer : public core::ConceptsExplainer {
 public:
  using ConceptsExplainer::ConceptsExplainer;
  core::Explanation of_concept(core::ConceptId id) const override {
    return {recall_.concepts[id],
            {core::account("an echo of the cue", recall_.concepts[id], {{name(id), recall_.concepts[id]}})},
            {},
            {},
            {}};
  }
};

core::AnyExplainer EchoRetriever::explain(const core::Readings& memory, const core::Cue& cue,
                                          const core::Recall& recall) const {
  return std::make_unique<EchoExplainer>(memory, cue, recall);
}

void add_echo() {
  if (core::find_method("echo") != nullptr) return;
  core::add_method(core::Declaration<EchoRetriever>("echo", "baseline", "what was asked comes back")
                       .support(core::Support::sparse)
                       .number("share", &EchoRetriever::share, 0, 1, "of the cue"));
}

}  // namespace

TEST_CASE("a method from outside is one like the others", "[experiments][methods]") {
  add_echo();
  CHECK_THROWS_AS(core::add_method(*core::find_method("echo")), std::invalid_argument);

  std::ostringstream listed;
  std::streambuf* const before = std::cout.rdbuf(listed.rdbuf());
  CLI::App app;
  ExitCode code = outside_failure;
  add_methods(app, code);
  app.parse("methods", false);
  CHECK(code == done);
  std::cout.rdbuf(before);
  CHECK(listed.str().find("echo  (baseline; scores what the cue reaches)\n    what was asked comes back\n"
                          "    share = 0.25   of the cue; a number in [0, 1]\n") != std::string::npos);

  bridge::Protocol protocol;
  const auto ask = [&](const Json& request) { return Json::parse(protocol.handle(request.dump())); };
  REQUIRE(ask({{"op", "input"}, {"narsese", "<tim --> cat>.\n<cat --> animal>."}}).at("ok") == true);
  const Json names = ask({{"op", "hello"}}).at("result").at("methods");
  CHECK(std::ranges::find(names, "echo") != names.end());
  const Json recall =
      ask({{"op", "recall"}, {"cue", "tim"}, {"method", "echo"}, {"options", {{"share", 0.5}}}});
  REQUIRE(recall.at("ok") == true);
  CHECK(recall.at("result").at("activations").at(0).at("term") == "tim");
  CHECK(recall.at("result").at("activations").at(0).at("value") == 0.5);
  CHECK(ask({{"op", "allocate"}, {"of", "concepts"}, {"capacity", 2}, {"cue", "tim"}, {"method", "echo"}})
            .at("ok") == true);
  const Json wrong = ask({{"op", "recall"}, {"cue", "tim"}, {"method", "echo"}, {"options", {{"share", 2}}}});
  CHECK(wrong.at("error").at("message") == "option 'share' must be a number in [0, 1], found 2");

  const Spec spec = resolve_spec(
      Json{{"experiment", "comparison"}, {"inputs", {"a.nal"}}, {"methods", {"echo", "cosine"}}}, "");
  CHECK(spec.methods.front().options.at("share") == core::OptionValue(0.25));

  core::Session session;
  session.input("<tim --> cat>.\n<cat --> animal>.");
  const core::Method& method = *core::find_method("echo");
  const core::Cue cue = *session.cue("tim");
  const core::Recall recalled = session.recall(method, {}, cue);
  const auto explainer = core::explain(method, {}, session.readings(), cue, recalled);
  const core::ConceptId tim = **session.known_concept("tim");
  CHECK(explainer->of_concept(tim).accounts.at(0).words == "an echo of the cue");
}
