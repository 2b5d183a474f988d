// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <system_error>

#include "bridge/files.hpp"
#include "bridge/json_reader.hpp"
#include "bridge/sha256.hpp"
#include "bridge/snapshot.hpp"
#include "bridge/snapshot_format.hpp"
#include "core/graph/memory_image.hpp"
#include "narsese/line_reader.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;
using core::ConceptId;
using snapshot_format::Json;

// One line: members of these names and no others, each of the type that is asked for.
class Line {
 public:
  Line(std::size_t number, const Json& json, std::initializer_list<std::string_view> known)
      : number_(number), json_(json) {
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(known, name) == known.end()) refuse("has no member '" + name + "'");
  }
  Line(const Line& outer, const char* name, std::initializer_list<std::string_view> known)
      : Line(outer.number_, outer.object(name), known) {}

  [[noreturn]] void refuse(const std::string& problem) const {
    throw SnapshotError(number_, "a line of this kind " + problem);
  }

  bool has(const char* name) const { return json_.contains(name); }
  const Json& at(const char* name) const {
    if (!has(name)) refuse(std::string("needs a member '") + name + "'");
    return json_.at(name);
  }
  std::string text(const char* name) const {
    if (!at(name).is_string()) refuse(std::string("has a text as '") + name + "'");
    return at(name).get<std::string>();
  }
  bool flag(const char* name) const {
    if (!at(name).is_boolean()) refuse(std::string("has true or false as '") + name + "'");
    return at(name).get<bool>();
  }
  double number(const char* name) const { return number(at(name), name); }
  std::uint64_t whole(const char* name) const { return whole(at(name), name); }
  /// Below a bound that itself is at most 2^32 - 1.
  std::uint32_t index(const char* name, std::size_t below) const { return index(at(name), name, below); }

  std::pair<std::uint32_t, std::uint32_t> ids(const char* name, std::size_t below) const {
    const Json& both = pair(name);
    return {index(both[0], name, below), index(both[1], name, below)};
  }
  std::pair<double, double> numbers(const char* name) const {
    const Json& both = pair(name);
    return {number(both[0], name), number(both[1], name)};
  }
  std::pair<std::uint32_t, double> entry(const char* name, std::size_t below) const {
    const Json& both = pair(name);
    return {index(both[0], name, below), number(both[1], name)};
  }

 private:
  const Json& object(const char* name) const {
    if (!at(name).is_object()) refuse(std::string("has an object as '") + name + "'");
    return at(name);
  }
  const Json& pair(const char* name) const {
    if (!at(name).is_array() || at(name).size() != 2)
      refuse(std::string("has two numbers as '") + name + "'");
    return at(name);
  }
  double number(const Json& value, const char* name) const {
    if (!value.is_number()) refuse(std::string("has a number as '") + name + "'");
    return value.get<double>();
  }
  std::uint64_t whole(const Json& value, const char* name) const {
    if (!value.is_number_unsigned()) refuse(std::string("has a whole number as '") + name + "'");
    return value.get<std::uint64_t>();
  }
  std::uint32_t index(const Json& value, const char* name, std::size_t below) const {
    if (whole(value, name) >= below)
      refuse(std::string("has as '") + name + "' less than " + std::to_string(below));
    return value.get<std::uint32_t>();
  }

  std::size_t number_;
  const Json& json_;
};

class Reader {
 public:
  Reader(std::istream& in, const core::MemoryLimits& limits) : in_(in), limits_(limits) {}

  /// Bytes and SHA-256 of what was a whole snapshot.
  SnapshotFacts read() {
    while (next_line())
      if (ended()) return {bytes_, hasher_.digest()};
    if (in_.bad()) throw std::system_error(EIO, std::generic_category(), "the snapshot");
    throw SnapshotError(number_ + 1,
                        number_ == 0 ? "an empty file" : "the last line, {\"end\": ...}, is missing");
  }

  void hand_over_to(Session& session) {
    core::Memory& memory = made_->change();
    const core::Claim claim(taken());  // what is made of it is about as large
    try {
      memory.become(image_);
    } catch (const std::invalid_argument& error) {
      throw SnapshotError(0, error.what());
    }
    session.become(std::move(memory), std::move(budgets_[0]), std::move(budgets_[1]));
  }

 private:
  struct Kind {
    std::string_view name;  // the first member
    int stage;              // lines come by stages
    void (Reader::*read)(const Json&);
  };

  bool next_line() {
    const auto status = narsese::read_line(in_, line_, snapshot_format::max_line_bytes);
    if (status == narsese::LineStatus::end) return false;
    ++number_;
    if (status == narsese::LineStatus::too_long)
      refuse("a line may have at most " + std::to_string(snapshot_format::max_line_bytes) + " bytes");
    return true;
  }

  // Bytes of what was read so far: it stands beside the session's memory, which is still there.
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

  // Takes the line in; true if it was the last one.
  bool ended() {
    static constexpr std::array<Kind, 12> kinds{{{"engram_snapshot", 0, &Reader::header},
                                                 {"statement", 1, &Reader::statement},
                                                 {"term", 1, &Reader::term},
                                                 {"concept", 2, &Reader::concept_},
                                                 {"link", 2, &Reader::link},
                                                 {"learner", 3, &Reader::learner},
                                                 {"unit", 4, &Reader::unit},
                                                 {"learnt", 5, &Reader::learnt},
                                                 {"before", 6, &Reader::before},
                                                 {"budget", 7, &Reader::budget},
                                                 {"share", 7, &Reader::share},
                                                 {"end", 8, nullptr}}};
    constexpr std::size_t max_depth = 4;
    const auto read =
        read_json<Json>(line_, {.max_bytes = snapshot_format::max_line_bytes, .max_depth = max_depth});
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
      (this->*kind->read)(json);
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

  // --- the kinds of lines ------------------------------------------------------------------------

  void header(const Json& json) {
    const Json& version = json.at("engram_snapshot");
    if (version != snapshot_format::version)
      refuse("a snapshot of another version (" + version.dump().substr(0, 20) + "), known is " +
             std::to_string(snapshot_format::version));
    const Line line(
        number_, json,
        {"engram_snapshot", "engram", "decay", "activation", "learning", "now", "evidence", "updated"});
    line.text("engram");
    core::MemoryOptions options;
    options.limits = limits_;
    options.decay = line.number("decay");
    const Line activation(line, "activation", {"compounds", "statements", "self"});
    options.activation = {activation.flag("compounds"), activation.flag("statements"),
                          activation.flag("self")};
    if (!line.at("learning").is_null())
      options.learning =
          learning(Line(line, "learning", {"rule", "rate", "decay", "time", "reach", "bound"}));
    image_.now = line.whole("now");
    image_.total = line.number("evidence");
    image_.total_updated = line.whole("updated");
    try {
      made_.emplace(options);
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }

  core::LinkLearning learning(const Line& line) const {
    const auto rule = core::learning_rule_named(line.text("rule"));
    if (!rule) line.refuse("names a rule of learning");
    const bool unbounded = line.at("bound").is_null();
    return {*rule,
            line.number("rate"),
            line.number("decay"),
            line.number("time"),
            line.number("reach"),
            unbounded ? std::numeric_limits<double>::infinity() : line.number("bound")};
  }

  narsese::TermTable& terms() { return made_->change().terms(); }

  void intern(narsese::Term term) {
    if (named_.size() + term.complexity() > limits_.max_concepts)
      refuse("there are more concepts than " + std::to_string(limits_.max_concepts) + ", the limit");
    named_.intern(term);
  }

  void statement(const Json& json) {
    const Line line(number_, json, {"statement", "evidence", "times", "updated"});
    if (image_.statements.size() >= limits_.max_statements)
      refuse("there are more statements than " + std::to_string(limits_.max_statements) + ", the limit");
    const auto sentence =
        narsese::parse_sentence(line.text("statement"), terms(), snapshot_format::parse_limits());
    if (!sentence) refuse(sentence.error().message());
    if (sentence->term.kind() != narsese::TermKind::variable) intern(sentence->term);
    image_.statements.push_back(
        {*sentence, {}, line.number("evidence"), line.whole("times"), line.whole("updated")});
  }

  void term(const Json& json) {
    const Line line(number_, json, {"term"});
    const auto read = narsese::parse_term(snapshot_format::between_brackets(line.text("term")), terms(),
                                          snapshot_format::parse_limits());
    if (!read) refuse(read.error().message());
    if (!read->is(narsese::Copula::inheritance) || read->subject() != read->predicate() ||
        read->has_variables())
      line.refuse("names a term without variables");
    intern(read->subject());
  }

  void concept_(const Json& json) {
    const Line line(number_, json, {"concept", "name", "activity", "told", "updated"});
    auto& concepts = image_.graph.concepts;
    const ConceptId id = line.index("concept", named_.size());
    if (id != concepts.size()) line.refuse("has the next id, " + std::to_string(concepts.size()));
    const narsese::Term own = named_[id].term;
    const bool shown = own.complexity() <= snapshot_format::most_nodes_shown;
    if (shown != line.has("name") || (shown && line.text("name") != narsese::print(own)))
      line.refuse("has the name of its concept, where that is short");
    concepts.push_back({own, line.number("activity"), line.number("told"), line.whole("updated")});
  }

  void link(const Json& json) {
    const Line line(number_, json, {"link", "together", "told", "updated"});
    core::GraphImage& graph = image_.graph;
    if (graph.links.size() >= limits_.max_hebbian_links)
      refuse("there are more links than " + std::to_string(limits_.max_hebbian_links) + ", the limit");
    const auto [source, target] = line.ids("link", graph.concepts.size());
    const auto [frequency, confidence] = line.numbers("told");
    graph.links.push_back(
        {source, target, line.number("together"), {frequency, confidence}, line.whole("updated")});
    graph.concepts_before.push_back(graph.concepts.size());
  }

  void learner(const Json& json) {
    const Line line(number_, json, {"learner", "evidence", "step", "updated"});
    if (image_.learner) refuse("a second learner");
    units_ = line.index("learner", image_.graph.concepts.size() + 1);
    image_.learner.emplace();
    image_.learner->total = line.number("evidence");
    image_.learner->step = line.whole("step");
    image_.learner->last = line.whole("updated");
  }

  core::LearnerImage& learner_so_far() {
    if (!image_.learner) refuse("there is no learner");
    return *image_.learner;
  }

  void unit(const Json& json) {
    const Line line(number_, json, {"unit", "level", "step", "updated"});
    auto& units = learner_so_far().units;
    if (line.index("unit", units_) != units.size()) line.refuse("has the next id");
    units.push_back({line.number("level"), line.whole("step"), line.whole("updated")});
  }

  void learnt(const Json& json) {
    const Line line(number_, json, {"learnt", "weight", "step"});
    auto& links = learner_so_far().links;
    if (links.size() >= limits_.max_hebbian_links)
      refuse("there are more learnt links than " + std::to_string(limits_.max_hebbian_links) + ", the limit");
    const auto [to, from] = line.ids("learnt", units_);
    links.push_back({to, from, line.number("weight"), line.whole("step")});
  }

  void before(const Json& json) {
    const Line line(number_, json, {"before"});
    auto& before = learner_so_far().before;
    if (before.size() >= units_) refuse("more units were active than there are");
    before.push_back(line.index("before", units_));
  }

  void budget(const Json& json) {
    const Line line(number_, json, {"budget", "size"});
    const bool of_concepts = line.text("budget") == "concepts";
    if (!of_concepts && line.text("budget") != "statements") line.refuse("is of concepts or statements");
    core::Vector& budget = budgets_[of_concepts ? 0 : 1];
    if (budget.size() > 0) refuse("a second budget of the same kind");
    const std::size_t most = of_concepts ? image_.graph.concepts.size() : image_.statements.size();
    budget = core::Vector::Zero(line.index("size", most + 1));
    filling_ = &budget;
    next_share_ = 0;
  }

  void share(const Json& json) {
    const Line line(number_, json, {"share"});
    if (filling_ == nullptr) refuse("a share of no budget");
    const auto [id, value] = line.entry("share", static_cast<std::size_t>(filling_->size()));
    if (id < next_share_ || !(value > 0 && value <= 1))
      line.refuse("has ascending ids, and shares in (0, 1]");
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
  std::optional<Session> made_;
  core::ConceptGraph named_;  // gives the concepts their ids
  core::MemoryImage image_;
  std::size_t units_ = 0;
  std::size_t claimed_ = 0;
  std::optional<core::Claim> claim_;
  std::array<core::Vector, 2> budgets_;
  core::Vector* filling_ = nullptr;
  std::size_t next_share_ = 0;
};

}  // namespace

SnapshotError::SnapshotError(std::size_t at_line, const std::string& message)
    : std::runtime_error((at_line > 0 ? "line " + std::to_string(at_line) + ": " : "") + message),
      line(at_line) {}

SnapshotFacts read_snapshot(Session& session, const fs::path& path) {
  std::error_code problem;
  const bool regular = fs::is_regular_file(path, problem);  // to open a pipe, even, might never end
  if (!regular && fs::exists(path, problem))
    throw std::system_error(EINVAL, std::generic_category(), path.string() + ": not a regular file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_file_error(path);
  Reader reader(in, session.memory().options().limits);
  const SnapshotFacts facts = reader.read();
  // What stands behind the end, and line ends of another kind, are bytes that nobody has seen.
  if (fs::file_size(path) != facts.bytes)
    throw SnapshotError(0, "the file has been changed: it has " + std::to_string(fs::file_size(path)) +
                               " bytes, its lines " + std::to_string(facts.bytes));
  reader.hand_over_to(session);
  return facts;
}

}  // namespace engram::bridge
