// SPDX-License-Identifier: MIT
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/graph/memory_image.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/bridge/snapshots/whole_session.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t digest = 64;

// Updates the size and the SHA-256 in changed snapshot bytes. So the reader does not stop there, but checks the
// content.
std::string sealed_again(std::string bytes) {
  bytes.resize(std::max<std::size_t>(bytes.size(), digest) - digest);
  for (std::size_t i = 0; i < 8 && bytes.size() >= 24; ++i)
    bytes[16 + i] = static_cast<char>((bytes.size() + digest) >> (8 * i));
  return bytes + sha256_of_text(bytes);
}

std::string learnt_bytes(const std::string& file, int variant, int lines) {
  core::Session one(options_for(variant));
  core::Rng rng(5, "binary", static_cast<std::uint64_t>(variant));
  fed(one, random_narsese(rng, lines));
  core::AllocationOptions how;
  one.allocate(one.recall(core::ConfiguredMethod("attention"), *one.cue("n1")), how);
  write_snapshot(one, file, SnapshotForm::binary);
  return testing::read(file);
}

// The error for which the reader refuses these bytes, or "" if it accepts them.
std::string refusal_of(const MemoryFolder& folder, const std::string& bytes, core::Session& session) try {
  testing::write(folder.file("tried"), bytes);
  read_snapshot(session, folder.file("tried"));
  return {};
} catch (const SnapshotError& error) {
  return error.what();
}

}  // namespace

TEST_CASE("the binary and the JSON format hold the same memory", "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  const int variant = GENERATE(range(0, 10));
  learnt_bytes(folder.file(), variant, 200);
  core::Session of_binary, of_json;
  read_snapshot(of_binary, folder.file());
  write_snapshot(of_binary, folder.file("json"));
  CHECK(testing::read(folder.file("json")).starts_with("{\"engram_snapshot\":1,"));
  read_snapshot(of_json, folder.file("json"));
  CHECK(everything_in(of_json) == everything_in(of_binary));
  write_snapshot(of_json, folder.file("again"), SnapshotForm::binary);
  CHECK(testing::read(folder.file("again")) == testing::read(folder.file()));
}

TEST_CASE("unusual names, deep and long terms, tenses and delays survive a binary snapshot",
          "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  core::Session one, other;
  std::string deep = "a";
  for (int i = 0; i < 200; ++i) deep = "{" + deep + "}";
  std::string wide = "<(*";
  for (int i = 0; i < 250; ++i) wide += ",w" + std::to_string(i);
  const auto report =
      fed(one, "<" + deep + " --> b>.\n" + wide + ") --> long>.\n" +
                   "<\"a name, in quotes\" --> \"b --> c\">. :\\:\n<über --> 7up>. :/:\n"
                   "<({SELF} * x) --> ^op>! :+7:\n<(/,R,a,_) --> b>. :!-3:\n<(\\,R,_,a) --> b>.\n"
                   "(&/, <a --> b>, +5, <c --> d>).\n<(--,<a --> b>) ==> <a <-> c>>. %0.3;0.4%\n"
                   "dt=2.5 <<a --> b> =/> <c --> d>>.\n$0.1;0.2;0.3$ <#1 --> (|,a,b)>.\n");
  CHECK(report.accepted >= 10);
  write_snapshot(one, folder.file(), SnapshotForm::binary);
  read_snapshot(other, folder.file());
  CHECK(everything_in(other) == everything_in(one));
}

TEST_CASE("damaged, foreign and newer binary files are refused with the place of the error",
          "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  const std::string good = learnt_bytes(folder.file(), 0, 8);
  core::Session session;
  fed(session, "<x --> y>.\n");
  const std::string before = everything_in(session);
  for (std::size_t size = 1; size < good.size(); ++size)
    CHECK(refusal_of(folder, good.substr(0, size), session) != "");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    CHECK(refusal_of(folder, bad, session) != "");
  }
  CHECK(refusal_of(folder, good + "x", session).find("byte 16: the file has been cut or lengthened") == 0);
  std::string future = good;
  future[8] = 2;
  CHECK(refusal_of(folder, future, session) == "byte 8: a snapshot of another version (2), known is 1");
  std::string other_order = good;
  std::swap(other_order[12], other_order[15]);
  CHECK(refusal_of(folder, other_order, session).find("byte 12: ") == 0);
  CHECK(refusal_of(folder, "\x89PNG\r\n\x1a\n and so on", session) ==
        "byte 1: this is no snapshot of Engram");
  CHECK(everything_in(session) == before);
  CHECK(refusal_of(folder, good, session) == "");
}

TEST_CASE("a forged binary file gives a valid memory or is refused", "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  const int variant = GENERATE(0, 3, 7, 9);
  const std::string good = learnt_bytes(folder.file(), variant, 12);
  REQUIRE(sealed_again(good) == good);
  core::Rng rng(7, "forged", static_cast<std::uint64_t>(variant));
  int taken = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string bad = good;
    for (std::uint64_t k = 0; k <= rng.below(3); ++k) {
      const std::size_t at = rng.below(bad.size() - digest);
      if (rng.below(4) == 0)  // overwrites an 8-byte number with an extreme value
        bad.replace(at / 8 * 8, 8, 8, static_cast<char>(rng.below(2) == 0 ? 0xff : 0x7f));
      else
        bad[at] = static_cast<char>(rng.below(256));
    }
    if (rng.below(20) == 0) bad.resize(digest + rng.below(bad.size() - digest));
    core::MemoryOptions options;
    options.limits = {
        .max_concepts = 500, .max_hebbian_links = 1000, .max_statements = 100, .max_active = 50};
    Protocol protocol(options);
    testing::write(folder.file("tried"), sealed_again(bad));
    const auto reply = nlohmann::json::parse(
        protocol.handle(nlohmann::json{{"op", "restore"}, {"path", folder.file("tried")}}.dump()));
    if (reply.at("ok") != true) {
      CHECK(reply.at("error").at("code") == "bad_value");
      continue;
    }
    ++taken;
    // An accepted snapshot can be written in both forms and read again.
    for (const char* form : {"json", "binary"}) {
      const nlohmann::json about = {{"op", "snapshot"}, {"path", folder.file(form)}, {"form", form}};
      REQUIRE(reply_to(protocol, about).at("ok") == true);
      core::Session again(options);
      read_snapshot(again, folder.file(form));
      CHECK(memory_text(again.memory()) == memory_text(protocol.session().memory()));
    }
    CHECK(reply_to(protocol, R"({"op":"recall","cue":"n1"})").at("ok") == true);
    CHECK(reply_to(protocol, R"({"op":"input","narsese":"<n1 --> n2>."})").at("ok") == true);
  }
  CHECK(taken > 10);
}

TEST_CASE("a binary snapshot beyond the session's limits is refused", "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  const std::string good = learnt_bytes(folder.file(), 0, 60);
  for (std::size_t core::MemoryLimits::*limit :
       {&core::MemoryLimits::max_concepts, &core::MemoryLimits::max_hebbian_links,
        &core::MemoryLimits::max_statements, &core::MemoryLimits::max_active,
        &core::MemoryLimits::max_bytes}) {
    core::MemoryOptions options;
    options.limits.*limit = limit == &core::MemoryLimits::max_bytes ? 4000 : 1;
    core::Session session(options);
    CHECK(refusal_of(folder, good, session) != "");
  }
}

TEST_CASE("writing a snapshot reserves the bytes of its copies, and is refused without room for them",
          "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  core::Session session;
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "<a" + std::string(50, 'x') + std::to_string(i) + " --> b" + std::to_string(i % 300) + ">.\n";
  REQUIRE(fed(session, text).accepted == 2000);
  const SnapshotForm form = GENERATE(SnapshotForm::json, SnapshotForm::binary);
  const std::size_t image = core::image_bytes(session.memory());
  std::size_t needed = image;
  {
    core::WorkBudget work({});
    const SnapshotFacts facts = write_snapshot(session, folder.file(), form);
    if (form == SnapshotForm::binary) needed += facts.bytes;
    CHECK(work.peak_reserved() >= needed);
    CHECK(work.peak_reserved() < 4 * (image + facts.bytes));
  }
  const core::WorkBudget work({.bytes = needed - 1});
  CHECK_THROWS_AS(write_snapshot(session, folder.file("none"), form), core::WorkStopped);
  CHECK_FALSE(std::filesystem::exists(folder.file("none")));
}

TEST_CASE("the request selects the snapshot format", "[bridge][snapshot][binary]") {
  const MemoryFolder folder("binary_snapshot");
  Protocol protocol;
  tell(protocol, "<x --> y>.");
  const auto written = reply_to(
      protocol, nlohmann::json{{"op", "snapshot"}, {"path", folder.file()}, {"form", "binary"}}.dump());
  REQUIRE(written.at("ok") == true);
  CHECK(written.at("result").at("sha256") == sha256_of_text(testing::read(folder.file())));
  const auto read = reply_to(protocol, nlohmann::json{{"op", "restore"}, {"path", folder.file()}});
  CHECK(read.at("result") == written.at("result"));
  CHECK(error_in(reply_to(protocol, nlohmann::json{{"op", "snapshot"}, {"path", "x"}, {"form", "xml"}})) ==
        "bad_value /form");
  CHECK(error_in(reply_to(protocol, nlohmann::json{{"op", "restore"}, {"path", "x"}, {"form", "json"}})) ==
        "unknown_field /form");
}

}  // namespace engram::bridge
