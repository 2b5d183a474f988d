// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/json/object_reader.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "core/graph/memory_image.hpp"
#include "narsese/text.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;
using core::ConceptId;

// A number below `below`, which is at most 2^32.
std::uint32_t index(const JsonValue& value, std::size_t below) {
  if (below == 0) value.refuse("nothing, since there is none");
  return static_cast<std::uint32_t>(value.count(0, below - 1));
}

const JsonValue& pair(const JsonValue& value) {
  if (value.list("two numbers").size() != 2) value.refuse("two numbers");
  return value;
}

std::pair<std::uint32_t, std::uint32_t> ids(const JsonValue& value, std::size_t below) {
  const JsonValue& both = pair(value);
  return {index(both[0], below), index(both[1], below)};
}

class SnapshotLines {
 public:
  SnapshotLines(std::istream& in, const core::MemoryLimits& limits) : in_(in), limits_(limits) {}

  /// Reads a whole snapshot.  Returns  its size and digest
  SnapshotFacts read() {
    while (next_line())
      if (ended()) return {bytes_, hasher_.digest()};
    if (in_.bad()) throw std::system_error(EIO, std::generic_category(), "the snapshot");
    throw SnapshotError(number_ + 1,
                        number_ == 0 ? "an empty file" : "the last line, {\"end\": ...}, is missing");
  }

  void hand_over_to(core::Session& session) {
    core::Memory& memory = made_->mutable_memory();
    const core::Reservation claim(taken());  // the restored data has about the same size
    try {
      memory.restore(image_);
    } catch (const std::invalid_argument& error) {
      throw SnapshotError(0, error.what());
    }
    session.restore(std::move(memory), std::move(budgets_[0]), std::move(budgets_[1]), std::move(forgotten_));
  }

 private:
  struct Kind {
    std::string_view name;  // name of the first member
    int stage;              // stages of lines must ascend
    void (SnapshotLines::*read)(ObjectReader&);
  };

  bool next_line() {
    const auto status = narsese::read_line(in_, line_, snapshot_format::max_line_bytes);
    if (status == narsese::LineStatus::end) return false;
    ++number_;
    core::charge(1000 + 20 * line_.size());
    if (status == narsese::LineStatus::too_long)
      refuse("a line may have at most " + std::to_string(snapshot_format::max_line_bytes) + " bytes");
    return true;
  }

  // Bytes of the data read so far, which exists in addition to the current memory of the session.
  std::size_t taken() const {
    const core::GraphImage& graph = image_.graph;
    std::size_t bytes = core::bytes_of(graph.concepts) + core::bytes_of(graph.links) +
                        core::bytes_of(graph.concepts_before) + core::bytes_of(image_.statements) +
                        named_.bytes() + (made_ ? made_->bytes() : 0);
    if (image_.learner)
      bytes += core::bytes_of(image_.learner->links) + core::bytes_of(image_.learner->units);
    return bytes;
  }

  void claim() {
    if (taken() <= claimed_) return;
    claim_.reset();
    claim_.emplace(claimed_ = taken());
  }

  [[noreturn]] void refuse(const std::string& problem) const { throw SnapshotError(number_, problem); }

  // Processes the line. Returns whether it was the last one.
  bool ended() {
    static constexpr std::array<Kind, 12> kinds{{{"engram_snapshot", 0, &SnapshotLines::header},
                                                 {"statement", 1, &SnapshotLines::statement},
                                                 {"term", 1, &SnapshotLines::term},
                                                 {"concept", 2, &SnapshotLines::concept_},
                                                 {"link", 2, &SnapshotLines::link},
                                                 {"learner", 3, &SnapshotLines::learner},
                                                 {"unit", 4, &SnapshotLines::unit},
                                                 {"learnt", 5, &SnapshotLines::learnt},
                                                 {"before", 6, &SnapshotLines::before},
                                                 {"budget", 7, &SnapshotLines::budget},
                                                 {"share", 7, &SnapshotLines::share},
                                                 {"end", 8, nullptr}}};
    const auto read = read_json(
        line_, {.max_bytes = snapshot_format::max_line_bytes, .max_depth = snapshot_format::header_depth});
    if (!read) refuse("is no JSON: " + read.error().message());
    const Json& json = *read;
    const std::string first = json.is_object() && !json.empty() ? json.begin().key() : "";
    const auto kind = std::ranges::find(kinds, first, &Kind::name);
    if ((number_ == 1) != (first == kinds[0].name))
      refuse("a snapshot begins with {\"engram_snapshot\": ...}");
    if (kind == kinds.end()) refuse("no snapshot has such a line");
    if (kind->stage < stage_) refuse("'" + first + "' must stand further above");
    stage_ = kind->stage;
    if (kind->read != nullptr)
      read_members(*kind, json);
    else if (image_.graph.concepts.size() != named_.size() ||
             (image_.learner && image_.learner->units.size() != units_))
      refuse("a concept, or a unit of the learner, has no line");
    else if (line_ != snapshot_format::end_line(number_ - 1, hasher_.digest()))
      refuse("the file has been changed: its lines have another number, or SHA-256, than it says");
    hasher_.add(line_);
    hasher_.add("\n");
    bytes_ += line_.size() + 1;
    claim();
    return kind->read == nullptr;
  }

  void read_members(const Kind& kind, const Json& json) try {
    ObjectReader line{JsonValue(json)};
    (this->*kind.read)(line);
    line.refuse_others();
  } catch (const JsonError& error) {
    refuse(error.message());
  }

  // --- the kinds of lines ------------------------------------------------------------------------

  void header(ObjectReader& line) {
    const Json& version = line["engram_snapshot"].json();
    if (version != snapshot_format::version)
      refuse("a snapshot of another version (" + version.dump().substr(0, 20) + "), known is " +
             std::to_string(snapshot_format::version));
    core::MemoryOptions options = snapshot_format::read_header(line, image_, forgotten_);
    options.limits = limits_;
    try {
      made_.emplace(options);
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }

  narsese::TermTable& terms() { return made_->mutable_memory().terms(); }

  void intern(narsese::Term term) {
    if (named_.size() + term.complexity() > limits_.max_concepts)
      refuse("there are more concepts than " + std::to_string(limits_.max_concepts) + ", the limit");
    named_.intern(term);
  }

  // A number that older files do not have; its default is 0.
  static double optional_number(const JsonValue& value) { return value ? value.number() : 0; }

  void statement(ObjectReader& line) {
    if (image_.statements.size() >= limits_.max_statements)
      refuse("there are more statements than " + std::to_string(limits_.max_statements) + ", the limit");
    const auto sentence =
        narsese::parse_sentence(line["statement"].text(), terms(), snapshot_format::parse_limits());
    if (!sentence) refuse(sentence.error().message());
    if (sentence->term.kind() != narsese::TermKind::variable) intern(sentence->term);
    image_.statements.push_back({*sentence,
                                 {},
                                 line["evidence"].number(),
                                 line["times"].count(),
                                 line["updated"].count(),
                                 optional_number(line["denied"])});
  }

  void term(ObjectReader& line) {
    const auto read = narsese::parse_term(snapshot_format::between_brackets(line["term"].text()), terms(),
                                          snapshot_format::parse_limits());
    if (!read) refuse(read.error().message());
    if (!read->is(narsese::Copula::inheritance) || read->subject() != read->predicate() ||
        read->has_variables())
      line["term"].refuse("a term without variables");
    intern(read->subject());
  }

  void concept_(ObjectReader& line) {
    auto& concepts = image_.graph.concepts;
    const ConceptId id = index(line["concept"], named_.size());
    if (id != concepts.size()) line["concept"].refuse("the next id, " + std::to_string(concepts.size()));
    const narsese::Term own = named_[id].term;
    const bool shown = own.complexity() <= snapshot_format::most_nodes_shown;
    const JsonValue name = line["name"];
    if (shown != static_cast<bool>(name) || (shown && name.text() != narsese::print(own)))
      name.refuse("the name of its concept, where that is short");
    concepts.push_back({own, line["activity"].number(), line["told"].number(), line["updated"].count()});
  }

  void link(ObjectReader& line) {
    core::GraphImage& graph = image_.graph;
    if (graph.links.size() >= limits_.max_hebbian_links)
      refuse("there are more links than " + std::to_string(limits_.max_hebbian_links) + ", the limit");
    const auto [source, target] = ids(line["link"], graph.concepts.size());
    const JsonValue told = line["told"];
    pair(told);
    graph.links.push_back({source,
                           target,
                           line["together"].number(),
                           {told[0].number(), told[1].number()},
                           line["updated"].count(),
                           optional_number(line["apart"])});
    graph.concepts_before.push_back(graph.concepts.size());
  }

  void learner(ObjectReader& line) {
    if (image_.learner) refuse("a second learner");
    units_ = index(line["learner"], image_.graph.concepts.size() + 1);
    image_.learner.emplace();
    image_.learner->total = line["evidence"].number();
    image_.learner->step = line["step"].count();
    image_.learner->last = line["updated"].count();
  }

  core::LearnerImage& learner_so_far() {
    if (!image_.learner) refuse("there is no learner");
    return *image_.learner;
  }

  void unit(ObjectReader& line) {
    auto& units = learner_so_far().units;
    if (index(line["unit"], units_) != units.size()) line["unit"].refuse("the next id");
    units.push_back({line["level"].number(), line["step"].count(), line["updated"].count()});
  }

  void learnt(ObjectReader& line) {
    auto& links = learner_so_far().links;
    if (links.size() >= limits_.max_hebbian_links)
      refuse("there are more learnt links than " + std::to_string(limits_.max_hebbian_links) + ", the limit");
    const auto [to, from] = ids(line["learnt"], units_);
    links.push_back({to, from, line["weight"].number(), line["step"].count()});
  }

  void before(ObjectReader& line) {
    auto& before = learner_so_far().before;
    if (before.size() >= units_) refuse("more units were active than there are");
    before.push_back(index(line["before"], units_));
  }

  void budget(ObjectReader& line) {
    const bool of_concepts =
        line["budget"].choice("", std::array<std::string_view, 2>{"concepts", "statements"}) == "concepts";
    core::Vector& budget = budgets_[of_concepts ? 0 : 1];
    if (budget.size() > 0) refuse("a second budget of the same kind");
    const std::size_t most = of_concepts ? image_.graph.concepts.size() : image_.statements.size();
    budget = core::Vector::Zero(index(line["size"], most + 1));
    filling_ = &budget;
    next_share_ = 0;
  }

  void share(ObjectReader& line) {
    if (filling_ == nullptr) refuse("a share of no budget");
    const JsonValue entry = line["share"];
    const std::uint32_t id = index(pair(entry)[0], static_cast<std::size_t>(filling_->size()));
    const double value = entry[1].number();
    if (id < next_share_ || !(value > 0 && value <= 1)) entry.refuse("ascending ids, and shares in (0, 1]");
    (*filling_)[id] = value;
    next_share_ = id + std::size_t{1};
  }

  std::istream& in_;
  const core::MemoryLimits limits_;
  std::string line_;
  std::size_t number_ = 0;
  int stage_ = 0;
  Sha256 hasher_;
  std::uintmax_t bytes_ = 0;
  std::optional<core::Session> made_;
  core::ConceptGraph named_;  // assigns the IDs of concepts
  core::MemoryImage image_;
  std::size_t units_ = 0;
  std::size_t claimed_ = 0;
  std::optional<core::Reservation> claim_;
  std::array<core::Vector, 2> budgets_;
  core::Forgetting::State forgotten_;
  core::Vector* filling_ = nullptr;
  std::size_t next_share_ = 0;
};

}  // namespace

SnapshotFacts snapshot_format::read_lines(core::Session& session, const fs::path& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_file_error(path);
  SnapshotLines reader(in, session.memory().options().limits);
  const SnapshotFacts facts = reader.read();
  // The checksum does not cover text after the last line or other line ends, so the size must match.
  if (fs::file_size(path) != facts.bytes)
    throw SnapshotError(0, "the file has been changed: it has " + std::to_string(fs::file_size(path)) +
                               " bytes, its lines " + std::to_string(facts.bytes));
  reader.hand_over_to(session);
  return facts;
}

}  // namespace engram::bridge
