// SPDX-License-Identifier: MIT
#include "bridge/snapshots/snapshot.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <tuple>

#include "bridge/files/sha256.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/bridge/snapshots/whole_session.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;

// The reply to `restore` of a snapshot with these lines. A valid last line is added, so that the reader checks the
// content.
nlohmann::json restored_from(Protocol& protocol, const std::string& file, std::string text) {
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  text += nlohmann::ordered_json{{"end", lines}, {"sha256", sha256_of_text(text)}}.dump() + "\n";
  testing::write(file, text);
  return reply_to(protocol, nlohmann::json{{"op", "restore"}, {"path", file}});
}

std::string about_file(const char* op, const std::string& path) {
  return nlohmann::json{{"op", op}, {"path", path}}.dump();
}

const std::string few_lines = "<a --> b>. %1;0.8%\n5\n<{a} --> c>.\n<a --> b>.\n";

std::string small_snapshot(const std::string& file, const core::MemoryOptions& options = {}) {
  core::Session session(options);
  fed(session, few_lines);
  write_snapshot(session, file);
  const std::string text = testing::read(file);
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  INFO(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// All values of the memory options. This list is independent of the one in the snapshot writer, so the tests find a
// member that snapshots lack.
auto values_of(const core::MemoryOptions& options) {
  const core::LinkLearning rule = options.learning.value_or(core::LinkLearning{});
  return std::tuple(options.decay, options.activation.compounds, options.activation.statements,
                    options.activation.self, options.learning.has_value(), rule.rule, rule.rate, rule.decay,
                    rule.time, rule.reach, rule.bound);
}

}  // namespace

TEST_CASE("a restored memory equals the written one and learns on equally", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  const int variant = GENERATE(range(0, 10));
  const SnapshotForm form = GENERATE(SnapshotForm::json, SnapshotForm::binary);
  core::Rng rng(17, "snapshot", static_cast<std::uint64_t>(variant));
  core::Session one(options_for(variant));
  REQUIRE(fed(one, random_narsese(rng, 150)).accepted > 80);
  core::AllocationOptions how;
  one.allocate(one.recall(core::ConfiguredMethod("attention"), *one.cue("n1")), how);
  how.of = core::AllocationOf::statements;
  one.allocate(one.recall(core::ConfiguredMethod("attention"), *one.cue("n2")), how);

  const SnapshotFacts written = write_snapshot(one, folder.file(), form);
  CHECK(written.bytes == fs::file_size(folder.file()));
  CHECK(written.sha256 == sha256_of_text(testing::read(folder.file())));
  core::Session other;  // has other options and content, which the snapshot replaces
  fed(other, "<x --> y>.\n");
  const SnapshotFacts read = read_snapshot(other, folder.file());
  CHECK(read.bytes == written.bytes);
  CHECK(read.sha256 == written.sha256);
  CHECK(everything_in(other) == everything_in(one));
  CHECK(values_of(other.memory().options()) == values_of(one.memory().options()));
  // A snapshot of the restored memory is the same file.
  write_snapshot(other, folder.file("again"), form);
  CHECK(testing::read(folder.file("again")) == testing::read(folder.file()));
  for (int round = 0; round < 3; ++round) {
    const std::string more = random_narsese(rng, 60);
    CHECK(fed(one, more).accepted == fed(other, more).accepted);
    CHECK(everything_in(other) == everything_in(one));
  }
  one.reset();
  other.reset();
  fed(one, few_lines);
  fed(other, few_lines);
  CHECK(everything_in(other) == everything_in(one));
}

TEST_CASE("a restored session gives the replies of the original session", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  core::Rng rng(23, "snapshot");
  core::MemoryOptions options;
  options.decay = 0.01;
  options.learning = core::LinkLearning{.rule = core::LearningRule::stdp};
  Protocol one(options), other(options);
  const auto both = [&](const nlohmann::json& request) {
    // The reply without numbers of bytes, which depend on how containers grew.
    const auto known = [](const std::string& reply) {
      auto json = nlohmann::json::parse(reply);
      for (const char* held : {"bytes", "readings_bytes"}) json["result"].erase(held);
      return json.dump();
    };
    const std::string reply = one.handle(request.dump());
    CHECK(known(reply) == known(other.handle(request.dump())));
    CHECK(reply.find("\"ok\":true") != std::string::npos);
  };
  reply_to(one, nlohmann::json{{"op", "input"}, {"narsese", random_narsese(rng, 120)}});
  for (const char* of : {"concepts", "statements"})
    reply_to(one, nlohmann::json{{"op", "allocate"}, {"cue", "n1"}, {"capacity", 5}, {"of", of}});
  REQUIRE(reply_to(one, about_file("snapshot", folder.file())).at("ok") == true);
  REQUIRE(reply_to(other, about_file("restore", folder.file())).at("ok") == true);
  for (int round = 0; round < 2; ++round) {
    for (const core::Method& method : core::methods())
      both({{"op", "recall"}, {"cue", "<n2 --> ?x>?"}, {"method", method.name}, {"top", 50}});
    both({{"op", "recall"}, {"cue", "n1"}, {"method", "pagerank"}, {"options", {{"links", "learnt"}}}});
    for (const char* of : {"concepts", "statements"})
      both({{"op", "allocate"},
            {"cue", "n3"},
            {"capacity", 9},
            {"of", of},
            {"prior", "previous"},
            {"transfers", 99}});
    both({{"op", "links"}});
    both({{"op", "links"}, {"term", "n1"}, {"as", "narsese"}});
    both({{"op", "stats"}});
    both({{"op", "input"}, {"narsese", random_narsese(rng, 40)}});
  }
  both({{"op", "reset"}});
  both({{"op", "stats"}});
}

TEST_CASE("an empty memory and a memory with only a variable survive a snapshot", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  const std::string text = GENERATE("", "7\n", "$1.\n<a --> b>?\n");
  const SnapshotForm form = GENERATE(SnapshotForm::json, SnapshotForm::binary);
  core::Session one, other;
  fed(one, text);
  fed(other, "<a --> b>.\n");
  write_snapshot(one, folder.file(), form);
  read_snapshot(other, folder.file());
  CHECK(everything_in(other) == everything_in(one));
}

TEST_CASE("a damaged file is refused or gives the same memory", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  core::Session one;
  fed(one, few_lines);
  write_snapshot(one, folder.file());
  const std::string good = testing::read(folder.file()), memory = everything_in(one);
  Protocol protocol;
  tell(protocol, "<x --> y>.");
  const std::string before = memory_text(protocol.session().memory());
  const auto check = [&](const std::string& text) {
    testing::write(folder.file("bad"), text);
    const auto reply = nlohmann::json::parse(protocol.handle(about_file("restore", folder.file("bad"))));
    INFO(text);
    CHECK(error_in(reply) == "bad_value /path");
    CHECK(memory_text(protocol.session().memory()) == before);
  };
  for (std::size_t size = 0; size < good.size(); ++size) check(good.substr(0, size));
  for (const char* more : {"\n", " ", "x", "{}\n"}) check(good + more);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const int flip : {1, 2, 4, 32, 128}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      check(bad);
    }
  std::string other_ends;
  for (const char c : good) other_ends += c == '\n' ? std::string("\r\n") : std::string(1, c);
  check(other_ends);
  testing::write(folder.file("bad"), good);
  CHECK(reply_to(protocol, about_file("restore", folder.file("bad"))).at("ok") == true);
}

TEST_CASE("a hostile file with a correct SHA-256 is refused with the line of the error",
          "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  core::MemoryOptions options;
  options.learning = core::LinkLearning{.rule = core::LearningRule::covariance};
  const std::string good = small_snapshot(folder.file(), options);
  Protocol protocol(options);
  REQUIRE(restored_from(protocol, folder.file("good"), good).at("ok") == true);
  const std::string before = memory_text(protocol.session().memory());
  struct Case {
    std::string what, by;
  };
  const std::vector<Case> cases{
      {R"("engram_snapshot":1)", R"("engram_snapshot":2)"},
      {R"("engram_snapshot":1)", R"("engram_snapshot":"1")"},
      {R"("decay":0.0)", R"("decay":1.0)"},
      {R"("decay":0.0)", R"("decay":null)"},
      {R"("self":false)", R"("self":0)"},
      {R"("rule":"covariance")", R"("rule":"magic")"},
      {R"("rate":0.1)", R"("rate":2.0)"},
      {R"("now":8)", R"("now":7)"},
      {R"("now":8)", R"("now":9223372036854775809)"},
      {R"("now":8)", R"("now":-1)"},
      {R"("now":8)", R"("now":8,"then":9)"},
      {R"("now":8)", R"("now":8,"now":8)"},
      {R"({"statement":"<a --> b>.)", R"({"statement":"<a --> b>?)"},
      {R"({"statement":"<a --> b>.)", R"({"statement":"<a --> )"},
      {R"({"statement":"<{a} --> c>.)", R"({"statement":"<a --> b>.)"},
      {R"("times":2)", R"("times":0)"},
      {R"("times":2)", R"("times":2.5)"},
      {R"({"concept":0)", R"({"concept":1)"},
      {R"("name":"a")", R"("name":"q")"},
      {R"("name":"a",)", ""},
      {R"("activity":)", R"("activity":-)"},
      {R"("activity":2.6)", R"("activity":1e31)"},
      {R"("link":[0,1])", R"("link":[1,0])"},
      {R"("link":[0,1])", R"("link":[0,0])"},
      {R"("link":[0,1])", R"("link":[0,4294967295])"},
      {R"("link":[0,1])", R"("link":[0,18446744073709551615])"},
      {R"("link":[0,1])", R"("link":[0])"},
      {R"("link":[0,1])", R"("link":"0,1")"},
      {R"("told":[0.5,0.0])", R"("told":[0.5,1.0])"},
      {R"("told":[0.5,0.0])", R"("told":[1.5,0.0])"},
      {R"({"learner":5)", R"({"learner":99)"},
      {R"({"learner":5)", R"({"learner":3)"},
      {R"({"learner":5)", R"({"learner":6)"},
      {R"({"learner":5)", R"({"budget":5)"},
      {R"({"unit":0)", R"({"unit":2)"},
      {R"("learnt":[0,1])", R"("learnt":[1,0])"},
      {R"("learnt":[0,1])", R"("learnt":[0,9])"},
      {R"("weight":1.7)", R"("weight":1e31,"more":1.7)"},
      {"\n{\"link\"", "\n{\"budget\":\"concepts\",\"size\":3}\n{\"link\""},
      {"\n{\"learner\"", "\n{\"term\":\"z\"}\n{\"learner\""},
      {"\n{\"learner\"", "\n[]\n{\"learner\""},
      {"\n{\"learner\"", "\n{}\n{\"learner\""},
      {"\n{\"learner\"", "\n\n{\"learner\""},
      {"\n{\"learner\"", "\n{\"x\":[[[[[[1]]]]]]}\n{\"learner\""},
      {"\n{\"concept\":0", "\n{\"term\":\"<$1 --> z>\"}\n{\"concept\":0"},
      {"\n{\"concept\":0", "\n{\"term\":\"z> --> <z\"}\n{\"concept\":0"},
      {"\n{\"concept\":0", "\n{\"term\":\"z\"}\n{\"concept\":0"},
  };
  for (const Case& c : cases) {
    INFO(c.what << " -> " << c.by);
    const auto reply = restored_from(protocol, folder.file("bad"), replaced(good, c.what, c.by));
    CHECK(error_in(reply) == "bad_value /path");
    CHECK(memory_text(protocol.session().memory()) == before);
  }
  for (const char* tail : {"{\"before\":0}\n{\"before\":0}\n", "{\"before\":7}\n", "{\"share\":[0,0.5]}\n",
                           "{\"budget\":\"concepts\",\"size\":99}\n", "{\"budget\":\"words\",\"size\":1}\n",
                           "{\"budget\":\"concepts\",\"size\":2}\n{\"share\":[1,0.5]}\n{\"share\":[0,0.5]}\n",
                           "{\"budget\":\"concepts\",\"size\":2}\n{\"share\":[2,0.5]}\n",
                           "{\"budget\":\"concepts\",\"size\":2}\n{\"share\":[1,1.5]}\n"}) {
    INFO(tail);
    CHECK(error_in(restored_from(protocol, folder.file("bad"), good + tail)) == "bad_value /path");
    CHECK(memory_text(protocol.session().memory()) == before);
  }
  const auto reply =
      restored_from(protocol, folder.file("bad"), replaced(good, R"("times":2)", R"("times":-2)"));
  CHECK(reply.at("error").value("line", 0) == 2);
}

TEST_CASE("a forged memory that no input can produce is refused", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  struct Case {
    core::LearningRule rule;
    std::string what, by;
  };
  using core::LearningRule;
  const std::vector<Case> cases{
      // The total evidence is less than the sum of its parts.
      {LearningRule::hebb, R"("evidence":2.6)", R"("evidence":0.0)"},
      {LearningRule::hebb, R"("together":1.7)", R"("together":1e29)"},
      {LearningRule::hebb, R"("together":1.7)", R"("together":1.7,"apart":1e29)"},
      {LearningRule::hebb, R"("together":1.7)", R"("together":1.7,"apart":-0.1)"},
      {LearningRule::hebb, R"("times":2)", R"("denied":1.8,"times":2)"},
      {LearningRule::hebb, R"("times":2)", R"("denied":-0.1,"times":2)"},
      {LearningRule::hebb, R"("times":2)", R"("times":18446744073709551615)"},
      {LearningRule::hebb, R"("level":0.0)", R"("level":0.5)"},
      {LearningRule::hebb, R"("step":3,"updated":8)", R"("step":9223372036854775808,"updated":8)"},
      {LearningRule::covariance, R"("weight":1.7)", R"("weight":1e29)"},
      {LearningRule::covariance, R"("weight":1.7)", R"("weight":-1.7)"},
      {LearningRule::bcm, R"("level":0.578125)", R"("level":9.0)"},
      {LearningRule::stdp, R"({"before":0})", R"({"before":2})"},
  };
  for (const Case& c : cases) {
    core::MemoryOptions options;
    options.learning = core::LinkLearning{.rule = c.rule};
    Protocol protocol(options);
    const std::string good = small_snapshot(folder.file(), options);
    REQUIRE(restored_from(protocol, folder.file("good"), good).at("ok") == true);
    const std::string before = memory_text(protocol.session().memory());
    INFO(c.what << " -> " << c.by);
    CHECK(error_in(restored_from(protocol, folder.file("bad"), replaced(good, c.what, c.by))) ==
          "bad_value /path");
    CHECK(memory_text(protocol.session().memory()) == before);
  }
}

TEST_CASE("a memory with the latest time and the most evidence survives a snapshot", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  core::MemoryOptions options;
  options.learning = core::LinkLearning{.rule = core::LearningRule::storkey};
  std::string text = small_snapshot(folder.file(), options);
  text = replaced(text, R"("now":8,"evidence":2.6)", R"("now":9223372036854775806,"evidence":1e30)");
  Protocol protocol(options), other(options);
  REQUIRE(error_in(restored_from(protocol, folder.file("late"), text)) == "");
  const auto input_reply = reply_to(
      protocol,
      R"({"op":"input","narsese":"<a --> b>.\n<a <-> b>. %0.70000000000000000000000000000000;0.30000000000000000000000000000000%\n<a --> c>.\n9\n<c --> a>?\n"})");
  CHECK(input_reply.at("result").at("cycles") == 9223372036854775808U);
  CHECK(input_reply.at("result").at("accepted") == 3);
  CHECK(input_reply.at("result").at("rejected").size() == 1);
  CHECK(protocol.session().memory().image().total == core::max_evidence);
  REQUIRE(reply_to(protocol, about_file("snapshot", folder.file("again"))).at("ok") == true);
  REQUIRE(reply_to(other, about_file("restore", folder.file("again"))).at("ok") == true);
  CHECK(memory_text(other.session().memory()) == memory_text(protocol.session().memory()));
}

TEST_CASE("every method gives finite numbers for denormal activities", "[bridge][snapshot]") {
  core::MemoryOptions options;
  options.decay = 0.5;
  Protocol protocol(options);
  // The activity decays to 2^-1073, a denormal number, and dividing by it overflows.
  tell(protocol, "<a --> b>.\n1068\n<b --> c>.\n<c --> d>.\n");
  REQUIRE(protocol.session().memory().graph().activity(0, protocol.session().memory().now()) > 0);
  for (const core::Method& method : core::methods()) {
    INFO(method.name);
    const auto reply =
        reply_to(protocol, nlohmann::json{{"op", "recall"}, {"cue", "b"}, {"method", method.name}});
    REQUIRE(reply.at("ok") == true);
    for (const auto& activation : reply.at("result").at("activations"))
      CHECK(activation.at("value").is_number());
    for (const auto& energy : reply.at("result").at("energies")) CHECK(energy.is_number());
  }
}

TEST_CASE("a JSON snapshot beyond the session's limits is refused", "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  // A memory with 6 concepts, 3 names, 2 links and 2 statements.
  const std::string good = small_snapshot(folder.file());
  const auto outcome = [&](const core::MemoryLimits& limits) {
    core::MemoryOptions options;
    options.limits = limits;
    Protocol protocol(options);
    const std::string error = error_in(restored_from(protocol, folder.file("limited"), good));
    CHECK(protocol.session().memory().options().limits.max_concepts == limits.max_concepts);
    return error;
  };
  const core::MemoryLimits enough{
      .max_concepts = 7, .max_hebbian_links = 2, .max_statements = 2, .max_active = 2};
  CHECK(outcome(enough) == "");
  for (std::size_t core::MemoryLimits::*limit :
       {&core::MemoryLimits::max_concepts, &core::MemoryLimits::max_hebbian_links,
        &core::MemoryLimits::max_statements, &core::MemoryLimits::max_active}) {
    core::MemoryLimits less = enough;
    less.*limit -= limit == &core::MemoryLimits::max_concepts ? 2 : 1;
    CHECK(outcome(less) == "bad_value /path");
  }
}

TEST_CASE("special files are neither read nor written, and a failed write keeps the old file",
          "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  Protocol protocol;
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  for (const char* op : {"snapshot", "restore"}) {
    for (const std::string& path :
         {folder.path.string(), folder.file("pipe"), std::string("/dev/null"), folder.file("no/such/folder")})
      CHECK(error_in(reply_to(protocol, about_file(op, path))) == "io_error /path");
    CHECK(error_in(reply_to(protocol, about_file(op, ""))) == "bad_value /path");
    CHECK(error_in(reply_to(protocol, about_file(op, std::string("a\0b", 3)))) == "bad_value /path");
    CHECK(error_in(reply_to(protocol, nlohmann::json{{"op", op}})) == "missing_field /path");
  }
  CHECK(error_in(reply_to(protocol, about_file("restore", folder.file("nothing")))) == "io_error /path");
  REQUIRE(reply_to(protocol, about_file("snapshot", folder.file())).at("ok") == true);
  tell(protocol, "<x --> y>.");
  REQUIRE(reply_to(protocol, about_file("snapshot", folder.file())).at("ok") == true);
  CHECK(testing::read(folder.file()).find("<x --> y>") != std::string::npos);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path)) ++files;
  CHECK(files == 2);  // the folder has the pipe and the snapshot, but no temporary file
}

TEST_CASE("snapshot and restore are refused without touching files if requests may not name files",
          "[bridge][snapshot]") {
  const MemoryFolder folder("snapshot");
  ProtocolLimits limits;
  limits.files = false;
  Protocol protocol({}, limits);
  for (const char* op : {"snapshot", "restore"}) {
    const auto reply = reply_to(protocol, about_file(op, folder.file()));
    CHECK(error_in(reply) == "bad_value /path");
    CHECK(reply.at("error").at("message").get<std::string>().find("--files") != std::string::npos);
  }
  CHECK(fs::is_empty(folder.path));
  tell(protocol, "<x --> y>.");
  testing::write(folder.file("vectors"), "x 1 0\ny 0 1\n");
  const std::string embedded =
      nlohmann::json{{"op", "recall"},
                     {"cue", "x"},
                     {"method", "concept_attention"},
                     {"options", {{"embedding", "file"}, {"file", folder.file("vectors")}}}}
          .dump();
  CHECK(error_in(reply_to(protocol, embedded)) == "bad_value /options/file");
  Protocol trusting;
  tell(trusting, "<x --> y>.");
  CHECK(error_in(reply_to(trusting, embedded)) == "");
}

}  // namespace engram::bridge
