// SPDX-License-Identifier: MIT
#include "experiments/commands/command_line.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;

namespace {

struct Arguments {
  std::vector<std::string> tags;
  std::string colour = "red", mood = "good", kind = "fair";
  std::size_t count = 7, none = 0;
  std::chrono::milliseconds time{250};
  bool loud = false;
};

Arguments received;  // the arguments of the last call of receive()

ExitCode receive(const Arguments& arguments) {
  received = arguments;
  return input_errors;
}

/// Declares a command `go` with options of each kind, and parses a command line with it.
ExitCode parsed(const std::string& line, std::string* help = nullptr) {
  CLI::App app("", "test");
  ExitCode code = done;
  auto [command, arguments] = add_command(app, code, "go", "go away", "test go --loud", receive);
  add_option(command, "--tag", arguments.tags, "a tag", is_repeated);
  add_option(command, "--colour", arguments.colour, "a colour", one_of({"red", "blue"}));
  add_option(command, "--count", arguments.count, "a number", in_range(1, 9));
  add_option(command, "--none", arguments.none, "another number");
  add_option(command, "--mood", arguments.mood, "good: smile; bad: frown", one_of({"good", "bad"}));
  add_option(command, "--kind", arguments.kind, "unkindly, fairly", one_of({"kind", "fair"}));
  add_option(command, "--time", arguments.time, "milliseconds");
  add_option(command, "--loud", arguments.loud, "a flag");
  label_help(app);
  if (help != nullptr) *help = command->help();
  app.parse(line, false);
  return code;
}

}  // namespace

TEST_CASE("a command receives the parsed values, and its exit code is stored",
          "[experiments][command_line]") {
  CHECK(parsed("go --tag a --tag b --colour blue --count 9 --time 1 --loud") == input_errors);
  CHECK(received.tags == std::vector<std::string>{"a", "b"});
  CHECK(received.colour == "blue");
  CHECK(received.count == 9);
  CHECK(received.time == std::chrono::milliseconds(1));
  CHECK(received.loud);
  CHECK(parsed("go") == input_errors);
  CHECK(received.colour == "red");
  CHECK(received.time == std::chrono::milliseconds(250));
  CHECK_FALSE(received.loud);
}

TEST_CASE("help lists the type, default and accepted names of each option", "[experiments][command_line]") {
  std::string help;
  parsed("go", &help);
  CHECK(first_missing(help, {"a tag; may be repeated", "--colour NAME", "a colour (default: red)",
                             "one of red, blue", "--count NUMBER in [1 - 9]", "a number (default: 7)",
                             "another number\n", "--time NUMBER in [1 - 86400000]",
                             "milliseconds (default: 250)", "Example:\n  test go --loud"}) == "");
  // The text for --mood explains both names, so there is no list. The text for --kind has them only within words.
  CHECK_FALSE(contains(help, "one of good, bad"));
  CHECK(contains(help, "one of kind, fair"));
}

TEST_CASE("a value outside of its range or list is an error", "[experiments][command_line]") {
  for (const char* line : {"go --count 0", "go --count 10", "go --count -1", "go --count many", "go --time 0",
                           "go --time 86400001", "go --colour green", "go --tag a b"})
    CHECK_THROWS_AS(parsed(line), CLI::ParseError);
  CHECK(contains(message_of<CLI::ParseError>([] { parsed("go --colour blu"); }), "did you mean 'blue'?"));
}
