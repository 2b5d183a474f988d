// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/json/core_json.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "bridge/snapshots/snapshot_members.hpp"
#include "narsese/text.hpp"

namespace engram::bridge {
namespace {

using core::ConceptId;
using core::MemoryImage;
using narsese::Term;

// Visitor that writes members of a JSON object.
struct JsonMemberWriter {
  Json& object;

  void operator()(const char* name, const auto& value) const { object[name] = json_of(value); }
  void operator()(const char* name, const auto& first, const auto& second) const {
    object[name] = Json::array({first, second});
  }
  void optional(const char* name, double number) const {
    if (number > 0) object[name] = number;
  }
  void implied(const char*, std::uint32_t) const {}
  void unbounded(const char* name, double number) const {
    object[name] = std::isinf(number) ? Json(nullptr) : Json(number);
  }

 private:
  template <class T>
  static Json json_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, core::LearningRule>) {
      return name_of(core::learning_rules, value);
    } else {
      Json inner;
      visit_members(JsonMemberWriter{inner}, value);
      return inner;
    }
  }
  static Json json_of(const std::optional<core::LinkLearning>& value) {
    return value ? json_of(*value) : Json(nullptr);
  }
};

// A number below `below`, which is at most 2^32.
std::uint32_t index(const JsonValue& value, std::size_t below) {
  if (below == 0) value.refuse("no ID, because no item has one");
  return static_cast<std::uint32_t>(value.count(0, below - 1));
}

const JsonValue& pair(const JsonValue& value) {
  if (value.list("two numbers").size() != 2) value.refuse("two numbers");
  return value;
}

// Visitor that reads members of a JSON object. IDs must be below `below`.  Errors  JsonError
struct JsonMemberReader {
  ObjectReader& object;
  std::size_t below = 0;

  void operator()(const char* name, auto& value) const { read(object[name], value); }
  template <class T>
  void operator()(const char* name, T& first, T& second) const {
    const JsonValue both = object[name];
    pair(both);
    read(both[0], first);
    read(both[1], second);
  }
  void optional(const char* name, double& number) const {
    if (const JsonValue value = object[name]) read(value, number);
  }
  void implied(const char*, std::uint32_t&) const {}
  void unbounded(const char* name, double& number) const {
    const JsonValue value = object[name].required("a number or null");
    number = value.json().is_null() ? std::numeric_limits<double>::infinity() : value.number();
  }

 private:
  static void read(const JsonValue& value, double& number) { number = value.number(); }
  static void read(const JsonValue& value, std::uint64_t& count) { count = value.count(); }
  static void read(const JsonValue& value, bool& flag) { flag = value.flag(); }
  static void read(const JsonValue& value, core::LearningRule& rule) {
    rule = value.choice("a rule of learning", core::learning_rules, &core::LearningRuleFacts::name).value;
  }
  void read(const JsonValue& value, ConceptId& id) const { id = index(value, below); }
  static void read(const JsonValue& value, std::optional<core::LinkLearning>& learning) {
    if (!value.required("an object or null").json().is_null()) read(value, learning.emplace());
  }
  template <class T>
  requires std::is_class_v<T>
  static void read(const JsonValue& value, T& inner) {
    ObjectReader members(value);
    visit_members(JsonMemberReader{members}, inner);
    members.refuse_others();
  }
};

// The last line, without line end.
std::string end_line(std::size_t lines, const std::string& sha256) {
  return Json{{"end", lines}, {"sha256", sha256}}.dump();
}

// Cost of creating, checking and writing a line.
constexpr std::uint64_t steps_a_line = 5000, steps_a_byte = 20;

class LineWriter {
 public:
  LineWriter(const core::Session& session, const std::filesystem::path& path)
      : session_(session),
        graph_(session.memory().graph()),
        image_claim_(core::image_bytes(session.memory())),
        image_(session.memory().image()),
        file_(path, private_mode) {}

  SnapshotFacts write() {
    text(snapshot_format::header(session_, image_).dump());
    origins();
    concepts_and_links();
    if (image_.learner) learner(*image_.learner);
    budget("concepts", session_.budget(core::AllocationOf::concepts));
    budget("statements", session_.budget(core::AllocationOf::statements));
    text(end_line(lines_, hasher_.digest()));
    file_.finish();
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
  // Writes a line with the members of `json`, followed by the members of `row`.
  template <class Row>
  void line(Json json, const Row& row) {
    visit_members(JsonMemberWriter{json}, row);
    text(json.dump());
  }

  // Writes the lines that create the concepts, in order. A statement creates all concepts of its term that do not exist
  // yet.
  void origins() {
    for (const core::Statement& statement : image_.statements) {
      const Term term = statement.sentence.term;
      if (term.kind() != narsese::TermKind::variable) terms_before(term);
      const std::string said = narsese::print(statement.sentence);
      require_same(statement.sentence, said);
      line({{"statement", said}}, statement);
    }
    terms_up_to(static_cast<ConceptId>(graph_.size()));
  }

  void terms_up_to(ConceptId end) {
    for (; made_ < end; ++made_) {
      const std::string name = narsese::print(graph_.term(made_));
      require_same(snapshot_format::reads_as(name, graph_.term(made_), scratch_), name);
      text(Json{{"term", name}}.dump());
    }
  }

  // Checks that written text parses back to the original.  Errors  SnapshotError
  void require_same(bool same, const std::string& text) {
    if (!same) throw SnapshotError(0, "cannot write this so that it parses back to the same: " + text);
    constexpr std::size_t large = std::size_t{1} << 22;
    if (scratch_.memory_bytes() > large) scratch_ = narsese::TermTable();
  }
  void require_same(const narsese::Sentence& meant, const std::string& text) {
    const auto read = narsese::parse_sentence(text, scratch_, snapshot_format::parse_limits());
    narsese::Sentence expected = meant;
    if (read && compare(read->term, meant.term) == 0)
      expected.term = read->term;  // the terms have other tables
    require_same(read && *read == expected, text);
  }

  // Writes lines for the concepts that are older than this statement but were created without a sentence, as ends of a
  // link.
  void terms_before(Term term) {
    const ConceptId root = graph_.find(term).value();
    if (root < made_) return;
    terms_up_to(snapshot_format::first_created(graph_, made_, root));
    made_ = root + 1;
  }

  void concepts_and_links() {
    const auto& [concepts, links, before, components] = image_.graph;
    std::size_t id = 0;
    for (std::size_t k = 0; k <= links.size(); ++k) {
      for (const std::size_t end = k < links.size() ? before[k] : concepts.size(); id < end; ++id) {
        Json json = {{"concept", id}};
        if (const Term term = concepts[id].term; term.complexity() <= snapshot_format::most_nodes_shown)
          json["name"] = narsese::print(term);
        line(std::move(json), concepts[id]);
      }
      if (k < links.size()) line({}, LinkRow{links[k]});
    }
  }

  void learner(const core::LearnerImage& learner) {
    line({{"learner", learner.units.size()}}, learner);
    for (std::size_t id = 0; id < learner.units.size(); ++id) line({{"unit", id}}, learner.units[id]);
    for (const auto& link : learner.links) line({}, link);
    for (const ConceptId id : learner.before) line({}, id);
  }

  void budget(const char* of, const core::SparseVector& shares) {
    if (shares.size() == 0) return;
    text(Json{{"budget", of}, {"size", shares.size()}}.dump());
    shares.each([&](std::uint32_t id, double share) { text(Json{{"share", {id, share}}}.dump()); });
  }

  const core::Session& session_;
  const core::ConceptGraph& graph_;
  const core::Reservation image_claim_;
  const MemoryImage image_;
  WholeFile file_;
  Sha256 hasher_;
  std::uintmax_t bytes_ = 0;
  std::size_t lines_ = 0;
  ConceptId made_ = 0;          // number of concepts created by the lines so far
  narsese::TermTable scratch_;  // of parsed text
};

}  // namespace

Json snapshot_format::header(const core::Session& session, const MemoryImage& image) {
  Json header = {{"engram_snapshot", version}, {"engram", ENGRAM_VERSION}};
  visit_members(JsonMemberWriter{header}, session.memory().options());
  visit_members(JsonMemberWriter{header}, image);
  if (session.forgetting().is_on())
    header["forgetting"] = forgetting_state_json(session.forgetting().state());
  return header;
}

void snapshot_format::Contents::read_header(ObjectReader& line, const core::MemoryLimits& limits) {
  line["engram"].text();
  core::MemoryOptions options;
  visit_members(JsonMemberReader{line}, options);
  visit_members(JsonMemberReader{line}, image);
  if (const JsonValue state = line["forgetting"]) forgotten = forgetting_state_in(state);
  options.limits = limits;
  made.emplace(options);
}

SnapshotFacts snapshot_format::write_lines(const core::Session& session, const std::filesystem::path& path) {
  return LineWriter(session, path).write();
}

// --- reading ----------------------------------------------------------------------------------------------

namespace {

class LineReader {
 public:
  LineReader(std::istream& in, const core::MemoryLimits& limits) : in_(in), limits_(limits) {}

  /// Reads a whole snapshot.  Returns  its size and digest
  SnapshotFacts read() {
    while (next_line()) {
      if (!ended()) continue;
      // The digest does not cover text after the last line or other line ends, so the size must match.
      in_.clear();
      if (const auto size = static_cast<std::uintmax_t>(in_.seekg(0, std::ios::end).tellg()); size != bytes_)
        throw SnapshotError(0, "the file has been changed: it has " + std::to_string(size) +
                                   " bytes, its lines " + std::to_string(bytes_));
      return {bytes_, hasher_.digest()};
    }
    if (in_.bad()) throw std::system_error(EIO, std::generic_category(), "the snapshot");
    throw SnapshotError(number_ + 1,
                        number_ == 0 ? "an empty file" : "the last line, {\"end\": ...}, is missing");
  }

  void hand_over_to(core::Session& session) {
    const core::Reservation claim(taken());  // the restored data has about the same size
    contents_.restore_memory();
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
    if (kind == kinds.end()) refuse("unknown kind of line");
    if (kind->stage < stage_) refuse("'" + first + "' must be before this line");
    stage_ = kind->stage;
    if (kind->read != nullptr)
      read_members(*kind, json);
    else if (contents_.image.graph.concepts.size() != named_.size() ||
             (contents_.image.learner && contents_.image.learner->units.size() != units_))
      refuse("the line of a concept, or of a unit of the learner, is missing");
    else if (line_ != end_line(number_ - 1, hasher_.digest()))
      refuse("the file has been changed: the number of its lines or their SHA-256 is wrong");
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

  void require_at_most(std::size_t size, std::size_t most, const char* what) const {
    if (size > most)
      refuse("there are more " + std::string(what) + " than " + std::to_string(most) + ", the limit");
  }
  void intern(Term term) {
    require_at_most(named_.size() + term.complexity(), limits_.max_concepts, "concepts");
    named_.intern(term);
  }

  void statement(ObjectReader& line) {
    require_at_most(contents_.image.statements.size() + 1, limits_.max_statements, "statements");
    const auto sentence =
        narsese::parse_sentence(line["statement"].text(), contents_.terms(), snapshot_format::parse_limits());
    if (!sentence) refuse(sentence.error().message());
    if (sentence->term.kind() != narsese::TermKind::variable) intern(sentence->term);
    visit_members(JsonMemberReader{line},
                  contents_.image.statements.emplace_back(core::Statement{*sentence}));
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
      name.refuse("the term of this concept if it is short, or no name");
    visit_members(JsonMemberReader{line}, concepts.emplace_back(core::Concept{own}));
  }

  void link(ObjectReader& line) {
    core::GraphImage& graph = contents_.image.graph;
    require_at_most(graph.links.size() + 1, limits_.max_hebbian_links, "links");
    LinkRow row;
    visit_members(JsonMemberReader{line, graph.concepts.size()}, row);
    graph.links.push_back(row.link);
    graph.concepts_before.push_back(graph.concepts.size());
  }

  void learner(ObjectReader& line) {
    if (contents_.image.learner) refuse("a second learner");
    units_ = index(line["learner"], contents_.image.graph.concepts.size() + 1);
    visit_members(JsonMemberReader{line}, contents_.image.learner.emplace());
  }

  core::LearnerImage& learner_so_far() {
    if (!contents_.image.learner) refuse("no line with the learner before");
    return *contents_.image.learner;
  }

  void unit(ObjectReader& line) {
    auto& units = learner_so_far().units;
    if (index(line["unit"], units_) != units.size()) line["unit"].refuse("the next id");
    visit_members(JsonMemberReader{line}, units.emplace_back());
  }

  void learnt(ObjectReader& line) {
    auto& links = learner_so_far().links;
    require_at_most(links.size() + 1, limits_.max_hebbian_links, "learnt links");
    visit_members(JsonMemberReader{line, units_}, links.emplace_back());
  }

  void before(ObjectReader& line) {
    auto& before = learner_so_far().before;
    if (before.size() >= units_) refuse("expected at most " + std::to_string(units_) + " active units");
    visit_members(JsonMemberReader{line, units_}, before.emplace_back());
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
    if (filling_ == nullptr) refuse("expected a budget before its shares");
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

SnapshotFacts snapshot_format::read_lines(core::Session& session, std::istream& in) {
  LineReader reader(in, session.memory().options().limits);
  SnapshotFacts facts = reader.read();
  reader.hand_over_to(session);
  return facts;
}

}  // namespace engram::bridge
