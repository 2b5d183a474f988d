// SPDX-License-Identifier: MIT
// Tests that a method which a program adds to the list appears in every command and in the protocol.
#include <iostream>
#include <sstream>

#include "bridge/protocol/protocol.hpp"
#include "core/methods/explanation.hpp"
#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/spec/spec_file.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

namespace {

/// Scores each concept of the cue with its activation times `share`.
struct EchoRetriever : core::Retriever {
  double share = 0.25;
  core::Recall recall(const core::MemoryIndex& memory, const core::Cue& cue) const override {
    return core::from_concepts(memory, cue.activation * share);
  }
  core::ExplainerPtr explain(const core::MemoryIndex& memory, const core::Cue& cue,
                             const core::Recall& recall) const override;
};

constexpr auto echo_options =
    core::option_table(core::number_option<&EchoRetriever::share>("share", 0, 1, "of the cue"));

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

core::ExplainerPtr EchoRetriever::explain(const core::MemoryIndex& memory, const core::Cue& cue,
                                          const core::Recall& recall) const {
  return std::make_unique<EchoExplainer>(memory, cue, recall);
}

const core::Method& added_echo(const std::string& name, double share = 0.25) {
  if (const core::Method* method = core::find_method(name)) return *method;
  EchoRetriever defaults;
  defaults.share = share;
  return core::add_method(core::make_method<EchoRetriever>(name, "floor", "what was asked comes back",
                                                           echo_options, {.support = core::Support::sparse},
                                                           defaults));
}

std::string listed_methods() {
  std::ostringstream listed;
  std::streambuf* const before = std::cout.rdbuf(listed.rdbuf());
  CLI::App app;
  ExitCode code = outside_failure;
  add_methods(app, code);
  app.parse("methods", false);
  CHECK(code == done);
  std::cout.rdbuf(before);
  return listed.str();
}

Spec comparison_of(const std::string& method) {
  return resolve_spec(
      Json{{"experiment", "comparison"}, {"inputs", {"a.nal"}}, {"methods", {method, "cosine"}}}, "");
}

}  // namespace

TEST_CASE("an added method works like the built-in methods", "[experiments][methods]") {
  const core::Method& method = added_echo("echo");
  CHECK_THROWS_AS(core::add_method(method), std::invalid_argument);
  CHECK(listed_methods().find("echo  (floor; scores what the cue reaches; reads all of the memory)\n    what "
                              "was asked comes back\n"
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

  CHECK(comparison_of("echo").methods.front().method.options().at("share") == core::OptionValue(0.25));

  core::Session session;
  session.input("<tim --> cat>.\n<cat --> animal>.");
  const core::Cue cue = *session.cue("tim");
  const core::ConfiguredMethod configured(method);
  const core::Recall recalled = session.recall(configured, cue);
  const auto explainer = configured.explain(session.index(), cue, recalled);
  const core::ConceptId tim = **session.known_concept("tim");
  CHECK(explainer->of_concept(tim).accounts.at(0).words == "an echo of the cue");
}

TEST_CASE("an option's default is the initial value of the retriever's member", "[experiments][methods]") {
  core::Session session;
  session.input("<tim --> cat>.");
  for (const double share : {0.125, 0.75}) {
    const std::string name = share < 0.5 ? "faint_echo" : "loud_echo";
    const core::Method& method = added_echo(name, share);
    CHECK(method.options.at(0).default_value == core::OptionValue(share));
    CHECK(core::ConfiguredMethod(method).options().at("share") == core::OptionValue(share));
    CHECK(session.recall(core::ConfiguredMethod(method), *session.cue("tim")).concepts.whole().maxCoeff() ==
          share);
    CHECK(comparison_of(name).resolved["methods"][0]["options"]["share"] == share);
    bool told = false;
    const Json schema = method_schema();
    for (const Json& choice : schema["oneOf"])
      if (choice.value("/properties/method/const"_json_pointer, "") == name)
        told = choice["properties"]["options"]["properties"]["share"]["default"] == share;
    CHECK(told);
    std::string listed = listed_methods();
    listed.erase(0, listed.find(name + "  ("));
    CHECK(listed.find("    share = " + narsese::print_number(share) + "   of the cue") < listed.find("]"));
  }
}
