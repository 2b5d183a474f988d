// SPDX-License-Identifier: MIT
// Fuzz target for forged snapshots with a correct number of lines and a correct SHA-256. A snapshot is refused with a
// reason, or it gives a usable memory: every operation returns a reply that fits the schema, the memory continues to
// learn, and it survives a round trip. libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the corpus.
//
// Format of an input: the first byte is a digit, t or b.
// - A digit selects one of ten memories. Every four bytes after it make a change of the memory's JSON snapshot. They
//   select the kind of change, the line, the place in the line and the new value.
// - After t follow the lines of a snapshot.
// - After b, a digit selects the memory. Every four bytes after it make a change of its binary snapshot. They select
//   the place (two bytes), the kind of change and the new value.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/protocol/protocol.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/graph/link_learning.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/fuzz/reply_check.hpp"

using namespace engram;
using engram::fuzz::promise;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;

// Folder for snapshot files. It is in memory if possible, because every input is written and read several times.
struct Folder {
  Folder() {
    const fs::path shared = "/dev/shm";
    path = (fs::exists(shared) ? shared : fs::temp_directory_path()) /
           ("engram_snapshot_fuzz_" + std::to_string(getpid()));
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return (path / name).string(); }
  fs::path path;
};

const Folder& folder() {
  static const Folder made;
  return made;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

core::MemoryOptions options_of(std::size_t variant) {
  core::MemoryOptions options;
  options.decay = variant % 3 == 0 ? 0.0 : 0.1 * static_cast<double>(variant);
  if (variant < core::learning_rules.size())
    options.learning = core::LinkLearning{.rule = core::learning_rules[variant].value};
  else
    options.activation = {true, variant % 2 == 0, true};
  options.limits = {.max_concepts = 200, .max_hebbian_links = 600, .max_statements = 60, .max_active = 20};
  return options;
}

constexpr const char* experience =
    "<tim --> cat>. %0.9;0.8%\n7\n<{tim} --> [black]>.\n<tim --> cat>. %0.5;0.7%\n"
    "<(*,tim,tom) --> likes>. :|:\n<cat <-> dog>. %0.7000000000000000000000000000000000;0.6000000000000000%\n"
    "<<$x --> cat> ==> <$x --> animal>>.\n<tom --> cat>! %1;0.4%\n$0.5;0.5;0.5$ <cat --> animal>. :!3:\n";

std::string snapshot_of(std::size_t variant, bridge::SnapshotForm form) {
  core::Session session(options_of(variant));
  std::istringstream in(experience);
  session.read(in);
  core::AllocationOptions how;
  for (const auto of : {core::AllocationOf::concepts, core::AllocationOf::statements}) {
    how.of = of;
    session.allocate(session.recall(core::ConfiguredMethod("attention"), *session.cue("tim")), how);
  }
  bridge::write_snapshot(session, folder().file("made"), form);
  return bytes_of(folder().file("made"));
}

// The lines of a memory's JSON snapshot, without the last line, which has the checksum.
std::string lines_of(std::size_t variant) {
  const std::string text = snapshot_of(variant, bridge::SnapshotForm::json);
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

// --- forged snapshots --------------------------------------------------------------------------------

constexpr std::array<const char*, 40> values{"0",
                                             "1",
                                             "2",
                                             "3",
                                             "5",
                                             "-1",
                                             "0.5",
                                             "-0.0",
                                             "1e-320",
                                             "5e-324",
                                             "1e-300",
                                             "1e-17",
                                             "0.999999999999",
                                             "0.9999999999999999",
                                             "1.0000000000000002",
                                             "1e15",
                                             "1e29",
                                             "1e30",
                                             "9.99e29",
                                             "1e31",
                                             "1e300",
                                             "1.7976931348623157e308",
                                             "-1e300",
                                             "4294967295",
                                             "4294967296",
                                             "9223372036854775806",
                                             "9223372036854775807",
                                             "9223372036854775808",
                                             "9223372036854775809",
                                             "18446744073709551615",
                                             "1e400",
                                             "null",
                                             "true",
                                             "[]",
                                             "{}",
                                             "\"\"",
                                             "\"a\"",
                                             "[0,1]",
                                             "\"<a --> b>.\"",
                                             "NaN"};

// The begin and end offsets of the JSON numbers and strings in a line.
std::vector<std::pair<std::size_t, std::size_t>> places(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    if (line[at] == '"') {
      end = at + 1;
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size());
    } else {
      end = std::min(line.find_first_of(",:{}[]\"", at), line.size());
    }
    if (end > at) found.emplace_back(at, end);
    at = std::max(end, at + 1);
  }
  return found;
}

void forge(std::vector<std::string>& lines, const std::uint8_t* step) {
  if (lines.empty()) return;
  const std::size_t at = step[1] % lines.size();
  std::string& line = lines[at];
  const auto where = places(line);
  const auto [begin, end] =
      where.empty() ? std::pair<std::size_t, std::size_t>{0, 0} : where[step[2] % where.size()];
  const std::string& other = lines[step[2] % lines.size()];
  switch (step[0] % 8) {
    case 0:
    case 1:
    case 2:
      line.replace(begin, end - begin, values[step[3] % values.size()]);
      break;
    case 3: {  // copies a value from another line
      const std::string& from = lines[step[3] % lines.size()];
      const auto there = places(from);
      if (there.empty()) break;
      const auto [a, b] = there[step[2] % there.size()];
      line.replace(begin, end - begin, from.substr(a, b - a));
      break;
    }
    case 4:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(other));
      break;
    case 5:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 6:
      std::swap(line, lines[step[2] % lines.size()]);
      break;
    default:
      if (!line.empty()) line[step[2] % line.size()] = static_cast<char>(step[3]);
  }
}

std::string forged(const std::uint8_t* data, std::size_t size) {
  if (data[0] == 't') return {reinterpret_cast<const char*>(data) + 1, size - 1};
  static const std::array<std::string, 10> made = [] {
    std::array<std::string, 10> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = lines_of(i);
    return all;
  }();
  std::vector<std::string> lines;
  for (const std::string_view line : fuzz::split(made[data[0] % made.size()])) lines.emplace_back(line);
  for (std::size_t at = 1; at + 4 <= size; at += 4) forge(lines, data + at);
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string with_right_end(const std::string& text) {
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return text + nlohmann::ordered_json{{"end", lines}, {"sha256", bridge::sha256_of_text(text)}}.dump() +
         "\n";
}

std::string forged_bytes(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t digest = 64, place_of_size = 16;
  static const std::array<std::string, 10> made = [] {
    std::array<std::string, 10> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = snapshot_of(i, bridge::SnapshotForm::binary);
    return all;
  }();
  std::string bytes = made[data[0] % made.size()];
  bytes.resize(bytes.size() - digest);
  for (std::size_t k = 1; k + 4 <= size; k += 4) {
    const std::size_t at = (data[k] | std::size_t{data[k + 1]} << 8) % bytes.size();
    const char by = static_cast<char>(data[k + 3]);
    switch (data[k + 2] % 4) {
      case 0:  // overwrites a number of 8 bytes
        bytes.replace(at / 8 * 8, 8, 8, by);
        break;
      case 1:
        bytes.insert(at / 8 * 8, 8, by);
        break;
      case 2:
        if (bytes.size() > 64) bytes.erase(at / 8 * 8, 8);
        break;
      default:
        bytes[at] = by;
    }
  }
  for (std::size_t i = 0; i < 8 && bytes.size() >= place_of_size + 8; ++i)
    bytes[place_of_size + i] = static_cast<char>((bytes.size() + digest) >> (8 * i));
  return bytes + bridge::sha256_of_text(bytes);
}

// --- checks of a restored memory ---------------------------------------------------------------------

Json checked_reply(bridge::Protocol& protocol, const Json& request, const std::string& snapshot) {
  const std::string line = request.dump();
  return fuzz::checked_reply(line, protocol.handle(line), snapshot);
}

void use(bridge::Protocol& protocol, const std::string& snapshot) {
  const auto ask = [&](const Json& request) { return checked_reply(protocol, request, snapshot); };
  Json names = Json::array();
  const bool learns = protocol.session().memory().learner().has_value();
  for (const core::Method& method : core::methods()) {
    names.push_back(method.name);
    ask({{"op", "recall"}, {"cue", "<tim --> ?x>?"}, {"method", method.name}, {"top", 50}});
  }
  for (const auto& rule : core::link_rules)
    for (const char* method : {"pagerank", "attention", "hopfield", "ecan"})
      ask({{"op", "recall"},
           {"cue", {{"cat", 0.3}, {"black", 1}}},
           {"method", method},
           {"options", {{"links", rule.name}}}});
  if (learns)
    ask({{"op", "recall"}, {"cue", "cat"}, {"method", "pagerank"}, {"options", {{"links", "learnt"}}}});
  for (const char* of : {"concepts", "statements"})
    for (const char* prior : {"previous", "uniform"})
      ask({{"op", "allocate"},
           {"cue", "cat"},
           {"capacity", 9},
           {"of", of},
           {"prior", prior},
           {"transfers", 20}});
  ask({{"op", "compare"}, {"cue", "cat"}, {"methods", names}});
  ask({{"op", "links"}, {"top", 1000}});
  ask({{"op", "links"}, {"term", "cat"}, {"as", "narsese"}});
  ask({{"op", "stats"}});
}

// Writes a snapshot and returns its bytes.
std::string written(bridge::Protocol& protocol, const char* name, const std::string& snapshot) {
  const Json reply = checked_reply(protocol, {{"op", "snapshot"}, {"path", folder().file(name)}}, snapshot);
  promise(reply.at("ok") == true, "a restored memory can be written", snapshot, reply.dump());
  return bytes_of(folder().file(name));
}

// Checks that a snapshot survives a round trip: writing, reading and writing again gives the same bytes and the same
// memory.
void check_round_trip(bridge::Protocol& protocol, const std::string& snapshot) {
  const std::string first = written(protocol, "first", snapshot);
  bridge::Protocol other(options_of(0));
  const Json reply = checked_reply(other, {{"op", "restore"}, {"path", folder().file("first")}}, snapshot);
  promise(reply.at("ok") == true, "a written snapshot can be restored", snapshot, reply.dump());
  promise(written(other, "second", snapshot) == first, "a second snapshot has the same bytes", snapshot,
          first);
  promise(bridge::memory_text(other.session().memory()) == bridge::memory_text(protocol.session().memory()),
          "restoring a snapshot gives the same memory", snapshot);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::uint64_t most_steps = 200'000'000;
  const bool is_binary = data[0] == 'b' && size > 1;
  const std::string text = is_binary ? forged_bytes(data + 1, size - 1) : with_right_end(forged(data, size));
  std::ofstream(folder().file("forged"), std::ios::binary) << text;
  bridge::Protocol protocol(options_of(0));
  const std::string before = bridge::memory_text(protocol.session().memory());
  const core::WorkBudget work({.steps = most_steps});
  const Json reply = checked_reply(protocol, {{"op", "restore"}, {"path", folder().file("forged")}}, text);
  if (!reply.at("ok").get<bool>()) {
    promise(bridge::memory_text(protocol.session().memory()) == before, "a refusal changes nothing", text);
    return 0;
  }
  check_round_trip(protocol, text);
  use(protocol, text);
  checked_reply(protocol,
                {{"op", "input"}, {"narsese", std::string(experience) + "<tim --> new>.\n<cat --> ?x>?\n"}},
                text);
  use(protocol, text);
  check_round_trip(protocol, text);
  return 0;
}
