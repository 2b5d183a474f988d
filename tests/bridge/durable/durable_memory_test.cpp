// SPDX-License-Identifier: MIT
#include "bridge/durable/durable_memory.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "bridge/systems/navm.hpp"
#include "tests/bridge/snapshots/whole_session.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;

struct DurableFolder : MemoryFolder {
  DurableFolder() : MemoryFolder("durable") {}
  fs::path operator/(const std::string& name) const { return path / name; }
};

// A session whose memory is kept in a durable folder. It writes no new snapshot before the journal has `least` bytes.
struct Kept {
  explicit Kept(const fs::path& folder, core::MemoryOptions options = {}, std::uint64_t least = 1 << 20,
                core::ForgettingOptions forgetting = {})
      : durable(std::make_shared<DurableMemory>(
            folder, DurableOptions{.least_journal_bytes = least,
                                   .tell = [this](const std::string& text) { reports.push_back(text); }})) {
    options.observer = durable->observer();
    session = std::make_shared<core::Session>(options, forgetting);
    durable->attend(*session);
  }
  nlohmann::json ask(const nlohmann::json& request) {
    Protocol protocol = Protocol::on(session, {}, durable);
    return nlohmann::json::parse(protocol.when_durable(protocol.answer(request.dump())).at(0));
  }
  std::string everything() { return everything_in(*session); }

  std::vector<std::string> reports;
  std::shared_ptr<DurableMemory> durable;
  std::shared_ptr<core::Session> session;
};

// A copy of the folder as a kill at this moment would leave it.
fs::path copy_of(const fs::path& folder, const DurableFolder& at) {
  const fs::path copy = at / "copy";
  fs::remove_all(copy);
  fs::copy(folder, copy);
  return copy;
}

std::string refusal_of(const fs::path& folder) try {
  const Kept kept(folder);
  return {};
} catch (const DurableError& error) {
  return error.what();
}

nlohmann::json input(const std::string& narsese) { return {{"op", "input"}, {"narsese", narsese}}; }

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("all acknowledged input survives a kill exactly", "[bridge][durable]") {
  const DurableFolder folder;
  const int variant = GENERATE(range(0, 10));
  // The session writes a new snapshot after each request (0 bytes of journal), sometimes (3000), or never.
  const auto least = static_cast<std::uint64_t>(GENERATE(0, 3000, 1 << 20));
  core::Rng rng(3, "durable", static_cast<std::uint64_t>(variant));
  core::MemoryOptions options = options_for(variant);
  core::ForgettingOptions forgetting;
  if (GENERATE(false, true)) {  // the second case also forgets, with a policy that depends on the variant
    options.limits.max_statements = 30;
    forgetting.policy = core::forgetting_policies[1 + static_cast<std::size_t>(variant) % 6].value;
  }
  Kept one(folder / "kept", options, least, forgetting);
  bool has_forgotten = false;
  for (int round = 0; round < 30; ++round) {
    switch (rng.below(12)) {
      case 0:
        one.ask({{"op", "reset"}});
        break;
      case 1:
        REQUIRE(one.ask({{"op", "snapshot"}, {"path", folder / "other"}, {"form", "binary"}}).at("ok") ==
                true);
        one.ask(input(random_narsese(rng, 5)));
        REQUIRE(one.ask({{"op", "restore"}, {"path", folder / "other"}}).at("ok") == true);
        break;
      case 2:
      case 3:
        for (const char* of : {"concepts", "statements"})
          REQUIRE(one.ask({{"op", "allocate"}, {"cue", "n1"}, {"capacity", 5}, {"of", of}}).at("ok") == true);
        break;
      case 4: {
        NavmConversation navm(one.session, false, one.durable);
        navm.when_durable(navm.answer("NSE <n1 --> n2>.\nRES\nNSE <n3 --> n4>.\nCYC 3\nNSE <n1 --> ?x>?"));
        break;
      }
      case 5:
        CHECK(one.ask(input("<a --> \n<b --> c>.")).at("result").at("rejected").size() == 1);
        break;
      case 6:
        one.ask({{"op", "recall"}, {"cue", "<n1 --> never_heard>?"}});
        break;
      default:
        REQUIRE(one.ask(input(random_narsese(rng, 20))).at("ok") == true);
        break;
    }
    has_forgotten |= one.session->forgetting().state().so_far.statements > 0;
    if (round % 3 == 0) {
      // The folder has three files once the snapshot is complete. Wait for that, because copying is not atomic.
      while (names_in(folder / "kept").size() != 3) std::this_thread::yield();
      Kept again(copy_of(folder / "kept", folder), options, least, forgetting);
      CHECK(again.everything() == one.everything());
    }
  }
  CHECK(has_forgotten == one.session->forgetting().is_on());
  // The restored session must process further input exactly as the original does.
  while (names_in(folder / "kept").size() != 3) std::this_thread::yield();
  Kept again(copy_of(folder / "kept", folder), options, least, forgetting);
  for (int round = 0; round < 4; ++round) {
    const std::string more = random_narsese(rng, 25);
    const auto known = [](nlohmann::json reply) { return reply.at("result"); };
    CHECK(known(again.ask(input(more))) == known(one.ask(input(more))));
    CHECK(again.everything() == one.everything());
  }
  const std::string last = again.everything();
  again.session.reset();
  again.durable.reset();
  CHECK(Kept(folder / "copy", options, least, forgetting).everything() == last);
}

TEST_CASE("a truncated journal gives its complete records", "[bridge][durable]") {
  const DurableFolder folder;
  std::vector<std::string> states;
  std::vector<std::uintmax_t> sizes;
  {
    Kept one(folder / "kept");
    const auto note = [&] {
      states.push_back(one.everything());
      sizes.push_back(fs::file_size(folder / "kept" / "journal-1.engram"));
    };
    note();
    for (const char* text :
         {"<a --> b>.", "<b --> c>. %0;0.5%\n7", "<a --> b>.\n<c --> {d}>!", "<a --> ?x>?"}) {
      one.ask(input(text));
      note();
    }
  }
  const std::string whole = testing::read(folder / "kept" / "journal-1.engram");
  for (std::size_t size = sizes[0]; size < whole.size(); ++size) {
    // After a crash, some file systems leave zeros at the end of a file.
    const std::size_t zeros = size % 3 * 50;
    const fs::path copy = copy_of(folder / "kept", folder);
    const auto at = std::ranges::upper_bound(sizes, size) - sizes.begin() - 1;
    const bool between = sizes[static_cast<std::size_t>(at)] == size;
    testing::write(copy / "journal-1.engram", whole.substr(0, size) + std::string(between ? zeros : 0, '\0'));
    {
      Kept again(copy);
      CHECK(again.everything() == states[static_cast<std::size_t>(at)]);
      CHECK(again.reports.size() == (between && zeros == 0 ? 0 : 1));
      again.ask(input("<x --> y>."));
    }
    Kept once_more(copy);  // the incomplete record was removed, so the new record follows the complete ones
    CHECK(once_more.reports.empty());
    const core::Statements& statements = once_more.session->memory().statements();
    CHECK(statements[statements.size() - 1].times == 1);
  }
  for (std::size_t size = 0; size < sizes[0]; ++size) {
    const fs::path copy = copy_of(folder / "kept", folder);
    testing::write(copy / "journal-1.engram", whole.substr(0, size));
    CHECK(refusal_of(copy).find("journal-1.engram: byte ") != std::string::npos);
  }
}

TEST_CASE("a folder with one changed byte is refused, and the message gives the place", "[bridge][durable]") {
  const DurableFolder folder;
  {
    Kept one(folder / "kept");
    one.ask(input("<a --> b>. %0.5;0.4%"));
    one.ask(input("<{a} --> [b]>.\n3"));
  }
  for (const char* name : {"journal-1.engram", "memory-1.engram", "engram.lock"}) {
    const std::string good = testing::read(folder / "kept" / name);
    for (std::size_t at = 0; at < good.size(); ++at) {
      const fs::path copy = copy_of(folder / "kept", folder);
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
      testing::write(copy / name, bad);
      const std::string refusal = refusal_of(copy);
      CHECK(refusal.find(name) != std::string::npos);
      // An error in the first byte has no position, because that byte selects the format.
      const bool has_place = name != std::string("engram.lock") && at > 0;
      CHECK((!has_place || refusal.find("byte ") != std::string::npos));
      CHECK(testing::read(copy / name) == bad);
    }
  }
  const fs::path copy = copy_of(folder / "kept", folder);
  std::string future = testing::read(copy / "journal-1.engram");
  future[8] = 2;
  testing::write(copy / "journal-1.engram", future);
  CHECK(refusal_of(copy).find("byte 8: a journal of another version (2), known is 1") != std::string::npos);
}

TEST_CASE("folders with foreign files, in use or with a missing file are refused", "[bridge][durable]") {
  const DurableFolder folder;
  fs::create_directory(folder / "photos");
  testing::write(folder / "photos" / "cat.jpg", "x");
  CHECK(refusal_of(folder / "photos").find("found cat.jpg") != std::string::npos);
  CHECK(names_in(folder / "photos") == std::set<std::string>{"cat.jpg"});
  CHECK_THROWS_AS(DurableMemory(folder / "no" / "such"), std::system_error);
  {
    Kept one(folder / "kept");
    CHECK(refusal_of(folder / "kept").find("another process uses this folder") != std::string::npos);
    one.ask(input("<a --> b>."));
  }
  CHECK(refusal_of(folder / "kept") == "");
  for (const char* name : {"journal-1.engram", "memory-1.engram", "engram.lock"}) {
    const fs::path copy = copy_of(folder / "kept", folder);
    fs::remove(copy / name);
    CHECK(refusal_of(copy) != "");
  }
  testing::write(folder / "kept" / "notes.txt", "x");
  CHECK(refusal_of(folder / "kept").find("found notes.txt") != std::string::npos);
}

TEST_CASE("at every step of writing a new snapshot the old or the new one is complete", "[bridge][durable]") {
  const DurableFolder folder;
  std::string before, after;
  {
    Kept one(folder / "kept");
    one.ask(input("<a --> b>."));
    before = one.everything();
  }
  // The folder `moment` is a state between two snapshots: it gets journal-2 and later memory-2, and still has the files
  // of memory-1.
  fs::copy(folder / "kept", folder / "moment");
  {
    Kept one(folder / "kept", {}, 0);
    one.ask(input("<b --> c>."));
    after = one.everything();
  }
  REQUIRE(names_in(folder / "kept") ==
          std::set<std::string>{"engram.lock", "memory-2.engram", "journal-2.engram"});
  fs::copy(folder / "kept" / "journal-2.engram", folder / "moment" / "journal-2.engram");
  // This copy of journal-1 lacks record 2, so journal-2, which starts with record 3, does not continue it.
  CHECK(refusal_of(copy_of(folder / "moment", folder))
            .find("journal-2.engram: expected record 2 first, found 3") != std::string::npos);
  fs::copy(folder / "kept" / "memory-2.engram", folder / "moment" / "memory-2.engram");
  CHECK(Kept(copy_of(folder / "moment", folder)).everything() == after);
  CHECK(names_in(folder / "copy") == names_in(folder / "kept"));

  // A kill after the new journal was started and before the new snapshot was complete. The file of the new snapshot is
  // missing, temporary or truncated.
  fs::create_directory(folder / "between");
  {
    Kept one(folder / "between");
    one.ask(input("<a --> b>."));
    one.ask(input("<b --> c>."));
  }
  fs::copy(folder / "kept" / "journal-2.engram", folder / "between" / "journal-2.engram");
  CHECK(Kept(copy_of(folder / "between", folder)).everything() == after);
  testing::write(folder / "between" / "memory-2.engram.77-1.part",
                 "\x89"
                 "ENGR");
  CHECK(Kept(copy_of(folder / "between", folder)).everything() == after);
  CHECK(!names_in(folder / "copy").contains("memory-2.engram.77-1.part"));
  testing::write(folder / "between" / "memory-2.engram",
                 "\x89"
                 "ENGR");
  Kept older(copy_of(folder / "between", folder));
  CHECK(older.everything() == after);
  CHECK(older.reports.at(0).find("memory-2.engram: byte ") != std::string::npos);
}

TEST_CASE("a folder that exceeds the session's limits is refused and stays unchanged", "[bridge][durable]") {
  const DurableFolder folder;
  {
    Kept one(folder / "kept");
    one.ask(input("<a --> b>.\n<b --> c>.\n<c --> d>."));
  }
  core::MemoryOptions few;
  few.limits.max_statements = 2;
  CHECK_THROWS_WITH(
      Kept(folder / "kept", few),
      Catch::Contains("journal replay rejected a sentence that was accepted when it was written"));
  CHECK(Kept(folder / "kept").session->memory().statements().size() == 3);
}

TEST_CASE("concurrent clients lose no input and share disk syncs", "[bridge][durable]") {
  const DurableFolder folder;
  std::string all;
  {
    Kept one(folder / "kept", {}, 2000);
    const auto shared = std::make_shared<SharedSession>(one.session);
    std::vector<std::thread> clients;
    for (int client = 0; client < 4; ++client)
      clients.emplace_back([&, client] {
        Protocol protocol = Protocol::on(shared, {}, one.durable);
        for (int i = 0; i < 50; ++i) {
          const std::string text = "<c" + std::to_string(client) + " --> s" + std::to_string(i) + ">.";
          protocol.when_durable(protocol.answer(input(text).dump()));
          if (i % 10 == client)
            protocol.when_durable(protocol.answer(
                nlohmann::json{{"op", "allocate"}, {"cue", text}, {"prior", "previous"}}.dump()));
        }
      });
    for (std::thread& client : clients) client.join();
    all = one.everything();
  }
  Kept again(folder / "kept");
  CHECK(again.everything() == all);
  CHECK(again.session->memory().statements().size() == 200);
}

TEST_CASE("a failed write to the durable folder is an error, ends the session and marks the folder as lost",
          "[bridge][durable]") {
  const DurableFolder folder;
  std::string lost;
  auto durable = std::make_shared<DurableMemory>(
      folder / "kept", DurableOptions{.lost = [&](const std::string& why) { lost = why; }});
  core::MemoryOptions options;
  options.observer = durable->observer();
  const auto session = std::make_shared<core::Session>(options);
  durable->attend(*session);
  Protocol protocol = Protocol::on(session, {}, durable);
  REQUIRE(protocol.when_durable(protocol.answer(input("<a --> b>.").dump())).at(0).find("\"ok\":true") !=
          std::string::npos);
  fs::remove_all(folder / "kept");  // without the folder, `restore` cannot write the restored memory
  write_snapshot(*session, folder / "other");
  const auto reply = nlohmann::json::parse(
      protocol
          .when_durable(protocol.answer(
              nlohmann::json{{"id", 7}, {"op", "restore"}, {"path", folder / "other"}}.dump()))
          .at(0));
  CHECK(reply.at("id") == 7);
  CHECK(reply.at("error").at("code") == "io_error");
  CHECK(lost.find("No such file or directory") != std::string::npos);
  CHECK(protocol.finished());
  CHECK(durable->is_lost());
}

}  // namespace engram::bridge
