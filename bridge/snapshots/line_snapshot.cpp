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
using core::MemoryImage;
using narsese::Sentence;
using narsese::Term;

// Checks that written text parses back to the original term or sentence. The term table for this is separate, and is
// cleared when it grows large.
class RoundTripCheck {
 public:
  void sentence(const Sentence& meant, const std::string& text) {
    narsese::Parser parser(narsese::Dialect::any, snapshot_format::parse_limits());
    auto read = parser.sentence(text, table()).result;
    bool same = read && compare(read->term, meant.term) == 0;
    if (same) {
      Sentence rest = *read;
      rest.term = meant.term;
      same = rest == meant;
    }
    require(same, text);
  }
  void term(Term meant, const std::string& text) {
    require(snapshot_format::reads_as(text, meant, table()), text);
  }

 private:
  narsese::TermTable& table() {
    constexpr std::size_t large = std::size_t{1} << 22;
    if (table_.memory_bytes() > large) table_ = narsese::TermTable();
    return table_;
  }
  static void require(bool holds, const std::string& text) {
    if (!holds) throw SnapshotError(0, "what was said cannot be written so that it reads as it is: " + text);
  }

  narsese::TermTable table_;
};

// Cost of creating, checking and writing a line.
constexpr std::uint64_t steps_a_line = 5000, steps_a_byte = 20;

class LineWriter {
 public:
  LineWriter(const core::Session& session, WholeFile& file)
      : session_(session),
        memory_(session.memory()),
        image_claim_(core::image_bytes(memory_)),
        image_(memory_.image()),
        file_(file) {}

  SnapshotFacts write() {
    header();
    origins();
    concepts_and_links();
    if (image_.learner) learner(*image_.learner);
    budget("concepts", session_.budget(core::AllocationOf::concepts));
    budget("statements", session_.budget(core::AllocationOf::statements));
    text(snapshot_format::end_line(lines_, hasher_.digest()));
    return {bytes_, hasher_.digest()};
  }

 private:
  void text(std::string line) {
    if (line.size() > snapshot_format::max_line_bytes)
      throw SnapshotError(0, "a sentence is too long for a snapshot: " + line.substr(0, 100));
    core::charge(steps_a_line + steps_a_byte * line.size());
    line += '\n';
    file_.add(line);
    hasher_.add(line);
    bytes_ += line.size();
    ++lines_;
  }
  void line(const Json& json) { text(json.dump()); }

  void header() { line(snapshot_format::header(session_, image_)); }

  // Writes the lines that create the concepts, in order. A statement creates all concepts of its term that do not exist
  // yet.
  void origins() {
    for (const core::Statement& statement : image_.statements) {
      const Term term = statement.sentence.term;
      if (term.kind() != narsese::TermKind::variable) terms_before(term);
      const std::string said = narsese::print(statement.sentence);
      round_trip_.sentence(statement.sentence, said);
      Json json = {{"statement", said}, {"evidence", statement.evidence}};
      if (statement.denied > 0) json["denied"] = statement.denied;
      json.update({{"times", statement.times}, {"updated", statement.updated}});
      line(json);
    }
    terms_up_to(static_cast<ConceptId>(memory_.graph().size()));
  }

  void terms_up_to(ConceptId end) {
    for (; made_ < end; ++made_) {
      const Term term = memory_.graph()[made_].term;
      const std::string name = narsese::print(term);
      round_trip_.term(term, name);
      line({{"term", name}});
    }
  }

  // Writes lines for the concepts that existed before this statement and were created without a sentence, as ends of a
  // link.
  void terms_before(Term term) {
    const ConceptId root = memory_.graph().find(term).value();
    if (root < made_) return;
    terms_up_to(snapshot_format::first_created(memory_.graph(), made_, root));
    made_ = root + 1;
  }

  void concepts_and_links() {
    std::size_t written = 0;
    const auto concepts_up_to = [&](std::size_t end) {
      for (; written < end; ++written) concept_line(static_cast<ConceptId>(written));
    };
    for (std::size_t k = 0; k < image_.graph.links.size(); ++k) {
      concepts_up_to(image_.graph.concepts_before[k]);
      const core::HebbianLink& link = image_.graph.links[k];
      Json json = {{"link", Json::array({link.source, link.target})}, {"together", link.together}};
      if (link.denied > 0) json["apart"] = link.denied;
      json.update({{"told", Json::array({link.judged.frequency, link.judged.confidence})},
                   {"updated", link.updated}});
      line(json);
    }
    concepts_up_to(image_.graph.concepts.size());
  }

  void concept_line(ConceptId id) {
    const core::Concept& node = image_.graph.concepts[id];
    Json json = {{"concept", id}};
    if (node.term.complexity() <= snapshot_format::most_nodes_shown) json["name"] = narsese::print(node.term);
    json.update({{"activity", node.activity}, {"told", node.judged}, {"updated", node.updated}});
    line(json);
  }

  void learner(const core::LearnerImage& learner) {
    line({{"learner", learner.units.size()},
          {"evidence", learner.total},
          {"step", learner.step},
          {"updated", learner.last}});
    for (std::size_t id = 0; id < learner.units.size(); ++id) {
      const auto& unit = learner.units[id];
      line({{"unit", id}, {"level", unit.level}, {"step", unit.step}, {"updated", unit.time}});
    }
    for (const auto& link : learner.links)
      line({{"learnt", Json::array({link.to, link.from})}, {"weight", link.weight}, {"step", link.step}});
    for (const ConceptId id : learner.before) line({{"before", id}});
  }

  void budget(const char* of, const core::Vector& shares) {
    if (shares.size() == 0) return;
    line({{"budget", of}, {"size", shares.size()}});
    for (core::Index i = 0; i < shares.size(); ++i)
      if (shares[i] != 0) line({{"share", Json::array({i, shares[i]})}});
  }

  const core::Session& session_;
  const core::Memory& memory_;
  const core::Reservation image_claim_;
  const MemoryImage image_;
  WholeFile& file_;
  Sha256 hasher_;
  std::uintmax_t bytes_ = 0;
  std::size_t lines_ = 0;
  ConceptId made_ = 0;  // number of concepts created by the lines so far
  RoundTripCheck round_trip_;
};

}  // namespace

SnapshotFacts snapshot_format::write_lines(const core::Session& session, WholeFile& file) {
  return LineWriter(session, file).write();
}

// --- reading ----------------------------------------------------------------------------------------------

namespace {

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

class LineReader {
 public:
  LineReader(std::istream& in, const core::MemoryLimits& limits) : in_(in), limits_(limits) {}

  /// Reads a whole snapshot.  Returns  its size and digest
  SnapshotFacts read() {
    while (next_line())
      if (ended()) return {bytes_, hasher_.digest()};
    if (in_.bad()) throw std::system_error(EIO, std::generic_category(), "the snapshot");
    throw SnapshotError(number_ + 1,
                        number_ == 0 ? "an empty file" : "the last line, {\"end\": ...}, is missing");
  }

  void hand_over_to(core::Session& session) {
    const core::Reservation claim(taken());  // the restored data has about the same size
    try {
      contents_.restore_memory();
    } catch (const std::invalid_argument& error) {
      throw SnapshotError(0, error.what());
    }
    contents_.hand_over_to(session);
  }

 private:
  struct Kind {
    std::string_view name;  // name of the first member
    int stage;              // stages of lines must ascend
    void (LineReader::*read)(ObjectReader&);
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
    const core::GraphImage& graph = contents_.image.graph;
    std::size_t bytes = core::bytes_of(graph.concepts) + core::bytes_of(graph.links) +
                        core::bytes_of(graph.concepts_before) + core::bytes_of(contents_.image.statements) +
                        named_.bytes() + (contents_.made ? contents_.made->bytes() : 0);
    if (contents_.image.learner)
      bytes +=
          core::bytes_of(contents_.image.learner->links) + core::bytes_of(contents_.image.learner->units);
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
    static constexpr std::array<Kind, 12> kinds{{{"engram_snapshot", 0, &LineReader::header},
                                                 {"statement", 1, &LineReader::statement},
                                                 {"term", 1, &LineReader::term},
                                                 {"concept", 2, &LineReader::concept_},
                                                 {"link", 2, &LineReader::link},
                                                 {"learner", 3, &LineReader::learner},
                                                 {"unit", 4, &LineReader::unit},
                                                 {"learnt", 5, &LineReader::learnt},
                                                 {"before", 6, &LineReader::before},
                                                 {"budget", 7, &LineReader::budget},
                                                 {"share", 7, &LineReader::share},
                                                 {"end", 8, nullptr}}};
    const auto read = read_json(line_, snapshot_format::line_limits);
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
    else if (contents_.image.graph.concepts.size() != named_.size() ||
             (contents_.image.learner && contents_.image.learner->units.size() != units_))
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
    try {
      contents_.read_header(line, limits_);
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }

  void intern(narsese::Term term) {
    if (named_.size() + term.complexity() > limits_.max_concepts)
      refuse("there are more concepts than " + std::to_string(limits_.max_concepts) + ", the limit");
    named_.intern(term);
  }

  // A number that older files do not have; its default is 0.
  static double optional_number(const JsonValue& value) { return value ? value.number() : 0; }

  void statement(ObjectReader& line) {
    if (contents_.image.statements.size() >= limits_.max_statements)
      refuse("there are more statements than " + std::to_string(limits_.max_statements) + ", the limit");
    const auto sentence =
        narsese::parse_sentence(line["statement"].text(), contents_.terms(), snapshot_format::parse_limits());
    if (!sentence) refuse(sentence.error().message());
    if (sentence->term.kind() != narsese::TermKind::variable) intern(sentence->term);
    contents_.image.statements.push_back({*sentence,
                                          {},
                                          line["evidence"].number(),
                                          line["times"].count(),
                                          line["updated"].count(),
                                          optional_number(line["denied"])});
  }

  void term(ObjectReader& line) {
    const auto read = snapshot_format::parse_between_brackets(line["term"].text(), contents_.terms());
    if (!read) refuse(read.error().message());
    if (!read->is(narsese::Copula::inheritance) || read->subject() != read->predicate() ||
        read->has_variables())
      line["term"].refuse("a term without variables");
    intern(read->subject());
  }

  void concept_(ObjectReader& line) {
    auto& concepts = contents_.image.graph.concepts;
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
    core::GraphImage& graph = contents_.image.graph;
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
    if (contents_.image.learner) refuse("a second learner");
    units_ = index(line["learner"], contents_.image.graph.concepts.size() + 1);
    contents_.image.learner.emplace();
    contents_.image.learner->total = line["evidence"].number();
    contents_.image.learner->step = line["step"].count();
    contents_.image.learner->last = line["updated"].count();
  }

  core::LearnerImage& learner_so_far() {
    if (!contents_.image.learner) refuse("there is no learner");
    return *contents_.image.learner;
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
    core::Vector& budget = contents_.budgets[of_concepts ? 0 : 1];
    if (budget.size() > 0) refuse("a second budget of the same kind");
    const std::size_t most =
        of_concepts ? contents_.image.graph.concepts.size() : contents_.image.statements.size();
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
  snapshot_format::Contents contents_;
  core::ConceptGraph named_;  // assigns the IDs of concepts
  std::size_t units_ = 0;
  std::size_t claimed_ = 0;
  std::optional<core::Reservation> claim_;
  core::Vector* filling_ = nullptr;  // the budget of the last line with one
  std::size_t next_share_ = 0;
};

}  // namespace

SnapshotFacts snapshot_format::read_lines(core::Session& session, const fs::path& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_file_error(path);
  LineReader reader(in, session.memory().options().limits);
  const SnapshotFacts facts = reader.read();
  // The checksum does not cover text after the last line or other line ends, so the size must match.
  if (fs::file_size(path) != facts.bytes)
    throw SnapshotError(0, "the file has been changed: it has " + std::to_string(fs::file_size(path)) +
                               " bytes, its lines " + std::to_string(facts.bytes));
  reader.hand_over_to(session);
  return facts;
}

}  // namespace engram::bridge
